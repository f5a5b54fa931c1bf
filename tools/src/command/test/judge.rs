//! Judges a case: every renderer's picture against its reference.

use std::path::Path;
use std::time::{Duration, Instant};

use pspge::Asset;
use pspge::compare::Picture;
use pspge::documents::judgement::{JudgementDocument, Outcome};
use pspge::documents::note::NoteInfo;
use pspge::documents::schema_id::SchemaId;
use pspge::ge::capture::SCREEN;
use pspge::pipeline::texture::content_hash::ContentHash;

use super::column::{Column, Renderer};
use super::comparison;
use super::drawing::{self, DrawOptions, Drawn};
use super::expectations::{Expectation, Expectations};
use super::references::Reference;
use super::requirement::Near;
use super::scenes;
use super::suite::{Case, Suite};
use crate::input::options::OpenOptions;
use crate::terminal::notes::Notes;

/// The code for a note on a renderer that draws the same case in different ways.
pub(super) const DRAWS_DIFFERENTLY: &str = "draws-differently";

pub(super) struct Judge<'a> {
    pub(super) suite: &'a Suite,
    pub(super) expectations: &'a Expectations,
    pub(super) near: Near,
    pub(super) open: &'a OpenOptions,
    /// How often another renderer may draw a failed case again.
    pub(super) retries: u32,
}

/// A case after its file was opened.
pub(super) struct OpenCase {
    /// The content, or why there is none.
    pub(super) asset: Result<Asset, String>,
    hash: Option<ContentHash>,
    notes: Vec<NoteInfo>,
    /// Whether the file holds something else than a display list or a model.
    is_other: bool,
}

/// A case's reference, read into memory.
pub(super) struct ReadReference {
    pub(super) picture: Option<Picture>,
    pub(super) depth: Option<Picture>,
}

/// A judgement, with the pictures it is about.
pub(super) struct Judged {
    pub(super) document: JudgementDocument,
    /// The picture, if the renderer drew it.
    pub(super) drawn: Option<Drawn>,
    /// The reference, if it could be read.
    pub(super) reference: Option<ReadReference>,
    /// How long this took, with all runs.
    pub(super) time: Duration,
}

impl Judged {
    /// Whether another run drew the same.
    fn is_drawn_as(&self, other: &Self) -> bool {
        let has_same_pictures = match (&self.drawn, &other.drawn) {
            (Some(drawn), Some(again)) => drawn.picture == again.picture && drawn.depth == again.depth,
            (drawn, again) => drawn.is_none() && again.is_none(),
        };
        has_same_pictures && self.document.outcome == other.document.outcome
    }
}

impl OpenCase {
    pub(super) fn new(case: &Case, options: &OpenOptions) -> Self {
        let failed =
            |problem: String, hash, is_other| Self { asset: Err(problem), hash, notes: Vec::new(), is_other };
        let bytes = match drawing::read(&case.path()) {
            Ok(bytes) => bytes,
            Err(problem) => return failed(problem, None, false),
        };
        let hash = Some(ContentHash::of(&bytes));
        let mut notes = Notes::of_batch();
        match options.open(&case.input, Some(bytes), &mut notes) {
            Ok((asset, _)) if asset.is_drawable() => {
                Self { asset: Ok(asset), hash, notes: notes.list.entries().to_vec(), is_other: false }
            }
            Ok((asset, _)) => failed(format!("{} holds no display list", asset.kind()), hash, true),
            Err(failure) => {
                let info = failure.as_error().map(|error| &error.info);
                let offset = info.and_then(|info| info.offset).map(|offset| format!("at {offset:#x}: "));
                let message = info.map_or("cannot be opened", |info| info.message.as_str());
                let is_unknown = info.is_some_and(|info| info.code == "unknown-format");
                failed(format!("{}{message}", offset.unwrap_or_default()), hash, is_unknown)
            }
        }
    }
}

