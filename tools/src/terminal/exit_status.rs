//! Defines the process's exit status.

use std::process::ExitCode;

/// How the command ended. Scripts rely on these numbers, so they never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExitStatus {
    /// Everything was done.
    Success = 0,
    /// The command finished, but an input failed, pictures differ or, with `--strict`, a note tells of a problem.
    Failed = 1,
    /// The command line is wrong, or an option cannot apply to the input.
    Usage = 2,
    /// The input is damaged or not recognised, or the command does not work on its content.
    Input = 3,
    /// A file or standard output cannot be read or written.
    Files = 4,
}

/// Describes the statuses in a sentence, for the help.
pub(crate) const HELP: &str = "Exit status: 0 success; 1 finished, but an input failed, pictures differ or, with \
    --strict, a note tells of a problem; 2 wrong usage; 3 the input is damaged or not recognised; 4 a file cannot be read or \
    written.";

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}
