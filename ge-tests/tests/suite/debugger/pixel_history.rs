//! Checks pixel histories: they must end with the drawn value, both engines must agree, and a run without the last
//! writer must show the value before it.
//!
//! To run most of these tests, set `PSPGE_CORPUS`. Without it, they print a message and pass. `PSPGE_PIXELS` sets how
//! many pixels to check in each dump.

use std::path::PathBuf;

use ge_tests::generate::Random;
use ge_tests::random_list::{self, Kind, RandomList};
use ge_tests::{frames, input, long_checks};
use pspge::debug::Shot;
use pspge::debug::pixel::history::PixelHistory;
use pspge::debug::pixel::target::TargetName;
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::Limits;
use pspge::ge::memory::Memory;
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::raster::fragment_record::TestName;
use pspge::raster::{Engine, RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::{NullObserver, Sink};

/// Pixels per dump in the long checks, unless the environment says otherwise.
const PIXELS: u64 = 8;

/// Leaves out a single draw.
struct Skip {
    inner: Rasterizer,
    number: u64,
}

impl Sink for Skip {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        if draw.number != self.number {
            self.inner.draw(memory, draw);
        }
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        if draw.number != self.number {
            self.inner.draw_immediate(memory, draw);
        }
    }

    pspge::run::sink::forward_flushes!(inner);
    pspge::run::sink::forward_limits!(inner);
}

fn options(arithmetic: Arithmetic, engine: Engine) -> RasterOptions {
    RasterOptions { arithmetic, engine, ..RasterOptions::default() }
}

/// Returns memory after a run without the draw with this number.
fn rendered(capture: &Capture, arithmetic: Arithmetic, skipped: Option<u64>) -> Memory {
    let mut capture = capture.clone();
    let inner = Rasterizer::new(options(arithmetic, Engine::Fast));
    let mut sink = Skip { inner, number: skipped.unwrap_or(u64::MAX) };
    replay::run(&mut capture, arithmetic, &mut sink, &mut NullObserver, &Limits::default());
    capture.memory
}

fn history(capture: &Capture, at: [u32; 2], arithmetic: Arithmetic, engine: Engine) -> PixelHistory {
    let shot = Shot::new(capture.clone()).with_raster(options(arithmetic, engine));
    shot.history(None, at).expect("the pixel is inside")
}

/// Reads a history's pixel as a little-endian number.
fn pixel(history: &PixelHistory, memory: &Memory) -> u32 {
    match history.target.format.number() {
        3 => memory.read_u32(history.address),
        _ => memory.read_u16(history.address).into(),
    }
}

/// Opens the dumps in the corpus, with random positions on the screen.
fn dumps() -> impl Iterator<Item = (PathBuf, Capture, Vec<[u32; 2]>)> {
    let count = std::env::var("PSPGE_PIXELS").ok().and_then(|text| text.parse().ok());
    let count = count.unwrap_or_else(|| long_checks::rounds(PIXELS));
    let mut random = Random::new(19);
    frames::sampled_dumps(1).map(move |path| {
        let (capture, _) = input::frame_dump(&path.display().to_string(), &input::read(&path));
        let positions = (0..count).map(|_| [random.below(480), random.below(272)]).collect();
        (path, *capture, positions)
    })
}

#[test]
fn histories_end_with_the_drawn_value() {
    for (path, capture, positions) in dumps() {
        for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
            let memory = rendered(&capture, arithmetic, None);
            for (number, at) in positions.iter().enumerate() {
                if number % 2 == usize::from(arithmetic == Arithmetic::Hardware) {
                    continue;
                }
                let history = history(&capture, *at, arithmetic, Engine::Fast);
                let name = format!("{} at {at:?}, {arithmetic:?}", path.display());
                assert_eq!(history.last, pixel(&history, &memory), "{name}: the rendered value");
                let mut value = history.first;
                for entry in &history.entries {
                    let number = entry.event.number;
                    assert!(entry.agrees, "{name}, event {number}: explained as drawn\n{history}");
                    assert_eq!(entry.before, value, "{name}, event {number}: as the entry before left it");
                    value = entry.after;
                }
                assert_eq!(value, history.last, "{name}: no other event changed it\n{history}");
            }
        }
    }
}

