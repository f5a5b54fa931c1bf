//! Filters texels in lanes: [`sampler::bilinear`], its two steps, and the blend between two mip levels.
//!
//! # Invariants
//! The hardware blends texels in each row and truncates, then blends the two rows and truncates again. So a blended
//! row is the same for all rows of pixels that need it, and can be kept ([`super::filtered_rows`]).

use fearless_simd::{Bytes as _, i32x8, u16x16, u32x8};

use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::prelude::*;
use crate::raster::fast::batch::{BATCH_SIZE, LANES, half_groups, half_groups_mut};
#[cfg(doc)]
use crate::raster::rules::sampler;

/// Eight colours. Each lane has two channels with 16 bits: first red and blue, then green and alpha.
pub(super) type SplitColors<S> = [u16x16<S>; 2];

/// Splits colours into channels with 16 bits.
#[inline(always)]
pub(crate) fn split<S: Simd>(colors: u32x8<S>) -> SplitColors<S> {
    let colors: u16x16<S> = colors.bitcast();
    [colors & 255_u16, colors >> 8_u32]
}

/// Puts channels with 8 bits together to colours.
#[inline(always)]
pub(crate) fn join<S: Simd>([low, high]: SplitColors<S>) -> u32x8<S> {
    (low | high << 8_u32).bitcast()
}

/// Returns the sixteenths in positions, for both channels of a lane.
#[inline(always)]
pub(crate) fn fractions<S: Simd>(positions: i32x8<S>) -> u16x16<S> {
    let sixteenths = positions & 15;
    (sixteenths | sixteenths << 16_u32).bitcast()
}

/// Blends channels and returns 16 times the result: 16 a + (b − a) n, which equals (16 − n) a + n b. The difference
/// may wrap, but the sum wraps back.
#[inline(always)]
fn mix<S: Simd>(a: u16x16<S>, b: u16x16<S>, sixteenths: u16x16<S>) -> u16x16<S> {
    (a << 4_u32) + (b - a) * sixteenths
}

/// Blends colours and truncates each channel, as [`sampler::blend_levels`] does.
#[inline(always)]
pub(crate) fn blend<S: Simd>(
    first: SplitColors<S>,
    second: SplitColors<S>,
    sixteenths: u16x16<S>,
) -> SplitColors<S> {
    [mix(first[0], second[0], sixteenths) >> 4_u32, mix(first[1], second[1], sixteenths) >> 4_u32]
}

/// Blends colours and packs the result.
#[inline(always)]
pub(super) fn blend_packed<S: Simd>(
    first: SplitColors<S>,
    second: SplitColors<S>,
    sixteenths: u16x16<S>,
) -> u32x8<S> {
    // `mix` returns 16 times the result, so 4 bits more to the left put green and alpha into the upper bytes.
    let low = mix(first[0], second[0], sixteenths) >> 4_u32;
    let high = mix(first[1], second[1], sixteenths);
    (low | (high << 4_u32) & 0xFF00_u16).bitcast()
}

/// Blends texels from two mip levels. `weights` holds sixteenths for the second.
#[inline(always)]
pub(super) fn blend_mip_levels<S: Simd>(
    simd: S,
    texels: &mut [u32],
    next: &[u32; BATCH_SIZE],
    count: usize,
    weights: &[i32],
) {
    let groups = count.div_ceil(LANES);
    let seconds = half_groups(next, groups).iter().zip(half_groups(weights, groups));
    for (texels, (next, weights)) in half_groups_mut(texels, groups).iter_mut().zip(seconds) {
        let (first, second) = (u32x8::simd_from(simd, *texels), u32x8::simd_from(simd, *next));
        let weights = fractions(i32x8::simd_from(simd, *weights));
        blend_packed(split(first), split(second), weights).store_array(texels);
    }
}

/// Blends four texels by sixteenths, as [`sampler::bilinear`] or [`sampler::emulated_bilinear`] does. `u` and `v`
/// hold the fractions. `corners` loads texels for half a group.
#[inline(always)]
pub(super) fn blend_corners<S: Simd>(
    simd: S,
    [u, v]: [&[i32; BATCH_SIZE]; 2],
    count: usize,
    arithmetic: Arithmetic,
    out: &mut [u32],
    corners: impl Fn(usize) -> [u32x8<S>; 4],
) {
    let count = count.div_ceil(LANES);
    let (u, v) = (half_groups(u, count), half_groups(v, count));
    for (half, out) in half_groups_mut(out, count).iter_mut().enumerate() {
        let [a, b, c, d] = corners(half);
        let (a, b, c, d) = (split(a), split(b), split(c), split(d));
        let right = fractions(i32x8::simd_from(simd, u[half]));
        let down = fractions(i32x8::simd_from(simd, v[half]));
        let texels = match arithmetic {
            Arithmetic::Hardware => blend_packed(blend(a, b, right), blend(c, d, right), down),
            Arithmetic::Single => {
                let low = mix(mix(a[0], b[0], right), mix(c[0], d[0], right), down);
                let high = mix(mix(a[1], b[1], right), mix(c[1], d[1], right), down);
                (low >> 8_u32 | high & 0xFF00_u16).bitcast()
            }
        };
        texels.store_array(out);
    }
}
