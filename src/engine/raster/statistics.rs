//! Counts of drawn primitives and pixels.

/// Counts of drawn primitives and pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Primitives after clipping and culling, including triangles.
    pub primitives: u64,
    /// Triangles after clipping and culling.
    pub triangles: u64,
    /// Pixels that passed all tests. Overdrawn pixels count each time.
    pub pixels: u64,
}

impl Statistics {
    pub(super) fn add(&mut self, other: Self) {
        self.primitives += other.primitives;
        self.triangles += other.triangles;
        self.pixels += other.pixels;
    }
}
