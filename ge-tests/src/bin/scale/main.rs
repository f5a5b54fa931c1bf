//! Checks that cost grows no faster than the work: `cargo dev scale`.
//!
//! Renders a bundled sample at several sizes, and folders of several sizes, and prints time and memory, in
//! total and per unit of work. The figures in a column should be constant, or fall, as the work grows.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use ge_tests::measure;

/// Time limit of a command.
const MAX_TIME: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    let Some(pspge) = std::env::args_os().nth(1) else {
        eprintln!("usage: scale PSPGE, the program to measure");
        return ExitCode::from(2);
    };
    match run(&pspge) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(pspge: &OsStr) -> io::Result<bool> {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/sample");
    let folder = std::env::temp_dir().join(format!("pspge-scale-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let measured = pictures(pspge, &samples.join("lampwing.pac"), &folder)
        .and_then(|good| Ok(folders(pspge, &samples.join("lampwing.pac"), &folder)? && good));
    fs::remove_dir_all(&folder)?;
    measured
}

/// Renders one model at growing sizes.
fn pictures(pspge: &OsStr, sample: &Path, folder: &Path) -> io::Result<bool> {
    let mut good = true;
    let mut out = io::stdout().lock();
    writeln!(out, "{:>12} {:>9} {:>9} {:>14}", "picture", "ms", "MiB", "ns a pixel")?;
    for side in [256_u32, 512, 1024, 2048, 4096] {
        let mut command = Command::new(pspge);
        command.arg("render").arg(sample).arg("--size").arg(format!("{side}x{side}"));
        command.arg("-o").arg(folder.join("picture.png"));
        good &= line(&mut out, &format!("{side}x{side}"), command, f64::from(side) * f64::from(side), 1e6)?;
    }
    Ok(good)
}

/// Renders folders with growing numbers of models, on one thread and on two.
fn folders(pspge: &OsStr, sample: &Path, folder: &Path) -> io::Result<bool> {
    let bytes = fs::read(sample)?;
    let mut good = true;
    let mut out = io::stdout().lock();
    for threads in [1, 2] {
        writeln!(
            out,
            "\n{:>12} {:>9} {:>9} {:>14}   ({threads} at a time)",
            "files", "ms", "MiB", "ms a file"
        )?;
        for count in [10_u32, 100, 1000] {
            let (from, to) = (folder.join("models"), folder.join("pictures"));
            for number in 0..count {
                write(&from.join(format!("{}", number / 100)), &format!("{number}.pac"), &bytes)?;
            }
            let mut command = Command::new(pspge);
            command.arg("render").arg(&from).arg("-o").arg(&to).arg("--threads").arg(format!("{threads}"));
            good &= line(&mut out, &format!("{count}"), command, f64::from(count), 1.0)?;
            fs::remove_dir_all(&from)?;
            fs::remove_dir_all(&to)?;
        }
    }
    Ok(good)
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let path = folder.join(name);
    fs::write(&path, bytes)?;
    Ok(path)
}

/// Runs a command and prints its cost, divided by `units` of work; `parts` is the number of units of time in
/// a millisecond.
fn line(out: &mut impl Write, name: &str, mut command: Command, units: f64, parts: f64) -> io::Result<bool> {
    let measured = measure::run(&mut command, MAX_TIME)?;
    if !measured.status.is_some_and(|status| status.success()) {
        writeln!(out, "{name:>12} failed: {}", measured.errors.trim())?;
        return Ok(false);
    }
    let milliseconds = measured.time.as_secs_f64() * 1000.0;
    let memory = measured.memory.map_or_else(|| "?".to_owned(), |bytes| (bytes >> 20).to_string());
    writeln!(out, "{name:>12} {milliseconds:>9.0} {memory:>9} {:>14.2}", milliseconds * parts / units)?;
    Ok(true)
}
