//! The fast rasterizer: the reference's pixels, many at a time.
//!
//! A draw's registers are looked up once ([`state`]). Primitives become fragments, up to 128 in a batch of arrays
//! ([`batch`]), and each stage is a loop over lanes, compiled for several instruction sets: [`values`] interpolates,
//! [`coordinates`] and [`texel`] sample, [`pixel`] does the rest. Depth is taken out of VRAM's permuted order
//! ([`depth`]) until somebody else looks at VRAM.
//!
//! # Invariants
//! Every byte is what [`super::reference`] leaves. Whatever the arrays cannot do in its order goes to the reference:
//! textures that overlap what is drawn, surfaces that overlap one another or run over the end of VRAM.

use std::ops::Range;

use super::coverage::{Area, Triangle, centers, clip, for_each_pixel, position};
use super::reference;
use crate::address::{Address, Region, VRAM_SIZE, VramView};
use crate::arithmetic::simd::{Instructions, Simd, dispatch};
use crate::color;
use crate::edram::Translation;
use crate::memory::Memory;
use crate::primitive::{ScreenPrimitive, Shape};
use crate::registers::Registers;

mod batch;
mod coordinates;
mod depth;
mod pixel;
mod source;
mod span;
mod state;
mod target;
mod texel;
mod values;

use batch::{Batch, LANES, Run, SIZE};
use coordinates::{Course, Sides};
use depth::Stage;
use source::{Source, Tables};
use span::Spans;
use state::State;
use target::Target;
use texel::{Bytes, Sampling};
use values::{Bounds, Values};

/// What is kept from draw to draw.
#[derive(Clone, Debug)]
pub(super) struct Fast {
    instructions: Instructions,
    stage: Stage,
    work: Box<Work>,
}

/// Memory that every draw uses again.
#[derive(Debug)]
struct Work {
    batch: Batch,
    sampling: Sampling,
    sides: Sides,
    tables: Tables,
}

impl Default for Fast {
    fn default() -> Self {
        Self { instructions: Instructions::Best, stage: Stage::default(), work: Box::default() }
    }
}

impl Default for Work {
    fn default() -> Self {
        Self {
            batch: Batch::new(),
            sampling: Sampling::new(),
            sides: Sides::default(),
            tables: Tables::default(),
        }
    }
}

impl Clone for Work {
    /// Nothing in it outlives a draw.
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Fast {
    /// Draws with the given instructions.
    pub(super) fn new(instructions: Instructions) -> Self {
        Self { instructions, ..Self::default() }
    }

    /// Draws the primitives of one draw. Returns how many pixels passed all tests.
    pub(super) fn draw(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        primitives: &[ScreenPrimitive],
    ) -> u64 {
        let Some(first) = primitives.first() else { return 0 };
        let through = first.through;
        let state = State::new(registers, through);
        let Some(area) = Rectangle::new(&state.area) else { return 0 };
        let source = state.textured.then(|| Source::new(memory, registers, through, &mut self.work.tables));
        let translation = memory.translation();
        let surfaces = Surfaces::new(&state, &area, translation);
        let reads = || source.iter().flat_map(Source::vram);
        if surfaces.are_tangled(&state, &area) || reads().any(|read| surfaces.overlap(&read)) {
            self.settle(memory);
            return primitives
                .iter()
                .map(|primitive| reference::draw_primitive(memory, registers, primitive))
                .sum();
        }
        let out = self.stage.vram();
        if overlap(&out, &surfaces.color) || reads().any(|read| overlap(&out, &read)) {
            self.settle(memory);
        }
        // Copies of VRAM were made before that.
        let source = match source {
            Some(source) if source.has_copies() && !out.is_empty() => {
                Some(Source::new(memory, registers, through, &mut self.work.tables))
            }
            source => source,
        };
        let (ram, vram) = memory.ram_and_vram_mut();
        let depth = if state.uses_depth() {
            self.stage.load(vram, &state.depth, translation, &area.rows, area.columns.end)
        } else {
            &mut []
        };
        let Some((low, color, high)) = split(vram, &surfaces.color) else { return 0 };
        let bytes = Bytes { ram, low, high: (high, surfaces.color.end) };
        let mut target = Target {
            color,
            color_stride: state.color.stride as usize,
            format: state.color.format,
            depth,
            depth_stride: state.depth.stride as usize,
            first: area.rows.start,
            end: area.rows.end,
        };
        let mut draw = Drawing { state: &state, source: source.as_ref(), bytes, work: &mut self.work };
        dispatch!(self.instructions, simd => draw.primitives(simd, &mut target, primitives))
    }

    /// Makes VRAM show everything drawn.
    pub(super) fn settle(&mut self, memory: &mut Memory) {
        self.stage.settle(memory.vram_mut());
    }

    /// Makes some bytes show everything drawn.
    pub(super) fn settle_bytes(&mut self, memory: &mut Memory, start: Address, length: u32) {
        let wanted = match start.region() {
            Region::Vram(VramView::Linear, offset) => offset as usize..(offset + length) as usize,
            _ if start.is_vram() || start.offset(length).is_vram() => 0..VRAM_SIZE as usize,
            _ => return,
        };
        if wanted.end > VRAM_SIZE as usize || overlap(&wanted, &self.stage.vram()) {
            self.settle(memory);
        }
    }
}

/// The pixels inside the scissor.
#[derive(Clone, Debug)]
struct Rectangle {
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Rectangle {
    fn new(area: &Area) -> Option<Self> {
        let range = |range: &Range<i64>| {
            Some(usize::try_from(range.start).ok()?..usize::try_from(range.end).ok()?)
                .filter(|range| !range.is_empty())
        };
        Some(Self { columns: range(&area.x)?, rows: range(&area.y)? })
    }
}

/// The bytes of VRAM that a draw may write.
#[derive(Clone, Debug)]
struct Surfaces {
    color: Range<usize>,
    depth: Range<usize>,
}

impl Surfaces {
    fn new(state: &State, area: &Rectangle, translation: Translation) -> Self {
        let (address, stride) = (state.color.address as usize, state.color.stride as usize);
        let bytes = color::bytes(state.color.format) as usize;
        let start = address + area.rows.start * stride * bytes;
        let end = address + ((area.rows.end - 1) * stride + area.columns.end) * bytes;
        let depth = if state.uses_depth() {
            Stage::vram_of(&state.depth, translation, &area.rows, area.columns.end)
        } else {
            0..0
        };
        Self { color: start..end, depth }
    }

