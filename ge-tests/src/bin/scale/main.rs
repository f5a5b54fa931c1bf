//! Checks that cost grows no faster than the work: `cargo dev scale`.
//!
//! Draws a bundled sample at several sizes, made-up frames with growing numbers of triangles, draws and bytes, and
//! folders of several sizes. Prints time and memory, and with `--instructions` the instructions, because other
//! programs do not disturb them (this uses valgrind, so it takes some minutes). Each further unit of work should cost
//! the same, or less, and the exponent of growth should be at most 1.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use ge_tests::measure;
use growth::Growth;
use instructions::count_instructions;

mod growth;
mod inputs;
mod instructions;

/// How long a command may take.
const MAX_TIME: Duration = Duration::from_secs(600);
/// How often to run each command; the least time counts.
const RUNS: usize = 5;
/// Commands that take longer run only once.
const LONG: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let counts = arguments.iter().any(|argument| argument == "--instructions");
    arguments.retain(|argument| argument != "--instructions");
    let [pspge] = arguments.as_slice() else {
        eprintln!("usage: scale [--instructions] PSPGE, the program to measure");
        return ExitCode::from(2);
    };
    match run(&Scale { pspge: pspge.clone(), counts, folder: PathBuf::new() }) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(scale: &Scale) -> io::Result<bool> {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/sample/lampwing.pac");
    let folder = std::env::temp_dir().join(format!("pspge-scale-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let scale = Scale { pspge: scale.pspge.clone(), folder: folder.clone(), ..*scale };
    let measured = scale.all(&sample);
    fs::remove_dir_all(&folder)?;
    measured
}

/// What to measure, and with which program.
#[derive(Debug)]
struct Scale {
    /// The program to measure.
    pspge: OsString,
    /// Whether to count instructions.
    counts: bool,
    /// A folder for inputs and results.
    folder: PathBuf,
}

/// Something that grows from command to command.
#[derive(Clone, Copy, Debug)]
struct Series {
    /// What grows, to print it.
    name: &'static str,
    /// Whether instructions may be counted, which is not so for commands that run too long.
    can_count: bool,
}

impl Scale {
    /// Measures all series. Returns whether every command succeeded.
    fn all(&self, sample: &Path) -> io::Result<bool> {
        let mut good = self.pictures(sample)?;
        for (name, frame, sizes) in [
            ("triangles", inputs::triangles as fn(u32) -> Vec<u8>, [4_000, 16_000, 64_000, 256_000]),
            ("draws", inputs::draws, [1_000, 4_000, 16_000, 64_000]),
            ("KiB of frame", inputs::textures, [960, 3_840, 15_360, 61_440]),
        ] {
            good &= self.frames(name, frame, &sizes)?;
        }
        for threads in [1, 2] {
            good &= self.folders(sample, threads)?;
        }
        Ok(good)
    }

    /// Draws a model at growing sizes.
    fn pictures(&self, sample: &Path) -> io::Result<bool> {
        let sides = [256_u32, 512, 1024, 2048, 4096];
        let commands = sides.map(|side| {
            let mut command = self.render(sample);
            command.arg("--size").arg(format!("{side}x{side}"));
            (f64::from(side) * f64::from(side), command)
        });
        self.measure(Series { name: "pixels", can_count: true }, commands)
    }

    /// Draws made-up frames.
    fn frames(&self, name: &'static str, frame: fn(u32) -> Vec<u8>, sizes: &[u32]) -> io::Result<bool> {
        let mut commands = Vec::new();
        for size in sizes {
            let path = self.folder.join(format!("{size}.ppdmp"));
            fs::write(&path, frame(*size))?;
            commands.push((f64::from(*size), self.render(&path)));
        }
        self.measure(Series { name, can_count: true }, commands)
    }

    /// Draws folders with more and more models, some at a time.
    fn folders(&self, sample: &Path, threads: u32) -> io::Result<bool> {
        let bytes = fs::read(sample)?;
        let mut commands = Vec::new();
        for count in [10_u32, 100, 1000] {
            let from = self.folder.join(format!("models {count}"));
            for number in 0..count {
                let part = from.join(format!("{}", number / 100));
                fs::create_dir_all(&part)?;
                fs::write(part.join(format!("{number}.pac")), &bytes)?;
            }
            let mut command = Command::new(&self.pspge);
            command.arg("render").arg(&from).arg("-o").arg(self.folder.join("pictures"));
            command.arg("--threads").arg(format!("{threads}"));
            commands.push((f64::from(count), command));
        }
        let name = if threads == 1 { "files, one at a time" } else { "files, two at a time" };
        self.measure(Series { name, can_count: false }, commands)
    }

    fn render(&self, input: &Path) -> Command {
        let mut command = Command::new(&self.pspge);
        command.arg("render").arg(input).arg("-o").arg(self.folder.join("picture.png"));
        command
    }

    /// Runs the commands in a series, and prints the cost of each command and its growth.
    fn measure(
        &self,
        series: Series,
        commands: impl IntoIterator<Item = (f64, Command)>,
    ) -> io::Result<bool> {
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "\n| {} | ms | a further one | MiB | million instructions | a further one |",
            series.name
        )?;
        writeln!(out, "| --: | --: | --: | --: | --: | --: |")?;
        let (mut times, mut counts) = (Growth::default(), Growth::default());
        let mut good = true;
        for (units, mut command) in commands {
            let Some((time, memory)) = least(&mut command)? else {
                good = false;
                continue;
            };
            let further = times.push(units, time.as_secs_f64() * 1e9);
            write!(out, "| {units:.0} | {:.0} | {} |", time.as_secs_f64() * 1e3, duration(further))?;
            write!(out, " {} |", memory.map_or_else(|| "–".to_owned(), |bytes| (bytes >> 20).to_string()))?;
            let count = if self.counts && series.can_count { count_instructions(&command)? } else { None };
            let further = count.and_then(|count| counts.push(units, count));
            let millions = count.map_or_else(|| "–".to_owned(), |count| format!("{:.1}", count / 1e6));
            writeln!(out, " {millions} | {} |", number(further))?;
        }
        let exponents = [times.exponent(), counts.exponent()];
        let [times, counts] =
            exponents.map(|exponent| exponent.map_or("–".to_owned(), |exponent| format!("{exponent:.2}")));
        writeln!(out, "\nexponent of time {times}, of instructions {counts}")?;
        Ok(good)
    }
}

/// Formats nanoseconds, if there are any.
fn duration(nanoseconds: Option<f64>) -> String {
    let duration = |time: f64| Duration::try_from_secs_f64(time.max(0.0) / 1e9).ok();
    nanoseconds.and_then(duration).map_or_else(|| "–".to_owned(), |time| format!("{time:.1?}"))
}

/// Formats a number, if there is one.
fn number(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.1}"))
}

/// Runs a command some times. Returns the least CPU time, and the peak memory; `None` if the command failed.
fn least(command: &mut Command) -> io::Result<Option<(Duration, Option<u64>)>> {
    let mut least: Option<Duration> = None;
    let mut peak = None;
    for _ in 0..RUNS {
        let measured = measure::run(command, MAX_TIME)?;
        if !measured.status.is_some_and(|status| status.success()) {
            eprintln!("failed: {}", measured.errors.trim());
            return Ok(None);
        }
        least = Some(least.map_or(measured.time, |least| least.min(measured.time)));
        peak = measured.memory.max(peak);
        if measured.time > LONG {
            break;
        }
    }
    Ok(least.map(|least| (least, peak)))
}
