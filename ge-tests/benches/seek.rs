//! Measures how long a seek takes in a debugger's session, as a share of a replay, and how much memory its
//! checkpoints use, for each recorded frame in `PSPGE_CORPUS`. To run it, call
//! `cargo bench -p ge-tests --bench seek`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its measurements")]

use std::time::{Duration, Instant};

use ge_tests::generate::Random;
use ge_tests::{corpus, frames, input};
use pspge::debug::{EventNumber, Session, SessionOptions};
use pspge::ge::capture::Capture;
use pspge::raster::Rasterizer;
use pspge::run::replay;
use pspge::run::sink::NullObserver;

/// How many random events to seek.
const SEEKS: usize = 100;
/// How many replays to measure; the fastest counts, because other programs only slow a replay down.
const REPLAYS: usize = 5;

fn main() {
    let Some(folder) = corpus::folder("frames") else { return };
    println!(
        "{:40} {:>7} {:>10} {:>10} {:>8} {:>8} {:>12}",
        "frame", "events", "replay", "open", "median", "worst", "checkpoints"
    );
    let mut random = Random::new(100);
    for (name, path) in frames::dumps(&folder) {
        let capture = *input::frame_dump(&path.display().to_string(), &input::read(&path)).0;
        let options = SessionOptions::default();
        let replay = (0..REPLAYS).map(|_| replay_time(&capture, &options)).min().unwrap_or_default();
        let started = Instant::now();
        let mut session = Session::open(capture, options);
        let opened = started.elapsed();
        let events = session.end().0;
        let mut seeks: Vec<Duration> = (0..SEEKS)
            .map(|_| {
                let target = EventNumber(random.below(events + 1));
                let started = Instant::now();
                session.seek(target).expect("it exists");
                started.elapsed()
            })
            .collect();
        seeks.sort_unstable();
        let (_, bytes) = session.checkpoint_usage();
        let share = |time: Duration| 100.0 * time.as_secs_f64() / replay.as_secs_f64();
        let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{name:40} {events:7} {:7.2} ms {:7.2} ms {:6.1} % {:6.1} % {:8.1} MiB",
            milliseconds(replay),
            milliseconds(opened),
            share(seeks[SEEKS / 2]),
            share(seeks[SEEKS - 1]),
            bytes as f64 / f64::from(1 << 20),
        );
    }
}

fn replay_time(capture: &Capture, options: &SessionOptions) -> Duration {
    let mut capture = capture.clone();
    let mut raster = Rasterizer::new(options.raster);
    let started = Instant::now();
    replay::run(&mut capture, options.raster.arithmetic, &mut raster, &mut NullObserver, &options.limits);
    started.elapsed()
}
