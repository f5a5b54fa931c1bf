//! Replays frame dumps through the C interface in the pieces in which an emulator would, and compares the time with that of
//! the library, which `pspge bench` measures.
//!
//! `cargo run --profile dist -p pspge-c --example pieces -- DUMP... [--threads N] [--runs N] [--words N] [--check]`
//!
//! The pieces: the list as a whole; a stall every N words (default 200); a context saved and restored now and then; reads of
//! drawn bytes in between; a queue of two lists with moving stall addresses. Each must draw the same VRAM as the library. With
//! `--check` the exit status is 1 if a piece is slower by more than 5 % in the geometric mean of all dumps, or by more than
//! 15 % in one. Nothing else should run on the machine.

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

/// The times of a frame in milliseconds: of the library, and of each kind of pieces.
fn measure(frame: &Frame, host: &mut Host, options: &Options, out: &mut impl Write) -> Vec<f64> {
    let spec = RunSpec::default().threads(options.threads);
    let raster = spec.raster_options();
    let mut least = vec![Duration::MAX; PIECES.len() + 1];
    let mut memory = frame.capture.memory.clone();
    for run in 0..options.runs {
        memory.clone_from(&frame.capture.memory);
        // The caches are as for the pieces, which copy all memory.
        host.prepare(frame, options.threads);
        let mut rasterizer = Rasterizer::new(raster);
        let (arithmetic, watch) = (pspge::Arithmetic::Hardware, &mut NullObserver);
        let start = Instant::now();
        replay::run_on(&mut memory, &frame.capture, arithmetic, &mut rasterizer, watch, &Limits::none());
        least[0] = least[0].min(start.elapsed());
        for ((pieces, name), least) in PIECES.iter().zip(&mut least[1..]) {
            host.prepare(frame, options.threads);
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
    threads: u32,
    runs: u32,
    words: usize,
    check: bool,
}

fn options() -> Options {
    let mut options = Options { paths: Vec::new(), threads: 1, runs: 10, words: 200, check: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number =
            || arguments.next().and_then(|text| text.parse().ok()).expect("a number after the option");
        match argument.as_str() {
            "--threads" => options.threads = number(),
            "--runs" => options.runs = number(),
            "--words" => options.words = number() as usize,
            "--check" => options.check = true,
            path => options.paths.push(path.into()),
        }
    }
    options
}

#[expect(clippy::disallowed_methods, reason = "means for people to read, whatever the last bits")]
fn main() -> ExitCode {
    let options = options();
    let mut out = std::io::stdout().lock();
    let mut host = Host::new();
    let mut logarithms = vec![0.0; PIECES.len()];
    let mut worst = vec![0.0_f64; PIECES.len()];
    let mut count = 0_u32;
    for path in &options.paths {
        let Some(frame) = open(path) else { continue };
        let times = measure(&frame, &mut host, &options, &mut out);
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let ratios: Vec<f64> = times[1..].iter().map(|time| time / times[0]).collect();
        let list = PIECES.iter().zip(&ratios).map(|((_, name), ratio)| format!("{name} {ratio:.3}"));
        writeln!(out, "{name}: {:.2} ms; {}", times[0], list.collect::<Vec<_>>().join(", "))
            .expect("standard output");
        for ((sum, worst), ratio) in logarithms.iter_mut().zip(&mut worst).zip(ratios) {
            *sum += ratio.ln();
            *worst = worst.max(ratio);
        }
        count += 1;
    }
    let mut is_fast = true;
    for (((_, name), sum), worst) in PIECES.iter().zip(logarithms).zip(worst) {
        let mean = (sum / f64::from(count.max(1))).exp();
        is_fast &= mean <= 1.05 && worst <= 1.15;
        writeln!(out, "{name}: geometric mean {mean:.3}, worst {worst:.3}, {} threads", options.threads)
            .expect("standard output");
    }
    if is_fast || !options.check { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
