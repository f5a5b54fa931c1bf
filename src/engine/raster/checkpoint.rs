//! The rasterizer state that later draws depend on, apart from memory.

use super::Rasterizer;
use super::front::pixel_budget::PixelBudget;
use super::statistics::Statistics;
use super::texel_cache::TexelCache;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;

/// A copy of this state between two draws, to replay from there. It leaves out other caches, because they notice
/// changes to memory by themselves.
#[derive(Clone, Debug)]
pub struct RasterCheckpoint {
    statistics: Statistics,
    texels: TexelCache,
    budget: PixelBudget,
}

impl RasterCheckpoint {
    /// Copies the state of a flushed rasterizer.
    pub fn new(raster: &Rasterizer) -> Self {
        Self { statistics: raster.statistics(), texels: raster.texels.clone(), budget: raster.budget.clone() }
    }

    /// Returns how many bytes this copy takes, in addition to its own size.
    pub fn size(&self) -> usize {
        self.texels.size()
    }

    /// Loads the texture cache's lines from memory, which must be as it was at this checkpoint. It may change after
    /// this.
    pub fn load_texels(&mut self, memory: &Memory) {
        self.texels.play_notes(memory);
    }

    /// Returns whether a draw with these registers might find a texture cache line that differs from memory.
    pub fn keeps_texels_of(&mut self, memory: &Memory, registers: &Registers) -> bool {
        self.texels.may_differ(memory, registers)
    }

    /// Restores the state into a flushed rasterizer. The caller restores memory.
    pub fn restore(&self, raster: &mut Rasterizer) {
        raster.statistics = self.statistics;
        raster.dispatcher.filler_mut().pixels = 0;
        raster.texels = self.texels.clone();
        raster.budget = self.budget.clone();
    }
}
