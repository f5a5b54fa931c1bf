//! Sets up the planes for s, t and q. This is [`crate::raster::rules::texcoords`] for all three at once.

use fearless_simd::{f64x4, u64x4};

use crate::ge::arithmetic::round::power_of_two;
use crate::ge::arithmetic::simd::prelude::*;
use crate::pipeline::primitive::{ScreenVertex, Shape};
use crate::raster::fast::integer_ramp::IntegerRamp;
use crate::raster::fast::pixel_bounds::PixelBounds;
use crate::raster::fast::plane_lanes::{PlaneLanes, floats};
use crate::raster::rules::interpolate::Gradients;
use crate::raster::rules::rectangle;
use crate::raster::rules::texcoords::{self, INFINITE, INTEGER_BITS};

/// The planes for s, t and q over a shape, within the usual range.
#[derive(Debug)]
pub(super) struct TexcoordPlanes {
    pub(crate) planes: [IntegerRamp; 3],
    /// The values are the integers times 2 to the power of these exponents.
    pub(super) exponents: [i32; 3],
    /// How much s and t change to a neighbouring pixel at most, before the division by q.
    pub(crate) largest_changes: [f64; 2],
    /// q, if it is the same at all pixels.
    pub(crate) q: Option<f64>,
}

/// s, t, q and an unused zero, at the three points that define the planes.
type Points = [[f32; 4]; 3];

impl TexcoordPlanes {
    /// Sets up planes for a triangle with this geometry, for a rectangle or a point. Returns `None` for lines, and
    /// if planes leave the usual range.
    #[inline(always)]
    pub(crate) fn new<S: Simd>(
        simd: S,
        shape: &Shape,
        lanes: Option<&PlaneLanes>,
        bounds: PixelBounds,
    ) -> Option<Self> {
        match shape {
            Shape::Triangle([a, b, c]) => Self::of_points(simd, over_w([a, b, c]), Some(lanes?)),
            Shape::Rectangle(vertices) => {
                let corners = rectangle::corners(vertices).map(|corner| corner.position);
                let lanes = PlaneLanes::new(&Gradients::hardware(corners), bounds)?;
                let [s, t, q] = texcoords::corner_values(vertices);
                let points = [0, 1, 2].map(|corner: usize| [s[corner], t[corner], q[corner], 0.0]);
                Self::of_points(simd, points, Some(&lanes))
            }
            Shape::Point([vertex]) => Self::of_points(simd, over_w([vertex; 3]), None),
            Shape::Line(_) => None,
        }
    }

    /// Sets up planes through three points. If there are no lanes, the planes are constant.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "integers have 15 bits")]
    fn of_points<S: Simd>(simd: S, points: Points, lanes: Option<&PlaneLanes>) -> Option<Self> {
        /// The integers have 15 bits and planes 14 fraction bits. With this limit, values at covered pixels have at
        /// most 16 bits, so the reference would not cut them.
        const SUM_BITS: i32 = 30;
        let [a, b, c] = points;
        let (integers, exponents) = scaled_values([floats(simd, a), floats(simd, b), floats(simd, c)]);
        let mut first = [0.0; 4];
        integers[0].store_array(&mut first);
        let [_, _, first_q, _] = first;
        let (mut planes, mut largest_changes) =
            (first.map(|first| IntegerRamp::constant(first as i32)), [0.0; 4]);
        if let Some(lanes) = lanes {
            let ramps = lanes.ramps(integers)?;
            let narrow = ramps.narrow(lanes, SUM_BITS)?;
            planes = [0, 1, 2, 3].map(|number| IntegerRamp::new(&narrow, number));
            largest_changes = ramps.largest_changes();
        }
        let [s, t, q, _] = planes;
        let [s_exponent, t_exponent, q_exponent, _] = exponents;
        let [s_change, t_change, ..] = largest_changes;
        let mut differences = [0.0; 4];
        ((integers[1] - integers[0]).abs() + (integers[2] - integers[0]).abs()).store_array(&mut differences);
        let [_, _, q_difference, _] = differences;
        Some(Self {
            planes: [s, t, q],
            exponents: [s_exponent, t_exponent, q_exponent],
            largest_changes: [s_change * power_of_two(s_exponent), t_change * power_of_two(t_exponent)],
            q: (lanes.is_none() || q_difference == 0.0).then(|| first_q * power_of_two(q_exponent)),
        })
    }
}

