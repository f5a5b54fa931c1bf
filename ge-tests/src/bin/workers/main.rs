//! Predicts how drawing gains from more workers than the machine has: `cargo dev workers DUMP...`.
//!
//! To know the times, a [`recording`] of a run with a single thread tells how long the front end works before each
//! draw, how long each draw takes to lower and to fill, row by row, and at which points the front end needs bytes
//! written by draws. A [`schedule`] repeats this run for any number of workers, by the rasterizer's rules: any worker
//! lowers draws, which are then [queued](hazards), [jobs](job) fill them in [passes], and the front end recalls a job
//! or helps if the queue is full.
//!
//! Times are the least of many runs, item by item, to keep out disturbances by other programs. This model leaves out
//! caches and memory bandwidth shared by workers, batches shared by consecutive draws, the copies of registers and
//! vertices that waiting draws need, and the cost of the queue itself.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use ge_tests::{frames, input};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::Limits;
use pspge::ge::memory::Memory;
use pspge::raster::checkpoint::RasterCheckpoint;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::NullObserver;

use crate::schedule::{Schedule, simulate};

mod hazards;
mod job;
mod marks;
mod passes;
mod recording;
mod schedule;
mod work;
mod workers;

/// Worker counts in the table. The first is the unit for the others.
const WORKERS: [usize; 4] = [1, 2, 4, 8];
/// How often to run each kind, unless told otherwise.
const RUNS: u32 = 15;
/// How many microseconds it takes to wake a sleeping helper, as measured on a virtual machine. Without a virtual
/// machine it takes about 5.
const WAKE: u32 = 50;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let numbers =
        [("--runs", RUNS), ("--wake", WAKE)].map(|(name, usual)| take_number(&mut arguments, name, usual));
    let [Ok(runs), Ok(wake)] = numbers else {
        eprintln!("--runs and --wake: expected a number from 1");
        return ExitCode::from(2);
    };
    if arguments.is_empty() {
        eprintln!(
            "usage: workers [--runs N] [--wake MICROSECONDS] DUMP..., frame dumps (.ppdmp) or folders of them"
        );
        return ExitCode::from(2);
    }
    match run(&arguments, runs, f64::from(wake) * 1e3) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Takes an option and its number from the arguments. Returns `usual` if this option is missing.
fn take_number(arguments: &mut Vec<PathBuf>, name: &str, usual: u32) -> Result<u32, ()> {
    let Some(at) = arguments.iter().position(|argument| argument.as_os_str() == name) else {
        return Ok(usual);
    };
    let number =
        arguments.get(at + 1).and_then(|number| number.to_str()?.parse().ok()).filter(|number| *number > 0);
    arguments.drain(at..(at + 2).min(arguments.len()));
    number.ok_or(())
}

fn run(paths: &[PathBuf], runs: u32, wake: f64) -> io::Result<()> {
    let list = |path: &PathBuf| {
        if path.is_dir() { frames::dumps(path).into_values().collect() } else { vec![path.clone()] }
    };
    let dumps: Vec<PathBuf> = paths.iter().flat_map(list).collect();
    // Measure first, because recording slows all later runs down.
    let measured: Vec<Option<f64>> = dumps.iter().map(|path| measured_speed_up(&open(path), runs)).collect();
    let mut out = io::stdout().lock();
    writeln!(out, "{HEADING}")?;
    let mut rows = Vec::new();
    for (path, measured) in dumps.iter().zip(measured) {
        let row = Row { measured, ..row(path, runs, wake) };
        writeln!(out, "{row}")?;
        out.flush()?;
        rows.push(row);
    }
    writeln!(out, "{}", Row::mean(&rows))
}

fn open(path: &Path) -> Box<Capture> {
    input::frame_dump(&path.display().to_string(), &input::read(path)).0
}

const HEADING: &str = "\
| frame | work, ms | front end | lowering | critical path | 2, measured | 2 | 4 | 8 | busy at 2 | at 4 | at 8 | limit at 8 |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --- |";

/// How many worker counts have a column.
const COLUMNS: usize = WORKERS.len() - 1;

