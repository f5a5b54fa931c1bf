//! Computes the fog factor per vertex: 1 = none, 0 = full.
//!
//! Like positions, the depth in view space comes from a single matrix, WORLD · VIEW. The hardware keeps 8 bits of
//! the factor.
//! Source: [fog](crate::reference::ge::transform#fog) (hardware test `commands/fog`).

use super::lanes::{self, LANES, Lanes, VectorLanes};
use super::math::{Affine, bounded};
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;

/// A draw's fog.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fog<R> {
    world_view: Affine<R>,
    falloff: Falloff<R>,
}

/// Gives the factor for a depth in view space.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Falloff<R> {
    /// `(depth + end) · slope`.
    Linear {
        /// FOG1.
        end: R,
        /// FOG2.
        slope: R,
    },
    /// The same factor at any depth.
    Constant(R),
}

/// The slope that replaces an infinite slope in the hardware, with the same sign.
/// Source: [special values](crate::reference::ge::transform#special-values).
const STEEPEST: f32 = 262_144.0;

impl<R: Real> Falloff<R> {
    /// Reads FOG1 and FOG2 by the hardware's rules for infinity and NaN.
    fn of_hardware(registers: &Registers) -> Self {
        let [end, slope] = [Opcode::FOG1, Opcode::FOG2].map(|opcode| registers.float(opcode));
        let slope = if slope.is_finite() { slope } else { STEEPEST.copysign(slope) };
        if end.is_finite() {
            return Self::Linear { end: R::from_f32(end), slope: R::from_f32(slope) };
        }
        // An infinite or NaN end makes the fog the same everywhere. The signs decide whether this is none or full.
        let same_sign = end.is_sign_negative() == slope.is_sign_negative();
        let is_sloped = R::from_f32(slope) != R::ZERO;
        Self::Constant(if is_sloped && same_sign { R::ONE } else { R::ZERO })
    }

    /// Reads FOG1 and FOG2 with the limits that pspge has chosen for emulators' arithmetic.
    fn of_emulators(registers: &Registers) -> Self {
        Self::Linear { end: bounded(registers, Opcode::FOG1), slope: bounded(registers, Opcode::FOG2) }
    }
}

impl<R: Real> Fog<R> {
    /// Reads the fog from these registers, or returns `None` if fog is off.
    #[must_use]
    pub(crate) fn new(registers: &Registers, world_view: &Affine<R>) -> Option<Self> {
        registers.is_on(Opcode::FOGENABLE).then(|| Self {
            world_view: *world_view,
            falloff: match R::ARITHMETIC {
                Arithmetic::Hardware => Falloff::of_hardware(registers),
                Arithmetic::Single => Falloff::of_emulators(registers),
            },
        })
    }

    /// Computes the fog factors at these model positions. Hardware numbers are a [`coefficient`] / 256; in single
    /// arithmetic 1 and above = no fog, 0 and below = full fog.
    #[inline(always)]
    #[must_use]
    pub(crate) fn factors(&self, positions: &VectorLanes<R>) -> Lanes<R> {
        let [_, _, depths] = lanes::transform_points(&self.world_view, positions);
        let mut factors = match self.falloff {
            Falloff::Linear { end, slope } => lanes::map(&depths, |depth| (depth + end) * slope),
            Falloff::Constant(factor) => [factor; LANES],
        };
        if R::ARITHMETIC == Arithmetic::Hardware {
            for factor in &mut factors {
                *factor = R::from_f32(f32::from(coefficient(*factor)) / 256.0);
            }
        }
        factors
    }
}

/// Returns the 8 bits that the hardware keeps of a factor: 0 = full fog, 255 = none; 0 for NaN.
/// Source: [fog](crate::reference::ge::transform#fog).
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
#[inline(always)]
fn coefficient<R: Real>(factor: R) -> u8 {
    (factor.to_f32() * 256.0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;
    use crate::ge::registers::Matrix;

    fn fog<R: Real>(end: f32, slope: f32) -> Fog<R> {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::FOGENABLE, 1));
        registers.write(Command::new(Opcode::FOG1, Float24::from_f32(end).to_bits()));
        registers.write(Command::new(Opcode::FOG2, Float24::from_f32(slope).to_bits()));
        let mut world_view = Affine::load(&registers, Matrix::World);
        world_view.0[2][2] = R::ONE;
        Fog::new(&registers, &world_view).expect("fog is on")
    }

    fn factor<R: Real>(fog: &Fog<R>, position: [f32; 3]) -> f32 {
        fog.factors(&lanes::splat(position.map(R::from_f32)))[0].to_f32()
    }

    #[test]
    fn factor_falls_with_distance() {
        let fog = fog::<f32>(10.0, 0.125);
        for (z, expected) in [(-2.0, 1.0), (-6.0, 0.5), (-10.0, 0.0), (-18.0, -1.0)] {
            assert_eq!(factor(&fog, [7.0, 7.0, z]), expected, "at {z}");
        }
    }

    #[test]
    fn infinite_slope_acts_as_step() {
        for slope in [f32::INFINITY, f32::NAN] {
            assert!(factor(&fog::<f32>(1.0, slope), [0.0; 3]) > 1e9, "in front of the end");
            assert_eq!(factor(&fog::<f32>(1.0, slope), [0.0, 0.0, -1.0]), 0.0, "at the end");
            let fog = fog::<Hf16>(0.0, slope);
            for (depth, expected) in [(1.0, 255), (-1.0, 0), (1.0 / 524_288.0, 128_u8)] {
                let factor = factor(&fog, [0.0, 0.0, depth]);
                assert_eq!(factor * 256.0, f32::from(expected), "262144 · {depth}, {slope}");
            }
        }
    }

    #[test]
    fn infinite_end_acts_as_constant() {
        let infinity = f32::INFINITY;
        for (end, slope, expected) in [
            (infinity, 1.0, 255_u8),
            (infinity, -1.0, 0),
            (-infinity, -1.0, 255),
            (-infinity, 1.0, 0),
            (infinity, 0.0, 0),
            (-infinity, -0.0, 0),
            (f32::NAN, f32::NAN, 255),
            (f32::NAN, -infinity, 0),
        ] {
            let factor = factor(&fog::<Hf16>(end, slope), [0.0; 3]);
            assert_eq!(factor * 256.0, f32::from(expected), "{end}, {slope}");
        }
    }

    #[test]
    fn hardware_keeps_8_bits() {
        let number = Hf16::from_f32;
        for (factor, expected) in [
            (-3.0, 0),
            (0.0, 0),
            (0.0039, 0),
            (1.0 / 256.0, 1),
            (0.5, 128),
            (0.999, 255),
            (1.0, 255),
            (1e30, 255),
            (f32::INFINITY, 255),
            (f32::NAN, 0),
        ] {
            assert_eq!(coefficient(number(factor)), expected, "{factor}");
        }
        let fog = fog::<Hf16>(10.0, 0.125);
        for (z, expected) in [(-2.0, 255_u8), (-6.0, 128), (-6.1, 124), (-10.0, 0), (-18.0, 0)] {
            assert_eq!(factor(&fog, [7.0, 7.0, z]) * 256.0, f32::from(expected), "at {z}");
        }
    }

    #[test]
    fn is_none_if_disabled() {
        let registers = Registers::new();
        let world_view = Affine::<f32>::load(&registers, Matrix::World);
        assert!(Fog::new(&registers, &world_view).is_none(), "reset");
    }
}
