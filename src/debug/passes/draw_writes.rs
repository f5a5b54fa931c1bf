//! Finds the bytes written by a draw, from its covered pixels and, if it has tests, from which pixels changed.

use std::ops::Range;

use super::footprint::DrawFootprint;
use super::pixel_access::{PixelAccess, Store};
use crate::debug::memory::byte_writers::{ByteWriters, for_each_vram_range};
use crate::debug::timeline::EventNumber;
use crate::ge::address::{Address, VRAM_SIZE};
use crate::ge::color;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;

/// How many bytes in VRAM to mark together.
const PAGE: usize = 0x1000;
/// Why there are bytes for each range that a draw writes.
const IN_VRAM: &str = "surfaces are in VRAM";

/// A value in a buffer.
#[derive(Clone, Copy, Debug)]
struct Value {
    /// How many bytes it has.
    size: usize,
    /// Which of its bytes the draw stores.
    stored: [bool; 4],
}

impl Value {
    /// Returns whether byte `at` in a run belongs to a stored value, because a byte in this value has changed. The
    /// stencil, which is the last byte in 32-bit pixels, may change alone: a fragment may store it even if it fails
    /// its tests.
    fn is_written(&self, old: &[u8], after: &[u8], at: usize) -> bool {
        let byte = at.checked_rem(self.size).unwrap_or(0);
        let start = at.saturating_sub(byte);
        let has_changed =
            |bytes: Range<usize>| old.get(bytes.clone()).zip(after.get(bytes)).is_some_and(|(a, b)| a != b);
        let is_stored = self.stored.get(byte).is_some_and(|stored| *stored);
        // If any colour byte changes, the fragment has passed. So it wrote all colour bytes, even those with the
        // same value as before.
        let colors = start..start.saturating_add(self.size.min(3));
        is_stored && has_changed(colors) || has_changed(at..at.saturating_add(1))
    }
}

/// Finds the bytes that draws write, for each draw in turn.
#[derive(Debug)]
pub(super) struct DrawWrites {
    /// The bytes under the current draw as they were before, ordered like its runs, to see which change.
    before: Vec<u8>,
    /// Whether a change in depth decides who wrote it. Otherwise all covered depth counts as written.
    follows_depth: bool,
    /// Pages in VRAM that hold depth with an uncertain writer.
    uncertain_depth: Vec<bool>,
}

impl DrawWrites {
    /// Creates the state before the first draw.
    pub(super) fn new(follows_depth: bool) -> Self {
        let uncertain_depth = vec![false; VRAM_SIZE as usize / PAGE];
        Self { before: Vec::new(), follows_depth, uncertain_depth }
    }

    /// Returns whether bytes may hold depth with an uncertain writer.
    pub(super) fn is_uncertain(&self, start: Address, length: u32, translation: Translation) -> bool {
        let mut found = false;
        if self.uncertain_depth.contains(&true) {
            for_each_vram_range(start, length, translation, |bytes| {
                let pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
                found |= self.uncertain_depth.get(pages).is_some_and(|pages| pages.contains(&true));
            });
        }
        found
    }

    /// Returns which bytes must be complete in memory before and after a draw, as address and length.
    pub(super) fn needed(&self, access: &PixelAccess, footprint: &DrawFootprint) -> (Address, u32) {
        let mut bytes: Option<Range<usize>> = None;
        if access.color_store == Store::Tested {
            footprint.for_each_color_range(access.color, |range| {
                let known = bytes.take().unwrap_or(range.clone());
                bytes = Some(known.start.min(range.start)..known.end.max(range.end));
            });
        }
        if self.follows_depth && access.depth_store == Store::Tested {
            bytes = Some(0..VRAM_SIZE as usize);
        }
        let bytes = bytes.unwrap_or_default();
        let [start, length] = [bytes.start, bytes.len()].map(|at| u32::try_from(at).or_never(IN_VRAM));
        (Address::vram(start), length)
    }

    /// Keeps the bytes under a draw, to be called before it is drawn.
    pub(super) fn keep(&mut self, memory: &Memory, access: &PixelAccess, footprint: &DrawFootprint) {
        let Self { before, follows_depth, .. } = self;
        before.clear();
        let mut keep = |bytes: Range<usize>| {
            before.extend_from_slice(memory.vram().get(bytes).or_never(IN_VRAM));
        };
        if access.color_store == Store::Tested {
            footprint.for_each_color_range(access.color, &mut keep);
        }
        if access.depth_store == Store::Tested && *follows_depth {
            footprint.for_each_depth_range(access.depth, memory.translation(), &mut keep);
        }
    }

    /// Sets the writer for a draw's bytes, to be called after it was drawn.
    pub(super) fn finish(
        &mut self,
        memory: &Memory,
        access: &PixelAccess,
        footprint: &DrawFootprint,
        writers: &mut ByteWriters,
        event: EventNumber,
    ) {
        let Self { before, follows_depth, uncertain_depth } = self;
        let mut before = before.as_slice();
        let size = color::bytes(access.color.format) as usize;
        let mut set_changed = |writers: &mut ByteWriters, bytes: Range<usize>, value: Value| {
            let after = memory.vram().get(bytes.clone()).or_never(IN_VRAM);
            let (old, rest) =
                before.split_at_checked(after.len()).or_never("`keep` has added the bytes in the same order");
            before = rest;
            if old != after {
                writers.set_vram_where(bytes, event, |at| value.is_written(old, after, at));
            }
        };
        let color = Value { size, stored: [0, 1, 2, 3].map(|byte| access.stores_byte(byte)) };
        let depth = Value { size: 2, stored: [true; 4] };
        match access.color_store {
            Store::Never => {}
            Store::Tested => {
                footprint.for_each_color_range(access.color, |bytes| set_changed(writers, bytes, color));
            }
            Store::Always => {
                let stored = color.stored;
                let is_whole = stored.iter().take(size).all(|stored| *stored);
                let is_stored = |at: usize| stored.get(at % size.max(1)).is_some_and(|stored| *stored);
                footprint.for_each_color_range(access.color, |bytes| match is_whole {
                    true => writers.set_vram(bytes, event),
                    false => writers.set_vram_where(bytes, event, is_stored),
                });
            }
        }
        let translation = memory.translation();
        match access.depth_store {
            Store::Never => {}
            Store::Tested if *follows_depth => {
                footprint.for_each_depth_range(access.depth, translation, |bytes| {
                    set_changed(writers, bytes, depth);
                });
            }
            store => footprint.for_each_depth_range(access.depth, translation, |bytes| {
                let pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE);
                if let Some(pages) = uncertain_depth.get_mut(pages).filter(|_| store == Store::Tested) {
                    // This draw counts as the writer. If such bytes are read, the run is repeated to follow depth.
                    pages.fill(true);
                }
                writers.set_vram(bytes, event);
            }),
        }
    }
}
