//! Replays frame dumps through the C interface in pieces as an emulator would, and compares the time with the
//! library's, which `pspge bench` measures.
//!
//! `cargo run --profile dist -p pspge-c --example pieces -- DUMP... [--threads N] [--runs N] [--words N] [--check]`
//!
//! The pieces: the list as a whole; a stall every N words (default 200); a context saved and restored now and then;
//! reads of drawn bytes in between; a queue of two lists with moving stall addresses. Each must draw the same VRAM
//! as the library. Times are measured for one thread and for two, or for N threads alone. With `--check` the exit
//! status is 1 if a piece is slower by more than 5 % in the geometric mean over all dumps, or by more than 15 % in
//! one. Nothing else should run on the machine.

#![expect(clippy::multiple_unsafe_ops_per_block, reason = "a host makes one call after the other")]

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use pspge::ge::address::{VRAM_BASE, VRAM_SIZE};
use pspge::run::replay;
use pspge::run::sink::NullObserver;
use pspge::{Limits, Rasterizer, RunSpec};

use host::{Frame, Host, PIECES, open};

mod host;

/// Measures a frame in milliseconds: for the library, and for each kind of pieces.
fn measure(
    frame: &Frame,
    host: &mut Host,
    threads: u32,
    options: &Options,
    out: &mut impl Write,
) -> Vec<f64> {
    let spec = RunSpec::default().threads(threads);
    let raster = spec.raster_options();
    let mut least = vec![Duration::MAX; PIECES.len() + 1];
    let mut memory = frame.capture.memory.clone();
    for run in 0..options.runs {
        memory.clone_from(&frame.capture.memory);
        // The pieces copy all memory, so this does so, too, to give both the same caches.
        host.prepare(frame, threads);
        let mut rasterizer = Rasterizer::new(raster);
        let (arithmetic, watch) = (pspge::Arithmetic::Hardware, &mut NullObserver);
        let start = Instant::now();
        replay::run_on(&mut memory, &frame.capture, arithmetic, &mut rasterizer, watch, &Limits::none());
        least[0] = least[0].min(start.elapsed());
        for ((pieces, name), least) in PIECES.iter().zip(&mut least[1..]) {
            host.prepare(frame, threads);
            let start = Instant::now();
            host.replay(frame, *pieces, options.words);
            *least = (*least).min(start.elapsed());
            let vram = host.bytes(VRAM_BASE, VRAM_SIZE as usize).expect("all VRAM");
            let differing = vram.iter().zip(&frame.expected).filter(|(left, right)| left != right).count();
            if run == 0 && differing > 0 {
                writeln!(out, "  {name}: {differing} bytes of VRAM differ").expect("standard output");
            }
        }
    }
    least.into_iter().map(|time| time.as_secs_f64() * 1000.0).collect()
}

#[derive(Debug)]
struct Options {
    paths: Vec<PathBuf>,
    threads: Vec<u32>,
    runs: u32,
    words: usize,
    check: bool,
}

fn options() -> Options {
    let mut options = Options { paths: Vec::new(), threads: vec![1, 2], runs: 10, words: 200, check: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number =
            || arguments.next().and_then(|text| text.parse().ok()).expect("a number after the option");
        match argument.as_str() {
            "--threads" => options.threads = vec![number()],
            "--runs" => options.runs = number(),
            "--words" => options.words = number() as usize,
            "--check" => options.check = true,
            path => options.paths.push(path.into()),
        }
    }
    options
}

/// How much longer the pieces of all frames take than the library, for some number of threads.
#[derive(Debug)]
struct Summary {
    threads: u32,
    logarithms: Vec<f64>,
    worst: Vec<f64>,
    count: u32,
}

impl Summary {
    fn new(threads: u32) -> Self {
        Self { threads, logarithms: vec![0.0; PIECES.len()], worst: vec![0.0; PIECES.len()], count: 0 }
    }

    /// Adds a frame and prints it.
    #[expect(clippy::disallowed_methods, reason = "means for people to read, whatever the last bits")]
    fn add(&mut self, name: &str, times: &[f64], out: &mut impl Write) {
        let ratios: Vec<f64> = times[1..].iter().map(|time| time / times[0]).collect();
        let list = PIECES.iter().zip(&ratios).map(|((_, name), ratio)| format!("{name} {ratio:.3}"));
        let list = list.collect::<Vec<_>>().join(", ");
        writeln!(out, "{name}, {} threads: {:.2} ms; {list}", self.threads, times[0])
            .expect("standard output");
        for ((sum, worst), ratio) in self.logarithms.iter_mut().zip(&mut self.worst).zip(ratios) {
            *sum += ratio.ln();
            *worst = worst.max(ratio);
        }
        self.count += 1;
    }

    /// Prints the means, and returns whether all are small enough.
    #[expect(clippy::disallowed_methods, reason = "means for people to read, whatever the last bits")]
    fn print(&self, out: &mut impl Write) -> bool {
        let mut is_fast = true;
        for (((_, name), sum), worst) in PIECES.iter().zip(&self.logarithms).zip(&self.worst) {
            let mean = (sum / f64::from(self.count.max(1))).exp();
            is_fast &= mean <= 1.05 && *worst <= 1.15;
            let threads = self.threads;
            writeln!(out, "{name}, {threads} threads: geometric mean {mean:.3}, worst {worst:.3}")
                .expect("standard output");
        }
        is_fast
    }
}

fn main() -> ExitCode {
    let options = options();
    let mut out = std::io::stdout().lock();
    let mut host = Host::new();
    let mut summaries: Vec<Summary> = options.threads.iter().copied().map(Summary::new).collect();
    for path in &options.paths {
        let Some(frame) = open(path) else { continue };
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for summary in &mut summaries {
            let times = measure(&frame, &mut host, summary.threads, &options, &mut out);
            summary.add(&name, &times, &mut out);
        }
    }
    let results: Vec<bool> = summaries.iter().map(|summary| summary.print(&mut out)).collect();
    let is_fast = results.into_iter().all(|is_fast| is_fast);
    if is_fast || !options.check { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
