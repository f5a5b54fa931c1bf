//! The calls that the front end makes to a dispatcher.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use super::filler::Filler;
use super::queue::FlushReason;
use crate::ge::memory::Memory;
use crate::raster::fast::{DrawCall, PipelineState};
use crate::raster::front::lowered_primitives::LoweredPrimitives;

/// Fills lowered draws in order, at once or later. Ranges are bytes of linear VRAM.
pub(crate) trait Dispatcher: Debug + Send + Sync {
    /// Takes a draw. Memory shows it after [`Self::complete`].
    fn submit(&mut self, memory: &mut Memory, state: Arc<PipelineState>, lowered: LoweredPrimitives);

    /// Fills a draw that samples copied texels, after all draws before it.
    fn fill_now(&mut self, memory: &mut Memory, call: DrawCall<'_>);

    /// Fills all draws so far, and writes cached depth back.
    fn complete(&mut self, memory: &mut Memory, reason: FlushReason);

    /// Makes sure that VRAM itself, not the mirror, holds these bytes as the draws so far leave them.
    fn settle(&mut self, memory: &mut Memory, bytes: &Range<usize>, reason: FlushReason);

    /// Prepares to read these bytes. VRAM may still be lent afterwards, but memory has the bytes.
    fn prepare_read(&mut self, memory: &mut Memory, bytes: &Range<usize>);

    /// Prepares to compare these bytes with new ones that are to replace them. Returns `false` if the comparison
    /// would have to wait for draws, but the write need not. Then nothing is prepared, and the caller writes without
    /// comparing.
    fn prepare_comparison(&mut self, memory: &mut Memory, bytes: &Range<usize>) -> bool;

    /// Prepares to write these bytes, or bytes outside VRAM if `None`.
    fn prepare_write(&mut self, memory: &mut Memory, bytes: Option<&Range<usize>>);

    /// Returns whether some thread, besides the caller's, may have no draws to fill.
    fn has_free_helper(&self) -> bool;

    /// Returns the engine with its threads, for uses that do not depend on the order of draws.
    fn filler(&self) -> &Filler;

    /// Returns the same as [`Self::filler`], for writing.
    fn filler_mut(&mut self) -> &mut Filler;
}
