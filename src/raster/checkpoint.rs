//! The part of a rasterizer's state that later draws depend on, besides memory.

use super::Rasterizer;
use super::pixel_budget::PixelBudget;
use super::statistics::Statistics;
use super::texel_cache::TexelCache;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;

/// A copy of the state between two draws. The rest are caches, which notice changes of memory themselves.
#[derive(Clone, Debug)]
pub(crate) struct RasterCheckpoint {
    statistics: Statistics,
    texels: TexelCache,
    budget: PixelBudget,
}

impl RasterCheckpoint {
    /// Copies the state of a rasterizer that has been flushed.
    pub(crate) fn new(raster: &Rasterizer) -> Self {
        Self { statistics: raster.statistics, texels: raster.texels.clone(), budget: raster.budget.clone() }
    }

    /// Returns the number of bytes that the copy takes, in addition to its own size.
    pub(crate) fn size(&self) -> usize {
        self.texels.size()
    }

    /// Loads the lines of the texture cache from memory, which must be that of the checkpoint: it may change from now on.
    pub(crate) fn load_texels(&mut self, memory: &Memory) {
        self.texels.play_notes(memory);
    }

    /// Returns whether the texture cache keeps a line that a draw with these registers may find, and that differs from
    /// memory.
    pub(crate) fn keeps_texels_of(&mut self, memory: &Memory, registers: &Registers) -> bool {
        self.texels.may_differ(memory, registers)
    }

    /// Restores the state of the rasterizer, which must have been flushed. The caller restores memory.
    pub(crate) fn restore(&self, raster: &mut Rasterizer) {
        raster.statistics = self.statistics;
        raster.texels = self.texels.clone();
        raster.budget = self.budget.clone();
    }
}
