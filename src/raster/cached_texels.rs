//! The part of the rasterizer that keeps the texture cache of the hardware up to date, as `texel_cache` describes it.

use std::ops::Range;
use std::sync::Arc;

use super::Rasterizer;
use super::fast::{PipelineState, overlap};
use super::fragment_record::StaleTexel;
use super::lowered_primitives::LoweredPrimitives;
use super::queue::FlushReason;
use super::texel_cache::Footprint;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::memory::Memory;

impl Rasterizer {
    /// Returns the first texel of the last draw that the texture cache has kept while memory has other bits, or since
    /// another texture was sampled: TEXFLUSH is missing.
    #[must_use]
    pub const fn stale_texel(&self) -> Option<StaleTexel> {
        self.stale
    }

    /// Returns whether texels come from the texture cache. Emulators read memory.
    pub(super) const fn uses_texel_cache(&self) -> bool {
        matches!(self.options.arithmetic, Arithmetic::Hardware) && !self.uncached
    }

    /// Returns whether the texture cache shows a draw what memory holds, and notes the draw if so.
    pub(super) fn sees_memory(
        &mut self,
        memory: &mut Memory,
        state: &Arc<PipelineState>,
        lowered: &LoweredPrimitives,
    ) -> bool {
        if state.cache_levels().next().is_none() || !self.uses_texel_cache() {
            return true;
        }
        let (primitives, number) = (lowered.primitives(), self.draw_number);
        let translation = memory.translation();
        if self.texels.note(state, primitives, number, translation) {
            return true;
        }
        let own = state.cache_levels().map(|(_, level)| Footprint::of_level(level, translation));
        let read: Vec<Footprint> = own.chain(self.texels.noted_footprints(translation)).collect();
        self.complete_writes(memory, &read);
        self.texels.follow(memory, state, primitives, number)
    }

    /// Prepares changes of bytes of linear VRAM by a draw.
    pub(super) fn prepare_writes(&mut self, memory: &mut Memory, ranges: [Range<usize>; 2]) {
        if !self.texels.is_idle() {
            for range in ranges.into_iter().filter(|range| !range.is_empty()) {
                self.prepare_write(memory, &Footprint::Vram(range));
            }
        }
    }

    /// Notes changes of bytes of linear VRAM by a draw that is noted already and does not use lines of them.
    pub(super) fn note_writes(&mut self, memory: &Memory, ranges: [Range<usize>; 2]) {
        for range in ranges {
            self.texels.note_write(&Footprint::Vram(range), memory.translation());
        }
    }

    /// Plays the notes of the texture cache through it if bytes that they depend on are about to change.
    pub(super) fn prepare_write(&mut self, memory: &mut Memory, bytes: &Footprint) {
        let translation = memory.translation();
        if self.texels.needs(bytes, translation) {
            self.play_noted_draws(memory);
        }
        self.texels.note_write(bytes, translation);
    }

    /// Plays the notes of the texture cache through it.
    pub(super) fn play_noted_draws(&mut self, memory: &mut Memory) {
        let read: Vec<Footprint> = self.texels.noted_footprints(memory.translation()).collect();
        self.complete_writes(memory, &read);
        self.texels.play_notes(memory);
    }

    /// Completes the draws that write bytes which are about to be compared with lines.
    fn complete_writes(&mut self, memory: &mut Memory, read: &[Footprint]) {
        for bytes in read {
            let bytes = match bytes {
                Footprint::Vram(bytes) => bytes.clone(),
                Footprint::Ram(_) => continue,
                Footprint::Other => 0..memory.vram().len(),
            };
            if self.job.is_some() || self.queue.writes(&bytes) {
                self.complete_draws(memory, FlushReason::TextureCache);
            }
            if overlap(&self.fast.cached_depth(), &bytes) {
                self.fast.write_back_for(memory.ram_and_vram_mut().1, &bytes);
            }
            self.budget.note_access(&bytes);
        }
    }
}
