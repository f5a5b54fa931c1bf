//! Checks trimmed runs: a dump for a range of events must replay to the same pixels as the whole run has after this
//! range.

use std::ops::RangeInclusive;

use pspge::debug::trim::{self, TrimOptions, Trimmed};
use pspge::debug::{EventNumber, Session};
use pspge::export::recorder;
use pspge::ge::arithmetic::Arithmetic;
use pspge::ge::limits::Limits;
use pspge::ge::memory::Memory;
use pspge::ge::opcode::Opcode;
use pspge::ge::registers::Registers;
use pspge::ge::registers::pixel::{ClearMode, Corner};
use pspge::pipeline::draw::{Draw, ImmediateDraw};
use pspge::pipeline::framebuffer::{ColorSurface, DepthSurface};
use pspge::pipeline::primitive::ScreenPrimitive;
use pspge::raster::{RasterOptions, Rasterizer};
use pspge::run::replay;
use pspge::run::sink::{NullObserver, Sink};

use crate::input;

/// The rectangle that a draw covers in its buffers.
#[derive(Debug)]
struct Rectangle {
    color: ColorSurface,
    depth: Option<DepthSurface>,
    /// First and last column and row; empty if the last is before the first.
    columns: [i32; 2],
    rows: [i32; 2],
}

/// Collects the draws' rectangles.
struct Rectangles {
    arithmetic: Arithmetic,
    found: Vec<Rectangle>,
}

impl Rectangles {
    fn start(&mut self, registers: &Registers) {
        let clear: ClearMode = registers.get();
        let depth = if clear.enabled { clear.depth } else { registers.is_on(Opcode::ZTESTENABLE) };
        self.found.push(Rectangle {
            color: ColorSurface::from_registers(registers),
            depth: depth.then(|| DepthSurface::from_registers(registers)),
            columns: [i32::MAX, i32::MIN],
            rows: [i32::MAX, i32::MIN],
        });
    }

    fn add(&mut self, primitive: &ScreenPrimitive) {
        let Rectangle { columns, rows, .. } = self.found.last_mut().expect("a draw");
        for vertex in primitive.vertices() {
            for (range, position) in [(&mut *columns, vertex.x), (&mut *rows, vertex.y)] {
                *range = [range[0].min(position >> 4), range[1].max(position >> 4)];
            }
        }
    }

    fn end(&mut self, registers: &Registers) {
        let corner = |opcode| registers.view::<Corner>(opcode);
        let last = self.found.last_mut().expect("a draw");
        for (first, end) in [(Opcode::SCISSOR1, Opcode::SCISSOR2), (Opcode::REGION1, Opcode::REGION2)] {
            let (first, end) = (corner(first), corner(end));
            last.columns = [last.columns[0].max(first.x.into()), last.columns[1].min(end.x.into())];
            last.rows = [last.rows[0].max(first.y.into()), last.rows[1].min(end.y.into())];
        }
        let region = corner(Opcode::REGION1);
        if (region.x, region.y) != (0, 0) {
            // Another region start moves the pixels out of this rectangle, so this compares none of them.
            last.columns = [i32::MAX, i32::MIN];
        }
    }
}

impl Sink for Rectangles {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.start(draw.registers);
        draw.to_screen(memory, self.arithmetic, &mut |primitive| self.add(primitive));
        self.end(draw.registers);
    }

    fn draw_immediate(&mut self, _: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.start(draw.registers);
        if let Some(primitive) = draw.to_screen(self.arithmetic) {
            self.add(&primitive);
        }
        self.end(draw.registers);
    }

    fn flush(&mut self, _: &mut Memory) {}
}

impl Rectangle {
    /// Compares the rectangle's pixels in two memories and counts them.
    fn compare(&self, [a, b]: [&Memory; 2], context: &str) -> usize {
        let range = |[first, last]: [i32; 2]| first..=last;
        let pixels = range(self.rows).flat_map(|y| range(self.columns).map(move |x| [x, y]));
        pixels
            .map(|pixel| pixel.map(|position| u32::try_from(position).expect("inside the scissor")))
            .map(|[x, y]| {
                let color = [a, b].map(|memory| self.color.read_bits(memory, x, y));
                assert_eq!(color[0], color[1], "{context}: colour at {x},{y} of {:x?}", self.color);
                let depth = self.depth.map(|depth| [a, b].map(|memory| depth.read(memory, x, y)));
                assert!(depth.is_none_or(|[a, b]| a == b), "{context}: depth at {x},{y} is {depth:?}");
            })
            .count()
    }
}

/// A range in a run after its check.
#[derive(Debug)]
pub struct Checked {
    /// The trimmed run.
    pub trimmed: Trimmed,
    /// How many pixels were compared.
    pub pixels: usize,
}

/// Trims a run to a range of events, writes the dump, reads it again and replays it. To check this, compares all
/// draws' pixels with those in the run after the last event.
///
/// # Panics
/// If a pixel differs, or if the range cannot be trimmed.
pub fn check(session: &mut Session, events: RangeInclusive<EventNumber>, context: &str) -> Checked {
    let RasterOptions { arithmetic, .. } = session.options().raster;
    let mut rectangles = Rectangles { arithmetic, found: Vec::new() };
    let mut draws = 0;
    for event in events.start().0..=events.end().0 {
        session.seek(EventNumber(event)).expect("it exists");
        draws += u64::from(session.show_draw(&mut rectangles));
    }
    let trimmed = trim::trim(session, events, TrimOptions::default())
        .unwrap_or_else(|error| panic!("{context}: {error}"));
    let capture = trimmed.capture.clone();
    let recorded = recorder::record(capture, *b"TEST00001", arithmetic, &Limits::default())
        .unwrap_or_else(|| panic!("{context}: small enough"));
    let (mut copy, _) = input::frame_dump(context, &recorded.dump.to_bytes());
    let mut raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
    let replayed = replay::run(&mut copy, arithmetic, &mut raster, &mut NullObserver, &Limits::default());
    if trimmed.counts.carried_commands == 0 {
        assert_eq!(replayed.report.draws, draws, "{context}: draws");
    }
    assert_eq!(trimmed.counts.draws, draws, "{context}: counted draws");
    let memories = [session.memory(), &copy.memory];
    let compared = rectangles.found.iter().map(|rectangle| rectangle.compare(memories, context));
    Checked { pixels: compared.sum(), trimmed }
}
