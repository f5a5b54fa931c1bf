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
    /// Number of the last change of each page. Pages without a change hold zeros.
    pages: Vec<u64>,
    /// The block whose copy this one is, besides later changes.
    origin: Option<Origin>,
}

/// The moment at which a block became the copy of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    /// The tracker of the other block.
    tracker: u64,
    /// The number of its changes.
    change_count: u64,
    /// The number of changes of the copy.
    own_change_count: u64,
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
            origin: None,
        }
    }

    /// Returns the number of pages.
    pub(super) const fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Returns whether a page was ever changed. If not, it holds zeros.
    pub(super) fn is_changed(&self, page: usize) -> bool {
        self.pages.get(page).is_some_and(|change| *change != 0)
    }

    /// Makes a block equal to another one of the same size, by the pages that may differ. Passes these to `copied`.
    pub(super) fn copy_pages(
        &mut self,
        bytes: &mut [u8],
        (source, source_bytes): (&Self, &[u8]),
        mut copied: impl FnMut(usize),
    ) {
        let unchanged_since = self
            .origin
            .filter(|origin| (origin.tracker, origin.change_count) == (source.id, source.change_count));
        let size = self.page_size;
        let pages = bytes.chunks_mut(size).zip(source_bytes.chunks(size));
        for (page, (to, from)) in pages.enumerate() {
            let differs = match unchanged_since {
                Some(origin) => self.pages.get(page).is_some_and(|change| *change > origin.own_change_count),
                None => self.is_changed(page) || source.is_changed(page),
            };
            if !differs {
                continue;
            }
            if source.is_changed(page) {
                to.copy_from_slice(from);
            } else {
                to.fill(0);
            }
            let start = page.saturating_mul(size);
            self.mark(&(start..start.saturating_add(size)));
            copied(page);
        }
        self.origin = Some(Origin {
            tracker: source.id,
            change_count: source.change_count,
            own_change_count: self.change_count,
        });
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
