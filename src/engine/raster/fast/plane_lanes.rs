//! Computes planes for four values over a triangle at a time. This is [`Gradients::plane`] in lanes of `f64`.
//!
//! # Invariants
//! All numbers are integers of at most 53 bits, or such integers divided by powers of two. So rounding never occurs.

use fearless_simd::{f64x4, i64x4, mask64x4};

use super::pixel_bounds::PixelBounds;
use crate::ge::arithmetic::round::power_of_two;
use crate::ge::arithmetic::simd::prelude::*;
use crate::raster::rules::coverage::TALL;
use crate::raster::rules::grid::{PIXEL, center};
use crate::raster::rules::interpolate::{Gradients, HardwareGradients};
use crate::raster::rules::setup_reciprocal::SHIFT;

/// Positions and edges are below this, in 1/16 pixel. This limit keeps two 16-bit differences times an edge, times
/// the area's reciprocal, in 53 bits.
const POSITION_END: i64 = 1 << 20;
/// Sums are below this, so that adding [`INTEGER_ALIGN`] keeps their last bit.
const SUM_END: f64 = (1_u64 << 50) as f64;
/// 1.5 × 2^52. Adding this moves an integer's bits to the low end of the mantissa.
const INTEGER_ALIGN: f64 = (1_u64 << 52) as f64 * 1.5;
/// The number that means 1 in planes.
const ONE: f64 = (1_u64 << SHIFT) as f64;
/// How far a coarse edge may reach: four pixels, in 1/16 pixel.
const COARSE: f64 = 64.0;
/// 1/16 pixels per pixel.
const PIXEL_F64: f64 = PIXEL as f64;

/// A triangle's geometry as floats.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlaneLanes {
    /// Edges from vertex 0 to the others, in 1/16 pixel.
    ab: [f64; 2],
    ac: [f64; 2],
    /// The area's reciprocal, with the area's sign.
    factor: f64,
    /// The vertex at which planes are exact.
    anchor: usize,
    /// The way from that vertex to the first pixel, in 1/16 pixel.
    from: [f64; 2],
    /// For each axis: the largest distance from that vertex to a pixel, in 1/16 pixel.
    far: [f64; 2],
    /// How many columns and rows the bounds have.
    size: [f64; 2],
    /// How far covered pixels may lie outside the triangle along x, in 1/16 pixel.
    outside: f64,
}

/// Ramps for four values, relative to the first pixel in the bounds. Sums have [`SHIFT`] fraction bits.
#[derive(Debug)]
pub(super) struct RampLanes<S: Simd> {
    start: f64x4<S>,
    /// Change per 1/16 pixel.
    right: f64x4<S>,
    down: f64x4<S>,
}

/// Ramps for four values. Sums fit in 32 bits at covered pixels; at others they may wrap.
#[derive(Clone, Copy, Debug)]
pub(super) struct NarrowRamps {
    pub(super) start: [i32; 4],
    /// Step to the next pixel on the right.
    pub(super) right: [i32; 4],
    /// Step to the next pixel below.
    pub(super) down: [i32; 4],
}

impl PlaneLanes {
    /// Converts a triangle's geometry. Returns `None` for single arithmetic, and for positions beyond any screen.
    #[expect(clippy::cast_precision_loss, reason = "positions have 20 bits, the reciprocal 17")]
    #[inline(always)]
    pub(super) fn new(gradients: &Gradients, bounds: PixelBounds) -> Option<Self> {
        let HardwareGradients { anchor, origin, ab, ac, factor, shift } = gradients.hardware_parts()?;
        let from_x = center(i64::from(bounds.x)) - origin[0];
        let from_y = center(i64::from(bounds.y)) - origin[1];
        let all = [from_x, from_y, ab[0], ab[1], ac[0], ac[1]];
        // This is the magnitude, or 1 less for negative numbers. The limits allow for that, and it needs no branch.
        let largest = all.iter().fold(0, |bits, value| bits | (value ^ (value >> 63)));
        if largest >= POSITION_END {
            return None;
        }
        let float = |pair: [i64; 2]| [pair[0] as f64, pair[1] as f64];
        let from = float([from_x, from_y]);
        let size = [f64::from(bounds.width), f64::from(bounds.height)];
        let far = |from: f64, size: f64| from.abs().max((from + size * PIXEL_F64).abs());
        let far = [far(from[0], size[0]), far(from[1], size[1])];
        let factor = factor as f64 * power_of_two(-shift.cast_signed());
        let height = ab[1].abs().max(ac[1].abs()).max((ac[1] - ab[1]).abs());
        let outside = if height >= TALL { COARSE } else { 0.0 };
        Some(Self { ab: float(ab), ac: float(ac), factor, anchor, from, far, size, outside })
    }

