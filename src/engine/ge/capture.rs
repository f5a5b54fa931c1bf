//! A capture holds everything needed to run a list: memory, registers, the start, and the CPU's actions meanwhile.
//!
//! Every input becomes a capture, so that running it needs no knowledge about the input file. A [`Source`] only lets
//! a trace show a word's position in its file.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::fmt;

use crate::ge::address::Address;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::overrides::Overrides;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::PixelFormat;

/// A piece of a file loaded into emulated memory, to lead from an address back to the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file's role or name.
    pub name: String,
    /// Where this piece starts in memory.
    pub address: Address,
    /// Length in bytes.
    pub length: u32,
    /// Where this piece starts in the file, in bytes.
    pub file_offset: u64,
}

impl Source {
    /// Returns the file offset for the byte at `address`, or `None` if this piece does not hold it.
    #[must_use]
    pub fn offset_of(&self, address: Address) -> Option<u64> {
        let offset = address.get().checked_sub(self.address.get())?;
        (offset < self.length).then(|| self.file_offset.saturating_add(u64::from(offset)))
    }
}

/// A list ready to run, with everything it reads.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::ge::overrides::Overrides;
/// use pspge::{Address, Capture, Memory, Registers};
///
/// let capture = Capture {
///     memory: Memory::default(),
///     registers: Registers::new(),
///     start: Address::new(0x0880_0000),
///     stall: None,
///     sources: Vec::new(),
///     events: Vec::new(),
///     overrides: Overrides::default(),
/// };
/// assert!(capture.final_display().is_none(), "no screen was set");
/// ```
#[derive(Clone, Debug)]
pub struct Capture {
    /// Memory with everything loaded, as the list finds it.
    pub memory: Memory,
    /// The registers to start with.
    pub registers: Registers,
    /// The address of the first word to execute.
    pub start: Address,
    /// The last stall address that the program sets for the list, if the input states it. A run does not stop there,
    /// because a list is drawn as a whole. Only `pspge check` judges this address.
    pub stall: Option<Address>,
    /// The memory loaded from files, in rising order and without overlap, to find a word's place in its file.
    pub sources: Vec<Source>,
    /// The CPU's actions while the list waits, in order.
    pub events: Vec<Event>,
    /// Changes to try on this run, such as leaving out draws.
    pub overrides: Overrides,
}

/// Something the CPU does before a certain word is executed. The list stalls there until this is done.
///
/// Source: [stall address](crate::reference::ge::lists#running-a-list).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Where the list waits for the action: the address of the next word to execute.
    pub at: Address,
    /// The action.
    pub action: Action,
}

/// Something the CPU does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Copies bytes.
    Copy {
        /// Destination.
        to: Address,
        /// Source; all bytes are read before any is written.
        from: Address,
        /// Number of bytes.
        length: u32,
    },
    /// Copies bytes to VRAM, except over pixels that the list may have drawn so far, because the recorded bytes are
    /// older. Source: [copies into VRAM](crate::reference::ge::frame_dumps#copies-into-vram).
    CopyUndrawn {
        /// Destination.
        to: Address,
        /// Source; all bytes are read before any is written.
        from: Address,
        /// Number of bytes.
        length: u32,
    },
    /// Fills memory with a byte.
    Fill {
        /// Address of the first byte.
        to: Address,
        /// Value of each byte.
        value: u8,
        /// Number of bytes.
        length: u32,
    },
    /// Restores all registers.
    Restore(Box<Registers>),
    /// Loads palette memory from its start.
    LoadPalette {
        /// Address of the first byte.
        from: Address,
        /// How many bytes to load; those beyond the end of palette memory are dropped.
        length: u32,
    },
    /// Selects an eDRAM address translation.
    Translate(Translation),
    /// Selects the buffer to show on the screen.
    Display(Display),
    /// Shows the last draw's colour buffer on the screen.
    DisplayTarget,
}

impl Action {
    /// Returns which bytes this action may write, as address and byte count. `None` if it writes no memory.
    #[must_use]
    pub const fn written(&self) -> Option<(Address, u32)> {
        match self {
            Self::Copy { to, length, .. }
            | Self::CopyUndrawn { to, length, .. }
            | Self::Fill { to, length, .. } => Some((*to, *length)),
            Self::Restore(_)
            | Self::LoadPalette { .. }
            | Self::Translate(_)
            | Self::Display(_)
            | Self::DisplayTarget => None,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Copy { to, from, length } => write!(f, "copy {length} bytes from {from} to {to}"),
            Self::CopyUndrawn { to, from, length } => {
                write!(f, "copy {length} bytes from {from} to {to}, except drawn ones")
            }
            Self::Fill { to, value, length } => write!(f, "fill {length} bytes at {to} with 0x{value:02x}"),
            Self::Restore(_) => f.write_str("restore all registers"),
            Self::LoadPalette { from, length } => {
                write!(f, "load palette memory with {length} bytes from {from}")
            }
            Self::Translate(translation) => write!(f, "eDRAM translation 0x{:x}", translation.mode()),
            Self::Display(display) => write!(f, "display {display}"),
            Self::DisplayTarget => f.write_str("display the last framebuffer drawn to"),
        }
    }
}

/// The PSP's screen width and height, in pixels.
pub const SCREEN: [u32; 2] = [480, 272];

/// The buffer to show on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Display {
    /// Address of the upper left pixel.
    pub address: Address,
    /// Pixels from one row to the next.
    pub stride: u32,
    /// How pixels are stored.
    pub format: PixelFormat,
}

impl fmt::Display for Display {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} pixels a row, {}", self.address, self.stride, self.format)
    }
}

impl Capture {
    /// Returns the buffer on the screen after the last event. Returns `None` if no event selects a buffer, or if
    /// only a replay can tell.
    #[must_use]
    pub fn final_display(&self) -> Option<Display> {
        let last = self.events.iter().rev().find_map(|event| match event.action {
            Action::Display(display) => Some(Some(display)),
            Action::DisplayTarget => Some(None),
            _ => None,
        });
        last.flatten()
    }

    /// Finds the source and file offset for the word at `address`. Returns `None` if it was not loaded from a file.
    #[must_use]
    pub fn source_of(&self, address: Address) -> Option<(&Source, u64)> {
        source_of(&self.sources, address)
    }
}

/// Finds the source and file offset for the word at `address`, or returns `None` if it comes from none of these
/// sources. They must be sorted by address and must not overlap.
#[doc(hidden)]
#[must_use]
pub fn source_of(sources: &[Source], address: Address) -> Option<(&Source, u64)> {
    // The sources are sorted, so only the last to start at or before this address can hold it.
    let end = sources.partition_point(|source| source.address <= address);
    let source = sources.get(end.checked_sub(1)?)?;
    Some((source, source.offset_of(address)?))
}
