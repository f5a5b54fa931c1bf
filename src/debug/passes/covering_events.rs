//! Finds events that cover marked pixels in a buffer, such as pixels that differ from a reference.
//!
//! A draw covers a pixel if it has a fragment there, even if this fragment fails a test. Otherwise this would miss
//! draws that make a pixel wrong because a test should have stopped them.

use std::ops::Range;

use super::footprint::DrawFootprint;
use crate::debug::memory::vram_set::VramSet;
use crate::debug::pixel::target::PixelTarget;
use crate::debug::shot::Shot;
use crate::debug::timeline::{EventNumber, TimelineEvent, TimelineRecorder};
use crate::ge::address::{Address, Region};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::color;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::never::OrNever;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::{COORDINATES, ColorSurface, DepthSurface};
use crate::raster::{RasterOptions, Rasterizer};
use crate::run::interpreter::for_each_piece;
use crate::run::sink::Tee;
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

/// Bytes per value in a depth buffer.
const DEPTH_BYTES: u32 = 2;

/// A buffer with marked pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkedBuffer {
    /// Colours.
    Color(PixelTarget),
    /// Depth values.
    Depth(DepthSurface),
}

/// Marked pixels in a buffer. Runs may overlap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedPixels {
    /// The buffer.
    pub buffer: MarkedBuffer,
    /// The width and height to look at, from the upper left corner.
    pub size: [u32; 2],
    /// The marked pixels: row, and columns.
    pub runs: Vec<(u32, Range<u32>)>,
    /// A rectangle, columns and rows, for which to find the first event.
    pub region: [Range<u32>; 2],
}

/// An event and the marked pixels it covers.
#[derive(Clone, Debug, PartialEq)]
pub struct CoveringEvent {
    /// The event.
    pub event: TimelineEvent,
    /// How many pixels it covers.
    pub covered: u64,
    /// How many of these pixels are marked.
    pub marked: u64,
}

/// Answers which events cover marked pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoveringEvents {
    /// The first event to cover a pixel in the region; `None` if there is none.
    pub first_in_region: Option<TimelineEvent>,
    /// Events with at least one marked pixel, in order.
    pub events: Vec<CoveringEvent>,
    /// How many pixels are marked.
    pub marked: u64,
}

impl CoveringEvents {
    /// Returns the events whose pixels come nearest to the marked pixels, best first. To compare, this divides the
    /// pixels in both by the pixels in either.
    #[must_use]
    pub fn best(&self, count: usize) -> Vec<&CoveringEvent> {
        let mut events: Vec<&CoveringEvent> = self.events.iter().collect();
        // Comparing products instead of quotients makes the order exact. Later events win a tie because they are on
        // top.
        let either = |event: &CoveringEvent| {
            u128::from(self.marked.saturating_add(event.covered).saturating_sub(event.marked))
        };
        events.sort_by(|a, b| {
            let [share_a, share_b] = [
                u128::from(a.marked).saturating_mul(either(b)),
                u128::from(b.marked).saturating_mul(either(a)),
            ];
            share_b.cmp(&share_a).then(b.event.number.cmp(&a.event.number))
        });
        events.truncate(count);
        events
    }
}

/// Runs a list to find out which events cover marked pixels.
#[must_use]
pub fn covering_events(mut shot: Shot, marked: &MarkedPixels) -> CoveringEvents {
    let arithmetic = shot.arithmetic();
    let finder = Finder::new(marked, shot.capture.memory.translation());
    let cover = CoverRecorder {
        finder,
        footprint: DrawFootprint::default(),
        arithmetic,
        found: Vec::new(),
        first: None,
    };
    let mut watch = Tee(TimelineRecorder::new(&shot.limits), cover);
    let mut raster = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
    shot.run_here(&mut raster, &mut watch);
    let Tee(timeline, CoverRecorder { finder, found, first, .. }) = watch;
    let timeline = timeline.finish();
    // The sets count bytes, so this converts them to pixels.
    let bytes = u64::from(finder.pixel_bytes);
    let events = found.into_iter().filter_map(|(number, covered, marked)| {
        let event = timeline.get(number)?.clone();
        Some(CoveringEvent { event, covered: covered / bytes, marked: marked / bytes })
    });
    CoveringEvents {
        events: events.collect(),
        first_in_region: first.and_then(|number| timeline.get(number)).cloned(),
        marked: finder.marked.count() / bytes,
    }
}

