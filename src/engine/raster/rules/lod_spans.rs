//! A triangle takes q for the level of detail only once in each aligned span of four pixels in a row. This finds the
//! pixels at which it does so.
//! Source: [span rule](crate::reference::ge::textures#span-rule).

use super::coverage::Triangle;
use super::interpolate::walks_left;
use crate::ge::arithmetic::Arithmetic;
use crate::pipeline::primitive::Shape;

/// Pixels in a span.
const SPAN: u32 = 4;

/// A triangle's spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LodSpans {
    triangle: Triangle,
    walks_left: bool,
}

impl LodSpans {
    /// Creates a shape's spans. Returns `None` for shapes that take q at every pixel, because only triangles have
    /// spans.
    #[must_use]
    pub(crate) fn new(shape: &Shape) -> Option<Self> {
        let Shape::Triangle(vertices) = shape else { return None };
        let triangle = Triangle::new(vertices, Arithmetic::Hardware)?;
        Some(Self { triangle, walks_left: walks_left(&triangle.positions) })
    }

    /// Returns the column at which the pixel (x, y) takes q. This is the second of its span in walking direction, or
    /// the nearest inside the triangle. A pixel that a coarse edge adds counts only for itself (chosen).
    #[must_use]
    pub(crate) fn probe(&self, x: u32, y: u32) -> u32 {
        let first = x / SPAN * SPAN;
        let mut inside = (first..first + SPAN).filter(|column| self.triangle.covers_exactly(*column, y));
        let Some(left) = inside.next() else { return x };
        preferred(first, self.walks_left).clamp(left, inside.next_back().unwrap_or(left))
    }
}

/// Returns the column that gives q for a span if the triangle covers it.
#[must_use]
pub(crate) const fn preferred(first: u32, walks_left: bool) -> u32 {
    first + if walks_left { 2 } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::primitive::ScreenVertex;

    fn spans(corners: [[i32; 2]; 3]) -> LodSpans {
        let vertex = |[x, y]: [i32; 2]| ScreenVertex { x: x * 16, y: y * 16, ..ScreenVertex::default() };
        LodSpans::new(&Shape::Triangle(corners.map(vertex))).expect("it has an area")
    }

    #[test]
    fn takes_q_once_per_span() {
        let probes = |spans: LodSpans| [4, 5, 6, 7].map(|x| spans.probe(x, 10));
        assert_eq!(probes(spans([[0, 0], [100, 5], [0, 90]])), [5; 4], "from left to right");
        assert_eq!(probes(spans([[100, 0], [0, 5], [100, 90]])), [6; 4], "from right to left");
    }

    #[test]
    fn takes_the_nearest_pixel_inside() {
        let left = spans([[0, 0], [40, 40], [0, 41]]);
        assert_eq!(left.probe(8, 8), 8, "only the first pixel of the span is inside");
        let right = spans([[40, 0], [0, 40], [40, 41]]);
        assert_eq!(right.probe(31, 8), 31, "only the last pixel of the span is inside");
    }
}
