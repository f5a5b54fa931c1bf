//! `pspge bench`: how long a drawing takes.

use std::time::Instant;

use pspge::ge::arithmetic::Arithmetic;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::sink::NullObserver;
use serde::Serialize;

use crate::command::render::{Size, renderer};
use crate::failure::Failure;
use crate::input::InputArgs;
use crate::memory;
use crate::output::Output;
use crate::progress;
use crate::run::{self, ArithmeticArg};

/// Measure how long it takes to execute a list, from its start to the finished framebuffer
///
/// Every run begins with the same memory and registers; nothing decoded is kept from run to run.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// How many runs
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,

    /// How many threads may draw; the pixels do not depend on it
    #[arg(long, value_name = "T", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,

    /// Keep what can be kept from run to run; nothing is so far
    #[arg(long)]
    warm: bool,

    /// Size of a model's picture, up to 512x512
    #[arg(long, value_name = "WxH", default_value = "480x272")]
    size: Size,

    /// How vertices are transformed
    #[arg(long, value_enum, default_value = "hardware")]
    arithmetic: ArithmeticArg,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was measured.
#[derive(Debug, Serialize)]
struct Measured {
    median_ms: f64,
    min_ms: f64,
    /// The least time on processors, all threads together; where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    min_cpu_ms: Option<f64>,
    runs: u32,
    threads: usize,
    commands: u64,
    draws: u64,
    triangles: u64,
    pixels: u64,
    /// The most memory that the process had in use, where the system tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let arithmetic = Arithmetic::from(args.arithmetic);
    let input = args.input.load()?;
    let (mut capture, model) = run::capture(&args.input, input)?;
    if let Some(model) = model {
        if args.size.width > 512 || args.size.height > 512 {
            return Err(Failure::usage("--size: a single pass draws at most 512x512"));
        }
        capture = renderer(args.size, arithmetic).capture(&model);
    }
    let mut times = Vec::new();
    let mut least_cpu: Option<f64> = None;
    let mut measured = None;
    let bar = progress::bar("runs", u64::from(args.runs));
    for _ in 0..args.runs {
        let mut fresh = capture.clone();
        let mut raster =
            Rasterizer::new(RasterOptions { arithmetic, threads: args.threads, ..RasterOptions::default() });
        let cpu = cpu_ms();
        let start = Instant::now();
        let replayed = run::run(&mut fresh, arithmetic, &mut raster, &mut NullObserver, &args.input.limits());
        times.push(start.elapsed().as_secs_f64() * 1000.0);
        if let Some((before, after)) = cpu.zip(cpu_ms()) {
            let spent = after - before;
            least_cpu = Some(least_cpu.map_or(spent, |least| least.min(spent)));
        }
        measured = Some((replayed.report, raster.statistics(), raster.threads()));
        bar.inc(1);
    }
    bar.finish_and_clear();
    times.sort_by(f64::total_cmp);
    let Some((report, statistics, threads)) = measured else {
        return Err(Failure::usage("--runs: at least one"));
    };
    run::warn(&args.input, &report.notes);
    let middle = times.len() / 2;
    let median =
        if times.len() % 2 == 1 { times[middle] } else { f64::midpoint(times[middle - 1], times[middle]) };
    let measured = Measured {
        median_ms: median,
        min_ms: times[0],
        min_cpu_ms: least_cpu,
        runs: args.runs,
        threads,
        commands: report.commands,
        draws: report.draws,
        triangles: statistics.triangles,
        pixels: statistics.pixels,
        peak_bytes: memory::peak(),
    };
    let mut out = Output::new();
    if args.json {
        out.json(&measured, true)?;
    } else {
        let Measured { median_ms, min_ms, commands, draws, triangles, pixels, .. } = measured;
        out.line(format_args!("median {median_ms:.3} ms, least {min_ms:.3} ms over {} runs", args.runs))?;
        out.line(format_args!("{commands} commands, {draws} draws, {triangles} triangles, {pixels} pixels"))?;
        if let Some(bytes) = measured.peak_bytes {
            out.line(format_args!("at most {} of memory", memory::Mebibytes(bytes)))?;
        }
    }
    out.finish()
}

/// Milliseconds that this process's threads have spent on processors.
fn cpu_ms() -> Option<f64> {
    let tasks = std::fs::read_dir("/proc/self/task").ok()?;
    let mut sum = 0.0;
    for task in tasks {
        let statistics = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        let nanoseconds: f64 = statistics.split_whitespace().next()?.parse().ok()?;
        sum += nanoseconds / 1e6;
    }
    Some(sum)
}
