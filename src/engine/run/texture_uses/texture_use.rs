//! A texture with its pictures and the draws that use it.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use image::RgbaImage;

use crate::ge::address::Address;
use crate::ge::registers::texture::TexelFormat;
use crate::pipeline::texture::Texture;
use crate::pipeline::texture::content_hash::ContentHash;
use crate::pipeline::texture::palette::Palette;

/// A texture with its palette, as a run's draws use it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TextureUse {
    /// A hash over the stored texels in all levels.
    pub hash: ContentHash,
    /// A hash over the palette; `None` if the texels are colours.
    pub palette_hash: Option<ContentHash>,
    /// A number for everything else that decides how the stored bytes become colours: format, swizzling, level
    /// sizes, and the palette's format, shift, mask and start.
    pub layout: u32,
    /// Level 0's width in texels, by which coordinates scale: 1 to 32768. At most 512 exist.
    pub width: u32,
    /// Level 0's height in texels, by which coordinates scale: 1 to 32768. At most 512 exist.
    pub height: u32,
    /// How texels are stored.
    pub format: TexelFormat,
    /// Whether texels are stored in blocks with 16 bytes by 8 rows.
    pub swizzled: bool,
    /// How texels select colours; `None` if the texels are colours.
    pub palette: Option<Palette>,
    /// Where level 0 is. The same texels may be at several addresses.
    pub addresses: BTreeSet<Address>,
    /// Where the palette was loaded from.
    pub palette_addresses: BTreeSet<Address>,
    /// Whether the run's draws may have drawn some texels, because this texture is a render target.
    pub is_rendered: bool,
    /// Whether all texels exist in memory. Missing texels read as 0.
    pub is_mapped: bool,
    /// How many levels this texture has.
    pub levels: u32,
    /// The levels as pictures, largest first; empty if they were not asked for.
    pub pictures: Vec<RgbaImage>,
    /// The numbers of the draws that use this texture, as rising ranges apart from each other.
    pub draws: Vec<RangeInclusive<u64>>,
}

impl TextureUse {
    /// Creates a texture not yet used by any draw, from its largest level.
    pub(super) fn new(
        level: &Texture,
        hash: ContentHash,
        palette_hash: Option<ContentHash>,
        pictures: Vec<RgbaImage>,
    ) -> Self {
        Self {
            hash,
            palette_hash,
            layout: 0,
            width: level.width(),
            height: level.height(),
            format: level.format,
            swizzled: level.swizzled,
            palette: palette_hash.map(|_| level.palette),
            addresses: BTreeSet::new(),
            palette_addresses: BTreeSet::new(),
            is_rendered: false,
            is_mapped: true,
            levels: u32::try_from(pictures.len()).unwrap_or(u32::MAX),
            pictures,
            draws: Vec::new(),
        }
    }

    /// Returns a name for this texture's picture, without extension: the hashes of texels and palette, the size,
    /// the format, and [`Self::layout`]. The same texture has the same name in every file, and different textures
    /// have different names.
    #[must_use]
    pub fn name(&self) -> String {
        let palette = self.palette_hash.map(|hash| format!("-{hash}")).unwrap_or_default();
        let Self { hash, width, height, format, layout, .. } = self;
        format!("{hash}{palette}-{width}x{height}-{format}-{layout:08x}")
    }

    /// Counts the draws that use this texture.
    #[must_use]
    pub fn draw_count(&self) -> u64 {
        self.draws.iter().map(|range| range.end() - range.start() + 1).sum()
    }

    /// Adds a draw's number, which must not be below those added before.
    pub(super) fn add_draw(&mut self, number: u64) {
        match self.draws.last_mut() {
            Some(last) if *last.end() == number => {}
            Some(last) if last.end() + 1 == number => *last = *last.start()..=number,
            _ => self.draws.push(number..=number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::registers::Registers;

    #[test]
    fn draws_are_kept_as_ranges() {
        let level = Texture::from_registers(&Registers::new(), 0);
        let mut texture = TextureUse::new(&level, ContentHash(0x12), None, Vec::new());
        for number in [3, 4, 4, 5, 9] {
            texture.add_draw(number);
        }
        assert_eq!(
            (texture.draws.as_slice(), texture.draw_count()),
            ([3..=5, 9..=9].as_slice(), 4),
            "ranges"
        );
        assert_eq!(texture.name(), "0000000000000012-1x1-BGR5650-00000000", "without a palette");
        (texture.palette_hash, texture.layout) = (Some(ContentHash(0x34)), 0x56);
        let expected = "0000000000000012-0000000000000034-1x1-BGR5650-00000056";
        assert_eq!(texture.name(), expected, "with a palette");
    }
}
