//! Prints to standard error: errors, and notes unless they are hidden.

use std::fmt::Display;
use std::io::{self, Write as _};

use super::colors::{Mark, Stream};
use super::failure::CommandError;
use super::notes::Notes;
use super::progress;

/// Prints a line to standard error, and colours its first word if this is a severity. A closed standard error is no
/// reason to stop.
pub(crate) fn print(line: impl Display) {
    let line = line.to_string();
    let (word, rest) = line.split_at(line.find(": ").unwrap_or(0));
    let word = Mark::of_word(word).map_or_else(|| word.to_owned(), |mark| mark.paint(word, Stream::Stderr));
    progress::suspend(|| _ = writeln!(io::stderr(), "{word}{rest}"));
}

/// Options that hold for every command.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Console {
    pub(crate) quiet: bool,
    /// Count notes on problems as failures. Notes that only inform do not count.
    pub(crate) strict: bool,
}

impl Console {
    pub(crate) fn print_notes(self, input: &str, notes: &Notes) {
        if !self.quiet {
            for line in notes.lines(input) {
                print(line);
            }
        }
    }

    /// Prints a line of advice or a summary, unless notes are hidden.
    pub(crate) fn print_hint(self, hint: impl Display) {
        if !self.quiet {
            print(hint);
        }
    }

    /// Prints an error with its details, followed by further errors about the same input.
    pub(crate) fn print_error(self, error: &CommandError) {
        error.lines().into_iter().for_each(print);
    }
}
