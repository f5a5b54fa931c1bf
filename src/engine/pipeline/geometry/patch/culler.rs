//! Culls sub-patches by their control points, to save tessellating them.
//!
//! Except for rounding, a sub-patch is inside its control points' convex hull, whatever its divisions. If they are
//! all far enough outside the near or the far plane, no rounding could bring a vertex inside. Then the clip test
//! would drop every primitive ([`crate::pipeline::geometry::clip_test::ClipTest`]).

use crate::ge::arithmetic::Real;
use crate::pipeline::geometry::math::{Projective, Vector3};
use crate::pipeline::geometry::viewport::Viewport;

/// Upper bound for the rounding error in clip z ± w, relative to the magnitudes of its terms, in units of 2^-15.
/// Weights in an interpolation are not negative and add up to 1, so errors do not grow on the way. Each operand is
/// cut by less than a unit in the larger operand, and the result is floored: at most 2 units. Three rounds along
/// each axis make 12. A matrix row cuts each of its four products, and the sum: 5 units for z, and 5 for w. This
/// makes 22, with room to spare.
const ROUNDING: f64 = 32.0 / 32768.0;
/// The smallest coordinate to use, to make the margin cover results below 2^-126, which become 0.
const SMALLEST: f64 = 1e-33;
/// Larger magnitudes are never culled, and the reciprocal is the smallest margin.
const LARGE: f64 = 1e25;

/// Culls sub-patches outside the near or far plane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PatchCuller {
    /// The matrix columns that compute z and w in clip space.
    z: [f64; 4],
    w: [f64; 4],
    clamps_depth: bool,
}

impl PatchCuller {
    /// Creates the culler for vertices that this matrix takes to clip space.
    #[must_use]
    pub(crate) fn new<R: Real>(to_clip: &Projective<R>, viewport: &Viewport<R>) -> Self {
        let column = |j: usize| to_clip.0.map(|row| f64::from(row[j].to_f32()));
        Self { z: column(2), w: column(3), clamps_depth: viewport.clamps_depth() }
    }

    /// Whether it is certain that no primitive between these points is drawn.
    #[must_use]
    pub(crate) fn hides(&self, points: impl Iterator<Item = Vector3<f32>>) -> bool {
        let mut largest = [SMALLEST; 3];
        let (mut nearest, mut farthest, mut smallest_w) = (f64::MIN, f64::MAX, f64::MAX);
        for point in points {
            let point = point.map(f64::from);
            if !point.iter().all(|component| component.is_finite()) {
                return false;
            }
            for (largest, component) in largest.iter_mut().zip(point) {
                *largest = largest.max(component.abs());
            }
            let (z, w) = (affine_dot(&self.z, point), affine_dot(&self.w, point));
            nearest = nearest.max(z + w);
            farthest = farthest.min(z - w);
            smallest_w = smallest_w.min(w);
        }
        let magnitude =
            affine_dot(&self.z.map(f64::abs), largest) + affine_dot(&self.w.map(f64::abs), largest);
        if magnitude.is_nan() || magnitude >= LARGE {
            return false;
        }
        let margin = magnitude * ROUNDING + 1.0 / LARGE;
        let is_outside_near = nearest < -margin;
        // Without clamping, the far test uses z/w, whose sign flips for negative w.
        let is_outside_far = farthest > margin && (self.clamps_depth || smallest_w > margin);
        is_outside_near || is_outside_far
    }
}

fn affine_dot([x, y, z, constant]: &[f64; 4], point: [f64; 3]) -> f64 {
    x * point[0] + y * point[1] + z * point[2] + constant
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;

    /// Creates a culler whose matrix keeps z and sets w to 10.
    fn culler(clamps_depth: u32) -> PatchCuller {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::DEPTHCLAMPENABLE, clamps_depth));
        let to_clip = Projective([[0.0; 4], [0.0; 4], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 10.0_f32]]);
        PatchCuller::new(&to_clip, &Viewport::new(&registers))
    }

    fn hides(clamps_depth: u32, depths: &[f32]) -> bool {
        culler(clamps_depth).hides(depths.iter().map(|&z| [0.0, 0.0, z]))
    }

    #[test]
    fn hides_only_if_all_points_are_outside() {
        for clamps_depth in [0, 1] {
            for (depths, expected) in [
                (&[-11.0, -20.0][..], true),
                (&[-11.0, -9.0], false),
                (&[-10.001, -10.001], false),
                (&[11.0, 20.0], true),
                (&[9.0, 20.0], false),
                (&[-11.0, 11.0], false),
                (&[-11.0, f32::NAN], false),
                (&[f32::NAN, -11.0], false),
                (&[f32::NEG_INFINITY, -11.0], false),
                (&[f32::MAX, f32::MAX], false),
            ] {
                assert_eq!(hides(clamps_depth, depths), expected, "{depths:?}");
            }
        }
    }

    #[test]
    fn keeps_negative_w_without_depth_clamp() {
        let to_clip = Projective([[0.0; 4], [0.0; 4], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, -1.0_f32]]);
        let points = || [5.0, 6.0].into_iter().map(|z| [0.0, 0.0, z]);
        for (clamps_depth, expected) in [(1, true), (0, false)] {
            let mut registers = Registers::new();
            registers.write(Command::new(Opcode::DEPTHCLAMPENABLE, clamps_depth));
            let culler = PatchCuller::new(&to_clip, &Viewport::new(&registers));
            assert_eq!(culler.hides(points()), expected, "DEPTHCLAMPENABLE {clamps_depth}");
        }
    }
}
