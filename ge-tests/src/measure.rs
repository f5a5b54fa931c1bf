//! Runs a program and measures its time and memory.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// A program's result and cost.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// Exit status; `None` if the program was stopped after its time limit.
    pub status: Option<ExitStatus>,
    /// CPU time over all threads, to a hundredth of a second, if this system reports it; otherwise the elapsed time,
    /// which depends on the machine's load.
    pub time: Duration,
    /// Peak memory in bytes, if this system reports it.
    pub memory: Option<u64>,
    /// What the program printed to standard error.
    pub errors: String,
}

/// Runs a program to its end, for at most `time_limit` in CPU time. This discards its standard output.
///
/// # Errors
/// If the program cannot be started.
pub fn run(command: &mut Command, time_limit: Duration) -> io::Result<Measurement> {
    let began = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let errors = child.stderr.take().map(|mut errors| {
        thread::spawn(move || {
            let mut text = String::new();
            // This ignores output that is not UTF-8.
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
        // Other programs may delay this program, but not indefinitely.
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

/// Returns a process's peak memory so far, in bytes; Linux only.
#[must_use]
pub fn peak_memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
}

/// Returns a process's CPU time so far, over all threads; Linux only.
#[must_use]
pub fn cpu_time(process: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The program's name may contain anything, so fields are counted from its end: state is the third, times are the
    // 14th and 15th.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u64>);
    let ticks = ticks.sum::<Result<u64, _>>().ok()?;
    // Linux reports these times in hundredths of a second, whatever its clock.
    Some(Duration::from_millis(ticks.checked_mul(10)?))
}

/// Resets [`peak_memory`], to measure from now on; Linux only.
pub fn reset_peak_memory(process: u32) {
    // If this reset fails, the peak since the start is reported.
    let _ = std::fs::write(format!("/proc/{process}/clear_refs"), "5");
}
