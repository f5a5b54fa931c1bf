//! Runs a program for a limited time. If it takes longer, this ends it together with everything it started.

use std::io::{self, Read, Seek, SeekFrom};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use process_wrap::std::{ChildWrapper, CommandWrap};

/// Keeps this many bytes from the end of a program's output.
const TAIL: u64 = 1 << 14;
/// Never waits longer than this before the next look at a program.
const POLL_MAX: Duration = Duration::from_millis(10);

/// How a program ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// Its exit status; `None` if it took too long.
    pub(crate) status: Option<ExitStatus>,
    /// The end of its printed output, errors included.
    pub(crate) output: String,
}

impl Finished {
    /// Returns the last line printed by the program, shortened.
    pub(crate) fn last_line(&self) -> String {
        const LETTERS: usize = 200;
        let line = self.output.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no message");
        line.trim().chars().take(LETTERS).collect()
    }
}

/// Runs a command without input to its end, or for `timeout`.
///
/// # Errors
/// If it cannot be started or watched.
pub(crate) fn run(mut command: Command, timeout: Duration) -> io::Result<Finished> {
    // Output goes to a file, because pipes would fill up, and a process that outlives its parent would keep them
    // open.
    let mut log = tempfile::tempfile()?;
    command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log.try_clone()?);
    let mut command = CommandWrap::from(command);
    #[cfg(unix)]
    command.wrap(process_wrap::std::ProcessGroup::leader());
    #[cfg(windows)]
    command.wrap(process_wrap::std::JobObject);
    let mut child = command.spawn()?;
    let status = wait(child.as_mut(), timeout)?;
    if status.is_none() {
        child.kill()?;
    }
    let length = log.seek(SeekFrom::End(0))?;
    log.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
    let mut bytes = Vec::new();
    log.take(TAIL).read_to_end(&mut bytes)?;
    Ok(Finished { status, output: String::from_utf8_lossy(&bytes).into_owned() })
}

/// Waits for a program to end; returns `None` after `timeout`.
fn wait(child: &mut dyn ChildWrapper, timeout: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    // Short programs are noticed at once; for long programs the pauses grow, to cost little.
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        let Some(left) = timeout.checked_sub(start.elapsed()) else { return Ok(None) };
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(POLL_MAX);
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_and_status_are_kept() {
        let finished =
            run(shell("echo first; echo last >&2; exit 3"), Duration::from_secs(20)).expect("it runs");
        assert_eq!(finished.status.and_then(|status| status.code()), Some(3), "the status");
        assert_eq!(finished.last_line(), "last", "of both outputs");
    }

    #[test]
    fn programs_that_take_too_long_are_ended_with_all_that_they_started() {
        let start = Instant::now();
        let finished =
            run(shell("sleep 60 & sleep 60"), Duration::from_millis(100)).expect("it can be ended");
        assert!(finished.status.is_none(), "too long");
        assert!(start.elapsed() < Duration::from_secs(30), "it did not wait for the second process");
    }
}
