//! Checks reports on draws: counts, primitives and vertices must be the same as when the fast engine draws.
//!
//! To run most of these tests, set `PSPGE_CORPUS`. Without it, they print a message and pass. `PSPGE_DRAWS` sets how
//! many draws to check in each dump.

use std::path::PathBuf;

use ge_tests::compare::differences;
use ge_tests::generate::Random;
use ge_tests::random_list::{self, Kind, RandomList};
use ge_tests::{frames, input, long_checks};
use pspge::debug::draw::report::{self, DrawReport, PrimitiveFate};
use pspge::debug::pixel::target::TargetName;
use pspge::debug::{EventNumber, Session, SessionOptions, Shot};
use pspge::ge::address::Address;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::capture::Capture;
use pspge::ge::color;
use pspge::ge::limits::Limits;
use pspge::ge::memory::Memory;
use pspge::ge::registers::Registers;
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::pipeline::framebuffer::{ColorSurface, DepthSurface};
use pspge::pipeline::primitive::ScreenPrimitive;
use pspge::raster::{FragmentCounts, PixelFate, RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::{NullObserver, Sink};

/// Draws per dump, unless the environment says otherwise.
const DRAWS: u32 = 5;

/// Draws, and notes how many pixels each draw has passed.
struct PixelCounts {
    raster: Rasterizer,
    pixels: Vec<u64>,
}

impl PixelCounts {
    fn note(&mut self, before: u64) {
        self.pixels.push(self.raster.statistics().pixels - before);
    }
}

impl Sink for PixelCounts {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let before = self.raster.statistics().pixels;
        self.raster.draw(memory, draw);
        self.note(before);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        let before = self.raster.statistics().pixels;
        self.raster.draw_immediate(memory, draw);
        self.note(before);
    }

    pspge::run::sink::forward_flushes!(raster);
    pspge::run::sink::forward_limits!(raster);
}

/// Collects a draw's screen primitives, and its buffers.
struct Primitives {
    arithmetic: Arithmetic,
    found: Vec<ScreenPrimitive>,
    buffers: Option<(ColorSurface, DepthSurface)>,
}

impl Primitives {
    fn note(&mut self, registers: &Registers) {
        let buffers = (ColorSurface::from_registers(registers), DepthSurface::from_registers(registers));
        self.buffers = Some(buffers);
    }
}

impl Sink for Primitives {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.note(draw.registers);
        draw.to_screen(memory, self.arithmetic, &mut |primitive| self.found.push(*primitive));
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.note(draw.registers);
        self.found.extend(draw.to_screen(self.arithmetic));
    }

    fn flush(&mut self, _: &mut Memory) {}
}

fn raster(arithmetic: Arithmetic) -> RasterOptions {
    RasterOptions { arithmetic, ..RasterOptions::default() }
}

fn session(capture: &Capture, arithmetic: Arithmetic) -> Session {
    Session::open(capture.clone(), SessionOptions { raster: raster(arithmetic), ..SessionOptions::default() })
}

/// Counts the passed pixels of each draw in a run, with the fast engine.
fn passed_pixels(capture: &Capture, arithmetic: Arithmetic) -> Vec<u64> {
    let mut sink = PixelCounts { raster: Rasterizer::new(raster(arithmetic)), pixels: Vec::new() };
    replay::run(&mut capture.clone(), arithmetic, &mut sink, &mut NullObserver, &Limits::default());
    sink.pixels
}

/// Checks the report on a draw against the run, and returns this report.
fn check(session: &mut Session, event: EventNumber, passed: &[u64], name: &str) -> DrawReport {
    let report = report::explain(session, event).expect("a draw");
    let name = format!("{name}, {}", report.event);
    assert_eq!(report.limit_hit, None, "{name}: complete");
    check_counts(&report, &name);
    assert_eq!(
        report.counts.passed,
        passed[usize::try_from(report.event.draw).expect("few draws")],
        "{name}: as the fast engine counts"
    );

    let arithmetic = report.arithmetic;
    let mut sink = Primitives { arithmetic, found: Vec::new(), buffers: None };
    assert!(session.show_draw(&mut sink), "{name}: a draw");
    let drawn = report.primitives.iter().flat_map(|primitive| primitive.record.drawn());
    assert!(drawn.eq(&sink.found), "{name}: the primitives that the rasterizer gets");
    check_vertices(&report, &name);

    let (color, depth) = sink.buffers.expect("a draw");
    check_bytes(session, &report, &color, &depth, &name);
    report
}

