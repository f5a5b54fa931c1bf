//! What draws cost, spent in their order, whichever threads draw them and whenever.
//!
//! # Invariants
//! What is spent depends on the draws alone. Where the budget ends is therefore the same on every number of threads: draws
//! pay in their order ([`Meter::pay`]), and that nothing is left is only said at points that do not depend on when
//! waiting draws are drawn ([`Meter::say`]).

use std::ops::Range;

use super::cost;
use super::coverage::ScissorRect;
use super::fast::{DepthCacheModel, PipelineState, overlap};
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;

/// Bytes of textures that are copied for the cost of a pixel.
const COPIED_BYTES_PER_PIXEL: u64 = 8;
/// Bytes of depth that are taken out of VRAM's order, or put back, for the cost of a pixel.
const DEPTH_BYTES_PER_PIXEL: u64 = 256;
/// After so many draws it is said whether anything is left.
const CHECKPOINT_DRAWS: u32 = 1024;
/// After so many vertices, too.
const CHECKPOINT_VERTICES: u64 = 65536;

/// What was spent and what is left.
#[derive(Clone, Debug)]
pub(super) struct PixelBudget {
    budget: Budget,
    spent: u64,
    /// What the next draw pays beside its own.
    owed: u64,
    /// Depth that would be out of VRAM's order if every draw were drawn at once.
    depth_cache: DepthCacheModel,
    draws: u32,
    vertices: u64,
    /// Nothing is left, and that was said.
    reported: bool,
}

impl Default for PixelBudget {
    fn default() -> Self {
        Self::new(&Limits::none())
    }
}

/// What the primitives of a draw cost each.
#[derive(Clone, Debug)]
pub(super) struct DrawCost {
    scissor: ScissorRect,
    weight: u64,
}

impl DrawCost {
    /// Of a draw under these registers; more where it has to be drawn pixel by pixel.
    pub(super) fn new(registers: &Registers, state: Option<&PipelineState>) -> Self {
        let factor =
            if state.is_some_and(PipelineState::needs_reference) { cost::REFERENCE_FACTOR } else { 1 };
        Self { scissor: ScissorRect::from_registers(registers), weight: cost::weight(registers) * factor }
    }

    pub(super) fn of_primitive(&self, primitive: &ScreenPrimitive) -> u64 {
        cost::of_primitive(primitive, &self.scissor, self.weight)
    }

    /// Pixels that so many primitives cover, at most, which cost so much together.
    pub(super) const fn max_pixels(&self, cost: u64, primitives: usize) -> u64 {
        cost.saturating_sub(cost::SETUP.saturating_mul(primitives as u64)) / self.weight
    }

    pub(super) fn of_primitives(&self, primitives: &[ScreenPrimitive]) -> u64 {
        primitives.iter().fold(0, |sum, primitive| sum.saturating_add(self.of_primitive(primitive)))
    }
}

impl PixelBudget {
    /// With all that the limits allow.
    pub(super) fn new(limits: &Limits) -> Self {
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

    /// Starts again with all that the limits allow.
    pub(super) fn begin(&mut self, limits: &Limits) {
        let (spent, depth_cache) = (self.spent, std::mem::take(&mut self.depth_cache));
        *self = Self { spent, depth_cache, ..Self::new(limits) };
    }

    /// What was spent since the beginning, over all limits.
    pub(super) const fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether nothing is left.
    pub(super) fn is_exhausted(&self) -> bool {
        self.budget.limit_hit().is_some()
    }

    /// The limit, where nothing is left and that was said.
    pub(super) fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit().filter(|_| self.reported)
    }

    /// More primitives than can be paid for.
    pub(super) const fn max_primitives(&self) -> u64 {
        (self.budget.left() / cost::SETUP).saturating_add(1)
    }

    /// A draw comes. Gives what it has to pay beside its primitives: copies of textures, and moving depth about.
    pub(super) fn submit(&mut self, memory: &Memory, state: &PipelineState) -> u64 {
        let cached = self.depth_cache.vram_range();
        let is_accessed = state.has_copies()
            || overlap(&cached, &state.writes()[0])
            || state.reads().any(|read| overlap(&cached, &read));
        if state.needs_reference() || is_accessed {
            self.write_back();
        }
        if let Some((surface, rows, column_end)) = state.depth().filter(|_| !state.needs_reference()) {
            self.owed += self.depth_cache.load(surface, memory.translation(), rows, column_end)
                / DEPTH_BYTES_PER_PIXEL;
        }
        std::mem::take(&mut self.owed) + state.copied_bytes() / COPIED_BYTES_PER_PIXEL
    }

    /// Somebody looks at bytes of VRAM.
    pub(super) fn note_access(&mut self, bytes: &Range<usize>) {
        if overlap(bytes, &self.depth_cache.vram_range()) {
            self.write_back();
        }
    }

    fn write_back(&mut self) {
        self.owed += self.depth_cache.write_back() / DEPTH_BYTES_PER_PIXEL;
    }

    /// Pays for a draw: `all` of its primitives together, and what it was told by [`Self::submit`]. Gives how many of
    /// the primitives may be drawn.
    pub(super) fn charge(
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
        // Nothing that comes later is drawn over a hole.
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

    /// A draw was submitted. Says whether all waiting ones are to be drawn now, and [`Self::say`] called.
    pub(super) fn at_checkpoint(&mut self, vertices: u64) -> bool {
        self.draws += 1;
        self.vertices = self.vertices.saturating_add(vertices);
        self.draws >= CHECKPOINT_DRAWS || self.vertices >= CHECKPOINT_VERTICES
    }

    /// Everything submitted was drawn, at a point that is the same on every number of threads.
    pub(super) fn checkpoint(&mut self) {
        let owed = std::mem::take(&mut self.owed);
        self.drain(owed);
        self.reported = self.is_exhausted();
        (self.draws, self.vertices) = (0, 0);
    }

    /// The same, after everybody may look at VRAM.
    pub(super) fn flush(&mut self) {
        self.write_back();
        self.checkpoint();
    }
}
