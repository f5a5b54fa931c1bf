//! Copies memory pages for checkpoints, and puts them back.
//!
//! # Invariants
//! A page is copied only if it has changed since its last copy, and written back only if it differs from the copy.

use std::sync::Arc;

use crate::ge::address::Address;
use crate::ge::edram::Translation;
use crate::ge::memory::pages::PageCopy;
use crate::ge::memory::{Memory, Version};

/// Memory's contents at a moment. Snapshots share the copies of unchanged pages, to save memory.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// A copy for each page; `None` if this page never changes.
    pages: Vec<Option<Arc<PageCopy>>>,
    translation: Translation,
    /// How many bytes of copies were made for this snapshot.
    new_bytes: usize,
}

impl Snapshot {
    pub(crate) const fn new_bytes(&self) -> usize {
        self.new_bytes
    }

    pub(crate) fn copies(&self) -> impl Iterator<Item = &Arc<PageCopy>> {
        self.pages.iter().flatten()
    }
}

/// A page to look at, because it may have changed.
#[derive(Debug)]
pub(crate) struct ChangedPage {
    pub(crate) start: Address,
    /// Its contents before.
    pub(crate) before: Arc<PageCopy>,
}

/// Each page's last copy.
#[derive(Debug)]
pub(crate) struct PageTracker {
    pages: Vec<KnownPage>,
}

/// A page's last copy, and its bytes' version at that moment.
#[derive(Clone, Debug)]
struct KnownPage {
    copy: Arc<PageCopy>,
    version: Option<Version>,
}

impl PageTracker {
    /// Copies all pages. Unwritten pages share a copy.
    pub(crate) fn new(memory: &Memory) -> Self {
        let mut unwritten: Option<Arc<PageCopy>> = None;
        let copy = |page| {
            if memory.is_page_written(page) {
                return Arc::new(memory.copy_page(page));
            }
            Arc::clone(unwritten.get_or_insert_with(|| Arc::new(memory.copy_page(page))))
        };
        let copies: Vec<_> = (0..memory.page_count()).map(copy).collect();
        let known = |(page, copy)| KnownPage { copy, version: memory.page_version(page) };
        Self { pages: copies.into_iter().enumerate().map(known).collect() }
    }

    /// Returns memory's contents, with new copies only for changed pages.
    pub(crate) fn snapshot(&mut self, memory: &Memory) -> Snapshot {
        let mut new_bytes = 0_usize;
        for (page, known) in self.pages.iter_mut().enumerate() {
            if !known.is_current(memory, page) {
                known.copy = Arc::new(memory.copy_page(page));
                known.version = memory.page_version(page);
                new_bytes = new_bytes.saturating_add(known.copy.size());
            }
        }
        let pages = self.pages.iter().map(|known| Some(Arc::clone(&known.copy))).collect();
        Snapshot { pages, translation: memory.translation(), new_bytes }
    }

    /// Copies the pages changed since the last copies, and returns them with their contents before.
    pub(crate) fn update(&mut self, memory: &Memory) -> Vec<ChangedPage> {
        let mut changed = Vec::new();
        for (page, known) in self.pages.iter_mut().enumerate() {
            if !known.is_current(memory, page) {
                let before = std::mem::replace(&mut known.copy, Arc::new(memory.copy_page(page)));
                known.version = memory.page_version(page);
                changed.push(ChangedPage { start: memory.page_address(page), before });
            }
        }
        changed
    }

    pub(crate) fn current(&self, page: usize) -> Option<&Arc<PageCopy>> {
        self.pages.get(page).map(|known| &known.copy)
    }

    /// Puts memory back to the moment of this snapshot.
    pub(crate) fn restore(&mut self, memory: &mut Memory, snapshot: &Snapshot) {
        for (page, (known, copy)) in self.pages.iter_mut().zip(&snapshot.pages).enumerate() {
            let Some(copy) = copy else { continue };
            if Arc::ptr_eq(&known.copy, copy) && known.is_current(memory, page) {
                continue;
            }
            memory.restore_page(page, copy);
            *known = KnownPage { copy: Arc::clone(copy), version: memory.page_version(page) };
        }
        memory.set_translation(snapshot.translation);
    }

    /// Drops copies of pages that are the same in all snapshots and in memory, because memory itself can take their
    /// place.
    pub(crate) fn drop_constant<'s>(
        &mut self,
        memory: &Memory,
        snapshots: impl Iterator<Item = &'s mut Snapshot>,
    ) {
        let mut snapshots: Vec<&mut Snapshot> = snapshots.collect();
        let empty = Arc::new(PageCopy::default());
        for (page, known) in self.pages.iter_mut().enumerate() {
            let is_same = |snapshot: &&mut Snapshot| {
                snapshot
                    .pages
                    .get(page)
                    .is_some_and(|copy| copy.as_ref().is_some_and(|copy| Arc::ptr_eq(copy, &known.copy)))
            };
            // If a page has no version, it may have changed and changed back.
            let is_unchanged = known.version.is_some() && known.is_current(memory, page);
            if !is_unchanged || !snapshots.iter().all(is_same) {
                continue;
            }
            for snapshot in &mut snapshots {
                if let Some(copy) = snapshot.pages.get_mut(page) {
                    *copy = None;
                }
            }
            known.copy = Arc::clone(&empty);
        }
    }
}

impl KnownPage {
    /// Returns whether the page still holds the same bytes as its copy.
    fn is_current(&self, memory: &Memory, page: usize) -> bool {
        match self.version {
            Some(version) => memory.page_version(page) == Some(version),
            None => memory.is_page_equal(page, &self.copy),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RAM: Address = Address::new(0x0880_0000);
    const UNCHANGED: Address = Address::new(0x0890_0000);
    const SCRATCHPAD: Address = Address::new(0x0001_0000);

    #[test]
    fn snapshots_restore_memory_and_share_pages() {
        let mut memory = Memory::default();
        memory.write(UNCHANGED, &[9]);
        let mut tracker = PageTracker::new(&memory);
        let mut snapshots = Vec::new();
        for value in 1..=3 {
            for place in [RAM, Address::vram(0), SCRATCHPAD] {
                memory.write_u8(place, value);
            }
            snapshots.push(tracker.snapshot(&memory));
        }
        memory.set_translation(Translation::Width512);
        let mut copies: Vec<_> = snapshots.iter().flat_map(Snapshot::copies).map(Arc::as_ptr).collect();
        copies.sort_unstable();
        copies.dedup();
        // Three pages three times, the unchanged page, 1022 unwritten pages as one, and 127 pages in VRAM.
        assert_eq!(copies.len(), 9 + 1 + 1 + 127, "unchanged pages are shared");
        tracker.drop_constant(&memory, snapshots.iter_mut());
        for (value, snapshot) in [(2_u8, 1), (1, 0), (3, 2), (1, 0), (1, 0)] {
            memory.write_u8(RAM.offset(4), 77);
            tracker.restore(&mut memory, &snapshots[snapshot]);
            for place in [RAM, Address::vram(0), SCRATCHPAD] {
                assert_eq!(memory.read_u32(place), u32::from(value), "{place} in snapshot {snapshot}");
            }
            assert_eq!(memory.read_u8(UNCHANGED), 9, "a page without a copy");
            assert_eq!(memory.translation(), Translation::default(), "translation");
        }
        assert!(snapshots[0].copies().count() == 3, "only pages that change are kept");
    }
}
