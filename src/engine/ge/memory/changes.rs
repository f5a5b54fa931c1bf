//! Gives memory ranges versions, so that data derived from unchanged ranges can be reused.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// The version of a byte range in a [`super::Memory`]. Compare it with an earlier version to find out whether
/// derived data are stale: if two versions of a range are equal, its bytes are, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Version {
    tracker: u64,
    change: u64,
}

/// Tracks the changes to a memory block, by page.
#[derive(Debug)]
pub(super) struct ChangeTracker {
    /// Tells this tracker from all others in the process, so that versions from different blocks never match.
    id: u64,
    /// How many changes were recorded so far. This is the clock for versions.
    change_count: u64,
    /// How many bytes share a change record.
    page_size: usize,
    /// The number of the last change to each page. 0 means that the page was never changed and holds zeros.
    pages: Vec<u64>,
    /// The block this block was copied from, if any. Both may have changed since.
    origin: Option<Origin>,
}

/// Remembers when a block became a copy, to copy only later changes next time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Origin {
    /// The other block's tracker, by id.
    tracker: u64,
    /// How many changes the other block had at this time.
    change_count: u64,
    /// How many changes the copy had at this time.
    own_change_count: u64,
}

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

    pub(super) const fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Returns how many changes were recorded so far, as a mark for [`Self::changes_since`].
    pub(super) const fn change_count(&self) -> u64 {
        self.change_count
    }

    /// Returns the byte range for each page that has changed after the first `change_count` changes.
    pub(super) fn changes_since(&self, change_count: u64) -> impl Iterator<Item = Range<usize>> {
        let pages = self.pages.iter().zip((0..).step_by(self.page_size.max(1)));
        let size = self.page_size;
        pages
            .filter(move |(change, _)| **change > change_count)
            .map(move |(_, start): (_, usize)| start..start.saturating_add(size))
    }

    /// Returns whether a page was ever changed. If not, it holds zeros and needs no copy.
    pub(super) fn is_changed(&self, page: usize) -> bool {
        self.pages.get(page).is_some_and(|change| *change != 0)
    }

    /// Copies another block with the same size, but only pages that may differ. Passes their numbers to `copied`, to
    /// let the caller copy data that belong to a page.
    pub(super) fn copy_pages(
        &mut self,
        bytes: &mut [u8],
        (source, source_bytes): (&Self, &[u8]),
        mut copied: impl FnMut(usize),
    ) {
        // If the source has not changed since it was last copied, pages can differ only by the copy's own changes.
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

    /// Records a change to these bytes, as far as they exist.
    pub(super) fn mark(&mut self, bytes: &Range<usize>) {
        self.change_count = self.change_count.saturating_add(1);
        let pages = self.pages_of(bytes);
        let pages = pages.start..pages.end.min(self.pages.len());
        if let Some(pages) = self.pages.get_mut(pages) {
            pages.fill(self.change_count);
        }
    }

    /// Returns the version for these bytes, or `None` if any of their pages does not exist.
    pub(super) fn version(&self, bytes: &Range<usize>) -> Option<Version> {
        let pages = self.pages.get(self.pages_of(bytes))?;
        // A range is as new as its newest page.
        Some(Version { tracker: self.id, change: pages.iter().copied().max().unwrap_or(0) })
    }

    fn pages_of(&self, bytes: &Range<usize>) -> Range<usize> {
        let first = bytes.start.checked_div(self.page_size).unwrap_or(0);
        first..bytes.end.div_ceil(self.page_size.max(1))
    }
}
