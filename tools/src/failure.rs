//! How a command ends when it does not succeed.

use std::fmt::Display;
use std::process::ExitCode;

/// A command that did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Wrong usage or bad input: exit status 2, with one line of explanation.
    Input(String),
    /// A check failed or a comparison differs: exit status 1, said already on standard output.
    Check,
    /// Bad input that was reported already, among others that were not: exit status 2.
    Told,
    /// The reader of our output went away: nothing to say.
    OutputClosed,
}

impl Failure {
    /// Bad input, or a file that cannot be written: `FILE: what is wrong`.
    pub(crate) fn file(name: impl Display, what: impl Display) -> Self {
        let name = match name.to_string() {
            name if name == "-" => "standard input".to_owned(),
            name => name,
        };
        Self::Input(one_line(&format!("{name}: {what}")))
    }

    /// Wrong usage.
    pub(crate) fn usage(what: impl Display) -> Self {
        Self::Input(one_line(&what.to_string()))
    }

    pub(crate) fn message(&self) -> Option<&str> {
        match self {
            Self::Input(message) => Some(message),
            Self::Check | Self::Told | Self::OutputClosed => None,
        }
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Input(_) | Self::Told => ExitCode::from(2),
            Self::Check => ExitCode::from(1),
            Self::OutputClosed => ExitCode::SUCCESS,
        }
    }
}

/// One line without anything that a terminal would obey: names come from files.
fn one_line(text: &str) -> String {
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    line.replace(char::is_control, "\u{FFFD}")
}