/// Each fragment must have exactly one fate, and the sums must agree.
fn check_counts(report: &DrawReport, name: &str) {
    let mut sum = FragmentCounts::default();
    for primitive in &report.primitives {
        let counts = primitive.counts();
        let number = primitive.record.number;
        assert_eq!(counts.covered, counts.killed() + counts.passed, "{name}: one fate each");
        let is_drawn = primitive.fate() == PrimitiveFate::Drawn;
        assert_eq!(is_drawn, counts.passed > 0, "{name}, primitive {number}: {}", primitive.reason(&[]));
        assert_eq!(
            primitive.fate() == PrimitiveFate::Dropped,
            !primitive.record.dropped.is_empty(),
            "{name}, primitive {number}: {}",
            primitive.reason(&[])
        );
        sum.add(&counts);
    }
    assert_eq!(sum, report.counts, "{name}: the sum of all primitives");
    let inside = sum.covered - sum.scissor;
    let touched: u64 = report.pixels.touched().map(|(_, count, _)| u64::from(count)).sum();
    assert_eq!(touched, inside, "{name}: the fragments at all pixels");
    let mut numbers = report.primitives.iter().map(|primitive| primitive.record.number);
    let mut before = numbers.next();
    for number in numbers {
        assert!(before < Some(number), "{name}: numbers rise");
        before = Some(number);
    }
}

/// Vertices must be the same as in the stages, if their primitives are drawn as they are, and not merged.
fn check_vertices(report: &DrawReport, name: &str) {
    for primitive in &report.primitives {
        let record = &primitive.record;
        if record.clipped || record.merged > 1 {
            continue;
        }
        for part in &record.parts {
            let stages = record.vertices.iter().map(|number| report.vertices[*number as usize].screen);
            assert!(stages.eq(part.vertices().iter().copied()), "{name}: primitive {}", record.number);
        }
    }
}

/// The draw may change only bytes in pixels it touched, and written pixels must explain all changes except in the
/// stencil.
fn check_bytes(
    session: &mut Session,
    report: &DrawReport,
    color: &ColorSurface,
    depth: &DepthSurface,
    name: &str,
) {
    let event = report.event.number;
    let before = session.memory().vram().to_vec();
    session.seek(event.next()).expect("the next moment");
    let memory = session.memory();
    let after = memory.vram();
    let mut explained = vec![false; before.len()];
    let mut mark = |offset: u32, length: u32| {
        let start = offset as usize;
        explained[start..start + length as usize].fill(true);
    };
    for (at, _, fate) in report.pixels.touched() {
        if matches!(fate, PixelFate::Written | PixelFate::Stencil | PixelFate::Depth) {
            mark(color.offset(at[0], at[1]), color::bytes(color.format));
        }
        if fate == PixelFate::Written {
            mark(depth.offset(memory, at[0], at[1]), 2);
        }
    }
    let mut changes = differences(&before, after).peekable();
    assert!(changes.peek().is_none() || report.counts.changed > 0, "{name}: changes are counted");
    assert_eq!(changes.find(|at| !explained[*at]), None, "{name}: a changed byte that no fragment explains");
    if let (Some(written), Some(touched)) = (report.pixels.bounds(true), report.pixels.bounds(false)) {
        assert_eq!(written.union(touched), touched, "{name}: written pixels are touched");
    }
}

/// Opens the dumps in the corpus.
fn dumps() -> impl Iterator<Item = (PathBuf, Capture)> {
    frames::sampled_dumps(2).map(|path| {
        let (capture, _) = input::frame_dump(&path.display().to_string(), &input::read(&path));
        (path, *capture)
    })
}

