//! Vectors and matrices for the transform unit.
//!
//! To round as the hardware does, each dot product and each element in a matrix product is a single
//! [`Real::row_sum`].
//! Source: [row sums](crate::reference::ge::numbers#row-sums),
//! [pipeline](crate::reference::ge::transform#pipeline).

use crate::ge::arithmetic::Real;
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

pub(crate) type Vector3<R> = [R; 3];

/// Three axes and a translation: `out[j] = x·axis0[j] + y·axis1[j] + z·axis2[j] + 1·translation[j]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine<R>(pub [[R; 3]; 4]);

/// A projective matrix with four rows, for row vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Projective<R>(pub [[R; 4]; 4]);

impl<R: Real> Affine<R> {
    /// Loads a matrix with 12 elements.
    #[must_use]
    pub(crate) fn load(registers: &Registers, matrix: Matrix) -> Self {
        Self::from_elements(registers.matrix(matrix))
    }

    /// Loads bone matrix `bone`, 0 to 7.
    #[must_use]
    pub(crate) fn load_bone(registers: &Registers, bone: usize) -> Self {
        Self::from_elements(registers.matrix(Matrix::Bone).get(12 * bone..).unwrap_or(&[]))
    }

    fn from_elements(elements: &[Float24]) -> Self {
        let mut rows = [[R::ZERO; 3]; 4];
        for (element, value) in rows.as_flattened_mut().iter_mut().zip(elements) {
            *element = R::from_f32(value.to_f32());
        }
        Self(rows)
    }

    /// Transforms a point, with translation.
    #[inline(always)]
    #[must_use]
    pub(crate) fn transform_point(&self, [x, y, z]: Vector3<R>) -> Vector3<R> {
        row_times_matrix([x, y, z, R::ONE], &self.0)
    }

    /// Transforms a direction, without translation.
    #[inline(always)]
    #[must_use]
    pub(crate) fn transform_direction(&self, vector: Vector3<R>) -> Vector3<R> {
        let [axes @ .., _] = &self.0;
        row_times_matrix(vector, axes)
    }

    /// Concatenates matrices, to apply `self` first and then `next`.
    #[inline(always)]
    #[must_use]
    pub(crate) fn then(&self, next: &Self) -> Self {
        let [x, y, z, translation] = self.0;
        Self([
            next.transform_direction(x),
            next.transform_direction(y),
            next.transform_direction(z),
            next.transform_point(translation),
        ])
    }

    /// Concatenates a matrix and a projection, to apply `self` first and then `next`.
    #[inline(always)]
    #[must_use]
    pub(crate) fn then_project(&self, next: &Projective<R>) -> Projective<R> {
        let [x, y, z, translation] = self.0;
        let [rows @ .., _] = &next.0;
        Projective([
            row_times_matrix(x, rows),
            row_times_matrix(y, rows),
            row_times_matrix(z, rows),
            next.transform_point(translation),
        ])
    }
}

/// Multiplies a row vector by a matrix's rows.
#[inline(always)]
fn row_times_matrix<R: Real, const TERMS: usize, const N: usize>(
    vector: [R; TERMS],
    rows: &[[R; N]; TERMS],
) -> [R; N] {
    let mut numbers = [[R::ZERO; N]; TERMS];
    for (numbers, number) in numbers.iter_mut().zip(vector) {
        *numbers = [number; N];
    }
    R::row_sums(&numbers, rows)
}

impl<R: Real> Projective<R> {
    #[must_use]
    pub(crate) fn load(registers: &Registers) -> Self {
        let mut rows = [[R::ZERO; 4]; 4];
        for (element, value) in rows.as_flattened_mut().iter_mut().zip(registers.matrix(Matrix::Projection)) {
            *element = R::from_f32(value.to_f32());
        }
        Self(rows)
    }

    /// Transforms a point with w = 1.
    #[inline(always)]
    #[must_use]
    pub(crate) fn transform_point(&self, [x, y, z]: Vector3<R>) -> [R; 4] {
        row_times_matrix([x, y, z, R::ONE], &self.0)
    }
}

/// Computes the dot product.
#[must_use]
pub(crate) fn dot<R: Real>(a: Vector3<R>, b: Vector3<R>) -> R {
    R::row_sum(a, b)
}

