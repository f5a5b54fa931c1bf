//! Traces commands.

use std::ops::ControlFlow;

use pspge::asm::GuCalls;
use pspge::documents::{CommandDocument, EventDocument};
use pspge::ge::capture::{Event, Source};
use pspge::ge::memory::Memory;
use pspge::ge::note::Note;
use pspge::run::sink::{Observer, Step};
use pspge::run::trace::CommandLine;

use super::printer::Printer;
use super::selection::Selection;
use crate::command::disasm::Words;
use crate::run;

pub(super) struct CommandPrinter<'a, 'o> {
    selection: &'a Selection<'a>,
    printer: &'a mut Printer<'o>,
    sources: &'a [Source],
    /// The commands whose calls are still open, with the start of the line that shows each; `None` to print
    /// commands.
    calls: Option<GuCalls<String>>,
}

impl<'a, 'o> CommandPrinter<'a, 'o> {
    pub(super) fn new(
        selection: &'a Selection<'a>,
        printer: &'a mut Printer<'o>,
        sources: &'a [Source],
        words: Words,
    ) -> Self {
        let calls = (words == Words::Libgu).then(GuCalls::default);
        Self { selection, printer, sources, calls }
    }

    /// Prints the calls still open at the end.
    pub(super) fn finish(mut self) {
        self.print_calls(true);
    }

    fn print_calls(&mut self, is_end: bool) {
        while let Some((call, places)) = self.calls.as_mut().and_then(|calls| calls.next_call(is_end)) {
            let place = places.first().map_or("", String::as_str);
            let separator = if call.comment.is_empty() { "" } else { " // " };
            let line = format_args!("{place}{}{separator}{}", call.text, call.comment).to_string();
            self.printer.print(|| (), |out| out.line(format_args!("{line}")));
        }
    }
}

impl Observer for CommandPrinter<'_, '_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if self.selection.is_over(step.draws) || self.printer.has_failed() {
            return ControlFlow::Break(());
        }
        if self.selection.take(step.draws) {
            let offset = run::file_offset(self.sources, step.at);
            let line = CommandLine::new(step, offset);
            if let Some(calls) = &mut self.calls {
                calls.push(step.command, line.start());
                self.print_calls(false);
                return ControlFlow::Continue(());
            }
            let input = self.printer.input;
            self.printer
                .print(|| CommandDocument::new(input, step, offset), |out| out.line(format_args!("{line}")));
        }
        ControlFlow::Continue(())
    }

    fn note(&mut self, note: &Note) {
        self.print_calls(true);
        self.printer.note(note);
    }

    fn event(&mut self, _: &Memory, event: &Event) {
        self.print_calls(true);
        let input = self.printer.input;
        self.printer.print(
            || EventDocument::new(input, event),
            |out| out.line(format_args!("; the CPU: {}", event.action)),
        );
    }
}
