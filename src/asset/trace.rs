//! The executed commands in a list.

use crate::run::interpreter::Report;
use crate::run::trace::CommandLine;

/// The result of [`Asset::trace`](super::Asset::trace).
#[derive(Clone, Debug)]
pub struct Trace {
    /// Every executed command, in order. Each prints as a line as in `pspge trace`.
    pub lines: Vec<CommandLine>,
    /// Tells how the run ended, with counts, and notes on everything that was left out or guessed.
    pub report: Report,
}
