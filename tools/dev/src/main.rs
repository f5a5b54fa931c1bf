//! Runs developer tasks: `cargo dev TASK`.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

mod lines;
mod peer;
mod web;

/// A task: name, function and help line. The function returns whether the task succeeded.
type Task = (&'static str, fn() -> io::Result<bool>, &'static str);

/// All tasks.
const TASKS: &[Task] = &[
    ("ci", ci, "run every check that continuous integration runs (.ci/run)"),
    ("hostile", hostile, "run damaged files through every command; without arguments, list the modes"),
    ("scale", scale, "render growing pictures, frames and folders; print time, memory and instructions"),
    ("lines", lines::print, "print the lines of code and of tests in each room"),
    ("workers", workers, "predict the gain from 2, 4 and 8 workers for frame dumps"),
    ("peer", peer, "compare the speed with PPSSPP's: PPSSPPHEADLESS DUMP... [--runs N] [--pspge PATH]"),
    (
        "probe",
        probe,
        "write experiments that decide open rules on a PSP to a folder; --answers FOLDER reads what it drew",
    ),
    ("sample", sample, "write the bundled samples to tools/sample"),
    (
        "release",
        release,
        "check a release, build its files, and print how to publish them; --help lists options",
    ),
    (
        "web",
        web::build,
        "build the engine for browsers, and the inspector as one page; --page, --engine: only a part",
    ),
];

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let result = match TASKS.iter().find(|(task, ..)| *task == name) {
        Some((_, run, _)) => run(),
        None => help(),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // If standard error is closed, the exit status has to do.
            let _ = writeln!(io::stderr(), "error: {name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Lists the tasks. Returns false, because no task ran.
fn help() -> io::Result<bool> {
    let mut out = io::stderr();
    writeln!(out, "usage: cargo dev TASK")?;
    for (name, _, help) in TASKS {
        writeln!(out, "  {name:10} {help}")?;
    }
    Ok(false)
}

fn ci() -> io::Result<bool> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.ci/run");
    Ok(Command::new("bash").arg(script).status()?.success())
}

fn hostile() -> io::Result<bool> {
    if !cargo("checked", &["build", "--package", "pspge-tools", "--bin", "pspge"], &[])? {
        return Ok(false);
    }
    cargo("checked", &["run", "--package", "ge-tests", "--bin", "hostile"], &rest())
}

fn scale() -> io::Result<bool> {
    let Some(program) = published()? else {
        return Ok(false);
    };
    let rest = [rest(), vec![program.to_string_lossy().into_owned()]].concat();
    cargo("dist", &["run", "--package", "ge-tests", "--bin", "scale"], &rest)
}

fn peer() -> io::Result<bool> {
    peer::run(std::env::args().skip(2), published)
}

/// Builds the command as releases do. Returns its path, or `None` if the build fails.
fn published() -> io::Result<Option<PathBuf>> {
    if !cargo("dist", &["build", "--package", "pspge-tools", "--bin", "pspge"], &[])? {
        return Ok(None);
    }
    // Release builds go to the folder next to this program's own.
    let target = std::env::current_exe()?;
    let target = target.parent().and_then(Path::parent).unwrap_or(&target);
    Ok(Some(target.join("dist").join(format!("pspge{}", std::env::consts::EXE_SUFFIX))))
}

fn workers() -> io::Result<bool> {
    cargo("dist", &["run", "--package", "ge-tests", "--bin", "workers"], &rest())
}

/// Returns the arguments after the task's name, for the program that does the task.
fn rest() -> Vec<String> {
    std::env::args().skip(2).collect()
}

/// Runs Cargo with a profile, and passes `rest` to the program. Returns whether it succeeded.
fn cargo(profile: &str, arguments: &[&str], rest: &[String]) -> io::Result<bool> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(arguments).args(["--quiet", "--locked", "--profile", profile]);
    if !rest.is_empty() {
        command.arg("--").args(rest);
    }
    Ok(command.status()?.success())
}

fn release() -> io::Result<bool> {
    cargo("dev", &["run", "--package", "pspge-release"], &rest())
}

fn probe() -> io::Result<bool> {
    cargo("dev", &["run", "--package", "ge-tests", "--bin", "probe"], &rest())
}

fn sample() -> io::Result<bool> {
    cargo("dev", &["run", "--package", "ge-tests", "--bin", "samples"], &[])
}
