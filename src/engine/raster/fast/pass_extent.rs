//! A render pass's surfaces, and the VRAM bytes that it may write.

use std::ops::Range;

use super::depth_cache::DepthCache;
use crate::ge::address::VRAM_SIZE;
use crate::ge::color;
use crate::ge::edram::Translation;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::raster::rules::pixel_rect::PixelRect;
use crate::raster::rules::region::RegionTranslation;

/// The surfaces that draws write, and which part of them may change.
#[derive(Clone, Debug)]
pub(super) struct PassExtent {
    pub(super) color: ColorSurface,
    /// `None` if no draw uses depth.
    pub(super) depth: Option<DepthSurface>,
    pub(super) rows: Range<usize>,
    /// The column after the last.
    pub(super) column_end: usize,
}

impl PassExtent {
    /// Returns the union with another extent, or `None` if their surfaces differ.
    pub(super) fn union(&self, other: &Self) -> Option<Self> {
        let depth_differs = self.depth.zip(other.depth).is_some_and(|(a, b)| a != b);
        (self.color == other.color && !depth_differs).then(|| Self {
            color: self.color,
            depth: self.depth.or(other.depth),
            rows: self.rows.start.min(other.rows.start)..self.rows.end.max(other.rows.end),
            column_end: self.column_end.max(other.column_end),
        })
    }

    /// Computes which VRAM bytes may change.
    pub(super) fn surface_bytes(&self, translation: Translation) -> SurfaceBytes {
        let (address, stride) = (self.color.address as usize, self.color.stride as usize);
        let bytes = color::bytes(self.color.format) as usize;
        let start = address + self.rows.start * stride * bytes;
        let end = address + ((self.rows.end - 1) * stride + self.column_end) * bytes;
        let depth = self.depth.map_or(0..0, |depth| {
            DepthCache::vram_range_of(&depth, translation, &self.rows, self.column_end)
        });
        SurfaceBytes { color: start..end, depth }
    }

    /// Checks whether each row has bytes of its own, so that rows can be filled independently.
    pub(super) fn rows_are_disjoint(&self) -> bool {
        let fits = |stride: u32| self.column_end <= stride as usize;
        fits(self.color.stride) && self.depth.is_none_or(|depth| fits(depth.stride))
    }
}

/// The VRAM bytes that a pass may write.
#[derive(Clone, Debug)]
pub(in crate::raster) struct SurfaceBytes {
    pub(in crate::raster) color: Range<usize>,
    pub(in crate::raster) depth: Range<usize>,
}

impl SurfaceBytes {
    /// Returns all of VRAM, for draws that may write anywhere.
    pub(super) fn unknown() -> Self {
        let all = 0..VRAM_SIZE as usize;
        Self { color: all.clone(), depth: all }
    }

    /// Bounds the bytes that a draw with these registers may write, whatever it draws.
    pub(in crate::raster) fn bound(registers: &Registers, translation: Translation) -> Self {
        let [columns, rows] =
            PixelRect::scissor(registers).in_buffer().map(|range| range.start as usize..range.end as usize);
        if rows.is_empty() {
            return Self { color: 0..0, depth: 0..0 };
        }
        let (color, depth) =
            (ColorSurface::from_registers(registers), DepthSurface::from_registers(registers));
        let extent = PassExtent { color, depth: Some(depth), rows, column_end: columns.end };
        let bytes = extent.surface_bytes(translation);
        let is_inside = bytes.color.end.max(bytes.depth.end) <= VRAM_SIZE as usize;
        let is_translated = !RegionTranslation::from_registers(registers).is_identity();
        if is_inside && !is_translated { bytes } else { Self::unknown() }
    }

    /// Checks whether all bytes are inside VRAM and colour does not overlap depth.
    pub(super) fn are_disjoint(&self) -> bool {
        let end = VRAM_SIZE as usize;
        self.color.end <= end && self.depth.end <= end && !overlap(&self.color, &self.depth)
    }

    pub(super) fn overlaps(&self, range: &Range<usize>) -> bool {
        overlap(&self.color, range) || overlap(&self.depth, range)
    }
}

pub(in crate::raster) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}
