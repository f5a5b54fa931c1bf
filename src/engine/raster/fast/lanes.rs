//! Lanes hold a value for each of 16 fragments in a vector. The pixel stages use them as their data type.
//!
//! # Invariants
//! Lane arithmetic wraps silently, in debug builds too. Inputs must therefore bound every sum:
//! * Colours are bytes, and no stage exceeds 256 × 255 + 255 = 65,535 ([`super::pixels::shade`],
//!   [`super::pixels::blend`]). Blending results are read as signed numbers, from −764 to 1018
//!   ([`super::pixels::framebuffer_word::dither_and_clamp`]).
//! * Filtered texels reach at most 255 × 16 × 16 = 65,280 ([`super::texels::sampler`]).
//! * Texel positions are wrapped or clamped to the texture before they become offsets: 512 rows of at most 8,192
//!   bytes, times 2 for nibbles and times 16 for blocks.
//! * Floats are converted in vectors only if they are below 2^30, otherwise each alone in 64 bits.
//! * Sums of interpolated values fit in 32 bits or are computed in 64 ([`super::interpolate`]).
//! * Positions are clamped to 2^24 sixteenths of a pixel, so edge functions fit in 52 bits
//!   ([`crate::raster::rules::coverage`]).
//!
//! To check all this, tests compare it with the reference, which uses wider integers.

use fearless_simd::{mask16x16, u16x16, u32x8};

use super::batch::LANES;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::pixel::Comparison;

/// A value for each fragment. Sums and differences wrap.
pub(super) type U16Lanes<S> = u16x16<S>;
/// Red, green, blue and alpha.
pub(super) type ColorLanes<S> = [U16Lanes<S>; 4];

/// Loads a group.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, group: &[u16; LANES]) -> U16Lanes<S> {
    U16Lanes::simd_from(simd, *group)
}

/// Sets all bits in lanes that are in the mask, and clears the others.
#[inline(always)]
pub(super) fn from_mask<S: Simd>(mask: mask16x16<S>) -> U16Lanes<S> {
    mask.to_vector().bitcast()
}

/// Computes a mask for the lanes that have all bits set.
#[inline(always)]
pub(super) fn to_mask<S: Simd>(bits: U16Lanes<S>) -> mask16x16<S> {
    mask16x16::from_vector(bits.bitcast())
}

/// Sets all bits in lanes for which `new` passes against `old`.
#[inline(always)]
pub(super) fn compare<S: Simd>(
    simd: S,
    function: Comparison,
    new: U16Lanes<S>,
    old: U16Lanes<S>,
) -> U16Lanes<S> {
    match function {
        Comparison::NEVER => U16Lanes::splat(simd, 0),
        Comparison::ALWAYS => U16Lanes::splat(simd, u16::MAX),
        Comparison::EQUAL => from_mask(new.simd_eq(old)),
        Comparison::NOT_EQUAL => !from_mask(new.simd_eq(old)),
        Comparison::LESS => from_mask(new.simd_lt(old)),
        Comparison::LESS_EQUAL => from_mask(new.simd_le(old)),
        Comparison::GREATER => from_mask(new.simd_gt(old)),
        _ => from_mask(new.simd_ge(old)),
    }
}

/// 32-bit lanes. A vector holds eight fragments.
type U32Lanes<S> = [u32x8<S>; 2];

/// Loads a group of 32-bit values.
#[inline(always)]
fn load_u32<S: Simd>(simd: S, group: &[u32; LANES]) -> U32Lanes<S> {
    let (halves, _) = group.as_chunks::<8>();
    [u32x8::simd_from(simd, halves[0]), u32x8::simd_from(simd, halves[1])]
}

/// Splits 32-bit lanes into their lower and upper halves.
#[inline(always)]
fn split_halves<S: Simd>([first, second]: U32Lanes<S>) -> [U16Lanes<S>; 2] {
    let simd = first.token();
    [simd.narrow_u32x8(first, second), simd.relaxed_narrow_u32x8(first >> 16_u32, second >> 16_u32)]
}

/// Unpacks the four bytes in 32-bit values, lowest first.
#[inline(always)]
pub(super) fn unpack_bytes<S: Simd>(simd: S, group: &[u32; LANES]) -> ColorLanes<S> {
    let [low, high] = split_halves(load_u32(simd, group));
    [low & 255_u16, low >> 8_u32, high & 255_u16, high >> 8_u32]
}