/// Without the last writer, this pixel must have the value before it. Only a later fragment that failed the depth or
/// the stencil test can change this, because the last writer had left the depth or stencil to stop it.
#[test]
fn last_writers_make_the_value() {
    let (mut exact, mut hidden, mut equal) = (0, 0, 0);
    for (path, capture, positions) in dumps() {
        for at in positions {
            let history = history(&capture, at, Arithmetic::Hardware, Engine::Fast);
            let Some(writer) = history.last_writer() else { continue };
            let Some(draw) = writer.event.draw_number() else { continue };
            let later = history.entries.iter().filter(|entry| entry.event.number > writer.event.number);
            let was_hidden = later.flat_map(|entry| entry.fragments()).any(|fragment| {
                let failed = fragment.record.failed_test().map(|test| test.test);
                matches!(failed, Some(TestName::Depth | TestName::Stencil))
            });
            let without = pixel(&history, &rendered(&capture, Arithmetic::Hardware, Some(draw)));
            let name = format!("{} at {at:?} without draw {draw}", path.display());
            assert!(without == writer.before || was_hidden, "{name}: {without:#x}\n{history}");
            match (writer.before == writer.after, without == writer.before) {
                (true, _) => equal += 1,
                (false, true) => exact += 1,
                (false, false) => hidden += 1,
            }
        }
    }
    eprintln!("{exact} pixels fall back to the value before, {hidden} to another, {equal} were equal before");
}

#[test]
fn engines_agree_on_histories() {
    for (path, capture, positions) in dumps() {
        for at in positions.into_iter().take(1) {
            let [fast, reference] = [Engine::Fast, Engine::Reference]
                .map(|engine| history(&capture, at, Arithmetic::Hardware, engine));
            assert_eq!(fast.entries, reference.entries, "{} at {at:?}", path.display());
        }
    }
}

/// How many lists to try for each kind.
const LISTS: u64 = 16;

/// Checks histories for random lists, at a colour and a depth, over noise.
#[test]
fn histories_of_random_lists_agree() {
    let mut memory = Memory::default();
    let mut noise = Random::new(0);
    memory.write(random_list::TEXELS, &noise.bytes(0x1_0000));
    memory.write(Address::new(0x0400_0000), &noise.bytes(0x20_0000));
    let depth: [TargetName; 2] =
        ["0x04710000,128,BGR5650", "0x04310000,128,BGR5650"].map(|name| name.parse().expect("a target"));
    let mut fragments = 0;
    for kind in Kind::ALL {
        for seed in 0..LISTS {
            let capture = RandomList::new(kind, seed).capture(memory.clone());
            let arithmetic = if seed % 4 == 3 { Arithmetic::Single } else { Arithmetic::Hardware };
            let rendered = rendered(&capture, arithmetic, None);
            for target in [None, Some(depth[0]), Some(depth[1])] {
                let at = [noise.below(128), noise.below(100)];
                let [fast, reference] = [Engine::Fast, Engine::Reference].map(|engine| {
                    let shot = Shot::new(capture.clone()).with_raster(options(arithmetic, engine));
                    shot.history(target, at).expect("inside")
                });
                let name = format!("{kind:?}, seed {seed}, {at:?} of {}", fast.target);
                assert_eq!(fast.last, pixel(&fast, &rendered), "{name}: the rendered value");
                assert_eq!(fast.entries, reference.entries, "{name}: both engines");
                assert!(fast.entries.iter().all(|entry| entry.agrees), "{name}: explained as drawn\n{fast}");
                fragments += fast.entries.iter().map(|entry| entry.fragments().len()).sum::<usize>();
            }
        }
    }
    assert!(fragments > 100, "only {fragments} fragments");
}
