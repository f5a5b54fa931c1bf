//! When bytes of memory changed, so that what was made of them can be used again.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::ge::address::VRAM_SIZE;

/// Bytes of main RAM whose last change is recorded together.
const RAM_PAGE: usize = 0x1_0000;
/// The same for VRAM, which changes more often.
const VRAM_PAGE: usize = 0x4000;

/// What some bytes of a [`super::Memory`] were at some time: while it is the same for the same bytes, they are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    memory: u64,
    change: u64,
}

/// The changes of one memory.
#[derive(Debug)]
pub(super) struct ChangeTracker {
    /// What tells this memory from every other one of the process.
    memory_id: u64,
    /// How often bytes of main RAM or VRAM changed.
    change_count: u64,
    /// The last change of each page of main RAM.
    ram_pages: Vec<u64>,
    /// The last change of each page of VRAM.
    vram_pages: Vec<u64>,
}

/// The id of the next memory.
static NEXT_MEMORY_ID: AtomicU64 = AtomicU64::new(0);

impl ChangeTracker {
    /// Of a new memory with so many bytes of main RAM.
    pub(super) fn new(ram: usize) -> Self {
        Self {
            memory_id: NEXT_MEMORY_ID.fetch_add(1, Ordering::Relaxed),
            change_count: 0,
            ram_pages: vec![0; ram.div_ceil(RAM_PAGE)],
            vram_pages: vec![0; (VRAM_SIZE as usize).div_ceil(VRAM_PAGE)],
        }
    }

    /// Bytes of main RAM change.
    pub(super) fn mark_ram(&mut self, start: usize, length: usize) {
        self.change_count = self.change_count.saturating_add(1);
        let pages = start / RAM_PAGE..start.saturating_add(length).div_ceil(RAM_PAGE);
        if let Some(pages) = self.ram_pages.get_mut(pages) {
            pages.fill(self.change_count);
        }
    }

    /// Bytes of VRAM in linear order change, as far as they exist.
    pub(super) fn mark_vram(&mut self, bytes: &Range<usize>) {
        self.change_count = self.change_count.saturating_add(1);
        let pages = bytes.start / VRAM_PAGE..bytes.end.min(VRAM_SIZE as usize).div_ceil(VRAM_PAGE);
        if let Some(pages) = self.vram_pages.get_mut(pages) {
            pages.fill(self.change_count);
        }
    }

    /// What bytes of main RAM are now.
    pub(super) fn ram_version(&self, start: usize, length: usize) -> Option<Version> {
        self.version(self.ram_pages.get(start / RAM_PAGE..start.saturating_add(length).div_ceil(RAM_PAGE)))
    }

    /// What bytes of VRAM in linear order are now.
    pub(super) fn vram_version(&self, start: usize, length: usize) -> Option<Version> {
        self.version(self.vram_pages.get(start / VRAM_PAGE..start.saturating_add(length).div_ceil(VRAM_PAGE)))
    }

    fn version(&self, pages: Option<&[u64]>) -> Option<Version> {
        let change = pages?.iter().copied().max().unwrap_or(0);
        Some(Version { memory: self.memory_id, change })
    }
}
