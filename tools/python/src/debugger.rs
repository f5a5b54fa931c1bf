//! The debugger for Python: a recorded run, pixels, passes, and findings.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pspge::Address;
use pspge::check::CheckOptions;
use pspge::debug::memory::image::{ImageFormat, MemoryLayout};
use pspge::debug::pixel::target::TargetName;
use pspge::debug::trim::{self, TrimError, TrimNote, TrimOptions};
use pspge::debug::{EventNumber, NoSuchEvent, Session, SessionOptions, Shot};
use pspge::documents::hashes::ContentHashes;
use pspge::documents::note_list::NoteList;
use pspge::documents::{
    DrawReportDocument, FindingDocument, PassesDocument, PixelDocument, StateDocument, TimelineDocument,
    TrimDocument,
};
use pspge::ge::draw_set::DrawSet;
use pspge::image::DynamicImage;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::asset::Asset;
use crate::convert::{Json, picture, to_object};
use crate::export::{Report, record};
use crate::failure::Failure;
use crate::options::{RunOptions, address, check_draws, parse_optional};

/// A recorded run, which can seek to any of its events.
#[pyclass(frozen, module = "pspge._native")]
pub(crate) struct Run {
    input: String,
    session: Mutex<Session>,
    /// Notes from opening the file and running it.
    notes: NoteList,
}

impl Run {
    /// Locks the session. A poisoned lock is safe to use: no code panics while holding it, and each use seeks first.
    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn named(&self, failure: Failure) -> Failure {
        failure.of_input(&self.input)
    }
}

/// Finds an event by its number, or by its draw's. Without either this is the run's end.
pub(crate) fn find_event(
    session: &Session,
    event: Option<u32>,
    draw: Option<u64>,
    after: bool,
) -> Result<EventNumber, Failure> {
    let timeline = session.timeline();
    let none = |event| NoSuchEvent { event, count: timeline.len() };
    let found = match (event, draw) {
        (Some(_), Some(_)) => return Err(Failure::usage("event and draw: give only one of them")),
        (None, None) if after => return Err(Failure::usage("after needs event or draw")),
        (None, None) => return Ok(session.end()),
        (Some(number), None) => {
            let event = EventNumber(number);
            if event >= session.end() {
                return Err(Failure::inapplicable(format_args!("event={number}"), none(event)));
            }
            event
        }
        (None, Some(draw)) => {
            check_draws("draw", Some(&DrawSet::one(draw)), timeline.draws() as u64)?;
            let event = timeline.event_of_draw(draw).map(|event| event.number);
            event.ok_or_else(|| Failure::inapplicable(format_args!("draw={draw}"), none(session.end())))?
        }
    };
    Ok(if after { found.next() } else { found })
}

#[pymethods]
impl Run {
    /// How many events this run has.
    #[getter]
    fn event_count(&self, py: Python<'_>) -> usize {
        py.detach(|| self.session().timeline().len())
    }

    /// How many draws this run has.
    #[getter]
    fn draw_count(&self, py: Python<'_>) -> usize {
        py.detach(|| self.session().timeline().draws())
    }

