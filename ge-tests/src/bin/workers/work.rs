//! Describes a run as steps by the front end: the work between them, and the draws for others to fill. Times are in
//! nanoseconds.

use std::ops::Range;

/// How many rows a strip has, the finest part of a draw whose time is known: a band is at least this high.
pub(crate) const STRIP_ROWS: usize = 8;

/// A step by the front end.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    /// The front end's time since the step before.
    pub(crate) front_end: f64,
    pub(crate) action: Action,
}

/// What the front end does in a step.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Action {
    /// Lowers a draw. If anything is left of it, it is submitted next.
    Lower {
        /// How long this takes.
        time: f64,
        /// How much work the rasterizer expects, in vertices.
        work: u64,
    },
    /// Submits a draw.
    Draw(Box<DrawWork>),
    /// Reads bytes in VRAM from outside the rasterizer.
    Read(Range<usize>),
    /// Reads bytes in VRAM to compare them with new bytes.
    Compare(Range<usize>),
    /// Reads bytes in VRAM to copy a draw's texels.
    CopyTexels(Range<usize>),
    /// Writes bytes in VRAM, or with `None` in other memory.
    Write(Option<Range<usize>>),
    /// Needs all draws, because their vertices come from VRAM.
    VertexMemory,
    /// Needs all draws, because a user asks for it, or the run ends.
    Flush,
}

/// Who draws a draw, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// The front end, at once; its own time contains this.
    Alone,
    /// All workers, before the front end goes on, because this draw samples copies of its target.
    Copies,
    /// Any worker, later, in a pass.
    Pass,
}

/// A draw in the fast engine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawWork {
    pub(crate) way: Way,
    /// The cost as estimated by the rasterizer, in pixels.
    pub(crate) cost: u64,
    /// An upper bound for its pixels.
    pub(crate) max_pixels: u64,
    pub(crate) primitives: u64,
    /// The colour surface, as the rasterizer names it.
    pub(crate) color: String,
    /// The depth surface, if this draw uses it.
    pub(crate) depth: Option<String>,
    /// The rows inside the scissor.
    pub(crate) rows: Range<usize>,
    /// The bytes in VRAM that it may write: colour and depth.
    pub(crate) writes: Vec<Range<usize>>,
    /// The bytes in VRAM that it may sample.
    pub(crate) reads: Vec<Range<usize>>,
    pub(crate) fill: FillTime,
}

/// How long a draw takes to fill.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FillTime {
    /// A pass with this draw alone, without its bands.
    pub(crate) pass: f64,
    /// All rows as a single band.
    pub(crate) whole: f64,
    /// Strips with [`STRIP_ROWS`] rows, from the first row inside the scissor on.
    pub(crate) strips: Vec<f64>,
}

impl FillTime {
    /// Computes how long it takes to fill `rows` as a single band in a draw that begins at row `first`. `empty` is
    /// the time for a draw in a band without pixels. A band takes less time than its strips, because primitives are
    /// set up once.
    pub(crate) fn of_band(&self, first: usize, rows: &Range<usize>, empty: f64) -> f64 {
        let net = |time: &f64| (time - empty).max(0.0);
        // A strip with less than this holds no pixels; the rest is noise.
        let is_touched = |time: f64| time > 0.25 * empty;
        let (mut all, mut touched, mut inside, mut touched_inside) = (0.0, 0.0, 0.0, 0.0);
        for (number, time) in self.strips.iter().map(net).enumerate() {
            let start = first + number * STRIP_ROWS;
            let (from, end) = (start.max(rows.start), (start + STRIP_ROWS).min(rows.end));
            let share = end.saturating_sub(from) as f64 / STRIP_ROWS as f64;
            let weight = if is_touched(time) { 1.0 } else { 0.0 };
            all += time;
            touched += weight;
            inside += time * share;
            touched_inside += weight * share;
        }
        let whole = net(&self.whole);
        if touched <= 1.0 || all <= whole {
            // The strips only tell how to share this time.
            return empty + if all > 0.0 { whole * inside / all } else { 0.0 };
        }
        // Each strip after the first adds this time, shared evenly.
        let repeated = (all - whole) / (touched - 1.0);
        empty + (inside - repeated * (touched_inside - 1.0).max(0.0)).max(0.0)
    }
}

#[cfg(test)]
impl DrawWork {
    /// Makes up a draw that covers `pixels` on the screen, without depth and texture.
    pub(crate) fn new(way: Way, pixels: u64, fill: FillTime) -> Self {
        Self {
            way,
            cost: pixels,
            max_pixels: pixels,
            primitives: 1,
            color: "screen".to_owned(),
            depth: None,
            rows: 0..272,
            writes: std::iter::once(0..0x8_8000).collect(),
            reads: Vec::new(),
            fill,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
    }

    #[test]
    fn bands_are_between_strips_and_the_whole() {
        // Each strip takes 10 for pixels and 4 for set-up, and 1 even without any.
        let fill = FillTime { pass: 0.0, whole: 1.0 + 4.0 + 30.0, strips: vec![15.0, 15.0, 15.0, 1.0] };
        close(fill.of_band(16, &(16..48), 1.0), 35.0);
        close(fill.of_band(16, &(16..24), 1.0), 15.0);
        close(fill.of_band(16, &(16..32), 1.0), 25.0);
        close(fill.of_band(16, &(32..48), 1.0), 15.0);
        close(fill.of_band(16, &(40..48), 1.0), 1.0);
        close(fill.of_band(16, &(0..16), 1.0), 1.0);
        close(fill.of_band(16, &(0..272), 1.0), 35.0);
    }

    #[test]
    fn half_a_strip_takes_half_its_time() {
        let fill = FillTime { pass: 0.0, whole: 20.0, strips: vec![20.0] };
        close(fill.of_band(0, &(0..4), 0.0), 10.0);
    }
}
