//! Emulators need w at every pixel for the level of detail. The hardware takes q from its integer planes instead
//! ([`crate::raster::rules::texcoords`]), in triangles once per span ([`crate::raster::rules::lod_spans`]).
//!
//! # Invariants
//! 1/w is linear on the screen. All arithmetic is IEEE double, with operations in a fixed order.
//! Source: [single arithmetic](crate::reference::ge::evidence#single-arithmetic).

use super::line::OrderedLine;
use crate::ge::arithmetic::Arithmetic;
use crate::pipeline::primitive::{ScreenVertex, Shape};
use crate::raster::rules::coverage::Triangle;

/// w over a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PerspectiveW {
    /// The same w everywhere.
    Constant(f64),
    /// Along a line, by 1/w at its ordered ends.
    Line(OrderedLine, [f64; 2]),
    /// Over a triangle, by 1/w at its vertices.
    Triangle(Triangle, [f64; 3]),
}

impl PerspectiveW {
    /// Sets up w for a shape. Rectangles use w from their second vertex, as for depth (assumed).
    #[must_use]
    pub(crate) fn new(shape: &Shape) -> Self {
        let reciprocal_w = |vertex: &ScreenVertex| f64::from(vertex.reciprocal_w);
        match shape {
            Shape::Point([vertex]) | Shape::Rectangle([_, vertex]) => {
                Self::Constant(1.0 / reciprocal_w(vertex))
            }
            Shape::Line(vertices) => {
                let line = OrderedLine::new(vertices);
                let mut ends = [0, 1].map(|i| reciprocal_w(&vertices[i]));
                if line.reversed {
                    ends.reverse();
                }
                Self::Line(line, ends)
            }
            Shape::Triangle(vertices) => match Triangle::new(vertices, Arithmetic::Single) {
                Some(triangle) => Self::Triangle(triangle, [0, 1, 2].map(|i| reciprocal_w(&vertices[i]))),
                None => Self::Constant(1.0),
            },
        }
    }

    /// Computes w at a pixel's centre.
    #[must_use]
    pub(crate) fn at(&self, x: u32, y: u32) -> f64 {
        match self {
            Self::Constant(w) => *w,
            Self::Line(line, ends) => {
                let weights = line.weights(i64::from(if line.steep { y } else { x }));
                harmonic_mean(weights, ends)
            }
            Self::Triangle(triangle, corners) => harmonic_mean(triangle.weights(x, y), corners),
        }
    }
}

/// Computes the reciprocal of a weighted mean. The values are reciprocals already.
#[expect(clippy::cast_precision_loss, reason = "edge values have at most 53 bits")]
fn harmonic_mean<const N: usize>(weights: [i64; N], values: &[f64; N]) -> f64 {
    let (mut sum, mut total) = (0.0, 0.0);
    for (weight, value) in weights.map(|weight| weight as f64).into_iter().zip(values) {
        sum += weight * value;
        total += weight;
    }
    total / sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(x: i32, y: i32, w: f32) -> ScreenVertex {
        ScreenVertex { x: x * 16, y: y * 16, reciprocal_w: 1.0 / w, ..ScreenVertex::default() }
    }

    #[test]
    fn interpolates_1_over_w_linearly() {
        let corners = [vertex(0, 0, 1.0), vertex(64, 0, 4.0), vertex(0, 64, 1.0)];
        let triangle = PerspectiveW::new(&Shape::Triangle(corners));
        // Half-way to the second vertex; triangles are sampled at 7/16.
        let expected = 64.0 / (64.0 - 31.4375 + 31.4375 * 0.25);
        assert!((triangle.at(31, 0) - expected).abs() < 1e-9, "{} in a triangle", triangle.at(31, 0));
        let line = PerspectiveW::new(&Shape::Line([vertex(64, 0, 4.0), vertex(0, 0, 1.0)]));
        let expected = 64.0 / (32.5 + 31.5 * 0.25);
        assert!((line.at(31, 0) - expected).abs() < 1e-9, "{} on a reversed line", line.at(31, 0));
        let rectangle = PerspectiveW::new(&Shape::Rectangle([vertex(0, 0, 1.0), vertex(9, 9, 2.0)]));
        assert_eq!(rectangle.at(0, 0).to_bits(), 2.0f64.to_bits(), "second vertex");
    }
}