    /// Notes from opening the file and running it.
    #[getter]
    fn notes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_object(py, &self.notes.entries())
    }

    /// Describes all events.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.detach(|| {
            let notes = self.notes.entries().to_vec();
            Json::of(&TimelineDocument { notes, ..TimelineDocument::new(&self.input, &self.session()) })
        })?
        .object(py)
    }

    /// Describes the state before or after an event.
    fn state<'py>(
        &self,
        py: Python<'py>,
        draw: Option<u64>,
        event: Option<u32>,
        after: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        py.detach(|| -> PyResult<Json> {
            let mut session = self.session();
            let at = find_event(&session, event, draw, after).map_err(|error| self.named(error))?;
            let mut hashes = ContentHashes::new(&session.options().limits);
            let mut document = StateDocument::new(&self.input, &mut session, at, &mut hashes)
                .map_err(|error| self.named(Failure::inapplicable("event", error)))?;
            let mut notes = self.notes.clone();
            if let Some(hit) = hashes.limit_hit() {
                notes.add("limit", format!("hashes of textures are left out: {hit}"));
            }
            document.notes = notes.into_entries();
            Json::of(&document)
        })?
        .object(py)
    }

    /// Describes a single draw: its vertices at each stage, its primitives, and its pixels.
    fn draw<'py>(
        &self,
        py: Python<'py>,
        draw: Option<u64>,
        event: Option<u32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        py.detach(|| -> PyResult<Json> {
            let mut session = self.session();
            let at = find_event(&session, event, draw, false).map_err(|error| self.named(error))?;
            let mut hashes = ContentHashes::new(&session.options().limits);
            let option = if event.is_some() { "event" } else { "draw" };
            let mut document = DrawReportDocument::new(&self.input, &mut session, at, &mut hashes)
                .map_err(|error| self.named(Failure::inapplicable(option, error)))?;
            let mut notes = self.notes.clone();
            if !document.is_complete {
                notes.add("limit", "the report is cut short by a limit");
            }
            document.notes = notes.into_entries();
            Json::of(&document)
        })?
        .object(py)
    }

    /// Reads memory before or after an event. Bytes that do not exist are 0, and the second value counts them.
    fn memory<'py>(
        &self,
        py: Python<'py>,
        address: &str,
        length: u32,
        draw: Option<u64>,
        event: Option<u32>,
        after: bool,
    ) -> PyResult<(Bound<'py, PyBytes>, u32)> {
        let (bytes, missing) = py.detach(|| -> PyResult<_> {
            let mut session = self.session();
            let start =
                self.seek(&mut session, address, draw, event, after).map_err(|error| self.named(error))?;
            let mut bytes = vec![0; length as usize];
            session.memory().read(start, &mut bytes);
            let parts = pspge::debug::memory::image::mapped_parts(session.memory(), start, length);
            let mapped: u32 = parts.iter().map(|part| part.end - part.start).sum();
            Ok((bytes, length.saturating_sub(mapped)))
        })?;
        Ok((PyBytes::new(py, &bytes), missing))
    }

    /// Reads memory before or after an event as a picture.
    #[expect(clippy::too_many_arguments, reason = "the arguments of a function of Python")]
    fn memory_picture<'py>(
        &self,
        py: Python<'py>,
        address: &str,
        size: [u32; 2],
        stride: Option<u32>,
        pixel_format: Option<String>,
        swizzle: bool,
        alpha: bool,
        draw: Option<u64>,
        event: Option<u32>,
        after: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let image = py.detach(|| -> Result<DynamicImage, Failure> {
            let format: Option<ImageFormat> = parse_optional("pixel_format", pixel_format.as_deref())?;
            let mut session = self.session();
            let start = self.seek(&mut session, address, draw, event, after)?;
            let (registers, display) = (session.registers(), session.replayed().display);
            let found = MemoryLayout::found(start, size, format, registers, display);
            let stride = stride.unwrap_or(if found.stride == 0 { size[0] } else { found.stride });
            let layout = MemoryLayout { stride, is_swizzled: swizzle, ..found };
            let mut image = layout.picture(session.memory(), registers.clut());
            if let (false, DynamicImage::ImageRgba8(colors)) = (alpha, &mut image) {
                colors.pixels_mut().for_each(|pixel| pixel.0[3] = 255);
            }
            Ok(image)
        });
        picture(py, image.map_err(|error| self.named(error))?)
    }

    /// Cuts a range of draws out into a frame dump, and returns it with its report.
    fn trim<'py>(
        &self,
        py: Python<'py>,
        draws: &str,
        whole_vram: bool,
        input_bytes: Option<u64>,
    ) -> PyResult<(Bound<'py, PyBytes>, Bound<'py, PyAny>)> {
        let trimmed = py.detach(|| self.trimmed(draws, whole_vram, input_bytes));
        trimmed.map_err(|error| self.named(error))?.objects(py)
    }
}

impl Run {
    /// Seeks to a moment and returns the address named by the user.
    fn seek(
        &self,
        session: &mut Session,
        text: &str,
        draw: Option<u64>,
        event: Option<u32>,
        after: bool,
    ) -> Result<Address, Failure> {
        let start = address("address", text)?;
        let at = find_event(session, event, draw, after)?;
        session.seek(at).map_err(|error| Failure::inapplicable("event", error))?;
        Ok(start)
    }

