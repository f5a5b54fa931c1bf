//! Looks at a run with all parts of the debugger: states, draws, pixels, passes, trimmed and reduced runs, differences.
//!
//! Used for damaged inputs. Every error is typed, so only a panic or an endless loop is a finding.

use pspge::debug::diff::first_difference::{Side, first_difference};
use pspge::debug::passes::dependency_recorder::{self, DependencyOptions};
use pspge::debug::pixel::history_recorder::{self, HistoryOptions};
use pspge::debug::reduce::{self, KeptArea, ReduceOptions};
use pspge::debug::trim::{self, TrimOptions};
use pspge::debug::{EventNumber, Session, SessionOptions};
use pspge::documents::diff::comparison::{Diff, DiffSide};
use pspge::documents::hashes::ContentHashes;
use pspge::documents::{DrawReportDocument, PassesDocument, StateDocument, TimelineDocument};
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::draw_set::DrawSet;
use pspge::ge::limits::Limits;
use pspge::ge::overrides::{Change, Override, Scope};
use pspge::raster::{RasterOptions, Rasterizer};

/// Trials of a reduction. Few are enough to reach each of its stages.
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
    let history = HistoryOptions { raster, limits: *limits };
    if let Ok(history) = history_recorder::record(capture.clone(), None, [9, 9], &history) {
        assert!(history.to_string().lines().count() >= 3, "a text");
    }
    let options = DependencyOptions { limits: *limits, ..DependencyOptions::default() };
    let passes = PassesDocument::new("input", &dependency_recorder::record(capture.clone(), &options));
    assert!(passes.to_dot().starts_with("digraph"), "a graph");
    let reduced = ReduceOptions { raster, limits: *limits, trials: TRIALS };
    let _ = reduce::reduce(capture.clone(), None, &KeptArea::Pixel([9, 9]), &reduced, &mut |_| {});
    compare(capture, limits);
}

/// Compares a run with itself, and with one that leaves out a draw.
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
        capture,
        raster: RasterOptions::default(),
    };
    let mut other = capture.clone();
    other.overrides.push(Override {
        text: "--skip 1".to_owned(),
        scope: Scope::draws(DrawSet::one(1)),
        texture: None,
        changes: vec![Change::Skip],
    });
    let diff = Diff::of_runs(&[side("a", capture.clone()), side("b", other)], limits);
    assert_eq!(diff.document.is_different, diff.document.event.is_some(), "{}", diff.document.text);
}
