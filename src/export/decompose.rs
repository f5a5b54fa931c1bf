//! Decomposes affine matrices into translation, rotation and scale, because nodes in model files are made of these.
//!
//! Not every matrix fits into a single such transform: a scale after a rotation shears. Two nested transforms are
//! enough, because every linear map is a rotation, a scale along the axes, and another rotation (singular value
//! decomposition).
//!
//! # Invariants
//! This computes in IEEE double in a fixed order. Finite matrices give finite results.

use super::scene::Transform;
use crate::model::matrix::{Affine, single};

/// Which nodes a matrix needs, or all matrices of an animated node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NodeForm {
    /// A single node: scale, then rotation.
    Single,
    /// Two nodes: a rotation inside, then a scale along the outer axes.
    ScaleOutside,
    /// Two nodes: a rotation inside, then scale and rotation.
    General,
}

/// The nodes' transforms for a matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Decomposition {
    /// For the outer or the only node.
    pub(super) outer: Transform,
    /// The inner node's rotation; the identity in [`NodeForm::Single`].
    pub(super) inner: [f32; 4],
}

type Vector = [f64; 3];
/// Three columns: where the axes go.
type Linear = [Vector; 3];

const IDENTITY: Linear = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// Cosines up to this size count as right angles.
const ORTHOGONAL_TOLERANCE: f64 = 4e-6;

impl NodeForm {
    /// Finds the simplest form for a matrix.
    pub(super) fn of(matrix: &Affine) -> Self {
        let linear = linear(matrix);
        if has_orthogonal_columns(&linear) {
            Self::Single
        } else if has_orthogonal_columns(&transpose(&linear)) {
            Self::ScaleOutside
        } else {
            Self::General
        }
    }

    /// Returns a form that expresses everything that either form can.
    pub(super) fn join(self, other: Self) -> Self {
        self.max(other)
    }
}

/// Decomposes a node's matrices in turn, and keeps the parts of similar matrices similar. Otherwise parts would jump
/// while an animation moves smoothly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decomposer {
    form: NodeForm,
    inner_basis: Linear,
    last: Option<([f64; 4], [f64; 4])>,
}

impl Decomposer {
    pub(super) const fn new(form: NodeForm) -> Self {
        Self { form, inner_basis: IDENTITY, last: None }
    }

    /// Decomposes the next matrix. This drops shear if the form cannot express it.
    pub(super) fn next(&mut self, matrix: &Affine) -> Decomposition {
        let columns = linear(matrix);
        let (rotation, scale, inner_basis) = match self.form {
            NodeForm::Single => {
                let (rotation, scale) = rotation_and_scale(&columns);
                (rotation, scale, IDENTITY)
            }
            NodeForm::ScaleOutside => {
                let (rows, scale) = rotation_and_scale(&transpose(&columns));
                (IDENTITY, scale, transpose(&rows))
            }
            NodeForm::General => {
                self.inner_basis = right_singular_vectors(&columns, &self.inner_basis);
                let (rotation, scale) = rotation_and_scale(&product(&columns, &self.inner_basis));
                (rotation, scale, transpose(&self.inner_basis))
            }
        };
        let (mut outer, mut inner) = (quaternion(&rotation), quaternion(&inner_basis));
        // A quaternion and its negative rotate alike. Take the closer, because viewers interpolate between them.
        if let Some((last_outer, last_inner)) = self.last {
            outer = same_hemisphere(outer, last_outer);
            inner = same_hemisphere(inner, last_inner);
        }
        self.last = Some((outer, inner));
        let [.., x, y, z] = *matrix;
        let scale = scale.map(single);
        let transform = Transform { translation: [x, y, z], rotation: outer.map(single), scale };
        Decomposition { outer: transform, inner: inner.map(single) }
    }
}

