//! VRAM's bytes in linear order, with their versions. A rasterizer can lend them to another thread, to draw there.
//!
//! Meanwhile a placeholder replaces them, and keeps all bytes written to it until VRAM is back. A rasterizer cannot
//! reach memory when it is dropped, so it then leaves VRAM in a [`VramReturn`] for the placeholder to find.

use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::block::Block;
use super::changes::{ChangeTracker, Version};
use crate::ge::address::VRAM_SIZE;

/// How many bytes share a change record. VRAM changes more often than main RAM, so its pages are smaller.
pub(super) const PAGE: usize = 0x4000;

/// VRAM's 2 MiB, or a placeholder for them.
pub(crate) struct Vram {
    bytes: Block,
    changes: ChangeTracker,
    /// State to replace VRAM while another thread has it. `None` if this is VRAM itself.
    placeholder: Option<Placeholder>,
}

/// A placeholder's state while another thread has VRAM.
#[derive(Default)]
struct Placeholder {
    /// The ranges written to this placeholder so far, in order.
    late_writes: Vec<Range<usize>>,
    place: VramReturn,
    /// VRAM taken from `place`, after the late writes were repeated in it.
    returned: OnceLock<Box<Vram>>,
}

/// The place to leave VRAM if the rasterizer that borrowed it is dropped before giving it back.
#[derive(Clone, Debug, Default)]
pub(crate) struct VramReturn(Arc<Mutex<Option<Box<Vram>>>>);

impl VramReturn {
    pub(crate) fn leave(&self, vram: Vram) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(vram));
    }

    /// Passes VRAM to `take` if it is here. Other threads that look for VRAM wait meanwhile.
    fn take(&self, take: impl FnOnce(Box<Vram>)) {
        if let Some(vram) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            take(vram);
        }
    }
}

impl Vram {
    pub(super) fn new() -> Self {
        let changes = ChangeTracker::new(VRAM_SIZE as usize, PAGE);
        Self { bytes: Block::zeroed(VRAM_SIZE as usize), changes, placeholder: None }
    }

    /// Creates a placeholder to replace VRAM while another thread has it.
    pub(crate) fn placeholder() -> Self {
        Self { placeholder: Some(Placeholder::default()), ..Self::new() }
    }

    /// Creates VRAM without bytes, for memory that shows main RAM alone.
    pub(super) fn absent() -> Self {
        Self { bytes: Block::absent(), changes: ChangeTracker::new(0, PAGE), placeholder: None }
    }

    /// Returns VRAM if it is here, also if a dropped rasterizer has left it; otherwise the placeholder.
    pub(super) fn present(&self) -> &Self {
        let Some(Placeholder { place, returned, .. }) = &self.placeholder else { return self };
        if returned.get().is_none() {
            place.take(|mut vram| {
                vram.repeat_writes(self);
                // This cannot fail, because VRAM is left only once.
                let _ = returned.set(vram);
            });
        }
        returned.get().map_or(self, |vram| vram)
    }

    /// Works as [`Self::present`], for writing. VRAM left by a dropped rasterizer replaces the placeholder for good.
    pub(super) fn present_mut(&mut self) -> &mut Self {
        self.present();
        if let Some(vram) = self.placeholder.as_mut().and_then(|placeholder| placeholder.returned.take()) {
            *self = *vram;
        }
        self
    }

    /// Returns the place for a rasterizer to leave VRAM for this placeholder.
    pub(crate) fn place(&self) -> VramReturn {
        self.placeholder.as_ref().map(|placeholder| placeholder.place.clone()).unwrap_or_default()
    }