    /// Whether pixels share bytes, or bytes lie behind the end of VRAM.
    fn are_tangled(&self, state: &State, area: &Rectangle) -> bool {
        let end = VRAM_SIZE as usize;
        let narrow = |stride: u32| area.rows.len() > 1 && (stride as usize) < area.columns.len();
        self.color.end > end
            || self.depth.end > end
            || overlap(&self.color, &self.depth)
            || narrow(state.color.stride)
            || (state.uses_depth() && narrow(state.depth.stride))
    }

    fn overlap(&self, range: &Range<usize>) -> bool {
        overlap(&self.color, range) || overlap(&self.depth, range)
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start.max(b.start) < a.end.min(b.end)
}

/// What lies in front of a range, the range, and what lies behind it.
fn split<'a>(vram: &'a mut [u8], range: &Range<usize>) -> Option<(&'a [u8], &'a mut [u8], &'a [u8])> {
    let (low, rest) = vram.split_at_mut_checked(range.start)?;
    let (middle, high) = rest.split_at_mut_checked(range.end - range.start)?;
    Some((low, middle, high))
}

/// One draw in progress.
#[derive(Debug)]
struct Drawing<'a> {
    state: &'a State,
    source: Option<&'a Source>,
    bytes: Bytes<'a>,
    work: &'a mut Work,
}

impl Drawing<'_> {
    #[inline(always)]
    fn primitives<S: Simd>(
        &mut self,
        simd: S,
        target: &mut Target<'_>,
        primitives: &[ScreenPrimitive],
    ) -> u64 {
        primitives.iter().map(|primitive| self.primitive(simd, target, primitive)).sum()
    }

