//! Rotations as three angles, and matrices taken apart into scale, angles and translation.
//!
//! # Invariants
//! Angles go through `libm`, so that the same ones give the same bits on every machine.

use super::options::Z_TURNS_FIRST;
use crate::formats::core::options::ParseOptions;
use crate::model::matrix::Affine;

/// Axes in the order in which they turn a point. No document says it for this game, and the known files do not tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order([usize; 3]);

impl Order {
    /// X first, as this series' other games have it (inferred).
    const USUAL: Self = Self([0, 1, 2]);
    /// Z first, as one tool has it for maps of this game's successor.
    const OTHER: Self = Self([2, 1, 0]);

    /// The order that a request asks for.
    pub(super) fn of(options: ParseOptions<'_>) -> Self {
        if options.has(Z_TURNS_FIRST) { Self::OTHER } else { Self::USUAL }
    }
}

/// A matrix in parts: first it scales, then it turns, then it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Parts {
    pub(super) translation: [f32; 3],
    /// Angles around x, y and z, in radians.
    pub(super) rotation: [f32; 3],
    pub(super) scale: [f32; 3],
}

/// The matrix that its parts make.
pub(super) fn compose(parts: &Parts, order: Order) -> Affine {
    let axes = axes_of(parts.rotation, order);
    let [x, y, z] = [0, 1, 2].map(|axis: usize| {
        let scale = f64::from(element(&parts.scale, axis));
        axes.get(axis).copied().unwrap_or_default().map(|value| single(value * scale))
    });
    let [tx, ty, tz] = parts.translation;
    [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2], tx, ty, tz]
}

/// Parts that make the matrix; a mirroring one gets a negative scale of z. Shear is lost.
pub(super) fn decompose(matrix: &Affine, order: Order) -> Parts {
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz, tx, ty, tz] = matrix.map(f64::from);
    let axes = [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]];
    let mut scale = axes.map(|[x, y, z]| libm::sqrt((x * x + y * y) + z * z));
    let determinant = (xx * (yy * zz - yz * zy) - xy * (yx * zz - yz * zx)) + xz * (yx * zy - yy * zx);
    if determinant < 0.0 {
        scale[2] = -scale[2];
    }
    // The columns of the rotation; an axis without length has no direction.
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
    let sign = if (first.wrapping_add(1)) % 3 == second { 1.0 } else { -1.0 };
    let sine = (-sign * at(third, first)).clamp(-1.0, 1.0);
    let angles = if sine.abs() < 0.999_999_9 {
        [
            libm::atan2(sign * at(third, second), at(third, third)),
            libm::asin(sine),
            libm::atan2(sign * at(second, first), at(first, first)),
        ]
    } else {
        // The first and third axis coincide: all of the turn goes to the first.
        [libm::atan2(-sign * at(second, third), at(second, second)), libm::asin(sine), 0.0]
    };
    let mut rotation = [0.0; 3];
    for (axis, angle) in order.0.into_iter().zip(angles) {
        if let Some(slot) = rotation.get_mut(axis) {
            *slot = single(angle);
        }
    }
    Parts { translation: [tx, ty, tz].map(single), rotation, scale: scale.map(single) }
}

/// Where the rotation puts the three axes.
fn axes_of(rotation: [f32; 3], order: Order) -> [[f64; 3]; 3] {
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

#[expect(clippy::cast_possible_truncation, reason = "rounded to single once, at the end")]
fn single(value: f64) -> f32 {
    value as f32
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
    fn x_turns_first() {
        let parts =
            Parts { translation: [5.0, 6.0, 7.0], rotation: [QUARTER, 0.0, QUARTER], scale: [1.0, 2.0, 3.0] };
        // y becomes z around x and stays so around z; x becomes y; z becomes -y, then x.
        let expected = [0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 3.0, 0.0, 0.0, 5.0, 6.0, 7.0];
        close(&compose(&parts, Order::USUAL), &expected, "two quarter turns");
        // Around z x becomes y, and around x that becomes z; y becomes -x.
        let expected = [0.0, 0.0, 1.0, -2.0, 0.0, 0.0, 0.0, -3.0, 0.0, 5.0, 6.0, 7.0];
        close(&compose(&parts, Order::OTHER), &expected, "the other way round");
    }

    #[test]
    fn matrices_come_back_from_their_parts() {
        let steps = [-2.5_f32, -QUARTER, -0.4, 0.0, 1.1, QUARTER, 3.0];
        for x in steps {
            for y in steps {
                for z in steps {
                    let scale = if x > 0.0 { [2.0, 1.0, 0.5] } else { [1.0, 3.0, -1.5] };
                    let parts = Parts { translation: [1.0, -2.0, 3.0], rotation: [x, y, z], scale };
                    for order in [Order::USUAL, Order::OTHER] {
                        let matrix = compose(&parts, order);
                        let again = compose(&decompose(&matrix, order), order);
                        close(&again, &matrix, &format!("{x} {y} {z} {order:?}"));
                    }
                }
            }
        }
    }

    #[test]
    fn flat_matrices_have_parts() {
        let flat = [0.0; 12];
        assert_eq!(compose(&decompose(&flat, Order::USUAL), Order::USUAL), flat, "nothing left");
    }
}
