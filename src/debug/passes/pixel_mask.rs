//! A pixel set for a buffer, which collects a draw's covered pixels.

use std::ops::Range;

use bitvec::vec::BitVec;

use crate::pipeline::framebuffer::COORDINATES;

/// A set of pixels.
#[derive(Clone, Debug)]
pub(super) struct PixelMask {
    bits: BitVec,
    /// The rows that may have pixels, to skip all others.
    rows: Range<u32>,
}

/// A rectangle in pixels, as half-open ranges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnBox {
    /// Its columns.
    pub columns: Range<u32>,
    /// Its rows.
    pub rows: Range<u32>,
}

impl DrawnBox {
    /// Returns the box around two boxes.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let join = |a: &Range<u32>, b: &Range<u32>| a.start.min(b.start)..a.end.max(b.end);
        Self { columns: join(&self.columns, &other.columns), rows: join(&self.rows, &other.rows) }
    }
}

impl Default for PixelMask {
    fn default() -> Self {
        let pixels = COORDINATES.saturating_mul(COORDINATES) as usize;
        Self { bits: BitVec::repeat(false, pixels), rows: 0..0 }
    }
}

impl PixelMask {
    /// Adds columns in a row. They wrap beyond the largest buffer.
    pub(super) fn insert(&mut self, row: u32, columns: Range<u32>) {
        let row = row % COORDINATES;
        let start = columns.start % COORDINATES;
        let end = start.saturating_add(columns.end.saturating_sub(columns.start).min(COORDINATES));
        if start == end {
            return;
        }
        self.rows = match self.rows.is_empty() {
            true => row..row.saturating_add(1),
            false => self.rows.start.min(row)..self.rows.end.max(row.saturating_add(1)),
        };
        self.fill(row, start..end.min(COORDINATES));
        self.fill(row, 0..end.saturating_sub(COORDINATES));
    }

    fn fill(&mut self, row: u32, columns: Range<u32>) {
        let first = row.saturating_mul(COORDINATES);
        let bits = first.saturating_add(columns.start) as usize..first.saturating_add(columns.end) as usize;
        if let Some(bits) = self.bits.get_mut(bits) {
            bits.fill(true);
        }
    }

    /// Passes each run of pixels to `visit`: its row and columns.
    pub(super) fn for_each_run(&self, mut visit: impl FnMut(u32, Range<u32>)) {
        for row in self.rows.clone() {
            let first = row.saturating_mul(COORDINATES) as usize;
            let width = COORDINATES as usize;
            let Some(mut rest) = self.bits.get(first..first.saturating_add(width)) else { return };
            let column = |left: usize| u32::try_from(width.saturating_sub(left)).unwrap_or(COORDINATES);
            loop {
                rest = rest.get(rest.leading_zeros()..).unwrap_or_default();
                let length = rest.leading_ones();
                if length == 0 {
                    break;
                }
                let start = rest.len();
                rest = rest.get(length..).unwrap_or_default();
                visit(row, column(start)..column(rest.len()));
            }
        }
    }

    /// Returns the smallest rectangle around the pixels, and counts them; `None` if there are none.
    pub(super) fn bounds(&self) -> Option<(DrawnBox, u64)> {
        let (mut bounds, mut count): (Option<DrawnBox>, u64) = (None, 0);
        self.for_each_run(|row, columns| {
            count = count.saturating_add(columns.len() as u64);
            let run = DrawnBox { columns, rows: row..row.saturating_add(1) };
            bounds = Some(bounds.take().map_or(run.clone(), |bounds| bounds.union(&run)));
        });
        Some((bounds?, count))
    }

    /// Removes all pixels, to use this set for the next draw.
    pub(super) fn clear(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let [start, end] = [rows.start, rows.end].map(|row| row.saturating_mul(COORDINATES) as usize);
        if let Some(bits) = self.bits.get_mut(start..end) {
            bits.fill(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_join_and_wrap() {
        let mut mask = PixelMask::default();
        assert_eq!(mask.bounds(), None, "no pixels");
        for (row, columns) in [(3, 5..9), (3, 9..12), (3, 7..8), (1, 0..1), (1, 1020..1026), (2, 4..4)] {
            mask.insert(row, columns);
        }
        let mut runs = Vec::new();
        mask.for_each_run(|row, columns| runs.push((row, columns)));
        assert_eq!(runs, [(1, 0..2), (1, 1020..1024), (3, 5..12)], "runs");
        assert_eq!(mask.bounds(), Some((DrawnBox { columns: 0..1024, rows: 1..4 }, 13)), "box");
        mask.clear();
        assert_eq!(mask.bounds(), None, "cleared");
        mask.insert(1023, 0..1024);
        assert_eq!(mask.bounds(), Some((DrawnBox { columns: 0..1024, rows: 1023..1024 }, 1024)), "a row");
    }
}
