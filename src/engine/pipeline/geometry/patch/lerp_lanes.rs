//! Interpolates between HF16 numbers in lanes, to do the same as [`lerp`] for eight numbers at a time.
//!
//! # Invariants
//! Multiplying a float by a power of two is exact, as long as the result is normal. For this reason [`lerp`]'s
//! fixed-point numbers can be computed as products and cut to integers.

use fearless_simd::{f32x8, i32x8, u32x8};

use super::curve::{WHOLE, lerp};
use crate::ge::arithmetic::simd::prelude::*;

/// A float's exponent bits.
const EXPONENT: u32 = 0xFF << 23;
/// With this exponent or a larger one, no result can be below the smallest normal number.
const LOWEST: u32 = 32 << 23;
/// The factor to make a number's leading bit 2^15 has this exponent, minus the number's own.
const TO_FIXED: u32 = (127 + 142) << 23;
/// The factor to undo this has the number's own exponent, minus this.
const FROM_FIXED: u32 = (142 - 127) << 23;

/// Interpolates between HF16 numbers, each with its own factor. `N` is a multiple of 8.
#[inline(always)]
pub(super) fn lerp_lanes<S: Simd, const N: usize>(
    simd: S,
    a: &[f32; N],
    b: &[f32; N],
    factors: &[i32; N],
) -> [f32; N] {
    let mut out = [0.0; N];
    let ((lanes, _), (a, _)) = (out.as_chunks_mut::<8>(), a.as_chunks::<8>());
    let ((b, _), (factors, _)) = (b.as_chunks::<8>(), factors.as_chunks::<8>());
    for (out, (a, (b, factors))) in lanes.iter_mut().zip(a.iter().zip(b.iter().zip(factors))) {
        let lanes = (f32x8::simd_from(simd, *a), f32x8::simd_from(simd, *b));
        match lerp_usual(lanes, i32x8::simd_from(simd, *factors)) {
            Some(between) => between.store_array(out),
            None => lerp_each(a, b, factors, out),
        }
    }
    out
}

/// Interpolates, or returns `None` if a number is infinite, NaN or tiny, because products would be inexact.
#[inline(always)]
fn lerp_usual<S: Simd>((a, b): (f32x8<S>, f32x8<S>), factors: i32x8<S>) -> Option<f32x8<S>> {
    let simd = a.token();
    let exponent = |number: f32x8<S>| -> u32x8<S> { number.bitcast::<u32x8<S>>() & EXPONENT };
    let larger = exponent(a).max(exponent(b));
    let is_usual = larger.simd_lt(EXPONENT) & (larger.simd_ge(LOWEST) | larger.simd_eq(0_u32));
    if !is_usual.all_true() {
        return None;
    }
    // A zero stays zero at any exponent, so this avoids factors out of range.
    let larger = larger.max(LOWEST);
    let to_fixed: f32x8<S> = (u32x8::splat(simd, TO_FIXED) - larger).bitcast();
    let from_fixed: f32x8<S> = (larger - FROM_FIXED).bitcast();
    // Both numbers become integers at the larger exponent, so that the shift below floors as in `lerp`.
    let [first, second]: [i32x8<S>; 2] = [(a * to_fixed).to_int(), (b * to_fixed).to_int()];
    let fixed = first + (((second - first) * factors) >> 8_u32);
    let between: f32x8<S> = fixed.to_float();
    let up_to_end = factors.simd_eq(WHOLE).select(b, between * from_fixed);
    Some(factors.simd_eq(0_i32).select(a, up_to_end))
}

#[cold]
fn lerp_each(a: &[f32; 8], b: &[f32; 8], factors: &[i32; 8], out: &mut [f32; 8]) {
    for (out, (a, (b, factor))) in out.iter_mut().zip(a.iter().zip(b.iter().zip(factors))) {
        *out = lerp(*a, *b, *factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::simd::portable;
    use crate::ge::arithmetic::{Hf16, Real};

    #[test]
    fn lanes_match_single_numbers() {
        let mut seed = 9_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 4
        };
        let special = [0.0, -0.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::MIN_POSITIVE, f32::MAX];
        let mut usual = 0;
        for round in 0..20_000 {
            // Numbers of the same size, of any size, and special numbers.
            let mut number = || {
                let bits = match random() % 8 {
                    0 if round % 4 == 0 => special[random() as usize % special.len()].to_bits(),
                    0 => 0,
                    1 => random() << 4,
                    _ => (random() & 0x83FF_FFFF) + (0x7C << 23),
                };
                Hf16::from_f32(f32::from_bits(bits)).to_f32()
            };
            let (a, b) = ([(); 8].map(|()| number()), [(); 8].map(|()| number()));
            let factors =
                [(); 8].map(|()| random().cast_signed() % 280 - 10).map(|factor| factor.clamp(0, WHOLE));
            let simd = portable();
            let lanes = (f32x8::simd_from(simd, a), f32x8::simd_from(simd, b));
            usual += usize::from(lerp_usual(lanes, i32x8::simd_from(simd, factors)).is_some());
            let found = lerp_lanes(simd, &a, &b, &factors).map(f32::to_bits);
            let expected = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane: usize| lerp(a[lane], b[lane], factors[lane]));
            let expected = expected.map(f32::to_bits);
            assert_eq!(found, expected, "{a:?} to {b:?} by {factors:?}");
        }
        assert!((2_000..18_000).contains(&usual), "{usual} usual rounds");
    }
}
