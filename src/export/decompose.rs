//! Affine matrices as scale, turn and move.
//!
//! One such transformation cannot say every matrix: a scale behind a turn leans axes. Two, one inside the other, can:
//! every linear map is a turn, a scale along the axes, and another turn (its singular values).
//!
//! # Invariants
//! Computed in IEEE double in one written order; the results are finite for finite matrices.

use super::scene::Transform;
use crate::model::matrix::Affine;

/// How a matrix, or all matrices that a node goes through, can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Form {
    /// One node: scaled, then turned.
    One,
    /// Two nodes: turned inside, then scaled along the axes of the outer one.
    ScaleOutside,
    /// Two nodes: turned inside, then scaled and turned.
    General,
}

/// The nodes of one matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pieces {
    /// The outer node, or the only one.
    pub(super) outer: Transform,
    /// The turn inside it; nothing in [`Form::One`].
    pub(super) inner: [f32; 4],
}

type Vector = [f64; 3];
/// Three columns: the images of the axes.
type Linear = [Vector; 3];

const IDENTITY: Linear = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// Cosines of angles this near to a right one count as rounding.
const SQUARE: f64 = 4e-6;

impl Form {
    /// The simplest form of a matrix.
    pub(super) fn of(matrix: &Affine) -> Self {
        let linear = linear(matrix);
        if is_square(&linear) {
            Self::One
        } else if is_square(&transpose(&linear)) {
            Self::ScaleOutside
        } else {
            Self::General
        }
    }

    /// The form that can say all that either can.
    pub(super) fn join(self, other: Self) -> Self {
        self.max(other)
    }
}

/// Takes the matrices of one node apart, so that what follows one another lies near one another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decomposer {
    form: Form,
    inside: Linear,
    last: Option<([f64; 4], [f64; 4])>,
}

impl Decomposer {
    pub(super) const fn new(form: Form) -> Self {
        Self { form, inside: IDENTITY, last: None }
    }

    /// The pieces of the next matrix. A matrix that the form cannot say comes out without its lean.
    pub(super) fn next(&mut self, matrix: &Affine) -> Pieces {
        let columns = linear(matrix);
        let (turn, scale, inside) = match self.form {
            Form::One => {
                let (turn, scale) = turn_and_scale(&columns);
                (turn, scale, IDENTITY)
            }
            Form::ScaleOutside => {
                let (rows, scale) = turn_and_scale(&transpose(&columns));
                (IDENTITY, scale, transpose(&rows))
            }
            Form::General => {
                self.inside = principal(&columns, &self.inside);
                let (turn, scale) = turn_and_scale(&times(&columns, &self.inside));
                (turn, scale, transpose(&self.inside))
            }
        };
        let (mut outer, mut inner) = (quaternion(&turn), quaternion(&inside));
        if let Some((last_outer, last_inner)) = self.last {
            outer = nearer(outer, last_outer);
            inner = nearer(inner, last_inner);
        }
        self.last = Some((outer, inner));
        let [.., x, y, z] = *matrix;
        let scale = scale.map(single);
        let transform = Transform { translation: [x, y, z], rotation: outer.map(single), scale };
        Pieces { outer: transform, inner: inner.map(single) }
    }
}

/// The matrix that a transformation stands for.
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

/// Whether a matrix turns things inside out.
pub(super) fn mirrors(matrix: &Affine) -> bool {
    let [x, y, z] = linear(matrix);
    dot(cross(x, y), z) < 0.0
}

#[expect(clippy::cast_possible_truncation, reason = "rounded to single once, at the end")]
fn single(value: f64) -> f32 {
    value as f32
}

fn linear(matrix: &Affine) -> Linear {
    let m = matrix.map(f64::from);
    [[m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]]
}

fn transpose(m: &Linear) -> Linear {
    [0, 1, 2].map(|row| [m[0][row], m[1][row], m[2][row]])
}