/// The bytes in the buffer, in marked pixels, and in the region.
struct Finder {
    is_depth: bool,
    pixel_bytes: u32,
    all: VramSet,
    marked: VramSet,
    region: VramSet,
}

impl Finder {
    fn new(pixels: &MarkedPixels, translation: Translation) -> Self {
        let pixel_bytes = match pixels.buffer {
            MarkedBuffer::Color(target) => color::bytes(target.format),
            MarkedBuffer::Depth(_) => DEPTH_BYTES,
        };
        let row = |set: &mut VramSet, row: u32, columns: Range<u32>| match pixels.buffer {
            MarkedBuffer::Color(PixelTarget { address, stride, .. }) => {
                let first = row.wrapping_mul(stride).wrapping_add(columns.start).wrapping_mul(pixel_bytes);
                let length = columns.end.saturating_sub(columns.start).saturating_mul(pixel_bytes);
                set.insert(translation, address.offset(first), length);
            }
            MarkedBuffer::Depth(surface) => {
                surface.for_each_range(translation, row, columns, |bytes| set.insert_range(bytes));
            }
        };
        let [mut all, mut marked, mut region] = [VramSet::default(), VramSet::default(), VramSet::default()];
        let [width, height] = pixels.size;
        for y in 0..height.min(COORDINATES) {
            row(&mut all, y, 0..width.min(COORDINATES));
        }
        for (y, columns) in &pixels.runs {
            row(&mut marked, *y, columns.clone());
        }
        let [columns, rows] = &pixels.region;
        for y in rows.clone() {
            row(&mut region, y, columns.clone());
        }
        Self { is_depth: matches!(pixels.buffer, MarkedBuffer::Depth(_)), pixel_bytes, all, marked, region }
    }
}

/// How many of an event's bytes are in the buffer and in marked pixels, and whether any is in the region.
#[derive(Clone, Copy, Default)]
struct CoveredBytes {
    all: u64,
    marked: u64,
    in_region: bool,
}

impl CoveredBytes {
    fn add(&mut self, finder: &Finder, bytes: Range<u32>) {
        self.all = self.all.saturating_add(finder.all.count_in(bytes.clone()));
        self.marked = self.marked.saturating_add(finder.marked.count_in(bytes.clone()));
        self.in_region |= finder.region.count_in(bytes) > 0;
    }

    /// Adds bytes by their address, as far as they are in VRAM.
    fn add_address(&mut self, finder: &Finder, translation: Translation, start: Address, length: u32) {
        if let Region::Vram(view, offset) = start.region() {
            translation.for_each_linear_range(view, offset, length, |bytes| self.add(finder, bytes));
        }
    }
}

struct CoverRecorder {
    finder: Finder,
    footprint: DrawFootprint,
    arithmetic: Arithmetic,
    /// Events with the bytes they cover, and how many of these are marked.
    found: Vec<(EventNumber, u64, u64)>,
    first: Option<EventNumber>,
}

impl CoverRecorder {
    fn push(&mut self, event: EventNumber, bytes: CoveredBytes) {
        if bytes.marked > 0 {
            self.found.push((event, bytes.all, bytes.marked));
        }
        if bytes.in_region && self.first.is_none() {
            self.first = Some(event);
        }
    }

