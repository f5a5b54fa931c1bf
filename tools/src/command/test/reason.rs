//! Explains a failure: the worst region, which events cover it, its worst pixel's history, and the first draw where
//! another renderer goes wrong.

use std::time::Duration;

use pspge::Asset;
use pspge::compare::{self, Picture, Tolerance};
use pspge::debug::{Shot, timeline};
use pspge::documents::diff::comparison::DiffSide;
use pspge::documents::judgement::{Divergence, Explanation, JudgementDocument, explain};
use pspge::ge::arithmetic::Arithmetic;
use pspge::run::sink::NullSink;

use super::column::{Column, Renderer};
use super::comparison;
use super::drawing::{self, DrawOptions};
use super::judge::{Judge, Judged, OpenCase};
use super::references::Reference;
use super::requirement::{Requirement, Tier};
use super::suite::Case;
use crate::renderer::command::RendererCommand;
use crate::renderer::search::Search;
use crate::terminal::notes::Notes;

/// Up to this difference in a channel, pictures count as equal for renderers that need only come close.
const CLOSE: u16 = 12;

impl Judge<'_> {
    /// Judges a failed case once more, to explain it, because the first judgement kept no pictures in memory.
    pub(super) fn explain(&self, case: &Case, column: &Column, reference: &Reference) -> JudgementDocument {
        let opened = OpenCase::new(case, self.open);
        let judged = self.judge_once(case, &opened, column, reference);
        let explanation = match &opened.asset {
            Ok(asset) => self.explanation(case, asset, column, &judged),
            Err(_) => None,
        };
        JudgementDocument { explanation, ..judged.document }
    }

    fn explanation(
        &self,
        case: &Case,
        asset: &Asset,
        column: &Column,
        judged: &Judged,
    ) -> Option<Explanation> {
        let (drawn, read) = (judged.drawn.as_ref()?, judged.reference.as_ref()?);
        let options = self.draw_options(read);
        let color = read.picture.as_ref().map(|reference| (&drawn.picture, reference, false));
        let depth = drawn.depth.as_ref().zip(read.depth.as_ref());
        let depth = depth.map(|(depth, reference)| (depth, reference, true));
        // Colours go first, because people see them.
        let worst = color.into_iter().chain(depth).find_map(|(picture, reference, is_depth)| {
            let options = comparison::options(picture, reference);
            let worst = compare::worst_region(picture, reference, &options).ok().flatten()?;
            Some((worst, picture.size(), is_depth))
        });
        let (worst, size, is_depth) = worst?;
        let own = OwnRun::new(asset, column, read.picture.as_ref(), &options);
        let shot = asset.shot(&options.spec(own.arithmetic)).ok()?;
        let surface = if is_depth { drawn.depth_surface.or(own.depth_surface) } else { None };
        let mut explanation = explain::explain(&shot, size, &worst, surface);
        if let Some(command) = column.command() {
            let side = DiffSide { input: case.input.clone(), name: case.input.clone(), shot };
            let requirement = self.expectations.requirement(&case.name, &column.name, self.suite.requirement);
            match self.divergence(&side, command, &options, requirement, &own) {
                Ok(divergence) => explanation.divergence = divergence,
                Err(problem) => explanation.notes.push(problem),
            }
            if own.arithmetic != Arithmetic::default() {
                let note =
                    "pspge's run is in single precision, because that picture is nearer to the reference";
                explanation.notes.push(note.to_owned());
            }
            if !own.is_exact {
                explanation.notes.push("pspge's own picture differs from the reference, too".to_owned());
            }
        }
        Some(explanation)
    }

    /// Finds the first draw after which the other renderer's picture differs from pspge's.
    fn divergence(
        &self,
        side: &DiffSide,
        command: &RendererCommand,
        options: &DrawOptions,
        requirement: Requirement,
        own: &OwnRun,
    ) -> Result<Option<Divergence>, String> {
        let tolerance = match requirement {
            Requirement::Tier(Tier::Exact) => 0,
            Requirement::Tier(Tier::Near) => self.near.color,
            Requirement::Tier(Tier::Area) | Requirement::MaxMse(_) => CLOSE,
        };
        let search = Search {
            input: &side.input,
            side,
            command,
            tolerance: Some(Tolerance([tolerance; 4])),
            timeout: options.timeout.max(Duration::from_millis(1)),
        };
        let found = search.run(&mut Notes::of_batch()).map_err(|failure| {
            let info = failure.as_error().map(|error| error.info.message.clone());
            format!("the draw was not found: {}", info.unwrap_or_default())
        })?;
        let Some(found) = found else { return Ok(None) };
        // The search returns only the draw's number, so a recording has to find the event.
        let DiffSide { shot: Shot { capture, limits, .. }, .. } = side;
        let (timeline, _) =
            timeline::record(&mut capture.clone(), side.shot.arithmetic(), &mut NullSink, limits);
        let event = timeline.event_of_draw(found.draw);
        Ok(Some(Divergence {
            draw: found.draw,
            event: event.map(|event| event.number),
            text: event.map_or_else(|| format!("draw {}", found.draw), ToString::to_string),
            runs: found.runs,
            is_own_exact: own.is_exact,
        }))
    }
}

/// pspge's own run of a case, in whichever arithmetic comes closer to the reference.
struct OwnRun {
    arithmetic: Arithmetic,
    is_exact: bool,
    depth_surface: Option<pspge::pipeline::framebuffer::DepthSurface>,
}

impl OwnRun {
    fn new(asset: &Asset, column: &Column, reference: Option<&Picture>, options: &DrawOptions) -> Self {
        let candidates: &[Arithmetic] = match &column.renderer {
            Renderer::Own(Arithmetic::Single) => &[Arithmetic::Single],
            Renderer::Own(_) => &[Arithmetic::Hardware],
            // Nobody says which arithmetic the other renderer has, so this tries both.
            Renderer::Command(_) => &[Arithmetic::Hardware, Arithmetic::Single],
        };
        let run = |arithmetic: &Arithmetic| {
            let drawn = drawing::draw_own(asset, *arithmetic, options).ok()?;
            let differing = reference.map_or(Some(0), |reference| {
                let figures = comparison::figures(&drawn.picture, reference, 0).ok()?;
                Some(figures.differing_pixels)
            });
            let depth_surface = drawn.depth_surface;
            Some((
                differing?,
                Self { arithmetic: *arithmetic, is_exact: differing == Some(0), depth_surface },
            ))
        };
        let best = candidates.iter().filter_map(run).min_by_key(|(differing, _)| *differing);
        best.map_or_else(
            || Self { arithmetic: Arithmetic::default(), is_exact: false, depth_surface: None },
            |(_, own)| own,
        )
    }
}