/// Computes [`texcoords::over_w`] for three vertices.
#[inline(always)]
fn over_w(vertices: [&ScreenVertex; 3]) -> Points {
    let values = vertices.map(|vertex| {
        let [s, t, q] = vertex.texture;
        [s, t, q, 0.0]
    });
    let factors = vertices.map(|vertex| [vertex.reciprocal_w; 4]);
    let mut points = [[0.0; 4]; 3];
    let pairs = values.as_flattened().iter().zip(factors.as_flattened());
    for (point, (value, factor)) in points.as_flattened_mut().iter_mut().zip(pairs) {
        *point = texcoords::product(*value, *factor);
    }
    points
}

/// Computes [`texcoords::ScaledValues`] in lanes, for numbers that are 0 or normal in single precision. If all
/// integers are 0, their exponent is arbitrary.
#[inline(always)]
fn scaled_values<S: Simd>(points: [f64x4<S>; 3]) -> ([f64x4<S>; 3], [i32; 4]) {
    /// Exponent bits in an `f64`.
    const EXPONENT: u64 = 0x7FF << 52;
    /// The smallest normal number in single precision.
    const SMALLEST: f64 = power_of_two(-126);
    let simd = points[0].token();
    let [a, b, c] = [numbers(points[0]), numbers(points[1]), numbers(points[2])];
    let largest = a.abs().max(b.abs()).max(c.abs()).max(f64x4::splat(simd, SMALLEST));
    let bits: u64x4<S> = largest.bitcast();
    // The scale puts the leading bit of the largest integer at `INTEGER_BITS` - 1.
    let exponent_of_scale = 2 * 1023 + INTEGER_BITS.cast_unsigned() - 1;
    let scale_bits = u64x4::splat(simd, u64::from(exponent_of_scale) << 52) - (bits & EXPONENT);
    let scale: f64x4<S> = scale_bits.bitcast();
    let mut scales = [0; 4];
    (scale_bits >> 52_u32).store_array(&mut scales);
    let exponents = scales.map(|biased| 1023 - i32::try_from(biased).unwrap_or(0));
    ([(a * scale).trunc(), (b * scale).trunc(), (c * scale).trunc()], exponents)
}

/// Replaces NaN by 0, and infinity by the number that it counts as.
#[inline(always)]
fn numbers<S: Simd>(values: f64x4<S>) -> f64x4<S> {
    let simd = values.token();
    let infinite = f64x4::splat(simd, INFINITE);
    let numbers = values.simd_eq(values).select(values, f64x4::splat(simd, 0.0));
    numbers.min(infinite).max(-infinite)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::simd::portable;
    use crate::raster::rules::texcoords::ScaledValues;

    #[test]
    fn scaled_values_match_the_reference() {
        let mut seed = 3_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed
        };
        let simd = portable();
        let special =
            [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MIN_POSITIVE, f32::MAX];
        for round in 0..4000 {
            let mut number = || match random() >> 28 {
                0 => special[(random() >> 8) as usize % special.len()],
                // Exponents near each other.
                1..8 => f32::from_bits((random() >> 5) % (10 << 23) + (120 << 23)),
                _ => f32::from_bits(random()),
            };
            // HF16 has no subnormal numbers.
            let mut values = || texcoords::product(number(), 1.0);
            let points = [(); 3].map(|()| [values(), values(), values(), values()]);
            let vectors = points.map(|point| f64x4::simd_from(simd, point.map(f64::from)));
            let (vectors, exponents) = scaled_values(vectors);
            let mut integers = [[0.0; 4]; 3];
            for (integers, vector) in integers.iter_mut().zip(vectors) {
                vector.store_array(integers);
            }
            for value in 0..4 {
                let expected = ScaledValues::new(points.map(|point| point[value]));
                let number = |integer| f64::from(i32::try_from(integer).expect("15 bits"));
                let is = integers.map(|integers| integers[value]);
                assert_eq!(is, expected.integers.map(number), "round {round}: {points:?}");
                let is_zero = expected.integers == [0; 3];
                assert!(is_zero || exponents[value] == expected.exponent, "round {round}: {points:?}");
            }
        }
    }
}