/// The product: first `b`, then `a`.
fn times(a: &Linear, b: &Linear) -> Linear {
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

/// Whether the columns stand at right angles, those of no length included.
fn is_square(m: &Linear) -> bool {
    [(0, 1), (1, 2), (2, 0)]
        .iter()
        .all(|&(a, b)| dot(m[a], m[b]).abs() <= SQUARE * length(m[a]) * length(m[b]))
}

/// Columns at right angles as a turn and a scale. A mirrored one has a negative scale along x.
fn turn_and_scale(columns: &Linear) -> (Linear, Vector) {
    let mut scale = columns.map(length);
    let largest = scale.iter().copied().fold(0.0, f64::max);
    let known = scale.map(|length| length > largest * 1e-12 && length > 0.0);
    let mut turn = *columns;
    for axis in 0..3 {
        if known[axis] {
            turn[axis] = turn[axis].map(|element| element / scale[axis]);
        }
    }
    complete(&mut turn, known);
    if dot(cross(turn[0], turn[1]), turn[2]) < 0.0 {
        turn[0] = turn[0].map(|element| -element);
        scale[0] = -scale[0];
    }
    // What is left of a lean, and of rounding, goes.
    turn[1] = unit(cross(turn[2], turn[0]));
    turn[2] = unit(cross(turn[0], turn[1]));
    (turn, scale)
}

/// Puts something at right angles in place of axes of no length.
fn complete(turn: &mut Linear, known: [bool; 3]) {
    match known {
        [true, true, true] => {}
        [true, true, false] => turn[2] = cross(turn[0], turn[1]),
        [true, false, true] => turn[1] = cross(turn[2], turn[0]),
        [false, true, true] => turn[0] = cross(turn[1], turn[2]),
        _ => match known.iter().position(|&known| known) {
            None => *turn = IDENTITY,
            Some(axis) => {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                // The direction that the axis has least to do with.
                let least = (0..3).min_by(|&a, &b| turn[axis][a].abs().total_cmp(&turn[axis][b].abs()));
                turn[next] = unit(cross(IDENTITY[least.unwrap_or(0)], turn[axis]));
                turn[last] = cross(turn[axis], turn[next]);
            }
        },
    }
}

fn unit(vector: Vector) -> Vector {
    let length = length(vector);
    if length > 0.0 { vector.map(|element| element / length) } else { [0.0, 0.0, 1.0] }
}

/// A turn whose axes `m` maps to directions at right angles, near to `guess`: the eigenvectors of mᵀm, by Jacobi's
/// rotations.
fn principal(m: &Linear, guess: &Linear) -> Linear {
    let mut turn = *guess;
    for _ in 0..30 {
        let mut rested = true;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let moved = times(m, &turn);
            let (pp, qq, pq) = (dot(moved[p], moved[p]), dot(moved[q], moved[q]), dot(moved[p], moved[q]));
            if pq.abs() <= 1e-15 * (pp * qq).sqrt() || pq == 0.0 {
                continue;
            }
            rested = false;
            // The smaller of the two angles that make both columns square to one another.
            let slope = (qq - pp) / (2.0 * pq);
            let tangent = slope.signum() / (slope.abs() + (slope * slope + 1.0).sqrt());
            let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
            let sine = tangent * cosine;
            let (a, b) = (turn[p], turn[q]);
            turn[p] = [0, 1, 2].map(|i| cosine * a[i] - sine * b[i]);
            turn[q] = [0, 1, 2].map(|i| sine * a[i] + cosine * b[i]);
        }
        if rested {
            break;
        }
    }
    turn
}

/// A turn as a quaternion of length 1.
fn quaternion(m: &Linear) -> [f64; 4] {
    let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] = *m;
    let candidates = [
        [1.0 + xx - yy - zz, xy + yx, zx + xz, yz - zy],
        [xy + yx, 1.0 - xx + yy - zz, yz + zy, zx - xz],
        [zx + xz, yz + zy, 1.0 - xx - yy + zz, xy - yx],
        [yz - zy, zx - xz, xy - yx, 1.0 + xx + yy + zz],
    ];
    // All four are the same up to their length; the longest has the least rounding.
    let largest = [0, 1, 2, 3].into_iter().max_by(|&a, &b| candidates[a][a].total_cmp(&candidates[b][b]));
    let chosen = candidates[largest.unwrap_or(3)];
    let length = chosen.iter().map(|part| part * part).sum::<f64>().sqrt();
    let sign = if chosen[3] < 0.0 { -1.0 } else { 1.0 };
    if length > 0.0 { chosen.map(|part| part / length * sign) } else { [0.0, 0.0, 0.0, 1.0] }
}