#[test]
fn reports_on_frames_agree_with_the_run() {
    let count = std::env::var("PSPGE_DRAWS").ok().and_then(|text| text.parse().ok()).unwrap_or(DRAWS);
    let mut random = Random::new(19);
    for (number, (path, capture)) in dumps().enumerate() {
        let arithmetic = [Arithmetic::Hardware, Arithmetic::Single][number % 2];
        let passed = passed_pixels(&capture, arithmetic);
        let mut session = session(&capture, arithmetic);
        let draws = u32::try_from(session.timeline().draws()).expect("few draws");
        for _ in 0..count {
            let draw = u64::from(random.below(draws));
            let event = session.timeline().event_of_draw(draw).expect("a draw").number;
            check(&mut session, event, &passed, &path.display().to_string());
        }
    }
}

/// A pixel's history must number primitives as the report does.
#[test]
fn histories_number_primitives_alike() {
    let mut random = Random::new(7);
    let mut fragments = 0;
    for (path, capture) in dumps().step_by(2) {
        let mut session = session(&capture, Arithmetic::Hardware);
        let draws = u32::try_from(session.timeline().draws()).expect("few draws");
        let written = (0..20).find_map(|_| {
            let draw = u64::from(random.below(draws));
            let event = session.timeline().event_of_draw(draw).expect("a draw").number;
            let report = report::explain(&mut session, event).expect("a draw");
            let surface = ColorSurface::from_registers(session.registers());
            let pixel = report.pixels.touched().find(|(_, _, fate)| *fate == PixelFate::Written);
            pixel.map(|(at, ..)| (report, surface, at))
        });
        let Some((report, surface, at)) = written else { continue };
        let name = TargetName {
            address: Address::vram(surface.address),
            shape: Some((surface.stride, surface.format)),
        };
        let history = Shot::new(capture).history(Some(name), at).expect("the pixel");
        let entry = history.entries.iter().find(|entry| entry.event == report.event);
        for fragment in entry.expect("it wrote the pixel").fragments() {
            let primitive = report.primitives.iter().find(|known| known.record.number == fragment.number);
            let mut drawn = primitive.expect("its number").record.drawn();
            let context = format!("{}, {}, pixel {at:?}", path.display(), report.event);
            assert!(
                drawn.any(|known| *known == fragment.primitive),
                "{context}: primitive {}",
                fragment.number
            );
            fragments += 1;
        }
    }
    assert!(fragments > 0 || dumps().next().is_none(), "no fragments");
}

/// How many lists to try for each kind.
const LISTS: u64 = 8;

/// Checks every draw in random lists, over noise.
#[test]
fn reports_on_random_lists_agree_with_the_run() {
    let mut memory = Memory::default();
    let mut noise = Random::new(0);
    memory.write(random_list::TEXELS, &noise.bytes(0x1_0000));
    memory.write(Address::new(0x0400_0000), &noise.bytes(0x20_0000));
    let mut fates: Vec<PrimitiveFate> = Vec::new();
    for kind in Kind::ALL {
        for seed in 0..long_checks::rounds(LISTS) {
            let capture = RandomList::new(kind, seed).capture(memory.clone());
            let arithmetic = if seed % 3 == 2 { Arithmetic::Single } else { Arithmetic::Hardware };
            let passed = passed_pixels(&capture, arithmetic);
            let mut session = session(&capture, arithmetic);
            for draw in 0..session.timeline().draws() as u64 {
                let event = session.timeline().event_of_draw(draw).expect("a draw").number;
                let report = check(&mut session, event, &passed, &format!("{kind:?}, seed {seed}"));
                fates.extend(report.primitives.iter().map(|primitive| primitive.fate()));
            }
        }
    }
    fates.sort_unstable();
    fates.dedup();
    for fate in [PrimitiveFate::Dropped, PrimitiveFate::Killed, PrimitiveFate::NoPixel, PrimitiveFate::Drawn]
    {
        assert!(fates.contains(&fate), "no primitive is {fate}: {fates:?}");
    }
}
