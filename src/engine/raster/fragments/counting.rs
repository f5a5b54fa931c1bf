//! This part of the rasterizer counts fragments: for a single draw, or at each pixel for a run.

use super::draw_counter::DrawCounter;
use super::overdraw::OverdrawMap;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::Limits;
use crate::raster::Rasterizer;

#[doc(hidden)]
impl Rasterizer {
    /// Creates a counter for the next draw. The rasterizer must have been flushed. This counter spends at most
    /// [`Limits::pixels`].
    #[must_use]
    pub fn draw_counter(&self, limits: &Limits) -> DrawCounter {
        let has_cache = self.options.arithmetic == Arithmetic::Hardware;
        DrawCounter::new(has_cache.then(|| self.texels.clone()), limits)
    }

    /// Counts the fragments that write each pixel from now on. This takes longer, because the reference rasterizer
    /// draws whatever the options say.
    pub fn count_overdraw(&mut self) {
        self.overdraw = Some(Box::default());
    }

    /// Stops counting and returns the numbers since [`Self::count_overdraw`]; `None` if it was not called.
    pub fn take_overdraw(&mut self) -> Option<OverdrawMap> {
        self.overdraw.take().map(|map| *map)
    }
}
