//! Per-vertex fog factor: 1 = none, 0 = full.
//!
//! The depth in view space comes from WORLD · VIEW as one matrix, like positions.
//! Source: [fog](crate::reference::ge::transform#fog) (hardware test `commands/fog`).

use super::lanes::{self, Lanes, VectorLanes};
use super::math::{Affine, bounded};
use crate::ge::arithmetic::Real;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;

/// The fog of a draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Fog<R> {
    world_view: Affine<R>,
    /// FOG1.
    end: R,
    /// FOG2.
    slope: R,
}

impl<R: Real> Fog<R> {
    /// Creates the fog that the registers describe, or `None` if fog is off.
    #[must_use]
    pub(crate) fn new(registers: &Registers, world_view: &Affine<R>) -> Option<Self> {
        registers.is_on(Opcode::FOGENABLE).then(|| Self {
            world_view: *world_view,
            end: bounded(registers, Opcode::FOG1),
            slope: bounded(registers, Opcode::FOG2),
        })
    }

    /// Computes the fog factors of vertices with these model positions: 1 and above = no fog, 0 and below =
    /// full fog.
    #[inline(always)]
    #[must_use]
    pub(crate) fn factors(&self, positions: &VectorLanes<R>) -> Lanes<R> {
        let [_, _, mut z] = lanes::transform_points(&self.world_view, positions);
        for z in &mut z {
            *z = (*z + self.end) * self.slope;
        }
        z
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;
    use crate::ge::registers::Matrix;

    fn fog(end: f32, slope: f32) -> Fog<f32> {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::FOGENABLE, 1));
        registers.write(Command::new(Opcode::FOG1, Float24::from_f32(end).to_bits()));
        registers.write(Command::new(Opcode::FOG2, Float24::from_f32(slope).to_bits()));
        let mut world_view = Affine::load(&registers, Matrix::World);
        world_view.0[2][2] = 1.0;
        Fog::new(&registers, &world_view).expect("fog is on")
    }

    fn factor(fog: &Fog<f32>, position: [f32; 3]) -> f32 {
        fog.factors(&lanes::splat(position))[0]
    }

    #[test]
    fn factor_falls_with_distance() {
        let fog = fog(10.0, 0.125);
        for (z, expected) in [(-2.0, 1.0), (-6.0, 0.5), (-10.0, 0.0), (-18.0, -1.0)] {
            assert_eq!(factor(&fog, [7.0, 7.0, z]), expected, "at {z}");
        }
    }

    #[test]
    fn infinite_slope_acts_as_step() {
        for slope in [f32::INFINITY, f32::NAN] {
            assert!(factor(&fog(1.0, slope), [0.0; 3]) > 1e9, "in front of the end");
            assert_eq!(factor(&fog(1.0, slope), [0.0, 0.0, -1.0]), 0.0, "at the end");
        }
    }

    #[test]
    fn is_none_if_disabled() {
        let registers = Registers::new();
        let world_view = Affine::<f32>::load(&registers, Matrix::World);
        assert!(Fog::new(&registers, &world_view).is_none(), "reset");
    }
}
