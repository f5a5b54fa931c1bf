//! Running a program and measuring it: how long, how much memory, how it ended.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What a program did.
#[derive(Clone, Debug)]
pub struct Measured {
    /// How it ended; `None` where it took too long and was stopped.
    pub status: Option<ExitStatus>,
    /// How long it ran.
    pub time: Duration,
    /// The most memory that it had in use, in bytes, where the system tells.
    pub memory: Option<u64>,
    /// What it said on standard error.
    pub errors: String,
}

/// Runs a program to its end, but no longer than `longest`. What it prints is thrown away.
///
/// # Errors
/// Where it cannot be started.
pub fn run(command: &mut Command, longest: Duration) -> io::Result<Measured> {
    let began = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let errors = child.stderr.take().map(|mut errors| {
        thread::spawn(move || {
            let mut text = String::new();
            // What is not text is not worth a failure.
            let _ = errors.read_to_string(&mut text);
            text
        })
    });
    let mut memory = None;
    let status = loop {
        memory = peak(child.id()).max(memory);
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if began.elapsed() > longest {
            stop(&mut child)?;
            break None;
        }
        thread::sleep(Duration::from_millis(1));
    };
    let time = began.elapsed();
    let errors = errors.and_then(|reader| reader.join().ok()).unwrap_or_default();
    Ok(Measured { status, time, memory, errors })
}

fn stop(child: &mut Child) -> io::Result<()> {
    child.kill()?;
    child.wait().map(drop)
}

/// The most memory that a process had in use so far, in bytes; only Linux tells.
#[must_use]
pub fn peak(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
}
