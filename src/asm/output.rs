//! Where assembled bytes go: segments of memory, laid out in the first pass and filled in the second.
//!
//! # Invariants
//! Every byte lies in existing memory (`ge-reference.md` §1.1), and all together are at most
//! [`PROGRAM_BYTES_MAX`]; no byte is stored before the first pass has checked both.

use std::ops::Range;

use crate::ge::address::{Address, Region};

use super::error::{AssemblyError, AssemblyErrorKind};
use super::lexer::Position;

/// How many bytes a program may have (96 MiB, more than all memory there is).
pub const PROGRAM_BYTES_MAX: u64 = 96 << 20;

/// A run of bytes at one place.
#[derive(Clone, Debug)]
pub(super) struct OutputSegment {
    pub(super) range: Range<u32>,
    pub(super) bytes: Vec<u8>,
    /// Line where it starts.
    line: u32,
}

/// The segments assembled so far.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// Bytes are kept, not only counted.
    stores_bytes: bool,
    total: u64,
    here: u32,
    pub(super) segments: Vec<OutputSegment>,
}

impl Output {
    pub(super) const fn new(origin: Address, stores_bytes: bool) -> Self {
        Self { stores_bytes, total: 0, here: origin.get(), segments: Vec::new() }
    }

    /// Address of the next byte.
    pub(super) const fn here(&self) -> u32 {
        self.here
    }

    /// Goes on at another address.
    pub(super) const fn move_to(&mut self, address: Address) {
        self.here = address.get();
    }

    pub(super) fn bytes(&mut self, bytes: &[u8], position: Position) -> Result<(), AssemblyError> {
        if self.reserve(bytes.len() as u64, position)?
            && let Some(segment) = self.segments.last_mut()
        {
            segment.bytes.extend_from_slice(bytes);
        }
        Ok(())
    }

    pub(super) fn fill(&mut self, count: u32, byte: u8, position: Position) -> Result<(), AssemblyError> {
        if self.reserve(u64::from(count), position)?
            && let Some(segment) = self.segments.last_mut()
        {
            segment.bytes.resize(segment.bytes.len().saturating_add(count as usize), byte);
        }
        Ok(())
    }

    /// Makes room for `count` bytes; whether they are to be stored in the last segment.
    fn reserve(&mut self, count: u64, position: Position) -> Result<bool, AssemblyError> {
        if count == 0 {
            return Ok(false);
        }
        self.total = self.total.saturating_add(count);
        if self.total > PROGRAM_BYTES_MAX {
            let kind = AssemblyErrorKind::TooLarge { limit: PROGRAM_BYTES_MAX };
            return Err(AssemblyError::new(position, kind));
        }
        let end = u64::from(self.here).saturating_add(count);
        let last = u32::try_from(end.saturating_sub(1)).unwrap_or(u32::MAX);
        for address in [self.here, last] {
            let is_same_memory = region_id(address).is_some_and(|kind| region_id(self.here) == Some(kind));
            if !is_same_memory {
                let kind = AssemblyErrorKind::Unmapped(Address::new(address));
                return Err(AssemblyError::new(position, kind));
            }
        }
        // Inside mapped memory, so below 2^28.
        let end = last.saturating_add(1);
        match self.segments.last_mut() {
            Some(segment) if segment.range.end == self.here => segment.range.end = end,
            _ => {
                self.segments.push(OutputSegment {
                    range: self.here..end,
                    bytes: Vec::new(),
                    line: position.line,
                });
            }
        }
        self.here = end;
        Ok(self.stores_bytes)
    }

    /// Fails where two segments share an address.
    pub(super) fn check_overlap(&self) -> Result<(), AssemblyError> {
        let mut sorted: Vec<&OutputSegment> = self.segments.iter().collect();
        sorted.sort_by_key(|segment| (segment.range.start, segment.line));
        let mut pairs = sorted.iter().zip(sorted.iter().skip(1));
        let Some((low, high)) = pairs.find(|(low, high)| low.range.end > high.range.start) else {
            return Ok(());
        };
        let kind = AssemblyErrorKind::Overlap {
            address: Address::new(high.range.start),
            first: low.line.min(high.line),
        };
        Err(AssemblyError::new(Position { line: low.line.max(high.line), column: 1 }, kind))
    }
}

/// Which memory an unmasked address is in. Each kind is one range without holes.
fn region_id(address: u32) -> Option<u8> {
    if Address::new(address).get() != address {
        return None;
    }
    match Address::new(address).region() {
        Region::Scratchpad(_) => Some(0),
        Region::Vram(..) => Some(1),
        Region::Ram(_) => Some(2),
        Region::Unmapped => None,
    }
}
