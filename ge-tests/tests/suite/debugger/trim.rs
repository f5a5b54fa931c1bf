//! Trims dumps: each must replay alone to the same pixels as the whole run has after the last draw in the range.
//!
//! For the part with recorded frames, set `PSPGE_CORPUS`. Without it, this part prints a message and passes.
//! `PSPGE_TRIMS` sets how many ranges to try in each dump.

use std::ops::ControlFlow;
use std::path::Path;

use ge_tests::case::{self, Case};
use ge_tests::damage::count_parallel;
use ge_tests::generate::Random;
use ge_tests::random_list::{self, Kind, RandomList};
use ge_tests::trimmed::check;
use ge_tests::{corpus, frames, input};
use pspge::asm;
use pspge::debug::{EventNumber, Session, SessionOptions};
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::Limits;
use pspge::ge::memory::Memory;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::Step;

/// Ranges per dump, unless the environment says otherwise.
const RANGES: u32 = 2;
/// How many single events to try in each list.
const EVENTS: usize = 12;

fn session(capture: Capture, arithmetic: Arithmetic) -> Session {
    let raster = RasterOptions { arithmetic, ..RasterOptions::default() };
    Session::open(capture, SessionOptions { raster, ..SessionOptions::default() })
}

/// Returns memory after a run to a draw.
fn plain_run(capture: &Capture, last: u64, arithmetic: Arithmetic) -> Memory {
    let mut capture = capture.clone();
    let mut stop = |_: &Memory, step: &Step<'_>| {
        if step.draws > last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = RasterOptions { arithmetic, ..RasterOptions::default() };
    replay::run(&mut capture, arithmetic, &mut Rasterizer::new(options), &mut stop, &Limits::default());
    capture.memory
}

/// Trims a dump to some ranges and returns how many pixels were compared.
fn check_dump(path: &Path, ranges: u32) -> usize {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let (capture, _) = input::frame_dump(&name, &input::read(path));
    let arithmetic = if name.len().is_multiple_of(2) { Arithmetic::Hardware } else { Arithmetic::Single };
    let mut session = session(Capture::clone(&capture), arithmetic);
    let draws = u32::try_from(session.timeline().draws()).expect("few");
    let mut random = Random::new(0x7817 + u64::from(draws));
    let mut pixels = 0;
    for number in 0..ranges {
        let first = random.below(draws);
        // Make half of them single draws.
        let last = (first + if number % 2 == 0 { 0 } else { random.below(8) }).min(draws - 1);
        let context = format!("{name}, {arithmetic:?}, draws {first}-{last}");
        let event = |draw: u32| session.timeline().event_of_draw(draw.into()).expect("it exists").number;
        let events = event(first)..=event(last);
        let checked = check(&mut session, events, &context);
        assert_eq!(checked.trimmed.notes, [], "{context}");
        if number == 0 {
            let same = plain_run(&capture, last.into(), arithmetic).vram() == session.memory().vram();
            assert!(same, "{context}: the session is after the last draw");
        }
        pixels += checked.pixels;
    }
    pixels
}

#[test]
fn trimmed_dumps_replay_to_the_same_pixels() {
    let Some(folder) = corpus::folder("frames") else { return };
    let ranges = std::env::var("PSPGE_TRIMS").ok().and_then(|text| text.parse().ok()).unwrap_or(RANGES);
    let dumps: Vec<_> = frames::dumps(&folder).into_values().collect();
    let drawn = count_parallel(dumps.len(), |number| check_dump(&dumps[number], ranges) > 0);
    assert!(drawn * 2 > dumps.len(), "dumps whose draws have pixels: {drawn} of {}", dumps.len());
}

/// Trims a list to all its events, and to some events alone. Returns how many pixels were compared.
fn check_list(name: &str, mut session: Session) -> usize {
    let Some(last) = session.end().0.checked_sub(1) else { return 0 };
    let mut pixels = check(&mut session, EventNumber(0)..=EventNumber(last), &format!("{name}, all")).pixels;
    let step = (last as usize / EVENTS).max(1);
    for event in (0..=last).step_by(step).map(EventNumber) {
        pixels += check(&mut session, event..=event, &format!("{name}, event {event}")).pixels;
    }
    pixels
}

/// Trims the lists from the conformance cases, because they cover calls, jumps, signals, box tests, immediate
/// vertices, patches, continued strips, several targets, block transfers.
#[test]
fn trimmed_lists_replay_to_the_same_pixels() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let names = case::names(&root).expect("the cases");
    let drawn = count_parallel(names.len(), |number| {
        let name = &names[number];
        let case = Case::read(&root, name).expect("a case");
        // Skip programs for tables, because they have parameters.
        let Ok(program) = asm::assemble(&case.program) else { return false };
        check_list(name, session(program.capture(), Arithmetic::Hardware)) > 0
    });
    assert!(drawn >= 20, "lists with pixels: {drawn} of {}", names.len());
}

#[test]
fn trimmed_random_lists_replay_to_the_same_pixels() {
    let drawn = count_parallel(Kind::ALL.len() * 4, |number| {
        let (kind, seed) = (Kind::ALL[number / 4], number as u64 % 4);
        let mut memory = Memory::default();
        let mut random = Random::new(seed);
        let texels: Vec<u8> = (0..0x1_0000).map(|_| random.below(256).to_le_bytes()[0]).collect();
        memory.write(random_list::TEXELS, &texels);
        memory.write(Address::vram(0), &texels);
        let capture = RandomList::new(kind, seed).capture(memory);
        let arithmetic = if seed % 2 == 0 { Arithmetic::Hardware } else { Arithmetic::Single };
        check_list(&format!("{kind:?} {seed}"), session(capture, arithmetic)) > 0
    });
    assert!(drawn >= Kind::ALL.len(), "lists with pixels: {drawn}");
}
