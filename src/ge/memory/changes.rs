//! Change tracking: versions of memory ranges, so that data derived from them can be reused.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ge::address::VRAM_SIZE;

/// Bytes of main RAM that share one change record.
const RAM_PAGE: usize = 0x1_0000;
/// The same for VRAM, which changes more often.
const VRAM_PAGE: usize = 0x4000;

/// The version of a range of bytes of a [`super::Memory`]. Equal versions of a range mean equal bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    memory: u64,
    change: u64,
}

/// The changes of one memory.
#[derive(Debug)]
pub(super) struct ChangeTracker {
    /// Distinguishes this memory from every other one of the process.
    memory_id: u64,
    /// Number of changes of main RAM and VRAM so far.
    change_count: u64,
    /// Number of the last change of each page of main RAM.
    ram_pages: Vec<u64>,
    /// Number of the last change of each page of VRAM.
    vram_pages: Vec<u64>,
}

/// Id of the next memory.
static NEXT_MEMORY_ID: AtomicU64 = AtomicU64::new(0);

impl ChangeTracker {
    /// Starts tracking a new memory with `ram` bytes of main RAM.
    pub(super) fn new(ram: usize) -> Self {
        Self {
            memory_id: NEXT_MEMORY_ID.fetch_add(1, Ordering::Relaxed),
            change_count: 0,
            ram_pages: vec![0; ram.div_ceil(RAM_PAGE)],
            vram_pages: vec![0; (VRAM_SIZE as usize).div_ceil(VRAM_PAGE)],
        }
    }

    /// Records a change of bytes of main RAM.
    pub(super) fn mark_ram(&mut self, start: usize, length: usize) {
        self.change_count = self.change_count.saturating_add(1);
        let pages = start / RAM_PAGE..start.saturating_add(length).div_ceil(RAM_PAGE);
        if let Some(pages) = self.ram_pages.get_mut(pages) {
            pages.fill(self.change_count);
        }
    }

    /// Records a change of bytes of VRAM in linear order, as far as they exist.
    pub(super) fn mark_vram(&mut self, bytes: &Range<usize>) {
        self.change_count = self.change_count.saturating_add(1);
        let pages = bytes.start / VRAM_PAGE..bytes.end.min(VRAM_SIZE as usize).div_ceil(VRAM_PAGE);
        if let Some(pages) = self.vram_pages.get_mut(pages) {
            pages.fill(self.change_count);
        }
    }

    /// Returns the version of bytes of main RAM, or `None` if any of their pages does not exist.
    pub(super) fn ram_version(&self, start: usize, length: usize) -> Option<Version> {
        self.version(self.ram_pages.get(start / RAM_PAGE..start.saturating_add(length).div_ceil(RAM_PAGE)))
    }

    /// Returns the version of bytes of VRAM in linear order, or `None` if any of their pages does not exist.
    pub(super) fn vram_version(&self, start: usize, length: usize) -> Option<Version> {
        self.version(self.vram_pages.get(start / VRAM_PAGE..start.saturating_add(length).div_ceil(VRAM_PAGE)))
    }

    fn version(&self, pages: Option<&[u64]>) -> Option<Version> {
        let change = pages?.iter().copied().max().unwrap_or(0);
        Some(Version { memory: self.memory_id, change })
    }
}