/// A row in the table.
#[derive(Debug, Default)]
struct Row {
    name: String,
    /// Milliseconds with a single worker.
    work: f64,
    /// The front end's share in this time.
    front_end: f64,
    /// The share for lowering draws.
    lowering: f64,
    /// The share that remains with any number of workers, if they wake at once.
    critical: f64,
    /// Measured speed-up with two threads, if there are two processors.
    measured: Option<f64>,
    speed_ups: [f64; COLUMNS],
    /// How much of the time a worker has work, mean over all workers.
    busy: [f64; COLUMNS],
    limit: &'static str,
}

/// Records and schedules a dump.
fn row(path: &Path, runs: u32, wake: f64) -> Row {
    let steps = recording::record(&open(path), runs);
    let schedules = WORKERS.map(|workers| simulate(&steps, workers, wake));
    let [one, more @ ..] = &schedules;
    let work = one.time;
    Row {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        work: work / 1e6,
        front_end: steps.iter().map(|step| step.front_end).sum::<f64>() / work,
        lowering: steps.iter().map(schedule::lowering_time).sum::<f64>() / work,
        critical: schedule::critical_path(&steps) / work,
        measured: None,
        speed_ups: more.each_ref().map(|schedule| work / schedule.time),
        busy: more.each_ref().map(Schedule::mean_load),
        limit: more.last().map_or("", Schedule::limit),
    }
}

/// Divides the time with a single thread by the time with two: the least over some runs each, in turn. Returns `None`
/// on a machine with a single processor.
fn measured_speed_up(capture: &Capture, runs: u32) -> Option<f64> {
    std::thread::available_parallelism().ok().filter(|count| count.get() > 1)?;
    let mut rasterizers =
        [1, 2].map(|threads| Rasterizer::new(RasterOptions { threads, ..RasterOptions::default() }));
    let before = rasterizers.each_ref().map(RasterCheckpoint::new);
    let mut memory = capture.memory.clone();
    let mut least = [f64::INFINITY; 2];
    for _ in 0..2 * runs {
        for ((raster, before), least) in rasterizers.iter_mut().zip(&before).zip(&mut least) {
            memory.clone_from(&capture.memory);
            before.restore(raster);
            *least = least.min(time(&mut memory, capture, raster));
        }
    }
    Some(least[0] / least[1])
}

/// Draws a capture into memory that equals its own, and returns how many seconds this takes.
fn time(memory: &mut Memory, capture: &Capture, raster: &mut Rasterizer) -> f64 {
    let limits = Limits::default();
    let start = Instant::now();
    replay::run_on(memory, capture, Arithmetic::Hardware, raster, &mut NullObserver, &limits);
    start.elapsed().as_secs_f64()
}

impl Row {
    /// Computes geometric means over all rows.
    fn mean(rows: &[Self]) -> Self {
        let mean = |value: &dyn Fn(&Self) -> f64| {
            let sum: f64 = rows.iter().map(|row| libm::log(value(row))).sum();
            libm::exp(sum / f64::from(u32::try_from(rows.len().max(1)).unwrap_or(u32::MAX)))
        };
        Self {
            name: "geometric mean".to_owned(),
            work: mean(&|row| row.work),
            front_end: mean(&|row| row.front_end),
            lowering: mean(&|row| row.lowering),
            critical: mean(&|row| row.critical),
            measured: rows
                .iter()
                .all(|row| row.measured.is_some())
                .then(|| mean(&|row| row.measured.unwrap_or(1.0))),
            speed_ups: std::array::from_fn(|at| mean(&|row| row.speed_ups[at])),
            busy: std::array::from_fn(|at| mean(&|row| row.busy[at])),
            limit: "",
        }
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let percent = |share: f64| format!("{:.0} %", share * 100.0);
        write!(f, "| {} | {:.1} | {} | ", self.name, self.work, percent(self.front_end))?;
        write!(f, "{} | ", percent(self.lowering))?;
        write!(f, "{} | ", percent(self.critical))?;
        write!(f, "{} |", self.measured.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}")))?;
        for speed_up in self.speed_ups {
            write!(f, " {speed_up:.2} |")?;
        }
        for busy in self.busy {
            write!(f, " {} |", percent(busy))?;
        }
        write!(f, " {} |", self.limit)
    }
}
