//! Counts a command's instructions with callgrind, because other programs do not disturb this count.

use std::io;
use std::process::{Command, Stdio};

/// Counts a command's instructions, in all threads. Returns `None` if the command fails or callgrind tells no count.
///
/// # Errors
/// If valgrind cannot be started.
pub(crate) fn count_instructions(command: &Command) -> io::Result<Option<f64>> {
    let mut counted = Command::new("valgrind");
    counted.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    counted.arg(command.get_program()).args(command.get_args());
    let output = counted.stdin(Stdio::null()).stdout(Stdio::null()).output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    Ok(collected(&errors).filter(|_| output.status.success()))
}

/// Finds the count in callgrind's messages.
fn collected(messages: &str) -> Option<f64> {
    let line = messages.lines().find(|line| line.contains("Collected :"))?;
    line.split_whitespace().last()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_found() {
        let messages = "==7== Events    : Ir\n==7== Collected : 12345\n==7==\n";
        assert_eq!(collected(messages), Some(12345.0), "as callgrind prints it");
        assert_eq!(collected("valgrind: not found"), None, "another message");
    }
}
