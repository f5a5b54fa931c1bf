//! Traces the draws that the front end submits to the fast engine, so that programs can study how the work is
//! divided.

use super::lowered_primitives::LoweredPrimitives;
use crate::raster::fast::PipelineState;

/// Tells how a submitted draw is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// By the reference, alone.
    Reference,
    /// By the fast engine, alone, because its primitives sample copies of their target.
    Copies,
    /// By the fast engine, in a render pass.
    Pass,
}

/// Traces a draw before it is drawn or queued: its cost and bounds, its surfaces, and which bytes of VRAM it
/// uses.
pub(crate) fn trace(state: &PipelineState, lowered: &LoweredPrimitives, way: Way) {
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
