//! The executed commands in a list.

use crate::run::interpreter::Report;
use crate::run::trace::CommandLine;

/// The result of [`Asset::trace`](super::Asset::trace).
///
/// ```
/// use pspge::{Ending, Trace};
///
/// let asset = pspge::open("return.ge", b"RET | FINISH | END")?;
/// let Trace { lines, report } = asset.trace()?;
/// assert_eq!((lines.len(), report.ending), (3, Ending::Finished));
/// assert!(report.notes[0].to_string().contains("empty stack"), "there is no call to return from");
/// # Ok::<(), pspge::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trace {
    /// Every executed command, in order. Each prints as a line in `pspge trace`.
    pub lines: Vec<CommandLine>,
    /// How the run ended, with counts, and notes on everything left out or guessed.
    pub report: Report,
}
