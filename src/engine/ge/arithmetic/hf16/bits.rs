//! Takes HF16 numbers apart: IEEE singles whose low 8 mantissa bits are zero.
//!
//! No function branches, so that loops over many numbers become vector instructions.

pub(super) const SIGN: u32 = 1 << 31;
pub(super) const EXPONENT_MASK: u32 = 0xFF << 23;
/// Masks the bits that HF16 keeps from a single: sign, exponent and 15 mantissa bits.
pub(super) const STORED_MASK: u32 = !0xFF;
/// How many mantissa bits HF16 keeps.
pub(super) const STORED_BITS: u32 = 15;
/// The exponent field for 1.
pub(super) const BIAS: u32 = 127;
/// The exponent field for infinity and NaN.
pub(super) const NOT_FINITE: u32 = 255;

/// Returns the exponent field: 0 for zero, [`NOT_FINITE`] for infinity and NaN.
#[inline(always)]
pub(super) const fn biased_exponent(number: f32) -> u32 {
    (number.to_bits() & EXPONENT_MASK) >> 23
}

/// Returns the stored mantissa bits, without the leading 1 bit.
#[inline(always)]
pub(super) const fn mantissa(number: f32) -> u32 {
    (number.to_bits() >> (23 - STORED_BITS)) & ((1 << STORED_BITS) - 1)
}

/// Returns this number, or zero with its sign if it is below the smallest normal number.
#[inline(always)]
pub(super) const fn flush_to_zero(number: f32) -> f32 {
    let bits = number.to_bits();
    let mask = if bits & EXPONENT_MASK == 0 { SIGN } else { u32::MAX };
    f32::from_bits(bits & mask)
}

/// Truncates a single to HF16, and flushes it to zero if it is too small.
#[inline(always)]
pub(super) const fn truncate(number: f32) -> f32 {
    flush_to_zero(f32::from_bits(number.to_bits() & STORED_MASK))
}

/// Returns `2^exponent`, for exponents within ±126.
#[inline(always)]
pub(super) const fn power_of_two(exponent: i32) -> f32 {
    f32::from_bits((BIAS.cast_signed() + exponent).cast_unsigned() << 23)
}
