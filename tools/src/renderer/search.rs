//! Finds the first draw after which another renderer's pictures differ, with a binary search over the draws.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use pspge::compare::{self, CompareOptions, Picture, Tolerance};
use pspge::debug::passes::dependencies::Dependencies;
use pspge::debug::trim::{self, TrimOptions};
use pspge::debug::{EventNumber, Session, Shot};
use pspge::documents::diff::comparison::DiffSide;
use pspge::ge::capture::Capture;
use pspge::run::stop_after::StopAfter;
use pspge::scene::frame::{FrameBuffer, FrameRenderer};

use super::command::{RendererCommand, RendererFault, RendererRun};
use super::screen;
use crate::input::frame_dump;
use crate::output::TemporaryFolder;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;
use crate::terminal::progress::{self, Bar};

/// Looks at most at this many passes when it searches for an earlier wrong pass.
const PASSES_MAX: usize = 16;

/// A draw after which the pictures differ.
#[derive(Debug)]
pub(crate) struct FoundDraw {
    /// The draw's number.
    pub(crate) draw: u64,
    /// The pictures after it: ours, and the other renderer's.
    pub(crate) pictures: [Picture; 2],
    /// How they are compared.
    pub(crate) options: CompareOptions,
    /// How many times the search ran the renderer.
    pub(crate) runs: u32,
}

/// Searches for a draw after which the pictures differ.
pub(crate) struct Search<'a> {
    /// The input as the user named it.
    pub(crate) input: &'a str,
    pub(crate) side: &'a DiffSide,
    /// The other renderer.
    pub(crate) command: &'a RendererCommand,
    pub(crate) tolerance: Option<Tolerance>,
    /// How long the other renderer may take for a run.
    pub(crate) timeout: Duration,
}

/// The search's files, in a folder that is removed afterwards.
struct Files {
    folder: TemporaryFolder,
    /// The dump with all draws, if the renderer can stop after a draw.
    dump: Option<PathBuf>,
}

/// A search's state from step to step.
struct Steps<'a> {
    search: &'a Search<'a>,
    run: Session,
    files: Files,
    notes: &'a mut Notes,
    runs: u32,
    bar: Bar,
}

