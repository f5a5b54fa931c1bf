//! Loads palette memory, and looks up texels' colours there.
//!
//! # Invariants
//! An entry is always inside the 1024 bytes of palette memory.
//!
//! Source: [palettes](crate::reference::ge::textures#palettes) (hardware tests `clut/masks`, `clut/shifts`,
//! `clut/offset`).

use crate::ge::address::Address;
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::ge::registers::texture::{
    ClutAddress, ClutAddressUpper, ClutFormat, LoadClut, PixelFormat, TexelFormat, TextureMode,
};
use crate::ge::registers::{CLUT_BYTES, Registers};

/// Maps texel bits to entries in palette memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// How colours are stored.
    pub format: PixelFormat,
    /// How far to shift the texel's bits to the right, 0 to 31.
    pub shift: u8,
    /// The mask to apply after this shift.
    pub mask: u8,
    /// Where the palette starts: a multiple of 16 up to 496, which is combined with the index by OR.
    pub start: u16,
    /// The offset to add to the index if each level has its own palette.
    pub level_offset: u16,
}

impl Palette {
    /// Reads the palette for a mip level with texels in this format, from CLUTFORMAT and TEXMODE.
    #[must_use]
    pub fn from_registers(registers: &Registers, texels: TexelFormat, level: u8) -> Self {
        let palette: ClutFormat = registers.get();
        let per_level = registers.get::<TextureMode>().palette_per_level;
        let [mask, ..] = palette.mask.0.to_le_bytes();
        Self {
            format: palette.format,
            shift: palette.shift,
            mask,
            start: u16::from(palette.start) << 4,
            level_offset: if per_level { level_offset(texels, level) } else { 0 },
        }
    }

    /// Computes which palette entry a texel's bits select. Palette memory has 256 entries of 32 bits or 512 of 16
    /// bits; larger indices wrap.
    #[must_use]
    pub const fn entry(&self, texel: u32) -> u16 {
        let [low, ..] = (texel >> (self.shift & 31)).to_le_bytes();
        let index = ((low & self.mask) as u16 | self.start).wrapping_add(self.level_offset);
        index & if color::bytes(self.format) == 4 { 0xFF } else { 0x1FF }
    }

    /// Looks up the colour for a texel's bits.
    #[must_use]
    pub fn color(&self, clut: &[u8; CLUT_BYTES], texel: u32) -> [u8; 4] {
        let size = color::bytes(self.format) as usize;
        let start = usize::from(self.entry(texel)) * size;
        let mut bits = [0; 4];
        bits[..size].copy_from_slice(&clut[start..start + size]);
        color::decode(self.format, u32::from_le_bytes(bits))
    }
}

/// Returns the offset to a mip level's own palette.
/// Source: [palettes per level](crate::reference::ge::textures#palettes-per-level).
const fn level_offset(texels: TexelFormat, level: u8) -> u16 {
    match texels {
        TexelFormat::CLUT4 => (level as u16) << 4,
        TexelFormat::CLUT8 => (level as u16 & 1) << 8,
        _ => 0,
    }
}

/// Returns the source address for the next palette load.
#[must_use]
#[doc(hidden)]
pub fn source(registers: &Registers) -> Address {
    let low = registers.get::<ClutAddress>().address.0;
    let high = registers.get::<ClutAddressUpper>().high.0;
    Address::new(high << 24 | low).align_down(16)
}

/// Returns how many bytes the next palette load reads, at most as many as palette memory has.
#[must_use]
#[doc(hidden)]
pub fn loaded_bytes(registers: &Registers) -> u32 {
    let palette_memory = u32::try_from(CLUT_BYTES).unwrap_or(u32::MAX);
    (u32::from(registers.get::<LoadClut>().blocks) * 32).min(palette_memory)
}

/// Copies a palette from memory to the start of palette memory. If the source is not mapped, this returns its
/// address, and missing entries become 0.
/// Source: [palette memory](crate::reference::ge::textures#palette-memory) (hardware test `clut/address`).
#[must_use]
#[doc(hidden)]
pub fn load(registers: &mut Registers, memory: &Memory) -> Option<Address> {
    let blocks = registers.get::<LoadClut>().blocks;
    let source = source(registers);
    let mut palette = *registers.clut();
    memory.read(source, &mut palette[..loaded_bytes(registers) as usize]);
    // Lists often load the same palette again. Leaving an equal palette alone lets copies of the registers share
    // it.
    if palette != *registers.clut() {
        *registers.clut_mut() = palette;
    }
    let exists = memory.is_mapped(source, u32::from(blocks) * 32);
    (!exists).then_some(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;

    fn palette(format: PixelFormat) -> Palette {
        Palette { format, shift: 0, mask: 0xFF, start: 0, level_offset: 0 }
    }

    #[test]
    fn applies_shift_mask_and_start() {
        let shifted = Palette { shift: 5, mask: 0x0F, start: 0x30, ..palette(PixelFormat::BGR5650) };
        assert_eq!(shifted.entry(0xFFFF_FE60), 0x33, "bits 5 to 8, OR 0x30");
        let joined = Palette { start: 0x1F0, ..palette(PixelFormat::BGR5650) };
        assert_eq!(joined.entry(0x10), 0x1F0, "OR, not sum");
    }

    #[test]
    fn entries_wrap() {
        let start = Palette { start: 0x1F0, ..palette(PixelFormat::ABGR8888) };
        assert_eq!(start.entry(0x0F), 0xFF, "256 entries of 32 bits");
        let start = Palette { format: PixelFormat::ABGR4444, ..start };
        assert_eq!(start.entry(0x0F), 0x1FF, "512 entries of 16 bits");
        let level = Palette { level_offset: 0x70, ..start };
        assert_eq!(level.entry(0x0F), 0x06F, "the level offset is added");
    }

    #[test]
    fn levels_have_their_own_palettes() {
        let at = |format, mode, level| {
            let registers = Registers::with([(Opcode::TEXMODE, mode), (Opcode::CLUTFORMAT, 0xFF00)]);
            Palette::from_registers(&registers, format, level).entry(0x0B)
        };
        for (format, expected) in [
            (TexelFormat::CLUT4, [0x0B, 0x1B, 0x2B, 0x7B]),
            (TexelFormat::CLUT8, [0x0B, 0x10B, 0x0B, 0x10B]),
            (TexelFormat::CLUT16, [0x0B; 4]),
            (TexelFormat::CLUT32, [0x0B; 4]),
        ] {
            assert_eq!([0, 1, 2, 7].map(|level| at(format, 0x100, level)), expected, "{format:?}");
            assert_eq!(at(format, 0, 7), 0x0B, "{format:?}: one palette for all levels");
        }
    }

    #[test]
    fn reads_colors_from_palette_memory() {
        let mut clut = [0; CLUT_BYTES];
        clut[4..8].copy_from_slice(&[9, 8, 7, 6]);
        clut[1022..].copy_from_slice(&[0x1F, 0x80]);
        assert_eq!(palette(PixelFormat::ABGR8888).color(&clut, 1), [9, 8, 7, 6], "8888");
        let last = Palette { start: 0x100, ..palette(PixelFormat::ABGR5551) };
        assert_eq!(last.color(&clut, 0xFF), [255, 0, 0, 255], "last entry of 5551");
    }
}
