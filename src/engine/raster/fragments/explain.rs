//! This part of the rasterizer explains and counts fragments, for debuggers. If a draw covers the watched pixel, it
//! completes earlier draws and passes this draw to its [`PixelWatch`].

use super::draw_counter::DrawCounter;
use super::overdraw::OverdrawMap;
use super::pixel_watch::{Covering, PixelWatch, WatchedDraw, WatchedFragment};
use super::watched_pixel::WatchedPixel;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::pipeline::draw::Draw;
use crate::raster::RasterOptions;
use crate::raster::Rasterizer;
use crate::raster::dispatch::queue::FlushReason;
use crate::raster::front::LoweredDraw;
use crate::raster::front::lowered_primitives::LoweredPrimitives;

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

    /// Explains every fragment that reaches a VRAM pixel from now on; see [`Self::take_watched`]. Explanations take
    /// at most [`Limits::memory`] bytes. Later fragments are left out, and [`Self::watch_limit_hit`] returns the
    /// limit.
    pub fn watch(&mut self, pixel: WatchedPixel, limits: &Limits) {
        self.watch = Some(Box::new(PixelWatch::new(pixel, Budget::new(limits, Limit::Memory))));
    }

    /// Moves the watch, if there is one, to another pixel.
    pub fn move_watch(&mut self, pixel: WatchedPixel) {
        self.watch.iter_mut().for_each(|watch| watch.move_to(pixel));
    }

    /// Returns the fragments at the watched pixel since the last call, in drawing order.
    pub fn take_watched(&mut self) -> Vec<WatchedFragment> {
        self.watch.as_mut().map(|watch| watch.take()).unwrap_or_default()
    }

    /// Returns the limit that ended the explanations at the watched pixel, if there is one.
    #[must_use]
    pub fn watch_limit_hit(&self) -> Option<LimitHit> {
        self.watch.as_ref()?.limit_hit()
    }

    /// Explains a draw's fragments at the watched pixel, and numbers their primitives as in the list.
    pub(crate) fn explain_numbered(
        &mut self,
        memory: &mut Memory,
        draw: &Draw<'_>,
        options: &RasterOptions,
        lowered: &LoweredDraw<'_>,
    ) {
        let earlier = self.watch.as_ref().map_or(0, |watch| watch.len());
        self.explain(memory, lowered);
        let lowered = &lowered.primitives;
        // Lowering has lost these numbers. Lowering again restores them, but takes long, so this happens only if
        // there is a fragment to number.
        if let Some(watch) = self.watch.as_mut().filter(|watch| watch.len() > earlier) {
            let mut numbers = Vec::with_capacity(lowered.primitives().len());
            let mut numbered = LoweredPrimitives::default();
            draw.number_screen_primitives(memory, options.arithmetic, &mut |number, primitive| {
                numbered.push(primitive, options);
                numbers.resize(numbered.primitives().len(), number);
            });
            // If the budget has dropped primitives, both lists differ and the numbers would not fit.
            if numbered.primitives() == lowered.primitives() {
                watch.renumber(earlier, &numbers);
            }
        }
    }

    /// Explains a draw's fragments at the watched pixel, if there is one.
    pub(crate) fn explain(&mut self, memory: &mut Memory, draw: &LoweredDraw<'_>) {
        if self.budget.is_exhausted() {
            return;
        }
        let Some(mut watch) = self.watch.take() else { return };
        if let Some(covering) = watch.covering(memory, draw.registers, draw.primitives.primitives()) {
            self.explain_covering(&mut watch, memory, draw, &covering);
        }
        self.watch = Some(watch);
    }

    fn explain_covering(
        &mut self,
        watch: &mut PixelWatch,
        memory: &mut Memory,
        draw: &LoweredDraw<'_>,
        covering: &Covering,
    ) {
        // The watch reads this pixel from memory, so earlier draws must be complete and their depth written back.
        self.dispatcher.complete(memory, FlushReason::Watch);
        let state = self.states.decode(memory, draw.registers, draw.mode);
        self.texels.resume(memory);
        let is_entangled = state.is_some_and(|state| {
            state.needs_reference() || state.samples_own_target() || !self.sees_memory(memory, draw, &state)
        });
        // The explanation uses a copy of the cache, so noted draws must reach the cache first.
        if is_entangled {
            self.play_noted_draws(memory);
        }
        let texels = (is_entangled && self.uses_texel_cache(draw)).then_some(&self.texels);
        let watched = WatchedDraw {
            memory,
            registers: draw.registers,
            primitives: draw.primitives.primitives(),
            texels,
            number: draw.number,
        };
        watch.explain(watched, covering, is_entangled);
    }
}
