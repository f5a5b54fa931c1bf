//! Converts between Euler angles and matrices: composes and decomposes scale, rotation and translation.
//!
//! # Invariants
//! Trigonometry uses `libm`, so that results are the same on every machine.

use crate::model::matrix::{Affine, single};

/// The order of axes in which to rotate a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EulerOrder([usize; 3]);

impl EulerOrder {
    /// X first, then y, then z.
    pub(crate) const X_FIRST: Self = Self([0, 1, 2]);
    /// Z first, then y, then x.
    pub(crate) const Z_FIRST: Self = Self([2, 1, 0]);
    /// Z first, then x, then y.
    pub(crate) const Z_X_Y: Self = Self([2, 0, 1]);
}

/// Scale, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Translation of the origin.
    pub translation: [f32; 3],
    /// Angles around x, y and z, in radians.
    pub rotation: [f32; 3],
    /// Factors along the axes.
    pub scale: [f32; 3],
}

impl Transform {
    /// Changes nothing.
    pub const IDENTITY: Self = Self { translation: [0.0; 3], rotation: [0.0; 3], scale: [1.0; 3] };
}

/// Converts a transform to a matrix.
#[must_use]
pub(crate) fn compose(transform: &Transform, order: EulerOrder) -> Affine {
    let axes = rotated_axes(transform.rotation, order);
    let [x, y, z] = [0, 1, 2].map(|axis: usize| {
        let scale = f64::from(element(&transform.scale, axis));
        axes.get(axis).copied().unwrap_or_default().map(|value| single(value * scale))
    });
    let [tx, ty, tz] = transform.translation;
    [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2], tx, ty, tz]
}

/// Converts a matrix to a transform. A mirroring matrix gets a negative z scale, because any axis can carry the
/// sign. Shear is lost.
#[must_use]
pub(crate) fn decompose(matrix: &Affine, order: EulerOrder) -> Transform {
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz, tx, ty, tz] = matrix.map(f64::from);
    let axes = [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]];
    let mut scale = axes.map(|[x, y, z]| libm::sqrt((x * x + y * y) + z * z));
    // A negative determinant means the axes form a left-handed system.
    let determinant = (xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx)) + xz * (yx * zy - yy * zx);
    if determinant < 0.0 {
        scale[2] = -scale[2];
    }
    // The rotation's columns; zero for axes of length 0, which have no direction.
    let mut columns = axes;
    for (column, size) in columns.iter_mut().zip(scale) {
        for value in column {
            *value = if size == 0.0 { 0.0 } else { *value / size };
        }
    }
    let at = |row: usize, column: usize| {
        columns.get(column).and_then(|column| column.get(row)).copied().unwrap_or(0.0)
    };
    let [first, second, third] = order.0;
    // The signs of the sines depend on whether the axes follow cyclically (x y z) or not (z y x).
    let sign = if (first.wrapping_add(1)) % 3 == second { 1.0 } else { -1.0 };
    let sine = (-sign * at(third, first)).clamp(-1.0, 1.0);
    let angles = if sine.abs() < 0.999_999_9 {
        [
            libm::atan2(sign * at(third, second), at(third, third)),
            libm::asin(sine),
            libm::atan2(sign * at(second, first), at(first, first)),
        ]
    } else {
        // Gimbal lock: the first and third axis coincide, so only their sum is known. The first takes it all.
        [libm::atan2(-sign * at(second, third), at(second, second)), libm::asin(sine), 0.0]
    };
    let mut rotation = [0.0; 3];
    for (axis, angle) in order.0.into_iter().zip(angles) {
        if let Some(slot) = rotation.get_mut(axis) {
            *slot = single(angle);
        }
    }
    Transform { translation: [tx, ty, tz].map(single), rotation, scale: scale.map(single) }
}

/// Computes the rotated x, y and z axes.
#[must_use]
pub(crate) fn rotated_axes(rotation: [f32; 3], order: EulerOrder) -> [[f64; 3]; 3] {
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for axis in order.0 {
        let angle = f64::from(element(&rotation, axis));
        let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
        for point in &mut axes {
            let [x, y, z] = *point;
            *point = match axis {
                0 => [x, cosine * y - sine * z, sine * y + cosine * z],
                1 => [cosine * x + sine * z, y, cosine * z - sine * x],
                _ => [cosine * x - sine * y, sine * x + cosine * y, z],
            };
        }
    }
    axes
}

fn element(values: &[f32; 3], index: usize) -> f32 {
    values.get(index).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUARTER: f32 = std::f32::consts::FRAC_PI_2;

    fn close(found: &Affine, expected: &Affine, what: &str) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-5, "{what}: {found} for {expected}");
        }
    }

    #[test]
    fn composes_rotations_in_order() {
        let transform = Transform {
            translation: [5.0, 6.0, 7.0],
            rotation: [QUARTER, 0.0, QUARTER],
            scale: [1.0, 2.0, 3.0],
        };
        // X first: x stays, then becomes y; y becomes z and stays; z becomes -y, then x.
        let expected = [0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.0, 0.0, 5.0, 6.0, 7.0];
        close(&compose(&transform, EulerOrder::X_FIRST), &expected, "x first");
        // Z first: x becomes y, then z; y becomes -x and stays; z stays, then becomes -y.
        let expected = [0.0, 0.0, 1.0, -2.0, 0.0, 0.0, 0.0, -3.0, 0.0, 5.0, 6.0, 7.0];
        close(&compose(&transform, EulerOrder::Z_FIRST), &expected, "z first");
    }

    #[test]
    fn decompose_inverts_compose() {
        let steps = [-2.5_f32, -QUARTER, -0.4, 0.0, 1.1, QUARTER, 3.0];
        for x in steps {
            for y in steps {
                for z in steps {
                    let scale = if x > 0.0 { [2.0, 1.0, 0.5] } else { [1.0, 3.0, -1.5] };
                    let transform = Transform { translation: [1.0, -2.0, 3.0], rotation: [x, y, z], scale };
                    for order in [EulerOrder::X_FIRST, EulerOrder::Z_FIRST, EulerOrder::Z_X_Y] {
                        let matrix = compose(&transform, order);
                        let again = compose(&decompose(&matrix, order), order);
                        close(&again, &matrix, &format!("{x} {y} {z} {order:?}"));
                    }
                }
            }
        }
    }

    #[test]
    fn decomposes_zero_matrix() {
        let flat = [0.0; 12];
        assert_eq!(compose(&decompose(&flat, EulerOrder::X_FIRST), EulerOrder::X_FIRST), flat, "scale 0");
    }
}
