//! Emulators compute texture coordinates with exact weights and a true division by q.
//!
//! The hardware's rules are in [`crate::raster::rules::texcoords`]: integer planes and a table reciprocal of q.
//! Because of the exact division here, 28 of the 65536 nearest texels in the hardware test `texmtx/source` are off
//! by 1.
//!
//! # Invariants
//! Positions enter as exact integers. All other arithmetic is IEEE double, with operations in a fixed order and
//! without fused multiply-add. If all vertices have the same w, the result is the exact affine value, rounded once.
//! Source: [single arithmetic](crate::reference::ge::evidence#single-arithmetic); the
//! [orientation](crate::reference::ge::interpolation#orientation) of rectangles is the hardware's.

use super::line::OrderedLine;
use crate::ge::arithmetic::Arithmetic;
use crate::pipeline::primitive::{ScreenVertex, Shape};
use crate::raster::rules::coverage::Triangle;
use crate::raster::rules::grid::{PIXEL, center, position};

/// A shape's texture coordinates: s, t and q at each vertex, divided by w.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Texcoords {
    /// The same everywhere.
    Point([f64; 3]),
    /// Along a line, by values at its ordered ends.
    Line(OrderedLine, [[f64; 3]; 2]),
    /// Over a triangle.
    Triangle(Triangle, [[f64; 3]; 3]),
    /// Over a rectangle.
    Rectangle(RectangleTexcoords),
}

/// Texture coordinates over a rectangle, in which s follows an axis and t the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RectangleTexcoords {
    /// First corner, in 1/16 pixel.
    from: [i64; 2],
    /// Second corner, in 1/16 pixel.
    to: [i64; 2],
    /// s, t and q at both corners.
    values: [[f64; 3]; 2],
    /// The axis that s follows: 0 is x, 1 is y. t follows the other axis.
    s_axis: usize,
}

impl Texcoords {
    /// Sets up the coordinates for a shape. Returns `None` for a triangle without area.
    #[must_use]
    pub(crate) fn new(shape: &Shape) -> Option<Self> {
        Some(match shape {
            Shape::Point([vertex]) => Self::Point(vertex.texture.map(f64::from)),
            Shape::Line(vertices) => {
                let line = OrderedLine::new(vertices);
                let mut values = over_w(vertices);
                if line.reversed {
                    values.reverse();
                }
                Self::Line(line, values)
            }
            Shape::Triangle(vertices) => {
                Self::Triangle(Triangle::new(vertices, Arithmetic::Single)?, over_w(vertices))
            }
            Shape::Rectangle(vertices) => Self::Rectangle(RectangleTexcoords::new(vertices)),
        })
    }

    /// Computes s and t at a pixel's centre, divided by q. Both are 0 if q is 0.
    #[must_use]
    pub(crate) fn at(&self, x: u32, y: u32) -> [f64; 2] {
        match self {
            Self::Point(values) => divide(*values),
            Self::Line(line, values) => {
                let weights = line.weights(i64::from(if line.steep { y } else { x }));
                let [first, second] = weights.map(to_f64);
                divide([0, 1, 2].map(|i| first * values[0][i] + second * values[1][i]))
            }
            Self::Triangle(triangle, values) => divide(weighted_sum(triangle.weights(x, y), values)),
            Self::Rectangle(rectangle) => rectangle.at(x, y),
        }
    }

    /// Computes how much s changes to the next pixel on the right, and t to the next below, both as magnitudes. For
    /// a line, both are changes to the next pixel along the major axis.
    #[must_use]
    pub(crate) fn steps(&self, x: u32, y: u32) -> [f64; 2] {
        match self {
            Self::Point(_) => [0.0; 2],
            Self::Line(line, _) => {
                let next = if line.steep { self.at(x, y + 1) } else { self.at(x + 1, y) };
                step_between(self.at(x, y), next)
            }
            Self::Triangle(triangle, values) => {
                if self.has_constant_steps() {
                    return affine_steps(triangle, values);
                }
                let here = self.at(x, y);
                let right = step_between(here, self.at(x + 1, y));
                let down = step_between(here, self.at(x, y + 1));
                [right[0], down[1]]
            }
            Self::Rectangle(rectangle) => rectangle.steps(),
        }
    }
}

impl Texcoords {
    /// Returns whether [`Self::steps`] is the same at all pixels.
    #[must_use]
    pub(crate) fn has_constant_steps(&self) -> bool {
        match self {
            Self::Point(_) | Self::Rectangle(_) => true,
            Self::Line(..) => false,
            Self::Triangle(_, values) => values[0][2] == values[1][2] && values[0][2] == values[2][2],
        }
    }
}

impl RectangleTexcoords {
    /// Returns whether q is 1, because s and t then depend on a single axis each.
    #[must_use]
    pub(crate) fn is_affine(&self) -> bool {
        self.values.iter().all(|values| values[2] == 1.0)
    }

