//! Keeps another renderer's fault: it draws each part of the run, to be compared with pspge's picture.
//!
//! # Invariants
//! Both renderers get the same frame dump. The other renderer runs twice for the whole run, twice for the result,
//! and at most once for each trial.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use pspge::compare::{self, CompareError, CompareOptions, Depth, Picture, Tolerance};
use pspge::debug::Shot;
use pspge::debug::reduce::{Fault, KeptArea};
use pspge::documents::reduction::{RendererFaultKind, RendererFaultReport};
use pspge::formats::{self, Content, Request};
use pspge::ge::capture::Capture;
use pspge::run::interpreter::Ending;
use pspge::scene::frame::{FrameBuffer, FrameRenderer};

use crate::input::frame_dump;
use crate::output::TemporaryFolder;
use crate::renderer::command::{RendererCommand, RendererFault, RendererRun};
use crate::renderer::screen;
use crate::terminal::failure::Failure;
use crate::terminal::notes::Notes;

/// How many times the renderer runs apart from the trials.
pub(super) const FIXED_RUNS: u32 = 4;

/// How to run and judge the renderer.
#[derive(Clone, Debug)]
pub(super) struct OtherOptions<'a> {
    pub(super) command: &'a RendererCommand,
    pub(super) tolerance: Option<Tolerance>,
    pub(super) timeout: Duration,
    /// The pixels that count; `None` for the whole screen.
    pub(super) area: Option<KeptArea>,
}

/// The other renderer, and its fault as the reduction goes on.
pub(super) struct OtherRenderer<'a> {
    input: &'a str,
    options: OtherOptions<'a>,
    /// How pspge draws.
    shot: Shot,
    folder: TemporaryFolder,
    /// The fault in the whole run.
    fault: Option<Wrong>,
    /// Whether pictures of the same dump differed.
    is_unstable: bool,
    runs: u32,
    /// Why the reduction ended early.
    failure: Option<Failure>,
}

/// How the renderer is wrong.
enum Wrong {
    /// These pixels differ.
    Pixels(Pixels),
    /// It leaves no picture.
    End(RendererFault),
}

/// A dump, with the picture that pspge draws from it.
struct Drawn {
    dump: PathBuf,
    own: Picture,
    /// The last draw's number.
    last: u64,
    is_finished: bool,
}

/// Pixels on the screen by row and column, so that the upper left comes first.
type Pixels = BTreeSet<[u32; 2]>;

type OtherPicture = Result<Picture, RendererFault>;

impl<'a> OtherRenderer<'a> {
    pub(super) fn new(input: &'a str, shot: &Shot, options: OtherOptions<'a>) -> Result<Self, Failure> {
        let folder = TemporaryFolder::new()?;
        let shot = shot.clone();
        Ok(Self { input, options, shot, folder, fault: None, is_unstable: false, runs: 0, failure: None })
    }

    pub(super) fn take_failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    /// Draws the result twice, and checks that it still has the fault.
    ///
    /// # Errors
    /// If a picture lacks the fault, or if the renderer cannot be run.
    pub(super) fn verify(&mut self, dump: &[u8], notes: &mut Notes) -> Result<RendererFaultReport, Failure> {
        let drawn = self.own(dump)?.ok_or_else(|| {
            Failure::input(self.input, "not-packable", None, "the reduced run cannot be read again")
        })?;
        let [first, second] = self.other_twice(&drawn)?;
        let reports = [&first, &second].map(|other| self.report(&drawn.own, other));
        let [Some(report), Some(_)] = reports else {
            return Err(self.unstable("the reduced dump does not have the fault in both of two runs"));
        };
        if self.is_unstable {
            let message = format!(
                "{} draws differently when run again: two pictures of the same dump differ",
                self.options.command.program()
            );
            notes.list.add("renderer-unstable", message);
        }
        notes.list.inform("renderer-differs", report.text.clone());
        Ok(report)
    }

