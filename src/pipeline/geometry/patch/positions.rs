//! Positions of a piece's vertices side by side.

use super::curve::{CurvePoint, CurveStep, bezier};
use crate::pipeline::geometry::lanes::LANES;
use crate::pipeline::geometry::math::Vector3;

/// Positions, an array for each axis.
#[derive(Clone, Debug, Default)]
pub struct PatchPositions {
    axes: [Vec<f32>; 3],
    count: usize,
}

impl PatchPositions {
    /// How many there are.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// One position.
    #[must_use]
    pub fn at(&self, number: usize) -> Vector3<f32> {
        [0, 1, 2].map(|axis| self.axes[axis].get(number).copied().unwrap_or(0.0))
    }

    /// All positions by lanes; those behind the last are 0.
    pub fn lanes(&self) -> impl Iterator<Item = [[f32; LANES]; 3]> + '_ {
        let [x, y, z] = self.axes.each_ref().map(|axis| axis.as_chunks::<LANES>().0);
        x.iter().zip(y).zip(z).map(|((x, y), z)| [*x, *y, *z])
    }

    /// Empties it, with room for so many.
    pub(super) fn clear(&mut self, count: usize) {
        self.count = 0;
        for axis in &mut self.axes {
            axis.clear();
            axis.resize(count.next_multiple_of(LANES), 0.0);
        }
    }

    /// Adds the points of a Bezier curve at some steps.
    #[inline(always)]
    pub(super) fn add_row(&mut self, points: [Vector3<f32>; 4], steps: &[CurveStep]) {
        let end = self.count + steps.len();
        for (number, axis) in self.axes.iter_mut().enumerate() {
            let [a, b, c, d] = points.map(|point| point[number]);
            let Some(row) = axis.get_mut(self.count..end) else { return };
            for (out, step) in row.iter_mut().zip(steps) {
                *out = point(if step.reversed { [d, c, b, a] } else { [a, b, c, d] }, step.t);
            }
        }
        self.count = end;
    }
}

#[inline(always)]
fn point(points: [f32; 4], t: f32) -> f32 {
    let points: [CurvePoint<1>; 4] = points.map(|point| [point]);
    bezier(points, t).0[0]
}
