//! Computes powers as the hardware does, which connects powers of two by straight lines.
//!
//! For `x = m · 2^e` with `1 ≤ m < 2` the logarithm is `e + (m − 1)`, which is a float's bit pattern, read as an
//! integer. The exponential is its inverse, so `0.5 ^ 0.5` is 0.75. Emulators, and [`Arithmetic::Single`], use the
//! true function, which differs by up to 6 %.
//! Source: [power function](crate::reference::ge::lighting#power-function) (hardware test `commands/light`).

use super::lanes::{self, Lanes};
use super::math::bounded;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;

/// A light's exponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Exponent<R>(R);

impl<R: Real> Exponent<R> {
    /// Reads the exponent from a register.
    #[must_use]
    pub(crate) fn load(registers: &Registers, opcode: Opcode) -> Self {
        Self(match R::ARITHMETIC {
            Arithmetic::Hardware => R::from_f32(cut_exponent(registers.float(opcode))),
            Arithmetic::Single => bounded(registers, opcode),
        })
    }

    /// Raises numbers to this exponent. If it is not positive, the hardware returns 1 for all numbers; emulators
    /// return 1 for numbers that are not positive. If it is positive, the hardware returns NaN and numbers that are
    /// not positive unchanged, and emulators return 0 for them.
    #[inline(always)]
    #[must_use]
    pub(crate) fn powers(self, bases: &Lanes<R>) -> Lanes<R> {
        match R::ARITHMETIC {
            Arithmetic::Hardware => lanes::map(bases, |base| hardware_power(base, self.0)),
            Arithmetic::Single => lanes::map(bases, |base| single_power(base, self.0)),
        }
    }
}

/// The largest exponent that the hardware uses.
const LARGEST_EXPONENT: f32 = 496.0;
/// The exponent bits that the hardware uses: sign, exponent field and 4 mantissa bits.
const EXPONENT_MASK: u32 = 0xFFF8_0000;

/// Returns the exponent that the hardware uses for this register, cut to 5 significant bits and at most 496. NaN
/// counts as 0 if it has a sign, and else as the largest.
fn cut_exponent(register: f32) -> f32 {
    if register.is_nan() && register.is_sign_negative() {
        0.0
    } else if register.is_nan() || register > LARGEST_EXPONENT {
        LARGEST_EXPONENT
    } else {
        f32::from_bits(register.to_bits() & EXPONENT_MASK)
    }
}

/// The bits of 1.0.
const ONE: i32 = 0x3F80_0000;
/// The bits of the largest finite number.
const LARGEST: i32 = 0x7F7F_FFFF;
/// The step between the hardware's logarithms, as bit patterns read as integers.
const STEP: i32 = 16;

/// Computes `base ^ exponent` on bit patterns, without branches, so that loops compile to vector instructions.
#[inline(always)]
fn hardware_power<R: Real>(base: R, exponent: R) -> R {
    let logarithm = base.to_f32().to_bits().cast_signed().wrapping_sub(ONE);
    // This product is exact, because an exponent has 5 significant bits.
    let steps = f64::from(exponent.to_f32()) * f64::from(logarithm) / f64::from(STEP);
    // These limits keep the steps within 32 bits, but still reach both ends of the clamp below.
    let steps = steps.max(f64::from(-ONE / STEP)).min(f64::from((LARGEST - ONE) / STEP + 1));
    #[expect(clippy::cast_possible_truncation, reason = "truncates towards zero, within 27 bits")]
    let bits = (STEP * (steps as i32)).wrapping_add(ONE).clamp(0, LARGEST);
    let power = R::from_f32(f32::from_bits(bits.cast_unsigned()));
    let power = if base > R::ZERO { power } else { base };
    if exponent > R::ZERO { power } else { R::ONE }
}