    /// Describes the fault in a part of the run, or returns `None` if this part is drawn right.
    fn report(&self, own: &Picture, other: &OtherPicture) -> Option<RendererFaultReport> {
        let left = self.remaining(own, other)?;
        let (kind, text) = match (&self.fault, other) {
            (Some(Wrong::Pixels(before)), _) => {
                let counts = format!("{} of {} pixels still differ", left.len(), before.len());
                (RendererFaultKind::Picture, counts)
            }
            (_, Err(end)) => (kind(end), format!("the renderer still {}", end.text(self.options.timeout))),
            _ => return None,
        };
        let mut report = RendererFaultReport {
            command: self.options.command.text().to_owned(),
            kind,
            text,
            runs: self.runs,
            is_unstable: self.is_unstable,
            pixels: left.len() as u64,
            pixel: left.first().map(|[y, x]| [*x, *y]),
            own: None,
            other: None,
        };
        if let (Some(at), Ok(other)) = (report.pixel, other)
            && let Some((own, other)) = rgb8(own, at).zip(rgb8(other, at))
        {
            let ([x, y], [here, there]) = (at, [own, other].map(hex));
            report.text += &format!("; pixel {x},{y} is {here} here and {there} there");
            (report.own, report.other) = (Some(own), Some(other));
        }
        Some(report)
    }

    fn unstable(&self, problem: &str) -> Failure {
        let problem = format_args!("draws differently when run again: {problem}").to_string();
        Failure::file_problem(self.options.command.program(), "renderer", problem)
    }

    /// Writes a part of the run as a dump, and draws it. Returns `None` if it cannot be a dump.
    fn part(&self, part: &Capture) -> Result<Option<Drawn>, Failure> {
        let shot = self.shot.clone().with_capture(part.clone());
        // Notes on a part say nothing about the run.
        match frame_dump::record(self.input, shot, &mut Notes::default()) {
            Ok(recorded) => self.own(&recorded.dump.to_bytes()),
            Err(_) => Ok(None),
        }
    }

    /// Writes a dump's bytes to a file, and draws it with pspge. Returns `None` if it cannot be read again.
    fn own(&self, bytes: &[u8]) -> Result<Option<Drawn>, Failure> {
        let dump = self.folder.file("reduced.ppdmp");
        std::fs::write(&dump, bytes).map_err(|error| Failure::file(dump.display(), &error))?;
        let opened = formats::open(&Request::new("reduced", bytes));
        let Ok(Content::Frame { capture, .. }) = opened.map(|opened| opened.content) else { return Ok(None) };
        let renderer =
            FrameRenderer { options: self.shot.raster, limits: self.shot.limits, ..FrameRenderer::default() };
        let Ok(frame) = renderer.render(&capture, &[FrameBuffer::Display], &mut |_| {}) else {
            return Ok(None);
        };
        let last = frame.run.report.draws.saturating_sub(1);
        let is_finished = frame.run.report.ending == Ending::Finished;
        let own = frame.rgb_images().next().and_then(|image| Picture::from_image(image).ok());
        Ok(own.map(|own| Drawn { dump, own, last, is_finished }))
    }

    fn other(&mut self, drawn: &Drawn) -> Result<OtherPicture, Failure> {
        self.runs = self.runs.saturating_add(1);
        let picture = self.folder.file("picture.png");
        let timeout = self.options.timeout;
        let run =
            RendererRun { dump: &drawn.dump, until: drawn.last, picture: &picture, depth: None, timeout };
        match self.options.command.draw(&run) {
            Err(RendererFault::System(failure)) => Err(failure),
            picture => Ok(picture),
        }
    }

    /// Draws a dump twice, and notices if the results differ.
    fn other_twice(&mut self, drawn: &Drawn) -> Result<[OtherPicture; 2], Failure> {
        let pictures = [self.other(drawn)?, self.other(drawn)?];
        self.is_unstable |= match &pictures {
            [Ok(first), Ok(second)] => first != second,
            [Err(first), Err(second)] => !is_same_end(first, second),
            _ => true,
        };
        Ok(pictures)
    }

    /// Lists the pixels that count and differ.
    fn differing(&self, own: &Picture, other: &Picture) -> Result<Pixels, CompareError> {
        let sizes = [own.size(), other.size()];
        let options = CompareOptions { tolerance: self.options.tolerance, ..screen::options(sizes) };
        let counts = |at: &[u32; 2]| self.options.area.as_ref().is_none_or(|area| area.contains(*at));
        let pixels = compare::differing_pixels(own, other, &options)?.into_iter().filter(counts);
        Ok(pixels.map(|[x, y]| [y, x]).collect())
    }

