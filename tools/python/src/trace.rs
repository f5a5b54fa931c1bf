//! A run's executed commands, and its draws.

use std::ops::ControlFlow;

use pspge::documents::draw::DrawDescriber;
use pspge::documents::draw_list::{DescribedDraws, DrawReceiver};
use pspge::documents::hashes::ContentHashes;
use pspge::documents::note::NoteInfo;
use pspge::documents::{CommandDocument, DrawDocument, EndDocument, EventDocument};
use pspge::ge::capture::{Event, Source, source_of};
use pspge::ge::draw_set::DrawSet;
use pspge::run::interpreter::{Ending, Report};
use pspge::run::sink::{NullSink, Observer, Step};
use pspge::run::trace::CommandLine;
use pspge::{Memory, Registers};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::asset::Asset;
use crate::convert::{Json, to_object};
use crate::failure::Failure;
use crate::options::{RunOptions, check_draws, parse_optional};

/// A run's executed commands, with the CPU's actions between them. A document is only made when Python asks for it,
/// because a run can have very many commands.
#[pyclass(frozen, module = "pspge._native")]
pub(crate) struct Trace {
    input: String,
    items: Vec<Item>,
    end: EndDocument,
    notes: Vec<NoteInfo>,
}

enum Item {
    Command { line: CommandLine, command: u64, draw: u64 },
    Event(Box<EventDocument>),
}

#[pymethods]
impl Trace {
    fn __len__(&self) -> usize {
        self.items.len()
    }

    /// Describes an item.
    fn item<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyAny>> {
        match self.items.get(index) {
            Some(Item::Command { line, command, draw }) => {
                to_object(py, &CommandDocument::of_line(&self.input, line, *command, *draw))
            }
            Some(Item::Event(event)) => to_object(py, &**event),
            None => Err(PyIndexError::new_err("the trace has no such item")),
        }
    }

    /// Returns an item as `pspge trace` prints it.
    fn line(&self, index: usize) -> PyResult<String> {
        match self.items.get(index) {
            Some(Item::Command { line, .. }) => Ok(line.to_string()),
            Some(Item::Event(event)) => Ok(format!("; the CPU: {}", event.text)),
            None => Err(PyIndexError::new_err("the trace has no such item")),
        }
    }

    /// Describes how the run ended.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, &self.end)
    }

    /// Notes from opening the file and running it.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, &self.notes)
    }
}

/// Collects commands and the CPU's actions.
struct Collector<'a> {
    input: &'a str,
    sources: &'a [Source],
    only: Option<&'a DrawSet>,
    first: Option<usize>,
    items: Vec<Item>,
}

impl Observer for Collector<'_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        let is_full = self.first.is_some_and(|first| self.items.len() >= first);
        if is_full || is_over(self.only, step.draws) {
            return ControlFlow::Break(());
        }
        if self.only.is_none_or(|only| only.contains(step.draws)) {
            let offset = source_of(self.sources, step.at).map(|(_, offset)| offset);
            let line = CommandLine::new(step, offset);
            self.items.push(Item::Command { line, command: step.number, draw: step.draws });
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, _: &Memory, event: &Event) {
        self.items.push(Item::Event(Box::new(EventDocument::new(self.input, event))));
    }
}

/// Whether the wanted draws all come before this draw count, so that the run can stop.
fn is_over(only: Option<&DrawSet>, draws: u64) -> bool {
    only.and_then(DrawSet::max).is_some_and(|last| draws > last)
}

/// Collects the descriptions of draws.
struct Draws<'a> {
    only: Option<&'a DrawSet>,
    draws: Vec<DrawDocument>,
}

impl DrawReceiver for Draws<'_> {
    fn wants(&mut self, draw: u64) -> bool {
        self.only.is_none_or(|only| only.contains(draw))
    }

    fn receive(&mut self, draw: DrawDocument, _: &Registers) {
        self.draws.push(draw);
    }
}

#[pymethods]
impl Asset {
    /// Runs the list and returns its commands.
    fn trace(
        &self,
        py: Python<'_>,
        options: RunOptions,
        only: Option<String>,
        first: Option<usize>,
    ) -> PyResult<Trace> {
        let traced = py.detach(|| self.commands(&options, only.as_deref(), first));
        Ok(traced.map_err(|error| error.of_input(&self.name))?)
    }

    /// Runs and draws the list, and returns a document for each draw, the notes, and how the run ended.
    fn draws<'py>(
        &self,
        py: Python<'py>,
        options: RunOptions,
        only: Option<String>,
        registers: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let json = py.detach(|| {
            let described = self.described_draws(&options, only.as_deref(), registers);
            Json::of(&described.map_err(|error| error.of_input(&self.name))?)
        })?;
        json.object(py)
    }
}

impl Asset {
    fn commands(
        &self,
        options: &RunOptions,
        only: Option<&str>,
        first: Option<usize>,
    ) -> Result<Trace, Failure> {
        let only: Option<DrawSet> = parse_optional("only", only)?;
        let (mut shot, mut notes) = (self.shot(options)?, self.notes.clone());
        let sources = std::mem::take(&mut shot.capture.sources);
        let mut collector =
            Collector { input: &self.name, sources: &sources, only: only.as_ref(), first, items: Vec::new() };
        let report = shot.run_here(&mut NullSink, &mut collector).report;
        let items = collector.items;
        check_end(only.as_ref(), &report)?;
        notes.add_report(&report);
        let end = EndDocument::new(&self.name, &report);
        Ok(Trace { input: self.name.clone(), items, end, notes: notes.into_entries() })
    }

    fn described_draws(
        &self,
        options: &RunOptions,
        only: Option<&str>,
        registers: bool,
    ) -> Result<(Vec<DrawDocument>, Vec<NoteInfo>, EndDocument), Failure> {
        let only: Option<DrawSet> = parse_optional("only", only)?;
        let (mut shot, mut notes) = (self.shot(options)?, self.notes.clone());
        let sources = std::mem::take(&mut shot.capture.sources);
        let hashes = ContentHashes::new(&shot.limits);
        let describer = DrawDescriber { input: &self.name, sources: &sources, with_state: registers, hashes };
        let receiver = Draws { only: only.as_ref(), draws: Vec::new() };
        let mut sink = DescribedDraws { raster: shot.rasterizer(), describer, receiver };
        let mut end = |_: &Memory, step: &Step<'_>| {
            if is_over(only.as_ref(), step.draws) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let report = shot.run_here(&mut sink, &mut end).report;
        check_end(only.as_ref(), &report)?;
        if let Some(hit) = sink.describer.hashes.limit_hit() {
            notes.add("limit", format!("hashes of textures and vertices are left out: {hit}"));
        }
        notes.add_report(&report);
        Ok((sink.receiver.draws, notes.into_entries(), EndDocument::new(&self.name, &report)))
    }
}

/// Checks that a run has the wanted draws. A stopped run needs no check: it had all up to the last.
fn check_end(only: Option<&DrawSet>, report: &Report) -> Result<(), Failure> {
    if report.ending == Ending::Stopped { Ok(()) } else { check_draws("only", only, report.draws) }
}