    /// Returns whether s follows the rows.
    #[must_use]
    pub(crate) const fn is_rotated(&self) -> bool {
        self.s_axis == 1
    }

    fn new([a, b]: &[ScreenVertex; 2]) -> Self {
        let (from, to) = (position(a), position(b));
        // A diagonal between top right and bottom left rotates the image.
        let rotated = (to[0] < from[0]) != (to[1] < from[1]);
        Self {
            from,
            to,
            values: [a.texture, b.texture].map(|texture| texture.map(f64::from)),
            s_axis: usize::from(rotated),
        }
    }

    fn at(&self, x: u32, y: u32) -> [f64; 2] {
        let centers = [center(i64::from(x)), center(i64::from(y))];
        let along = |value: usize, axis: usize| {
            let first = to_f64(self.to[axis] - centers[axis]);
            let second = to_f64(centers[axis] - self.from[axis]);
            let sum = self.values[0][value] * first + self.values[1][value] * second;
            sum / to_f64(self.to[axis] - self.from[axis])
        };
        // q follows x in every orientation, see reference/ge/interpolation.md#rectangle-planes.
        divide([along(0, self.s_axis), along(1, 1 - self.s_axis), along(2, 0)])
    }

    fn steps(&self) -> [f64; 2] {
        let step = |value: usize, axis: usize| {
            let pixels = to_f64(self.to[axis] - self.from[axis]) / to_f64(PIXEL);
            // The division uses q from the first corner only.
            ((self.values[1][value] - self.values[0][value]) / pixels / self.values[0][2]).abs()
        };
        [step(0, self.s_axis), step(1, 1 - self.s_axis)]
    }
}

/// Multiplies s, t and q by 1/w. This leaves 1/w out if it is the same for all, because it would only cost
/// precision.
fn over_w<const N: usize>(vertices: &[ScreenVertex; N]) -> [[f64; 3]; N] {
    let flat = vertices.iter().all(|vertex| vertex.reciprocal_w == vertices[0].reciprocal_w);
    vertices.map(|vertex| {
        let reciprocal_w = if flat { 1.0 } else { f64::from(vertex.reciprocal_w) };
        vertex.texture.map(|value| f64::from(value) * reciprocal_w)
    })
}

fn weighted_sum(weights: [i64; 3], values: &[[f64; 3]; 3]) -> [f64; 3] {
    let [a, b, c] = weights.map(to_f64);
    [0, 1, 2].map(|i| a * values[0][i] + b * values[1][i] + c * values[2][i])
}

/// Computes the steps for a triangle in which q/w is constant.
fn affine_steps(triangle: &Triangle, values: &[[f64; 3]; 3]) -> [f64; 2] {
    let [a, b, c] = triangle.positions;
    let [ab, ac] = [b, c].map(|to| [to_f64(to[0] - a[0]), to_f64(to[1] - a[1])]);
    let scale = to_f64(PIXEL) / to_f64(triangle.doubled_area) / values[0][2];
    let rise = |i: usize| (values[1][i] - values[0][i], values[2][i] - values[0][i]);
    let ((s_to_b, s_to_c), (t_to_b, t_to_c)) = (rise(0), rise(1));
    let right = (s_to_b * ac[1] - s_to_c * ab[1]) * scale;
    let down = (t_to_c * ab[0] - t_to_b * ac[0]) * scale;
    [right.abs(), down.abs()]
}

fn step_between(from: [f64; 2], to: [f64; 2]) -> [f64; 2] {
    [(to[0] - from[0]).abs(), (to[1] - from[1]).abs()]
}

fn divide([s, t, q]: [f64; 3]) -> [f64; 2] {
    if q == 0.0 { [0.0; 2] } else { [s / q, t / q] }
}

