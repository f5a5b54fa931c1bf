//! Normals in world space, as lighting and the environment map see them. Source: `ge-reference.md` §6.2.

use super::lanes::{self, Lanes};
use super::light::normalize_or_z;
use super::math::{Affine, Vector3};
use crate::arithmetic::Real;
use crate::opcode::Opcode;
use crate::registers::{Matrix, Registers};

/// The way from model normals to unit normals in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldNormals<R> {
    world: Affine<R>,
    /// REVERSENORMAL.
    reverse: bool,
}

impl<R: Real> WorldNormals<R> {
    /// The way that the registers describe.
    #[must_use]
    pub fn new(registers: &Registers) -> Self {
        Self {
            world: Affine::load(registers, Matrix::World),
            reverse: registers.is_on(Opcode::REVERSENORMAL),
        }
    }

    /// What [`Self::unit`] gives for several normals.
    #[inline(always)]
    #[must_use]
    pub fn unit_lanes(&self, normals: &[Lanes<R>; 3]) -> [Lanes<R>; 3] {
        let mut normals = lanes::directions(&self.world, normals);
        if self.reverse {
            for component in normals.as_flattened_mut() {
                *component = -*component;
            }
        }
        let mut unit = lanes::normalize(&normals);
        let [x, y, z] = &mut unit;
        for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
            let is_zero = *x == R::ZERO && *y == R::ZERO && *z == R::ZERO;
            if is_zero {
                (*x, *y, *z) = (R::ZERO, R::ZERO, R::ONE);
            }
        }
        unit
    }

    /// The normal with length 1 in world space; (0, 0, 1) for a zero normal.
    #[must_use]
    pub fn unit(&self, normal: Vector3<R>) -> Vector3<R> {
        let normal = self.world.transform_direction(normal);
        normalize_or_z(if self.reverse { normal.map(|component| -component) } else { normal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;
    use crate::float24::Float24;

    fn normals(reverse: u32) -> WorldNormals<f32> {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::WORLDMATRIXNUMBER, 0));
        for element in [2.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 6.0, 7.0] {
            registers.write(Command::new(Opcode::WORLDMATRIXDATA, Float24::from_f32(element).to_bits()));
        }
        registers.write(Command::new(Opcode::REVERSENORMAL, reverse));
        WorldNormals::new(&registers)
    }

    #[test]
    fn length_is_1_and_translation_has_no_part() {
        assert_eq!(normals(0).unit([0.0, 5.0, 0.0]), [0.0, 1.0, 0.0], "scaled, then cut to length 1");
        assert_eq!(normals(1).unit([0.0, 5.0, 0.0]), [0.0, -1.0, 0.0], "reversed");
    }

    #[test]
    fn zero_normals_point_along_z() {
        assert_eq!(normals(0).unit([0.0; 3]), [0.0, 0.0, 1.0], "zero");
        assert_eq!(normals(1).unit([0.0; 3]), [0.0, 0.0, 1.0], "reversing does not change that");
    }
}
