//! The memory from which textures are read. It leaves out the colour surface, because draws write this at the same
//! time.

use super::texture_state::{MipLevel, TexelStorage};

/// RAM, and the parts of VRAM that no draw is writing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TexelMemory<'a> {
    pub(crate) ram: &'a [u8],
    /// VRAM before the colour surface, from its start.
    pub(crate) low: &'a [u8],
    /// VRAM after the colour surface, and its offset.
    pub(crate) high: (&'a [u8], usize),
}

impl<'a> TexelMemory<'a> {
    /// Returns a mip level's bytes.
    pub(crate) fn of_level(&self, level: &'a MipLevel) -> &'a [u8] {
        let slice = |bytes: &'a [u8], start: usize| bytes.get(start..start + level.byte_len).unwrap_or(&[]);
        match &level.storage {
            TexelStorage::Ram(start) => slice(self.ram, *start),
            TexelStorage::Vram(start) if start + level.byte_len <= self.low.len() => slice(self.low, *start),
            TexelStorage::Vram(start) => match start.checked_sub(self.high.1) {
                Some(start) => slice(self.high.0, start),
                None => &[],
            },
            TexelStorage::Copy(copied) => &copied.bytes,
        }
    }
}
