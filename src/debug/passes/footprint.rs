//! Collects a draw's footprint: the pixels covered inside the scissor, and their bytes in VRAM.

use std::ops::Range;

use super::pixel_mask::PixelMask;
use crate::ge::edram::Translation;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::covered_rows::for_each_row;
use crate::raster::pixel_rect::PixelRect;
use crate::raster::region::RegionTranslation;

/// How many primitives to keep for a draw at most, to bound memory.
const MAX_PRIMITIVES: usize = 1 << 14;

/// A draw's pixels and primitives.
#[derive(Debug, Default)]
pub(super) struct DrawFootprint {
    /// The pixels, by their position in the buffers.
    pub(super) pixels: PixelMask,
    pub(super) primitive_count: u64,
    /// How many rows all primitives have inside the scissor, to estimate the work.
    pub(super) rows: u64,
    /// The primitives, if they are kept.
    kept: Vec<ScreenPrimitive>,
    keeps: bool,
    setup: Option<(PixelRect, RegionTranslation)>,
}

impl DrawFootprint {
    /// Starts another draw's footprint.
    pub(super) fn start(&mut self, registers: &Registers, keeps_primitives: bool) {
        self.pixels.clear();
        self.kept.clear();
        (self.primitive_count, self.rows, self.keeps) = (0, 0, keeps_primitives);
        self.setup = Some((PixelRect::scissor(registers), RegionTranslation::from_registers(registers)));
    }

    pub(super) fn add(&mut self, primitive: &ScreenPrimitive) {
        let Self { pixels, rows, setup: Some((scissor, region)), .. } = self else { return };
        for_each_row(primitive, scissor, |row, columns| {
            *rows = rows.saturating_add(1);
            region.for_each_run(row, columns, |row, columns| pixels.insert(row, columns));
        });
        self.primitive_count = self.primitive_count.saturating_add(1);
        if self.keeps && self.kept.len() < MAX_PRIMITIVES {
            self.kept.push(*primitive);
        }
    }

    /// Returns the draw's primitives; `None` if they were not kept, or are too many.
    pub(super) fn primitives(&self) -> Option<&[ScreenPrimitive]> {
        (self.kept.len() as u64 == self.primitive_count).then_some(&self.kept)
    }

    /// Passes the pixels' bytes in a colour buffer to `visit`, as VRAM ranges containing whole pixels.
    pub(super) fn for_each_color_range(&self, surface: ColorSurface, mut visit: impl FnMut(Range<usize>)) {
        self.pixels.for_each_run(|row, columns| {
            surface.for_each_range(row, columns, |bytes| visit(indices(bytes)));
        });
    }

    /// Passes the pixels' bytes in a depth buffer to `visit`, as ranges in linear VRAM.
    pub(super) fn for_each_depth_range(
        &self,
        surface: DepthSurface,
        translation: Translation,
        mut visit: impl FnMut(Range<usize>),
    ) {
        self.pixels.for_each_run(|row, columns| {
            surface.for_each_range(translation, row, columns, |bytes| visit(indices(bytes)));
        });
    }
}

/// Converts offsets in VRAM to indices.
const fn indices(bytes: Range<u32>) -> Range<usize> {
    bytes.start as usize..bytes.end as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::transform::ShadeMode;
    use crate::pipeline::primitive::{ScreenVertex, Shape};

    #[test]
    fn pixels_have_bytes_in_both_buffers() {
        let registers = Registers::with([
            (Opcode::FRAMEBUFPTR, 0x1F_FFF0),
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::ZBUFWIDTH, 64),
            (Opcode::SCISSOR2, 40),
            (Opcode::REGION2, 63 | 63 << 10),
        ]);
        let corner = |x: i32, y: i32| ScreenVertex { x: x * 16, y: y * 16, ..ScreenVertex::default() };
        let primitive = ScreenPrimitive {
            shape: Shape::Rectangle([corner(2, 0), corner(50, 9)]),
            shade: ShadeMode::FLAT,
            provoking: 1,
            through: true,
            arithmetic: Arithmetic::Hardware,
        };
        let mut footprint = DrawFootprint::default();
        footprint.start(&registers, true);
        footprint.add(&primitive);
        assert_eq!((footprint.rows, footprint.primitives().map(<[_]>::len)), (1, Some(1)), "one row");
        let mut ranges = Vec::new();
        footprint.for_each_color_range(ColorSurface::from_registers(&registers), |range| ranges.push(range));
        assert_eq!(ranges, [0x1F_FFF8..0x20_0000, 0..39 * 4 - 8], "39 pixels, across the end of VRAM");
        let (depth, translation) = (DepthSurface::from_registers(&registers), Translation::default());
        let mut bytes = Vec::new();
        footprint.for_each_depth_range(depth, translation, |range| bytes.extend(range));
        let view = |x: u32| translation.to_linear(depth.view, x * 2) as usize;
        let expected: Vec<usize> = (2..41).flat_map(|x| [view(x), view(x) + 1]).collect();
        assert_eq!(bytes, expected, "39 values in their view");
    }
}
