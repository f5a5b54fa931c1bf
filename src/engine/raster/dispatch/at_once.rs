//! With a single thread, each draw is filled when it arrives.

use std::ops::Range;
use std::sync::Arc;

use super::dispatcher::Dispatcher;
use super::filler::Filler;
use super::queue::FlushReason;
use crate::ge::memory::Memory;
use crate::raster::fast::{DrawCall, PipelineState};
use crate::raster::front::lowered_primitives::LoweredPrimitives;

/// Fills draws on the caller's thread. Only cached depth is ever missing in VRAM.
#[derive(Debug)]
pub(super) struct AtOnce {
    pub(super) filler: Filler,
}

impl Dispatcher for AtOnce {
    fn submit(&mut self, memory: &mut Memory, state: Arc<PipelineState>, mut lowered: LoweredPrimitives) {
        if !lowered.primitives().is_empty() {
            if self.filler.engine.has_bands() {
                lowered.compute_rows();
            }
            self.filler.fill_draw(memory, lowered.draw_call(&state));
        }
        self.filler.pool.put(lowered);
    }

    fn fill_now(&mut self, memory: &mut Memory, call: DrawCall<'_>) {
        self.filler.fill_draw(memory, call);
    }

    fn complete(&mut self, memory: &mut Memory, _: FlushReason) {
        self.filler.write_back(memory, false);
    }

    fn settle(&mut self, memory: &mut Memory, bytes: &Range<usize>, _: FlushReason) {
        self.filler.write_back_for(memory, bytes);
    }

    fn prepare_read(&mut self, memory: &mut Memory, bytes: &Range<usize>) {
        self.filler.write_back_for(memory, bytes);
    }

    fn prepare_comparison(&mut self, memory: &mut Memory, bytes: &Range<usize>) -> bool {
        self.filler.write_back_for(memory, bytes);
        true
    }

    fn prepare_write(&mut self, memory: &mut Memory, bytes: Option<&Range<usize>>) {
        if let Some(bytes) = bytes {
            self.filler.write_back_for(memory, bytes);
        }
    }

    fn has_free_helper(&self) -> bool {
        false
    }

    fn filler(&self) -> &Filler {
        &self.filler
    }

    fn filler_mut(&mut self) -> &mut Filler {
        &mut self.filler
    }
}