/// Computes `base ^ exponent` as emulators do. If the base is not positive, this returns 0 for positive exponents
/// and 1 for others.
#[inline(always)]
fn single_power<R: Real>(base: R, exponent: R) -> R {
    if base > R::ZERO {
        R::from_f32(libm::powf(base.to_f32(), exponent.to_f32()))
    } else if exponent > R::ZERO {
        R::ZERO
    } else {
        R::ONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;

    fn power<R: Real>(base: f32, exponent: f32) -> f32 {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::LKS0, Float24::from_f32(exponent).to_bits()));
        let exponent = Exponent::<R>::load(&registers, Opcode::LKS0);
        exponent.powers(&lanes::splat([R::from_f32(base)])[0])[0].to_f32()
    }

    #[test]
    fn exact_at_powers_of_two() {
        for (base, exponent, expected) in
            [(0.5, 2.0, 0.25), (0.25, 0.5, 0.5), (1.0, 7.0, 1.0), (2.0, 3.0, 8.0)]
        {
            assert_eq!(power::<Hf16>(base, exponent), expected, "hardware {base} ^ {exponent}");
            assert_eq!(power::<f32>(base, exponent), expected, "single {base} ^ {exponent}");
        }
        assert_eq!(power::<f32>(0.5, -1.0), 2.0, "emulators have negative exponents");
        assert_eq!(power::<Hf16>(0.5, -1.0), 1.0, "the hardware has none");
    }

    /// The examples of `reference/ge/lighting.md#power-function`.
    #[test]
    fn is_linear_between_powers_of_two() {
        for (base, exponent, expected, emulated) in
            [(0.25, 0.75, 0.375, 0.3536), (0.577_35, 2.0, 0.3274, 0.3333), (0.866_025, 2.0, 0.7320, 0.7500)]
        {
            let (hardware, single) = (power::<Hf16>(base, exponent), power::<f32>(base, exponent));
            assert!((hardware - expected).abs() < 1e-3, "hardware {base} ^ {exponent} is {hardware}");
            assert!((single - emulated).abs() < 1e-3, "emulators' {base} ^ {exponent} is {single}");
        }
    }

    /// Values measured on a real PSP.
    #[test]
    fn has_measured_values() {
        for (base, exponent, expected) in [
            (0.5_f32.to_bits(), 2.0, 0.25_f32.to_bits()),
            (0.75_f32.to_bits(), 2.0, 0.5_f32.to_bits()),
            (0x3DC2_2200, 1.0625, 0x3DA6_4420),
            (0x3F35_E500, 0.296_875, 0x3F6A_0000),
        ] {
            let power = power::<Hf16>(f32::from_bits(base), exponent).to_bits();
            assert_eq!(power, expected & 0xFFFF_FF00, "{base:#X} ^ {exponent}");
        }
    }

    #[test]
    fn exponents_have_five_bits() {
        for (exponent, expected) in [
            (127.0, 124.0),
            (150.0, 144.0),
            (511.0, 496.0),
            (512.0, 496.0),
            (f32::INFINITY, 496.0),
            (f32::NAN, 496.0),
            (-2.0, -2.0),
            (0.296_875, 0.296_875),
            (f32::from_bits(0xFFC0_0000), 0.0),
        ] {
            assert_eq!(cut_exponent(exponent), expected, "{exponent}");
        }
    }

    #[test]
    fn handles_range_ends() {
        let huge = 1e18;
        for (base, exponent, hardware, single) in [
            (0.0, 1.0, 0.0, 0.0),
            (-3.0, 2.0, -3.0, 0.0),
            (0.0, 0.0, 1.0, 1.0),
            (-0.5, 0.0, 1.0, 1.0),
            (-0.5, -2.0, 1.0, 1.0),
            (-0.5, f32::from_bits(0xFFC0_0000), 1.0, 1.0),
            (0.5, huge, 0.0, 0.0),
            (1.0, huge, 1.0, 1.0),
            (0.5, f32::NEG_INFINITY, 1.0, f32::INFINITY),
        ] {
            assert_eq!(power::<Hf16>(base, exponent), hardware, "hardware {base} ^ {exponent}");
            assert_eq!(power::<f32>(base, exponent), single, "single {base} ^ {exponent}");
        }
        assert!(power::<Hf16>(1e20, huge) > 1e38, "saturates");
        assert!(power::<Hf16>(f32::NAN, 2.0).is_nan(), "NaN stays");
        assert_eq!(power::<Hf16>(f32::INFINITY, 0.5).to_bits(), 0x5F80_0000, "half of all exponents");
    }
}
