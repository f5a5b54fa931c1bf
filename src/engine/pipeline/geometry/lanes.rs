//! Vector arithmetic on several vertices at once, written as loops that compile to SIMD instructions.
//!
//! # Invariants
//! Each lane gets the same result as a single vertex ([`super::math`]), so grouping never shows.

use super::math::{Affine, Projective};
use crate::ge::arithmetic::Real;

/// How many vertices a loop iteration handles.
pub(crate) const LANES: usize = 8;

/// A number per vertex.
pub(crate) type Lanes<R> = [R; LANES];

/// A vector per vertex, axis by axis.
pub(crate) type VectorLanes<R> = [Lanes<R>; 3];

/// Transforms directions by the same matrix, without translation.
#[inline(always)]
#[must_use]
pub(crate) fn transform_directions<R: Real>(matrix: &Affine<R>, directions: &[Lanes<R>; 3]) -> [Lanes<R>; 3] {
    let [axes @ .., _] = &matrix.0;
    R::rows_times_matrix(directions, axes)
}

/// Transforms points by the same matrix, with translation.
#[inline(always)]
#[must_use]
pub(crate) fn transform_points<R: Real>(matrix: &Affine<R>, points: &[Lanes<R>; 3]) -> [Lanes<R>; 3] {
    points_times_matrix(points, &matrix.0)
}

#[inline(always)]
#[must_use]
pub(crate) fn project<R: Real>(matrix: &Projective<R>, points: &[Lanes<R>; 3]) -> [Lanes<R>; 4] {
    points_times_matrix(points, &matrix.0)
}

/// Multiplies points by a matrix's rows, with 1 as their fourth number.
#[inline(always)]
fn points_times_matrix<R: Real, const N: usize>(
    [x, y, z]: &[Lanes<R>; 3],
    rows: &[[R; N]; 4],
) -> [Lanes<R>; N] {
    R::rows_times_matrix(&[*x, *y, *z, [R::ONE; LANES]], rows)
}

/// Normalises vectors; zero vectors stay zero ([`super::math::normalize`]).
#[inline(always)]
#[must_use]
pub(crate) fn normalize<R: Real>(vectors: &[Lanes<R>; 3]) -> [Lanes<R>; 3] {
    let reciprocals = inverse_lengths(vectors);
    let mut out = *vectors;
    for out in &mut out {
        for (out, reciprocal) in out.iter_mut().zip(&reciprocals) {
            *out = *out * *reciprocal;
        }
    }
    out
}

/// Normalises vectors; zero vectors become (0, 0, 1) ([`super::light_vector::normalize_or_z`]).
#[inline(always)]
#[must_use]
pub(crate) fn normalize_or_z<R: Real>(vectors: &VectorLanes<R>) -> VectorLanes<R> {
    let [mut x, mut y, mut z] = normalize(vectors);
    for lane in 0..LANES {
        let is_zero = (x[lane] == R::ZERO) & (y[lane] == R::ZERO) & (z[lane] == R::ZERO);
        // Zeros of either sign become positive, to match the vector for a single vertex.
        x[lane] = if is_zero { R::ZERO } else { x[lane] };
        y[lane] = if is_zero { R::ZERO } else { y[lane] };
        z[lane] = if is_zero { R::ONE } else { z[lane] };
    }
    [x, y, z]
}

/// Applies a function to each lane. Arrays have a `map`, but the compiler does not always inline it.
#[inline(always)]
#[must_use]
pub(crate) fn map<T: Copy, U: Copy + Default>(lanes: &[T; LANES], function: impl Fn(T) -> U) -> [U; LANES] {
    let mut out = [U::default(); LANES];
    for (out, lane) in out.iter_mut().zip(lanes) {
        *out = function(*lane);
    }
    out
}

/// Copies a vector to all lanes.
#[inline(always)]
#[must_use]
pub(crate) fn splat<R: Real, const N: usize>(vector: [R; N]) -> [Lanes<R>; N] {
    let mut out = [[R::ZERO; LANES]; N];
    for (out, number) in out.iter_mut().zip(vector) {
        *out = [number; LANES];
    }
    out
}

/// Computes dot products ([`super::math::dot`]).
#[inline(always)]
#[must_use]
pub(crate) fn dot<R: Real>(a: &VectorLanes<R>, b: &VectorLanes<R>) -> Lanes<R> {
    R::row_sums(a, b)
}

/// Gathers vectors from up to [`LANES`] vertices, axis by axis. Unused lanes are 0.
#[inline(always)]
#[must_use]
pub(crate) fn gather<T, R: Real, const N: usize>(
    vertices: &[T],
    components: impl Fn(&T) -> [f32; N],
) -> [Lanes<R>; N] {
    let mut singles = [[0.0; LANES]; N];
    for (lane, vertex) in vertices.iter().take(LANES).enumerate() {
        for (axis, number) in singles.iter_mut().zip(components(vertex)) {
            axis[lane] = number;
        }
    }
    let mut out = [[R::ZERO; LANES]; N];
    for (out, single) in out.as_flattened_mut().iter_mut().zip(singles.as_flattened()) {
        *out = R::from_f32(*single);
    }
    out
}

/// Extracts a lane's vector.
#[inline(always)]
#[must_use]
pub(crate) fn extract<R: Real, const N: usize>(lanes: &[Lanes<R>; N], lane: usize) -> [R; N] {
    let mut out = [R::ZERO; N];
    for (out, axis) in out.iter_mut().zip(lanes) {
        *out = axis[lane];
    }
    out
}

/// Returns the reciprocals of vector lengths, or 1 for zero vectors
/// ([`super::light_vector::inverse_length`]).
#[inline(always)]
#[must_use]
pub(crate) fn inverse_lengths<R: Real>(vectors: &VectorLanes<R>) -> Lanes<R> {
    map(&dot(vectors, vectors), |squared| {
        let inverse_length = squared.reciprocal_sqrt();
        if squared == R::ZERO { R::ONE } else { inverse_length }
    })
}
