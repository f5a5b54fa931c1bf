//! Charges a run's work against its limits, and ends it at a limit.

use std::ops::ControlFlow;

use super::{Ending, ListRun, TransferShape};
use crate::ge::address::Address;
use crate::ge::limits::Limit;
use crate::ge::note::NoteKind;

impl ListRun<'_> {
    /// Charges `count` vertices at a cost of `each`.
    pub(super) fn spend_vertices(&mut self, at: Address, count: u32, each: u64) -> ControlFlow<Ending> {
        let cost = self.report.vertex_cost.saturating_add(u64::from(count).saturating_mul(each));
        if cost > self.limits.vertices {
            return self.end_at_limit(at, Limit::Vertices);
        }
        self.report.vertex_cost = cost;
        self.report.vertices = self.report.vertices.saturating_add(count.into());
        ControlFlow::Continue(())
    }

    pub(super) fn spend_transfer(&mut self, at: Address) -> ControlFlow<Ending> {
        let pixels = TransferShape::of(&self.state.registers).pixels();
        let transferred = self.report.transferred_pixels.saturating_add(pixels);
        // This limit counts each transferred pixel twice.
        if transferred.saturating_mul(2) > self.limits.pixels {
            return self.end_at_limit(at, Limit::Pixels);
        }
        self.report.transferred_pixels = transferred;
        ControlFlow::Continue(())
    }

    /// Ends the run if the sink or the watcher has hit a limit.
    pub(super) fn check_sink_limit(&mut self, at: Address) -> ControlFlow<Ending> {
        let Some(hit) = self.host.limit_hit() else { return ControlFlow::Continue(()) };
        self.note(at, NoteKind::Limit(hit));
        ControlFlow::Break(Ending::LimitReached)
    }

    pub(super) fn check_time(&mut self, at: Address) -> ControlFlow<Ending> {
        match (self.limits.time, self.state.started) {
            (Some(time), Some(started)) if started.elapsed() > time => self.end_at_limit(at, Limit::Time),
            _ => ControlFlow::Continue(()),
        }
    }

    pub(super) fn end_at_limit(&mut self, at: Address, limit: Limit) -> ControlFlow<Ending> {
        self.note(at, NoteKind::Limit(self.limits.hit(limit)));
        ControlFlow::Break(Ending::LimitReached)
    }
}