    /// Returns the pixels that show the fault in a part of the run, or none if it shows elsewhere. Returns `None` if
    /// this part is drawn right.
    fn remaining(&self, own: &Picture, other: &OtherPicture) -> Option<Pixels> {
        match (self.fault.as_ref()?, other) {
            (Wrong::Pixels(before), Ok(other)) => {
                // A picture of another size shows something else.
                let left = before & &self.differing(own, other).ok()?;
                (!left.is_empty()).then_some(left)
            }
            (Wrong::End(before), Err(end)) => is_same_end(before, end).then(Pixels::new),
            _ => None,
        }
    }

    /// Finds the fault in the whole run. Returns `None` if both renderers agree.
    fn find_in(&mut self, whole: &Capture) -> Result<Option<Vec<[u32; 2]>>, Failure> {
        let Some(drawn) = self.part(whole)? else {
            return Err(Failure::input(
                self.input,
                "not-packable",
                None,
                "the run does not fit into a frame dump",
            ));
        };
        let pictures = self.other_twice(&drawn)?;
        let (fault, pixels) = match pictures {
            [Ok(first), Ok(second)] => {
                let differing = |other: &Picture| {
                    let found = self.differing(&drawn.own, other);
                    found.map_err(|error| Failure::inapplicable(self.input, "--renderer", error))
                };
                let (first, second) = (differing(&first)?, differing(&second)?);
                let both = &first & &second;
                if both.is_empty() {
                    let is_wrong_once = !first.is_empty() || !second.is_empty();
                    let problem = "no pixel differs in both of its pictures";
                    return if is_wrong_once { Err(self.unstable(problem)) } else { Ok(None) };
                }
                let pixels = both.iter().map(|[y, x]| [*x, *y]).collect();
                (Wrong::Pixels(both), pixels)
            }
            [Err(first), Err(second)] if is_same_end(&first, &second) => (Wrong::End(first), Vec::new()),
            pictures => {
                let [first, second] = pictures.map(|picture| match picture {
                    Ok(_) => "drew a picture".to_owned(),
                    Err(end) => end.text(self.options.timeout),
                });
                return Err(self.unstable(&format!("it first {first}, then {second}")));
            }
        };
        self.fault = Some(fault);
        Ok(Some(pixels))
    }

    fn part_remains(&mut self, part: &Capture) -> Result<bool, Failure> {
        let Some(drawn) = self.part(part)?.filter(|drawn| drawn.is_finished) else { return Ok(false) };
        let other = self.other(&drawn)?;
        Ok(self.remaining(&drawn.own, &other).is_some())
    }
}

impl Fault for OtherRenderer<'_> {
    fn find(&mut self, whole: &Capture) -> Option<Vec<[u32; 2]>> {
        match self.find_in(whole) {
            Ok(pixels) => pixels,
            Err(failure) => {
                self.failure = Some(failure);
                None
            }
        }
    }

    fn remains(&mut self, part: &Capture) -> Option<bool> {
        match self.part_remains(part) {
            Ok(remains) => Some(remains),
            Err(failure) => {
                self.failure = Some(failure);
                None
            }
        }
    }
}

/// Whether two runs failed in the same way. Messages are ignored, because they may hold numbers and paths.
fn is_same_end(first: &RendererFault, second: &RendererFault) -> bool {
    match (first, second) {
        (RendererFault::Crashed(first, _), RendererFault::Crashed(second, _)) => first == second,
        _ => kind(first) == kind(second),
    }
}

const fn kind(end: &RendererFault) -> RendererFaultKind {
    match end {
        RendererFault::TimedOut => RendererFaultKind::TimedOut,
        RendererFault::NoPicture(_) => RendererFaultKind::NoPicture,
        RendererFault::BadPicture(_) => RendererFaultKind::BadPicture,
        RendererFault::Crashed(..) | RendererFault::System(_) => RendererFaultKind::Crashed,
    }
}

/// Returns a pixel's colour with 8 bits for each channel.
fn rgb8(picture: &Picture, [x, y]: [u32; 2]) -> Option<[u8; 3]> {
    let [red, green, blue, _] = picture.pixel(x, y)?;
    let shift = if picture.depth() == Depth::Sixteen { 8 } else { 0 };
    Some([red, green, blue].map(|sample| u8::try_from(sample >> shift).unwrap_or(u8::MAX)))
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
