//! Fills render passes and moves cached depth, for all dispatchers alike.

use std::ops::Range;

use super::threads::Threads;
use crate::ge::memory::Memory;
use crate::raster::fast::{DrawCall, DrawMemory, FastEngine, PassLimits, PassProgress};
use crate::raster::front::lowered_primitives::PrimitivePool;

/// The fast engine and the threads that work for it.
#[derive(Debug, Default)]
pub(crate) struct Filler {
    /// While VRAM is lent, this is an empty engine in place of the lent engine.
    pub(super) engine: FastEngine,
    pub(crate) threads: Threads,
    /// The caller's thread without helpers, for work too small to wake others.
    alone: Threads,
    /// How many pixels have passed all tests.
    pub(crate) pixels: u64,
    /// Emptied buffers, to reuse for the primitives of later draws.
    pub(crate) pool: PrimitivePool,
}

impl Filler {
    /// Starts the helpers for a fast engine.
    pub(super) fn new(engine: FastEngine, threads: usize) -> Self {
        Self { engine, threads: Threads::new(threads), ..Self::default() }
    }

    /// Fills a render pass, with the helpers or alone.
    pub(super) fn fill_pass<'d>(
        &mut self,
        memory: &mut DrawMemory<'_>,
        calls: impl Iterator<Item = DrawCall<'d>> + Clone,
        limits: PassLimits<'_>,
        has_helpers: bool,
    ) -> PassProgress {
        let threads = if has_helpers { &self.threads } else { &self.alone };
        let progress = self.engine.draw_pass(memory, threads, calls, limits);
        self.pixels += progress.pixels;
        progress
    }

    /// Fills a single draw with all threads.
    pub(super) fn fill_draw(&mut self, memory: &mut Memory, call: DrawCall<'_>) {
        self.fill_pass(&mut DrawMemory::new(memory), std::iter::once(call), PassLimits::NONE, true);
    }

    /// Writes the depth cache back to VRAM, with the helpers or alone.
    pub(super) fn write_back(&mut self, memory: &mut Memory, has_helpers: bool) {
        let threads = if has_helpers { &self.threads } else { &self.alone };
        self.engine.write_back(memory.ram_and_vram_mut().1, threads);
    }

    /// Writes the depth cache back to VRAM if it might hold any of these bytes.
    pub(super) fn write_back_for(&mut self, memory: &mut Memory, bytes: &Range<usize>) {
        self.engine.write_back_for(memory.ram_and_vram_mut().1, bytes, &self.alone);
    }
}
