//! Options for the rasterizer.

use super::front::sample_offset::SampleOffset;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::Instructions;

/// Options for the rasterizer.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{RasterOptions, Rasterizer};
///
/// let options = RasterOptions { wireframe: true, ..RasterOptions::default() };
/// assert_eq!(Rasterizer::new(options).statistics().pixels, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RasterOptions {
    /// Arithmetic for the transform. The rasterizer has rules that go with it.
    pub arithmetic: Arithmetic,
    /// Draw triangles as their three edges.
    pub wireframe: bool,
    /// Engine to draw pixels with. All leave the same bytes in memory.
    pub engine: Engine,
    /// Instruction set for the fast engine.
    pub instructions: Instructions,
    /// How many threads draw; 0 counts as 1. With a single thread, draws happen at once, on the caller's thread.
    /// With more, the caller's thread transforms vertices while the others fill pixels. They borrow VRAM for this,
    /// so its bytes are undefined until [`Sink::flush`](crate::run::sink::Sink::flush) or `flush_for_read`. After
    /// `flush_for_write` they can be written with [`Memory::write`](crate::ge::memory::Memory::write), but not read.
    /// The reference always uses a single thread.
    pub threads: u32,
    /// How many rows make a band, the unit of work for a thread; 0 picks a height to suit the threads.
    pub band_rows: u32,
    /// Moves the point at which pixels are sampled. A picture larger than the screen needs this for its passes.
    pub sample_offset: SampleOffset,
}

/// Engine that draws pixels.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// assert_eq!(pspge::Engine::default(), pspge::Engine::Fast);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Draws batches of pixels in vectors.
    #[default]
    Fast,
    /// The reference, `super::rules::reference`, which draws pixel after pixel.
    Reference,
}
