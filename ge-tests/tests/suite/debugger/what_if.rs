//! Tries overrides on recorded frames: empty overrides must leave every byte as it is, and overrides for all draws
//! must really leave out all.
//!
//! To run these tests, set `PSPGE_CORPUS`. Without it they print a message and pass.

use ge_tests::{corpus, frames, input};
use pspge::ge::capture::Capture;
use pspge::ge::limits::Limits;
use pspge::ge::opcode::Opcode;
use pspge::ge::overrides::{Change, Override, Scope};
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::interpreter::Report;
use pspge::run::replay;
use pspge::run::sink::NullObserver;

fn captures() -> impl Iterator<Item = (String, Capture)> {
    corpus::folder("frames").into_iter().flat_map(|folder| frames::dumps(&folder)).map(|(name, path)| {
        let (capture, _) = input::frame_dump(&path.display().to_string(), &input::read(&path));
        (name, *capture)
    })
}

/// Runs a capture, and returns VRAM and the report.
fn run(capture: &Capture, changes: &[Change]) -> (Vec<u8>, Report) {
    let mut capture = capture.clone();
    if !changes.is_empty() {
        let (text, changes) = (String::new(), changes.to_vec());
        capture.overrides.push(Override { text, scope: Scope::all(), texture: None, changes });
    }
    let options = RasterOptions::default();
    let mut raster = Rasterizer::new(options);
    let report =
        replay::run(&mut capture, options.arithmetic, &mut raster, &mut NullObserver, &Limits::default())
            .report;
    (capture.memory.vram().to_vec(), report)
}

#[test]
fn overrides_that_change_nothing_change_no_byte() {
    let change = Change::Register { opcode: Opcode::FOGENABLE, mask: 0, bits: 0 };
    for (name, capture) in captures() {
        let (plain, mut report) = run(&capture, &[]);
        let (changed, overridden) = run(&capture, &[change]);
        assert!(plain == changed, "{name}: the same bytes");
        let events = report.draws + report.transfers;
        assert_eq!(overridden.overridden.iter().sum::<u64>(), events, "{name}: applied to all events");
        report.overridden.clone_from(&overridden.overridden);
        report.unused_overrides.clone_from(&overridden.unused_overrides);
        assert_eq!(report, overridden, "{name}: the same counts and notes");
    }
}

#[test]
fn skipped_draws_draw_nothing() {
    for (name, capture) in captures() {
        let (skipped, report) = run(&capture, &[Change::Skip]);
        let (_, plain) = run(&capture, &[]);
        assert_eq!(report.draws, plain.draws, "{name}: draws are counted");
        let mut undrawn = capture.clone();
        let limits = Limits::default();
        replay::run(
            &mut undrawn,
            RasterOptions::default().arithmetic,
            &mut pspge::run::sink::NullSink,
            &mut NullObserver,
            &limits,
        );
        let has_transfers = plain.transfers > 0;
        assert!(
            has_transfers || undrawn.memory.vram() == skipped.as_slice(),
            "{name}: as without a rasterizer"
        );
    }
}
