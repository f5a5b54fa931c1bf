//! Keeps checkpoints, which hold a run's state at some events. They make it possible to reach other events
//! without a whole replay.
//!
//! # Invariants
//! The cost of the work between checkpoints decides how they are spaced. If they become too many or too
//! large, every second one is dropped and the spacing doubles. This keeps both bounded whatever the run does.

use std::collections::HashSet;
use std::sync::Arc;

use super::page_tracker::Snapshot;
use super::writers::Writers;
use crate::debug::timeline::EventNumber;
use crate::raster::checkpoint::RasterCheckpoint;
use crate::run::replay::Replay;

/// How many checkpoints to keep at most. With 100, the way to an event is about 1/200 of the run.
const CHECKPOINTS_MAX: usize = 128;
/// The cost between two checkpoints at first, in pixels. Drawing this takes about as long as a checkpoint.
const FIRST_SPACING: u64 = 1 << 15;

/// A run's state before an event.
#[derive(Debug)]
pub(super) struct Checkpoint {
    /// The next event.
    pub(super) event: EventNumber,
    pub(super) memory: Snapshot,
    pub(super) replay: Replay,
    pub(super) raster: RasterCheckpoint,
    pub(super) writers: Box<Writers>,
}

impl Checkpoint {
    /// Returns this checkpoint's size in bytes without its pages.
    fn size(&self) -> usize {
        let own = size_of::<Self>().saturating_add(size_of::<Writers>());
        own.saturating_add(self.replay.size()).saturating_add(self.raster.size())
    }
}

/// A run's checkpoints, by rising event.
#[derive(Debug)]
pub(super) struct Checkpoints {
    all: Vec<Checkpoint>,
    spacing: u64,
    /// How many bytes all checkpoints but the first take. The first has the capture's own pages.
    bytes: u64,
    bytes_max: u64,
}

impl Checkpoints {
    /// Creates an empty list, which takes at most about `bytes_max` bytes. The first checkpoint is always kept.
    pub(super) const fn new(bytes_max: u64) -> Self {
        Self { all: Vec::new(), spacing: FIRST_SPACING, bytes: 0, bytes_max }
    }

    /// Returns after how much cost the next checkpoint is due, in pixels.
    pub(super) const fn spacing(&self) -> u64 {
        self.spacing
    }

    /// Adds a checkpoint after all others.
    pub(super) fn push(&mut self, checkpoint: Checkpoint) {
        // The first checkpoint costs nothing, because its pages belong to the capture, which memory needs in
        // any case.
        if !self.all.is_empty() {
            let size = checkpoint.size().saturating_add(checkpoint.memory.new_bytes());
            self.bytes = self.bytes.saturating_add(size as u64);
        }
        self.all.push(checkpoint);
        while self.all.len() > 1 && (self.all.len() > CHECKPOINTS_MAX || self.bytes > self.bytes_max) {
            let mut number = 0_usize;
            self.all.retain(|_| {
                number = number.wrapping_add(1);
                // The first checkpoint always stays, because every event can be reached from there.
                number % 2 == 1
            });
            self.spacing = self.spacing.saturating_mul(2);
            // A dropped checkpoint may have shared pages with others, so bytes are counted anew.
            self.bytes = self.count_bytes(true);
        }
    }

    /// Returns the last checkpoint that is not after an event.
    pub(super) fn before(&self, event: EventNumber) -> Option<&Checkpoint> {
        let after = self.all.partition_point(|checkpoint| checkpoint.event <= event);
        self.all.get(after.checked_sub(1)?)
    }

    pub(super) const fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns how many bytes all checkpoints take; a shared page counts once.
    pub(super) fn bytes(&self) -> u64 {
        self.count_bytes(false)
    }

    /// Counts the bytes for all checkpoints, or for all but the first and its pages.
    fn count_bytes(&self, without_first: bool) -> u64 {
        let skipped = usize::from(without_first);
        let mut pages = HashSet::new();
        if let Some(first) = self.all.first().filter(|_| without_first) {
            pages.extend(first.memory.copies().map(Arc::as_ptr));
        }
        let counted = || self.all.iter().skip(skipped);
        let copies = counted().flat_map(|checkpoint| checkpoint.memory.copies());
        let shared: usize =
            copies.filter(|copy| pages.insert(Arc::as_ptr(copy))).map(|copy| copy.size()).sum();
        let own: usize = counted().map(Checkpoint::size).sum();
        own.saturating_add(shared) as u64
    }

    pub(super) fn snapshots_mut(&mut self) -> impl Iterator<Item = &mut Snapshot> {
        self.all.iter_mut().map(|checkpoint| &mut checkpoint.memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::session::page_tracker::PageTracker;
    use crate::ge::address::Address;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::memory::Memory;
    use crate::raster::{RasterOptions, Rasterizer};

    /// Adds checkpoints before `count` events, each of which changes a page in VRAM.
    fn filled(count: u32, bytes_max: u64) -> Checkpoints {
        let mut capture = crate::asm::assemble("FINISH | END").expect("a program").capture();
        let replay = Replay::new(&capture, Arithmetic::Hardware);
        capture.memory = Memory::default();
        let mut tracker = PageTracker::new(&capture.memory);
        let mut checkpoints = Checkpoints::new(bytes_max);
        for event in 0..count {
            checkpoints.push(Checkpoint {
                event: EventNumber(event),
                memory: tracker.snapshot(&capture.memory),
                replay: replay.clone(),
                raster: RasterCheckpoint::new(&Rasterizer::new(RasterOptions::default())),
                writers: Box::default(),
            });
            capture.memory.write_u32(Address::vram(0), event + 1);
        }
        checkpoints
    }

    #[test]
    fn number_and_bytes_are_bounded() {
        let many = filled(400, u64::MAX);
        assert!((50..=CHECKPOINTS_MAX).contains(&many.len()), "{} of 400", many.len());
        let small = filled(400, 1 << 20);
        assert!((5..CHECKPOINTS_MAX).contains(&small.len()), "{} of 400", small.len());
        assert!(small.count_bytes(true) <= 1 << 20, "{} bytes", small.count_bytes(true));
        assert!(small.spacing() > many.spacing(), "fewer checkpoints are farther apart");
        assert_eq!(filled(400, 0).len(), 1, "the first one stays");
    }

    #[test]
    fn the_last_checkpoint_before_an_event_is_found() {
        let checkpoints = filled(3, u64::MAX);
        let before = |event| checkpoints.before(EventNumber(event)).map(|checkpoint| checkpoint.event.0);
        assert_eq!([before(0), before(1), before(7)], [Some(0), Some(1), Some(2)], "not after it");
    }
}