    /// Computes ramps through the values at the three vertices. These are integers of at most 16 bits, besides the
    /// sign. Returns `None` if a ramp is too steep.
    #[inline(always)]
    pub(super) fn ramps<S: Simd>(&self, [a, b, c]: [f64x4<S>; 3]) -> Option<RampLanes<S>> {
        let Self { ab, ac, factor, anchor, from, far, .. } = *self;
        let (to_b, to_c) = (b - a, c - a);
        let right = ((to_b * ac[1] - to_c * ab[1]) * factor).floor();
        let down = ((to_c * ab[0] - to_b * ac[0]) * factor).floor();
        let base = match anchor {
            0 => a,
            1 => b,
            _ => c,
        };
        let start = base * ONE + right * from[0] + down * from[1];
        let is_usual: mask64x4<S> = (right.abs() * far[0] + down.abs() * far[1]).simd_lt(SUM_END);
        is_usual.all_true().then_some(RampLanes { start, right, down })
    }
}

#[inline(always)]
pub(super) fn floats<S: Simd, T: Into<f64>>(simd: S, [a, b, c, d]: [T; 4]) -> f64x4<S> {
    f64x4::simd_from(simd, [a.into(), b.into(), c.into(), d.into()])
}

/// Converts integers within ±2^51.
#[inline(always)]
fn integers<S: Simd>(lanes: f64x4<S>) -> i64x4<S> {
    (lanes + INTEGER_ALIGN).bitcast()
}

impl<S: Simd> RampLanes<S> {
    /// Returns the ramps if their sums at covered pixels are within ±2^`bits`. Values at vertices must be within
    /// half of that.
    #[inline(always)]
    pub(super) fn narrow(&self, lanes: &PlaneLanes, bits: i32) -> Option<NarrowRamps> {
        let simd = self.start.token();
        let zero = f64x4::splat(simd, 0.0);
        let (right, down) = (self.right * PIXEL_F64, self.down * PIXEL_F64);
        // Ramps are linear, so the sums at the corners bound all others.
        let (across, along) = (right * lanes.size[0], down * lanes.size[1]);
        let lowest = self.start + across.min(zero) + along.min(zero);
        let highest = self.start + across.max(zero) + along.max(zero);
        let end = power_of_two(bits);
        let fits = lowest.simd_ge(-end) & highest.simd_lt(end);
        // The corners may lie far outside the triangle. Then a bound for covered pixels alone may still allow it.
        if !fits.all_true() && !self.overshoot(lanes).simd_lt(0.5 * end).all_true() {
            return None;
        }
        let (mut start, mut steps) = ([0; 8], [0; 8]);
        simd.narrow_i64x4(integers(self.start), integers(self.start)).store_array(&mut start);
        simd.narrow_i64x4(integers(right), integers(down)).store_array(&mut steps);
        let [s0, s1, s2, s3, ..] = start;
        let [r0, r1, r2, r3, d0, d1, d2, d3] = steps;
        Some(NarrowRamps { start: [s0, s1, s2, s3], right: [r0, r1, r2, r3], down: [d0, d1, d2, d3] })
    }

