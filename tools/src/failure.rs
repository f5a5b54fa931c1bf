//! How a command ends if it does not succeed.

use std::fmt::Display;
use std::process::ExitCode;

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage or bad input, as one line of text: exit status 2.
    Error(String),
    /// A comparison differs, and standard output already says so: exit status 1.
    Different,
    /// One of several inputs failed, and its error was already printed: exit status 2.
    Reported,
    /// The reader of standard output closed it: not an error.
    OutputClosed,
}

impl Failure {
    /// Creates the error of a file that cannot be used or written: `FILE: PROBLEM`.
    pub(crate) fn file(name: impl Display, problem: impl Display) -> Self {
        let name = match name.to_string() {
            name if name == "-" => "standard input".to_owned(),
            name => name,
        };
        Self::Error(one_line(&format!("{name}: {problem}")))
    }

    /// Creates an error of wrong usage.
    pub(crate) fn usage(problem: impl Display) -> Self {
        Self::Error(one_line(&problem.to_string()))
    }

    /// Returns the text to print after `error: `, if any.
    pub(crate) fn message(&self) -> Option<&str> {
        match self {
            Self::Error(message) => Some(message),
            Self::Different | Self::Reported | Self::OutputClosed => None,
        }
    }

    /// Returns the exit status of the process.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Error(_) | Self::Reported => ExitCode::from(2),
            Self::Different => ExitCode::from(1),
            Self::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

/// Joins the lines of a text and replaces control characters: file names may contain escape sequences.
fn one_line(text: &str) -> String {
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    line.replace(char::is_control, "\u{FFFD}")
}
