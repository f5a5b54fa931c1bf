//! The hardware's power function, with straight lines between powers of two.
//!
//! For `x = m · 2^e` with `1 ≤ m < 2` the logarithm is `e + (m − 1)`. The exponential is its inverse, so
//! `0.5 ^ 0.5` is 0.75. Emulators, and [`Arithmetic::Single`], use the true function, which differs by up to
//! 6 %.
//! Source: [power function](crate::reference::ge::lighting#power-function) (hardware test `commands/light`).

use crate::ge::arithmetic::{Arithmetic, Real};

/// Computes `base ^ exponent`. If the base is not positive, returns 1 for exponents up to 0 and 0 for others.
///
/// In hardware arithmetic it has no branches, so that loops compile to vector instructions.
#[inline(always)]
#[must_use]
pub(crate) fn power<R: Real>(base: R, exponent: R) -> R {
    let if_not_positive = if exponent > R::ZERO { R::ZERO } else { R::ONE };
    let is_positive = base > R::ZERO;
    if R::ARITHMETIC == Arithmetic::Single {
        let power = || R::from_f32(libm::powf(base.to_f32(), exponent.to_f32()));
        return if is_positive { power() } else { if_not_positive };
    }
    let power = exponential(exponent * logarithm(base));
    if is_positive { power } else { if_not_positive }
}

/// Computes the exponent plus the mantissa's excess over 1. The result for numbers that are not positive is
/// meaningless.
#[inline(always)]
fn logarithm<R: Real>(x: R) -> R {
    let bits = x.to_f32().to_bits();
    // After the sign bit is shifted out, the exponent is the highest byte.
    let [.., exponent] = (bits << 1).to_le_bytes();
    let exponent = i16::from(exponent) - EXPONENT_BIAS;
    let mantissa = R::from_f32(f32::from_bits(bits & MANTISSA | 1.0_f32.to_bits()));
    R::from_f32(f32::from(exponent)) + (mantissa - R::ONE)
}

/// Inverts [`logarithm`]. Saturates at the ends of the exponent range.
#[inline(always)]
fn exponential<R: Real>(y: R) -> R {
    let floor = y.to_f32().floor();
    let integer = R::from_f32(floor);
    // The conversion saturates and returns 0 for NaN.
    #[expect(clippy::cast_possible_truncation, reason = "clamped")]
    let exponent = floor.clamp(-127.0, 127.0) as i32;
    // Never negative; exponent field 0 encodes 0.
    let field = (exponent + i32::from(EXPONENT_BIAS)).cast_unsigned();
    (R::ONE + (y - integer)) * R::from_f32(f32::from_bits(field << MANTISSA_BITS))
}

/// The exponent field of 1 in an IEEE single.
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

    /// The examples of `reference/ge/lighting.md#power-function`.
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