/// Converts a position or an edge function. Both have at most 53 bits, so this is exact.
#[expect(clippy::cast_precision_loss, reason = "positions and edge values have at most 53 bits")]
const fn to_f64(value: i64) -> f64 {
    value as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(x: i32, y: i32, s: f32, t: f32) -> ScreenVertex {
        ScreenVertex {
            x: x * 16,
            y: y * 16,
            texture: [s, t, 1.0],
            reciprocal_w: 1.0,
            ..ScreenVertex::default()
        }
    }

    fn texel(texcoords: &Texcoords, x: u32, y: u32) -> (i32, i32) {
        let [s, t] = texcoords.at(x, y);
        #[expect(clippy::cast_possible_truncation, reason = "small values")]
        (s.floor() as i32, t.floor() as i32)
    }

    /// The table of [orientations](crate::reference::ge::interpolation#orientation).
    #[test]
    fn rotates_rectangles() {
        let corner = |right: bool, bottom: bool, end: bool| {
            let at = |far: bool| if far { 2 } else { 0 };
            let value = if end { 2.0 } else { 0.0 };
            vertex(at(right), at(bottom), value, value)
        };
        for (name, first, second, expected) in [
            ("TL to BR", (false, false), (true, true), [(0, 0), (1, 0), (0, 1), (1, 1)]),
            ("BR to TL", (true, true), (false, false), [(1, 1), (0, 1), (1, 0), (0, 0)]),
            ("TR to BL", (true, false), (false, true), [(0, 1), (0, 0), (1, 1), (1, 0)]),
            ("BL to TR", (false, true), (true, false), [(1, 0), (1, 1), (0, 0), (0, 1)]),
        ] {
            let shape = Shape::Rectangle([corner(first.0, first.1, false), corner(second.0, second.1, true)]);
            let texcoords = Texcoords::new(&shape).expect("rectangles have coordinates");
            let row_by_row = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| texel(&texcoords, x, y));
            assert_eq!(row_by_row, expected, "{name}");
        }
    }

    #[test]
    fn rectangles_are_exact() {
        let shape = Shape::Rectangle([vertex(0, 0, 0.0, 0.0), vertex(3, 3, 1.0, 7.0)]);
        let texcoords = Texcoords::new(&shape).expect("rectangles have coordinates");
        assert_eq!(texcoords.at(1, 1), [0.5, 3.5], "the middle");
        assert_eq!(texcoords.steps(0, 0), [1.0 / 3.0, 7.0 / 3.0], "steps");
    }

    #[test]
    fn triangles_with_equal_w_are_affine() {
        let mut vertices = [vertex(0, 0, 0.0, 0.0), vertex(64, 0, 64.0, 0.0), vertex(0, 64, 0.0, 64.0)];
        for vertex in &mut vertices {
            vertex.reciprocal_w = 0.3;
        }
        let texcoords = Texcoords::new(&Shape::Triangle(vertices)).expect("it has an area");
        assert_eq!(texcoords.at(5, 20), [5.4375, 20.4375], "at 7/16");
        assert_eq!(texcoords.steps(5, 20), [1.0, 1.0], "one texel per pixel");
    }

    #[test]
    fn steps_of_rotated_triangles() {
        // s runs down and t runs right, both at four texels per pixel.
        let mut vertices = [vertex(0, 0, 0.0, 0.0), vertex(16, 0, 0.0, 64.0), vertex(0, 16, 64.0, 0.0)];
        let texcoords = Texcoords::new(&Shape::Triangle(vertices)).expect("it has an area");
        assert_eq!(texcoords.steps(1, 1), [0.0, 0.0], "s counts to the right, t downwards");
        vertices[2].texture[0] = 0.0;
        vertices[1].texture = [32.0, 64.0, 2.0];
        let texcoords = Texcoords::new(&Shape::Triangle(vertices)).expect("it has an area");
        let [s, t] = texcoords.steps(1, 1);
        assert!(s > 1.5 && t == 0.0, "{s} and {t} if q changes to the right");
    }

    #[test]
    fn corrects_perspective() {
        let mut vertices = [vertex(0, 0, 0.0, 0.0), vertex(64, 0, 1.0, 0.0), vertex(0, 64, 0.0, 1.0)];
        vertices[1].reciprocal_w = 0.25;
        let texcoords = Texcoords::new(&Shape::Triangle(vertices)).expect("it has an area");
        // At 31 7/16 the second vertex weighs 31.4375 of 64; its 1/w is a quarter.
        let [s, _] = texcoords.at(31, 0);
        let expected = 31.4375 * 0.25 / (64.0 - 31.4375 + 31.4375 * 0.25);
        assert!((s - expected).abs() < 1e-12, "{s} instead of {expected}");
    }

    #[test]
    fn divides_by_q_and_returns_0_if_q_is_0() {
        let mut point = vertex(0, 0, 3.0, 5.0);
        point.texture[2] = 2.0;
        let texcoords = Texcoords::new(&Shape::Point([point])).expect("points have coordinates");
        assert_eq!(texcoords.at(0, 0), [1.5, 2.5], "divided by q");
        point.texture[2] = 0.0;
        let texcoords = Texcoords::new(&Shape::Point([point])).expect("points have coordinates");
        assert_eq!(texcoords.at(0, 0), [0.0, 0.0], "q is 0");
    }

    #[test]
    fn interpolates_along_reversed_line() {
        let shape = Shape::Line([vertex(10, 0, 0.0, 0.0), vertex(0, 0, 10.0, 0.0)]);
        let texcoords = Texcoords::new(&shape).expect("lines have coordinates");
        assert_eq!(texcoords.at(2, 0), [7.5, 0.0], "reversed line");
    }
}
