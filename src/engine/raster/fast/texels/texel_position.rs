//! Computes texel positions for a batch. This is [`sampler::sixteenths`] in lanes.
#![expect(clippy::cast_possible_truncation, reason = "values are clamped before they are narrowed")]

use fearless_simd::{f64x4, i64x4, mask64x4};

use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::prelude::*;
use crate::raster::fast::batch::{BATCH_SIZE, LANES, half_groups, half_groups_mut};
use crate::raster::rules::sampler;
use crate::raster::rules::texcoords::cut;

/// 1.5 × 2^52. Adding this moves an integer's bits to the low end of the mantissa.
const MANTISSA_ALIGN: f64 = (1_u64 << 52) as f64 * 1.5;

/// An axis of a mip level.
pub(crate) struct Axis {
    /// How many texels a unit of the coordinate spans.
    pub(crate) scale: f64,
    pub(crate) last: i32,
    pub(crate) clamp: bool,
    pub(crate) arithmetic: Arithmetic,
}

impl Axis {
    /// From this magnitude on, positions are converted singly. The hardware's coordinates have 24 significant bits,
    /// and only larger positions show this.
    const FAST_LIMIT: f64 = (1_u64 << 24) as f64;

    /// Computes positions as [`sampler::sixteenths`] does, but relative to a texel's upper left corner.
    #[inline(always)]
    fn positions<S: Simd>(&self, simd: S, from: &[f64; 4], linear: bool) -> f64x4<S> {
        let from = f64x4::simd_from(simd, *from);
        match self.arithmetic {
            Arithmetic::Hardware => (from * (16.0 * self.scale)).trunc(),
            Arithmetic::Single if linear => ((from * self.scale - 0.5) * 16.0).floor() + HALF_TEXEL,
            Arithmetic::Single => (from * self.scale).floor() * 16.0,
        }
    }

    /// Computes a position in 64 bits and wraps or clamps its texel, to fit it into 32 bits.
    #[cold]
    fn far_position(&self, from: f64, linear: bool) -> i32 {
        let from = match self.arithmetic {
            Arithmetic::Hardware => cut(from, 24),
            Arithmetic::Single => from,
        };
        let fixed = sampler::sixteenths(from * self.scale, linear, self.arithmetic);
        let (texel, fraction, last) = (fixed >> 4, fixed & 15, i64::from(self.last));
        let texel = if self.clamp { texel.clamp(-2, last + 1) } else { texel & last };
        (texel << 4 | fraction) as i32
    }
}

/// How far a texel's centre is from its corner, in sixteenths.
const HALF_TEXEL: f64 = 8.0;

/// Computes positions for a batch, in sixteenths of a texel. With linear filtering, they are relative to a texel's
/// centre.
#[inline(always)]
pub(super) fn to_texel_positions<S: Simd>(
    simd: S,
    axis: &Axis,
    linear: bool,
    from: &[f64],
    to: &mut [i32; BATCH_SIZE],
    count: usize,
) {
    let lanes = count.div_ceil(LANES);
    let align = MANTISSA_ALIGN - if linear { HALF_TEXEL } else { 0.0 };
    let mut in_range = mask64x4::splat(simd, true);
    for (to, from) in half_groups_mut(to, lanes).iter_mut().zip(half_groups(from, lanes)) {
        let (quarters, _) = from.as_chunks::<4>();
        let first = axis.positions(simd, &quarters[0], linear);
        let second = axis.positions(simd, &quarters[1], linear);
        in_range &= first.abs().simd_lt(Axis::FAST_LIMIT) & second.abs().simd_lt(Axis::FAST_LIMIT);
        let (first, second): (i64x4<S>, i64x4<S>) = ((first + align).bitcast(), (second + align).bitcast());
        simd.narrow_i64x4(first, second).store_array(to);
    }
    if in_range.all_true() {
        return;
    }
    for (to, from) in to.iter_mut().zip(from).take(count) {
        *to = axis.far_position(*from, linear);
    }
}
