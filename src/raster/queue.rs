//! The queue: collects draws until they are enough work for several threads.
//!
//! # Invariants
//! Memory does not change while draws are queued, except by draws. Before anything else reads or changes it,
//! the queue is flushed through [`Sink::flush`](crate::run::sink::Sink::flush), `flush_for_read` or
//! `flush_for_write`. Draws whose vertices are in VRAM are drawn at once.

use std::ops::Range;
use std::sync::Arc;

use super::fast::{DrawCall, PipelineState, overlap};
use super::grid::position;
use super::options::RasterOptions;
use super::pixel_budget::{DrawCost, PixelBudget};
use super::sample_offset::SampleOffset;
use super::statistics::Statistics;
use super::wireframe::edge_line;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::Draw;
use crate::pipeline::draw::owned::OwnedDraw;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};

/// Flush after this number of draws, so that the queue stays in the CPU's cache.
const MAX_DRAWS: usize = 512;
/// Flush after this number of vertices; each may become a primitive.
const MAX_VERTICES: u64 = 8192;
/// Drop the buffers of draws with more primitives instead of reusing them.
const MAX_SPARE_PRIMITIVES: usize = 1024;

/// Draws in submission order.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    draws: Vec<QueuedDraw>,
    vertices: u64,
    /// Byte ranges of VRAM that queued draws may write.
    writes: Vec<Range<usize>>,
    /// Byte ranges of VRAM that queued draws may read as textures.
    reads: Vec<Range<usize>>,
    /// Emptied buffers for later draws.
    spare: Vec<LoweredPrimitives>,
}

/// A queued draw.
#[derive(Clone, Debug)]
pub(super) struct QueuedDraw {
    registers: Arc<Registers>,
    draw_state: DrawState,
    /// The draw, until it is lowered.
    draw: Option<OwnedDraw>,
    lowered: LoweredPrimitives,
}

/// The state that a draw takes into the queue.
#[derive(Clone, Debug)]
pub(super) struct DrawState {
    /// `None` if the draw covers no pixel.
    pub(super) state: Option<Box<PipelineState>>,
    /// Cost of texture copies and depth transfers; see [`PixelBudget::submit`].
    pub(super) overhead: u64,
    /// Number of TEXFLUSH commands before the draw.
    pub(super) texture_flushes: u64,
}

/// Why the queue is flushed; part of the traced span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlushReason {
    /// The queue is full.
    Full,
    /// Texels of a draw were copied, so memory must not change before it is drawn.
    CopiedTexels,
    /// The vertices of a draw are in VRAM.
    VertexMemory,
    /// The pixel budget reached a checkpoint.
    Checkpoint,
    /// Other code is about to read memory that queued draws write.
    MemoryRead,
    /// Other code is about to write memory that queued draws use.
    MemoryWrite,
    /// [`Sink::flush`](crate::run::sink::Sink::flush) was called.
    Request,
}

impl Queue {
    /// Appends a draw.
    pub(super) fn push(&mut self, draw: &Draw<'_>, draw_state: DrawState) {
        self.vertices += vertex_count(draw);
        self.record_accesses(draw_state.state.as_deref());
        let registers = Arc::clone(draw.registers);
        let draw = Some(OwnedDraw::new(draw));
        let lowered = self.spare.pop().unwrap_or_default();
        self.draws.push(QueuedDraw { registers, draw_state, draw, lowered });
    }

    /// Appends a single primitive.
    pub(super) fn push_primitive(
        &mut self,
        registers: Arc<Registers>,
        draw_state: DrawState,
        primitive: &ScreenPrimitive,
        options: &RasterOptions,
    ) {
        self.vertices += 3;
        self.record_accesses(draw_state.state.as_deref());
        let mut lowered = self.spare.pop().unwrap_or_default();
        lowered.push(primitive, options);
        self.draws.push(QueuedDraw { registers, draw_state, draw: None, lowered });
    }

    /// Records the VRAM that a draw reads and writes.
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

    /// Checks whether a queued draw may write any of these bytes of VRAM.
    pub(super) fn writes(&self, bytes: &Range<usize>) -> bool {
        self.writes.iter().any(|range| overlap(range, bytes))
    }

    /// Checks whether a queued draw may read any of these bytes of VRAM.
    pub(super) fn reads(&self, bytes: &Range<usize>) -> bool {
        self.reads.iter().any(|range| overlap(range, bytes))
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.draws.is_empty()
    }

    /// Returns the reason to flush the queue after its last draw, or `None` if it can stay queued. The draw
    /// has copied texels or reads vertices from VRAM if the flags say so.
    pub(super) const fn flush_reason(&self, has_copies: bool, reads_vram: bool) -> Option<FlushReason> {
        if has_copies {
            Some(FlushReason::CopiedTexels)
        } else if reads_vram {
            Some(FlushReason::VertexMemory)
        } else if self.is_full() {
            Some(FlushReason::Full)
        } else {
            None
        }
    }

