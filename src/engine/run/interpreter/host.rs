//! Combines a sink and its watcher, so that the interpreter is compiled once for all of them.

use std::ops::ControlFlow;

use crate::ge::limits::LimitHit;
use crate::ge::memory::Memory;
use crate::ge::note::Note;
use crate::run::sink::{Sink, Step};
use crate::run::watch::{Outcome, RunEvent, Watch};

/// Everything the interpreter calls: a sink, and a watcher that may look into it.
pub(super) trait Host {
    fn sink(&mut self) -> &mut dyn Sink;

    /// See [`Watch::command`].
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()>;

    /// See [`Watch::note`].
    fn note(&mut self, note: &Note);

    /// See [`Watch::before`].
    fn before(&mut self, memory: &mut Memory, event: &RunEvent<'_>);

    /// See [`Watch::after`].
    fn after(&mut self, memory: &mut Memory, event: &RunEvent<'_>, outcome: Outcome);

    /// See [`Watch::reads_memory`].
    fn reads_memory(&self) -> bool;

    /// See [`Watch::undisturbed_commands`].
    fn undisturbed_commands(&self) -> u64;

    /// Returns the limit that the sink or the watcher has hit.
    fn limit_hit(&self) -> Option<LimitHit>;
}

pub(super) struct Pair<'a, S, W> {
    pub(super) sink: &'a mut S,
    pub(super) watch: &'a mut W,
}

impl<S: Sink, W: Watch<S>> Host for Pair<'_, S, W> {
    fn sink(&mut self) -> &mut dyn Sink {
        self.sink
    }

    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        self.watch.command(memory, step)
    }

    fn note(&mut self, note: &Note) {
        self.watch.note(note);
    }

    fn before(&mut self, memory: &mut Memory, event: &RunEvent<'_>) {
        self.watch.before(self.sink, memory, event);
    }

    fn after(&mut self, memory: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
        self.watch.after(self.sink, memory, event, outcome);
    }

    fn reads_memory(&self) -> bool {
        self.watch.reads_memory()
    }

    fn undisturbed_commands(&self) -> u64 {
        self.watch.undisturbed_commands()
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.sink.limit_hit().or_else(|| self.watch.limit_hit())
    }
}
