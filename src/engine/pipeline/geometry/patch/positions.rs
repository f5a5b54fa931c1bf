//! Vertex positions for a sub-patch, with an array per axis to fit into lanes.

use crate::pipeline::geometry::lanes::LANES;
use crate::pipeline::geometry::math::Vector3;

/// Positions, with an array per axis.
#[derive(Clone, Debug, Default)]
pub struct PatchPositions {
    axes: [Vec<f32>; 3],
    count: usize,
}

impl PatchPositions {
    /// Returns how many positions this holds.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// Returns a vertex's position, or 0 if it does not exist.
    #[must_use]
    pub fn at(&self, number: usize) -> Vector3<f32> {
        [0, 1, 2].map(|axis| self.axes[axis].get(number).copied().unwrap_or(0.0))
    }

    /// Iterates over the positions in lanes. Unused lanes in the last group are 0.
    pub fn lanes(&self) -> impl Iterator<Item = [[f32; LANES]; 3]> + '_ {
        let [x, y, z] = self.axes.each_ref().map(|axis| axis.as_chunks::<LANES>().0);
        x.iter().zip(y).zip(z).map(|((x, y), z)| [*x, *y, *z])
    }

    /// Removes all positions and makes room for `count`.
    pub(super) fn clear(&mut self, count: usize) {
        self.count = 0;
        for axis in &mut self.axes {
            axis.clear();
            axis.resize(count.next_multiple_of(LANES), 0.0);
        }
    }

    /// Appends `length` positions and returns them, axis by axis, for the caller to fill. [`Self::clear`] must have
    /// made room for them, else the slices are empty.
    #[inline(always)]
    pub(super) fn add_row(&mut self, length: usize) -> [&mut [f32]; 3] {
        let start = self.count;
        self.count += length;
        self.axes.each_mut().map(|axis| axis.get_mut(start..start + length).unwrap_or_default())
    }
}
