//! Divides draws into render passes, and passes into bands.
//!
//! The rules and numbers are the same as for `render_pass` and `bands` in the rasterizer, so change them together.

use std::ops::Range;

use crate::hazards::overlap;
use crate::work::DrawWork;

/// How many draws a pass may have.
const MAX_DRAWS: usize = 512;
/// How many byte ranges these draws may read.
const MAX_READS: usize = 32;
/// How many bands a pass has for each of two threads, and for each of more.
const BANDS_PER_THREAD: usize = 3;
const BANDS_PER_THREAD_OF_MANY: usize = 6;
/// How many rows a band has at least.
const MIN_ROWS: usize = 8;
/// How many bands a pass has if it can be stopped and one of its draws is as big as the limit.
const BANDS_OF_BIG_DRAW: usize = 8;

/// Times shared by all draws, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LeastTimes {
    /// For a pass without its bands.
    pub(crate) pass: f64,
    /// For a draw in a band without any of its pixels.
    pub(crate) empty: f64,
}

/// Draws whose first rows are filled already, because a stop came in the middle of their pass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BegunDraws {
    pub(crate) count: usize,
    /// The row at which to continue.
    pub(crate) next_row: usize,
}

impl BegunDraws {
    /// Returns the begun draws left after the first `filled` draws.
    pub(crate) fn after(self, filled: usize) -> Option<Self> {
        (self.count > filled).then(|| Self { count: self.count - filled, ..self })
    }
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

    /// Returns how long the pass takes before its bands. Begun draws have their textures ready.
    pub(crate) fn overhead(&self, begun: Option<BegunDraws>, least: LeastTimes) -> f64 {
        let new = self.draws.iter().skip(begun.map_or(0, |begun| begun.count));
        least.pass + new.map(|draw| (draw.fill.pass - least.pass).max(0.0)).sum::<f64>()
    }

    /// Returns the bands for some threads, with their times. The first draws can be begun. `stops_above` tells that
    /// the pass can be stopped, and from how many pixels on a draw is big.
    pub(crate) fn bands(
        &self,
        begun: Option<BegunDraws>,
        threads: usize,
        stops_above: Option<u64>,
        least: LeastTimes,
    ) -> Vec<(Range<usize>, f64)> {
        let [mut start, end] = self.rows;
        let is_all_begun = begun.is_some_and(|begun| begun.count >= self.draws.len());
        if let Some(begun) = begun.filter(|_| is_all_begun) {
            start = start.max(begun.next_row);
        }
        let is_big = |limit: u64| self.draws.iter().any(|draw| draw.max_pixels >= limit);
        let parts = if stops_above.is_some_and(is_big) { BANDS_OF_BIG_DRAW } else { 1 };
        let rows = end.saturating_sub(start);
        let per_thread = if threads > 2 { BANDS_PER_THREAD_OF_MANY } else { BANDS_PER_THREAD };
        // A single thread needs several bands only to be stopped between them.
        let height = if threads <= 1 {
            rows.div_ceil(parts)
        } else {
            rows.div_ceil((threads * per_thread).max(parts)).max(MIN_ROWS)
        };
        let mut bands = Vec::new();
        while start < end {
            let begun = begun.filter(|begun| start < begun.next_row);
            let limit = begun.map_or(end, |begun| end.min(begun.next_row));
            let rows = start..limit.min(start + height.max(1));
            start = rows.end;
            let draws = self.draws.iter().skip(begun.map_or(0, |begun| begun.count));
            let time = draws.map(|draw| draw.fill.of_band(draw.rows.start, &rows, least.empty)).sum();
            bands.push((rows, time));
        }
        bands
    }
}

/// Collects draws for a pass.
#[derive(Debug, Default)]
struct PassBuilder<'d> {
    count: usize,
    pixels: u64,
    surfaces: Option<(&'d str, Option<&'d str>)>,
    /// The bytes for colour and depth.
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
        // Bands are filled independently, so no draw in a pass may read bytes written by this pass.
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
            let bands = pass.bands(None, threads, stops, LEAST);
            let times: f64 = bands.iter().map(|(_, time)| time).sum();
            assert!((times - 68.0).abs() < 1e-9, "all pixels: {times}");
            (bands.len(), bands[0].0.len())
        };
        assert_eq!(heights(1, None), (1, 272), "one band");
        assert_eq!(heights(1, Some(100)), (8, 34), "big draws can be stopped");
        assert_eq!(heights(2, None), (6, 46), "three bands for each thread");
        assert_eq!(heights(4, None), (23, 12), "six for each of more");
        assert_eq!(heights(64, None), (34, 8), "no fewer than eight rows");
        assert!((pass.overhead(None, LEAST) - 5.0).abs() < 1e-9, "shared by both draws");
    }

    #[test]
    fn begun_draws_have_no_time_in_their_filled_rows() {
        let plain = draw(100);
        let draws = [&plain, &plain];
        let pass = Pass::first_of(&draws, u64::MAX);
        let begun = |count| Some(BegunDraws { count, next_row: 136 });
        assert_eq!(pass.bands(begun(2), 1, None, LEAST)[0].0, 136..272, "the rest of both");
        let [(above, first), (below, second)] = &pass.bands(begun(1), 1, None, LEAST)[..] else {
            panic!("two bands")
        };
        assert_eq!((above, below), (&(0..136), &(136..272)), "cut where the first draw goes on");
        assert!(
            (first - 17.0).abs() < 1e-9 && (second - 34.0).abs() < 1e-9,
            "one draw, both: {first}, {second}"
        );
        assert!((pass.overhead(begun(1), LEAST) - 3.0).abs() < 1e-9, "the second draw's textures");
    }
}
