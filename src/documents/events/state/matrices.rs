//! Describes the matrices.

use serde::{Deserialize, Serialize};

use crate::ge::float::Float;
use crate::ge::never::OrNever;
use crate::ge::registers::{Matrix, Registers};

/// A matrix with four rows and three columns. A row vector with a fourth coordinate of 1 is multiplied from the
/// left, so the last row is the translation.
pub type AffineRows = [[Float; 3]; 4];

/// The matrices in use for drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Matrices {
    /// Model space to world space.
    pub world: AffineRows,
    /// World space to view space.
    pub view: AffineRows,
    /// View space to clip space, four rows and columns.
    pub projection: [[Float; 4]; 4],
    /// The texture matrix, to generate texture coordinates.
    pub texture: AffineRows,
    /// The eight bone matrices, for skinning.
    pub bones: [AffineRows; 8],
}

impl Matrices {
    /// Returns the matrices set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let affine = |matrix| rows(registers, matrix, 0);
        Self {
            world: affine(Matrix::World),
            view: affine(Matrix::View),
            projection: rows(registers, Matrix::Projection, 0),
            texture: affine(Matrix::Texture),
            bones: std::array::from_fn(|bone| rows(registers, Matrix::Bone, bone.saturating_mul(12))),
        }
    }
}

/// Returns the elements in a matrix memory from `first` on, row by row.
fn rows<const COLUMNS: usize>(registers: &Registers, matrix: Matrix, first: usize) -> [[Float; COLUMNS]; 4] {
    let elements = registers.matrix(matrix).get(first..).or_never("the matrices are in their memory");
    let element = |index: usize| elements.get(index).map_or(Float(0.0), |element| Float::from(*element));
    std::array::from_fn(|row| {
        std::array::from_fn(|column| element(row.saturating_mul(COLUMNS).saturating_add(column)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;

    #[test]
    fn elements_become_rows() {
        let mut registers = Registers::new();
        for (matrix, count) in [(Matrix::Bone, 24_u16), (Matrix::Projection, 16), (Matrix::World, 12)] {
            registers.write(Command::new(matrix.number_opcode(), 0));
            for element in 0..count {
                let bits = Float24::from_f32(f32::from(element)).to_bits();
                registers.write(Command::new(matrix.data_opcode(), bits));
            }
        }
        let matrices = Matrices::of(&registers);
        let [.., translation] = matrices.world;
        assert_eq!(translation, Float::array([9.0, 10.0, 11.0]), "the last row is the translation");
        let [_, second, ..] = matrices.projection;
        assert_eq!(second, Float::array([4.0, 5.0, 6.0, 7.0]), "rows of four");
        let [_, [first, ..], [third, ..], ..] = matrices.bones;
        assert_eq!(first, Float::array([12.0, 13.0, 14.0]), "the second bone follows the first");
        assert_eq!(third, Float::array([0.0; 3]), "a bone that was not written");
    }
}
