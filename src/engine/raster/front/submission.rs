//! This part of the rasterizer submits lowered draws: it decodes their state, chooses how to draw them, charges
//! their cost, and passes them on.

use std::sync::Arc;

use super::LoweredDraw;
use super::cost;
use super::lowered_primitives::LoweredPrimitives;
use super::own_target::CopyPlan;
use crate::ge::memory::Memory;
use crate::raster::Rasterizer;
use crate::raster::dispatch::queue::FlushReason;
use crate::raster::fast::PipelineState;
use crate::raster::fragments::overdraw::OverdrawRecorder;
use crate::raster::options::Engine;
use crate::raster::rules::pixel_rect::PixelRect;
use crate::raster::rules::reference;
use crate::raster::texel_cache::cache_lines::TexelAccess;

/// Tells how a submitted draw is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// By the reference, alone.
    Reference,
    /// By the fast engine, alone, because its primitives sample copies of their target.
    Copies,
    /// By the fast engine, in a render pass.
    Pass,
}

impl Rasterizer {
    /// Draws as much of a lowered draw as the budget allows, now or later.
    pub(crate) fn submit(&mut self, memory: &mut Memory, draw: LoweredDraw<'_>) {
        self.statistics.add(draw.primitives.statistics());
        self.stale = None;
        if draw.primitives.primitives().is_empty() || self.budget.is_exhausted() {
            return self.dispatcher.filler_mut().pool.put(draw.primitives);
        }
        self.texels.resume(memory);
        match self.engine() {
            Engine::Reference => self.submit_to_reference(memory, draw, None),
            Engine::Fast => {
                let dispatcher = &mut *self.dispatcher;
                match self.states.look_up(memory, draw.registers, draw.mode, dispatcher) {
                    Some(state) => self.submit_with_state(memory, draw, state),
                    // The scissor is empty.
                    None => dispatcher.filler_mut().pool.put(draw.primitives),
                }
            }
        }
    }

    fn submit_with_state(
        &mut self,
        memory: &mut Memory,
        mut draw: LoweredDraw<'_>,
        mut state: Arc<PipelineState>,
    ) {
        let (way, copies) = self.choose_way(memory, &draw, &mut state);
        if way == Way::Reference {
            return self.submit_to_reference(memory, draw, Some(&state));
        }
        let overhead = self.overhead(memory, &state).saturating_add(copies);
        draw.primitives.charge(&mut self.budget, overhead, draw.registers, Some(&state));
        trace(&state, &draw.primitives, way);
        if way == Way::Pass {
            return self.dispatcher.submit(memory, state, draw.primitives);
        }
        self.states.copy_texels(memory, Arc::make_mut(&mut state), &mut *self.dispatcher);
        self.dispatcher.fill_now(memory, draw.primitives.draw_call(&state));
        self.dispatcher.filler_mut().pool.put(draw.primitives);
    }

    /// Chooses how to draw. Also returns the cost of copied texels, in pixels.
    fn choose_way(
        &mut self,
        memory: &mut Memory,
        draw: &LoweredDraw<'_>,
        state: &mut Arc<PipelineState>,
    ) -> (Way, u64) {
        let mut plan = None;
        if state.samples_own_target() && !state.needs_reference() {
            let state = Arc::make_mut(state);
            plan = CopyPlan::new(state, &draw.primitives, memory.translation());
            if plan.is_none() {
                state.require_reference();
            }
        }
        // The texture cache may depend on bytes that this draw overwrites, so it must see them first.
        self.prepare_writes(memory, state.writes());
        if !state.needs_reference() && !self.sees_memory(memory, draw, state) {
            Arc::make_mut(state).require_reference();
        }
        if state.samples_own_target() {
            // The draw may change lines of its texture that it does not use itself, so the cache must know.
            self.note_writes(memory, state.writes());
        }
        match plan {
            _ if state.needs_reference() => (Way::Reference, 0),
            Some(plan) => (Way::Copies, plan.cost),
            None => (Way::Pass, cost::of_texel_copy(state.copied_bytes())),
        }
    }

    /// Returns how much a draw costs besides its primitives and copies, in pixels.
    fn overhead(&mut self, memory: &Memory, state: &PipelineState) -> u64 {
        let followed = self.texels.take_pixels().saturating_mul(cost::FOLLOWED_FACTOR);
        self.budget.submit(memory, state).saturating_add(followed)
    }

    /// Charges a draw and draws it with the reference. The state is `None` if the reference draws everything.
    fn submit_to_reference(
        &mut self,
        memory: &mut Memory,
        mut draw: LoweredDraw<'_>,
        state: Option<&PipelineState>,
    ) {
        let mut overhead = 0;
        if let Some(state) = state {
            draw.primitives.compute_cost(draw.registers, Some(state));
            overhead = self.overhead(memory, state);
        }
        draw.primitives.charge(&mut self.budget, overhead, draw.registers, state);
        if let Some(state) = state {
            trace(state, &draw.primitives, Way::Reference);
        }
        // The reference works on memory itself, so earlier draws and cached depth have to be there first.
        self.dispatcher.complete(memory, FlushReason::Reference);
        self.draw_by_reference(memory, &draw);
        self.dispatcher.filler_mut().pool.put(draw.primitives);
    }

    fn draw_by_reference(&mut self, memory: &mut Memory, draw: &LoweredDraw<'_>) {
        let access = &mut match self.uses_texel_cache(draw) {
            true => self.texels.access(memory, draw.number),
            false => TexelAccess::Live,
        };
        let (registers, primitives) = (draw.registers, draw.primitives.primitives().iter());
        self.statistics.pixels += if let Some(map) = &mut self.overdraw {
            let scissor = &PixelRect::scissor(registers);
            let recorder = &mut OverdrawRecorder::new(map, registers);
            let draw = |primitive| {
                reference::draw_primitive_inside(memory, registers, primitive, scissor, access, recorder)
            };
            primitives.map(draw).sum::<u64>()
        } else {
            primitives
                .map(|primitive| reference::draw_primitive(memory, registers, primitive, access))
                .sum::<u64>()
        };
        self.stale = self.texels.take_stale();
    }

    /// Returns the engine to draw with: counting overdraw needs the reference, which reports each fragment.
    pub(crate) const fn engine(&self) -> Engine {
        if self.overdraw.is_some() { Engine::Reference } else { self.options.engine }
    }
}

/// Traces a draw before it is drawn or queued, to let programs study how the work is divided: its cost and bounds,
/// its surfaces, and which VRAM bytes it uses.
fn trace(state: &PipelineState, lowered: &LoweredPrimitives, way: Way) {
    tracing::trace!(
        target: "pspge::raster::submission",
        cost = lowered.cost(),
        max_pixels = lowered.max_pixels(),
        primitives = lowered.primitives().len(),
        ?way,
        color = ?state.color(),
        depth = ?state.depth().map(|(surface, ..)| surface),
        rows = ?state.rows(),
        writes = ?state.writes(),
        reads = ?state.reads().collect::<Vec<_>>(),
        "draw submitted"
    );
}
