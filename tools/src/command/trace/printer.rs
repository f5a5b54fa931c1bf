//! Prints a trace's lines.

use pspge::documents::NoteDocument;
use pspge::documents::note::NoteInfo;
use pspge::ge::note::Note;
use serde::Serialize;

use crate::output::Output;
use crate::terminal::failure::Failure;

/// Prints lines or documents. Observers cannot return errors, so this keeps the first failure until the run ends.
pub(super) struct Printer<'a> {
    pub(super) input: &'a str,
    json: bool,
    out: &'a mut Output,
    failure: Option<Failure>,
}

impl<'a> Printer<'a> {
    pub(super) const fn new(input: &'a str, json: bool, out: &'a mut Output) -> Self {
        Self { input, json, out, failure: None }
    }

    /// Whether printing has failed, which stops the run.
    pub(super) const fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Prints a document, or else text. This makes only the form that is wanted, to save the work for the other.
    pub(super) fn print<D: Serialize>(
        &mut self,
        document: impl FnOnce() -> D,
        text: impl FnOnce(&mut Output) -> Result<(), Failure>,
    ) {
        if self.failure.is_none() {
            let printed = if self.json { self.out.json(&document(), false) } else { text(self.out) };
            self.failure = printed.err();
        }
    }

    pub(super) fn note(&mut self, note: &Note) {
        let input = self.input;
        self.print(
            || NoteDocument::new(input, NoteInfo::of_run(note)),
            |out| out.line(format_args!("; note: {note}")),
        );
    }

    pub(super) fn finish(self) -> Result<(), Failure> {
        self.failure.map_or(Ok(()), Err)
    }
}
