//! The hardware's texture cache: 8 KiB of texels that only TEXFLUSH empties.
//!
//! A line is found by its column, its band of rows and its mip level alone, so a draw may see another texture's
//! texels, or bytes of its own that have changed since. The reference follows every draw through the cache pixel by
//! pixel. The fast engine reads memory, so it must know before a draw whether the cache would show anything else.
//! Most programs flush the cache for each texture, and then nothing can differ. So draws are only noted as long as
//! all lines come from a single texture whose bytes do not change ([`noted_draws`]). When this stops being true, the
//! notes are played through the cache, and the next draw is followed until no line of another texture is left. A
//! draw that differs goes to the reference.
//!
//! # Invariants
//! Lines and notes together describe the cache after all draws so far. The texels of noted draws are as memory has
//! them, and the bytes they read do not change before the notes are played. Which draws differ does not depend on
//! which were noted: [`TexelCache::follow`] finds just those that fetch a texel with other bits than memory has.
//!
//! Source: [texture cache](crate::reference::ge::textures#texture-cache).

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::fragments::fragment_record::StaleTexel;
use super::texel_cache::cache_lines::{
    CacheLines, CachedDraw, CachedLine, LinePlace, PixelWalk, TexelAccess,
};
use crate::ge::address::VRAM_SIZE;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::texture::Texture;
use crate::raster::fast::{PipelineState, overlap};

pub(crate) mod cache_lines;
mod cached_texels;
mod footprint;
mod noted_draws;
#[doc(hidden)]
pub mod sampled_texels;
mod snapshot;
mod suspects;
mod texel_bounds;

pub(crate) use footprint::Footprint;
use noted_draws::{NotedDraws, enclosing};
use snapshot::Snapshot;
use suspects::Suspects;

/// The texture cache after all draws so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct TexelCache {
    lines: CacheLines,
    notes: NotedDraws,
    /// The last draw's texture, with the lines that would show it other bytes than memory.
    current: Option<Current>,
    /// The bytes that the notes depend on, if anybody may have changed them.
    snapshot: Snapshot,
    /// The address translation with which the notes read VRAM.
    translation: Translation,
    /// Pixels looked at and not charged yet.
    pixels: u64,
}

#[derive(Clone, Debug)]
struct Current {
    state: Arc<PipelineState>,
    suspects: Suspects,
    /// Bytes of linear VRAM that hold the texture, as far as it is there.
    vram: Range<usize>,
}

impl TexelCache {
    /// Empties the cache: TEXFLUSH.
    pub(crate) fn flush(&mut self) {
        self.lines.clear();
        self.notes.clear();
        self.current = None;
        self.snapshot.clear();
    }

    /// Returns how many bytes this takes beyond its own size.
    pub(crate) const fn size(&self) -> usize {
        self.notes.size()
    }

    /// Returns how many pixels were looked at since the last call, to charge for them.
    pub(crate) fn take_pixels(&mut self) -> u64 {
        std::mem::take(&mut self.pixels)
    }

    /// Returns whether a draw sees memory, as far as this is known without looking at it; if so, notes it.
    pub(in crate::raster) fn note(
        &mut self,
        state: &Arc<PipelineState>,
        primitives: &[ScreenPrimitive],
        number: u64,
        translation: Translation,
    ) -> bool {
        if self.current.is_none() && self.notes.is_empty() && self.lines.is_empty() {
            // After TEXFLUSH no line can differ, so memory need not be looked at, and draws that write it may wait.
            let vram = vram_of(state, translation);
            self.current = Some(Current { state: Arc::clone(state), suspects: Suspects::default(), vram });
        }
        let Some(current) = self.current.as_ref().filter(|_| !self.notes.is_full()) else { return false };
        let is_fresh = current.suspects.is_empty()
            && (Arc::ptr_eq(&current.state, state) || current.state.has_texture_of(state));
        if is_fresh {
            self.notes.push(state, &current.vram, primitives, number);
        }
        is_fresh
    }

