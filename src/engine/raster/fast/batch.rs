//! A batch holds up to [`BATCH_SIZE`] fragments with the same state, as a structure of arrays.
//!
//! It consists of consecutive segments, each with a single primitive's fragments. Depths and attributes are computed
//! for each segment, but texels and pixels for the whole batch. The last segment is open, to take more fragments.
//!
//! # Invariants
//! No two fragments in a batch share a pixel, so all pixels can be read before any is written. To keep it so,
//! [`super::fill`] draws the batch before a pixel could repeat ([`Batch::may_repeat`]). Lanes after the last
//! fragment have arbitrary values, and no result depends on them.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::row_hulls::RowHulls;

/// How many fragments make a group, which a vector loop processes at a time.
pub(super) const LANES: usize = 16;
/// How many fragments a batch holds at most.
pub(super) const BATCH_SIZE: usize = 128;
/// Array size. This leaves room for vectors that the last run or the last segment does not fill.
pub(super) const PADDED_SIZE: usize = BATCH_SIZE + LANES;

/// Column offsets within a group, then the distance to the next group.
const COLUMNS: [i32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const STEP: i32 = COLUMNS[LANES - 1] + 1;

/// Horizontally adjacent fragments.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PixelRun {
    /// The first fragment's lane.
    pub(super) lane: usize,
    /// How many fragments there are. These fill all lanes up to the next run.
    pub(super) count: usize,
    /// The first fragment's column in the target.
    pub(super) x: usize,
    /// Row relative to the target's first row.
    pub(super) y: usize,
    /// The first fragment's column in the primitive's bounds.
    pub(super) column: i32,
    /// Row in the primitive's bounds.
    pub(super) row: i32,
}

type Runs = ArrayVec<PixelRun, BATCH_SIZE>;

/// A segment's lanes, in groups from its first lane on. The last group may extend beyond them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub(super) first: usize,
    pub(super) groups: usize,
}

impl Segment {
    /// Returns this segment's groups.
    #[inline(always)]
    pub(super) fn of<T>(self, lanes: &[T]) -> &[[T; LANES]] {
        groups(&lanes[self.first..], self.groups)
    }

    /// Returns this segment's groups for writing.
    #[inline(always)]
    pub(super) fn of_mut<T>(self, lanes: &mut [T]) -> &mut [[T; LANES]] {
        groups_mut(&mut lanes[self.first..], self.groups)
    }
}

/// Fragments to draw together. Positions are relative to the upper left of the primitive's bounds.
#[derive(Clone, Debug)]
pub(super) struct Batch {
    pub(super) count: usize,
    /// At most a run for each fragment.
    pub(super) runs: Runs,
    /// The open segment's first lane and first run.
    open_lane: usize,
    open_run: usize,
    /// The pixels of all closed segments.
    closed: RowHulls,
    pub(super) x: [i32; PADDED_SIZE],
    pub(super) y: [i32; PADDED_SIZE],
    /// Texture coordinates after the division by q.
    pub(super) s: [f64; PADDED_SIZE],
    pub(super) t: [f64; PADDED_SIZE],
    pub(super) texel: [u32; PADDED_SIZE],
    /// Red, green, blue, alpha.
    pub(super) color: [[u16; PADDED_SIZE]; 4],
    pub(super) secondary: [[u16; PADDED_SIZE]; 3],
    pub(super) z: [u16; PADDED_SIZE],
    pub(super) fog: [u16; PADDED_SIZE],
    /// All bits set for live fragments, 0 for discarded fragments.
    pub(super) live_mask: [u16; PADDED_SIZE],
    /// Packed pixels, 2 or 4 bytes for each fragment: first as read from the framebuffer, then as they are to be
    /// stored.
    pub(super) packed: [u8; 4 * PADDED_SIZE],
    pub(super) old_z: [u16; PADDED_SIZE],
}

impl Batch {
    pub(super) fn new() -> Self {
        Self {
            count: 0,
            runs: Runs::new(),
            open_lane: 0,
            open_run: 0,
            closed: RowHulls::default(),
            x: [0; PADDED_SIZE],
            y: [0; PADDED_SIZE],
            s: [0.0; PADDED_SIZE],
            t: [0.0; PADDED_SIZE],
            texel: [0; PADDED_SIZE],
            color: [[0; PADDED_SIZE]; 4],
            secondary: [[0; PADDED_SIZE]; 3],
            z: [0; PADDED_SIZE],
            fog: [0; PADDED_SIZE],
            live_mask: [0; PADDED_SIZE],
            packed: [0; 4 * PADDED_SIZE],
            old_z: [0; PADDED_SIZE],
        }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.runs.clear();
        (self.open_lane, self.open_run) = (0, 0);
        self.closed.clear();
    }

