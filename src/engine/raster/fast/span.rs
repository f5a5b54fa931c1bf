//! A span is the part of a row that a triangle covers. To avoid an edge test for each pixel, quotients give the
//! spans, for four rows at a time.
//!
//! # Invariants
//! If a quotient leads to a pixel inside the bounds, it is exact. Edge values are integers plus one half, so a
//! quotient is at least half a divisor's reciprocal away from any integer. As long as the value is below 2^51,
//! rounding changes it by less than that.

use fearless_simd::{f64x4, i64x4};

use super::pixel_bounds::PixelBounds;
use crate::ge::arithmetic::simd::prelude::*;
use crate::raster::rules::coverage::EdgeStepper;

/// How many rows to compute together.
pub(super) const ROWS: usize = 4;

/// A triangle's edges, relative to the upper left of its bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spans {
    edges: [Edge; 3],
    width: f64,
}

/// An edge. For left edges, `floor((start + y × down) × reciprocal)` is minus the first column inside. For right
/// edges, it is the last column inside.
#[derive(Clone, Copy, Debug)]
struct Edge {
    /// The edge function at the upper left, plus one half. If the fill rule excludes pixels on this edge, it is
    /// minus one half instead.
    start: f64,
    down: f64,
    /// 1 / |step to the right|.
    reciprocal: f64,
    is_left: bool,
}

/// The covered columns in some rows, relative to the upper left of the bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowSpans {
    pub(super) first: [u32; ROWS],
    /// The columns after the last. In empty rows they do not exceed `first`.
    pub(super) end: [u32; ROWS],
}

impl Spans {
    /// Sets up a triangle's spans. The stepper must be at the upper left of the bounds.
    #[inline(always)]
    pub(super) fn new(stepper: &EdgeStepper, bounds: PixelBounds) -> Self {
        let edge =
            |number: usize| Edge::new(stepper.start[number], stepper.right[number], stepper.down[number]);
        Self { edges: [edge(0), edge(1), edge(2)], width: f64::from(bounds.width) }
    }

    /// Computes the covered columns for the rows from `row` on.
    #[inline(always)]
    pub(super) fn rows<S: Simd>(&self, simd: S, row: u32) -> RowSpans {
        /// 1.5 × 2^52. Adding this moves an integer's bits to the low end of the mantissa.
        const INTEGER_ALIGN: f64 = (1_u64 << 52) as f64 * 1.5;
        let rows = f64x4::simd_from(simd, [0.0, 1.0, 2.0, 3.0]) + f64::from(row);
        let (zero, width) = (f64x4::splat(simd, 0.0), f64x4::splat(simd, self.width));
        let (mut first, mut end) = (zero, width);
        for edge in &self.edges {
            let quotient = ((rows * edge.down + edge.start) * edge.reciprocal).floor();
            if edge.is_left {
                first = first.max(-quotient);
            } else {
                end = end.min(quotient + 1.0);
            }
        }
        let first: i64x4<S> = (first.min(width) + INTEGER_ALIGN).bitcast();
        let end: i64x4<S> = (end.max(zero) + INTEGER_ALIGN).bitcast();
        let mut columns = [0; 2 * ROWS];
        simd.narrow_i64x4(first, end).store_array(&mut columns);
        let [f0, f1, f2, f3, e0, e1, e2, e3] = columns.map(i32::cast_unsigned);
        RowSpans { first: [f0, f1, f2, f3], end: [e0, e1, e2, e3] }
    }
}

impl Edge {
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "edge values have at most 52 bits")]
    fn new(start: i64, right: i64, down: i64) -> Self {
        /// A horizontal edge accepts or excludes whole rows. This factor moves it out of the bounds, to make it
        /// behave like any other edge.
        const HORIZONTAL: f64 = 4096.0;
        // The inner side is on the right for left edges and below for top edges. This is the fill rule from
        // `reference/ge/coverage.md#fill-rule`, as in `Triangle::covers`.
        let left_or_top = right > 0 || (right == 0 && down > 0);
        let start = start as f64 + if left_or_top { 0.5 } else { -0.5 };
        let reciprocal = if right == 0 { HORIZONTAL } else { 1.0 / right.unsigned_abs() as f64 };
        Self { start, down: down as f64, reciprocal, is_left: right > 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::arithmetic::simd::portable;
    use crate::pipeline::primitive::ScreenVertex;
    use crate::raster::rules::coverage::Triangle;

    #[test]
    fn spans_match_edge_tests() {
        let mut seed = 5_u32;
        let mut random = |size: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i32::try_from(seed >> 8).unwrap_or(0) % size
        };
        let mut covered = 0;
        for round in 0..4000 {
            // From less than a pixel to far beyond the limits of positions.
            let size = 12 << (round % 22);
            let mut corner = || ScreenVertex {
                x: random(size) - size / 3,
                // Some edges are horizontal.
                y: (random(size) - size / 3) & if round % 3 == 0 { -16 } else { -1 },
                ..ScreenVertex::default()
            };
            let vertices = [corner(), corner(), corner()];
            for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
                let Some(triangle) = Triangle::new(&vertices, arithmetic) else { continue };
                let bounds = PixelBounds { x: 3, y: 1, width: 40, height: 30 };
                let spans = Spans::new(&triangle.edge_stepper(bounds.x, bounds.y), bounds);
                for row in 0..bounds.height {
                    let RowSpans { first, end } = spans.rows(portable(), row - row % 4);
                    let span = first[row as usize % ROWS]..end[row as usize % ROWS];
                    for column in 0..bounds.width {
                        let expected = triangle.covers_exactly(bounds.x + column, bounds.y + row);
                        assert_eq!(
                            span.contains(&column),
                            expected,
                            "round {round}: {vertices:?}, column {column} of row {row}: {span:?}"
                        );
                        covered += u32::from(expected);
                    }
                }
            }
        }
        assert!(covered > 100_000, "{covered} pixels");
    }
}
