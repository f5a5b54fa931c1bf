//! `cargo dev peer`: measures pspge against PPSSPP's software renderer, by the time for frame dumps.
//!
//! PPSSPPHeadless prints no time for a replay. Its `--bench` only prints the mean over runs that each start and end
//! the emulated machine. So this task measures whole processes, from their start to a written picture, and subtracts
//! nothing. The counterpart is `pspge render`. Each process starts with zeroed VRAM.
//!
//! PPSSPPHeadless has no option for how many compute threads to use: there is one for each of the machine's
//! processors. So `taskset` limits both programs to one and two processors. Source: `headless/Headless.cpp`,
//! `Core/CmdLine.cpp`, `Common/CPUDetect.cpp` and `Common/Thread/ThreadManager.cpp` in PPSSPP of August 2026.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use machine::{Limit, Machine};
use table::{Pair, Time};

mod machine;
mod table;

const USAGE: &str = "usage: cargo dev peer PPSSPPHEADLESS DUMP... [--runs N] [--pspge PATH]";

/// How many runs come before those that count, to bring files and code into the system's caches.
const WARM_UPS: usize = 2;

#[derive(Debug, PartialEq)]
struct Args {
    peer: PathBuf,
    dumps: Vec<PathBuf>,
    runs: usize,
    pspge: Option<PathBuf>,
}

/// Measures and prints the table. `build` returns the program to use without `--pspge`, or `None` if its build
/// fails. Returns whether all dumps were measured.
///
/// # Errors
/// If an argument is wrong, a file is missing, or a program fails or draws no picture.
pub(super) fn run(
    args: impl Iterator<Item = String>,
    build: impl FnOnce() -> io::Result<Option<PathBuf>>,
) -> io::Result<bool> {
    let args = parse(args)?;
    let peer_version = version(&args.peer)?;
    for dump in &args.dumps {
        fs::metadata(dump).map_err(|error| named(dump, &error))?;
    }
    let Some(pspge) = args.pspge.clone().map_or_else(build, |path| Ok(Some(path)))? else {
        return Ok(false);
    };
    let version = version(&pspge)?;
    let mut out = io::stdout();
    let machine = Machine::read();
    writeln!(
        out,
        "processors: {}, {}\npspge: {version}\npeer: {peer_version}\n\n\
         Medians and least times of {} runs in turn after {WARM_UPS} warm-ups, in milliseconds. A run is a whole process\n\
         from its start to a written picture, with zeroed VRAM. The peer's also start the emulated machine; nothing is\n\
         subtracted. Columns name the processors that both may use. pspge has as many threads, the peer has a compute\n\
         thread for each processor of the machine.\n",
        machine.count, machine.processor, args.runs
    )?;
    // The peer also keeps its settings here, which keeps the user's own out.
    let folder = std::env::temp_dir().join(format!("pspge-peer-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let measured = measure(&args, &pspge, &machine.limits(), &folder, &mut out);
    let removed = fs::remove_dir_all(&folder);
    measured.and(removed).map(|()| true)
}

fn parse(mut args: impl Iterator<Item = String>) -> io::Result<Args> {
    let usage = |problem: &str| io::Error::other(format!("{problem}\n{USAGE}"));
    let (mut files, mut runs, mut pspge) = (Vec::new(), 25, None);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--runs" => {
                let number = args.next().and_then(|text| text.parse().ok()).filter(|number| *number > 0);
                runs = number.ok_or_else(|| usage("--runs: expected a number of at least 1"))?;
            }
            "--pspge" => pspge = Some(args.next().ok_or_else(|| usage("--pspge: expected a path"))?.into()),
            option if option.starts_with('-') => return Err(usage(&format!("{option}: no such option"))),
            _ => files.push(PathBuf::from(arg)),
        }
    }
    if files.len() < 2 {
        return Err(usage("expected a program and frame dumps"));
    }
    Ok(Args { peer: files.remove(0), dumps: files, runs, pspge })
}

/// Measures each dump, and writes its line at once.
fn measure(
    args: &Args,
    pspge: &Path,
    limits: &[Limit],
    folder: &Path,
    out: &mut impl Write,
) -> io::Result<()> {
    // Both write this format because it takes no time to compress.
    let picture = folder.join("picture.bmp");
    let mut save = OsString::from("--screenshot-save=");
    save.push(&picture);
    let mut rows = Vec::new();
    table::write_head(out, limits)?;
    for dump in &args.dumps {
        let mut times = vec![(Vec::new(), Vec::new()); limits.len()];
        // The programs take turns run by run, because a machine changes its speed.
        for run in 0..WARM_UPS + args.runs {
            for (limit, (ours, theirs)) in limits.iter().zip(&mut times) {
                let mut command = limited(pspge, limit);
                command.args(["render", "--quiet", "--threads", &limit.threads.to_string(), "--output"]);
                let our_time = time(command.arg(&picture).arg(dump), pspge, &picture)?;
                let mut command = limited(&args.peer, limit);
                // A replay that does not end is stopped after a minute, without a picture.
                command.args(["--graphics=software", "--timeout=60"]).arg(&save).env("HOME", folder);
                let their_time = time(command.arg(dump), &args.peer, &picture)?;
                if run >= WARM_UPS {
                    ours.push(our_time);
                    theirs.push(their_time);
                }
            }
        }
        let pair = |(ours, theirs)| Some(Pair { pspge: Time::of(ours)?, peer: Time::of(theirs)? });
        let pairs: Vec<Pair> = times.into_iter().filter_map(pair).collect();
        table::write_row(out, &dump.file_stem().unwrap_or_default().to_string_lossy(), &pairs)?;
        rows.push(pairs);
    }
    table::write_means(out, &rows)
}

/// Returns a command to run the program only on this limit's processors.
fn limited(program: &Path, limit: &Limit) -> Command {
    let Some(list) = &limit.list else {
        return Command::new(program);
    };
    let mut command = Command::new("taskset");
    command.args(["-c", list]).arg(program);
    command
}

/// Runs a command that writes a picture. Returns how many milliseconds this took.
fn time(command: &mut Command, program: &Path, picture: &Path) -> io::Result<f64> {
    // The peer succeeds even if it draws nothing, so the previous run's picture must not remain.
    match fs::remove_file(picture) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(named(picture, &error)),
        _ => {}
    }
    let start = Instant::now();
    let output = command.output().map_err(|error| named(Path::new(command.get_program()), &error))?;
    let time = start.elapsed().as_secs_f64() * 1000.0;
    let problem = match fs::metadata(picture) {
        _ if !output.status.success() => output.status.to_string(),
        Ok(file) if file.len() > 0 => return Ok(time),
        _ => "wrote no picture".to_owned(),
    };
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let lines: Vec<&str> = text.lines().collect();
    let last: String =
        lines[lines.len().saturating_sub(5)..].iter().map(|line| format!("\n  {line}")).collect();
    Err(io::Error::other(format!("{}: {problem}{last}", program.display())))
}

/// Returns the first line that the program prints about its version. Old versions of the peer print none.
fn version(program: &Path) -> io::Result<String> {
    let output = Command::new(program).arg("--version").output().map_err(|error| named(program, &error))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().next().filter(|line| output.status.success() && !line.is_empty());
    Ok(line.unwrap_or("version unknown").to_owned())
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests;
