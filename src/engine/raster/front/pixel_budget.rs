//! The pixel budget is charged in submission order, so that the cut-off does not depend on the number of threads.
//!
//! # Invariants
//! The amount spent depends only on the draws. They are charged in submission order ([`PixelBudget::charge`]). An
//! exhausted budget is reported only at checkpoints ([`PixelBudget::checkpoint`]), because their positions do not
//! depend on when queued draws are drawn.

use std::ops::Range;

use super::cost;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::fast::{DepthCacheModel, PipelineState, overlap};
use crate::raster::rules::pixel_rect::PixelRect;

/// How many depth bytes can move between VRAM and the depth cache for a pixel's cost.
const DEPTH_BYTES_PER_PIXEL: u64 = 256;
const CHECKPOINT_DRAWS: u32 = 1024;
const CHECKPOINT_VERTICES: u64 = 65536;

/// How much is spent and how much is left, in pixels.
#[derive(Clone, Debug)]
pub(crate) struct PixelBudget {
    budget: Budget,
    spent: u64,
    /// Cost for depth transfers, to charge to the next draw.
    owed: u64,
    /// The depth cache as it would be without a queue. The real cache depends on timing, so charging for it would
    /// make the cost depend on timing too.
    depth_cache: DepthCacheModel,
    draws: u32,
    vertices: u64,
    /// Whether the last checkpoint found the budget exhausted.
    reported: bool,
}

impl Default for PixelBudget {
    fn default() -> Self {
        Self::new(&Limits::none())
    }
}

/// Computes the cost for a draw's primitives.
#[derive(Clone, Debug)]
pub(crate) struct DrawCost {
    scissor: PixelRect,
    weight: u64,
}

impl DrawCost {
    /// Reads the scissor and the cost per pixel from the registers. If the reference draws, pixels cost more.
    pub(crate) fn new(registers: &Registers, state: Option<&PipelineState>) -> Self {
        let factor =
            if state.is_some_and(PipelineState::needs_reference) { cost::REFERENCE_FACTOR } else { 1 };
        Self { scissor: PixelRect::scissor(registers), weight: cost::weight(registers) * factor }
    }

    pub(crate) fn of_primitive(&self, primitive: &ScreenPrimitive) -> u64 {
        cost::of_primitive(primitive, &self.scissor, self.weight)
    }

    /// Computes an upper bound for the pixels that primitives with this total cost cover.
    pub(crate) const fn max_pixels(&self, cost: u64, primitives: usize) -> u64 {
        cost.saturating_sub(cost::SETUP.saturating_mul(primitives as u64)) / self.weight
    }

    pub(super) fn of_primitives(&self, primitives: &[ScreenPrimitive]) -> u64 {
        primitives.iter().fold(0, |sum, primitive| sum.saturating_add(self.of_primitive(primitive)))
    }
}

impl PixelBudget {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            budget: Budget::new(limits, Limit::Pixels),
            spent: 0,
            owed: 0,
            depth_cache: DepthCacheModel::default(),
            draws: 0,
            vertices: 0,
            reported: false,
        }
    }

    /// Fills the budget up again for a new run.
    pub(crate) fn begin(&mut self, limits: &Limits) {
        let (spent, depth_cache) = (self.spent, std::mem::take(&mut self.depth_cache));
        *self = Self { spent, depth_cache, ..Self::new(limits) };
    }

    /// Returns whether this budget can be exhausted.
    pub(crate) fn is_limited(&self) -> bool {
        self.budget.is_limited()
    }

    /// Returns how much was spent in all runs.
    pub(crate) const fn spent(&self) -> u64 {
        self.spent
    }

    pub(crate) fn is_exhausted(&self) -> bool {
        self.budget.limit_hit().is_some()
    }

    /// Returns the limit if a checkpoint found the budget exhausted.
    pub(crate) fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit().filter(|_| self.reported)
    }

    /// Computes a number of primitives that is sure to exceed the rest of the budget, to stop lowering there.
    pub(super) const fn max_primitives(&self) -> u64 {
        (self.budget.left() / cost::SETUP).saturating_add(1)
    }

    /// Notes a draw in submission order. Returns its overhead, which is the cost for depth transfers.
    pub(crate) fn submit(&mut self, memory: &Memory, state: &PipelineState) -> u64 {
        let cached = self.depth_cache.vram_range();
        let is_accessed = state.copied_ranges().any(|copied| overlap(&cached, &copied))
            || overlap(&cached, &state.writes()[0])
            || state.reads().any(|read| overlap(&cached, &read));
        if state.needs_reference() || is_accessed {
            self.write_back();
        }
        if let Some((surface, rows, column_end)) = state.depth().filter(|_| !state.needs_reference()) {
            self.owed += self.depth_cache.load(surface, memory.translation(), rows, column_end)
                / DEPTH_BYTES_PER_PIXEL;
        }
        std::mem::take(&mut self.owed)
    }

    /// Returns whether it costs anything if other code accesses these VRAM bytes.
    pub(super) fn counts_access(&self, bytes: &Range<usize>) -> bool {
        overlap(bytes, &self.depth_cache.vram_range())
    }

    /// Notes that other code accesses VRAM.
    pub(crate) fn note_access(&mut self, bytes: &Range<usize>) {
        if self.counts_access(bytes) {
            self.write_back();
        }
    }

    fn write_back(&mut self) {
        self.owed += self.depth_cache.write_back() / DEPTH_BYTES_PER_PIXEL;
    }

    /// Charges `overhead` and `total`, the cost for all primitives. If the budget is too small for this, it charges
    /// primitives singly as far as it can. Returns how many may be drawn.
    pub(crate) fn charge(
        &mut self,
        overhead: u64,
        total: u64,
        primitives: &[ScreenPrimitive],
        cost: impl Fn() -> DrawCost,
    ) -> usize {
        self.drain(overhead);
        if self.spend(total) {
            return primitives.len();
        }
        let cost = cost();
        let affordable =
            primitives.iter().take_while(|primitive| self.spend(cost.of_primitive(primitive))).count();
        // This drops all later primitives too, even if the rest would pay for some.
        self.budget.drain(u64::MAX);
        affordable
    }

    fn spend(&mut self, cost: u64) -> bool {
        let is_paid = self.budget.spend(cost).is_ok();
        self.spent = self.spent.saturating_add(if is_paid { cost } else { 0 });
        is_paid
    }

    fn drain(&mut self, cost: u64) {
        let left = self.budget.left();
        self.budget.drain(cost);
        self.spent = self.spent.saturating_add(left - self.budget.left());
    }

    /// Counts a draw. Returns whether a checkpoint is due, to be made by [`Self::checkpoint`]. Queued draws are
    /// charged already, so they need not be filled for this.
    pub(crate) fn at_checkpoint(&mut self, vertices: u64) -> bool {
        self.draws += 1;
        self.vertices = self.vertices.saturating_add(vertices);
        self.draws >= CHECKPOINT_DRAWS || self.vertices >= CHECKPOINT_VERTICES
    }

    /// Updates [`Self::limit_hit`] after all submitted draws were charged. Callers must do this at points that do
    /// not depend on the number of threads.
    pub(crate) fn checkpoint(&mut self) {
        let owed = std::mem::take(&mut self.owed);
        self.drain(owed);
        self.reported = self.is_exhausted();
        (self.draws, self.vertices) = (0, 0);
    }

    /// Makes a checkpoint at which the depth cache is also written back.
    pub(crate) fn flush(&mut self) {
        self.write_back();
        self.checkpoint();
    }
}
