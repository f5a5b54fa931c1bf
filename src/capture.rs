//! What can be run: a memory image, a register state and where the list starts.
//!
//! Every input becomes one. Nothing behind this point knows which file it came from; [`Source`] only lets a
//! trace say where in the file a word stood.

use crate::address::Address;
use crate::memory::Memory;
use crate::registers::Registers;

/// A piece of a file that was loaded into emulated memory as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// What the piece came from: a file's role or name.
    pub name: String,
    /// Where it was loaded.
    pub address: Address,
    /// How many bytes.
    pub length: u32,
    /// Where it stands in the file.
    pub file_offset: u64,
}

impl Source {
    /// Offset in the file of what was loaded at `address`.
    #[must_use]
    pub fn offset_of(&self, address: Address) -> Option<u64> {
        let into = address.get().checked_sub(self.address.get())?;
        (into < self.length).then(|| self.file_offset + u64::from(into))
    }
}

/// A list ready to run, with all that it reads.
#[derive(Clone, Debug)]
pub struct Capture {
    /// The memory image.
    pub memory: Memory,
    /// The registers at the start.
    pub registers: Registers,
    /// Address of the first command.
    pub start: Address,
    /// Which parts of memory are pieces of a file.
    pub sources: Vec<Source>,
}

impl Capture {
    /// Where in which file the word at `address` stood, if it came from one.
    #[must_use]
    pub fn source_of(&self, address: Address) -> Option<(&Source, u64)> {
        self.sources.iter().find_map(|source| Some((source, source.offset_of(address)?)))
    }
}
