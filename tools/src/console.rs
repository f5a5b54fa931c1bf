//! Standard error: errors, and notes unless they are hidden.

use crate::failure::CommandError;
use crate::notes::Notes;

/// The options that hold for every command.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Console {
    /// Hide notes and summaries.
    pub(crate) quiet: bool,
    /// A note on a problem counts as a failure; one that only informs does not.
    pub(crate) strict: bool,
}

impl Console {
    /// Prints the notes on an input, one line each.
    pub(crate) fn print_notes(self, input: &str, notes: &Notes) {
        if !self.quiet {
            for line in notes.lines(input) {
                eprintln!("{line}");
            }
        }
    }

    /// Prints a line of advice, unless notes are hidden.
    pub(crate) fn print_hint(self, hint: impl std::fmt::Display) {
        if !self.quiet {
            eprintln!("{hint}");
        }
    }

    /// Prints an error: one line, and its details. Further errors of the same input follow.
    pub(crate) fn print_error(self, error: &CommandError) {
        for line in error.lines() {
            eprintln!("{line}");
        }
    }
}
