//! Texture coordinates come from integer planes for s, t and q, with a division at each pixel.
//!
//! Each vertex has s, t and q over its w. Over the shape, each of the three becomes a plane of 15-bit integers that
//! share an exponent. To divide at a pixel, s and t are multiplied by a table reciprocal of q.
//!
//! # Invariants
//! Apart from the transform unit's products, all arithmetic is exact, because `f64` can hold every number.
//! Source: [texture coordinates](crate::reference::ge::interpolation#texture-coordinates) (hardware tests
//! `texmtx/normals`, `texmtx/source`, `texmtx/prims`, `texmtx/negq`, exp167).

use super::coverage::Triangle;
use super::interpolate::{Gradients, Plane};
use super::line::Line;
use super::rectangle;
use crate::ge::arithmetic::chords::RECIPROCAL;
use crate::ge::arithmetic::round::power_of_two;
use crate::ge::arithmetic::{Arithmetic, Hf16, Real};
use crate::pipeline::primitive::{ScreenVertex, Shape};

/// The planes for s, t and q over a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Texcoords {
    /// s, t and q, in this order.
    pub(crate) planes: [ScaledPlane; 3],
}

/// Bits in the integers through which planes run, without the sign.
pub(crate) const INTEGER_BITS: i32 = 15;

/// The coordinate to use if q is zero or negative, as a fraction of the texture size. It lies in the last texel.
/// Source: [q zero or negative](crate::reference::ge::interpolation#q-zero-or-negative).
pub(crate) const OF_INVALID_Q: f64 = 1.0 - 1.0 / 65536.0;

/// A component's integers at the vertices: `integers · 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScaledValues<const N: usize> {
    pub(crate) integers: [i64; N],
    pub(crate) exponent: i32,
}

impl<const N: usize> ScaledValues<N> {
    /// Cuts numbers towards zero. They become multiples of the last bit if the largest of them has 15 bits. Infinity
    /// counts as 2^128, NaN as 0.
    /// Source: [integer planes](crate::reference::ge::interpolation#integer-planes).
    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates; integers have 15 bits")]
    #[must_use]
    pub(crate) fn new(values: [f32; N]) -> Self {
        let largest = values.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        if largest == 0.0 {
            return Self { integers: [0; N], exponent: 0 };
        }
        // This exponent leaves the largest number 15 bits before the point.
        let exponent = (largest.to_bits() >> 23).cast_signed() - 127 - (INTEGER_BITS - 1);
        let limit = |value: f32| f64::from(value).clamp(-INFINITE, INFINITE);
        let scale = power_of_two(-exponent);
        Self { integers: values.map(|value| (limit(value) * scale) as i64), exponent }
    }
}

/// The number that replaces infinity.
pub(crate) const INFINITE: f64 = power_of_two(128);

/// A plane of integers with an exponent. Its value is `integer · 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ScaledPlane {
    pub(crate) plane: Plane,
    pub(crate) exponent: i32,
}

impl ScaledPlane {
    /// Returns the value at a pixel's centre. The integer is floored and then cut to 16 significant bits.
    #[expect(clippy::cast_precision_loss, reason = "integers are bounded")]
    #[must_use]
    pub(crate) fn at(&self, x: u32, y: u32) -> f64 {
        /// Far beyond the integers for covered pixels.
        const LIMIT: i64 = 1 << 40;
        cut(self.plane.at(x, y, -LIMIT, LIMIT) as f64, 16) * power_of_two(self.exponent)
    }

    /// Returns the largest change to a neighbouring pixel.
    #[must_use]
    pub(crate) fn largest_change(&self) -> f64 {
        let [right, down] = self.plane.change_per_pixel();
        right.abs().max(down.abs()) * power_of_two(self.exponent)
    }
}

