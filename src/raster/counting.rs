//! The part of the rasterizer that counts fragments: those of one draw, or those that write each pixel of a run.

use super::Rasterizer;
use super::draw_counter::DrawCounter;
use super::overdraw::OverdrawMap;
use crate::ge::limits::Limits;

impl Rasterizer {
    /// Creates a counter for the next draw of this rasterizer, which must have been flushed. It spends at most
    /// [`Limits::pixels`].
    #[must_use]
    pub fn draw_counter(&self, limits: &Limits) -> DrawCounter {
        DrawCounter::new(self.uses_texel_cache().then(|| self.texels.clone()), limits)
    }

    /// Counts the fragments that write each pixel from now on. The reference rasterizer draws, whatever the options
    /// say, so it takes longer.
    pub fn count_overdraw(&mut self) {
        self.overdraw = Some(Box::default());
    }

    /// Returns the numbers of fragments since [`Self::count_overdraw`], and stops counting; `None` if they are not
    /// counted.
    pub fn take_overdraw(&mut self) -> Option<OverdrawMap> {
        self.overdraw.take().map(|map| *map)
    }
}