impl Steps<'_> {
    fn run(&mut self, last: u64) -> Result<Option<FoundDraw>, Failure> {
        let (mut found, dependencies) = match self.differs(last)? {
            Some(found) => (found, None),
            // The last draw may go to another buffer than the screen shows, so this tries passes as well.
            None => {
                let dependencies = self.search.side.shot.dependencies(None);
                match self.last_pass(&dependencies, last)? {
                    Some(found) => (found, Some(dependencies)),
                    None => return Ok(None),
                }
            }
        };
        found = self.halve(0, found)?;
        let dependencies = dependencies.unwrap_or_else(|| self.search.side.shot.dependencies(None));
        while let Some((first, source)) = self.source(&dependencies, found.draw)? {
            found = self.halve(first, source)?;
        }
        Ok(Some(found))
    }

    /// Compares the pictures after a draw. Returns `None` if they agree.
    fn differs(&mut self, draw: u64) -> Result<Option<FoundDraw>, Failure> {
        let found = self.search.compare(&mut self.run, draw, &self.files, self.notes);
        self.runs += 1;
        self.bar.inc(1);
        found
    }

    /// Searches by halves between `first` and a draw after which the pictures differ.
    fn halve(&mut self, first: u64, mut found: FoundDraw) -> Result<FoundDraw, Failure> {
        let (mut equal, mut different) = (first, found.draw);
        // As far as the search has looked, draws before `equal` leave equal pictures.
        while equal < different {
            let middle = equal + (different - equal) / 2;
            match self.differs(middle)? {
                Some(earlier) => (different, found) = (middle, earlier),
                None => equal = middle + 1,
            }
        }
        Ok(found)
    }

    /// Finds the last pass after which the pictures differ, apart from the pass that ends with the draw `last`.
    fn last_pass(&mut self, dependencies: &Dependencies, last: u64) -> Result<Option<FoundDraw>, Failure> {
        for pass in dependencies.passes.iter().rev().take(PASSES_MAX) {
            let [_, draw] = pass.draws;
            if draw < last
                && let Some(found) = self.differs(draw)?
            {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Finds an earlier pass that gives the draw its input and after which the pictures already differ. Also returns
    /// this pass's first draw.
    fn source(
        &mut self,
        dependencies: &Dependencies,
        draw: u64,
    ) -> Result<Option<(u64, FoundDraw)>, Failure> {
        for (first, last) in sources(dependencies, draw).into_iter().take(PASSES_MAX) {
            if let Some(found) = self.differs(last)? {
                return Ok(Some((first, found)));
            }
        }
        Ok(None)
    }
}

/// Lists the passes that wrote the bytes a draw reads, also through block transfers and copies, the last pass first.
/// For each this has its first draw, and the last draw whose bytes are read.
fn sources(dependencies: &Dependencies, draw: u64) -> Vec<(u64, u64)> {
    let timeline = &dependencies.timeline;
    let pass_of = |draw: u64| {
        dependencies.passes.iter().position(|pass| (pass.draws[0]..=pass.draws[1]).contains(&draw))
    };
    let own = pass_of(draw);
    let Some(event) = timeline.event_of_draw(draw) else { return Vec::new() };
    let mut waiting = vec![event.number];
    let mut seen = BTreeSet::new();
    let mut last_of_pass: BTreeMap<usize, u64> = BTreeMap::new();
    // Transfers and copies are followed to their own inputs, until only draws are left.
    while let Some(reader) = waiting.pop() {
        let reads = dependencies.reads.iter().filter(|read| read.reader == Some(reader));
        for written in reads.flat_map(|read| read.writers.iter()) {
            let Some(writer) = timeline.get(written.writer) else { continue };
            match writer.draw_number() {
                Some(number) if pass_of(number) != own => {
                    let pass = pass_of(number).unwrap_or(usize::MAX);
                    let last = last_of_pass.entry(pass).or_insert(number);
                    *last = number.max(*last);
                }
                Some(_) => {}
                None if seen.insert(writer.number) => waiting.push(writer.number),
                None => {}
            }
        }
    }
    let first = |pass: usize, last: u64| dependencies.passes.get(pass).map_or(last, |pass| pass.draws[0]);
    last_of_pass.into_iter().rev().map(|(pass, last)| (first(pass, last), last)).collect()
}

impl Search<'_> {
    /// Searches for a draw where the pictures begin to differ: they agree before it and differ after it. Returns
    /// `None` if they agree after the last draw in every pass it looked at.
    ///
    /// A dump cut after a draw shows this draw's buffer. If the found draw only samples wrong pixels from an earlier
    /// pass, the search goes on in that pass.
    ///
    /// # Errors
    /// If the renderer fails, or if its pictures have another size.
    pub(crate) fn run(&self, notes: &mut Notes) -> Result<Option<FoundDraw>, Failure> {
        let run = self.side.shot.session();
        let draws = run.timeline().draws() as u64;
        let Some(last) = draws.checked_sub(1) else { return Ok(None) };
        let files = self.files(notes)?;
        // A run for the last draw, and another for each halving.
        let bar = progress::bar("draws", u64::from(draws.ilog2()) + 2);
        let mut steps = Steps { search: self, run, files, notes, runs: 0, bar };
        let found = steps.run(last)?;
        Ok(found.map(|found| FoundDraw { runs: steps.runs, ..found }))
    }

    fn files(&self, notes: &mut Notes) -> Result<Files, Failure> {
        let folder = TemporaryFolder::new()?;
        let dump = match self.command.takes_draw() {
            false => None,
            true => {
                let path = folder.file("all.ppdmp");
                self.write_dump(&path, self.side.shot.clone(), notes)?;
                Some(path)
            }
        };
        Ok(Files { folder, dump })
    }

    fn write_dump(&self, path: &Path, shot: Shot, notes: &mut Notes) -> Result<(), Failure> {
        let recorded = frame_dump::record(self.input, shot, notes)?;
        std::fs::write(path, recorded.dump.to_bytes()).map_err(|error| Failure::file(path.display(), &error))
    }

    /// Compares the pictures after a draw. Returns `None` if they agree.
    fn compare(
        &self,
        run: &mut Session,
        draw: u64,
        files: &Files,
        notes: &mut Notes,
    ) -> Result<Option<FoundDraw>, Failure> {
        let picture = files.folder.file("picture.png");
        let (own, other) = match &files.dump {
            Some(dump) => {
                let other = self.other(dump, draw, &picture)?;
                (self.draw(&self.side.shot.capture, Some(StopAfter::Draw(draw)))?, other)
            }
            None => {
                // This renderer cannot stop after a draw, so it gets a dump that ends there. pspge draws the same,
                // to compare like with like.
                let capture = self.trimmed(run, draw)?;
                let dump = files.folder.file("trimmed.ppdmp");
                self.write_dump(&dump, self.side.shot.clone().with_capture(capture.clone()), notes)?;
                let other = self.other(&dump, draw, &picture)?;
                (self.draw(&capture, None)?, other)
            }
        };
        let options =
            CompareOptions { tolerance: self.tolerance, ..screen::options([own.size(), other.size()]) };
        // The similarity takes most of the time of a full comparison, and no step of the search needs it.
        let differing = compare::differing_pixels(&own, &other, &options)
            .map_err(|error| Failure::inapplicable(self.input, "--renderer", error))?;
        let differs = !differing.is_empty();
        Ok(differs.then_some(FoundDraw { draw, pictures: [own, other], options, runs: 0 }))
    }

    fn other(&self, dump: &Path, until: u64, picture: &Path) -> Result<Picture, Failure> {
        let run = RendererRun { dump, until, picture, depth: None, timeout: self.timeout };
        self.command.draw(&run).map_err(|fault| match fault {
            RendererFault::System(failure) => failure,
            fault => {
                let problem = format!("the renderer, at draw {until}: it {}", fault.text(self.timeout));
                Failure::file_problem(self.command.program(), "renderer", problem)
            }
        })
    }

    fn trimmed(&self, run: &mut Session, draw: u64) -> Result<Capture, Failure> {
        let last = run.timeline().event_of_draw(draw).map_or(EventNumber(0), |event| event.number);
        let options = TrimOptions { whole_vram: true };
        trim::trim(run, EventNumber(0)..=last, options)
            .map(|trimmed| trimmed.capture)
            .map_err(|error| Failure::input(self.input, "too-large", None, error))
    }

    fn draw(&self, capture: &Capture, stop: Option<StopAfter>) -> Result<Picture, Failure> {
        let renderer = FrameRenderer {
            options: self.side.shot.raster,
            limits: self.side.shot.limits,
            stop,
            ..FrameRenderer::default()
        };
        let failure = |error: &dyn std::fmt::Display| Failure::inapplicable(self.input, "--renderer", error);
        let frame = renderer
            .render(capture, &[FrameBuffer::Display], &mut |_| {})
            .map_err(|error| failure(&error))?;
        Picture::from_image(frame.rgb_images().next().unwrap_or_default()).map_err(|error| failure(&error))
    }
}