impl Texcoords {
    /// Sets up the coordinates for a shape. Returns `None` for a triangle without area.
    #[must_use]
    pub(crate) fn new(shape: &Shape) -> Option<Self> {
        let planes = match shape {
            Shape::Point([vertex]) => over_w(vertex).map(|value| constant(ScaledValues::new([value]))),
            Shape::Line(vertices) => {
                let line = Line::new(vertices);
                components(vertices.each_ref().map(over_w)).map(|values| {
                    let ScaledValues { integers, exponent } = ScaledValues::new(values);
                    ScaledPlane { plane: Plane::line(&line, integers), exponent }
                })
            }
            Shape::Triangle(vertices) => {
                let gradients = Gradients::new(&Triangle::new(vertices, Arithmetic::Hardware)?);
                components(vertices.each_ref().map(over_w)).map(|values| over_triangle(&gradients, values))
            }
            Shape::Rectangle(vertices) => {
                let corners = rectangle::corners(vertices);
                let gradients = Gradients::hardware(corners.map(|corner| corner.position));
                corner_values(vertices).map(|values| over_triangle(&gradients, values))
            }
        };
        Some(Self { planes })
    }

    /// Computes s/q and t/q at a pixel's centre, cut to 24 significant bits.
    #[must_use]
    pub(crate) fn at(&self, x: u32, y: u32) -> [f64; 2] {
        let [s, t, q] = &self.planes;
        let q = q.at(x, y);
        if q <= 0.0 {
            return [OF_INVALID_Q; 2];
        }
        let reciprocal = reciprocal(q);
        [s, t].map(|plane| cut(plane.at(x, y) * reciprocal, 24))
    }

    /// Computes q at a pixel's centre.
    #[must_use]
    pub(crate) fn q_at(&self, x: u32, y: u32) -> f64 {
        let [_, _, q] = &self.planes;
        q.at(x, y)
    }

    /// Returns the largest change of s and t to a neighbouring pixel, in level 0's texels, before the division by q.
    /// `scale` tells how many texels a unit of s and t spans.
    #[must_use]
    pub(crate) fn largest_step(&self, [width, height]: [f64; 2]) -> f64 {
        let [s, t, _] = &self.planes;
        (s.largest_change() * width).max(t.largest_change() * height)
    }
}

/// Returns s, t and q at the corners that define a rectangle's planes, with an array for each component.
#[must_use]
pub(crate) fn corner_values(vertices: &[ScreenVertex; 2]) -> [[f32; 3]; 3] {
    let values = vertices.each_ref().map(over_w);
    let corners = rectangle::corners(vertices);
    [0, 1, 2].map(|component| corners.map(|corner| values[corner.sources[component]][component]))
}

/// Returns s, t and q at a vertex, each times 1/w as the transform unit multiplies.
/// Source: [perspective setup](crate::reference::ge::interpolation#perspective-setup).
#[must_use]
pub(crate) fn over_w(vertex: &ScreenVertex) -> [f32; 3] {
    vertex.texture.map(|value| product(value, vertex.reciprocal_w))
}

/// Returns a product as the transform unit multiplies.
#[inline(always)]
#[must_use]
pub(crate) fn product(value: f32, factor: f32) -> f32 {
    (Hf16::from_f32(value) * Hf16::from_f32(factor)).to_f32()
}

/// Returns 1/q from the transform unit's table. q must be positive with at most 16 significant bits. The result has
/// the exponent range of `f64`, so it is never flushed to zero (chosen).
#[must_use]
pub(crate) fn reciprocal(q: f64) -> f64 {
    // The exponent and the upper 15 bits of the mantissa.
    let (exponent, mantissa) =
        ((q.to_bits() >> 52) as i32 & 0x7FF, (q.to_bits() >> (52 - 15)) as u32 & 0x7FFF);
    f64::from(RECIPROCAL.value(mantissa)) * power_of_two(-16 - (exponent - 1023))
}

/// Turns an array for each vertex into an array for each component.
#[must_use]
pub(crate) fn components<const N: usize>(vertices: [[f32; 3]; N]) -> [[f32; N]; 3] {
    [0, 1, 2].map(|component| vertices.map(|vertex| vertex[component]))
}

fn over_triangle(gradients: &Gradients, values: [f32; 3]) -> ScaledPlane {
    let ScaledValues { integers, exponent } = ScaledValues::new(values);
    ScaledPlane { plane: gradients.plane(integers, false), exponent }
}

fn constant(values: ScaledValues<1>) -> ScaledPlane {
    let [integer] = values.integers;
    ScaledPlane { plane: Plane::constant(integer), exponent: values.exponent }
}

