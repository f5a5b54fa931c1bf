//! An assembled program: bytes at their addresses, and everything needed to run them.

use std::collections::BTreeMap;

use super::error::AssemblyError;
use super::error::error_kind::AssemblyErrorKind;
use super::include::source_map::SourceMap;
use crate::ge::address::{Address, USER_RAM_BASE};
use crate::ge::capture::{Capture, Source};
use crate::ge::memory::Memory;
use crate::ge::overrides::Overrides;
use crate::ge::registers::Registers;

/// The largest flat binary for [`Program::image`] to build, in bytes (32 MiB), because gaps could make it huge.
#[doc(hidden)]
pub const IMAGE_BYTES_MAX: u64 = 32 << 20;

/// The longest list for [`Program::of_list`] to place, in bytes: as long as user memory (24 MiB).
#[doc(hidden)]
pub const LIST_BYTES_MAX: usize = 24 << 20;

/// Consecutive bytes at an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Address of the first byte.
    pub address: Address,
    /// The bytes; never empty.
    pub bytes: Vec<u8>,
}

/// An assembled text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The bytes, sorted by address, without overlap.
    pub segments: Vec<Segment>,
    /// Address of the first command to execute.
    pub entry: Address,
    /// The address from `.stall`, or `None` if it is missing or 0.
    pub stall: Option<Address>,
    /// The labels with their addresses.
    pub symbols: BTreeMap<String, Address>,
    /// Leads from addresses to the commands' places in the text; empty for a list of words.
    pub source_map: SourceMap,
}

/// The list is longer than user memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the list is longer than user memory ({} MiB)", LIST_BYTES_MAX >> 20)]
pub struct ListTooLong;

impl Program {
    /// Creates a program from a list's words, placed at the start of user memory.
    ///
    /// # Errors
    /// Fails if the list is longer than user memory.
    pub fn of_list(bytes: Vec<u8>) -> Result<Self, ListTooLong> {
        if bytes.len() > LIST_BYTES_MAX {
            return Err(ListTooLong);
        }
        let entry = Address::new(USER_RAM_BASE);
        let segments = if bytes.is_empty() { Vec::new() } else { vec![Segment { address: entry, bytes }] };
        let (symbols, source_map) = (BTreeMap::new(), SourceMap::default());
        Ok(Self { segments, entry, stall: None, symbols, source_map })
    }

    /// Creates a capture to run this program. Other memory is empty, and registers are as after reset. Each segment
    /// becomes a source with its file offset in [`Self::image`].
    #[must_use]
    pub fn capture(&self) -> Capture {
        let mut memory = Memory::default();
        let mut sources = Vec::with_capacity(self.segments.len());
        let base = self.base().get();
        for segment in &self.segments {
            memory.write(segment.address, &segment.bytes);
            sources.push(Source {
                name: "assembly".to_owned(),
                address: segment.address,
                length: u32::try_from(segment.bytes.len()).unwrap_or(u32::MAX),
                file_offset: u64::from(segment.address.get().saturating_sub(base)),
            });
        }
        Capture {
            memory,
            registers: Registers::new(),
            start: self.entry,
            stall: self.stall,
            sources,
            events: Vec::new(),
            overrides: Overrides::default(),
        }
    }

    /// Returns the lowest address with a byte, or the entry if this program is empty.
    #[must_use]
    pub fn base(&self) -> Address {
        self.segments.first().map_or(self.entry, |segment| segment.address)
    }

    /// Builds the flat binary, to write it to a file: all bytes from the lowest address to the highest, with zeros
    /// in the gaps.
    ///
    /// # Errors
    /// [`AssemblyErrorKind::TooLarge`] if it would exceed [`IMAGE_BYTES_MAX`].
    pub fn image(&self) -> Result<Vec<u8>, AssemblyError> {
        let mut image = Vec::new();
        let base = self.base().get();
        for segment in &self.segments {
            let start = u64::from(segment.address.get().saturating_sub(base));
            if start.saturating_add(segment.bytes.len() as u64) > IMAGE_BYTES_MAX {
                let kind = AssemblyErrorKind::TooLarge { limit: IMAGE_BYTES_MAX };
                return Err(AssemblyError::unplaced(kind));
            }
            image.resize(usize::try_from(start).unwrap_or(usize::MAX), 0);
            image.extend_from_slice(&segment.bytes);
        }
        Ok(image)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_placed_at_the_start_of_user_memory() {
        let program = Program::of_list(vec![0, 0, 0, 0x0F]).expect("short");
        assert_eq!(program.entry, Address::new(USER_RAM_BASE), "the entry");
        assert_eq!(program.capture().memory.read_u32(program.entry), 0x0F00_0000, "a word");
        assert_eq!(Program::of_list(Vec::new()).map(|program| program.segments.len()), Ok(0), "no words");
        assert_eq!(Program::of_list(vec![0; LIST_BYTES_MAX + 1]), Err(ListTooLong), "too long");
    }
}
