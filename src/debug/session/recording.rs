//! The sink and the observer of the run that a session records.
//!
//! The cost of the run decides when a checkpoint is due: the work between two of them takes about the same time.

use std::cell::Cell;
use std::ops::ControlFlow;

use super::writers::Writers;
use crate::debug::timeline::RecordingObserver;
use crate::ge::capture::Event;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::raster::{Rasterizer, cost};
use crate::run::interpreter::TransferShape;
use crate::run::sink::{Observer, Sink, Step};

/// Draws, and adds up the cost.
pub(super) struct CostSink<'a> {
    pub(super) raster: &'a mut Rasterizer,
    /// The cost so far, in pixels.
    pub(super) cost: &'a Cell<u64>,
}

impl CostSink<'_> {
    /// Draws with a number of vertices.
    fn spend(&mut self, vertices: u32, draw: impl FnOnce(&mut Rasterizer)) {
        let before = self.raster.cost();
        draw(self.raster);
        let pixels = self.raster.cost().saturating_sub(before);
        let cost = u64::from(vertices).saturating_mul(cost::VERTEX).saturating_add(pixels);
        self.cost.set(self.cost.get().saturating_add(cost));
    }
}

impl Sink for CostSink<'_> {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        let vertices = draw.patch.map_or(draw.total(), |patch| patch.cost(draw.registers));
        self.spend(vertices, |raster| raster.draw(memory, draw));
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        self.spend(1, |raster| raster.draw_immediate(memory, draw));
    }

    crate::run::sink::forward_flushes!(raster);
    crate::run::sink::forward_limits!(raster);
}

/// Records events and writers, and stops before a command if a checkpoint is due.
pub(super) struct RecordObserver<'a> {
    pub(super) recorder: RecordingObserver<'a>,
    pub(super) writers: &'a mut Writers,
    /// The cost since the last checkpoint, in pixels.
    pub(super) cost: &'a Cell<u64>,
    /// The cost after which a checkpoint is due.
    pub(super) spacing: u64,
    /// Number of actions of the CPU so far.
    pub(super) records: u32,
}

impl RecordObserver<'_> {
    fn spend(&self, cost: u64) {
        self.cost.set(self.cost.get().saturating_add(cost));
    }
}

impl Observer for RecordObserver<'_> {
    fn command(&mut self, memory: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if self.cost.get() >= self.spacing {
            return ControlFlow::Break(());
        }
        self.spend(1);
        if step.command.opcode() == Opcode::TRANSFERSTART {
            let shape = TransferShape::of(step.registers);
            self.spend(u64::from(shape.width).saturating_mul(shape.height.into()));
        }
        self.writers.command(step);
        self.recorder.command(memory, step)
    }

    fn event(&mut self, memory: &Memory, event: &Event) {
        self.writers.action(self.records, &event.action);
        self.records = self.records.saturating_add(1);
        let (_, bytes) = event.action.written().unwrap_or_default();
        self.spend(u64::from(bytes >> 6));
        self.recorder.event(memory, event);
    }
}
