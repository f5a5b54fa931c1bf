//! Tells drawn depths from depths left by clears, to find the range that a picture should show.
//!
//! # Invariants
//! A value counts as drawn if it differs from the value after the last clear, or from the value before the first draw.
//! A draw of exactly this value does not count, because no byte shows it.

use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::DepthSurface;
use crate::run::sink::Sink;
use crate::scene::depth_range::DepthRange;

/// Cost for comparing VRAM, in pixels. Filling a screen costs twice as much.
const COMPARISON_COST: u64 = 1 << 16;

/// Passes all draws on, and keeps the bytes written to VRAM by clears.
#[derive(Debug)]
pub(super) struct DrawnDepth<S> {
    inner: S,
    /// VRAM as clears left it; empty before the first draw.
    cleared: Vec<u8>,
    /// VRAM before the current clears; empty outside a sequence of clears.
    before: Vec<u8>,
    budget: Budget,
}

impl<S: Sink> DrawnDepth<S> {
    pub(super) fn new(inner: S) -> Self {
        let budget = Budget::new(&Limits::default(), Limit::Pixels);
        Self { inner, cleared: Vec::new(), before: Vec::new(), budget }
    }

    /// Returns the range of drawn depths in a surface's upper left part. Call this after the run.
    pub(super) fn range(
        &mut self,
        memory: &mut Memory,
        surface: &DepthSurface,
        size: [u32; 2],
    ) -> Option<DepthRange> {
        self.end_clears(memory);
        let memory = &*memory;
        let positions = (0..size[1]).flat_map(|y| (0..size[0]).map(move |x| (x, y)));
        DepthRange::of(positions.filter_map(|(x, y)| {
            let depth = surface.read(memory, x, y);
            let start = surface.offset(memory, x, y) as usize;
            let cleared = self.cleared.get(start..start + 2)?;
            (cleared != depth.to_le_bytes()).then_some(depth)
        }))
    }

    /// Prepares for a draw with these registers.
    fn prepare(&mut self, memory: &mut Memory, registers: &Registers) {
        let clear: ClearMode = registers.get();
        if self.cleared.is_empty() {
            self.inner.flush(memory);
            self.cleared = memory.vram().to_vec();
        }
        if !(clear.enabled && clear.depth) {
            self.end_clears(memory);
        // Successive clears share a copy and a comparison, which would otherwise cost far more than the clears.
        } else if self.before.is_empty() && self.budget.spend(COMPARISON_COST).is_ok() {
            self.inner.flush(memory);
            self.before = memory.vram().to_vec();
        }
    }

    /// Takes over the values changed by a sequence of clears.
    fn end_clears(&mut self, memory: &mut Memory) {
        if self.before.is_empty() {
            return;
        }
        self.inner.flush(memory);
        let depths = self.before.chunks_exact(2).zip(memory.vram().chunks_exact(2));
        for (cleared, (before, now)) in self.cleared.chunks_exact_mut(2).zip(depths) {
            if before != now {
                cleared.copy_from_slice(now);
            }
        }
        self.before.clear();
    }
}

impl<S: Sink> Sink for DrawnDepth<S> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        self.prepare(memory, draw.registers);
        self.inner.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.prepare(memory, draw.registers);
        self.inner.draw_immediate(memory, draw);
    }

    crate::run::sink::forward_flushes!(inner);

    fn begin(&mut self, memory: &mut Memory, limits: &Limits) {
        self.budget = Budget::new(limits, Limit::Pixels);
        self.inner.begin(memory, limits);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit().or_else(|| self.inner.limit_hit())
    }
}
