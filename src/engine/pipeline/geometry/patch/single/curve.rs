//! Evaluates cubic curves with four control points in singles: Bezier curves, and B-splines converted to
//! them.
//!
//! Three rounds of linear interpolation evaluate a curve (de Casteljau). For a spline, knot insertion first turns
//! each span into a Bezier curve.
//!
//! # Invariants
//! Interpolating between equal numbers returns the same number. A curve starts and ends at its first and last
//! control point, so patches with common control points meet without gaps.

use super::super::knots::Knots;
use crate::ge::arithmetic::{Hf16, Real};
use crate::pipeline::geometry::math::Vector3;

/// A point with `N` numbers, each interpolated on its own.
pub(super) type CurvePoint<const N: usize> = [f32; N];

/// Evaluates a Bezier curve at `t`. Returns its point, and a third of its derivative.
#[inline(always)]
#[must_use]
pub(super) fn bezier<const N: usize>(
    [a, b, c, d]: [CurvePoint<N>; 4],
    t: f32,
) -> (CurvePoint<N>, CurvePoint<N>) {
    let [ab, bc, cd] = [lerp(a, b, t), lerp(b, c, t), lerp(c, d, t)];
    let [abc, bcd] = [lerp(ab, bc, t), lerp(bc, cd, t)];
    let tangent = std::array::from_fn(|i| bcd[i] - abc[i]);
    let point = if t == 1.0 { d } else { lerp(abc, bcd, t) };
    (point, tangent)
}

/// A parameter, measured from the curve's nearer end.
#[derive(Clone, Copy, Debug)]
pub(super) struct CurveStep {
    /// The parameter, 0 to 1/2.
    pub(super) t: f32,
    /// Whether the far end is nearer, so that the curve is evaluated backwards.
    pub(super) reversed: bool,
}

impl CurveStep {
    /// Computes the parameter for step `step` of `steps`.
    pub(super) fn new(step: u32, steps: u32) -> Self {
        let reversed = step > steps - step;
        Self { t: parameter(if reversed { steps - step } else { step }, steps), reversed }
    }

    /// Orders the control points from the nearer end.
    pub(super) fn order_by_distance<T>(self, [a, b, c, d]: [T; 4]) -> [T; 4] {
        if self.reversed { [d, c, b, a] } else { [a, b, c, d] }
    }

    #[inline(always)]
    pub(super) fn point(self, points: [Vector3<f32>; 4]) -> Vector3<f32> {
        bezier(self.order_by_distance(points), self.t).0
    }
}

pub(super) fn parameter(step: u32, steps: u32) -> f32 {
    let [step, steps] = [step, steps].map(|n| f32::from(u8::try_from(n).unwrap_or(u8::MAX)));
    step / steps
}

/// Converts span `span` to a Bezier curve. The four points are those that shape this span.
#[must_use]
pub(super) fn spline_to_bezier<const N: usize>(
    knots: Knots,
    span: u32,
    [a, b, c, d]: [CurvePoint<N>; 4],
) -> [CurvePoint<N>; 4] {
    let knot = |number: u32| knots.knot(span + number);
    let (start, end) = (knot(3), knot(4));
    let second = lerp_knots(b, c, [knot(2), knot(5)], start);
    let third = lerp_knots(b, c, [knot(2), knot(5)], end);
    let before = lerp_knots(a, b, [knot(1), knot(4)], start);
    let after = lerp_knots(c, d, [knot(3), knot(6)], end);
    [
        lerp_knots(before, second, [knot(2), knot(4)], start),
        second,
        third,
        lerp_knots(third, after, [knot(3), knot(5)], end),
    ]
}

/// Interpolates between `a` at knot `from` and `b` at knot `to`, measured from the nearer knot. Factors are cut to
/// 16 significant bits.
fn lerp_knots<const N: usize>(
    a: CurvePoint<N>,
    b: CurvePoint<N>,
    [from, to]: [i32; 2],
    at: i32,
) -> CurvePoint<N> {
    let (from_start, to_end) = (at - from, to - at);
    let factor = |part| knot_distance(part) * Hf16::from_f32(knot_distance(to - from)).reciprocal().to_f32();
    if from_start <= 0 {
        a
    } else if to_end <= 0 {
        b
    } else if from_start <= to_end {
        lerp(a, b, factor(from_start))
    } else {
        lerp(b, a, factor(to_end))
    }
}

/// Converts a distance between knots, 0 to 3.
fn knot_distance(distance: i32) -> f32 {
    f32::from(u8::try_from(distance).unwrap_or(0))
}

#[inline(always)]
pub(super) fn lerp<const N: usize>(a: CurvePoint<N>, b: CurvePoint<N>, t: f32) -> CurvePoint<N> {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::registers::vertex::SplineEdge;

    /// From the picture of `primitives/spline`: 30 pixels with two control points at each end.
    #[test]
    fn evaluates_spline_ends() {
        let points = [[10.0_f32], [10.0], [40.0], [40.0]];
        let ends = |edge| {
            let [first, .., last] = spline_to_bezier(Knots { points: 4, edge }, 0, points);
            [first[0], last[0]]
        };
        let [start, end] = ends(SplineEdge::OPEN);
        assert!((start - 15.0).abs() < 0.001 && (end - 35.0).abs() < 0.001, "open: {start} {end}");
        assert_eq!(ends(SplineEdge::CLOSE_START), [10.0, 32.5], "clamped at the start");
        assert_eq!(ends(SplineEdge::CLOSE_END), [17.5, 40.0], "clamped at the end");
        assert_eq!(ends(SplineEdge::CLOSE), [10.0, 40.0], "clamped at both");
    }

    #[test]
    fn clamped_four_point_spline_is_bezier_curve() {
        let points = [[1.0], [7.0], [2.0], [9.0_f32]];
        assert_eq!(
            spline_to_bezier(Knots { points: 4, edge: SplineEdge::CLOSE }, 0, points),
            points,
            "same points"
        );
    }

    /// Hardware test `primitives/spline`, edge type 0 in the v direction: the start is 1/16 short, the end is not.
    #[test]
    fn truncates_thirds_order_by_distance() {
        let points = [90.0_f32, 90.0, 120.0, 120.0].map(|value| [value]);
        let [first, .., last] = spline_to_bezier(Knots { points: 4, edge: SplineEdge::OPEN }, 0, points);
        let sixteenths = |[value]: [f32; 1]| (value * 16.0).floor();
        assert_eq!(
            [first, last].map(sixteenths),
            [95.0 * 16.0 - 1.0, 115.0 * 16.0],
            "start and end in sixteenths"
        );
    }

    #[test]
    fn adjacent_spans_meet() {
        let points = [3.0, -7.25, 11.5, 20.0, 0.3, 5.0].map(|value| [value]);
        for edge in (0..4).map(SplineEdge::from_number) {
            let knots = Knots { points: 6, edge };
            let spans: Vec<_> = (0..3_u32)
                .map(|span| {
                    let start = span as usize;
                    spline_to_bezier(knots, span, std::array::from_fn(|i| points[start + i]))
                })
                .collect();
            assert_eq!([spans[0][3], spans[1][3]], [spans[1][0], spans[2][0]], "{edge}");
        }
    }

    #[test]
    fn evaluates_bezier_points_and_tangents() {
        let curve = [[0.0_f32], [0.0], [8.0], [8.0]];
        assert_eq!(bezier(curve, 0.5), ([4.0], [4.0]), "the middle");
        assert_eq!(bezier(curve, 0.0), ([0.0], [0.0]), "the start");
        assert_eq!(bezier(curve, 1.0), ([8.0], [0.0]), "the end");
    }
}