/// Computes a transform's matrix.
pub(super) fn matrix_of(transform: &Transform) -> Affine {
    let [x, y, z, w] = transform.rotation.map(f64::from);
    let columns = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
        [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
        [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
    ];
    let mut matrix = [0.0; 12];
    for (axis, (column, scale)) in columns.iter().zip(transform.scale).enumerate() {
        for (row, value) in column.iter().enumerate() {
            matrix[3 * axis + row] = single(value * f64::from(scale));
        }
    }
    matrix[9..].copy_from_slice(&transform.translation);
    matrix
}

/// Returns whether a matrix mirrors.
pub(super) fn mirrors(matrix: &Affine) -> bool {
    let [x, y, z] = linear(matrix);
    dot(cross(x, y), z) < 0.0
}

fn linear(matrix: &Affine) -> Linear {
    let m = matrix.map(f64::from);
    [[m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]]
}

fn transpose(m: &Linear) -> Linear {
    [0, 1, 2].map(|row| [m[0][row], m[1][row], m[2][row]])
}

/// Computes the product: first `b`, then `a`.
fn product(a: &Linear, b: &Linear) -> Linear {
    b.map(|column| {
        [0, 1, 2].map(|row| (a[0][row] * column[0] + a[1][row] * column[1]) + a[2][row] * column[2])
    })
}

fn dot(a: Vector, b: Vector) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(vector: Vector) -> f64 {
    dot(vector, vector).sqrt()
}

/// Returns whether the columns are at right angles. Zero columns are at right angles to all.
fn has_orthogonal_columns(m: &Linear) -> bool {
    [(0, 1), (1, 2), (2, 0)]
        .iter()
        .all(|&(a, b)| dot(m[a], m[b]).abs() <= ORTHOGONAL_TOLERANCE * length(m[a]) * length(m[b]))
}

/// Splits orthogonal columns into rotation and scale. If the matrix mirrors, the scale along x is negative.
fn rotation_and_scale(columns: &Linear) -> (Linear, Vector) {
    let mut scale = columns.map(length);
    let largest = scale.iter().copied().fold(0.0, f64::max);
    let known = scale.map(|length| length > largest * 1e-12 && length > 0.0);
    let mut rotation = *columns;
    for axis in 0..3 {
        if known[axis] {
            rotation[axis] = rotation[axis].map(|element| element / scale[axis]);
        }
    }
    complete_basis(&mut rotation, known);
    if dot(cross(rotation[0], rotation[1]), rotation[2]) < 0.0 {
        rotation[0] = rotation[0].map(|element| -element);
        scale[0] = -scale[0];
    }
    // This removes rounding errors and any shear.
    rotation[1] = unit(cross(rotation[2], rotation[0]));
    rotation[2] = unit(cross(rotation[0], rotation[1]));
    (rotation, scale)
}

/// Replaces axes without length, so that the basis is orthonormal.
fn complete_basis(rotation: &mut Linear, known: [bool; 3]) {
    match known {
        [true, true, true] => {}
        [true, true, false] => rotation[2] = cross(rotation[0], rotation[1]),
        [true, false, true] => rotation[1] = cross(rotation[2], rotation[0]),
        [false, true, true] => rotation[0] = cross(rotation[1], rotation[2]),
        _ => match known.iter().position(|&known| known) {
            None => *rotation = IDENTITY,
            Some(axis) => {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                // This starts from the most perpendicular coordinate axis, to lose the least precision.
                let least =
                    (0..3).min_by(|&a, &b| rotation[axis][a].abs().total_cmp(&rotation[axis][b].abs()));
                rotation[next] = unit(cross(IDENTITY[least.unwrap_or(0)], rotation[axis]));
                rotation[last] = cross(rotation[axis], rotation[next]);
            }
        },
    }
}

fn unit(vector: Vector) -> Vector {
    let length = length(vector);
    if length > 0.0 { vector.map(|element| element / length) } else { [0.0, 0.0, 1.0] }
}

/// Finds a rotation, close to `start`, so that `m` maps its columns to orthogonal directions. These are the
/// eigenvectors of mᵀm, found by Jacobi rotations.
fn right_singular_vectors(m: &Linear, start: &Linear) -> Linear {
    let mut rotation = *start;
    // This converges in a few rounds; the limit is for matrices that never do.
    for _ in 0..30 {
        let mut converged = true;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let images = product(m, &rotation);
            let (pp, qq, pq) =
                (dot(images[p], images[p]), dot(images[q], images[q]), dot(images[p], images[q]));
            if pq.abs() <= 1e-15 * (pp * qq).sqrt() || pq == 0.0 {
                continue;
            }
            converged = false;
            // Two angles make both columns orthogonal. This takes the smaller, to stay close to `start`.
            let slope = (qq - pp) / (2.0 * pq);
            let tangent = slope.signum() / (slope.abs() + (slope * slope + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            let (a, b) = (rotation[p], rotation[q]);
            rotation[p] = [0, 1, 2].map(|i| cosine * a[i] - sine * b[i]);
            rotation[q] = [0, 1, 2].map(|i| sine * a[i] + cosine * b[i]);
        }
        if converged {
            break;
        }
    }
    rotation
}

/// Converts a rotation to a unit quaternion.
fn quaternion(m: &Linear) -> [f64; 4] {
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = *m;
    let candidates = [
        [1.0 + xx - yy - zz, xy + yx, zx + xz, yz - zy],
        [xy + yx, 1.0 - xx + yy - zz, yz + zy, zx - xz],
        [zx + xz, yz + zy, 1.0 - xx - yy + zz, xy - yx],
        [yz - zy, zx - xz, xy - yx, 1.0 + xx + yy + zz],
    ];
    // All four are the same up to a factor. The longest rounds least.
    let largest = [0, 1, 2, 3].into_iter().max_by(|&a, &b| candidates[a][a].total_cmp(&candidates[b][b]));
    let chosen = candidates[largest.unwrap_or(3)];
    let length = chosen.iter().map(|part| part * part).sum::<f64>().sqrt();
    let sign = if chosen[3] < 0.0 { -1.0 } else { 1.0 };
    if length > 0.0 { chosen.map(|part| part / length * sign) } else { [0.0, 0.0, 0.0, 1.0] }
}

/// Returns a quaternion or its negative, whichever is closer to `other`. Both are the same rotation.
fn same_hemisphere(quaternion: [f64; 4], other: [f64; 4]) -> [f64; 4] {
    let along: f64 = quaternion.iter().zip(other).map(|(a, b)| a * b).sum();
    if along < 0.0 { quaternion.map(|part| -part) } else { quaternion }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::matrix::{scaled, then, translation};

    /// Around z by the angle whose tangent is 3/4, then around x by the same.
    const ROTATION: Affine = [0.8, 0.48, 0.36, -0.6, 0.64, 0.48, 0.0, -0.6, 0.8, 1.0, 2.0, 3.0];

    fn rebuilt(parts: &Decomposition) -> Affine {
        let inner = Transform { rotation: parts.inner, ..Transform::default() };
        then(&matrix_of(&inner), &matrix_of(&parts.outer))
    }

    fn check(matrix: &Affine, expected: NodeForm) {
        assert_eq!(NodeForm::of(matrix), expected, "{matrix:?}");
        let again = rebuilt(&Decomposer::new(expected).next(matrix));
        let size = matrix.iter().fold(1.0_f32, |size, element| size.max(element.abs()));
        for (a, b) in again.iter().zip(matrix) {
            assert!((a - b).abs() <= 2e-6 * size, "{again:?} is not {matrix:?}");
        }
    }

    #[test]
    fn parts_multiply_back_to_the_matrix() {
        let flat = |scale| scaled(ROTATION, scale);
        for scale in [[1.0; 3], [2.0, 3.0, 0.5], [-1.0, 1.0, 1.0], [-2.0, -3.0, -4.0], [1.0, 1.0, 0.0]] {
            check(&flat(scale), NodeForm::Single);
        }
        check(&flat([0.0, 7.0, 0.0]), NodeForm::Single);
        check(&flat([0.0; 3]), NodeForm::Single);
        let outside = |scale: [f32; 3]| then(&ROTATION, &scaled(translation([5.0, 0.0, 0.0]), scale));
        check(&outside([1.0, 2.0, 4.0]), NodeForm::ScaleOutside);
        check(&outside([1.0, -2.0, 4.0]), NodeForm::ScaleOutside);
        check(&then(&outside([1.0, 2.0, 4.0]), &ROTATION), NodeForm::General);
        check(&then(&scaled(ROTATION, [1.0, 3.0, 1.0]), &outside([3.0, 1.0, -1.0])), NodeForm::General);
        check(&[1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], NodeForm::General);
        check(&[1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], NodeForm::ScaleOutside);
    }

    /// No part jumps over many small rotations.
    #[test]
    fn similar_matrices_give_similar_parts() {
        for form in [NodeForm::Single, NodeForm::General] {
            let mut decomposer = Decomposer::new(form);
            let mut last: Option<Decomposition> = None;
            for step in 0..200 {
                let (sine, cosine) = libm::sincosf(step as f32 * 0.1);
                let rotation = [cosine, sine, 0.0, -sine, cosine, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
                let matrix = if form == NodeForm::Single {
                    rotation
                } else {
                    then(&rotation, &[1.0, 0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.1, 1.5, 0.0, 0.0, 0.0])
                };
                let parts = decomposer.next(&matrix);
                if let Some(last) = last {
                    let components = parts.outer.rotation.iter().chain(&parts.inner);
                    let before = last.outer.rotation.iter().chain(&last.inner);
                    let most = components.zip(before).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                    assert!(most < 0.2, "{form:?}, step {step}: {last:?} to {parts:?}");
                }
                last = Some(parts);
            }
        }
    }
}
