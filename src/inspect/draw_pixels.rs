//! Finds the pixels under a draw in its buffers.

use std::ops::Range;

use crate::documents::state::surfaces::Rectangle;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::covered_rows::for_each_row;
use crate::raster::pixel_rect::PixelRect;
use crate::raster::region::RegionTranslation;

/// Collects the pixels under a draw in its buffers. The scissor applies, but no other test.
pub(super) struct DrawPixels {
    scissor: PixelRect,
    region: RegionTranslation,
    pub(super) fragments: u64,
    /// First column, first row, last column, last row.
    corners: Option<[u32; 4]>,
}

impl DrawPixels {
    /// Starts a draw with these registers.
    pub(super) fn new(registers: &Registers) -> Self {
        Self {
            scissor: PixelRect::scissor(registers),
            region: RegionTranslation::from_registers(registers),
            fragments: 0,
            corners: None,
        }
    }

    /// Adds a primitive and passes its runs of pixels, as row and columns, to `visit`.
    pub(super) fn add(&mut self, primitive: &ScreenPrimitive, mut visit: impl FnMut(u32, Range<u32>)) {
        let Self { scissor, region, fragments, corners } = self;
        for_each_row(primitive, scissor, |row, columns| {
            region.for_each_run(row, columns, |row, columns| {
                let length = columns.end.saturating_sub(columns.start);
                *fragments = fragments.saturating_add(length.into());
                let last = columns.end.saturating_sub(1);
                let [left, top, right, bottom] = corners.unwrap_or([columns.start, row, last, row]);
                *corners = Some([left.min(columns.start), top.min(row), right.max(last), bottom.max(row)]);
                visit(row, columns);
            });
        });
    }

    /// Returns the box around the pixels, or `None` if there are none.
    pub(super) fn bounds(&self) -> Option<Rectangle> {
        let [left, top, right, bottom] = self.corners?.map(|at| u16::try_from(at).unwrap_or(u16::MAX));
        Some(Rectangle { left, top, right, bottom })
    }
}