    /// Checks whether the queue should be flushed.
    const fn is_full(&self) -> bool {
        self.draws.len() >= MAX_DRAWS || self.vertices >= MAX_VERTICES
    }

    /// Removes and returns all draws. Pass them to [`Self::recycle`] after drawing.
    pub(super) fn take_draws(&mut self) -> Vec<QueuedDraw> {
        self.vertices = 0;
        self.writes.clear();
        self.reads.clear();
        std::mem::take(&mut self.draws)
    }

    /// Keeps the buffers of drawn draws for reuse.
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
    /// Lowers the draw and computes the rows and cost of its primitives. Primitives beyond `max_primitives`
    /// are only counted.
    pub(super) fn lower(&mut self, memory: &Memory, options: &RasterOptions, max_primitives: u64) {
        if let Some(draw) = self.draw.take() {
            self.lowered.lower(memory, &draw.draw(), options, max_primitives);
        }
        self.lowered.compute_rows();
        self.lowered.compute_cost(&self.registers, self.draw_state.state.as_deref());
    }

    /// Charges the budget and drops the primitives it does not allow.
    pub(super) fn charge(&mut self, budget: &mut PixelBudget) {
        let DrawState { state, overhead, .. } = &self.draw_state;
        self.lowered.charge(budget, *overhead, &self.registers, state.as_deref());
    }

    /// Builds the call for the fast engine, or `None` if no pixel can be drawn.
    pub(super) fn draw_call(&self) -> Option<DrawCall<'_>> {
        let DrawState { state, texture_flushes, .. } = &self.draw_state;
        self.lowered.draw_call(&self.registers, state.as_deref()?, *texture_flushes)
    }

    pub(super) const fn statistics(&self) -> Statistics {
        self.lowered.statistics
    }
}

/// Counts the vertices of a draw.
pub(super) fn vertex_count(draw: &Draw<'_>) -> u64 {
    match draw.patch {
        Some(patch) => u64::from(patch.vertex_count(draw.registers)),
        None => u64::from(draw.total()),
    }
}

/// The screen primitives of a draw.
#[derive(Clone, Debug, Default)]
pub(super) struct LoweredPrimitives {
    primitives: Vec<ScreenPrimitive>,
    rows: Vec<[i16; 2]>,
    statistics: Statistics,
    /// Total cost of the primitives.
    cost: u64,
    /// Upper bound of the pixels they cover.
    max_pixels: u64,
}

impl LoweredPrimitives {
    /// Lowers a draw and appends its primitives. Beyond `max_primitives` they are only counted.
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

    /// Counts a primitive and appends it, or its three edges in wireframe mode.
    pub(super) fn push(&mut self, primitive: &ScreenPrimitive, options: &RasterOptions) {
        self.statistics.primitives += 1;
        let shifted;
        let primitive = match options.sample_offset {
            SampleOffset::NONE => primitive,
            offset => {
                shifted = offset.shift(primitive);
                &shifted
            }
        };
        if let Shape::Triangle([a, b, c]) = primitive.shape {
            self.statistics.triangles += 1;
            if options.wireframe {
                self.primitives.extend([[a, b], [b, c], [c, a]].map(|ends| edge_line(primitive, ends)));
                return;
            }
        }
        self.primitives.push(*primitive);
    }

    /// Computes the range of rows that each primitive can touch.
    fn compute_rows(&mut self) {
        self.rows.clear();
        self.rows.extend(self.primitives.iter().map(|primitive| {
            let rows = primitive.vertices().iter().map(|vertex| position(vertex)[1] >> 4);
            let (first, last) = rows.fold((i64::MAX, i64::MIN), |(a, b), row| (a.min(row), b.max(row)));
            let saturated = |row: i64| i16::try_from(row.clamp(-1, 1024)).unwrap_or(0);
            [saturated(first), saturated(last) + 1]
        }));
    }

    /// Computes the cost of all primitives.
    pub(super) fn compute_cost(&mut self, registers: &Registers, state: Option<&PipelineState>) {
        let cost = DrawCost::new(registers, state);
        self.cost = cost.of_primitives(&self.primitives);
        self.max_pixels = cost.max_pixels(self.cost, self.primitives.len());
    }

    /// Charges the budget for the primitives and drops those it does not allow.
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

    /// Builds the call for the fast engine, or `None` without primitives.
    pub(super) fn draw_call<'d>(
        &'d self,
        registers: &'d Registers,
        state: &'d PipelineState,
        texture_flushes: u64,
    ) -> Option<DrawCall<'d>> {
        let Self { primitives, rows, max_pixels, .. } = self;
        let max_pixels = *max_pixels;
        let call = DrawCall { registers, state, primitives, rows, max_pixels, texture_flushes };
        (!self.primitives.is_empty()).then_some(call)
    }

    /// Returns the primitives.
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
