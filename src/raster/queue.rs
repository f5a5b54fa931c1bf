//! Draws that wait until there are enough for several threads.
//!
//! # Invariants
//! Memory does not change while a draw waits, but for what draws write: who reads or changes anything else asks for it
//! to be drawn first ([`crate::run::sink::Sink::flush`]), and the interpreter does so where vertices lie in VRAM.

use std::ops::Range;
use std::sync::Arc;

use super::coverage::position;
use super::fast::{DrawCall, PipelineState, overlap};
use super::options::RasterOptions;
use super::pixel_budget::{DrawCost, PixelBudget};
use super::statistics::Statistics;
use super::wireframe::edge_line;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::Draw;
use crate::pipeline::draw::owned::OwnedDraw;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};

/// More draws do not wait: what is known of them should fit the cache.
const MAX_DRAWS: usize = 512;
/// More vertices do not wait: each may become a primitive of its own.
const MAX_VERTICES: u64 = 8192;
/// Memory of draws with more primitives is not kept.
const MAX_SPARE_PRIMITIVES: usize = 1024;

/// Draws in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    draws: Vec<QueuedDraw>,
    vertices: u64,
    /// Bytes of VRAM that they may write.
    writes: Vec<Range<usize>>,
    /// Bytes of VRAM that they may look at.
    reads: Vec<Range<usize>>,
    /// Memory of draws that are done, for those to come.
    spare: Vec<LoweredPrimitives>,
}

/// One draw.
#[derive(Clone, Debug)]
pub(super) struct QueuedDraw {
    registers: Arc<Registers>,
    /// Nothing where the scissor leaves nothing.
    state: Option<Box<PipelineState>>,
    /// What becomes of it still has to be found out.
    draw: Option<OwnedDraw>,
    lowered: LoweredPrimitives,
    /// What it costs beside its primitives.
    overhead: u64,
}

impl Queue {
    /// Puts a draw behind the others.
    pub(super) fn push(&mut self, draw: &Draw<'_>, state: Option<Box<PipelineState>>, overhead: u64) {
        self.vertices += vertex_count(draw);
        self.record_accesses(state.as_deref());
        let registers = Arc::clone(draw.registers);
        let draw = Some(OwnedDraw::new(draw));
        let lowered = self.spare.pop().unwrap_or_default();
        self.draws.push(QueuedDraw { registers, state, draw, lowered, overhead });
    }

    /// Puts a primitive behind the others.
    pub(super) fn push_primitive(
        &mut self,
        registers: Arc<Registers>,
        state: Option<Box<PipelineState>>,
        overhead: u64,
        primitive: &ScreenPrimitive,
        options: &RasterOptions,
    ) {
        self.vertices += 3;
        self.record_accesses(state.as_deref());
        let mut lowered = self.spare.pop().unwrap_or_default();
        lowered.push(primitive, options);
        self.draws.push(QueuedDraw { registers, state, draw: None, lowered, overhead });
    }

    /// Remembers what a draw reads and writes.
    fn record_accesses(&mut self, state: Option<&PipelineState>) {
        let Some(state) = state else { return };
        for range in state.writes() {
            if !range.is_empty() && !self.writes.contains(&range) {
                self.writes.push(range);
            }
        }
        for range in state.reads() {
            if !self.reads.contains(&range) {
                self.reads.push(range);
            }
        }
    }

    /// Whether a draw may write some of these bytes of VRAM.
    pub(super) fn writes(&self, bytes: &Range<usize>) -> bool {
        self.writes.iter().any(|range| overlap(range, bytes))
    }

    /// Whether a draw may look at some of these bytes of VRAM.
    pub(super) fn reads(&self, bytes: &Range<usize>) -> bool {
        self.reads.iter().any(|range| overlap(range, bytes))
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.draws.is_empty()
    }

    /// Whether it is time to draw.
    pub(super) const fn is_full(&self) -> bool {
        self.draws.len() >= MAX_DRAWS || self.vertices >= MAX_VERTICES
    }

    /// Takes everything out. [`Self::give_back`] gets it when it is drawn.
    pub(super) fn take_draws(&mut self) -> Vec<QueuedDraw> {
        self.vertices = 0;
        self.writes.clear();
        self.reads.clear();
        std::mem::take(&mut self.draws)
    }

    /// Keeps the memory of draws that are done.
    pub(super) fn recycle(&mut self, mut drawn: Vec<QueuedDraw>) {
        let small = |lowered: &LoweredPrimitives| lowered.primitives.capacity() <= MAX_SPARE_PRIMITIVES;
        let lowered = drawn.drain(..).map(|draw| draw.lowered).filter(small);
        self.spare.extend(lowered.map(|mut lowered| {
            lowered.clear();
            lowered
        }));
        self.draws = drawn;
    }
}

