//! Running a program and measuring it: how long, how much memory, how it ended.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// What a program did.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// How it ended; `None` where it took too long and was stopped.
    pub status: Option<ExitStatus>,
    /// How long it was at used, all threads together, where the system tells (to a hundredth of a second); else how long it
    /// ran, which depends on what else the machine does.
    pub time: Duration,
    /// The most memory that it had in use, in bytes, where the system tells.
    pub memory: Option<u64>,
    /// What it said on standard error.
    pub errors: String,
}

/// Runs a program to its end, but lets it be at used no longer than `time_limit`. What it prints is thrown away.
///
/// # Errors
/// Where it cannot be started.
pub fn run(command: &mut Command, time_limit: Duration) -> io::Result<Measurement> {
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
    let (mut memory, mut used) = (None, None);
    let status = loop {
        memory = peak_memory(child.id()).max(memory);
        used = cpu_time(child.id()).max(used);
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        // Other programs may keep it waiting; not for ever.
        if used.is_some_and(|used| used > time_limit) || began.elapsed() > 60 * time_limit {
            stop(&mut child)?;
            break None;
        }
        thread::sleep(Duration::from_millis(1));
    };
    let time = used.unwrap_or_else(|| began.elapsed());
    let errors = errors.and_then(|reader| reader.join().ok()).unwrap_or_default();
    Ok(Measurement { status, time, memory, errors })
}

fn stop(child: &mut Child) -> io::Result<()> {
    child.kill()?;
    child.wait().map(drop)
}

/// The most memory that a process had in use so far, in bytes; only Linux tells.
#[must_use]
pub fn peak_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
}

/// How long a process was at used so far, all threads together; only Linux tells.
#[must_use]
pub fn cpu_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Behind the name, which may hold anything: state is the third field, times are the 14th and the 15th.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
    let ticks = ticks.sum::<Result<u64, _>>().ok()?;
    // Linux shows times in hundredths of seconds whatever its clock does.
    Some(Duration::from_millis(ticks.checked_mul(10)?))
}

/// Makes [`peak_memory`] start again; only Linux can.
pub fn reset_peak_memory(process: u32) {
    // Where it cannot be reset, the most of all so far is what is reported.
    let _ = std::fs::write(format!("/proc/{process}/clear_refs"), "5");
}
