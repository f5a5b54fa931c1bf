//! Spans: the pixels of a row that a triangle covers, computed by division instead of edge tests per pixel.

use std::ops::Range;

use super::interpolate::PixelBounds;
use crate::raster::coverage::EdgeStepper;

/// The edges of a triangle, relative to the upper left of its bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spans {
    edges: [Edge; 3],
    width: i64,
}

/// An edge. Pixels with `start + x × right + y × down` ≥ 0 are on its inner side.
#[derive(Clone, Copy, Debug)]
struct Edge {
    start: i64,
    right: i64,
    down: i64,
    /// 1 / |right|.
    reciprocal: f64,
}

impl Spans {
    #[expect(clippy::cast_precision_loss, reason = "a first estimate, corrected later")]
    pub(super) fn new(stepper: &EdgeStepper, bounds: PixelBounds) -> Self {
        let edges = [0, 1, 2].map(|i| {
            let (right, down) = (stepper.right[i], stepper.down[i]);
            // The inner side of left edges is on the right, that of top edges below: the fill rule of
            // `reference/ge/coverage.md#fill-rule`, as in `Triangle::covers`.
            let left_or_top = right > 0 || (right == 0 && down > 0);
            let reciprocal = 1.0 / right.unsigned_abs() as f64;
            Edge { start: stepper.start[i] - i64::from(!left_or_top), right, down, reciprocal }
        });
        Self { edges, width: i64::from(bounds.width) }
    }

    /// Computes the covered columns of a row, relative to the upper left of the bounds.
    #[inline(always)]
    pub(super) fn row(&self, row: u32) -> Range<u32> {
        let (mut first, mut end) = (0, self.width);
        for edge in &self.edges {
            let here = edge.start + edge.down * i64::from(row);
            if edge.right > 0 {
                // The first x with here + x × right ≥ 0.
                if here < 0 {
                    first = first.max(edge.quotient(-here + edge.right - 1));
                }
            } else if here < 0 {
                end = 0;
            } else if edge.right < 0 {
                // One after the last x with here − x × |right| ≥ 0.
                end = end.min(edge.quotient(here) + 1);
            }
        }
        let first = u32::try_from(first.min(self.width)).unwrap_or(0);
        first..u32::try_from(end).unwrap_or(0)
    }
}

impl Edge {
    /// Divides `value` by |right| and floors. `value` must not be negative.
    #[inline(always)]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "the estimate is off by a few at most and corrected below"
    )]
    fn quotient(&self, value: i64) -> i64 {
        let divisor = self.right.abs();
        let mut quotient = (value as f64 * self.reciprocal) as i64;
        let mut rest = value - quotient * divisor;
        while rest < 0 {
            quotient -= 1;
            rest += divisor;
        }
        while rest >= divisor {
            quotient += 1;
            rest -= divisor;
        }
        quotient
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::pipeline::primitive::ScreenVertex;
    use crate::raster::coverage::Triangle;

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
                    let span = spans.row(row);
                    for column in 0..bounds.width {
                        let expected = triangle.covers(bounds.x + column, bounds.y + row);
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