    /// Returns whether a draw sees memory. If so, it is noted or followed. Memory must hold the bytes of
    /// [`Self::noted_footprints`] and of the draw's texture.
    pub(in crate::raster) fn follow(
        &mut self,
        memory: &Memory,
        state: &Arc<PipelineState>,
        primitives: &[ScreenPrimitive],
        number: u64,
    ) -> bool {
        let is_new = |current: &Current| !current.state.has_texture_of(state);
        if self.current.as_ref().is_none_or(is_new) || self.notes.is_full() {
            self.suspect(memory, state);
        }
        let avoids = |current: &Current| current.suspects.are_avoided(state, primitives);
        if !self.current.as_ref().is_some_and(avoids) && !self.notes.is_empty() {
            // The notes may have replaced suspects.
            self.suspect(memory, state);
        }
        let Some(current) = &mut self.current else { return true };
        if current.suspects.are_avoided(state, primitives) {
            self.notes.push(state, &current.vram, primitives, number);
            return true;
        }
        let (mut lines, mut suspects) = (self.lines.clone(), current.suspects.clone());
        let draw = FollowedDraw { memory, state, primitives, number };
        match draw.walk(&mut lines, &mut suspects, &mut self.pixels) {
            ControlFlow::Break(true) => return false,
            // No suspect is left, so the rest of this draw does not matter now.
            ControlFlow::Break(false) => self.notes.push(state, &current.vram, primitives, number),
            ControlFlow::Continue(()) => self.lines = lines,
        }
        current.suspects = suspects;
        true
    }

    /// Plays the notes, and lists the lines that would show a draw other bytes than memory has.
    fn suspect(&mut self, memory: &Memory, state: &Arc<PipelineState>) {
        self.play_notes(memory);
        let suspects = Suspects::of(&self.lines, memory, state);
        let vram = vram_of(state, memory.translation());
        self.current = Some(Current { state: Arc::clone(state), suspects, vram });
    }

    /// Plays the notes through the cache. Memory must hold the bytes of [`Self::noted_footprints`].
    pub(crate) fn play_notes(&mut self, memory: &Memory) {
        self.pixels = self.pixels.saturating_add(self.notes.play(memory, &mut self.lines));
    }

    /// Lists the bytes that [`Self::play_notes`] reads.
    pub(crate) fn noted_footprints(&self, translation: Translation) -> impl Iterator<Item = Footprint> {
        let levels = self.notes.states().flat_map(|state| state.cache_levels());
        levels.map(move |(_, level)| Footprint::of_level(level, translation))
    }

    /// Returns whether notes must be played before these bytes change.
    pub(crate) fn needs(&self, bytes: &Footprint, translation: Translation) -> bool {
        let may_need = match bytes {
            Footprint::Vram(bytes) => overlap(self.notes.vram(), bytes),
            Footprint::Ram(_) | Footprint::Other => !self.notes.is_empty(),
        };
        may_need && self.noted_footprints(translation).any(|noted| noted.overlaps(bytes))
    }

    /// Notes that bytes are about to change. Notes that read them must have been played.
    pub(crate) fn note_write(&mut self, bytes: &Footprint, translation: Translation) {
        let is_read = |current: &Current| match bytes {
            Footprint::Vram(bytes) => overlap(&current.vram, bytes),
            Footprint::Ram(_) | Footprint::Other => {
                let mut levels = current.state.cache_levels();
                levels.any(|(_, level)| Footprint::of_level(level, translation).overlaps(bytes))
            }
        };
        if self.current.as_ref().is_some_and(is_read) {
            self.current = None;
        }
    }

    /// Returns whether writes do not matter, because nothing here depends on memory.
    pub(crate) const fn is_idle(&self) -> bool {
        self.current.is_none() && self.notes.is_empty()
    }

    /// Keeps the bytes that the notes depend on, because anybody may change them from now on. Bytes kept already
    /// stay, because memory may have changed since.
    pub(crate) fn suspend(&mut self, memory: &Memory) {
        if self.snapshot.is_empty() && (!self.notes.is_empty() || self.current.is_some()) {
            let states = self.notes.states().chain(self.current.as_ref().map(|current| &current.state));
            self.snapshot.take(memory, states.flat_map(|state| state.cache_levels()).map(|(_, level)| level));
        }
    }

