//! Scratch memory for lowering, kept per thread so that the next draw there need not allocate.

use std::cell::Cell;

use super::transform_cache::TransformCache;
use crate::ge::arithmetic::Hf16;
use crate::pipeline::geometry::assemble::Assembled;
use crate::pipeline::geometry::screen_position::ScreenPositions;
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::vertex::Vertex;

/// Draws with more vertices free their memory, so that a rare large draw does not occupy it for ever.
const MAX_KEPT_VERTICES: usize = 4096;

/// A thread's scratch memory, for both kinds of arithmetic.
#[derive(Debug, Default)]
pub(super) struct ThreadScratch {
    pub(super) hardware: LoweringScratch<Hf16>,
    pub(super) single: LoweringScratch<f32>,
}

/// The last draw's transform, and buffers for the next draw.
#[derive(Debug, Default)]
pub(super) struct LoweringScratch<R> {
    pub(super) transforms: TransformCache<R>,
    pub(super) buffers: LoweringBuffers,
}

/// A draw's intermediate results. Each stage clears its own buffer before filling it.
#[derive(Debug, Default)]
pub(super) struct LoweringBuffers {
    pub(super) vertices: Vec<Vertex>,
    pub(super) positions: ScreenPositions,
    pub(super) visible: VisibleSet,
    /// The screen vertices of [`VisibleSet::used`].
    pub(super) screen_vertices: Vec<ScreenVertex>,
}

thread_local! {
    static SPARE: Cell<Option<Box<ThreadScratch>>> = const { Cell::new(None) };
}

impl ThreadScratch {
    /// Takes this thread's spare memory, or allocates some if a draw on this thread has it already.
    pub(super) fn take() -> Box<Self> {
        SPARE.take().unwrap_or_default()
    }

    /// Keeps this memory for the next draw.
    pub(super) fn release(mut self: Box<Self>) {
        for buffers in [&mut self.hardware.buffers, &mut self.single.buffers] {
            if buffers.vertices.capacity().max(buffers.positions.capacity()) > MAX_KEPT_VERTICES {
                *buffers = LoweringBuffers::default();
            }
        }
        SPARE.set(Some(self));
    }
}

/// The surviving primitives, and the vertices that they use.
#[derive(Clone, Debug, Default)]
pub(super) struct VisibleSet {
    pub(super) survivors: Vec<Survivor>,
    /// The used vertices' numbers, ascending.
    pub(super) used: Vec<u32>,
    /// Maps each vertex in the draw to its index in [`Self::used`].
    pub(super) slots: Vec<u32>,
    pub(super) strip: StripBuffers,
}

/// A strip's vertices in its own order, gathered to test neighbours in lanes.
#[derive(Clone, Debug, Default)]
pub(super) struct StripBuffers {
    pub(super) numbers: Vec<u32>,
    pub(super) positions: ScreenPositions,
}

/// A primitive to draw, in whole or in part.
#[derive(Clone, Debug)]
pub(super) struct Survivor {
    pub(super) assembled: Assembled,
    pub(super) needs_clipping: bool,
}
