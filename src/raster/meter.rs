//! What draws cost, spent in their order, whichever threads draw them and whenever.
//!
//! # Invariants
//! What is spent depends on the draws alone. Where the budget ends is therefore the same on every number of threads: draws
//! pay in their order ([`Meter::pay`]), and that nothing is left is only said at points that do not depend on when
//! waiting draws are drawn ([`Meter::say`]).

use std::ops::Range;

use super::cost;
use super::coverage::Area;
use super::fast::{Out, Prepared, overlap};
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;

/// Bytes of textures that are copied for the cost of a pixel.
const COPIED_EACH: u64 = 8;
/// Bytes of depth that are taken out of VRAM's order, or put back, for the cost of a pixel.
const MOVED_EACH: u64 = 256;
/// After so many draws it is said whether anything is left.
const DRAWS: u32 = 1024;
/// After so many vertices, too.
const VERTICES: u64 = 65536;

/// What was spent and what is left.
#[derive(Clone, Debug)]
pub(super) struct Meter {
    budget: Budget,
    spent: u64,
    /// What the next draw pays beside its own.
    owed: u64,
    /// Depth that would be out of VRAM's order if every draw were drawn at once.
    out: Out,
    draws: u32,
    vertices: u64,
    /// Nothing is left, and that was said.
    said: bool,
}

impl Default for Meter {
    fn default() -> Self {
        Self::new(&Limits::none())
    }
}

/// What the primitives of a draw cost each.
#[derive(Clone, Debug)]
pub(super) struct Price {
    area: Area,
    weight: u64,
}

impl Price {
    /// Of a draw under these registers; more where it has to be drawn pixel by pixel.
    pub(super) fn new(registers: &Registers, prepared: Option<&Prepared>) -> Self {
        let slowness = if prepared.is_some_and(Prepared::is_tangled) { cost::ONE_BY_ONE } else { 1 };
        Self { area: Area::from_registers(registers), weight: cost::weight(registers) * slowness }
    }

    pub(super) fn of(&self, primitive: &ScreenPrimitive) -> u64 {
        cost::of(primitive, &self.area, self.weight)
    }

    /// Pixels that so many primitives cover, at most, which cost so much together.
    pub(super) const fn pixels(&self, cost: u64, primitives: usize) -> u64 {
        cost.saturating_sub(cost::EACH.saturating_mul(primitives as u64)) / self.weight
    }

    pub(super) fn of_all(&self, primitives: &[ScreenPrimitive]) -> u64 {
        primitives.iter().fold(0, |sum, primitive| sum.saturating_add(self.of(primitive)))
    }
}

impl Meter {
    /// With all that the limits allow.
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            budget: Budget::new(limits, Limit::Pixels),
            spent: 0,
            owed: 0,
            out: Out::default(),
            draws: 0,
            vertices: 0,
            said: false,
        }
    }

    /// Starts again with all that the limits allow.
    pub(super) fn begin(&mut self, limits: &Limits) {
        let (spent, out) = (self.spent, std::mem::take(&mut self.out));
        *self = Self { spent, out, ..Self::new(limits) };
    }

    /// What was spent since the beginning, over all limits.
    pub(super) const fn spent(&self) -> u64 {
        self.spent
    }

    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.budget.limit_hit().is_some()
    }

    /// The limit, where nothing is left and that was said.
    pub(super) fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit().filter(|_| self.said)
    }

    /// More primitives than can be paid for.
    pub(super) const fn most_primitives(&self) -> u64 {
        (self.budget.left() / cost::EACH).saturating_add(1)
    }

    /// A draw comes. Gives what it has to pay beside its primitives: copies of textures, and moving depth about.
    pub(super) fn submit(&mut self, memory: &Memory, prepared: &Prepared) -> u64 {
        let out = self.out.vram();
        let is_looked_at = prepared.has_copies()
            || overlap(&out, &prepared.writes()[0])
            || prepared.reads().any(|read| overlap(&out, &read));
        if prepared.is_tangled() || is_looked_at {
            self.put_back();
        }
        if let Some((surface, rows, right)) = prepared.depth().filter(|_| !prepared.is_tangled()) {
            self.owed += self.out.take(surface, memory.translation(), rows, right) / MOVED_EACH;
        }
        std::mem::take(&mut self.owed) + prepared.copied() / COPIED_EACH
    }

    /// Somebody looks at bytes of VRAM.
    pub(super) fn look(&mut self, bytes: &Range<usize>) {
        if overlap(bytes, &self.out.vram()) {
            self.put_back();
        }
    }

    fn put_back(&mut self) {
        self.owed += self.out.put_back() / MOVED_EACH;
    }

    /// Pays for a draw: `all` of its primitives together, and what it was told by [`Self::submit`]. Gives how many of
    /// the primitives may be drawn.
    pub(super) fn pay(
        &mut self,
        beside: u64,
        all: u64,
        primitives: &[ScreenPrimitive],
        price: impl Fn() -> Price,
    ) -> usize {
        self.drain(beside);
        if self.spend(all) {
            return primitives.len();
        }
        let price = price();
        let paid = primitives.iter().take_while(|primitive| self.spend(price.of(primitive))).count();
        // Nothing that comes later is drawn over a hole.
        self.budget.drain(u64::MAX);
        paid
    }

    fn spend(&mut self, cost: u64) -> bool {
        let is_left = self.budget.spend(cost).is_ok();
        self.spent = self.spent.saturating_add(if is_left { cost } else { 0 });
        is_left
    }

    fn drain(&mut self, cost: u64) {
        let left = self.budget.left();
        self.budget.drain(cost);
        self.spent = self.spent.saturating_add(left - self.budget.left());
    }

    /// A draw was submitted. Says whether all waiting ones are to be drawn now, and [`Self::say`] called.
    pub(super) fn counts(&mut self, vertices: u64) -> bool {
        self.draws += 1;
        self.vertices = self.vertices.saturating_add(vertices);
        self.draws >= DRAWS || self.vertices >= VERTICES
    }

    /// Everything submitted was drawn, at a point that is the same on every number of threads.
    pub(super) fn say(&mut self) {
        let owed = std::mem::take(&mut self.owed);
        self.drain(owed);
        self.said = self.is_empty();
        (self.draws, self.vertices) = (0, 0);
    }

    /// The same, after everybody may look at VRAM.
    pub(super) fn settle(&mut self) {
        self.put_back();
        self.say();
    }
}
