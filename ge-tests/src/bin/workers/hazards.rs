//! The bytes that queued draws use, and those that the front end can read while a job holds VRAM.
//!
//! The rules and numbers are those of `queue` and `vram_mirror` in the rasterizer.

use std::ops::Range;

use pspge::ge::address::VRAM_SIZE;

use crate::work::DrawWork;

/// Maximum number of byte ranges that are kept apart.
const MAX_RANGES: usize = 64;
/// Bytes of a page of the mirror.
const PAGE: usize = 0x4000;
const PAGES: usize = VRAM_SIZE as usize / PAGE;

/// The accesses of draws that are not known to be filled, and the pages of the mirror.
#[derive(Clone, Debug)]
pub(crate) struct Hazards {
    writes: Vec<Range<usize>>,
    reads: Vec<Range<usize>>,
    /// The front end has read the page while a job held VRAM.
    is_wanted: [bool; PAGES],
    /// The page can be read while the current job holds VRAM.
    is_copied: [bool; PAGES],
}

impl Default for Hazards {
    fn default() -> Self {
        Self { writes: Vec::new(), reads: Vec::new(), is_wanted: [false; PAGES], is_copied: [false; PAGES] }
    }
}

impl Hazards {
    /// Notes the accesses of a draw.
    pub(crate) fn push(&mut self, draw: &DrawWork) {
        for range in &draw.writes {
            self.note_write(range.clone());
        }
        for range in &draw.reads {
            note(&mut self.reads, range.clone());
        }
    }

    /// Notes bytes that may change.
    pub(crate) fn note_write(&mut self, range: Range<usize>) {
        note(&mut self.writes, range);
    }

    /// Returns whether a draw may write any of the bytes.
    pub(crate) fn writes(&self, bytes: &Range<usize>) -> bool {
        self.writes.iter().any(|range| overlap(range, bytes))
    }

    /// Returns whether a draw may sample any of the bytes.
    pub(crate) fn reads(&self, bytes: &Range<usize>) -> bool {
        self.reads.iter().any(|range| overlap(range, bytes))
    }

    /// All draws are filled.
    pub(crate) fn forget(&mut self) {
        self.writes.clear();
        self.reads.clear();
    }

    /// Lends VRAM to a job.
    pub(crate) fn lend(&mut self) {
        for page in 0..PAGES {
            let bytes = page * PAGE..(page + 1) * PAGE;
            self.is_copied[page] = self.is_wanted[page] && !self.writes(&bytes);
        }
    }

    /// Returns whether the front end can read bytes while a job holds VRAM. If not, it can the next time.
    pub(crate) fn can_read(&mut self, bytes: &Range<usize>) -> bool {
        let mut can_read = true;
        for page in bytes.start / PAGE..bytes.end.div_ceil(PAGE).min(PAGES) {
            self.is_wanted[page] = true;
            can_read &= self.is_copied[page];
        }
        can_read
    }
}

/// Returns whether two ranges share a byte.
pub(crate) fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

fn note(ranges: &mut Vec<Range<usize>>, range: Range<usize>) {
    if range.is_empty() || ranges.iter().any(|known| known.start <= range.start && range.end <= known.end) {
        return;
    }
    ranges.push(range);
    if ranges.len() > MAX_RANGES {
        let start = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        ranges.clear();
        ranges.push(start..end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_can_be_read_from_the_second_time_on() {
        let mut hazards = Hazards::default();
        hazards.note_write(0..PAGE);
        hazards.lend();
        assert!(!hazards.can_read(&(PAGE..PAGE + 4)), "not wanted before");
        hazards.lend();
        assert!(hazards.can_read(&(PAGE..PAGE + 4)), "copied");
        assert!(!hazards.can_read(&(PAGE - 4..PAGE + 4)), "the page before may change");
        assert!(hazards.writes(&(PAGE - 1..PAGE)) && !hazards.writes(&(PAGE..2 * PAGE)), "written bytes");
        hazards.forget();
        assert!(!hazards.writes(&(0..PAGE)), "filled");
    }
}
