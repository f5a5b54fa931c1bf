//! `pspge bench`: time to execute a list and draw its picture.

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

/// Measure the time to execute a list and draw the framebuffer
///
/// Each run starts with the same memory and registers and with empty caches.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Number of runs
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,

    /// Worker threads; the pixels do not depend on their number
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,

    /// Keep caches from run to run; has no effect yet
    #[arg(long)]
    warm: bool,

    /// Picture size of a model, up to 512x512
    #[arg(long, value_name = "WxH", default_value = "480x272")]
    size: Size,

    /// Arithmetic of transform and rasterizer
    #[arg(long, value_enum, default_value = "hardware")]
    arithmetic: ArithmeticArg,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Times and work of all runs.
#[derive(Debug, Serialize)]
struct Measurement {
    median_ms: f64,
    min_ms: f64,
    /// Least CPU time of a run, all threads together; Linux only.
    #[serde(skip_serializing_if = "Option::is_none")]
    min_cpu_ms: Option<f64>,
    runs: u32,
    threads: usize,
    commands: u64,
    draws: u64,
    triangles: u64,
    pixels: u64,
    /// Peak memory of the process; Linux only.
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
}

pub(crate) fn run(args: &Args) -> Result<(), Failure> {
    let arithmetic = Arithmetic::from(args.arithmetic);
    let input = run::open(&args.input)?;
    let (mut capture, model) = run::capture(&args.input, input)?;
    if let Some(model) = model {
        if args.size.width > 512 || args.size.height > 512 {
            return Err(Failure::usage("--size: bench draws at most 512x512"));
        }
        capture = renderer(args.size, arithmetic).capture(&model);
    }
    let mut times = Vec::new();
    let mut min_cpu: Option<f64> = None;
    let mut last_run = None;
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
            min_cpu = Some(min_cpu.map_or(spent, |min| min.min(spent)));
        }
        last_run = Some((replayed.report, raster.statistics(), raster.threads()));
        bar.inc(1);
    }
    bar.finish_and_clear();
    times.sort_by(f64::total_cmp);
    let Some((report, statistics, threads)) = last_run else {
        return Err(Failure::usage("--runs: expected at least 1"));
    };
    run::warn(&args.input, &report.notes);
    let middle = times.len() / 2;
    let median =
        if times.len() % 2 == 1 { times[middle] } else { f64::midpoint(times[middle - 1], times[middle]) };
    let measurement = Measurement {
        median_ms: median,
        min_ms: times[0],
        min_cpu_ms: min_cpu,
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
        out.json(&measurement, true)?;
    } else {
        let Measurement { median_ms, min_ms, commands, draws, triangles, pixels, .. } = measurement;
        out.line(format_args!("median {median_ms:.3} ms, minimum {min_ms:.3} ms, {} runs", args.runs))?;
        out.line(format_args!("{commands} commands, {draws} draws, {triangles} triangles, {pixels} pixels"))?;
        if let Some(bytes) = measurement.peak_bytes {
            out.line(format_args!("peak memory {}", memory::Mebibytes(bytes)))?;
        }
    }
    out.finish()
}

/// Returns the CPU time of all threads of this process in milliseconds, or `None` on systems other than
/// Linux.
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
