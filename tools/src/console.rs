//! Prints to standard error: errors, and notes unless they are hidden.

use crate::failure::CommandError;
use crate::notes::Notes;

/// Options that hold for every command.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Console {
    /// Hide notes and summaries.
    pub(crate) quiet: bool,
    /// Count notes on problems as failures. Notes that only inform do not count.
    pub(crate) strict: bool,
}

impl Console {
    /// Prints notes on an input, each in a line.
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

    /// Prints an error with its details, followed by further errors about the same input.
    pub(crate) fn print_error(self, error: &CommandError) {
        for line in error.lines() {
            eprintln!("{line}");
        }
    }
}
