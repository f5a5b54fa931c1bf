//! Options of the rasterizer.

use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::Instructions;
use crate::raster::sample_offset::SampleOffset;

/// Options of the rasterizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RasterOptions {
    /// Arithmetic of the transform, and the rules of the rasterizer that go with it.
    pub arithmetic: Arithmetic,
    /// Draw the three edges of triangles instead of their area.
    pub wireframe: bool,
    /// Engine that draws pixels. All engines leave the same bytes in memory.
    pub engine: Engine,
    /// Instruction set of the fast engine.
    pub instructions: Instructions,
    /// Number of threads; 0 counts as 1. With one thread, draws happen at once, on the caller's thread. With more,
    /// the caller's thread transforms vertices, and the others fill pixels; they borrow VRAM, so its bytes are
    /// undefined until [`Sink::flush`](crate::run::sink::Sink::flush) or `flush_for_read`. After `flush_for_write` they
    /// can be written with [`Memory::write`](crate::ge::memory::Memory::write), but not read. The reference always uses one.
    pub threads: u32,
    /// Number of rows of a band, the unit of work of a thread; 0 picks one to suit the number of threads.
    pub band_rows: u32,
    /// Moves the point at which pixels are sampled, for one of several passes over a picture larger than the screen.
    pub sample_offset: SampleOffset,
}

/// Engine that draws pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Draws batches of pixels in vectors.
    #[default]
    Fast,
    /// The reference, `crate::raster::reference`: one pixel after the other.
    Reference,
}
