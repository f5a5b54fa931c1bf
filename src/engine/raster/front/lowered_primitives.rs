//! A draw's screen primitives, with their rows and cost.

use super::pixel_budget::{DrawCost, PixelBudget};
use super::sample_offset::SampleOffset;
use super::wireframe::edge_line;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::Draw;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};
use crate::raster::fast::{DrawCall, PipelineState};
use crate::raster::options::RasterOptions;
use crate::raster::rules::grid::position;
use crate::raster::statistics::Statistics;

#[derive(Clone, Debug, Default)]
pub(crate) struct LoweredPrimitives {
    primitives: Vec<ScreenPrimitive>,
    /// First row and end row for each primitive, clamped. Empty until [`Self::compute_rows`].
    rows: Vec<[i16; 2]>,
    statistics: Statistics,
    /// Total cost in pixels.
    cost: u64,
    /// Upper bound for the pixels they cover.
    max_pixels: u64,
}

impl LoweredPrimitives {
    /// Lowers a draw and appends its primitives, with their cost for the fast engine. Beyond `max_primitives`, which
    /// no budget can pay for, it only counts them.
    pub(crate) fn lower(
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
        self.compute_cost(draw.registers, None);
    }

    /// Counts a primitive and appends it. In wireframe mode this appends its three edges instead.
    pub(crate) fn push(&mut self, primitive: &ScreenPrimitive, options: &RasterOptions) {
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

    /// Computes the range of rows that each primitive can touch, if not done yet.
    pub(crate) fn compute_rows(&mut self) {
        if self.rows.len() == self.primitives.len() {
            return;
        }
        self.rows.clear();
        self.rows.extend(self.primitives.iter().map(|primitive| {
            let rows = primitive.vertices().iter().map(|vertex| position(vertex)[1] >> 4);
            let (first, last) = rows.fold((i64::MAX, i64::MIN), |(a, b), row| (a.min(row), b.max(row)));
            // Rows outside the buffers need no exact numbers, so 16 bits are enough.
            let saturated = |row: i64| i16::try_from(row.clamp(-1, 1024)).unwrap_or(0);
            [saturated(first), saturated(last) + 1]
        }));
    }

    /// Computes the cost of all primitives.
    pub(crate) fn compute_cost(&mut self, registers: &Registers, state: Option<&PipelineState>) {
        if self.primitives.is_empty() {
            return;
        }
        let cost = DrawCost::new(registers, state);
        self.cost = cost.of_primitives(&self.primitives);
        self.max_pixels = cost.max_pixels(self.cost, self.primitives.len());
    }

    /// Charges the budget for the primitives, and drops those it cannot pay for.
    pub(crate) fn charge(
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

    /// Builds the call for the fast engine.
    pub(crate) fn draw_call<'d>(&'d self, state: &'d PipelineState) -> DrawCall<'d> {
        let Self { primitives, rows, max_pixels, .. } = self;
        DrawCall { state, primitives, rows, max_pixels: *max_pixels }
    }

    pub(crate) fn primitives(&self) -> &[ScreenPrimitive] {
        &self.primitives
    }

    pub(crate) const fn statistics(&self) -> Statistics {
        self.statistics
    }

    pub(crate) const fn cost(&self) -> u64 {
        self.cost
    }

    pub(crate) const fn max_pixels(&self) -> u64 {
        self.max_pixels
    }

    /// Returns how many primitives this buffer can hold without growing.
    pub(crate) const fn capacity(&self) -> usize {
        self.primitives.capacity()
    }

    pub(crate) fn clear(&mut self) {
        self.primitives.clear();
        self.rows.clear();
        self.statistics = Statistics::default();
        (self.cost, self.max_pixels) = (0, 0);
    }
}

/// Emptied buffers, for later draws to reuse.
#[derive(Debug, Default)]
pub(crate) struct PrimitivePool {
    buffers: Vec<LoweredPrimitives>,
    /// How many primitives the buffers can hold, at most [`MAX_POOLED`].
    capacity: usize,
}

/// How many primitives the emptied buffers may hold, about 6 MiB.
const MAX_POOLED: usize = 1 << 15;

impl PrimitivePool {
    /// Returns an empty buffer for a draw's primitives.
    pub(crate) fn take(&mut self) -> LoweredPrimitives {
        let buffer = self.buffers.pop().unwrap_or_default();
        self.capacity -= buffer.capacity();
        buffer
    }

    /// Empties a buffer and keeps it for reuse, unless there are enough already.
    pub(crate) fn put(&mut self, mut buffer: LoweredPrimitives) {
        let capacity = self.capacity + buffer.capacity();
        if capacity <= MAX_POOLED {
            self.capacity = capacity;
            buffer.clear();
            self.buffers.push(buffer);
        }
    }
}