    /// Adds a draw whose footprint is complete.
    fn push_draw(&mut self, event: EventNumber, memory: &Memory, registers: &Registers) {
        let Self { finder, footprint, .. } = self;
        let mut bytes = CoveredBytes::default();
        let mut visit = |range: Range<usize>| {
            let [start, end] =
                [range.start, range.end].map(|at| u32::try_from(at).or_never("the bytes are in VRAM"));
            bytes.add(finder, start..end);
        };
        if finder.is_depth {
            let surface = DepthSurface::from_registers(registers);
            footprint.for_each_depth_range(surface, memory.translation(), &mut visit);
        } else {
            footprint.for_each_color_range(ColorSurface::from_registers(registers), &mut visit);
        }
        self.push(event, bytes);
    }
}

impl Watch<Rasterizer> for CoverRecorder {
    fn before(&mut self, _: &mut Rasterizer, memory: &mut Memory, event: &RunEvent<'_>) {
        if let Some(registers) = event.kind.draw_registers() {
            let Self { footprint, arithmetic, .. } = self;
            footprint.start(registers, false);
            event.kind.to_screen(memory, *arithmetic, &mut |primitive| footprint.add(primitive));
            self.push_draw(event.place.number, memory, registers);
        }
    }

    fn after(&mut self, _: &mut Rasterizer, memory: &mut Memory, event: &RunEvent<'_>, outcome: Outcome) {
        let (mut bytes, translation) = (CoveredBytes::default(), memory.translation());
        match event.kind {
            _ if outcome != Outcome::Done => return,
            RunEventKind::Draw(_) | RunEventKind::Immediate(_) => return,
            RunEventKind::Transfer(registers) => for_each_piece(registers, memory, |_, to, length| {
                bytes.add_address(&self.finder, translation, to, length);
            }),
            RunEventKind::Cpu { event, .. } => {
                if let Some((to, length)) = event.action.written() {
                    bytes.add_address(&self.finder, translation, to, length);
                }
            }
        }
        self.push(event.place.number, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::ge::registers::texture::PixelFormat;

    /// Two rectangles: 0,0 to 20,10 and 5,5 to 9,9. The second fails its depth test.
    const LIST: &str =
        "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x110000 | ZBUFWIDTH width=512
        SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | BASE hi(v)
        VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
        ZTESTENABLE 1 | ZTEST NEVER | PRIM primitive=RECTANGLES count=2
        FINISH | END | .align 4
        v: .rgba #ff8000ff | .s16 0 0 0 | .align 4 | .rgba #ff8000ff | .s16 20 10 0 | .align 4
           .rgba #ffffffff | .s16 5 5 0 | .align 4 | .rgba #ffffffff | .s16 9 9 0";

    fn found(runs: Vec<(u32, Range<u32>)>) -> CoveringEvents {
        let capture = assemble(LIST).expect("a program").capture();
        let target = PixelTarget { address: Address::vram(0), stride: 512, format: PixelFormat::ABGR8888 };
        let marked = MarkedPixels {
            buffer: MarkedBuffer::Color(target),
            size: [480, 272],
            runs,
            region: [6..8, 6..8],
        };
        covering_events(Shot::new(capture), &marked)
    }

    #[test]
    fn a_draw_whose_fragments_fail_covers_its_pixels() {
        let found = found((5..9).map(|row| (row, 5..9)).collect());
        let figures: Vec<_> =
            found.events.iter().map(|event| (event.event.number.0, event.covered, event.marked)).collect();
        assert_eq!(figures, [(0, 200, 16), (1, 16, 16)], "both draws");
        assert_eq!(found.first_in_region.as_ref().map(|event| event.number.0), Some(0), "the first");
        let best: Vec<u32> = found.best(5).iter().map(|event| event.event.number.0).collect();
        assert_eq!((best, found.marked), (vec![1, 0], 16), "the draw with exactly these pixels is the best");
    }

    #[test]
    fn events_elsewhere_are_left_out() {
        let found = found(vec![(100, 0..480)]);
        assert_eq!(found.events, [], "no draw covers the row");
        assert_eq!(found.marked, 480, "its pixels");
    }
}
