//! Reduces dumps: each result must keep a pixel's value with a small part of the commands.
//!
//! To run this test, set `PSPGE_CORPUS`. Without it, this test prints a message and passes. `PSPGE_REDUCTIONS` sets
//! how many dumps to reduce.

use ge_tests::damage::count_parallel;
use ge_tests::{corpus, frames, input};
use pspge::debug::Shot;
use pspge::debug::reduce::{self, KeptArea, TRIALS};
use pspge::export::recorder;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limits;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::NullObserver;

/// Dumps to reduce, each with a pixel touched by several draws.
const DUMPS: [(&str, [u32; 2]); 5] = [
    ("taiko-no-tatsujin", [240, 136]),
    ("hot-pixel", [200, 100]),
    ("locoroco-tropuca", [300, 180]),
    ("wall-e", [150, 200]),
    ("monster-hunter-3rd", [240, 150]),
];
/// How many dumps to reduce, unless the environment says otherwise.
const COUNT: usize = 2;

#[test]
fn reduced_dumps_keep_a_pixel_with_few_commands() {
    let Some(folder) = corpus::folder("frames") else { return };
    let count = std::env::var("PSPGE_REDUCTIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(COUNT);
    let dumps = frames::dumps(&folder);
    let chosen: Vec<_> = DUMPS.iter().take(count).collect();
    count_parallel(chosen.len(), |number| {
        let (name, pixel) = chosen[number];
        let (capture, _) = input::frame_dump(name, &input::read(&dumps[*name]));
        let started = std::time::Instant::now();
        let reduced =
            reduce::reduce(Shot::new(*capture), None, &KeptArea::Pixel(*pixel), TRIALS, &mut |_| {})
                .unwrap_or_else(|error| panic!("{name}: {error}"));
        let arithmetic = Arithmetic::Hardware;
        let recorded = recorder::record(reduced.capture, *b"TEST00001", arithmetic, &Limits::default())
            .unwrap_or_else(|| panic!("{name}: small enough"));
        let bytes = recorded.dump.to_bytes();
        let (mut copy, _) = input::frame_dump(name, &bytes);
        let mut raster = Rasterizer::new(RasterOptions::default());
        let run = replay::run(&mut copy, arithmetic, &mut raster, &mut NullObserver, &Limits::default());
        assert_eq!(reduced.kept.first_lost(&copy.memory), None, "{name}: the pixel is kept");
        let commands = [run.report.commands, reduced.before.commands];
        eprintln!(
            "{name}: {} of {} commands, {} of {} draws, {} registers, {} of {} bytes, {} bytes of the file, {} \
             trials, {:?}",
            commands[0],
            commands[1],
            reduced.after.draws,
            reduced.before.draws,
            reduced.after.registers,
            reduced.after.bytes,
            reduced.before.bytes,
            bytes.len(),
            reduced.trials,
            started.elapsed()
        );
        assert!(commands[0] * 20 < commands[1], "{name}: {commands:?} commands");
        assert!(!reduced.is_unfinished, "{name}: {} trials", reduced.trials);
        true
    });
}
