//! The memory that a draw's textures are read from.

use super::source::{Level, Place};

/// The bytes that levels lie in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a> {
    /// Main RAM.
    pub(super) ram: &'a [u8],
    /// VRAM in front of what is drawn into, from its start on.
    pub(super) low: &'a [u8],
    /// VRAM behind what is drawn into, and where that starts.
    pub(super) high: (&'a [u8], usize),
}

impl<'a> Bytes<'a> {
    /// Those of a level.
    pub(super) fn of(&self, level: &'a Level) -> &'a [u8] {
        let piece = |bytes: &'a [u8], start: usize| bytes.get(start..start + level.bytes).unwrap_or(&[]);
        match &level.place {
            Place::Ram(start) => piece(self.ram, *start),
            Place::Vram(start) if start + level.bytes <= self.low.len() => piece(self.low, *start),
            Place::Vram(start) => match start.checked_sub(self.high.1) {
                Some(start) => piece(self.high.0, start),
                None => &[],
            },
            Place::Copy(bytes) => bytes,
        }
    }
}