impl Judge<'_> {
    /// Judges every renderer's picture of a case. Returns nothing if the file turns out to be no case.
    pub(super) fn judge(&self, case: &Case) -> Vec<Judged> {
        let opened = OpenCase::new(case, self.open);
        let has_reference = case.references.iter().any(|reference| !reference.is_none());
        if !case.is_certain && opened.asset.is_err() && (opened.is_other || !has_reference) {
            return Vec::new();
        }
        let columns = self.suite.columns.iter().zip(&case.references);
        columns.map(|(column, reference)| self.judge_column(case, &opened, column, reference)).collect()
    }

    /// Judges a single renderer's picture of a case. If another renderer fails, it draws again as often as the user
    /// allows.
    fn judge_column(&self, case: &Case, opened: &OpenCase, column: &Column, reference: &Reference) -> Judged {
        let began = Instant::now();
        let mut judged = self.judge_once(case, opened, column, reference);
        let is_wrong = |judged: &Judged| matches!(judged.document.outcome, Outcome::Failed | Outcome::Error);
        // This library draws the same each time.
        let retries = if column.command().is_some() { self.retries } else { 0 };
        let (mut runs, mut wrong, mut differs) = (1, u32::from(is_wrong(&judged)), false);
        while is_wrong(&judged) && runs <= retries {
            let again = self.judge_once(case, opened, column, reference);
            runs += 1;
            wrong += u32::from(is_wrong(&again));
            differs |= !judged.is_drawn_as(&again);
            judged = again;
        }
        if differs {
            let text = format!("draws differently when run again: {wrong} of {runs} runs are wrong");
            let document = &mut judged.document;
            document.notes.push(NoteInfo::new(DRAWS_DIFFERENTLY, &text));
            document.message = Some(match document.message.take() {
                Some(message) => format!("{message}; {text}"),
                None => text,
            });
        }
        judged.time = began.elapsed();
        judged
    }

    /// Judges a single renderer's picture of a case, with a single run.
    pub(super) fn judge_once(
        &self,
        case: &Case,
        opened: &OpenCase,
        column: &Column,
        reference: &Reference,
    ) -> Judged {
        let expectation = self.expectations.of(&case.name, &column.name);
        let path = |path: &Option<std::path::PathBuf>| path.as_deref().map(|path| self.below(path));
        let document = JudgementDocument {
            schema: SchemaId::new(),
            input: case.input.clone(),
            case: case.name.clone(),
            renderer: column.name.clone(),
            arithmetic: column.arithmetic().map(Into::into),
            outcome: Outcome::Passed,
            message: None,
            reference: path(&reference.picture),
            depth_reference: path(&reference.depth),
            picture: None,
            depth: None,
            measurements: Vec::new(),
            expectation: expectation.map(|expectation| expectation.info.clone()),
            explanation: None,
            facts: case.facts.clone(),
            file_hash: opened.hash,
            notes: opened.notes.clone(),
        };
        let mut judged = Judged { document, drawn: None, reference: None, time: Duration::ZERO };
        let (outcome, message) = if expectation.is_some_and(Expectation::skips) {
            (Outcome::Skipped, None)
        } else {
            match self.compare(case, opened, column, reference, &mut judged) {
                Ok(outcome) => outcome,
                // A missing picture may be expected, too.
                Err(problem) => match expectation {
                    Some(expectation) if expectation.allows_everything() => {
                        (Outcome::ExpectedFailure, Some(problem))
                    }
                    _ => (Outcome::Error, Some(problem)),
                },
            }
        };
        (judged.document.outcome, judged.document.message) = (outcome, message);
        judged
    }

    /// Draws, compares and decides.
    ///
    /// # Errors
    /// If picture or reference is missing; says why.
    fn compare(
        &self,
        case: &Case,
        opened: &OpenCase,
        column: &Column,
        reference: &Reference,
        judged: &mut Judged,
    ) -> Result<(Outcome, Option<String>), String> {
        if let Some(problem) = &case.missing {
            return Err(problem.clone());
        }
        let asset = opened.asset.as_ref().map_err(String::as_str);
        if let (Some(scene), Renderer::Own(arithmetic)) = (&case.measured, &column.renderer) {
            judged.document.measurements = scenes::measure(scene, asset?, *arithmetic, self.open.limits())?;
        }
        // The PSP's checksums are enough to judge this case, so no picture is needed.
        if reference.is_none() && !judged.document.measurements.is_empty() {
            return Ok(self.decide(case, column, &judged.document));
        }
        if reference.is_none() {
            // A damaged file is an error, whatever it could be compared with. An archive may hold something else.
            if let Err(problem) = asset
                && (!opened.is_other || !case.is_archive())
            {
                return Err(problem.to_owned());
            }
            if case.measured.is_some() {
                let problem =
                    "the PSP's results are checksums of memory, which another renderer does not show";
                return Ok((Outcome::WithoutReference, Some(problem.to_owned())));
            }
            let suffix = column.suffixes.iter().flatten().next().map(|suffix| format!(" '{suffix}'"));
            let problem = format!("there is no reference{}", suffix.unwrap_or_default());
            return if column.needs_reference {
                Err(problem)
            } else {
                Ok((Outcome::WithoutReference, Some(problem)))
            };
        }
        let read = ReadReference {
            picture: reference.picture.as_deref().map(comparison::read_picture).transpose()?,
            depth: reference.depth.as_deref().map(comparison::read_depth).transpose()?,
        };
        let options = self.draw_options(&read);
        let drawn = drawing::draw(&column.renderer, asset, &case.path(), &options)?;
        let document = &mut judged.document;
        document.notes.extend(drawn.notes.iter().cloned());
        let compare = |picture: &Picture, reference: &Picture, near: u16| {
            comparison::figures(picture, reference, near).map_err(|error| error.to_string())
        };
        if let Some(reference) = &read.picture {
            document.picture = Some(compare(&drawn.picture, reference, self.near.color)?);
        }
        match (&drawn.depth, &read.depth) {
            (Some(depth), Some(reference)) => {
                document.depth = Some(compare(depth, reference, self.near.depth)?);
            }
            (None, Some(_)) if column.command().is_none() => {
                return Err("there is no depth buffer".to_owned());
            }
            (None, Some(_)) => {
                let problem = "the depth buffer is not compared: the renderer's command has no {depth}";
                if read.picture.is_none() {
                    return Err(problem.to_owned());
                }
                document.notes.push(NoteInfo::new("depth-not-compared", problem));
            }
            (_, None) => {}
        }
        (judged.drawn, judged.reference) = (Some(drawn), Some(read));
        Ok(self.decide(case, column, &judged.document))
    }

    /// Returns how to draw a case to fit this reference.
    pub(super) fn draw_options(&self, reference: &ReadReference) -> DrawOptions {
        let size = |picture: &Option<Picture>| picture.as_ref().map(Picture::size);
        let depth_size = size(&reference.depth);
        DrawOptions {
            size: size(&reference.picture).unwrap_or(SCREEN),
            depth_size,
            limits: self.open.limits(),
            timeout: Duration::from_secs_f64(self.suite.timeout),
        }
    }

    /// Judges a difference, by requirement and expectation.
    fn decide(&self, case: &Case, column: &Column, judged: &JudgementDocument) -> (Outcome, Option<String>) {
        let (picture, depth) = (judged.picture.as_ref(), judged.depth.as_ref());
        // A checksum tells no distance, so it is equal or wrong, whatever the rule allows.
        let wrong: Vec<String> =
            judged.measurements.iter().filter(|result| !result.is_equal()).map(ToString::to_string).collect();
        let requirement = self.expectations.requirement(&case.name, &column.name, self.suite.requirement);
        let expectation = self.expectations.of(&case.name, &column.name);
        let is_identical =
            [picture, depth].into_iter().flatten().all(|figures| figures.differing_pixels == 0);
        let pictures = (!is_identical || wrong.is_empty()).then(|| comparison::text(picture, depth));
        let text = pictures.into_iter().chain(wrong.iter().cloned()).collect::<Vec<_>>().join(", ");
        let shown = (!is_identical || !wrong.is_empty()).then(|| text.clone());
        match (requirement.holds(picture, depth) && wrong.is_empty(), expectation) {
            (true, None) => (Outcome::Passed, shown),
            (true, Some(expectation)) => {
                let reason = &expectation.info.reason;
                (
                    Outcome::UnexpectedPass,
                    Some(format!("passes ({requirement}), but a failure is expected: {reason}")),
                )
            }
            (false, Some(expectation))
                if expectation.allows_everything()
                    || (wrong.is_empty() && expectation.allows(picture, depth)) =>
            {
                (Outcome::ExpectedFailure, shown)
            }
            (false, Some(expectation)) => {
                let allows = &expectation.info.allows;
                (Outcome::Failed, Some(format!("{text}; expected is {allows}")))
            }
            (false, None) => (Outcome::Failed, Some(text)),
        }
    }

    /// Shortens a path to its part below the folder of cases.
    fn below(&self, path: &Path) -> String {
        path.strip_prefix(&self.suite.folder).unwrap_or(path).display().to_string()
    }
}
