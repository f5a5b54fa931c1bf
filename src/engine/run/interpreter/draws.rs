//! Executes the commands that draw or test boxes: PRIM, BEZIER, SPLINE, VAP and BBOX.

use std::ops::ControlFlow;

use super::immediate::with_switches;
use super::inputs::{VertexData, check_vertices};
use super::look_ahead::Needs;
use super::{Ending, FlowState, Interpreter, ListRun};
use crate::ge::address::Address;
use crate::ge::arithmetic::{Arithmetic, Hf16};
use crate::ge::limits::Limit;
use crate::ge::note::NoteKind;
use crate::ge::registers::vertex::{BoundingBox, PrimitiveType, VertexType};
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::geometry::bounding;
use crate::pipeline::geometry::patch::Patch;
use crate::pipeline::vertex::{LastAttributes, VertexLayout, VertexReader};
use crate::run::watch::{Outcome, RunEvent, RunEventKind};

impl ListRun<'_> {
    pub(super) fn draw(
        &mut self,
        at: Address,
        primitive: PrimitiveType,
        count: u32,
        patch: Option<Patch>,
    ) -> ControlFlow<Ending> {
        if count == 0 && !self.trial.keeps_number {
            return ControlFlow::Continue(());
        }
        if self.report.draws >= self.limits.draws {
            return self.end_at_limit(at, Limit::Draws);
        }
        let vertex_type: VertexType = self.state.registers.get();
        self.spend_vertices(at, count, vertex_cost(vertex_type))?;
        let vertex_bytes = VertexLayout::new(vertex_type).bytes();
        let is_mapped = self.memory.is_mapped(self.state.flow.vertices, vertex_bytes.max(1));
        if !is_mapped {
            // The pointers do not advance. Source: `reference/ge/lists.md#pointer-advance`, assumed.
            self.note(at, NoteKind::VerticesUnmapped(self.state.flow.vertices));
            if !self.trial.keeps_number {
                return ControlFlow::Continue(());
            }
        }
        let outcome = if self.trial.is_skipped || count == 0 {
            Outcome::Skipped
        } else if is_mapped {
            Outcome::Done
        } else {
            Outcome::Unmapped
        };
        if is_mapped {
            self.flush_if_vertices_in_vram();
            self.check_vertices(at, count, vertex_bytes);
            let Interpreter { registers, texture_check, .. } = &mut *self.state;
            if let Some(kind) = texture_check.check(self.memory, registers) {
                self.note(at, kind);
            }
        }
        let mut needs = if is_mapped && primitive != PrimitiveType::CONTINUE && patch.is_none() {
            self.needs_of_next_draw(count, vertex_bytes)
        } else {
            Needs::Everything
        };
        let place = self.place_event(at);
        let can_wait = self.follows_list && self.host.undisturbed_commands() > 0;
        let Self { state, memory, host, .. } = self;
        let Interpreter { registers, flow, carried, spare_carried, .. } = &mut **state;
        let draw = Draw {
            registers,
            at,
            number: place.draw,
            primitive,
            patch,
            count,
            vertices: flow.vertices,
            indices: flow.indices,
            carried,
            wireframe: self.trial.is_wireframe,
            uncached: self.trial.is_uncached,
            can_wait,
        };
        let event = RunEvent { place, kind: RunEventKind::Draw(&draw) };
        if is_mapped && needs == Needs::Everything {
            // A draw may write pixels over its own vertices, so this reads the vertices to carry before it.
            draw.carry_into(memory, spare_carried);
        }
        if outcome == Outcome::Done {
            host.before(memory, &event);
            tracing::trace_span!(target: "pspge::run::interpreter::draws", "draw", number = draw.number, %primitive, count, at = %at)
                .in_scope(|| host.sink().draw(memory, &draw));
        }
        host.after(memory, &event, outcome);
        if needs != Needs::Everything && host.limit_hit().is_some() {
            // The run ends here, so the next draw is not as foreseen. The vertices are in RAM, where no draw has
            // changed them.
            draw.carry_into(memory, spare_carried);
            needs = Needs::Everything;
        }
        match needs {
            Needs::Everything if is_mapped => std::mem::swap(carried, spare_carried),
            Needs::LastAttributes => {
                let last = draw.last_attributes(memory);
                carried.last = last;
            }
            Needs::Nothing | Needs::Everything => {}
        }
        self.report.draws = self.report.draws.saturating_add(1);
        self.advance(count, vertex_bytes);
        self.check_sink_limit(at)?;
        self.check_time(at)
    }

    fn check_vertices(&mut self, at: Address, count: u32, bytes: u32) {
        let Interpreter { registers, flow: FlowState { vertices, indices, .. }, .. } = &*self.state;
        let data = VertexData { vertices: *vertices, indices: *indices, count, bytes };
        if let Some(kind) = check_vertices(self.memory, registers, data) {
            self.note(at, kind);
        }
    }

    pub(super) fn bounding_box(&mut self, at: Address, test: BoundingBox) -> ControlFlow<Ending> {
        let count = u32::from(test.count);
        let vertex_type: VertexType = self.state.registers.get();
        self.spend_vertices(at, count, vertex_cost(vertex_type))?;
        self.flush_if_vertices_in_vram();
        let vertex_bytes = VertexLayout::new(vertex_type).bytes();
        self.check_vertices(at, count, vertex_bytes);
        let state = &mut *self.state;
        let last: LastAttributes = state.carried.last;
        let FlowState { vertices, indices, .. } = state.flow;
        let reader = VertexReader::new(self.memory, &state.registers, vertices, indices, last);
        state.flow.box_visible = match state.arithmetic {
            Arithmetic::Hardware => bounding::is_inside::<Hf16>(&state.registers, &reader, count),
            Arithmetic::Single => bounding::is_inside::<f32>(&state.registers, &reader, count),
        };
        self.advance(count, vertex_bytes);
        self.check_sink_limit(at)
    }

    /// Draws a patch. Its control points advance the pointers even if there are too few to draw anything.
    pub(super) fn patch(&mut self, at: Address, patch: Patch) -> ControlFlow<Ending> {
        // Only hardware hangs at such patches. Emulators draw them.
        if self.state.arithmetic == Arithmetic::Hardware
            && !self.trial.is_skipped
            && let Some(division) = patch.hanging_division(&self.state.registers)
        {
            self.note(at, NoteKind::PatchHang(division));
            return ControlFlow::Break(Ending::HungAtPatch);
        }
        let vertices = patch.vertex_count(&self.state.registers);
        let cost = patch.cost(&self.state.registers);
        let patch_vertices = self.report.patch_vertices.saturating_add(cost.into());
        if patch_vertices > self.limits.patch_vertices {
            return self.end_at_limit(at, Limit::PatchVertices);
        }
        self.spend_vertices(at, vertices, 1)?;
        self.report.patch_vertices = patch_vertices;
        self.draw(at, Patch::primitive(&self.state.registers), patch.points(), Some(patch))
    }

    fn flush_if_vertices_in_vram(&mut self) {
        let vertex_type: VertexType = self.state.registers.get();
        if vertex_type.reads_vram(self.state.flow.vertices, self.state.flow.indices) {
            self.flush("vertices or indices in VRAM");
        }
    }

    fn advance(&mut self, count: u32, vertex_bytes: u32) {
        let (vertices, indices) = self.state.advanced(count, vertex_bytes);
        (self.state.flow.vertices, self.state.flow.indices) = (vertices, indices);
    }

    /// Executes VAP: adds a vertex, and draws the primitive if this completes it.
    pub(super) fn immediate_vertex(&mut self, at: Address) {
        let Some((vertices, reversed)) = self.state.immediate.push(&self.state.registers) else {
            return;
        };
        let first = self.state.immediate.first;
        let registers = with_switches(&self.state.registers, first);
        if let Some(kind) = self.state.texture_check.check(self.memory, &registers) {
            self.note(at, kind);
        }
        let place = self.place_event(at);
        let draw = ImmediateDraw {
            registers: &registers,
            at,
            number: place.draw,
            primitive: first.primitive,
            vertices,
            reversed,
            wireframe: self.trial.is_wireframe,
            uncached: self.trial.is_uncached,
        };
        let (number, primitive, count) = (draw.number, draw.primitive, draw.vertices.len());
        let event = RunEvent { place, kind: RunEventKind::Immediate(&draw) };
        let Self { memory, host, .. } = self;
        let outcome = if self.trial.is_skipped { Outcome::Skipped } else { Outcome::Done };
        if outcome == Outcome::Done {
            host.before(memory, &event);
            tracing::trace_span!(target: "pspge::run::interpreter::draws", "draw", number, %primitive, count, at = %at)
                .in_scope(|| host.sink().draw_immediate(memory, &draw));
        }
        host.after(memory, &event, outcome);
        self.report.draws = self.report.draws.saturating_add(1);
    }
}

/// Computes a vertex's cost: how many morph frames to read plus how many bone matrices to apply.
fn vertex_cost(vertex_type: VertexType) -> u64 {
    vertex_type.morph_frames().saturating_add(vertex_type.weights()) as u64
}
