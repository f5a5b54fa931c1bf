//! The part of a rasterizer's state that later draws depend on, besides memory.

use super::Rasterizer;
use super::pixel_budget::PixelBudget;
use super::small_textures::SmallTextureCache;
use super::statistics::Statistics;
use crate::ge::registers::Registers;

/// A copy of the state between two draws. The rest are caches, which notice changes of memory themselves.
#[derive(Clone, Debug)]
pub(crate) struct RasterCheckpoint {
    statistics: Statistics,
    small_textures: SmallTextureCache,
    texture_flushes: u64,
    budget: PixelBudget,
}

impl RasterCheckpoint {
    /// Copies the state of a rasterizer that has been flushed.
    pub(crate) fn new(raster: &Rasterizer) -> Self {
        Self {
            statistics: raster.statistics,
            small_textures: raster.small_textures.clone(),
            texture_flushes: raster.texture_flushes,
            budget: raster.budget.clone(),
        }
    }

    /// Returns the number of bytes that the copy takes, in addition to its own size.
    pub(crate) fn size(&self) -> usize {
        self.small_textures.size()
    }

    /// Returns whether a draw with these registers would sample texels that the texture cache keeps.
    pub(crate) fn keeps_texels_of(&self, registers: &Registers) -> bool {
        self.small_textures.keeps(registers, self.texture_flushes)
    }

    /// Restores the state of the rasterizer, which must have been flushed. The caller restores memory.
    pub(crate) fn restore(&self, raster: &mut Rasterizer) {
        raster.statistics = self.statistics;
        raster.small_textures = self.small_textures.clone();
        raster.texture_flushes = self.texture_flushes;
        raster.budget = self.budget.clone();
    }
}