/// The one of the two quaternions of a turn that lies nearer to another.
fn nearer(quaternion: [f64; 4], other: [f64; 4]) -> [f64; 4] {
    let along: f64 = quaternion.iter().zip(other).map(|(a, b)| a * b).sum();
    if along < 0.0 { quaternion.map(|part| -part) } else { quaternion }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::matrix::{scaled, then, translation};

    /// Around z by the angle whose tangent is 3/4, then around x by the same.
    const TURN: Affine = [0.8, 0.48, 0.36, -0.6, 0.64, 0.48, 0.0, -0.6, 0.8, 1.0, 2.0, 3.0];

    fn rebuilt(pieces: &Pieces) -> Affine {
        let inner = Transform { rotation: pieces.inner, ..Transform::default() };
        then(&matrix_of(&inner), &matrix_of(&pieces.outer))
    }

    fn check(matrix: &Affine, expected: Form) {
        assert_eq!(Form::of(matrix), expected, "{matrix:?}");
        let again = rebuilt(&Decomposer::new(expected).next(matrix));
        let size = matrix.iter().fold(1.0_f32, |size, element| size.max(element.abs()));
        for (a, b) in again.iter().zip(matrix) {
            assert!((a - b).abs() <= 2e-6 * size, "{again:?} is not {matrix:?}");
        }
    }

    #[test]
    fn every_matrix_comes_back() {
        let flat = |scale| scaled(TURN, scale);
        for scale in [[1.0; 3], [2.0, 3.0, 0.5], [-1.0, 1.0, 1.0], [-2.0, -3.0, -4.0], [1.0, 1.0, 0.0]] {
            check(&flat(scale), Form::One);
        }
        check(&flat([0.0, 7.0, 0.0]), Form::One);
        check(&flat([0.0; 3]), Form::One);
        let outside = |scale: [f32; 3]| then(&TURN, &scaled(translation([5.0, 0.0, 0.0]), scale));
        check(&outside([1.0, 2.0, 4.0]), Form::ScaleOutside);
        check(&outside([1.0, -2.0, 4.0]), Form::ScaleOutside);
        check(&then(&outside([1.0, 2.0, 4.0]), &TURN), Form::General);
        check(&then(&scaled(TURN, [1.0, 3.0, 1.0]), &outside([3.0, 1.0, -1.0])), Form::General);
        check(&[1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], Form::General);
        check(&[1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], Form::ScaleOutside);
    }

    /// Half a turn further each time, the pieces never jump.
    #[test]
    fn neighbours_stay_neighbours() {
        for form in [Form::One, Form::General] {
            let mut decomposer = Decomposer::new(form);
            let mut last: Option<Pieces> = None;
            for step in 0..200 {
                let (sine, cosine) = libm::sincosf(step as f32 * 0.1);
                let turn = [cosine, sine, 0.0, -sine, cosine, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
                let matrix = if form == Form::One {
                    turn
                } else {
                    then(&turn, &[1.0, 0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.1, 1.5, 0.0, 0.0, 0.0])
                };
                let pieces = decomposer.next(&matrix);
                if let Some(last) = last {
                    let parts = pieces.outer.rotation.iter().chain(&pieces.inner);
                    let before = last.outer.rotation.iter().chain(&last.inner);
                    let most = parts.zip(before).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
                    assert!(most < 0.2, "{form:?}, step {step}: {last:?} to {pieces:?}");
                }
                last = Some(pieces);
            }
        }
    }
}
