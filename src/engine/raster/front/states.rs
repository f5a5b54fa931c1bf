//! The decoded state of draws, with the texels it holds as copies.

use std::sync::Arc;

use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::raster::dispatch::dispatcher::Dispatcher;
use crate::raster::dispatch::queue::FlushReason;
use crate::raster::fast::{ClutTableCache, DrawMode, PipelineState, PipelineStateCache, TexelCopies};

/// Decodes the state of draws, and keeps the parts that the next draw may share.
#[derive(Debug, Default)]
pub(crate) struct States {
    clut_tables: ClutTableCache,
    last: PipelineStateCache,
    copies: TexelCopies,
}

impl States {
    /// Returns a draw's state, or `None` if its scissor is empty.
    pub(crate) fn look_up(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        mode: DrawMode,
        dispatcher: &mut dyn Dispatcher,
    ) -> Option<Arc<PipelineState>> {
        if let Some(state) = self.last.look_up(memory, registers, mode) {
            return Some(state);
        }
        let mut state = self.decode(memory, registers, mode)?;
        if state.has_copies() && !state.samples_own_target() && !state.needs_reference() {
            self.copy_texels(memory, Arc::make_mut(&mut state), dispatcher);
        }
        self.last.keep(memory, registers, mode, &state);
        Some(state)
    }

    /// Decodes a draw's state, without copying texels. Returns `None` if its scissor is empty.
    pub(crate) fn decode(
        &mut self,
        memory: &Memory,
        registers: &Registers,
        mode: DrawMode,
    ) -> Option<Arc<PipelineState>> {
        PipelineState::new(memory, registers, mode, &mut self.clut_tables)
    }

    /// Copies a draw's texels if they cannot be read in place.
    pub(crate) fn copy_texels(
        &mut self,
        memory: &mut Memory,
        state: &mut PipelineState,
        dispatcher: &mut dyn Dispatcher,
    ) {
        for bytes in state.copied_ranges() {
            tracing::trace!(target: "pspge::raster", ?bytes, "texels copied");
            dispatcher.settle(memory, &bytes, FlushReason::CopiedTexels);
        }
        state.copy_texels(memory, &mut self.copies);
    }
}