    /// Returns the block, to put a host's bytes into it, or `None` for a placeholder.
    pub(super) fn block_mut(&mut self) -> Option<&mut Block> {
        (!self.is_placeholder()).then_some(&mut self.bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns all bytes for writing. Write only those in `changing`, because [`Self::version`] does not see changes
    /// to other bytes.
    pub(crate) fn bytes_mut(&mut self, changing: impl IntoIterator<Item = Range<usize>>) -> &mut [u8] {
        debug_assert!(!self.is_placeholder(), "VRAM is written before the sink is flushed");
        for bytes in changing {
            self.changes.mark(&bytes);
        }
        &mut self.bytes
    }

    /// Returns whether the engine owns the bytes and has them in place.
    pub(super) const fn is_own(&self) -> bool {
        self.placeholder.is_none() && self.bytes.is_owned()
    }

    /// Copies all bytes from another VRAM, page by page where they may differ.
    pub(super) fn copy_from(&mut self, source: &Self) {
        self.changes.copy_pages(&mut self.bytes, (&source.changes, &source.bytes), |_| {});
    }

    /// Copies bytes from VRAM into this placeholder, so that they read right while VRAM is away. This counts as a
    /// change.
    pub(crate) fn mirror(&mut self, bytes: Range<usize>, from: &[u8]) {
        self.changes.mark(&bytes);
        if let (Some(to), Some(from)) = (self.bytes.get_mut(bytes.clone()), from.get(bytes)) {
            to.copy_from_slice(from);
        }
    }

    /// Returns whether this only replaces VRAM while another thread has it.
    pub(super) const fn is_placeholder(&self) -> bool {
        self.placeholder.is_some()
    }

    /// Writes bytes to this placeholder, for [`Self::add_late_writes`] to pass on to VRAM.
    pub(super) fn write_late(&mut self, start: usize, bytes: &[u8]) {
        let range = start..start.saturating_add(bytes.len());
        self.changes.mark(&range);
        if let (Some(to), Some(placeholder)) = (self.bytes.get_mut(range.clone()), &mut self.placeholder) {
            to.copy_from_slice(bytes);
            // Writes mostly continue each other, so extending the last range keeps the list short.
            match placeholder.late_writes.last_mut() {
                Some(last) if last.end == range.start => last.end = range.end,
                _ => placeholder.late_writes.push(range),
            }
        }
    }

    /// Returns the ranges written to this placeholder, in order. Empty for VRAM itself.
    pub(crate) fn late_writes(&self) -> &[Range<usize>] {
        self.placeholder.as_ref().map_or(&[], |placeholder| &placeholder.late_writes)
    }

    /// Repeats a placeholder's writes in this VRAM and removes them from the placeholder.
    pub(crate) fn add_late_writes(&mut self, placeholder: &mut Self) {
        self.repeat_writes(placeholder);
        if let Some(placeholder) = &mut placeholder.placeholder {
            placeholder.late_writes.clear();
        }
    }

    /// Repeats a placeholder's writes in this VRAM. Writing equal bytes does not count as a change.
    fn repeat_writes(&mut self, placeholder: &Self) {
        for range in placeholder.late_writes() {
            let (Some(from), Some(to)) =
                (placeholder.bytes.get(range.clone()), self.bytes.get_mut(range.clone()))
            else {
                continue;
            };
            if from != to {
                to.copy_from_slice(from);
                self.changes.mark(range);
            }
        }
    }

    /// Records a change to bytes, before [`Self::bytes_mut`] returns them.
    pub(crate) fn mark(&mut self, bytes: &Range<usize>) {
        self.changes.mark(bytes);
    }

    /// Returns how many changes were recorded so far, as a mark for [`Self::changes_since`].
    pub(super) fn change_count(&self) -> u64 {
        self.changes.change_count()
    }

    /// Returns the byte range for each page that has changed after the first `change_count` changes.
    pub(super) fn changes_since(&self, change_count: u64) -> impl Iterator<Item = Range<u32>> {
        let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        self.changes.changes_since(change_count).map(move |bytes| number(bytes.start)..number(bytes.end))
    }

    /// Returns the version for these bytes, or `None` if any does not exist.
    pub(crate) fn version(&self, bytes: &Range<usize>) -> Option<Version> {
        self.bytes.get(bytes.clone())?;
        self.changes.version(bytes)
    }
}

impl fmt::Debug for Vram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vram").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}
