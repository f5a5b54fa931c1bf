//! This part of the rasterizer keeps the hardware's texture cache up to date, as `texel_cache` describes it.

use std::ops::Range;
use std::sync::Arc;

use super::Footprint;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::memory::Memory;
use crate::raster::Rasterizer;
use crate::raster::dispatch::queue::FlushReason;
use crate::raster::fast::PipelineState;
use crate::raster::fragments::fragment_record::StaleTexel;
use crate::raster::front::LoweredDraw;

impl Rasterizer {
    /// Returns how often TEXFLUSH or a host has emptied the texture cache. This tells a recorder that something
    /// besides the list has emptied it, such as a restored context.
    #[must_use]
    pub const fn texture_flushes(&self) -> u64 {
        self.texture_flushes
    }

    /// Returns the first texel in the last draw that the texture cache kept although memory had changed, or although
    /// another texture was sampled since. This means that TEXFLUSH is missing.
    #[must_use]
    pub const fn stale_texel(&self) -> Option<StaleTexel> {
        self.stale
    }

    /// Returns whether to fetch texels through the texture cache. Emulators read memory instead.
    pub(crate) const fn uses_texel_cache(&self, draw: &LoweredDraw<'_>) -> bool {
        matches!(self.options.arithmetic, Arithmetic::Hardware) && !draw.uncached
    }

    /// Returns whether a draw would see the same texels through the cache as in memory. If so, this notes the draw.
    pub(crate) fn sees_memory(
        &mut self,
        memory: &mut Memory,
        draw: &LoweredDraw<'_>,
        state: &Arc<PipelineState>,
    ) -> bool {
        if state.cache_levels().next().is_none() || !self.uses_texel_cache(draw) {
            return true;
        }
        let (primitives, number) = (draw.primitives.primitives(), draw.number);
        let translation = memory.translation();
        if self.texels.note(state, primitives, number, translation) {
            return true;
        }
        // The cache is about to read these bytes, so draws that write any of them must be complete.
        let own = state.cache_levels().map(|(_, level)| Footprint::of_level(level, translation));
        let read: Vec<Footprint> = own.chain(self.texels.noted_footprints(translation)).collect();
        self.complete_writes(memory, &read);
        self.texels.follow(memory, state, primitives, number)
    }

    /// Prepares for a draw that changes bytes of linear VRAM.
    pub(crate) fn prepare_writes(&mut self, memory: &mut Memory, ranges: [Range<usize>; 2]) {
        if !self.texels.is_idle() {
            for range in ranges.into_iter().filter(|range| !range.is_empty()) {
                self.prepare_write(memory, &Footprint::Vram(range));
            }
        }
    }

    /// Notes that a draw changes bytes of linear VRAM. The draw itself is noted already, and no line that it uses
    /// holds them.
    pub(crate) fn note_writes(&mut self, memory: &Memory, ranges: [Range<usize>; 2]) {
        for range in ranges {
            self.texels.note_write(&Footprint::Vram(range), memory.translation());
        }
    }

    /// Plays the noted draws through the texture cache if they depend on bytes about to change.
    pub(crate) fn prepare_write(&mut self, memory: &mut Memory, bytes: &Footprint) {
        let translation = memory.translation();
        if self.texels.needs(bytes, translation) {
            self.play_noted_draws(memory);
        }
        self.texels.note_write(bytes, translation);
    }

    /// Plays the noted draws through the texture cache.
    pub(crate) fn play_noted_draws(&mut self, memory: &mut Memory) {
        let read: Vec<Footprint> = self.texels.noted_footprints(memory.translation()).collect();
        self.complete_writes(memory, &read);
        self.texels.play_notes(memory);
    }

    /// Completes draws whose results are about to be compared with lines.
    fn complete_writes(&mut self, memory: &mut Memory, read: &[Footprint]) {
        for bytes in read {
            let bytes = match bytes {
                Footprint::Vram(bytes) => bytes.clone(),
                // Draws write VRAM only, so RAM needs no completion.
                Footprint::Ram(_) => continue,
                Footprint::Other => 0..memory.vram().len(),
            };
            self.dispatcher.settle(memory, &bytes, FlushReason::TextureCache);
            self.budget.note_access(&bytes);
        }
    }
}
