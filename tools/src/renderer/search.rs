//! The first draw after which the pictures of another renderer differ: a binary search over the draws.

use std::path::{Path, PathBuf};
use std::time::Duration;

use pspge::compare::{self, CompareOptions, Difference, Picture, Tolerance};
use pspge::debug::trim::{self, TrimOptions};
use pspge::debug::{EventNumber, Session, SessionOptions};
use pspge::documents::diff::comparison::DiffSide;
use pspge::ge::capture::Capture;
use pspge::ge::limits::Limits;
use pspge::run::stop_after::StopAfter;
use pspge::scene::frame::{FrameBuffer, FrameRenderer};

use super::command::{RendererCommand, RendererFault, RendererRun};
use super::screen;
use crate::failure::Failure;
use crate::notes::Notes;
use crate::output::TemporaryFolder;
use crate::{frame_dump, progress};

/// A draw after which the pictures differ.
#[derive(Debug)]
pub(crate) struct FoundDraw {
    /// Number of the draw.
    pub(crate) draw: u64,
    /// The pictures after it: ours, and that of the other renderer.
    pub(crate) pictures: [Picture; 2],
    /// Their difference.
    pub(crate) difference: Difference,
    /// Number of runs of the renderer that the search took.
    pub(crate) runs: u32,
}

/// A search for a draw after which the pictures differ.
pub(crate) struct Search<'a> {
    /// The input as the user named it.
    pub(crate) input: &'a str,
    /// The run.
    pub(crate) side: &'a DiffSide,
    /// The other renderer.
    pub(crate) command: &'a RendererCommand,
    /// The largest difference that counts as equal.
    pub(crate) tolerance: Option<Tolerance>,
    /// Limits of each run.
    pub(crate) limits: Limits,
    /// The longest time of a run of the other renderer.
    pub(crate) timeout: Duration,
    /// Whether a progress bar is shown.
    pub(crate) shows_progress: bool,
}

/// The files of a search, in a folder that is removed afterwards.
struct Files {
    folder: TemporaryFolder,
    /// The dump with all draws, if the renderer takes the number of the last one.
    dump: Option<PathBuf>,
}

impl Search<'_> {
    /// Searches for a draw before which the pictures agree and after which they differ; `None` if they agree after the
    /// last draw.
    ///
    /// # Errors
    /// If the renderer fails, or if its pictures have another size.
    pub(crate) fn run(&self, notes: &mut Notes) -> Result<Option<FoundDraw>, Failure> {
        let options =
            SessionOptions { raster: self.side.raster, limits: self.limits, ..SessionOptions::default() };
        let mut run = Session::open(self.side.capture.clone(), options);
        let draws = run.timeline().draws() as u64;
        let Some(last) = draws.checked_sub(1) else { return Ok(None) };
        let files = self.files(notes)?;
        // One run for the last draw, and one for each halving.
        let bar = self.shows_progress.then(|| progress::bar("draws", u64::from(draws.ilog2()) + 2));
        let mut runs = 0;
        let mut differs = |draw: u64| {
            let found = self.compare(&mut run, draw, &files, notes);
            runs += 1;
            if let Some(bar) = &bar {
                bar.inc(1);
            }
            found
        };
        let Some(mut found) = differs(last)? else { return Ok(None) };
        let (mut equal, mut different) = (0, last);
        // The draws before `equal` leave equal pictures, as far as the search has looked.
        while equal < different {
            let middle = equal + (different - equal) / 2;
            match differs(middle)? {
                Some(earlier) => (different, found) = (middle, earlier),
                None => equal = middle + 1,
            }
        }
        if let Some(bar) = bar {
            bar.finish_and_clear();
        }
        Ok(Some(FoundDraw { runs, ..found }))
    }

    fn files(&self, notes: &mut Notes) -> Result<Files, Failure> {
        let folder = TemporaryFolder::new()?;
        let dump = match self.command.takes_draw() {
            false => None,
            true => {
                let path = folder.file("all.ppdmp");
                self.write_dump(&path, self.side.capture.clone(), notes)?;
                Some(path)
            }
        };
        Ok(Files { folder, dump })
    }

    fn write_dump(&self, path: &Path, capture: Capture, notes: &mut Notes) -> Result<(), Failure> {
        let arithmetic = self.side.raster.arithmetic;
        let recorded = frame_dump::record(self.input, capture, arithmetic, &self.limits, notes)?;
        std::fs::write(path, recorded.dump.to_bytes()).map_err(|error| Failure::file(path.display(), &error))
    }

    /// Compares the pictures after a draw; `None` if they agree.
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
                (self.draw(&self.side.capture, Some(StopAfter::Draw(draw)))?, other)
            }
            None => {
                let capture = self.trimmed(run, draw)?;
                let dump = files.folder.file("trimmed.ppdmp");
                self.write_dump(&dump, capture.clone(), notes)?;
                let other = self.other(&dump, draw, &picture)?;
                (self.draw(&capture, None)?, other)
            }
        };
        let options =
            CompareOptions { tolerance: self.tolerance, ..screen::options([own.size(), other.size()]) };
        let difference = compare::pictures(&own, &other, &options)
            .map_err(|error| Failure::inapplicable(self.input, "--renderer", error))?;
        let differs = difference.pixels_beyond_tolerance > 0;
        Ok(differs.then_some(FoundDraw { draw, pictures: [own, other], difference, runs: 0 }))
    }

    /// Draws a dump with the other renderer.
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

    /// Returns the run up to a draw.
    fn trimmed(&self, run: &mut Session, draw: u64) -> Result<Capture, Failure> {
        let last = run.timeline().event_of_draw(draw).map_or(EventNumber(0), |event| event.number);
        let options = TrimOptions { whole_vram: true };
        trim::trim(run, EventNumber(0)..=last, options)
            .map(|trimmed| trimmed.capture)
            .map_err(|error| Failure::input(self.input, "too-large", None, error))
    }

    /// Draws the screen.
    fn draw(&self, capture: &Capture, stop: Option<StopAfter>) -> Result<Picture, Failure> {
        let renderer = FrameRenderer {
            options: self.side.raster,
            limits: self.limits,
            stop,
            ..FrameRenderer::default()
        };
        let failure = |error: &dyn std::fmt::Display| Failure::inapplicable(self.input, "--renderer", error);
        let mut frame = renderer
            .render(capture, &[FrameBuffer::Display], &mut |_| {})
            .map_err(|error| failure(&error))?;
        let image = frame.images.pop().unwrap_or_default();
        Picture::from_image(image).map_err(|error| failure(&error))
    }
}
