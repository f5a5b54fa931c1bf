//! Divides draws into render passes, and passes into bands.
//!
//! The rules and numbers are the same as for `render_pass` and `bands` in the rasterizer.

use std::ops::Range;

use crate::hazards::overlap;
use crate::work::DrawWork;

/// Most draws in a pass.
const MAX_DRAWS: usize = 512;
/// Most byte ranges for its draws to read.
const MAX_READS: usize = 32;
/// Bands per thread.
const BANDS_PER_THREAD: usize = 3;
/// A band has at least this many rows.
const MIN_ROWS: usize = 8;
/// Bands in a pass with a draw as big as its limit, if it can be stopped.
const BANDS_OF_BIG_DRAW: usize = 8;

/// Times that are the same for all draws, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LeastTimes {
    /// For a pass without its bands.
    pub(crate) pass: f64,
    /// For a draw in a band without any of its pixels.
    pub(crate) empty: f64,
}

/// Consecutive draws to fill together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pass<'d> {
    pub(crate) draws: &'d [&'d DrawWork],
    /// First row and end row.
    rows: [usize; 2],
}

impl<'d> Pass<'d> {
    /// Collects the first draws until they may cover `max_pixels`; there must be at least one.
    pub(crate) fn first_of(draws: &'d [&'d DrawWork], max_pixels: u64) -> Self {
        let mut builder = PassBuilder::default();
        let count = draws.iter().take_while(|draw| builder.push(draw, max_pixels)).count().max(1);
        let draws = &draws[..count];
        let start = draws.iter().map(|draw| draw.rows.start).min().unwrap_or(0);
        let end = draws.iter().map(|draw| draw.rows.end).max().unwrap_or(0);
        Self { draws, rows: [start, end] }
    }

    /// Returns the pass's time before its bands.
    pub(crate) fn overhead(&self, least: LeastTimes) -> f64 {
        least.pass + self.draws.iter().map(|draw| (draw.fill.pass - least.pass).max(0.0)).sum::<f64>()
    }

    /// Returns the bands from `first_row` on for some threads, with their times. `stops_above` tells that the pass can
    /// be stopped, and from how many pixels on a draw is big.
    pub(crate) fn bands(
        &self,
        first_row: usize,
        threads: usize,
        stops_above: Option<u64>,
        least: LeastTimes,
    ) -> Vec<(Range<usize>, f64)> {
        let [start, end] = self.rows;
        let start = start.max(first_row);
        let is_big = |limit: u64| self.draws.iter().any(|draw| draw.max_pixels >= limit);
        let parts = if stops_above.is_some_and(is_big) { BANDS_OF_BIG_DRAW } else { 1 };
        let rows = end.saturating_sub(start);
        // A single thread needs several bands only to be stopped between them.
        let height = if threads <= 1 {
            rows.div_ceil(parts)
        } else {
            rows.div_ceil((threads * BANDS_PER_THREAD).max(parts)).max(MIN_ROWS)
        };
        let time = |rows: &Range<usize>| {
            self.draws.iter().map(|draw| draw.fill.of_band(draw.rows.start, rows, least.empty)).sum()
        };
        (start..end)
            .step_by(height.max(1))
            .map(|row| row..(row + height).min(end))
            .map(|rows| (rows.clone(), time(&rows)))
            .collect()
    }
}

/// Adds draws to a pass.
#[derive(Debug, Default)]
struct PassBuilder<'d> {
    count: usize,
    pixels: u64,
    surfaces: Option<(&'d str, Option<&'d str>)>,
    /// Bytes for colour and depth.
    writes: [Range<usize>; 2],
    reads: Vec<Range<usize>>,
}

impl<'d> PassBuilder<'d> {
    /// Adds a draw if it fits.
    fn push(&mut self, draw: &'d DrawWork, max_pixels: u64) -> bool {
        let depth = draw.depth.as_deref();
        let (color, known_depth) = self.surfaces.unwrap_or((&draw.color, None));
        let same_surfaces = color == draw.color && known_depth.zip(depth).is_none_or(|(a, b)| a == b);
        let mut writes = self.writes.clone();
        for (union, range) in writes.iter_mut().zip(&draw.writes) {
            // An empty range has no place, so it must not extend the other.
            *union = match [&*union, range].map(|range| range.start >= range.end) {
                [true, _] => range.clone(),
                [_, true] => union.clone(),
                _ => union.start.min(range.start)..union.end.max(range.end),
            };
        }
        let mut reads = self.reads.clone();
        reads.extend(draw.reads.iter().filter(|read| !self.reads.contains(read)).cloned());
        // Bands are filled independently, so no draw in a pass may read bytes that the pass writes.
        let is_hazard = overlap(&writes[0], &writes[1])
            || reads.iter().any(|read| writes.iter().any(|written| overlap(read, written)));
        let fits = same_surfaces
            && !is_hazard
            && reads.len() <= MAX_READS
            && self.count < MAX_DRAWS
            && self.pixels < max_pixels;
        if fits {
            self.count += 1;
            self.pixels = self.pixels.saturating_add(draw.max_pixels);
            self.surfaces = Some((color, known_depth.or(depth)));
            (self.writes, self.reads) = (writes, reads);
        }
        fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::{FillTime, Way};

    const LEAST: LeastTimes = LeastTimes { pass: 1.0, empty: 0.0 };

    fn draw(pixels: u64) -> DrawWork {
        let fill = FillTime { pass: 3.0, whole: 34.0, strips: vec![1.0; 34] };
        DrawWork::new(Way::Pass, pixels, fill)
    }

    #[test]
    fn passes_end_at_other_surfaces_hazards_and_limits() {
        let (plain, other) = (draw(100), DrawWork { color: "other".to_owned(), ..draw(100) });
        let texture = DrawWork { reads: std::iter::once(0..64).collect(), ..draw(100) };
        let count = |draws: &[&DrawWork], pixels| Pass::first_of(draws, pixels).draws.len();
        assert_eq!(count(&[&plain, &plain, &other], u64::MAX), 2, "another surface");
        assert_eq!(count(&[&plain, &texture], u64::MAX), 1, "samples the target");
        assert_eq!(count(&[&plain; 5], 250), 3, "pixels");
        assert_eq!(count(&[&plain; 600], u64::MAX), MAX_DRAWS, "draws");
    }

    #[test]
    fn bands_follow_the_number_of_threads() {
        let plain = draw(100);
        let draws = [&plain, &plain];
        let pass = Pass::first_of(&draws, u64::MAX);
        let heights = |threads, stops| {
            let bands = pass.bands(0, threads, stops, LEAST);
            let times: f64 = bands.iter().map(|(_, time)| time).sum();
            assert!((times - 68.0).abs() < 1e-9, "all pixels: {times}");
            (bands.len(), bands[0].0.len())
        };
        assert_eq!(heights(1, None), (1, 272), "one band");
        assert_eq!(heights(1, Some(100)), (8, 34), "big draws can be stopped");
        assert_eq!(heights(2, None), (6, 46), "three bands for each thread");
        assert_eq!(heights(7, None), (21, 13), "13 rows");
        assert_eq!(heights(64, None), (34, 8), "no fewer than eight rows");
        assert_eq!(pass.bands(136, 1, None, LEAST)[0].0, 136..272, "the rest of a stopped pass");
        assert!((pass.overhead(LEAST) - 5.0).abs() < 1e-9, "shared by both draws");
    }
}
