//! Counts of drawn primitives and pixels.

/// What a rasterizer has drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Primitives that came out of clipping and culling, triangles included.
    pub primitives: u64,
    /// Triangles among them.
    pub triangles: u64,
    /// Pixels that passed all tests. Pixels drawn over one another count each time.
    pub pixels: u64,
}

impl Statistics {
    pub(super) fn add(&mut self, other: Self) {
        self.primitives += other.primitives;
        self.triangles += other.triangles;
        self.pixels += other.pixels;
    }
}