impl QueuedDraw {
    /// Works out the draw's primitives, `most` of them.
    pub(super) fn lower(&mut self, memory: &Memory, options: &RasterOptions, max_primitives: u64) {
        if let Some(draw) = self.draw.take() {
            self.lowered.lower(memory, &draw.draw(), options, max_primitives);
        }
        self.lowered.compute_rows();
        self.lowered.compute_cost(&self.registers, self.state.as_deref());
    }

    /// Pays for it, and leaves out what cannot be paid.
    pub(super) fn charge(&mut self, budget: &mut PixelBudget) {
        self.lowered.charge(budget, self.overhead, &self.registers, self.state.as_deref());
    }

    /// What is to be filled, if anything is.
    pub(super) fn draw_call(&self) -> Option<DrawCall<'_>> {
        self.lowered.draw_call(&self.registers, self.state.as_deref()?)
    }

    pub(super) const fn statistics(&self) -> Statistics {
        self.lowered.statistics
    }
}

/// How many vertices a draw is about.
pub(super) fn vertex_count(draw: &Draw<'_>) -> u64 {
    match draw.patch {
        Some(patch) => u64::from(patch.vertex_count(draw.registers)),
        None => u64::from(draw.total()),
    }
}

/// What a draw became on the screen.
#[derive(Clone, Debug, Default)]
pub(super) struct LoweredPrimitives {
    primitives: Vec<ScreenPrimitive>,
    rows: Vec<[i16; 2]>,
    statistics: Statistics,
    /// What all primitives cost together.
    cost: u64,
    /// Pixels that they cover, at most.
    max_pixels: u64,
}

impl LoweredPrimitives {
    /// Adds the primitives of a draw; beyond `most` they are only counted.
    pub(super) fn lower(
        &mut self,
        memory: &Memory,
        draw: &Draw<'_>,
        options: &RasterOptions,
        max_primitives: u64,
    ) {
        draw.to_screen(memory, options.arithmetic, &mut |primitive| {
            let length = self.primitives.len();
            self.push(primitive, options);
            if length as u64 >= max_primitives {
                self.primitives.truncate(length);
            }
        });
    }

    /// Counts a primitive and adds what is to be filled for it.
    pub(super) fn push(&mut self, primitive: &ScreenPrimitive, options: &RasterOptions) {
        self.statistics.primitives += 1;
        if let Shape::Triangle([a, b, c]) = primitive.shape {
            self.statistics.triangles += 1;
            if options.wireframe {
                self.primitives.extend([[a, b], [b, c], [c, a]].map(|ends| edge_line(primitive, ends)));
                return;
            }
        }
        self.primitives.push(*primitive);
    }

    /// Finds between which rows each primitive lies, at most.
    fn compute_rows(&mut self) {
        self.rows.clear();
        self.rows.extend(self.primitives.iter().map(|primitive| {
            let rows = primitive.vertices().iter().map(|vertex| position(vertex)[1] >> 4);
            let (first, last) = rows.fold((i64::MAX, i64::MIN), |(a, b), row| (a.min(row), b.max(row)));
            let saturated = |row: i64| i16::try_from(row.clamp(-1, 1024)).unwrap_or(0);
            [saturated(first), saturated(last) + 1]
        }));
    }

    /// Finds what all primitives cost together.
    pub(super) fn compute_cost(&mut self, registers: &Registers, state: Option<&PipelineState>) {
        let cost = DrawCost::new(registers, state);
        self.cost = cost.of_primitives(&self.primitives);
        self.max_pixels = cost.max_pixels(self.cost, self.primitives.len());
    }

    /// Pays for the primitives, and leaves out those that cannot be paid.
    pub(super) fn charge(
        &mut self,
        budget: &mut PixelBudget,
        overhead: u64,
        registers: &Registers,
        state: Option<&PipelineState>,
    ) {
        let affordable =
            budget.charge(overhead, self.cost, &self.primitives, || DrawCost::new(registers, state));
        self.primitives.truncate(affordable);
        self.rows.truncate(affordable);
    }

    /// What is to be filled, if anything is.
    pub(super) fn draw_call<'d>(
        &'d self,
        registers: &'d Registers,
        state: &'d PipelineState,
    ) -> Option<DrawCall<'d>> {
        let Self { primitives, rows, max_pixels, .. } = self;
        let call = DrawCall { registers, state, primitives, rows, max_pixels: *max_pixels };
        (!self.primitives.is_empty()).then_some(call)
    }

    /// The primitives.
    pub(super) fn primitives(&self) -> &[ScreenPrimitive] {
        &self.primitives
    }

    pub(super) const fn statistics(&self) -> Statistics {
        self.statistics
    }

    pub(super) fn clear(&mut self) {
        self.primitives.clear();
        self.rows.clear();
        self.statistics = Statistics::default();
        (self.cost, self.max_pixels) = (0, 0);
    }
}
