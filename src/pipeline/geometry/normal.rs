//! World-space normals for lighting and the environment map.
//! Source: [lighting inputs](crate::reference::ge::lighting#inputs).

use super::lanes::{self, VectorLanes};
use super::math::Affine;
use super::zero_normal::ZeroNormal;
use crate::ge::arithmetic::Real;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

/// The transform from model normals to unit normals in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WorldNormals<R> {
    world: Affine<R>,
    /// REVERSENORMAL.
    reverse: bool,
    /// Replaces (0, 0, 0).
    zero_normal: ZeroNormal,
}

impl<R: Real> WorldNormals<R> {
    /// Creates the transform that the registers describe.
    #[must_use]
    pub(crate) fn new(registers: &Registers, zero_normal: ZeroNormal) -> Self {
        Self {
            world: Affine::load(registers, Matrix::World),
            reverse: registers.is_on(Opcode::REVERSENORMAL),
            zero_normal,
        }
    }

    /// Computes unit normals in world space. Zero normals become (0, 0, 1).
    #[inline(always)]
    #[must_use]
    pub(crate) fn unit(&self, normals: &VectorLanes<R>) -> VectorLanes<R> {
        let mut normals = lanes::transform_directions(&self.world, normals);
        if self.reverse {
            for component in normals.as_flattened_mut() {
                *component = -*component;
            }
        }
        lanes::normalize_or_z(&normals)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;

    fn normals(reverse: u32) -> WorldNormals<f32> {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::WORLDMATRIXNUMBER, 0));
        for element in [2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 6.0, 7.0] {
            registers.write(Command::new(Opcode::WORLDMATRIXDATA, Float24::from_f32(element).to_bits()));
        }
        registers.write(Command::new(Opcode::REVERSENORMAL, reverse));
        WorldNormals::new(&registers, ZeroNormal::default())
    }

    fn unit(normals: &WorldNormals<f32>, normal: [f32; 3]) -> [f32; 3] {
        lanes::extract(&normals.unit(&lanes::splat(normal)), 0)
    }

    #[test]
    fn normalizes_and_ignores_translation() {
        assert_eq!(unit(&normals(0), [0.0, 5.0, 0.0]), [0.0, 1.0, 0.0], "scaled, then normalised");
        assert_eq!(unit(&normals(1), [0.0, 5.0, 0.0]), [0.0, -1.0, 0.0], "reversed");
    }

    #[test]
    fn zero_normals_become_z() {
        assert_eq!(unit(&normals(0), [0.0; 3]), [0.0, 0.0, 1.0], "zero");
        assert_eq!(unit(&normals(1), [0.0; 3]), [0.0, 0.0, 1.0], "reversed zero");
    }
}