/// Cuts a number towards zero to this many significant bits.
pub(crate) fn cut(number: f64, bits: u32) -> f64 {
    f64::from_bits(number.to_bits() & (u64::MAX << (53 - bits)))
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

    fn texcoords(shape: Shape) -> Texcoords {
        Texcoords::new(&shape).expect("it has an area")
    }

    #[test]
    fn integers_share_an_exponent() {
        let values = ScaledValues::new([1.5, -0.25, 0.0]);
        assert_eq!(values, ScaledValues { integers: [3 << 13, -(1 << 12), 0], exponent: -14 }, "15 bits");
        let values = ScaledValues::new([32768.0, 1.99, -1.99]);
        assert_eq!(values, ScaledValues { integers: [1 << 14, 0, 0], exponent: 1 }, "cut towards zero");
        assert_eq!(ScaledValues::new([0.0; 3]).integers, [0; 3], "zeros");
        let values = ScaledValues::new([f32::INFINITY, f32::NAN, -1.0]);
        assert_eq!(values.integers, [1 << 14, 0, 0], "infinity is larger than every number, NaN is 0");
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
            ("TL to BR", (false, false), (true, true), [[0, 0], [1, 0], [0, 1], [1, 1]]),
            ("BR to TL", (true, true), (false, false), [[1, 1], [0, 1], [1, 0], [0, 0]]),
            ("TR to BL", (true, false), (false, true), [[0, 1], [0, 0], [1, 1], [1, 0]]),
            ("BL to TR", (false, true), (true, false), [[1, 0], [1, 1], [0, 0], [0, 1]]),
        ] {
            let shape = Shape::Rectangle([corner(first.0, first.1, false), corner(second.0, second.1, true)]);
            let texcoords = texcoords(shape);
            #[expect(clippy::cast_possible_truncation, reason = "small values")]
            let texel = |(x, y)| texcoords.at(x, y).map(|at| at.floor() as i32);
            assert_eq!([(0, 0), (1, 0), (0, 1), (1, 1)].map(texel), expected, "{name}");
        }
    }

    #[test]
    fn planes_run_over_s_and_t() {
        let shape =
            Shape::Triangle([vertex(0, 0, 0.0, 0.0), vertex(64, 0, 64.0, 0.0), vertex(0, 64, 0.0, 64.0)]);
        let texcoords = texcoords(shape);
        assert_eq!(texcoords.at(5, 20), [5.5, 20.5], "centre");
        assert_eq!(texcoords.largest_step([1.0, 2.0]), 2.0, "two texels of t per pixel");
    }

    #[test]
    fn divides_by_q_at_each_pixel() {
        let mut vertices = [vertex(0, 0, 0.0, 0.0), vertex(64, 0, 1.0, 0.0), vertex(0, 64, 0.0, 1.0)];
        vertices[1].reciprocal_w = 0.25;
        let texcoords = texcoords(Shape::Triangle(vertices));
        let [s, _] = texcoords.at(31, 0);
        let expected = 31.5 * 0.25 / (32.0 + 31.5 * 0.25 + 0.5);
        assert!((s - expected).abs() < 1e-4, "{s} instead of {expected}");
        assert!((texcoords.q_at(31, 0) - 0.63).abs() < 1e-3, "q is linear on the screen");
    }

    /// [q zero or negative](crate::reference::ge::interpolation#q-zero-or-negative).
    #[test]
    fn takes_the_last_texel_without_a_positive_q() {
        let mut point = vertex(0, 0, 3.0, 5.0);
        for (q, expected) in [(2.0, [1.5, 2.5]), (0.0, [OF_INVALID_Q; 2]), (-1.0, [OF_INVALID_Q; 2])] {
            point.texture[2] = q;
            assert_eq!(texcoords(Shape::Point([point])).at(0, 0), expected, "q = {q}");
        }
    }

    #[test]
    fn runs_along_lines_from_the_first_vertex() {
        let shape = Shape::Line([vertex(10, 0, 0.0, 0.0), vertex(0, 0, 10.0, 0.0)]);
        assert_eq!(texcoords(shape).at(2, 0)[0].floor(), 7.0, "to the left");
    }
}
