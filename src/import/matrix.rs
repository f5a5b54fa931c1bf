//! Matrices with four columns, as in glTF, in double precision.

/// Four columns.
pub(super) type Matrix = [[f64; 4]; 4];

pub(super) const IDENTITY: Matrix =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// Creates a matrix from 16 numbers, column by column.
pub(super) fn of_columns(numbers: &[f64; 16]) -> Matrix {
    [0, 1, 2, 3].map(|column: usize| [0, 1, 2, 3].map(|row: usize| numbers[4 * column + row]))
}

/// Multiplies two matrices: the result applies `second` first.
pub(super) fn times(first: &Matrix, second: &Matrix) -> Matrix {
    second.map(|column| [0, 1, 2, 3].map(|row: usize| (0..4).map(|at| first[at][row] * column[at]).sum()))
}

pub(super) fn point(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [i, j, k, t] = matrix;
    [0, 1, 2].map(|row: usize| i[row] * x + j[row] * y + k[row] * z + t[row])
}

/// Transforms a normal, so that it stays perpendicular to its surface at any scale. Its length changes.
pub(super) fn normal(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [i, j, k, _] = matrix;
    let (a, b, c) = (cross(j, k), cross(k, i), cross(i, j));
    let side = if mirrors(matrix) { -1.0 } else { 1.0 };
    [0, 1, 2].map(|row: usize| side * (a[row] * x + b[row] * y + c[row] * z))
}

/// Returns whether this matrix mirrors, and so turns triangles to the other side.
pub(super) fn mirrors(matrix: &Matrix) -> bool {
    let [i, j, k, _] = matrix;
    let across = cross(i, j);
    (0..3).map(|row| across[row] * k[row]).sum::<f64>() < 0.0
}

fn cross(a: &[f64; 4], b: &[f64; 4]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
