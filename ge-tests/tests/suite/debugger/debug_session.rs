//! Compares the debugger's session with plain runs to the same place: memory and registers must be equal.
//!
//! To check recorded frames, set `PSPGE_CORPUS`. Without it these tests print a message and pass. To measure how long
//! a seek takes, run the benchmark `seek`.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ge_tests::generate::Random;
use ge_tests::{frames, input};
use pspge::debug::timeline::EventKind;
use pspge::debug::{EventNumber, Session, SessionOptions, TimelineEvent};
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::limits::Limits;
use pspge::ge::memory::Memory;
use pspge::ge::registers::Registers;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::Step;

/// All memory within a dump's reach.
const MEMORY: [(Address, usize); 3] = [
    (Address::new(0x0800_0000), 64 << 20),
    (Address::new(0x0400_0000), 2 << 20),
    (Address::new(0x0001_0000), 16 << 10),
];

fn dumps() -> Vec<PathBuf> {
    frames::sampled_dumps(0).collect()
}

fn open(path: &Path) -> Capture {
    *input::frame_dump(&path.display().to_string(), &input::read(path)).0
}

/// Runs a capture up to an event, or to its end, without checkpoints.
fn run_until(
    capture: &Capture,
    event: Option<&TimelineEvent>,
    options: RasterOptions,
) -> (Memory, Registers) {
    let mut capture = capture.clone();
    if let Some(TimelineEvent { kind: EventKind::Cpu(cpu), .. }) = event {
        capture.events.truncate(cpu.record as usize);
    }
    let stop = event.map_or(u64::MAX, |event| event.command);
    let mut observer = |_: &Memory, step: &Step<'_>| {
        if step.number >= stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (arithmetic, limits) = (options.arithmetic, Limits::default());
    let run = replay::run(&mut capture, arithmetic, &mut Rasterizer::new(options), &mut observer, &limits);
    (capture.memory, run.registers)
}

/// Compares a session's state with a plain run to the same place.
fn assert_same(capture: &Capture, session: &Session, context: &str) {
    let options = session.options().raster;
    let (memory, registers) = run_until(capture, session.next_event(), options);
    assert!(registers == *session.registers(), "registers {context}");
    for (start, length) in MEMORY {
        let same = memory.slice(start, length) == session.memory().slice(start, length);
        assert!(same, "memory from {start} on {context}");
    }
    assert_eq!(memory.translation(), session.memory().translation(), "translation {context}");
}

#[test]
fn every_moment_equals_a_run_that_stops_there() {
    let mut random = Random::new(19);
    for (number, path) in dumps().iter().enumerate() {
        let capture = open(path);
        let arithmetic = if number % 2 == 0 { Arithmetic::Hardware } else { Arithmetic::Single };
        let threads = [1, 2, 4][number % 3];
        let raster = RasterOptions { arithmetic, threads, ..RasterOptions::default() };
        let mut session =
            Session::open(capture.clone(), SessionOptions { raster, ..SessionOptions::default() });
        let name = path.display();
        let events = session.end().0;
        assert_same(&capture, &session, &format!("at the end of {name}"));
        let mut targets = vec![0, events];
        targets.extend((0..3).map(|_| random.below(events + 1)));
        for target in targets {
            session.seek(EventNumber(target)).expect("it exists");
            assert_same(&capture, &session, &format!("before event {target} of {events} in {name}"));
        }
    }
}

/// Drops checkpoints because they do not fit, which must change nothing but the time.
#[test]
fn the_room_for_checkpoints_does_not_matter() {
    let Some(path) = dumps().into_iter().max_by_key(|path| open(path).events.len()) else { return };
    let capture = open(&path);
    let options = |bytes| SessionOptions { checkpoint_bytes: bytes, ..SessionOptions::default() };
    let mut sessions = [0, 1 << 20, 48 << 20].map(|bytes| Session::open(capture.clone(), options(bytes)));
    let [none, _, many] = sessions.each_ref().map(|session| session.checkpoint_usage().0);
    assert!(none == 1 && many > 1, "{none} and {many} checkpoints");
    let mut random = Random::new(7);
    for _ in 0..4 {
        let target = EventNumber(random.below(sessions[0].end().0));
        for session in &mut sessions {
            session.seek(target).expect("it exists");
        }
        let [first, others @ ..] = &sessions;
        for other in others {
            assert!(first.registers() == other.registers(), "registers before event {target}");
            assert!(first.writers() == other.writers(), "writers before event {target}");
            assert!(first.memory().vram() == other.memory().vram(), "VRAM before event {target}");
        }
    }
}

/// Every dump must have checkpoints within the default bound.
#[test]
fn checkpoints_keep_to_their_bytes() {
    for path in dumps() {
        let session = Session::open(open(&path), SessionOptions::default());
        let (count, bytes) = session.checkpoint_usage();
        assert!(count > 1, "{count} checkpoints of {}", path.display());
        let limit = SessionOptions::default().checkpoint_bytes;
        assert!(bytes <= limit, "{bytes} bytes for checkpoints of {}", path.display());
    }
}
