//! Runs a list from event to event, to compare it with another run.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::debug::session::page_tracker::{ChangedPage, PageTracker};
use crate::debug::timeline::{self, EventKind, EventNumber, Timeline, TimelineEvent};
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::{Capture, Event};
use crate::ge::limits::{Limit, Limits};
use crate::ge::memory::Memory;
use crate::ge::memory::pages::PageCopy;
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::replay::Replay;
use crate::run::sink::{Sink, Step};

/// A side in a comparison between two runs.
#[derive(Debug)]
pub struct Side<'a, S> {
    /// The list and its memory.
    pub capture: Capture,
    /// The arithmetic to transform vertices with.
    pub arithmetic: Arithmetic,
    /// Receives the draws.
    pub sink: &'a mut S,
}

/// A run that stops before each event.
#[derive(Debug)]
pub(super) struct SteppedRun<'a, S> {
    memory: Memory,
    records: Vec<Event>,
    replay: Replay,
    sink: &'a mut S,
    timeline: Timeline,
    pages: PageTracker,
    limits: Limits,
    /// How many commands the whole run has. The run must stop there, because a time limit may have ended it.
    commands: u64,
}

impl<'a, S: Sink> SteppedRun<'a, S> {
    /// Runs the list once to find its events, and returns the run before its first event.
    pub(super) fn new(side: Side<'a, S>, limits: &Limits) -> Self {
        let Side { capture, arithmetic, sink } = side;
        let mut raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
        let (timeline, replayed) = timeline::record(&mut capture.clone(), arithmetic, &mut raster, limits);
        let replay = Replay::new(&capture, arithmetic);
        let Capture { memory, events: records, .. } = capture;
        Self {
            pages: PageTracker::new(&memory),
            memory,
            records,
            replay,
            sink,
            timeline,
            limits: limits.without(Limit::Time),
            commands: replayed.report.commands,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.timeline.len()
    }

    pub(super) fn event(&self, number: EventNumber) -> Option<&TimelineEvent> {
        self.timeline.get(number)
    }

    /// Runs up to an event, or to the end, and returns the changed pages.
    pub(super) fn step_to(&mut self, event: EventNumber) -> Vec<ChangedPage> {
        let (command, action) = match self.timeline.get(event) {
            None => (self.commands, usize::MAX),
            Some(TimelineEvent { kind: EventKind::Cpu(cpu), .. }) => (u64::MAX, cpu.record as usize),
            Some(event) => (event.command, usize::MAX),
        };
        let mut stop = |_: &Memory, step: &Step<'_>| {
            if step.number >= command { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let Self { replay, memory, records, sink, limits, .. } = self;
        replay.advance(memory, records, *sink, &mut stop, limits, action);
        // While a run waits for the CPU, its sink is not flushed.
        sink.flush(memory);
        self.pages.update(&self.memory)
    }

    /// Returns the current contents for the page starting at an address.
    pub(super) fn page(&self, start: Address) -> Option<&Arc<PageCopy>> {
        self.pages.current(self.memory.page_at(start)?)
    }
}
