//! Textures, buffers and block transfers use memory in rows at equal distances.

use crate::ge::address::{Address, Region, VRAM_BASE, VramView};
use crate::ge::color;
use crate::pipeline::framebuffer::ColorSurface;

use crate::raster::pixel_rect::PixelRect;

/// Rows of bytes at equal distances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByteRows {
    /// The first byte's address, in the linear view of VRAM.
    start: u64,
    /// How far apart rows start, in bytes.
    stride: u64,
    /// Bytes in a row.
    length: u64,
    count: u64,
}

impl ByteRows {
    /// Creates rows. Returns `None` if they are empty, or if a permuted view of VRAM scatters them.
    pub(super) fn new(start: Address, stride: u32, length: u32, count: u32) -> Option<Self> {
        let start = match start.region() {
            Region::Vram(VramView::Linear, offset) => VRAM_BASE.saturating_add(offset),
            Region::Vram(..) => return None,
            _ => start.get(),
        };
        let [start, stride, length, count] = [start, stride, length, count].map(u64::from);
        (length > 0 && count > 0).then_some(Self { start, stride, length, count })
    }

    /// Returns where an area of a colour buffer lies.
    pub(super) fn of_color(surface: &ColorSurface, area: &PixelRect) -> Option<Self> {
        let [x, y] = area.in_buffer();
        let bytes = color::bytes(surface.format);
        let width = x.end.saturating_sub(x.start).saturating_mul(bytes);
        let start = Address::vram(surface.offset(x.start, y.start));
        Self::new(start, surface.stride.saturating_mul(bytes), width, y.end.saturating_sub(y.start))
    }

    /// Returns the bytes of an area in a buffer of VRAM, whose pixels and rows follow each other from an address on.
    pub(super) fn of_buffer(address: u32, stride: u32, pixel: u32, area: &PixelRect) -> Option<Self> {
        let [x, y] = area.in_buffer();
        let first = y.start.saturating_mul(stride).saturating_add(x.start).saturating_mul(pixel);
        let start = Address::vram(address.saturating_add(first));
        let length = x.end.saturating_sub(x.start).saturating_mul(pixel);
        Self::new(start, stride.saturating_mul(pixel), length, y.end.saturating_sub(y.start))
    }

    /// Returns whether both share a byte.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        if self.start >= other.end() || other.start >= self.end() {
            return false;
        }
        // Both are in ascending order. Skipping whichever row ends first finds a common byte in a single pass.
        let (mut own, mut others) = (0, 0);
        while own < self.count && others < other.count {
            let (a, b) = (self.row(own), other.row(others));
            if a.saturating_add(self.length) <= b {
                own = own.saturating_add(1);
            } else if b.saturating_add(other.length) <= a {
                others = others.saturating_add(1);
            } else {
                return true;
            }
        }
        false
    }

    /// Returns the address after the last byte.
    pub(super) fn end(&self) -> u64 {
        self.row(self.count.saturating_sub(1)).saturating_add(self.length)
    }

    const fn row(&self, number: u64) -> u64 {
        self.start.saturating_add(number.saturating_mul(self.stride))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(start: u32, stride: u32, length: u32, count: u32) -> ByteRows {
        ByteRows::new(Address::vram(start), stride, length, count).expect("some bytes")
    }

    #[test]
    fn rows_overlap_only_if_they_share_a_byte() {
        let left = rows(0, 2048, 1024, 272);
        let right = rows(1024, 2048, 1024, 272);
        assert!(!left.overlaps(&right) && !right.overlaps(&left), "two halves of a buffer");
        assert!(left.overlaps(&rows(1023, 2048, 1024, 272)), "one byte");
        assert!(left.overlaps(&rows(2048 * 271, 16, 16, 1)), "the last row");
        assert!(!left.overlaps(&rows(2048 * 272, 16, 16, 1)), "after the last row");
        let mirror = ByteRows::new(Address::new(0x0440_0000), 16, 16, 1).expect("the second linear view");
        assert!(left.overlaps(&mirror), "mirrors are the same memory");
        assert_eq!(ByteRows::new(Address::new(0x0420_0000), 16, 16, 1), None, "permuted views scatter bytes");
        assert_eq!(ByteRows::new(Address::vram(0), 16, 0, 1), None, "no bytes");
    }
}
