//! The hardware's power function: logarithm and exponential with straight lines between powers of two.
//!
//! For `x = m · 2^e` with `1 ≤ m < 2` the logarithm is `e + (m − 1)`, and the exponential is its inverse, so that
//! `0.5 ^ 0.5` is 0.75. Emulators that use the true function are up to 6 % off.
//! Source: `ge-reference.md` §6.3 (hardware test `commands/light`). Emulators' arithmetic takes the true function.

use crate::ge::arithmetic::{Arithmetic, Real};

/// `base ^ exponent`. A base that is not positive gives 0, or 1 where the exponent is 0 or less.
///
/// In the hardware's arithmetic without branches, so that loops over many numbers become vector instructions.
#[inline(always)]
#[must_use]
pub fn power<R: Real>(base: R, exponent: R) -> R {
    let if_not_positive = if exponent > R::ZERO { R::ZERO } else { R::ONE };
    let is_positive = base > R::ZERO;
    if R::ARITHMETIC == Arithmetic::Single {
        let power = || R::from_f32(libm::powf(base.to_f32(), exponent.to_f32()));
        return if is_positive { power() } else { if_not_positive };
    }
    let power = exponential(exponent * logarithm(base));
    if is_positive { power } else { if_not_positive }
}

/// The exponent, plus the mantissa's excess over 1. For positive numbers; others give any.
#[inline(always)]
fn logarithm<R: Real>(x: R) -> R {
    let bits = x.to_f32().to_bits();
    // Without the sign the exponent is the highest byte.
    let [.., exponent] = (bits << 1).to_le_bytes();
    let exponent = i16::from(exponent) - EXPONENT_BIAS;
    let mantissa = R::from_f32(f32::from_bits(bits & MANTISSA | 1.0_f32.to_bits()));
    R::from_f32(f32::from(exponent)) + (mantissa - R::ONE)
}

/// Undoes [`logarithm`]. Saturates at the ends of the exponent's range.
#[inline(always)]
fn exponential<R: Real>(y: R) -> R {
    let floor = y.to_f32().floor();
    let whole = R::from_f32(floor);
    // The conversion saturates, and gives 0 for what is not a number.
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    let exponent = floor.clamp(-127.0, 127.0) as i32;
    // Never negative; exponent field 0 is the number 0.
    let field = (exponent + i32::from(EXPONENT_BIAS)).cast_unsigned();
    (R::ONE + (y - whole)) * R::from_f32(f32::from_bits(field << MANTISSA_BITS))
}

/// What the exponent field of an IEEE single holds for 1.
const EXPONENT_BIAS: i16 = 127;
const MANTISSA_BITS: u32 = 23;
const MANTISSA: u32 = (1 << MANTISSA_BITS) - 1;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;

    fn hardware(base: f32, exponent: f32) -> f32 {
        power(Hf16::from_f32(base), Hf16::from_f32(exponent)).to_f32()
    }

    #[test]
    fn exact_at_powers_of_two() {
        for (base, exponent, expected) in
            [(0.5, 2.0, 0.25), (0.25, 0.5, 0.5), (1.0, 7.0, 1.0), (2.0, 3.0, 8.0), (0.5, -1.0, 2.0)]
        {
            assert_eq!(hardware(base, exponent), expected, "hardware {base} ^ {exponent}");
            assert_eq!(power(base, exponent), expected, "single {base} ^ {exponent}");
        }
    }

    /// `ge-reference.md` §6.3.
    #[test]
    fn is_linear_between_powers_of_two() {
        for (base, exponent, expected, emulated) in
            [(0.25, 0.75, 0.375, 0.3536), (0.577_35, 2.0, 0.3274, 0.3333), (0.866_025, 2.0, 0.7320, 0.7500)]
        {
            let (hardware, single) = (hardware(base, exponent), power(base, exponent));
            assert!((hardware - expected).abs() < 1e-3, "hardware {base} ^ {exponent} is {hardware}");
            assert!((single - emulated).abs() < 1e-3, "emulators' {base} ^ {exponent} is {single}");
        }
    }

    #[test]
    fn handles_range_ends() {
        let huge = 1e18;
        for (base, exponent, expected) in [
            (0.0, 1.0, 0.0),
            (-3.0, 2.0, 0.0),
            (0.0, 0.0, 1.0),
            (-0.5, 0.0, 1.0),
            (-0.5, -2.0, 1.0),
            (0.5, huge, 0.0),
            (1.0, huge, 1.0),
        ] {
            assert_eq!(hardware(base, exponent), expected, "{base} ^ {exponent}");
        }
        assert!(hardware(0.5, -huge) > 1e30, "saturates");
    }
}