    fn primitive<S: Simd>(&mut self, simd: S, target: &mut Target<'_>, primitive: &ScreenPrimitive) -> u64 {
        let area = &self.state.area;
        let rows = i64::try_from(target.first).unwrap_or(0)..i64::try_from(target.end).unwrap_or(0);
        let area = Area { x: area.x.clone(), y: clip(&area.y, &rows) };
        match &primitive.shape {
            Shape::Triangle(vertices) => {
                let Some(triangle) = Triangle::new(vertices, primitive.arithmetic) else { return 0 };
                let [x, y] = triangle.bounds();
                let Some(bounds) = bounds(&clip(&x, &area.x), &clip(&y, &area.y)) else { return 0 };
                let Some(mut fill) = Filling::new(self, primitive, Some(&triangle), bounds) else { return 0 };
                let spans = Spans::new(&triangle, bounds);
                for row in 0..bounds.height {
                    let span = spans.row(row);
                    fill.row(simd, target, span, row);
                }
                fill.flush(simd, target);
                fill.passed
            }
            Shape::Rectangle([a, b]) => {
                let ([ax, ay], [bx, by]) = (position(a), position(b));
                let (x, y) = (centers(ax.min(bx), ax.max(bx)), centers(ay.min(by), ay.max(by)));
                let Some(bounds) = bounds(&clip(&x, &area.x), &clip(&y, &area.y)) else { return 0 };
                let Some(mut fill) = Filling::new(self, primitive, None, bounds) else { return 0 };
                for row in 0..bounds.height {
                    fill.row(simd, target, 0..bounds.width, row);
                }
                fill.flush(simd, target);
                fill.passed
            }
            shape => {
                let Some(bounds) = bounds(&area.x, &area.y) else { return 0 };
                let Some(mut fill) = Filling::new(self, primitive, None, bounds) else { return 0 };
                for_each_pixel(shape, primitive.arithmetic, &area, |x, y| {
                    let x = x - bounds.x;
                    fill.row(simd, target, x..x + 1, y - bounds.y);
                });
                fill.flush(simd, target);
                fill.passed
            }
        }
    }
}

fn bounds(x: &Range<i64>, y: &Range<i64>) -> Option<Bounds> {
    let [left, right, top, bottom] = [x.start, x.end, y.start, y.end].map(u32::try_from);
    let (left, top) = (left.ok()?, top.ok()?);
    let (width, height) = (right.ok()?.checked_sub(left)?, bottom.ok()?.checked_sub(top)?);
    (width > 0 && height > 0).then_some(Bounds { x: left, y: top, width, height })
}

/// One primitive in progress.
#[derive(Debug)]
struct Filling<'a> {
    state: &'a State,
    source: Option<&'a Source>,
    bytes: Bytes<'a>,
    batch: &'a mut Batch,
    sampling: &'a mut Sampling,
    values: Values,
    course: Option<Course<'a>>,
    bounds: Bounds,
    passed: u64,
}

impl<'a> Filling<'a> {
    fn new(
        drawing: &'a mut Drawing<'_>,
        primitive: &ScreenPrimitive,
        triangle: Option<&Triangle>,
        bounds: Bounds,
    ) -> Option<Self> {
        let Work { batch, sampling, sides, .. } = &mut *drawing.work;
        let course = match drawing.source {
            Some(source) => {
                let scale = source.levels.first().map_or([1.0; 2], |level| level.scale);
                Some(Course::new(primitive, triangle, bounds, &source.choice, scale, sides)?)
            }
            None => None,
        };
        batch.count = 0;
        batch.runs.clear();
        batch.origin = (bounds.x.cast_signed(), bounds.y.cast_signed());
        Some(Self {
            state: drawing.state,
            source: drawing.source,
            bytes: drawing.bytes,
            batch,
            sampling,
            values: Values::new(primitive, triangle, bounds, drawing.state),
            course,
            bounds,
            passed: 0,
        })
    }

    /// Adds fragments side by side; positions count from the bounds' upper left.
    #[inline(always)]
    fn row<S: Simd>(&mut self, simd: S, target: &mut Target<'_>, span: Range<u32>, y: u32) {
        let mut left = span.start as usize;
        let end = span.end as usize;
        while left < end {
            let lane = self.batch.count;
            let count = (end - left).min(SIZE - lane);
            self.batch.runs.push(Run {
                lane,
                count,
                x: self.bounds.x as usize + left,
                y: (self.bounds.y + y) as usize - target.first,
            });
            // Columns and rows have ten bits.
            let columns = i32::try_from(left).unwrap_or(0)..;
            for (x, column) in
                self.batch.x[lane..lane + count.next_multiple_of(LANES)].iter_mut().zip(columns)
            {
                *x = column;
            }
            self.batch.y[lane..lane + count.next_multiple_of(LANES)].fill(y.cast_signed());
            self.batch.count += count;
            left += count;
            if self.batch.count == SIZE {
                self.flush(simd, target);
            }
        }
    }

    /// Draws the batch and empties it.
    fn flush<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) {
        if self.batch.count == 0 {
            return;
        }
        if self.state.uses_z() {
            self.values.fill_z(simd, self.batch);
        }
        if pixel::begin(simd, self.batch, self.state, target) {
            self.values.fill(simd, self.batch, self.state);
            if let (Some(source), Some(course)) = (self.source, &self.course) {
                course.fill(simd, self.batch);
                self.sampling.sample(simd, self.batch, source, self.bytes, course);
            }
            self.passed += u64::from(pixel::finish(simd, self.batch, self.state, target));
        }
        self.batch.count = 0;
        self.batch.runs.clear();
    }
}
