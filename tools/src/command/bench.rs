//! `pspge bench`: measures how long a list takes to execute and draw.

use std::time::Instant;

use pspge::debug::Shot;
use pspge::documents::MeasurementDocument;
use pspge::documents::schema_id::SchemaId;
use pspge::raster::Rasterizer;
use pspge::raster::checkpoint::RasterCheckpoint;
use pspge::run::replay;
use pspge::run::sink::NullObserver;
use pspge::scene::render_target::TILE_SIZE_MAX;
use pspge::{Asset, RunSpec};

use crate::command::render::Size;
use crate::input::options::OpenOptions;
use crate::job::{Job, JobInfo, Outcome, Session, Task};
use crate::output::Output;
use crate::run::ArithmeticArg;
use crate::terminal::console::Console;
use crate::terminal::failure::Failure;
use crate::terminal::progress;
use crate::what_if::WhatIfArgs;
use crate::{batch, memory};

/// Measure the time to execute a list and draw the framebuffer
///
/// Each run starts with the same memory and registers. The rasterizer and its threads stay from run to run, as in an
/// emulator, but the hardware's texture cache is emptied. To learn the cost of some draws, measure again with a
/// change to try, such as --skip 40-57.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// File to run; `FILE#MEMBER` for a member of a container, `-` for standard input
    #[arg(value_name = "INPUT", value_parser = crate::input::path_text::input_parser())]
    input: String,

    #[command(flatten)]
    open: OpenOptions,

    /// Number of runs
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    runs: u32,

    /// Worker threads; the pixels do not depend on their number
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,

    /// Picture size of a model, up to 512x512
    #[arg(long, value_name = "WxH", default_value = "480x272")]
    size: Size,

    /// Arithmetic of transform and rasterizer
    #[arg(long, value_enum, default_value = "hardware", hide_short_help = true)]
    arithmetic: ArithmeticArg,

    #[command(flatten)]
    what_if: WhatIfArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<(), Failure> {
    batch::run_one(args, &args.input, console)
}

impl Job for Args {
    fn info(&self) -> JobInfo {
        JobInfo { prints_json: self.json, ..JobInfo::new("measured", "nothing to draw") }
    }

    fn run(&self, task: &Task, session: &mut Session) -> Result<Outcome, Failure> {
        let (asset, _) = self.open.open(&task.input, None, &mut session.notes)?;
        if !asset.is_drawable() {
            return Ok(Outcome::Nothing);
        }
        measure(self, &asset, session)?;
        Ok(Outcome::Done)
    }
}

fn measure(args: &Args, asset: &Asset, session: &mut Session) -> Result<(), Failure> {
    let Size { width, height } = args.size;
    if asset.model().is_some() && width.max(height) > TILE_SIZE_MAX {
        return Err(Failure::usage("--size: bench draws at most 512x512"));
    }
    let spec = RunSpec::default()
        .size(width, height)
        .with_arithmetic(args.arithmetic.into())
        .threads(args.threads)
        .edits(args.what_if.edits(asset, &args.open.limits(), &mut session.notes)?)
        .limits(args.open.limits());
    let shot = asset.shot(&spec).map_err(|error| Failure::asset(&args.input, &error))?;
    let Shot { capture, limits, .. } = &shot;
    let mut times = Vec::new();
    let mut min_cpu: Option<f64> = None;
    let mut last_run = None;
    let bar = progress::bar("runs", u64::from(args.runs));
    // All runs share memory, a rasterizer and its threads, as the frames of a game do, because fresh pages from the
    // system and new threads take as long as drawing a small frame.
    let mut memory = capture.memory.clone();
    let mut raster = Rasterizer::new(shot.raster);
    let before = RasterCheckpoint::new(&raster);
    for _ in 0..args.runs {
        memory.clone_from(&capture.memory);
        before.restore(&mut raster);
        let cpu = cpu_ms();
        let start = Instant::now();
        let replayed =
            replay::run_on(&mut memory, capture, shot.arithmetic(), &mut raster, &mut NullObserver, limits);
        times.push(start.elapsed().as_secs_f64() * 1000.0);
        if let Some((before, after)) = cpu.zip(cpu_ms()) {
            let spent = after - before;
            min_cpu = Some(min_cpu.map_or(spent, |min| min.min(spent)));
        }
        last_run = Some((replayed.report, raster.statistics(), raster.threads()));
        bar.inc(1);
    }
    drop(bar);
    times.sort_by(f64::total_cmp);
    let Some((report, statistics, threads)) = last_run else {
        return Err(Failure::usage("--runs: expected at least 1"));
    };
    session.notes.list.add_report(&report);
    let middle = times.len() / 2;
    let median =
        if times.len() % 2 == 1 { times[middle] } else { f64::midpoint(times[middle - 1], times[middle]) };
    let measurement = MeasurementDocument {
        schema: SchemaId::new(),
        input: args.input.clone(),
        runs: args.runs,
        threads: threads as u64,
        median_ms: median,
        min_ms: times[0],
        max_ms: times[times.len() - 1],
        // Some systems count time only now and then, and then a short run seems to take none.
        min_cpu_ms: min_cpu.filter(|least| *least > 0.0),
        commands: report.commands,
        draws: report.draws,
        triangles: statistics.triangles,
        pixels: statistics.pixels,
        peak_bytes: memory::peak(),
        notes: session.notes.list.entries().to_vec(),
    };
    if args.json { session.json(&measurement) } else { print(&mut session.out, &measurement) }
}

fn print(out: &mut Output, measurement: &MeasurementDocument) -> Result<(), Failure> {
    let MeasurementDocument { runs, threads, median_ms, min_ms, max_ms, .. } = measurement;
    let MeasurementDocument { commands, draws, triangles, pixels, .. } = measurement;
    out.line(format_args!("median {median_ms:.3} ms, minimum {min_ms:.3} ms, maximum {max_ms:.3} ms"))?;
    let cpu = measurement.min_cpu_ms.map(|cpu| format!(", minimum CPU time {cpu:.3} ms"));
    let threads = if *threads == 1 { "one thread".to_owned() } else { format!("{threads} threads") };
    out.line(format_args!("{runs} runs with {threads}{}", cpu.unwrap_or_default()))?;
    out.line(format_args!("{commands} commands, {draws} draws, {triangles} triangles, {pixels} pixels"))?;
    match measurement.peak_bytes {
        Some(bytes) => out.line(format_args!("peak memory {}", memory::Mebibytes(bytes))),
        None => Ok(()),
    }
}

/// Returns the CPU time for all threads in this process, in milliseconds. Returns `None` on systems without Linux's
/// `schedstat`.
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