/// Normalises a vector; a zero vector stays zero.
/// Source: [normalising](crate::reference::ge::numbers#length-and-normalising).
#[must_use]
pub(crate) fn normalize<R: Real>(vector: Vector3<R>) -> Vector3<R> {
    let squared = dot(vector, vector);
    if squared == R::ZERO {
        return vector;
    }
    let reciprocal = squared.reciprocal_sqrt();
    vector.map(|component| component * reciprocal)
}

/// The limit for light registers, and for fog registers in single arithmetic. ±2^60 is very large, but its square
/// is still finite.
const VERY_LARGE: f32 = (1_u64 << 60) as f32;

/// Reads a register's number, limited to ±2^60. Infinity and NaN become this limit with their sign.
/// Source: [special values of lights](crate::reference::ge::lighting#spot) (hardware test `commands/light`).
#[must_use]
pub(crate) fn bounded<R: Real>(registers: &Registers, opcode: Opcode) -> R {
    let value = registers.float(opcode);
    R::from_f32(if value.abs() < VERY_LARGE { value } else { VERY_LARGE.copysign(value) })
}

/// Reads a vector from three registers, each [`bounded`].
#[must_use]
pub(crate) fn bounded3<R: Real>(registers: &Registers, first: Opcode) -> Vector3<R> {
    [0, 1, 2].map(|axis| bounded(registers, first.plus(axis)))
}

/// Converts IEEE singles.
#[must_use]
pub(crate) fn convert<R: Real, const N: usize>(values: [f32; N]) -> [R; N] {
    values.map(R::from_f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;
    use crate::ge::command::Command;

    #[test]
    fn concatenation_applies_left_then_right() {
        let scale = Affine([[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 4.0], [0.0; 3]]);
        let shift = Affine([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [10.0_f32, 20.0, 30.0]]);
        assert_eq!(
            scale.then(&shift).transform_point([1.0, 1.0, 1.0]),
            [12.0, 23.0, 34.0],
            "scale, then shift"
        );
        assert_eq!(
            shift.then(&scale).transform_point([1.0, 1.0, 1.0]),
            [22.0, 63.0, 124.0],
            "shift, then scale"
        );
    }

    #[test]
    fn zero_vectors_stay_zero() {
        assert_eq!(normalize([0.0_f32; 3]), [0.0; 3], "zero vector");
        assert_eq!(normalize([3.0_f32, 0.0, 4.0]), [0.6, 0.0, 0.8], "length 1");
    }

    /// [Row sums](crate::reference::ge::numbers#row-sums) do not depend on the order in which terms are
    /// added, and a translation is a term too.
    #[test]
    fn products_of_matrices_are_row_sums() {
        let number = Hf16::from_f32;
        let tiny = number(2.0_f32.powi(-16));
        let mut matrix = [[Hf16::ZERO; 3]; 4];
        for (row, value) in matrix.iter_mut().zip([tiny, tiny, Hf16::ZERO, Hf16::ONE]) {
            row[0] = value;
        }
        let point = Affine(matrix).transform_point([Hf16::ONE; 3]);
        assert_eq!(point[0], Hf16::ONE, "both terms are cut before they are added");
        let [direction, ..] = Affine(matrix).transform_direction([Hf16::ONE; 3]);
        assert_eq!(direction, tiny + tiny, "without the translation nothing is cut");
        let moved = Affine(matrix).then(&Affine(matrix));
        assert_eq!(moved.0[3], [number(1.0), Hf16::ZERO, Hf16::ZERO], "1 · 2^-16 + 1 · 1");
        let length = dot([number(3.0), number(0.0), number(4.0)], [number(3.0), number(0.0), number(4.0)]);
        assert_eq!(length, number(25.0), "exact terms");
    }

    #[test]
    fn bounds_infinite_and_nan_registers() {
        let mut registers = Registers::new();
        for (bits, expected) in [
            (0x3F_8000, 1.0),
            (0x7F_8000, VERY_LARGE),
            (0x7F_C000, VERY_LARGE),
            (0xFF_8000, -VERY_LARGE),
            (0xFF_C000, -VERY_LARGE),
            (0x7F_0000, VERY_LARGE),
        ] {
            registers.write(Command::new(Opcode::LX0, bits));
            assert_eq!(bounded::<f32>(&registers, Opcode::LX0), expected, "{bits:#x}");
        }
        let [x, y, _] = bounded3::<f32>(&registers, Opcode::LX0);
        assert_eq!([x, y], [VERY_LARGE, 0.0], "consecutive registers");
        assert!((VERY_LARGE * VERY_LARGE * 3.0).is_finite(), "the squared length is finite");
    }
}
