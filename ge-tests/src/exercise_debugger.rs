//! Looks at a run with the whole debugger: states, draws, pixels, passes, trimmed and reduced runs, differences.
//!
//! This is for damaged inputs. Every error is typed, so only a panic or an endless loop is a finding.

use pspge::debug::diff::first_difference::{Side, first_difference};
use pspge::debug::reduce::{self, KeptArea};
use pspge::debug::trim::{self, TrimOptions};
use pspge::debug::{EventNumber, Session, SessionOptions, Shot};
use pspge::documents::diff::comparison::{Diff, DiffSide};
use pspge::documents::hashes::ContentHashes;
use pspge::documents::{DrawReportDocument, PassesDocument, StateDocument, TimelineDocument};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::draw_set::DrawSet;
use pspge::ge::limits::Limits;
use pspge::ge::overrides::{Change, Override, Scope};
use pspge::raster::{RasterOptions, Rasterizer};

/// How many trials a reduction may make. A few are enough to reach every stage.
const TRIALS: u32 = 8;

/// Looks at a capture in every way.
///
/// # Panics
/// If the library has a bug.
pub fn capture(capture: &Capture, limits: &Limits) {
    let raster = RasterOptions::default();
    let options = SessionOptions { raster, limits: *limits, ..SessionOptions::default() };
    let mut run = Session::open(capture.clone(), options);
    let end = run.end();
    assert!(TimelineDocument::new("input", &run).events.len() == end.0 as usize, "one entry for each event");
    let mut hashes = ContentHashes::new(limits);
    for event in [end.0, end.0 / 2, 0].map(EventNumber) {
        let state = StateDocument::new("input", &mut run, event, &mut hashes);
        assert!(state.is_ok(), "event {event} of {end} exists");
        let _ = DrawReportDocument::new("input", &mut run, event, &mut hashes);
    }
    let _ = trim::trim(&mut run, EventNumber(end.0 / 3)..=EventNumber(end.0 / 2), TrimOptions::default());
    let shot = Shot::new(capture.clone()).with_raster(raster).with_limits(*limits);
    if let Ok(history) = shot.history(None, [9, 9]) {
        assert!(history.to_string().lines().count() >= 3, "a text");
    }
    let passes = PassesDocument::new("input", &shot.dependencies(None));
    assert!(passes.to_dot().starts_with("digraph"), "a graph");
    let _ = reduce::reduce(shot, None, &KeptArea::Pixel([9, 9]), TRIALS, &mut |_| {});
    compare(capture, limits);
}

/// Compares a run with itself, and with a run that leaves out a draw.
fn compare(capture: &Capture, limits: &Limits) {
    let (mut a, mut b) = (Rasterizer::default(), Rasterizer::default());
    let side = |sink| Side { capture: capture.clone(), arithmetic: Arithmetic::Hardware, sink };
    assert_eq!(
        first_difference(side(&mut a), side(&mut b), limits),
        None,
        "a run does not differ from itself"
    );
    let side = |name: &str, capture| DiffSide {
        input: "input".to_owned(),
        name: name.to_owned(),
        shot: Shot::new(capture).with_limits(*limits),
    };
    let mut other = capture.clone();
    other.overrides.push(Override {
        text: "--skip 1".to_owned(),
        scope: Scope::draws(DrawSet::one(1)),
        texture: None,
        changes: vec![Change::Skip],
    });
    let diff = Diff::of_runs(&[side("a", capture.clone()), side("b", other)]);
    assert_eq!(diff.document.is_different, diff.document.event.is_some(), "{}", diff.document.text);
}
