//! The check: a linter for display lists, frame dumps and models.
//!
//! This runs a list and reports mistakes: lists that do not end, data never written, draws without pixels and why
//! they have none, state without effect. Each finding has a [`Rule`] with a stable code, a [`Severity`], and a
//! place.
//!
//! ```
//! use pspge::check::{CheckOptions, Rule, check};
//!
//! let list = "BASE hi(.) | VTYPE position=BITS16 through=1 | VADDR lo(v)
//!             PRIM primitive=TRIANGLES count=3 | FINISH | END
//!             v: .s16 9 9 0  99 9 0  9 99 0";
//! let findings = check(&mut pspge::asm::assemble(list)?.capture(), &CheckOptions::default());
//! let scissor = findings.iter().find(|finding| finding.rule == Rule::EmptyScissor).expect("a finding");
//! println!("{scissor}");
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```
//!
//! # Invariants
//! A check changes no result, because it only observes commands and receives draws as the rasterizer does. Findings
//! depend only on the input and the options.
//!
//! # Severities
//! * Error: the hardware hangs, or the picture is certainly wrong.
//! * Warning: this is very likely a mistake. Recorded frames from games hardly have any.
//! * Hint: this has no effect, or is usual in games but worth a look.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod checker;
mod context;
mod coverage;
mod depth_views;
mod draw_count;
mod finding;
mod findings;
mod options;
mod pixel_test;
mod rows;
mod rule;
mod rule_sets;
mod rules;
mod scan;
mod severity;
mod stale;
mod stall;
mod subject;
mod supply;
mod texels;
mod trial;

pub use finding::{Finding, Place, TouchedPixels};
pub use options::CheckOptions;
pub use rule::{Machine, Rule};
pub use severity::Severity;

use checker::Checker;
use findings::Findings;

#[cfg(feature = "formats")]
use crate::formats::{Content, ppdmp::Dump};
use crate::ge::capture::{Capture, SCREEN};
use crate::ge::overrides::Overrides;
#[cfg(feature = "formats")]
use crate::model::{FileNote, FileNoteKind};
use crate::model::{Model, TextureSet};
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::interpreter::Ending;
use crate::run::replay;
use crate::scene::render::ModelRenderer;

/// Runs a capture and returns everything that the check found, in order of the commands. The capture's memory
/// receives all writes, as with [`replay::run`].
#[must_use]
pub fn check(capture: &mut Capture, options: &CheckOptions) -> Vec<Finding> {
    let checker = run(capture, options);
    checker.findings.finish(&capture.sources)
}

/// Checks a model: its file, its parts, and a run of its list with a camera.
///
/// Parts without texture are reported once for each material that has texture coordinates, not for each draw.
#[doc(hidden)]
#[must_use]
pub fn check_model(model: &Model, options: &CheckOptions) -> Vec<Finding> {
    let [width, height] = SCREEN;
    let renderer = ModelRenderer {
        camera: options.camera,
        width,
        height,
        background: ModelRenderer::BACKGROUND,
        options: RasterOptions { arithmetic: options.arithmetic, ..RasterOptions::default() },
        limits: options.limits,
        overrides: Overrides::default(),
    };
    let mut capture = renderer.capture(model);
    let mut checker = run(&mut capture, options);
    rule_sets::model_rules::check_notes(&model.notes, &mut checker.findings);
    rule_sets::model_rules::check(model, &checker.draws, &mut checker.findings);
    let mut findings = checker.findings.finish(&capture.sources);
    findings.retain(|finding| finding.rule != Rule::CoordinatesWithoutTexture);
    findings
}

/// Checks a file's textures, for files without a model.
#[doc(hidden)]
#[must_use]
pub fn check_textures(set: &TextureSet, options: &CheckOptions) -> Vec<Finding> {
    let mut findings = Findings::new(options.causes);
    rule_sets::model_rules::check_notes(&set.notes, &mut findings);
    for texture in &set.textures {
        rule_sets::model_rules::check_texture(texture, &mut findings);
    }
    findings.finish(&set.sources)
}

/// Checks a frame dump: its records, and a run of its capture.
#[doc(hidden)]
#[cfg(feature = "formats")]
#[must_use]
pub fn check_dump(dump: &Dump, capture: &mut Capture, options: &CheckOptions) -> Vec<Finding> {
    let mut checker = run(capture, options);
    rule_sets::dump_rules::check(dump, &mut checker.findings);
    checker.findings.finish(&capture.sources)
}

/// Checks an opened file's content. If it has no lists and textures, only its notes are reported.
///
/// ```
/// use pspge::check::{CheckOptions, check_content};
///
/// # let bytes = pspge::export::recorder::Recorder::new(
/// #     &pspge::asm::assemble("FINISH | END")?.capture(), *b"TEST00001", &pspge::Limits::default(),
/// # ).finish(&pspge::Registers::new()).ok_or("too large")?.to_bytes();
/// let opened = pspge::formats::open(&pspge::Request::new("frame.ppdmp", &bytes))?;
/// for finding in check_content(&opened.content, &CheckOptions::default()) {
///     println!("{finding}");
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(hidden)]
#[cfg(feature = "formats")]
#[must_use]
pub fn check_content(content: &Content, options: &CheckOptions) -> Vec<Finding> {
    match content {
        Content::Model(model) => check_model(model, options),
        Content::Textures(set) => check_textures(set, options),
        Content::Frame { capture, recording, notes } => {
            let mut capture = (**capture).clone();
            let mut checker = run(&mut capture, options);
            // The rules on records already report the other kinds of notes, which would otherwise appear twice.
            let is_own =
                |note: &&FileNote| !matches!(note.kind, FileNoteKind::LeftOut | FileNoteKind::Guessed);
            match recording.downcast_ref::<Dump>() {
                Some(dump) => {
                    rule_sets::model_rules::check_notes(notes.iter().filter(is_own), &mut checker.findings);
                    rule_sets::dump_rules::check(dump, &mut checker.findings);
                }
                None => rule_sets::model_rules::check_notes(notes, &mut checker.findings),
            }
            checker.findings.finish(&capture.sources)
        }
        Content::Skeleton { .. } | Content::Animations(_) | Content::Archive { .. } => {
            let mut findings = Findings::new(options.causes);
            rule_sets::model_rules::check_notes(content.notes(), &mut findings);
            findings.finish(&[])
        }
    }
}

/// Runs a capture and collects its findings.
fn run(capture: &mut Capture, options: &CheckOptions) -> Checker {
    let mut checker = Checker::new(capture, options);
    // With several threads, a draw's pixel count would be known only later.
    let arithmetic = options.arithmetic;
    let mut raster = Rasterizer::new(RasterOptions { arithmetic, threads: 1, ..RasterOptions::default() });
    let replayed = replay::run(capture, arithmetic, &mut raster, &mut checker, &options.limits);
    let is_complete = matches!(replayed.report.ending, Ending::Finished | Ending::Paused);
    checker.finish(is_complete);
    checker
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
