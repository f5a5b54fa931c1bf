//! Affine matrices for WORLD, VIEW and BONE, in their [layout](crate::reference::ge::commands#matrix-upload): the
//! images of the x, y and z axis, then the translation.
//!
//! # Invariants
//! Sums are evaluated in IEEE single, in the order written and without fused multiply-add, so that results are the
//! same on every machine.

/// An affine matrix: x axis, y axis, z axis, translation.
pub type Affine = [f32; 12];

/// The identity.
pub const IDENTITY: Affine = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// Creates a translation.
#[must_use]
pub const fn translation([x, y, z]: [f32; 3]) -> Affine {
    [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, x, y, z]
}

/// Creates a matrix that scales first, then applies `matrix`.
#[must_use]
pub fn scaled(matrix: Affine, scale: [f32; 3]) -> Affine {
    let [x, y, z] = scale;
    let factors = [x, x, x, y, y, y, z, z, z, 1.0, 1.0, 1.0];
    let mut out = matrix;
    for (element, factor) in out.iter_mut().zip(factors) {
        *element *= factor;
    }
    out
}

/// Transforms a point.
#[must_use]
pub fn transform(matrix: &Affine, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz, tx, ty, tz] = *matrix;
    [((x * xx + y * yx) + z * zx) + tx, ((x * xy + y * yy) + z * zy) + ty, ((x * xz + y * yz) + z * zz) + tz]
}

/// Multiplies two matrices: the result applies `first`, then `second`.
#[must_use]
pub fn then(first: &Affine, second: &Affine) -> Affine {
    // Axes are directions, so the translation must not move them.
    let mut linear = *second;
    [linear[9], linear[10], linear[11]] = [0.0; 3];
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz, tx, ty, tz] = *first;
    let [x, y, z] = [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]].map(|axis| transform(&linear, axis));
    let t = transform(second, [tx, ty, tz]);
    [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2], t[0], t[1], t[2]]
}

/// Inverts a matrix; `None` if it is singular or the inverse is not finite.
#[must_use]
pub fn inverse(matrix: &Affine) -> Option<Affine> {
    // This computes in doubles, so that inverting a rotation leaves no visible rounding error.
    let m = matrix.map(f64::from);
    let minor = |a: usize, b: usize, c: usize, d: usize| m[a] * m[d] - m[b] * m[c];
    let cofactors = [
        [minor(4, 5, 7, 8), -minor(1, 2, 7, 8), minor(1, 2, 4, 5)],
        [-minor(3, 5, 6, 8), minor(0, 2, 6, 8), -minor(0, 2, 3, 5)],
        [minor(3, 4, 6, 7), -minor(0, 1, 6, 7), minor(0, 1, 3, 4)],
    ];
    let determinant = (m[0] * cofactors[0][0] + m[1] * cofactors[1][0]) + m[2] * cofactors[2][0];
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    let rows = cofactors.map(|row| row.map(|cofactor| cofactor / determinant));
    let back =
        |column: usize| -((m[9] * rows[0][column] + m[10] * rows[1][column]) + m[11] * rows[2][column]);
    let mut out = IDENTITY;
    for (element, value) in out.iter_mut().zip(rows.into_iter().flatten().chain([0, 1, 2].map(back))) {
        *element = single(value);
    }
    out.iter().all(|element| element.is_finite()).then_some(out)
}

/// Rounds to single. Compute in doubles and call this once, at the end.
#[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
pub(crate) const fn single(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A quarter turn around z, scaled and translated.
    const TURN: Affine = [0.0, 2.0, 0.0, -3.0, 0.0, 0.0, 0.0, 0.0, 4.0, 5.0, 6.0, 7.0];

    #[test]
    fn then_applies_first_matrix_first() {
        let moved = translation([1.0, 0.0, 0.0]);
        assert_eq!(transform(&TURN, [1.0, 1.0, 1.0]), [2.0, 8.0, 11.0], "axes, then translation");
        let both = then(&moved, &TURN);
        assert_eq!(transform(&both, [1.0, 1.0, 1.0]), [2.0, 10.0, 11.0], "moved, then turned");
        assert_eq!(transform(&then(&TURN, &moved), [1.0, 1.0, 1.0]), [3.0, 8.0, 11.0], "turned, then moved");
        assert_eq!(scaled(IDENTITY, [2.0, 3.0, 4.0])[..5], [2.0, 0.0, 0.0, 0.0, 3.0], "axes are scaled");
    }

    #[test]
    fn inverse_undoes_the_matrix() {
        // Powers of two, so that no operation rounds.
        let turn = scaled(TURN, [1.0, -4.0 / 3.0, 1.0]);
        let back = inverse(&turn).expect("not singular");
        for point in [[0.0; 3], [1.0, 2.0, 3.0], [-8.0, 0.5, 4.0]] {
            assert_eq!(transform(&back, transform(&turn, point)), point, "point is restored");
        }
        assert_eq!(inverse(&scaled(IDENTITY, [1.0, 0.0, 1.0])), None, "a plane has no inverse");
        assert_eq!(inverse(&[f32::NAN; 12]), None, "nor has a matrix of NaN");
    }
}
