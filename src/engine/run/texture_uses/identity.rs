//! The keys for looking up textures.

use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::pipeline::texture::Texture;
use crate::pipeline::texture::content_hash::{self, ContentHash};
use crate::pipeline::texture::palette::Palette;

/// Everything that distinguishes a texture with its palette from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Identity {
    pub(super) hash: ContentHash,
    pub(super) palette_hash: Option<ContentHash>,
    format: u8,
    swizzled: bool,
    /// Each level's width and height as logarithms, and its palette mapping.
    levels: Vec<([u8; 2], Option<PaletteMapping>)>,
}

/// A palette's format, shift, mask and first entry.
type PaletteMapping = (u8, u8, u8, [u16; 2]);

/// The registers that describe a texture, with the palette as a hash. Comparing this reads no texels.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct TextureState {
    words: Vec<u32>,
    palette: ContentHash,
}

impl TextureState {
    /// Reads the registers for the first `levels` levels.
    pub(super) fn new(registers: &Registers, levels: usize) -> Self {
        let mut words: Vec<u32> = [Opcode::TEXMODE, Opcode::TEXFORMAT, Opcode::CLUTFORMAT]
            .map(|opcode| registers.argument(opcode))
            .into();
        for level in (0_u8..).take(levels) {
            let of_level = [Opcode::TEXADDR0, Opcode::TEXBUFWIDTH0, Opcode::TEXSIZE0];
            words.extend(of_level.map(|opcode| registers.argument(opcode.plus(level))));
        }
        Self { words, palette: ContentHash::of(registers.clut()) }
    }
}

impl Identity {
    /// Hashes a texture, which costs as much as [`content_hash::texture`].
    pub(super) fn new(memory: &Memory, registers: &Registers, levels: &[Texture]) -> Self {
        let palette_hash = content_hash::palette(registers);
        let mapping = |palette: Palette| {
            let entries = [palette.start, palette.level_offset];
            (palette.format.number(), palette.shift, palette.mask, entries)
        };
        let of_level = |level: &Texture| {
            ([level.width_log2, level.height_log2], palette_hash.map(|_| mapping(level.palette)))
        };
        Self {
            hash: content_hash::texture(memory, registers),
            palette_hash,
            format: levels.first().map_or(0, |level| level.format.number()),
            swizzled: levels.first().is_some_and(|level| level.swizzled),
            levels: levels.iter().map(of_level).collect(),
        }
    }

    /// Returns a number for everything except the two hashes. It is the same on every machine, so it can be part of
    /// a file name.
    pub(super) fn layout(&self) -> u32 {
        let mut bytes = vec![self.format, u8::from(self.swizzled)];
        for (size, palette) in &self.levels {
            bytes.extend(size);
            if let Some((format, shift, mask, entries)) = palette {
                bytes.extend([*format, *shift, *mask]);
                bytes.extend(entries.iter().flat_map(|entry| entry.to_le_bytes()));
            }
        }
        let [a, b, c, d, ..] = ContentHash::of(&bytes).0.to_le_bytes();
        u32::from_le_bytes([a, b, c, d])
    }
}