    fn trimmed(&self, draws: &str, whole_vram: bool, input_bytes: Option<u64>) -> Result<Report, Failure> {
        let wanted: DrawSet = crate::options::parse("draws", draws)?;
        if wanted.ranges().len() != 1 {
            return Err(Failure::usage(format_args!("draws={draws:?}: expected one range of draws")));
        }
        let mut session = self.session();
        let count = session.timeline().draws() as u64;
        check_draws("draws", Some(&wanted), count)?;
        let last = count.saturating_sub(1);
        let range = (wanted.min(), wanted.max().map_or(last, |max| max.min(last)));
        let event = |draw: u64| {
            let event = session.timeline().event_of_draw(draw).map(|event| event.number);
            event.unwrap_or(EventNumber(u32::MAX))
        };
        let events = event(range.0)..=event(range.1);
        let trimmed = trim::trim(&mut session, events, TrimOptions { whole_vram });
        let trimmed = trimmed.map_err(|error| match error {
            TrimError::NoSuchEvent(error) => Failure::inapplicable("draws", error),
            error => Failure::content("too-large", error),
        })?;
        let mut notes = self.notes.clone();
        for note in &trimmed.notes {
            let code = if *note == TrimNote::TextureCache { "texture-cache" } else { "carried-state" };
            notes.add(code, note.to_string());
        }
        let SessionOptions { raster, limits, .. } = *session.options();
        let shot = Shot::new(trimmed.capture).with_raster(raster).with_limits(limits);
        let recorded = record(shot, &mut notes)?;
        let bytes = recorded.dump.to_bytes();
        let document = TrimDocument {
            output_bytes: bytes.len() as u64,
            input_bytes,
            notes: notes.into_entries(),
            ..TrimDocument::new(&self.input, range, &trimmed.counts)
        };
        Report::new(bytes, &document)
    }
}

#[pymethods]
impl Asset {
    /// Runs the list once and records all its events.
    fn run(&self, py: Python<'_>, options: RunOptions) -> PyResult<Run> {
        let run = py.detach(|| {
            let (session, mut notes) = (self.shot(&options)?.session(), self.notes.clone());
            notes.add_report(&session.replayed().report);
            Ok(Run { input: self.name.clone(), session: Mutex::new(session), notes })
        });
        Ok(run.map_err(|error: Failure| error.of_input(&self.name))?)
    }

    /// Explains a pixel: returns a document about its history, and the notes.
    fn pixel<'py>(
        &self,
        py: Python<'py>,
        position: [u32; 2],
        options: RunOptions,
        target: Option<String>,
        draws: Option<String>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let found = py.detach(|| -> PyResult<_> {
            let (document, notes) = self
                .history(position, &options, target.as_deref(), draws.as_deref())
                .map_err(|error| error.of_input(&self.name))?;
            Ok((Json::of(&document)?, Json::of(&notes.into_entries())?))
        });
        let (document, notes) = found?;
        Ok((document.object(py)?, notes.object(py)?))
    }

    /// Describes the render passes.
    fn passes<'py>(&self, py: Python<'py>, options: RunOptions) -> PyResult<Bound<'py, PyAny>> {
        py.detach(|| -> PyResult<Json> {
            let shot = self.shot(&options).map_err(|error| error.of_input(&self.name))?;
            let (found, mut notes) = (shot.dependencies(None), self.notes.clone());
            notes.add_report(&found.replayed.report);
            let mut document = PassesDocument::new(&self.name, &found);
            document.notes = notes.into_entries();
            Json::of(&document)
        })?
        .object(py)
    }

    /// Checks for mistakes and returns a document for each finding, the worst first.
    fn check<'py>(&self, py: Python<'py>, options: RunOptions) -> PyResult<Bound<'py, PyAny>> {
        py.detach(|| -> PyResult<Json> {
            let settings = self.check_options(&options).map_err(|error| error.of_input(&self.name))?;
            let mut findings = self.inner.check(&settings);
            findings.sort_by_key(|finding| finding.severity);
            let documents: Vec<FindingDocument> =
                findings.iter().map(|finding| FindingDocument::new(&self.name, finding)).collect();
            Json::of(&documents)
        })?
        .object(py)
    }
}

impl Asset {
    fn history(
        &self,
        position: [u32; 2],
        options: &RunOptions,
        target: Option<&str>,
        draws: Option<&str>,
    ) -> Result<(PixelDocument, NoteList), Failure> {
        let target: Option<TargetName> = parse_optional("target", target)?;
        let draws: Option<DrawSet> = parse_optional("draws", draws)?;
        let (shot, mut notes) = (self.shot(options)?, self.notes.clone());
        let mut history = shot.history(target, position).map_err(|error| {
            let [x, y] = position;
            Failure::inapplicable(format_args!("pixel ({x}, {y})"), error)
        })?;
        check_draws("draws", draws.as_ref(), history.report.draws)?;
        notes.add_report(&history.report);
        notes.add_gaps(&history);
        if let Some(draws) = draws {
            history.shown = draws;
        }
        Ok((PixelDocument::new(&self.name, &history, &shot.capture.sources), notes))
    }

    fn check_options(&self, options: &RunOptions) -> Result<CheckOptions, Failure> {
        if self.inner.model().is_none() {
            self.refuse(options.given_for_models().next())?;
        }
        Ok(CheckOptions::default()
            .limits(self.limits)
            .arithmetic(options.arithmetic()?.unwrap_or_default())
            .camera(options.camera()?))
    }
}
