//! Watches the run while a session records it.
//!
//! The run's cost decides when a checkpoint is due, so that the work between two checkpoints takes about the same time.

use std::ops::ControlFlow;

use super::writers::Writers;
use crate::debug::timeline::TimelineRecorder;
use crate::ge::limits::LimitHit;
use crate::ge::memory::Memory;
use crate::raster::{Rasterizer, cost};
use crate::run::interpreter::TransferShape;
use crate::run::sink::Step;
use crate::run::watch::{Outcome, RunEvent, RunEventKind, Watch};

/// Records events and writers, adds up the cost, and stops before a command if a checkpoint is due.
pub(super) struct RecordWatch<'a> {
    pub(super) recorder: &'a mut TimelineRecorder,
    pub(super) writers: &'a mut Writers,
    /// The cost since the last checkpoint, in pixels.
    pub(super) cost: u64,
    /// A checkpoint is due after this cost.
    pub(super) spacing: u64,
    /// The rasterizer's cost before the current draw.
    pub(super) before: u64,
}

impl Watch<Rasterizer> for RecordWatch<'_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if self.cost >= self.spacing {
            return ControlFlow::Break(());
        }
        self.cost = self.cost.saturating_add(1);
        self.writers.command(step);
        ControlFlow::Continue(())
    }

    fn before(&mut self, raster: &mut Rasterizer, _: &mut Memory, event: &RunEvent<'_>) {
        self.before = raster.cost();
        self.writers.event(event);
    }

    fn after(
        &mut self,
        raster: &mut Rasterizer,
        memory: &mut Memory,
        event: &RunEvent<'_>,
        outcome: Outcome,
    ) {
        let cost = match event.kind {
            _ if outcome != Outcome::Done => 0,
            RunEventKind::Draw(_) | RunEventKind::Immediate(_) => {
                let pixels = raster.cost().saturating_sub(self.before);
                u64::from(event.kind.vertices()).saturating_mul(cost::VERTEX).saturating_add(pixels)
            }
            RunEventKind::Transfer(registers) => TransferShape::of(registers).pixels(),
            RunEventKind::Cpu { event, .. } => {
                event.action.written().map_or(0, |(_, bytes)| u64::from(bytes >> 6))
            }
        };
        self.cost = self.cost.saturating_add(cost);
        self.recorder.after(raster, memory, event, outcome);
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        Watch::<Rasterizer>::limit_hit(&*self.recorder)
    }
}
