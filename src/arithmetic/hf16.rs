//! HF16: the number format of the hardware's transform and lighting unit.
//!
//! Sign, 8 bits of exponent, 16 significant bits of which 15 are stored: an IEEE single whose low 8 mantissa bits
//! are zero. Products and reciprocals are truncated towards zero. The adder aligns both operands to the larger
//! exponent and drops what is shifted out; it keeps no guard bits.
//!
//! Source: `ge-reference.md` appendix A, verified there against the hardware tests `depth/precision`,
//! `filtering/*`, `clipping/guardband`, `triangle/triangle` and `commands/light`. Overflow to infinity, flushing of
//! numbers below the smallest normal one and NaN are assumed, no test shows them.

use std::ops::{Add, Mul, Neg, Sub};

use super::{Arithmetic, Real, round};

/// A number with 16 significant bits.
///
/// Held in an `f64`, where products of two such numbers are exact and truncation is a mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Hf16(f64);

/// Mantissa bits of an `f64` below the 16 significant ones.
const DROPPED_BITS: u32 = 52 - 15;
/// The sign of an `f64`.
const SIGN: u64 = 1 << 63;
/// First power of two that an 8-bit exponent cannot hold: 2^128.
const OVERFLOW: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
/// Smallest normal number: 2^-126.
const SMALLEST: f64 = f32::MIN_POSITIVE as f64;

impl Hf16 {
    /// The exact value cut down to 16 significant bits and to the exponent's range. Without branches, so that loops over
    /// many numbers become vector instructions.
    #[inline(always)]
    fn truncate(exact: f64) -> Self {
        let cut = exact.to_bits() & (u64::MAX << DROPPED_BITS);
        let magnitude = f64::from_bits(cut & !SIGN);
        let magnitude = if magnitude >= OVERFLOW { f64::INFINITY } else { magnitude };
        let magnitude = if magnitude < SMALLEST { 0.0 } else { magnitude };
        Self(f64::from_bits(magnitude.to_bits() | cut & SIGN))
    }

    #[inline(always)]
    const fn biased_exponent(self) -> u64 {
        (self.0.to_bits() >> 52) & 0x7FF
    }

    /// The operand as the adder sees it next to one with a larger exponent.
    #[inline(always)]
    const fn aligned_to(self, exponent: u64) -> f64 {
        let shift = DROPPED_BITS as u64 + (exponent - self.biased_exponent());
        // Once the leading bit is shifted out nothing is left.
        let kept = if shift > 52 { 0 } else { u64::MAX << (shift & 63) };
        f64::from_bits(self.0.to_bits() & kept)
    }
}

impl Real for Hf16 {
    const ARITHMETIC: Arithmetic = Arithmetic::Hardware;
    const ZERO: Self = Self(0.0);
    const ONE: Self = Self(1.0);
    const SLACK: Self = Self::ONE;

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        Self::truncate(f64::from(value))
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "16 significant bits in the exponent range of a single fit"
    )]
    #[inline(always)]
    fn to_f32(self) -> f32 {
        self.0 as f32
    }

    #[inline(always)]
    fn reciprocal(self) -> Self {
        Self::truncate(1.0 / self.0)
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::truncate(self.0.sqrt())
    }

    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
    fn to_grid(self) -> i32 {
        (self.0 * 16.0).floor() as i32
    }

    #[inline(always)]
    fn grid_is_within(self, end: i32) -> bool {
        let at = self.0 * 16.0;
        at >= 0.0 && at < f64::from(end)
    }

    #[inline(always)]
    fn to_near_grid_from(self, offset: i32) -> i32 {
        round::floor(self.0 * 16.0).wrapping_sub(offset)
    }
}

impl Add for Hf16 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let exponent = self.biased_exponent().max(other.biased_exponent());
        Self::truncate(self.aligned_to(exponent) + other.aligned_to(exponent))
    }
}

impl Sub for Hf16 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Hf16 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::truncate(self.0 * other.0)
    }
}

impl Neg for Hf16 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(value: f32) -> Hf16 {
        Hf16::from_f32(value)
    }

    #[test]
    fn conversion_drops_the_low_byte() {
        for bits in [0x3F80_00FF_u32, 0xC2AB_CDEF, 0x0080_01FF, 0x7F7F_FFFF] {
            let expected = f32::from_bits(bits & 0xFFFF_FF00);
            assert_eq!(number(f32::from_bits(bits)).to_f32(), expected, "{bits:#x}");
        }
    }

    #[test]
    fn products_truncate_towards_zero() {
        let a = number(f32::from_bits(0x3F80_0100));
        let product = (a * a).to_f32();
        assert_eq!(product.to_bits(), 0x3F80_0200, "(1 + 2^-15)^2 loses its 2^-30");
        assert_eq!((-a * a).to_f32(), -product, "towards zero for negative ones too");
    }

    /// `ge-reference.md` §5.1: the usual centre leaves multiples of 1/16.
    #[test]
    fn the_adder_has_no_guard_bits() {
        let screen = number(2048.0) + number(-237.996);
        assert_eq!(screen.to_f32(), 1810.0625, "what is shifted out is dropped before the subtraction");
        assert_eq!(screen.to_grid(), 28961, "in 1/16 pixel");
    }

    #[test]
    fn small_operands_vanish() {
        assert_eq!((number(65536.0) + number(0.9)).to_f32(), 65536.0, "shifted out to nothing");
        assert_eq!((number(1.0) + number(-1.0)).to_f32(), 0.0, "exact difference");
        assert_eq!((number(0.0) + number(3.25)).to_f32(), 3.25, "zero has no exponent to align to");
    }

    /// `ge-reference.md` §5.1, hardware test `depth/precision`: one vertex under three viewport centres.
    #[test]
    fn depth_example() {
        let z = number(f32::from(0x6DCC_u16) / 32768.0);
        let scaled = number(-32767.5) * z;
        for (center, expected) in [(32767.0, 4659), (32767.5, 4660), (32768.0, 4661)] {
            assert_eq!((scaled + number(center)).to_grid() >> 4, expected, "centre {center}");
        }
    }

    #[test]
    fn range() {
        assert_eq!((number(1e30) * number(1e30)).to_f32(), f32::INFINITY, "too large");
        assert_eq!((number(1e-30) * number(1e-30)).to_f32(), 0.0, "too small");
        assert_eq!(number(0.0).reciprocal().to_f32(), f32::INFINITY, "one by zero");
        assert!(number(f32::NAN).is_nan(), "NaN stays");
        assert_eq!(number(3.0).reciprocal().to_f32().to_bits(), 0x3EAA_AA00, "truncated third");
    }
}