    /// Plays the notes if somebody has changed the bytes they depend on since [`Self::suspend`], or the address
    /// translation.
    pub(crate) fn resume(&mut self, memory: &mut Memory) {
        let translation = std::mem::replace(&mut self.translation, memory.translation());
        let is_translated = translation != self.translation;
        if !is_translated && self.snapshot.is_empty() {
            return;
        }
        memory.set_translation(translation);
        let snapshot = std::mem::take(&mut self.snapshot);
        if is_translated || snapshot.differs(memory) {
            let replaced = snapshot.restore(memory);
            self.play_notes(memory);
            replaced.restore(memory);
            self.current = None;
        }
        memory.set_translation(self.translation);
    }

    /// Returns the first texel of the reference's last draw that differs from memory, and that an earlier draw
    /// loaded.
    pub(crate) const fn take_stale(&mut self) -> Option<StaleTexel> {
        self.lines.stale.take()
    }

    /// Returns access to the texels for a draw by the reference. Memory must hold the bytes of
    /// [`Self::noted_footprints`].
    pub(in crate::raster) fn access(&mut self, memory: &Memory, number: u64) -> TexelAccess<'_> {
        self.play_notes(memory);
        self.current = None;
        TexelAccess::Cached(CachedDraw::new(&mut self.lines, number))
    }

    /// Returns whether a draw with these registers may fetch a line that differs from memory. Memory must be as the
    /// next draw will find it.
    pub(crate) fn may_differ(&mut self, memory: &Memory, registers: &Registers) -> bool {
        self.play_notes(memory);
        Suspects::of_registers(&self.lines, memory, registers)
    }
}

/// Returns bytes of linear VRAM that hold a texture's lines, as far as they may be there.
fn vram_of(state: &PipelineState, translation: Translation) -> Range<usize> {
    state.cache_levels().fold(0..0, |vram, (_, level)| match Footprint::of_level(level, translation) {
        Footprint::Vram(bytes) => enclosing(&vram, &bytes),
        Footprint::Other => 0..VRAM_SIZE as usize,
        Footprint::Ram(_) => vram,
    })
}

/// A draw to follow through the cache.
struct FollowedDraw<'a> {
    memory: &'a Memory,
    state: &'a PipelineState,
    primitives: &'a [ScreenPrimitive],
    number: u64,
}

impl FollowedDraw<'_> {
    /// Follows the draw through the lines, and removes suspects that it replaces. Breaks with `true` at the first
    /// texel that differs from memory, or with `false` when no suspect is left.
    fn walk(&self, lines: &mut CacheLines, suspects: &mut Suspects, pixels: &mut u64) -> ControlFlow<bool> {
        let Self { memory, state, primitives, number } = *self;
        for primitive in primitives {
            let Some(source) = state.texel_source(primitive) else { continue };
            let mut last = None;
            PixelWalk::new(primitive, state.scissor()).forward(|x, y| {
                *pixels += 1;
                let mut differs = false;
                source.visit(x, y, &mut |level, texture: &Texture, at| {
                    let place = LinePlace::of_texel(texture, level, at);
                    let is_suspect = suspects.contains(place);
                    if last == Some(place) && !is_suspect {
                        return;
                    }
                    last = Some(place);
                    let (line, is_hit) =
                        lines.use_line(place, |tag| CachedLine::load(memory, texture, tag, number));
                    match line {
                        Some(line) if is_hit && !is_suspect => line.draw = number,
                        Some(line) if is_hit => differs |= line.stale(memory, texture, at).is_some(),
                        _ => {}
                    }
                    if !is_hit {
                        suspects.retain(lines);
                    }
                });
                if differs || suspects.is_empty() {
                    return ControlFlow::Break(differs);
                }
                ControlFlow::Continue(())
            })?;
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests;
