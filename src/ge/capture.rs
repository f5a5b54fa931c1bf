//! What can be run: a memory image, a register state, where the list starts, and what the CPU does meanwhile.
//!
//! Every input becomes one. Nothing behind this point knows which file it came from; [`Source`] only lets a
//! trace say where in the file a word stood.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::fmt;

use crate::ge::address::Address;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::PixelFormat;

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
        let offset = address.get().checked_sub(self.address.get())?;
        (offset < self.length).then(|| self.file_offset.saturating_add(u64::from(offset)))
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
    /// Which parts of memory are pieces of a file, by rising address and without overlap.
    pub sources: Vec<Source>,
    /// What the CPU does while the list waits for it, in order.
    pub events: Vec<Event>,
}

/// Something the CPU does when the list has come to a certain word: the list stalls there until it is done.
/// Source: `ge-reference.md` §3.2 (stall address).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The word that is executed next.
    pub at: Address,
    /// What the CPU does.
    pub action: Action,
}

/// What the CPU can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Copies bytes.
    Copy {
        /// Where to.
        to: Address,
        /// Where from; the bytes are read before any is written.
        from: Address,
        /// How many.
        length: u32,
    },
    /// Fills memory with a byte.
    Fill {
        /// The first byte.
        to: Address,
        /// The value.
        value: u8,
        /// How many.
        length: u32,
    },
    /// Restores all registers.
    Restore(Box<Registers>),
    /// Puts bytes into palette memory, from its start.
    LoadPalette {
        /// Where they lie.
        from: Address,
        /// How many; those beyond the palette memory are left out.
        length: u32,
    },
    /// Selects an eDRAM address translation.
    Translate(Translation),
    /// Selects what the screen shows.
    Display(Display),
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Copy { to, from, length } => write!(f, "copy {length} bytes from {from} to {to}"),
            Self::Fill { to, value, length } => write!(f, "fill {length} bytes at {to} with 0x{value:02x}"),
            Self::Restore(_) => f.write_str("restore all registers"),
            Self::LoadPalette { from, length } => {
                write!(f, "load palette memory with {length} bytes from {from}")
            }
            Self::Translate(translation) => write!(f, "eDRAM translation 0x{:x}", translation.mode()),
            Self::Display(display) => write!(f, "display {display}"),
        }
    }
}

/// What the screen shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Display {
    /// The upper left pixel.
    pub address: Address,
    /// Pixels from row to row.
    pub stride: u32,
    /// Storage of pixels.
    pub format: PixelFormat,
}

impl fmt::Display for Display {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} pixels a row, {}", self.address, self.stride, self.format)
    }
}

impl Capture {
    /// What the screen shows at the end; `None` where nothing ever said.
    #[must_use]
    pub fn final_display(&self) -> Option<Display> {
        self.events.iter().rev().find_map(|event| match event.action {
            Action::Display(display) => Some(display),
            _ => None,
        })
    }

    /// Where in which file the word at `address` stood, if it came from one.
    #[must_use]
    pub fn source_of(&self, address: Address) -> Option<(&Source, u64)> {
        source_of(&self.sources, address)
    }
}

/// Where in which file the word at `address` stood, if it came from one of these sources. They stand by rising
/// address and do not overlap.
#[must_use]
pub fn source_of(sources: &[Source], address: Address) -> Option<(&Source, u64)> {
    let end = sources.partition_point(|source| source.address <= address);
    let source = sources.get(end.checked_sub(1)?)?;
    Some((source, source.offset_of(address)?))
}
