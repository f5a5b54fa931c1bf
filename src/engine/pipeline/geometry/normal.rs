//! World-space normals for lighting and the environment map.
//! Source: [lighting inputs](crate::reference::ge::lighting#inputs).

use super::lanes::{self, LANES, Lanes, VectorLanes};
use super::math::Affine;
use super::zero_normal::ZeroNormal;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

/// Transforms model normals to world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WorldNormals<R> {
    world: Affine<R>,
    /// REVERSENORMAL.
    reverse: bool,
    /// The normal to use in place of (0, 0, 0).
    zero_normal: ZeroNormal,
}

/// Several vertices' normals in world space. They may have any length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NormalLanes<R> {
    vectors: VectorLanes<R>,
    /// 1 divided by each normal's length, to turn dot products into cosines.
    inverse_lengths: Lanes<R>,
}

impl<R: Real> WorldNormals<R> {
    #[must_use]
    pub(crate) fn new(registers: &Registers, zero_normal: ZeroNormal) -> Self {
        Self {
            world: Affine::load(registers, Matrix::World),
            reverse: registers.is_on(Opcode::REVERSENORMAL),
            zero_normal,
        }
    }

    /// Computes world normals from model normals. The hardware replaces zero normals but does not normalise.
    /// Emulators normalise, and a result of zero becomes (0, 0, 1).
    #[inline(always)]
    #[must_use]
    pub(crate) fn transform(&self, normals: &VectorLanes<R>) -> NormalLanes<R> {
        let mut normals = *normals;
        if R::ARITHMETIC == Arithmetic::Hardware {
            self.zero_normal.replace_zeros(&mut normals, 1.0);
        }
        let mut vectors = lanes::transform_directions(&self.world, &normals);
        if self.reverse {
            for component in vectors.as_flattened_mut() {
                *component = -*component;
            }
        }
        match R::ARITHMETIC {
            Arithmetic::Hardware => {
                NormalLanes { inverse_lengths: lanes::inverse_lengths(&vectors), vectors }
            }
            Arithmetic::Single => {
                NormalLanes { vectors: lanes::normalize_or_z(&vectors), inverse_lengths: [R::ONE; LANES] }
            }
        }
    }
}

impl<R: Real> NormalLanes<R> {
    /// Computes the cosines between normals and unit vectors; 0 for a zero normal or vector.
    #[inline(always)]
    #[must_use]
    pub(crate) fn cosines(&self, directions: &VectorLanes<R>) -> Lanes<R> {
        let mut cosines = lanes::dot(directions, &self.vectors);
        for (cosine, inverse_length) in cosines.iter_mut().zip(self.inverse_lengths) {
            *cosine = *cosine * inverse_length;
        }
        cosines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;

    /// Returns the cosines between a normal, scaled and transformed to world space, and the axes.
    fn cosines<R: Real>(reverse: u32, zero_normal: ZeroNormal, normal: [f32; 3]) -> [f32; 3] {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::WORLDMATRIXNUMBER, 0));
        for element in [2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 5.0, 6.0, 7.0] {
            registers.write(Command::new(Opcode::WORLDMATRIXDATA, Float24::from_f32(element).to_bits()));
        }
        registers.write(Command::new(Opcode::REVERSENORMAL, reverse));
        let normals =
            WorldNormals::<R>::new(&registers, zero_normal).transform(&lanes::splat(normal.map(R::from_f32)));
        [0, 1, 2].map(|axis| {
            let mut direction = [R::ZERO; 3];
            direction[axis] = R::ONE;
            normals.cosines(&lanes::splat(direction))[0].to_f32()
        })
    }

    #[test]
    fn length_and_translation_play_no_part() {
        for (reverse, expected) in [(0, 1.0), (1, -1.0)] {
            let normal = [0.0, 4.0, 0.0];
            let cosines = [
                cosines::<f32>(reverse, ZeroNormal::default(), normal),
                cosines::<Hf16>(reverse, ZeroNormal::default(), normal),
            ];
            assert_eq!(cosines, [[0.0, expected, 0.0]; 2], "REVERSENORMAL {reverse}");
        }
    }

    #[test]
    fn zero_normals_point_along_the_diagonal() {
        let [diagonal, ..] = cosines::<Hf16>(0, ZeroNormal::Zero, [0.5; 3]);
        assert!((diagonal - 1.0 / 3.0_f32.sqrt()).abs() < 1e-3, "1/√3 is {diagonal}");
        for (reverse, zero_normal, expected) in [
            (0, ZeroNormal::Positive, diagonal),
            (1, ZeroNormal::Positive, -diagonal),
            (1, ZeroNormal::Negative, diagonal),
            (0, ZeroNormal::Zero, 0.0),
        ] {
            let cosines = cosines::<Hf16>(reverse, zero_normal, [0.0; 3]);
            assert_eq!(cosines, [expected; 3], "{zero_normal:?}, REVERSENORMAL {reverse}");
        }
    }

    #[test]
    fn emulators_take_zero_normals_as_z() {
        for reverse in [0, 1] {
            let cosines = cosines::<f32>(reverse, ZeroNormal::Negative, [0.0; 3]);
            assert_eq!(cosines, [0.0, 0.0, 1.0], "REVERSENORMAL {reverse}");
        }
    }
}
