//! The executed commands of a list.

use crate::run::interpreter::Report;
use crate::run::trace::CommandLine;

/// The result of [`Asset::trace`](super::Asset::trace).
#[derive(Clone, Debug)]
pub struct Trace {
    /// Every executed command, in order. Each prints as a line of `pspge trace`.
    pub lines: Vec<CommandLine>,
    /// The end of the run, its counts, and the notes on everything that was left out or guessed.
    pub report: Report,
}
