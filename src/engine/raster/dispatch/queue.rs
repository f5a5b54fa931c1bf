//! The queue holds draws already lowered, but not yet filled.
//!
//! # Invariants
//! Queued draws write VRAM, and read textures in VRAM and main RAM. They are completed before other code reads VRAM
//! bytes that they write, or changes bytes that they use. Draws taken out of the queue still count until they are
//! known to be filled. There is an exception: bytes that taken draws only read may be written late
//! ([`Queue::permits_late_write`]). For VRAM, this keeps ranges ([`Queue::writes`], [`Queue::uses`]); outside VRAM,
//! any write counts as a change.

use std::ops::Range;
use std::sync::Arc;

use crate::raster::fast::{DrawCall, PipelineState, overlap};
use crate::raster::front::lowered_primitives::LoweredPrimitives;

/// The queue is full at this number of draws or primitives, which take about 8 MiB.
const MAX_DRAWS: usize = 4096;
const MAX_PRIMITIVES: usize = 1 << 15;
/// The queue is also full if its draws hold copies of this many texture bytes.
const MAX_COPIED_BYTES: u64 = 8 << 20;
/// How many byte ranges to keep apart at most.
const MAX_RANGES: usize = 64;
/// The smallest cost, in pixels, for which it pays to wake another thread.
const MIN_COST: u64 = 1 << 13;

/// Lowered draws in submission order, with the VRAM ranges they use.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    draws: Vec<QueuedDraw>,
    /// The cost to fill the queued draws, in pixels.
    cost: u64,
    primitives: usize,
    /// How many texture bytes the queued draws may hold as copies.
    copied_bytes: u64,
    /// The VRAM in use by queued draws.
    queued: Accesses,
    /// The VRAM still in use by draws taken out, as long as they are not known to be filled.
    taken: Accesses,
    spare_draws: Vec<Vec<QueuedDraw>>,
}

#[derive(Debug, Default)]
struct Accesses {
    /// Ranges that draws may write.
    writes: Vec<Range<usize>>,
    /// Ranges that draws may read as textures.
    reads: Vec<Range<usize>>,
}

impl Accesses {
    fn writes(&self, bytes: &Range<usize>) -> bool {
        self.writes.iter().any(|range| overlap(range, bytes))
    }

    fn uses(&self, bytes: &Range<usize>) -> bool {
        self.writes(bytes) || self.reads.iter().any(|range| overlap(range, bytes))
    }
}

#[derive(Debug)]
pub(crate) struct QueuedDraw {
    pub(crate) state: Arc<PipelineState>,
    pub(crate) lowered: LoweredPrimitives,
}

/// Tells why pending draws are completed. The traced span shows this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlushReason {
    /// The queue is full.
    Full,
    /// A draw's texels are about to be copied.
    CopiedTexels,
    /// A draw's vertices are in VRAM.
    VertexMemory,
    /// The reference is about to draw.
    Reference,
    /// Other code is about to read VRAM bytes that draws write or that the mirror lacks.
    MemoryRead,
    /// Other code is about to write bytes that draws use, and cannot write them late.
    MemoryWrite,
    /// The texture cache is about to read texels.
    TextureCache,
    /// A draw is about to be explained at a watched pixel.
    Watch,
    /// [`Sink::flush`](crate::run::sink::Sink::flush) was called.
    Request,
}

impl Queue {
    pub(super) fn push(&mut self, state: Arc<PipelineState>, lowered: LoweredPrimitives) {
        for range in state.writes() {
            note_range(&mut self.queued.writes, range);
        }
        for range in state.reads() {
            note_range(&mut self.queued.reads, range);
        }
        self.cost = self.cost.saturating_add(lowered.cost());
        self.primitives += lowered.primitives().len();
        self.copied_bytes = self.copied_bytes.saturating_add(state.copied_bytes());
        self.draws.push(QueuedDraw { state, lowered });
    }

    /// Notes VRAM bytes that may change until the draws taken out are filled.
    pub(super) fn note_write(&mut self, range: Range<usize>) {
        note_range(&mut self.taken.writes, range);
    }

