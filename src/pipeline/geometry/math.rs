//! Vectors and matrices of the transform unit, with a fixed order of every sum.
//!
//! A dot product is `((x·a + y·b) + z·c) + w·d`, with each product and each sum cut to the number format.
//! Source: [numbers](crate::reference::ge::numbers#sums),
//! [pipeline](crate::reference::ge::transform#pipeline).

use crate::ge::arithmetic::Real;
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

/// A vector of three numbers.
pub(crate) type Vector3<R> = [R; 3];

/// Three axes and a translation: `out[j] = ((x·axis0[j] + y·axis1[j]) + z·axis2[j]) + translation[j]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Affine<R>(pub [[R; 3]; 4]);

/// A projective matrix of four rows, for row vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Projective<R>(pub [[R; 4]; 4]);

impl<R: Real> Affine<R> {
    /// Loads a matrix of 12 elements.
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
    pub(crate) fn transform_point(&self, point: Vector3<R>) -> Vector3<R> {
        let mut out = self.transform_direction(point);
        for (out, translation) in out.iter_mut().zip(self.0[3]) {
            *out = *out + translation;
        }
        out
    }

    /// Transforms a direction, without translation.
    #[inline(always)]
    #[must_use]
    pub(crate) fn transform_direction(&self, vector: Vector3<R>) -> Vector3<R> {
        let [row_x, row_y, row_z, _] = &self.0;
        weighted(vector, [row_x, row_y, row_z])
    }

    /// Concatenates: the result applies `self`, then `next`.
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

    /// Concatenates: the result applies `self`, then the projection `next`.
    #[inline(always)]
    #[must_use]
    pub(crate) fn then_project(&self, next: &Projective<R>) -> Projective<R> {
        let [x, y, z, translation] = self.0;
        let [row_x, row_y, row_z, _] = &next.0;
        let rows = [row_x, row_y, row_z];
        Projective([
            weighted(x, rows),
            weighted(y, rows),
            weighted(z, rows),
            next.transform_point(translation),
        ])
    }
}

/// Sums the rows, each times one number.
#[inline(always)]
fn weighted<R: Real, const N: usize>([x, y, z]: Vector3<R>, [row_x, row_y, row_z]: [&[R; N]; 3]) -> [R; N] {
    let mut out = [R::ZERO; N];
    for (j, out) in out.iter_mut().enumerate() {
        *out = (x * row_x[j] + y * row_y[j]) + z * row_z[j];
    }
    out
}

impl<R: Real> Projective<R> {
    /// Loads the projection matrix.
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
    pub(crate) fn transform_point(&self, point: Vector3<R>) -> [R; 4] {
        let [row_x, row_y, row_z, row_w] = &self.0;
        let mut out = weighted(point, [row_x, row_y, row_z]);
        for (out, row_w) in out.iter_mut().zip(row_w) {
            *out = *out + *row_w;
        }
        out
    }
}

/// Computes the dot product.
#[must_use]
pub(crate) fn dot<R: Real>([ax, ay, az]: Vector3<R>, [bx, by, bz]: Vector3<R>) -> R {
    (ax * bx + ay * by) + az * bz
}

/// Normalises a vector; a zero vector stays zero.
#[must_use]
pub(crate) fn normalize<R: Real>(vector: Vector3<R>) -> Vector3<R> {
    let squared = dot(vector, vector);
    if squared == R::ZERO {
        return vector;
    }
    let reciprocal = squared.sqrt().reciprocal();
    vector.map(|component| component * reciprocal)
}

/// The limit for registers of lights and fog, ±2^60: very large, but its square is finite.
const VERY_LARGE: f32 = (1_u64 << 60) as f32;

/// Reads the number in a register, limited to ±2^60; infinity and NaN count as the limit of their sign.
/// Source: [special values of lights](crate::reference::ge::lighting#spot) (hardware test `commands/light`),
/// [of fog](crate::reference::ge::transform#special-values).
#[must_use]
pub(crate) fn bounded<R: Real>(registers: &Registers, opcode: Opcode) -> R {
    let value = registers.float(opcode);
    R::from_f32(if value.abs() < VERY_LARGE { value } else { VERY_LARGE.copysign(value) })
}

/// Reads the vector in three registers, each [`bounded`].
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