    /// Bounds how far sums at covered pixels can leave the range between the vertices' values. This happens because
    /// gradients are floored, the reciprocal is cut, and coarse edges add pixels.
    #[inline(always)]
    fn overshoot(&self, lanes: &PlaneLanes) -> f64x4<S> {
        // The reciprocal is off by at most 2 in 2^15, so the error of a gradient n is below n / 2^14 + 1. Only the
        // computed gradient is known here, and in terms of this n / 2^13 + 2 is a bound.
        let scale = power_of_two(-13);
        let (right, down) = (self.right.abs() * scale + 2.0, self.down.abs() * scale + 2.0);
        right * lanes.far[0] + down * lanes.far[1] + self.right.abs() * lanes.outside
    }

    /// Returns the largest changes to a neighbouring pixel, in the units of the values.
    #[inline(always)]
    pub(super) fn largest_changes(&self) -> [f64; 4] {
        let mut changes = [0.0; 4];
        (self.right.abs().max(self.down.abs()) * (PIXEL_F64 / ONE)).store_array(&mut changes);
        changes
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
    fn lanes_match_planes() {
        let mut seed = 7_u32;
        let mut random = |end: i32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i32::try_from(seed >> 8).unwrap_or(0) % end
        };
        let simd = portable();
        let (mut pixels, mut refused) = (0, 0);
        for round in 0..3000 {
            // From less than a pixel to the largest triangles of a screen and beyond.
            let size = 24 << (round % 15);
            let mut corner = || ScreenVertex {
                x: random(size) - size / 3,
                y: random(size) - size / 3,
                ..ScreenVertex::default()
            };
            let corners = [corner(), corner(), corner()];
            let Some(triangle) = Triangle::new(&corners, Arithmetic::Hardware) else { continue };
            let bounds = PixelBounds { x: 2, y: 3, width: 20, height: 20 };
            let gradients = Gradients::new(&triangle);
            let values = [(); 3].map(|()| [random(65536), random(256), random(2), 77]);
            let vectors = values.map(|values| f64x4::simd_from(simd, values.map(f64::from)));
            let narrow = PlaneLanes::new(&gradients, bounds)
                .and_then(|lanes| lanes.ramps(vectors)?.narrow(&lanes, 31));
            let Some(NarrowRamps { start, right, down }) = narrow else {
                refused += 1;
                continue;
            };
            for (row, column) in (0..20).flat_map(|row| (0..20).map(move |column| (row, column))) {
                let (x, y) = (bounds.x + column, bounds.y + row);
                if !triangle.covers(x, y) {
                    continue;
                }
                for value in 0..4 {
                    let across = right[value].wrapping_mul(column.cast_signed());
                    let along = down[value].wrapping_mul(row.cast_signed());
                    let sum = start[value].wrapping_add(across).wrapping_add(along);
                    let plane = gradients.plane(values.map(|values| values[value].into()), false);
                    let expected = plane.at(x, y, -(1 << 40), 1 << 40);
                    assert_eq!(i64::from(sum >> SHIFT), expected, "round {round}: {corners:?}, {values:?}");
                }
                pixels += 1;
            }
        }
        assert!(pixels > 20_000, "{pixels} pixels");
        assert!(refused < 100, "{refused} triangles are unusual");
    }

    #[test]
    fn refuses_what_lanes_cannot_hold() {
        let corners = |far: i32| {
            [[0, 0], [far, 16], [0, 32]].map(|[x, y]| ScreenVertex { x, y, ..ScreenVertex::default() })
        };
        let bounds = PixelBounds { x: 0, y: 0, width: 9, height: 9 };
        let lanes = |far, arithmetic| {
            let triangle = Triangle::new(&corners(far), arithmetic).expect("it has an area");
            PlaneLanes::new(&Gradients::new(&triangle), bounds)
        };
        assert!(lanes(100, Arithmetic::Hardware).is_some(), "a usual triangle");
        assert!(lanes(100, Arithmetic::Single).is_none(), "single arithmetic divides");
        assert!(lanes(1 << 20, Arithmetic::Hardware).is_none(), "too large");
    }
}
