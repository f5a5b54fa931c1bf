//! Change tracking: versions of memory ranges, so that data derived from them can be reused.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The version of a range of bytes of a [`super::Memory`]. Equal versions of a range mean equal bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    tracker: u64,
    change: u64,
}

/// The changes of one block of memory.
#[derive(Debug)]
pub(super) struct ChangeTracker {
    /// Distinguishes this tracker from every other one of the process.
    id: u64,
    /// Number of changes so far.
    change_count: u64,
    /// Bytes that share one change record.
    page_size: usize,
    /// Number of the last change of each page.
    pages: Vec<u64>,
}

/// Id of the next tracker.
static NEXT_ID: AtomicU64 = AtomicU64::new(0);

impl ChangeTracker {
    /// Starts tracking `bytes` bytes in pages of `page_size`, which must not be 0.
    pub(super) fn new(bytes: usize, page_size: usize) -> Self {
        Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            change_count: 0,
            page_size,
            pages: vec![0; bytes.div_ceil(page_size)],
        }
    }

    /// Records a change of bytes, as far as they exist.
    pub(super) fn mark(&mut self, bytes: &Range<usize>) {
        self.change_count = self.change_count.saturating_add(1);
        let pages = self.pages_of(bytes);
        let pages = pages.start..pages.end.min(self.pages.len());
        if let Some(pages) = self.pages.get_mut(pages) {
            pages.fill(self.change_count);
        }
    }

    /// Returns the version of bytes, or `None` if any of their pages does not exist.
    pub(super) fn version(&self, bytes: &Range<usize>) -> Option<Version> {
        let pages = self.pages.get(self.pages_of(bytes))?;
        Some(Version { tracker: self.id, change: pages.iter().copied().max().unwrap_or(0) })
    }

    fn pages_of(&self, bytes: &Range<usize>) -> Range<usize> {
        let first = bytes.start.checked_div(self.page_size).unwrap_or(0);
        first..bytes.end.div_ceil(self.page_size.max(1))
    }
}
