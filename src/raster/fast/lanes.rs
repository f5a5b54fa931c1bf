//! Sixteen fragments' values in one vector: what the stages of the pixel pipeline compute with.
//!
//! # Invariants
//! Lanes wrap without a word, in debug builds too, so every sum has to fit by what goes into it:
//! * colours are bytes, and no stage adds more than 256 × 255 + 255 = 65,535 up ([`super::shade`], [`super::blend`]); what
//!   blending subtracts is read as a signed number, from −255 to 510 ([`super::stored::limit`]);
//! * filtered texels are 255 × 16 × 16 = 65,280 at most ([`super::texel`]);
//! * numbers of texels are limited to the texture before they count bytes: 512 rows of at most 8,192 bytes, twice for
//!   nibbles and 16 times for blocks;
//! * floats become integers only where they are smaller than 2^30, others go one by one in 64 bits;
//! * sums of interpolated values fit 32 bits, or take 64 ([`super::values`]);
//! * positions are limited to 2^24 sixteenths, which keeps edge functions inside 52 bits ([`crate::raster::coverage`]).
//!
//! The tests of sameness compare all of this with the reference, which counts in wider integers.

use fearless_simd::{mask16x16, u16x16, u32x8};

use super::batch::LANES;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::pixel::Comparison;

/// A value of each fragment. Sums and differences wrap.
pub(super) type U16Lanes<S> = u16x16<S>;
/// Red, green, blue and alpha.
pub(super) type ColorLanes<S> = [U16Lanes<S>; 4];

/// The lanes of a group.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, group: &[u16; LANES]) -> U16Lanes<S> {
    U16Lanes::simd_from(simd, *group)
}

/// All bits set where a mask holds, none elsewhere.
#[inline(always)]
pub(super) fn from_mask<S: Simd>(mask: mask16x16<S>) -> U16Lanes<S> {
    mask.to_vector().bitcast()
}

/// Where all bits are set.
#[inline(always)]
pub(super) fn to_mask<S: Simd>(bits: U16Lanes<S>) -> mask16x16<S> {
    mask16x16::from_vector(bits.bitcast())
}

/// All bits set where `new` passes against `old`.
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

/// Words of 32 bits, eight fragments each.
type U32Lanes<S> = [u32x8<S>; 2];

/// The words of a group.
#[inline(always)]
fn load_u32<S: Simd>(simd: S, group: &[u32; LANES]) -> U32Lanes<S> {
    let (halves, _) = group.as_chunks::<8>();
    [u32x8::simd_from(simd, halves[0]), u32x8::simd_from(simd, halves[1])]
}

/// The lower halves of words, and the upper ones.
#[inline(always)]
fn split_halves<S: Simd>([first, second]: U32Lanes<S>) -> [U16Lanes<S>; 2] {
    let simd = first.token();
    [simd.narrow_u32x8(first, second), simd.relaxed_narrow_u32x8(first >> 16_u32, second >> 16_u32)]
}

/// The four bytes of a group's words, lowest first.
#[inline(always)]
pub(super) fn unpack_bytes<S: Simd>(simd: S, group: &[u32; LANES]) -> ColorLanes<S> {
    let [low, high] = split_halves(load_u32(simd, group));
    [low & 255_u16, low >> 8_u32, high & 255_u16, high >> 8_u32]
}
