//! How to draw.

use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::Instructions;

/// How to draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RasterOptions {
    /// The number system that transforms vertices.
    pub arithmetic: Arithmetic,
    /// Triangles become their three edges.
    pub wireframe: bool,
    /// What draws pixels. All leave the same bytes.
    pub engine: Engine,
    /// The instruction set that the fast engine uses.
    pub instructions: Instructions,
    /// How many threads may draw; 0 counts as 1. With one, draws happen at once, on the caller's thread. With more,
    /// they wait until [`crate::run::sink::Sink::flush`] or until there are enough of them. The reference uses one.
    pub threads: u32,
    /// How many rows one thread takes at a time; 0 leaves it to the rasterizer.
    pub band_rows: u32,
}

/// What draws pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Many pixels at a time.
    #[default]
    Fast,
    /// The oracle, [`crate::raster::reference`]: one pixel after the other.
    Reference,
}
