//! The normal that the hardware uses in place of (0, 0, 0).
//!
//! For lighting and the environment map, a zero normal acts as `c · (1, 1, 1)` in model space. `c` is state in the
//! GE, and the last Bezier patch sets it. Splines, other draws, and saving or restoring a context do not.
//! Source: [zero normals](crate::reference::ge::lighting#zero-normals).

use super::lanes::{LANES, VectorLanes};
use super::math::Vector3;
use crate::ge::arithmetic::{Hf16, Real};

/// The replacement's sign `c`. After power-on it is positive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ZeroNormal {
    /// A zero normal acts as (1, 1, 1).
    #[default]
    Positive,
    /// A zero normal acts as (−1, −1, −1).
    Negative,
    /// A zero normal stays zero, so there is no diffuse and no specular light.
    Zero,
}

impl ZeroNormal {
    /// Returns `c`.
    #[must_use]
    pub(crate) const fn component(self) -> f32 {
        match self {
            Self::Positive => 1.0,
            Self::Negative => -1.0,
            Self::Zero => 0.0,
        }
    }

    /// Replaces zero vectors by `c · magnitude · (1, 1, 1)`.
    #[inline(always)]
    pub(crate) fn replace_zeros<R: Real>(self, vectors: &mut VectorLanes<R>, magnitude: f32) {
        let replacement = R::from_f32(self.component() * magnitude);
        let [x, y, z] = vectors;
        for lane in 0..LANES {
            let is_zero = (x[lane] == R::ZERO) & (y[lane] == R::ZERO) & (z[lane] == R::ZERO);
            for axis in [&mut *x, &mut *y, &mut *z] {
                axis[lane] = if is_zero { replacement } else { axis[lane] };
            }
        }
    }

    /// Returns the sign that a Bezier patch leaves. This is the sign of z in the patch's normal at the last corner,
    /// or the opposite sign if PATCHFACING `negates` the normals. The points are this corner, and the control
    /// points before it along u and v.
    #[must_use]
    pub(crate) fn of_corner([corner, before_u, before_v]: [Vector3<Hf16>; 3], negates: bool) -> Self {
        // To compute z in a cross product, this needs only x and y.
        let from = |[x, y, _]: Vector3<Hf16>| [corner[0] - x, corner[1] - y];
        let ([u_x, u_y], [v_x, v_y]) = (from(before_u), from(before_v));
        let z = Hf16::row_sum([u_x, u_y], [v_y, -v_x]).to_f32();
        Self::of_sign(if negates { -z } else { z })
    }

    /// Returns a number's sign. Zero and NaN give [`Self::Zero`].
    #[must_use]
    pub(crate) fn of_sign(z: f32) -> Self {
        if z > 0.0 {
            Self::Positive
        } else if z < 0.0 {
            Self::Negative
        } else {
            Self::Zero
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::geometry::lanes;

    fn replaced(zero_normal: ZeroNormal, vector: [f32; 3]) -> [f32; 3] {
        let mut vectors = lanes::splat(vector.map(Hf16::from_f32));
        zero_normal.replace_zeros(&mut vectors, 2.0);
        lanes::extract(&vectors, 7).map(Hf16::to_f32)
    }

    #[test]
    fn replaces_only_zero_vectors() {
        for (zero_normal, expected) in
            [(ZeroNormal::Positive, 2.0), (ZeroNormal::Negative, -2.0), (ZeroNormal::Zero, 0.0)]
        {
            assert_eq!(replaced(zero_normal, [0.0, -0.0, 0.0]), [expected; 3], "{zero_normal:?}");
            assert_eq!(replaced(zero_normal, [0.0, 0.5, 0.0]), [0.0, 0.5, 0.0], "not zero, {zero_normal:?}");
        }
    }

    #[test]
    fn the_sign_of_zero_and_nan_is_zero() {
        for (z, expected) in [(3.0, 1.0), (-1e-30, -1.0), (-0.0, 0.0), (f32::NAN, 0.0)] {
            assert_eq!(ZeroNormal::of_sign(z).component(), expected, "{z}");
        }
    }

    fn of_corner(points: [[f32; 3]; 3], negates: bool) -> ZeroNormal {
        ZeroNormal::of_corner(points.map(|point| point.map(Hf16::from_f32)), negates)
    }

    #[test]
    fn the_last_corner_decides() {
        let (right, up) = ([2.0, 3.0, 9.0], [3.0, 2.0, 8.0]);
        let corner = [3.0, 3.0, 7.0];
        assert_eq!(of_corner([corner, right, up], false), ZeroNormal::Positive, "(1, 0) × (0, 1)");
        assert_eq!(of_corner([corner, up, right], false), ZeroNormal::Negative, "(0, 1) × (1, 0)");
        assert_eq!(of_corner([corner, right, up], true), ZeroNormal::Negative, "PATCHFACING");
        assert_eq!(of_corner([corner, right, right], false), ZeroNormal::Zero, "parallel");
        assert_eq!(of_corner([corner, corner, up], true), ZeroNormal::Zero, "two equal points");
    }

    /// (1 + 2^-15)² − (1 + 2^-14) is 2^-30, which the products do not hold.
    #[test]
    fn products_are_cut() {
        let step = 1.0 / 32768.0;
        let (u, v) = ([1.0 + step, 1.0, 0.0], [1.0 + 2.0 * step, 1.0 + step, 0.0]);
        assert_eq!(of_corner([[0.0; 3], u, v], false), ZeroNormal::Zero, "2^-30 is cut");
    }
}
