//! Rectangles of pixels on the screen serve as the scissor, and as bounds for primitives.
//!
//! Two rules tell which pixels a primitive covers. [`PixelRect::around`] bounds them by the vertices alone, and
//! [`super::coverage`] finds them exactly; [`super::covered_rows`] lists the exact pixels by row. A third rule, the
//! extent that frame dumps count, belongs to the format (see [`crate::run`]), because the GE does not work so.
//!
//! # Invariants
//! The box around a primitive holds all pixels that it covers, in both arithmetics.

use std::ops::Range;

use super::grid::intersect;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::Corner;
use crate::pipeline::framebuffer::COORDINATES;
use crate::pipeline::primitive::ScreenPrimitive;

/// A rectangle of pixels on the screen. It may be empty, and it may lie outside every buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PixelRect {
    /// Columns.
    pub x: Range<i64>,
    /// Rows.
    pub y: Range<i64>,
}

impl PixelRect {
    /// A rectangle without pixels. [`Self::union`] ignores it.
    pub const EMPTY: Self =
        Self { x: Range { start: i64::MAX, end: i64::MIN }, y: Range { start: i64::MAX, end: i64::MIN } };

    /// Returns the pixels that may be drawn, which must be in both scissor and region. Corners are inclusive and at
    /// most 1023. Pixels outside do not wrap around modulo 1024 (assumed).
    /// Source: [scissor and region](crate::reference::ge::coverage#scissor-and-region).
    #[must_use]
    pub fn scissor(registers: &Registers) -> Self {
        let corner = |opcode| registers.view::<Corner>(opcode);
        let (first, last) = (corner(Opcode::SCISSOR1), corner(Opcode::SCISSOR2));
        let region = [corner(Opcode::REGION1), corner(Opcode::REGION2)];
        Self {
            x: i64::from(first.x.max(region[0].x))..i64::from(last.x.min(region[1].x)) + 1,
            y: i64::from(first.y.max(region[0].y))..i64::from(last.y.min(region[1].y)) + 1,
        }
    }

    /// Returns all pixels that a buffer can have.
    #[must_use]
    pub fn buffer() -> Self {
        let side = 0..i64::from(COORDINATES);
        Self { x: side.clone(), y: side }
    }

    /// Returns the box around a primitive's vertices, before the scissor. It is never empty.
    #[must_use]
    pub fn around(primitive: &ScreenPrimitive) -> Self {
        let mut rect = Self::EMPTY;
        for vertex in primitive.vertices() {
            let [x, y] = [vertex.x, vertex.y].map(|at| i64::from(at >> 4)..i64::from(at >> 4) + 1);
            rect = rect.union(&Self { x, y });
        }
        rect
    }

    /// Returns the smallest rectangle around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let join = |a: &Range<i64>, b: &Range<i64>| a.start.min(b.start)..a.end.max(b.end);
        Self { x: join(&self.x, &other.x), y: join(&self.y, &other.y) }
    }

    /// Returns the pixels in both rectangles.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self { x: intersect(&self.x, &other.x), y: intersect(&self.y, &other.y) }
    }

    /// Returns whether this rectangle has no pixels.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.x.is_empty() || self.y.is_empty()
    }

    /// Returns whether a pixel is inside.
    #[must_use]
    pub(crate) fn contains(&self, x: u32, y: u32) -> bool {
        self.x.contains(&x.into()) && self.y.contains(&y.into())
    }

    /// Returns columns and rows as far as a buffer can have them. Both are empty if a buffer has none of the pixels.
    #[must_use]
    pub fn in_buffer(&self) -> [Range<u32>; 2] {
        let inside = self.intersection(&Self::buffer());
        let unsigned = |range: Range<i64>| {
            let [start, end] = [range.start, range.end].map(|at| u32::try_from(at).unwrap_or(0));
            start..end
        };
        if inside.is_empty() { [0..0, 0..0] } else { [unsigned(inside.x), unsigned(inside.y)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::registers::transform::ShadeMode;
    use crate::pipeline::primitive::{ScreenVertex, Shape};
    use crate::raster::rules::coverage::for_each_pixel;

    #[test]
    fn boxes_hold_all_covered_pixels() {
        let mut seed = 5_u32;
        let mut random = |size: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i32::try_from(seed >> 8).unwrap_or(0) % size
        };
        let scissor = PixelRect { x: 3..40, y: 2..33 };
        let mut covered = 0;
        for round in 0..4000 {
            let size = 40 << (round % 10);
            let mut corner = || ScreenVertex {
                x: random(size) - size / 3,
                y: random(size) - size / 3,
                ..ScreenVertex::default()
            };
            let shape = match round % 5 {
                0 => Shape::Point([corner()]),
                1 => Shape::Line([corner(), corner()]),
                2 => Shape::Rectangle([corner(), corner()]),
                _ => Shape::Triangle([corner(), corner(), corner()]),
            };
            for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
                let shade = ShadeMode::FLAT;
                let primitive = ScreenPrimitive { shape, shade, provoking: 0, through: true, arithmetic };
                let around = PixelRect::around(&primitive).intersection(&scissor);
                for_each_pixel(&shape, arithmetic, &scissor, |x, y| {
                    assert!(around.contains(x, y), "round {round}: {shape:?} covers ({x}, {y})");
                    covered += 1;
                });
            }
        }
        assert!(covered > 50_000, "{covered} pixels");
    }

    #[test]
    fn rectangles_join_and_intersect() {
        let (left, right) = (PixelRect { x: 2..9, y: 0..8 }, PixelRect { x: 5..50, y: -3..4 });
        assert_eq!(left.union(&right), PixelRect { x: 2..50, y: -3..8 }, "around both");
        assert_eq!(left.intersection(&right), PixelRect { x: 5..9, y: 0..4 }, "in both");
        assert_eq!(PixelRect::EMPTY.union(&left), left, "nothing to join");
        assert!(PixelRect::EMPTY.intersection(&left).is_empty(), "no pixel");
        assert_eq!(right.in_buffer(), [5..50, 0..4], "rows of the buffer");
        assert_eq!(PixelRect { x: -5..0, y: 0..4 }.in_buffer(), [0..0, 0..0], "left of the buffer");
    }
}
