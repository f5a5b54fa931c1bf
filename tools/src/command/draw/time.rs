//! Measures how long a draw takes.

use std::time::Instant;

use pspge::debug::Session;
use pspge::documents::draw_report::DrawTime;
use pspge::ge::memory::Memory;
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::sink::Sink;

/// How many times to draw. The first runs warm up the machine's caches; the median leaves them out.
const RUNS: u32 = 15;

/// Measures the session's next event, which must be a draw.
pub(super) fn measure(session: &mut Session) -> Option<DrawTime> {
    let options = RasterOptions { threads: 1, ..session.options().raster };
    let mut sink = Stopwatch { options, times: Vec::new() };
    session.show_draw(&mut sink);
    let mut times = sink.times;
    times.sort_unstable_by(f64::total_cmp);
    let median_us = *times.get(times.len() / 2)?;
    Some(DrawTime { runs: RUNS, median_us, fastest_us: *times.first()? })
}

/// Draws each received draw several times, each time into a fresh copy of memory to start every run the same.
struct Stopwatch {
    options: RasterOptions,
    /// In microseconds.
    times: Vec<f64>,
}

impl Stopwatch {
    fn measure(&mut self, memory: &Memory, draw: impl Fn(&mut Rasterizer, &mut Memory)) {
        for _ in 0..RUNS {
            let mut copy = memory.clone();
            let mut raster = Rasterizer::new(self.options);
            let start = Instant::now();
            draw(&mut raster, &mut copy);
            raster.flush(&mut copy);
            self.times.push(start.elapsed().as_secs_f64() * 1e6);
        }
    }
}

impl Sink for Stopwatch {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.measure(memory, |raster, memory| raster.draw(memory, draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.measure(memory, |raster, memory| raster.draw_immediate(memory, draw));
    }

    fn flush(&mut self, _: &mut Memory) {}
}
