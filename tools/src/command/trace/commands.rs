//! Traces commands.

use std::ops::ControlFlow;

use pspge::documents::{CommandDocument, EventDocument};
use pspge::ge::capture::{Event, Source};
use pspge::ge::memory::Memory;
use pspge::ge::note::Note;
use pspge::run::sink::{Observer, Step};
use pspge::run::trace::CommandLine;

use super::printer::Printer;
use super::selection::Selection;
use crate::run;

/// Prints commands while the list runs.
pub(super) struct CommandPrinter<'a, 'o> {
    pub(super) selection: &'a Selection<'a>,
    pub(super) printer: &'a mut Printer<'o>,
    pub(super) sources: &'a [Source],
}

impl Observer for CommandPrinter<'_, '_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if self.selection.is_over(step.draws) || self.printer.has_failed() {
            return ControlFlow::Break(());
        }
        if self.selection.take(step.draws) {
            let offset = run::file_offset(self.sources, step.at);
            let input = self.printer.input;
            self.printer.print(
                || CommandDocument::new(input, step, offset),
                |out| out.line(format_args!("{}", CommandLine::new(step, offset))),
            );
        }
        ControlFlow::Continue(())
    }

    fn note(&mut self, note: &Note) {
        self.printer.note(note);
    }

    fn event(&mut self, _: &Memory, event: &Event) {
        let input = self.printer.input;
        self.printer.print(
            || EventDocument::new(input, event),
            |out| out.line(format_args!("; the CPU: {}", event.action)),
        );
    }
}
