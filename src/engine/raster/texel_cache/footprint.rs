//! The bytes from which a mip level's lines are loaded, to find out which writes concern them.
//!
//! # Invariants
//! Lines have 8 rows and 16 bytes in each, so they reach beyond textures of other sizes.

use std::ops::Range;

use super::cache_lines::{ROW_BYTES, ROWS, cached_bits};
use crate::ge::address::{Address, Region, VRAM_SIZE, VramView};
use crate::ge::edram::Translation;
use crate::pipeline::texture::{MAX_SIZE, Texture};
use crate::raster::fast::{enclosing_blocks, overlap};

/// Bytes of memory, numbered as in the place that holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Footprint {
    Ram(Range<usize>),
    /// Bytes of linear VRAM, which enclose those of a permuted view.
    Vram(Range<usize>),
    /// Bytes elsewhere, or in several places.
    Other,
}

impl Footprint {
    /// Returns which place holds these bytes.
    pub(crate) fn of_bytes(start: Address, length: u32, translation: Translation) -> Self {
        let bytes = |offset: u32| offset as usize..(offset as usize).saturating_add(length as usize);
        let is_inside = |bytes: &Range<usize>| bytes.end <= VRAM_SIZE as usize;
        let end = start.offset(length);
        match start.region() {
            Region::Ram(offset) if matches!(end.region(), Region::Ram(_)) => Self::Ram(bytes(offset)),
            Region::Vram(VramView::Linear, offset) if is_inside(&bytes(offset)) => Self::Vram(bytes(offset)),
            Region::Vram(_, offset) if is_inside(&bytes(offset)) => {
                Self::Vram(enclosing_blocks(&bytes(offset), translation))
            }
            Region::Vram(..) => Self::Vram(0..VRAM_SIZE as usize),
            _ => Self::Other,
        }
    }

    /// Returns which place holds the bytes of a mip level's lines.
    pub(crate) fn of_level(texture: &Texture, translation: Translation) -> Self {
        Self::of_bytes(texture.address, line_bytes(texture), translation)
    }

    /// Returns whether two places may share bytes.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Ram(a), Self::Ram(b)) | (Self::Vram(a), Self::Vram(b)) => overlap(a, b),
            (Self::Other, _) | (_, Self::Other) => true,
            _ => false,
        }
    }
}

/// Returns how many columns and bands of lines a mip level has.
pub(super) fn line_counts(texture: &Texture) -> [u32; 2] {
    let [width, height] = [texture.width(), texture.height()].map(|size| size.min(MAX_SIZE));
    [(width * cached_bits(texture)).div_ceil(8 * ROW_BYTES), height.div_ceil(ROWS)]
}

/// Counts the bytes from a mip level's address to the end of its lines.
pub(super) fn line_bytes(texture: &Texture) -> u32 {
    let [columns, bands] = line_counts(texture);
    let (rows, row_end) = if texture.format.is_compressed() {
        // A line decodes two blocks, with the second below the first.
        (bands * 2, columns * 2 * texture.format.bits())
    } else if texture.swizzled {
        let bytes = columns * ROW_BYTES * ROWS;
        return (bands - 1) * texture.row_bytes * ROWS + bytes;
    } else {
        (bands * ROWS, columns * ROW_BYTES)
    };
    (rows - 1) * texture.row_bytes + row_end
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;

    fn texture(format: u32, size: u32, swizzled: u32) -> Texture {
        Texture::from_registers(
            &Registers::with([
                (Opcode::TEXBUFWIDTH0, 0x08_0040),
                (Opcode::TEXSIZE0, size),
                (Opcode::TEXMODE, swizzled),
                (Opcode::TEXFORMAT, format),
            ]),
            0,
        )
    }

    #[test]
    fn lines_reach_beyond_small_textures() {
        for (format, size, swizzled, counts, bytes) in [
            (3, 0x0304, 0, [4, 1], 7 * 256 + 64),
            (3, 0x0000, 0, [1, 1], 7 * 256 + 16),
            (5, 0x0405, 0, [2, 2], 15 * 64 + 32),
            (4, 0x0405, 1, [1, 2], 256 + 128),
            (8, 0x0304, 0, [4, 1], 128 + 4 * 8),
            (10, 0x0203, 0, [2, 1], 256 + 2 * 16),
        ] {
            let texture = texture(format, size, swizzled);
            assert_eq!((line_counts(&texture), line_bytes(&texture)), (counts, bytes), "format {format}");
        }
    }

    #[test]
    fn views_of_vram_overlap_the_bytes_that_they_show() {
        let place = |address: u32| Footprint::of_bytes(Address::new(address), 64, Translation::default());
        let depth = place(0x0460_1000);
        assert!(depth.overlaps(&place(0x0400_1000)), "the block that holds it");
        assert!(!depth.overlaps(&place(0x0410_1000)), "another block");
        assert!(!depth.overlaps(&place(0x0880_1000)), "main RAM");
        assert!(place(0x0001_0000).overlaps(&depth), "the scratchpad is not told apart");
    }
}
