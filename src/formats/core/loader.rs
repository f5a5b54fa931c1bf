//! Lays files out in emulated memory, so that lists can point at their bytes.
//!
//! # Invariants
//! Loaded data never overlaps, never leaves main RAM, and never touches `SCENE_MEMORY`. A [`Source`] covers every
//! byte loaded from a file.

use std::ops::Range;

use super::cursor::View;
use super::error::FormatError;
use super::problem::Problem;
use crate::ge::address::{Address, RAM_BASE, RAM_SIZE_MAX};
use crate::ge::capture::Source;
use crate::ge::list::ListBuilder;
use crate::ge::memory::Memory;
use crate::model::SCENE_MEMORY;

/// First byte after main RAM.
const END: u32 = RAM_BASE + RAM_SIZE_MAX;

/// Fills memory from its start, in the order of the calls.
#[derive(Debug)]
pub struct Loader {
    memory: Memory,
    sources: Vec<Source>,
    next: u32,
}

impl Default for Loader {
    fn default() -> Self {
        Self::new()
    }
}

impl Loader {
    /// Starts with empty memory.
    #[must_use]
    pub fn new() -> Self {
        Self { memory: Memory::default(), sources: Vec::new(), next: SCENE_MEMORY.end }
    }

    /// Loads part of a file unchanged, at a multiple of `alignment`, a power of two.
    ///
    /// # Errors
    /// [`Problem::OutOfMemory`] if it does not fit.
    pub fn place(&mut self, name: &str, piece: View<'_>, alignment: u32) -> Result<Address, FormatError> {
        self.place_padded(name, piece, alignment, piece.len())
    }

    /// Loads part of a file so that its byte at `aligned` lands on a multiple of 16. Use this if only an inner
    /// structure needs alignment.
    ///
    /// # Errors
    /// [`Problem::OutOfMemory`] if it does not fit.
    pub fn place_around(
        &mut self,
        name: &str,
        piece: View<'_>,
        aligned: u64,
    ) -> Result<Address, FormatError> {
        // Bytes to leave free first: the start has to be `-aligned` modulo 16.
        let ahead = u32::try_from(aligned.wrapping_neg() & 15).unwrap_or(0);
        self.next = self.next.next_multiple_of(16).saturating_add(ahead);
        self.place(name, piece, 1)
    }

    /// Loads part of a file and keeps room for zeros up to `length` bytes, because draws may read past the data.
    ///
    /// # Errors
    /// [`Problem::OutOfMemory`] if it does not fit.
    pub fn place_padded(
        &mut self,
        name: &str,
        piece: View<'_>,
        alignment: u32,
        length: u64,
    ) -> Result<Address, FormatError> {
        let start = self.next.next_multiple_of(alignment.max(1));
        let end = u64::from(start).saturating_add(length.max(piece.len()));
        let (Ok(end), Ok(bytes)) = (u32::try_from(end), u32::try_from(piece.len())) else {
            return Err(piece.error_of_whole(Problem::OutOfMemory(length)));
        };
        if end > END {
            return Err(piece.error_of_whole(Problem::OutOfMemory(length)));
        }
        let address = Address::new(start);
        self.memory.write(address, piece.bytes());
        let file_offset = piece.file_offset(0);
        self.sources.push(Source { name: name.to_owned(), address, length: bytes, file_offset });
        self.next = end;
        Ok(address)
    }

    /// Stores bytes computed from those at `offset` in `piece`, at a multiple of 16.
    ///
    /// # Errors
    /// [`Problem::OutOfMemory`] if they do not fit.
    pub fn store(&mut self, piece: View<'_>, offset: u64, bytes: &[u8]) -> Result<Address, FormatError> {
        let (start, room) = self.room();
        let length = u32::try_from(bytes.len()).ok().filter(|&length| length <= room);
        let Some(length) = length else {
            return Err(piece.error(offset, Problem::OutOfMemory(bytes.len() as u64)));
        };
        self.memory.write(start, bytes);
        self.next = start.offset(length).get();
        Ok(start)
    }

    /// Stores a list that starts at the address from [`Self::room`], and returns where its words are. Errors are
    /// located in `piece`.
    ///
    /// # Errors
    /// [`Problem::OutOfMemory`] if it does not fit.
    pub(crate) fn store_list(
        &mut self,
        piece: View<'_>,
        list: &ListBuilder,
    ) -> Result<Range<Address>, FormatError> {
        let bytes: Vec<u8> = list.words().iter().flat_map(|word| word.to_le_bytes()).collect();
        self.store(piece, 0, &bytes)?;
        Ok(list.start()..list.here())
    }

    /// Finds the next free multiple of 16, and counts the bytes available from there. Does not reserve them.
    pub fn room(&self) -> (Address, u32) {
        let start = self.next.next_multiple_of(16).min(END);
        (Address::new(start), END.saturating_sub(start))
    }

    /// Gives access to store a list at the address from [`Self::room`].
    pub const fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Hands over the memory, and lists which parts came from files.
    pub fn finish(self) -> (Memory, Vec<Source>) {
        (self.memory, self.sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats::core::error::FileRole;

    fn piece(bytes: &[u8]) -> View<'_> {
        View::new(bytes, 0x1000, "pac", FileRole::Input)
    }

    #[test]
    fn pieces_follow_one_another_and_keep_their_places() {
        let mut loader = Loader::new();
        let first = loader.place("first", piece(&[1; 5]), 16).expect("room");
        let around = loader.place_around("second", piece(&[2; 8]), 3).expect("room");
        let padded = loader.place_padded("third", piece(&[3; 4]), 16, 40).expect("room");
        let (list, room) = loader.room();
        assert_eq!(first, Address::new(SCENE_MEMORY.end), "behind the scene's part");
        assert_eq!(around.offset(3).get() % 16, 0, "the fourth byte is aligned");
        assert!(around >= first.offset(5) && padded >= around.offset(8), "no overlap");
        assert!(list >= padded.offset(40), "the padding is kept free");
        assert_eq!(list.get().saturating_add(room), END, "all the rest is room");
        let (memory, sources) = loader.finish();
        let places: Vec<_> = sources.iter().map(|source| (source.address, source.length)).collect();
        assert_eq!(places, [(first, 5), (around, 8), (padded, 4)], "what came from files");
        assert_eq!(memory.read_u32(padded.offset(4)), 0, "padding is zero");
        assert_eq!(sources.last().and_then(|last| last.offset_of(padded)), Some(0x1000), "place in the file");
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut loader = Loader::new();
        for length in [u64::from(RAM_SIZE_MAX), u64::from(u32::MAX), u64::MAX] {
            let error = loader.place_padded("huge", piece(&[0]), 16, length).expect_err("too large");
            assert_eq!(error.kind, Problem::OutOfMemory(length), "{error}");
        }
        assert!(loader.place("small", piece(&[0]), 16).is_ok(), "the next still fits");
    }
}