    /// Appends a run to the open segment.
    #[inline(always)]
    pub(super) fn push(&mut self, run: PixelRun) {
        self.write_positions(&run);
        self.count = run.lane + run.count;
        self.runs.push(run);
    }

    /// Returns whether a run with `count` pixels might share a pixel with a closed segment.
    #[inline(always)]
    pub(super) fn may_repeat(&self, x: usize, count: usize, y: usize) -> bool {
        self.open_lane > 0 && self.closed.overlaps(x, count, y)
    }

    #[inline(always)]
    pub(super) fn open_segment(&self) -> Segment {
        let groups = (self.count - self.open_lane).div_ceil(LANES);
        Segment { first: self.open_lane, groups }
    }

    #[inline(always)]
    pub(super) fn open_runs(&self) -> &[PixelRun] {
        &self.runs[self.open_run..]
    }

    /// Returns the number of the open segment's first run.
    #[inline(always)]
    pub(super) fn open_run(&self) -> usize {
        self.open_run
    }

    /// Returns the open segment's runs, and the framebuffer's depths for writing.
    #[inline(always)]
    pub(super) fn open_runs_and_depths(&mut self) -> (&[PixelRun], &mut [u16]) {
        (&self.runs[self.open_run..], &mut self.old_z)
    }

    #[inline(always)]
    pub(super) fn open_lanes(&self) -> Range<usize> {
        self.open_lane..self.count
    }

    /// Returns whether there are fragments before the open segment.
    #[inline(always)]
    pub(super) fn has_closed_segments(&self) -> bool {
        self.open_lane > 0
    }

    /// Returns how many fragments the open segment has.
    #[inline(always)]
    pub(super) fn open_count(&self) -> usize {
        self.count - self.open_lane
    }

    /// Closes the open segment and begins the next.
    #[inline(always)]
    pub(super) fn close_segment(&mut self) {
        for run in &self.runs[self.open_run..] {
            self.closed.add(run.x, run.count, run.y);
        }
        (self.open_lane, self.open_run) = (self.count, self.runs.len());
    }

    /// Removes the open segment's fragments.
    #[inline(always)]
    pub(super) fn discard_segment(&mut self) {
        self.count = self.open_lane;
        self.runs.truncate(self.open_run);
    }

    /// Writes the positions for a run's fragments.
    #[inline(always)]
    fn write_positions(&mut self, run: &PixelRun) {
        // This writes whole groups for speed. The next run overwrites the lanes after this run.
        let lanes = run.lane..run.lane + run.count.next_multiple_of(LANES);
        let (xs, _) = self.x[lanes.clone()].as_chunks_mut::<LANES>();
        let (ys, _) = self.y[lanes].as_chunks_mut::<LANES>();
        let mut columns = COLUMNS.map(|column| run.column + column);
        for (x, y) in xs.iter_mut().zip(ys) {
            *x = columns;
            *y = [run.row; LANES];
            for column in &mut columns {
                *column += STEP;
            }
        }
    }

    /// Moves the open segment's live fragments together, to waste no lane on hidden fragments. `live_bits` has a bit
    /// for each fragment. This may split runs. Only positions and depths move, so this must come before other values
    /// are computed.
    #[inline(always)]
    pub(super) fn compact(&mut self, live_bits: u128) {
        let mut next_runs = Runs::new();
        let (first, end) = (self.open_lane, self.count);
        let mut to = first;
        for run in &self.runs[self.open_run..] {
            // Shifts by the full width are not allowed, so this clamps the count.
            let inside = u128::MAX >> (BATCH_SIZE - run.count.clamp(1, BATCH_SIZE));
            let mut remaining = (live_bits >> (run.lane - first)) & inside;
            while remaining != 0 {
                let skipped = remaining.trailing_zeros() as usize;
                let count = (remaining >> skipped).trailing_ones() as usize;
                remaining &= !((u128::MAX >> (BATCH_SIZE - count)) << skipped);
                let from = run.lane + skipped;
                if to != from {
                    self.z.copy_within(from..from + count, to);
                    self.old_z.copy_within(from..from + count, to);
                }
                let column = run.column + i32::try_from(skipped).unwrap_or(0);
                next_runs.push(PixelRun { lane: to, count, x: run.x + skipped, column, ..*run });
                to += count;
            }
        }
        for run in &next_runs {
            self.write_positions(run);
        }
        self.runs.truncate(self.open_run);
        self.runs.extend(next_runs);
        self.count = to;
        self.live_mask[first..to].fill(u16::MAX);
        self.live_mask[to..end].fill(0);
    }

