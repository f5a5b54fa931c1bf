//! Tracks which bytes queued draws use, and which bytes the front end can read and write while a job holds VRAM.
//!
//! The rules and numbers are the same as for `queue` and `vram_mirror` in the rasterizer, so change them together.

use std::ops::Range;

use pspge::ge::address::VRAM_SIZE;

use crate::work::DrawWork;

/// How many byte ranges to keep apart at most.
const MAX_RANGES: usize = 64;
/// How many bytes a page in the mirror has.
const PAGE: usize = 0x4000;
const PAGES: usize = VRAM_SIZE as usize / PAGE;

/// The bytes used by draws.
#[derive(Clone, Debug, Default)]
struct Accesses {
    writes: Vec<Range<usize>>,
    reads: Vec<Range<usize>>,
}

impl Accesses {
    fn writes(&self, bytes: &Range<usize>) -> bool {
        self.writes.iter().any(|range| overlap(range, bytes))
    }

    fn uses(&self, bytes: &Range<usize>) -> bool {
        self.writes(bytes) || self.reads.iter().any(|range| overlap(range, bytes))
    }
}

/// The bytes that draws access until they are known to be filled, and the mirror's pages.
#[derive(Clone, Debug)]
pub(crate) struct Hazards {
    /// For draws in the queue.
    queued: Accesses,
    /// For draws taken out of the queue.
    taken: Accesses,
    /// The bytes written while the current job holds VRAM.
    late_writes: Vec<Range<usize>>,
    /// Whether the front end has read this page while a job held VRAM.
    is_wanted: [bool; PAGES],
    /// Whether this page can be read while the current job holds VRAM.
    is_copied: [bool; PAGES],
}

impl Default for Hazards {
    fn default() -> Self {
        Self {
            queued: Accesses::default(),
            taken: Accesses::default(),
            late_writes: Vec::new(),
            is_wanted: [false; PAGES],
            is_copied: [false; PAGES],
        }
    }
}

impl Hazards {
    /// Notes the bytes that a draw accesses.
    pub(crate) fn push(&mut self, draw: &DrawWork) {
        for range in &draw.writes {
            note(&mut self.queued.writes, range.clone());
        }
        for range in &draw.reads {
            note(&mut self.queued.reads, range.clone());
        }
    }

    /// Notes bytes that may change until the draws taken out are filled.
    pub(crate) fn note_write(&mut self, range: Range<usize>) {
        note(&mut self.taken.writes, range);
    }

    /// Takes all draws out of the queue.
    pub(crate) fn take(&mut self) {
        let Accesses { writes, reads } = std::mem::take(&mut self.queued);
        writes.into_iter().for_each(|range| note(&mut self.taken.writes, range));
        reads.into_iter().for_each(|range| note(&mut self.taken.reads, range));
    }

    /// Returns whether a draw may write any of these bytes.
    pub(crate) fn writes(&self, bytes: &Range<usize>) -> bool {
        self.queued.writes(bytes) || self.taken.writes(bytes)
    }

    /// Returns whether a draw may write or sample any of these bytes.
    pub(crate) fn uses(&self, bytes: &Range<usize>) -> bool {
        self.queued.uses(bytes) || self.taken.uses(bytes)
    }

    /// Returns whether these bytes can be written while a job holds VRAM.
    pub(crate) fn permits_late_write(&self, bytes: &Range<usize>) -> bool {
        !self.queued.uses(bytes) && !self.taken.writes(bytes)
    }

    /// Writes bytes while a job holds VRAM.
    pub(crate) fn write_late(&mut self, bytes: Range<usize>) {
        match self.late_writes.last_mut() {
            Some(last) if last.end == bytes.start => last.end = bytes.end,
            _ => self.late_writes.push(bytes),
        }
    }

    /// Forgets the draws taken out, because they are filled.
    pub(crate) fn forget_taken(&mut self) {
        self.taken = Accesses::default();
        self.late_writes.clear();
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
        if self.late_writes.iter().any(|range| range.start <= bytes.start && bytes.end <= range.end) {
            return true;
        }
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
        hazards.forget_taken();
        assert!(!hazards.writes(&(0..PAGE)), "filled");
    }

    #[test]
    fn bytes_that_no_draw_uses_are_written_late() {
        let mut hazards = Hazards::default();
        hazards.note_write(0..PAGE);
        hazards.lend();
        assert!(!hazards.permits_late_write(&(PAGE - 4..PAGE + 4)), "a draw writes some of them");
        assert!(hazards.permits_late_write(&(PAGE..PAGE + 4)), "no draw uses them");
        hazards.write_late(PAGE..PAGE + 4);
        hazards.write_late(PAGE + 4..PAGE + 8);
        assert!(hazards.can_read(&(PAGE + 2..PAGE + 6)), "written in two steps");
        assert!(!hazards.can_read(&(PAGE + 6..PAGE + 10)), "written in part");
        hazards.forget_taken();
        assert!(!hazards.can_read(&(PAGE + 2..PAGE + 6)), "VRAM is back");
    }
}