    /// Checks whether a draw not known to be filled may still write any of these VRAM bytes.
    pub(super) fn writes(&self, bytes: &Range<usize>) -> bool {
        self.queued.writes(bytes) || self.taken.writes(bytes)
    }

    /// Checks whether a draw may still read or write any of these VRAM bytes.
    pub(super) fn uses(&self, bytes: &Range<usize>) -> bool {
        self.queued.uses(bytes) || self.taken.uses(bytes)
    }

    /// Checks whether a draw taken out may still read or write any of these VRAM bytes.
    pub(super) fn is_used_by_taken(&self, bytes: &Range<usize>) -> bool {
        self.taken.uses(bytes)
    }

    /// Checks whether VRAM bytes can be written after the draws taken out and before those in the queue. For this,
    /// no draw may write them, and no queued draw may read them.
    pub(super) fn permits_late_write(&self, bytes: &Range<usize>) -> bool {
        !self.queued.uses(bytes) && !self.taken.writes(bytes)
    }

    pub(super) const fn len(&self) -> usize {
        self.draws.len()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.draws.is_empty()
    }

    /// Checks whether the draws must be completed before adding more.
    pub(crate) const fn is_full(&self) -> bool {
        self.draws.len() >= MAX_DRAWS
            || self.primitives >= MAX_PRIMITIVES
            || self.copied_bytes >= MAX_COPIED_BYTES
    }

    /// Checks whether it pays to hand the queue to another thread.
    pub(super) const fn is_worth_handing_over(&self) -> bool {
        is_worth_other_threads(self.cost)
    }

    /// Takes all draws out. Pass them to [`Self::recycle`] after drawing.
    pub(super) fn take_draws(&mut self) -> Vec<QueuedDraw> {
        (self.cost, self.primitives, self.copied_bytes) = (0, 0, 0);
        // Their ranges count as taken from now on, because the bytes may be in use until the draws are filled.
        let Accesses { writes, reads } = &mut self.queued;
        writes.drain(..).for_each(|range| note_range(&mut self.taken.writes, range));
        reads.drain(..).for_each(|range| note_range(&mut self.taken.reads, range));
        let empty = self.spare_draws.pop().unwrap_or_default();
        std::mem::replace(&mut self.draws, empty)
    }

    /// Forgets the ranges of the draws taken out, because all are filled.
    pub(super) fn forget_taken(&mut self) {
        self.taken.writes.clear();
        self.taken.reads.clear();
    }

    /// Keeps an emptied list of draws for reuse.
    pub(super) fn recycle(&mut self, filled: Vec<QueuedDraw>) {
        self.spare_draws.push(filled);
    }
}

/// Checks whether draws of this cost, in pixels, keep another thread busy for longer than it takes to wake.
pub(super) const fn is_worth_other_threads(cost: u64) -> bool {
    cost >= MIN_COST
}

/// Adds a range to a list. To keep searches short, a list that grows long becomes a single range around all others.
pub(crate) fn note_range(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    let is_known = |known: &Range<usize>| known.start <= range.start && range.end <= known.end;
    if range.is_empty() || ranges.iter().any(is_known) {
        return;
    }
    ranges.push(range);
    if ranges.len() > MAX_RANGES {
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        ranges.clear();
        ranges.push(start..end);
    }
}

impl QueuedDraw {
    /// Builds the call for the fast engine.
    pub(super) fn draw_call(&self) -> DrawCall<'_> {
        self.lowered.draw_call(&self.state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_ranges_become_one_that_contains_them() {
        let mut ranges = Vec::new();
        for start in (0..=MAX_RANGES).map(|number| number * 10) {
            note_range(&mut ranges, start..start + 4);
            note_range(&mut ranges, start..start + 4);
            note_range(&mut ranges, start..start);
        }
        assert_eq!(
            ranges,
            std::iter::once(0..MAX_RANGES * 10 + 4).collect::<Vec<_>>(),
            "one more than are kept apart"
        );
        note_range(&mut ranges, 7000..7001);
        assert_eq!(ranges.len(), 2, "later ranges are kept apart again");
    }
}
