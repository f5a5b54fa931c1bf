//! The reference rasterizer passes each value it computes to a recorder.
//!
//! # Invariants
//! A recorder never changes a pixel. Drawing with [`NoRecorder`] costs nothing, because the compiler drops the
//! calls.

use super::fragment_record::FragmentRecord;

/// Listens to the reference rasterizer.
pub(crate) trait Recorder {
    /// Selects the fragment at a screen pixel. Later calls to [`Self::record`] are about this fragment.
    fn select(&mut self, x: u32, y: u32);

    /// Passes the selected fragment's record to `edit`, if this recorder keeps it.
    fn record(&mut self, edit: impl FnOnce(&mut FragmentRecord));

    /// Called after the selected fragment is drawn. `passed` says whether it passed all tests.
    fn finish(&mut self, passed: bool);
}

/// Drops everything, for drawing without an explanation.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NoRecorder;

impl Recorder for NoRecorder {
    #[inline(always)]
    fn select(&mut self, _: u32, _: u32) {}

    #[inline(always)]
    fn record(&mut self, _: impl FnOnce(&mut FragmentRecord)) {}

    #[inline(always)]
    fn finish(&mut self, _: bool) {}
}

/// Keeps a primitive's fragments at a few screen pixels.
#[derive(Clone, Debug, Default)]
pub(super) struct PixelRecorder {
    pixels: Vec<[u32; 2]>,
    records: Vec<FragmentRecord>,
    selected: Option<usize>,
}

impl PixelRecorder {
    pub(crate) const fn new(pixels: Vec<[u32; 2]>) -> Self {
        Self { pixels, records: Vec::new(), selected: None }
    }

    /// Returns the records so far, sorted by their first step, and forgets them.
    pub(crate) fn take(&mut self) -> Vec<FragmentRecord> {
        self.selected = None;
        std::mem::take(&mut self.records)
    }
}

impl Recorder for PixelRecorder {
    fn select(&mut self, x: u32, y: u32) {
        self.selected = None;
        if self.pixels.contains(&[x, y]) {
            let known = self.records.iter().position(|record| record.screen == [x, y]);
            self.selected = Some(known.unwrap_or_else(|| {
                self.records.push(FragmentRecord { screen: [x, y], ..FragmentRecord::default() });
                self.records.len() - 1
            }));
        }
    }

    fn record(&mut self, edit: impl FnOnce(&mut FragmentRecord)) {
        if let Some(record) = self.selected.and_then(|selected| self.records.get_mut(selected)) {
            edit(record);
        }
    }

    fn finish(&mut self, _: bool) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_chosen_pixels_alone() {
        let mut recorder = PixelRecorder::new(vec![[1, 2]]);
        for (x, y) in [(1, 1), (1, 2), (2, 2), (1, 2)] {
            recorder.select(x, y);
            recorder
                .record(|record| record.depth_write = Some(record.depth_write.map_or(0, |count| count + 1)));
        }
        let records = recorder.take();
        assert_eq!(records.len(), 1, "one pixel");
        assert_eq!((records[0].screen, records[0].depth_write), ([1, 2], Some(1)), "both calls about it");
        assert!(recorder.take().is_empty(), "forgotten");
    }
}