    /// Marks the lanes after the last fragment as discarded, so that no pixel is stored for them.
    #[inline(always)]
    pub(super) fn end_live_mask(&mut self) {
        if let Some(lanes) = self.live_mask[self.count..].first_chunk_mut::<LANES>() {
            *lanes = [0; LANES];
        }
    }

    /// Counts the groups that hold fragments.
    #[inline(always)]
    pub(super) fn groups(&self) -> usize {
        self.count.div_ceil(LANES).min(BATCH_SIZE / LANES)
    }
}

/// Splits off the first `count` groups from an array.
#[inline(always)]
pub(super) fn groups<T>(lanes: &[T], count: usize) -> &[[T; LANES]] {
    let (groups, _) = lanes.as_chunks::<LANES>();
    &groups[..count.min(groups.len())]
}

/// Splits off the first `count` groups from an array for writing.
#[inline(always)]
pub(super) fn groups_mut<T>(lanes: &mut [T], count: usize) -> &mut [[T; LANES]] {
    let (groups, _) = lanes.as_chunks_mut::<LANES>();
    let count = count.min(groups.len());
    &mut groups[..count]
}

/// Splits the first `count` groups into halves.
#[inline(always)]
pub(super) fn half_groups<T>(lanes: &[T], count: usize) -> &[[T; 8]] {
    let (halves, _) = lanes.as_chunks::<8>();
    &halves[..(2 * count).min(halves.len())]
}

/// Splits the first `count` groups into halves for writing.
#[inline(always)]
pub(super) fn half_groups_mut<T>(lanes: &mut [T], count: usize) -> &mut [[T; 8]] {
    let (halves, _) = lanes.as_chunks_mut::<8>();
    let count = (2 * count).min(halves.len());
    &mut halves[..count]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of `count` pixels in row `y` from column `x` on, at the end of the batch.
    fn push(batch: &mut Batch, x: usize, y: usize, count: usize) {
        let [column, row] = [x, y].map(|at| i32::try_from(at).expect("small"));
        batch.push(PixelRun { lane: batch.count, count, x, y, column, row });
    }

    #[test]
    fn hidden_fragments_leave_closed_segments_alone() {
        let mut batch = Batch::new();
        push(&mut batch, 4, 1, 3);
        batch.z[..3].copy_from_slice(&[7, 8, 9]);
        assert!(!batch.has_closed_segments() && !batch.may_repeat(4, 3, 1), "the only segment is open");
        batch.close_segment();
        assert!(batch.may_repeat(6, 9, 1) && !batch.may_repeat(7, 9, 1), "pixels of the first segment");
        push(&mut batch, 10, 1, 5);
        push(&mut batch, 9, 2, 2);
        batch.z[3..10].copy_from_slice(&[10, 11, 12, 13, 14, 15, 16]);
        // The second, the third and the sixth of seven fragments.
        batch.compact(0b010_0110);
        let Segment { first, groups } = batch.open_segment();
        assert_eq!((first, groups, batch.open_lanes()), (3, 1, 3..6), "the open segment");
        assert_eq!(batch.z[..6], [7, 8, 9, 11, 12, 15], "depths");
        assert_eq!(batch.x[..6], [4, 5, 6, 11, 12, 9], "columns");
        let runs: Vec<_> = batch.runs.iter().map(|run| (run.lane, run.count, run.x, run.y)).collect();
        assert_eq!(runs, [(0, 3, 4, 1), (3, 2, 11, 1), (5, 1, 9, 2)], "runs");
        batch.discard_segment();
        assert_eq!((batch.count, batch.runs.len()), (3, 1), "all of it was hidden");
        assert!(!batch.may_repeat(11, 1, 1), "pixels that are not drawn do not count");
        batch.clear();
        assert!(batch.runs.is_empty() && !batch.may_repeat(4, 1, 1), "empty");
    }
}
