//! Scratch memory for lowering a draw, reused by the next draw on the same thread.

use std::cell::Cell;

use crate::pipeline::geometry::assemble::Assembled;
use crate::pipeline::geometry::outcode::ScreenPosition;
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::vertex::Vertex;

/// The memory of draws with more vertices is freed instead.
const MAX_KEPT_VERTICES: usize = 4096;

/// The intermediate results of a draw. Vertices and positions are empty between draws.
#[derive(Debug, Default)]
pub(super) struct LoweringScratch {
    pub(super) vertices: Vec<Vertex>,
    pub(super) positions: Vec<ScreenPosition>,
    pub(super) visible: VisibleSet,
    pub(super) buffers: ScreenBuffers,
}

/// Positions and screen vertices of the survivors.
#[derive(Debug, Default)]
pub(super) struct ScreenBuffers {
    pub(super) positions: Vec<ScreenPosition>,
    pub(super) vertices: Vec<ScreenVertex>,
}

thread_local! {
    static SPARE: Cell<Option<Box<LoweringScratch>>> = const { Cell::new(None) };
}

impl LoweringScratch {
    /// Takes the thread's spare scratch memory, or new memory if another draw has it.
    pub(super) fn take() -> Box<Self> {
        SPARE.take().unwrap_or_default()
    }

    /// Keeps the memory for the next draw.
    pub(super) fn release(mut self: Box<Self>) {
        if self.vertices.capacity() <= MAX_KEPT_VERTICES {
            self.vertices.clear();
            self.positions.clear();
            SPARE.set(Some(self));
        }
    }
}

/// The surviving primitives of a draw and the vertices that they use.
#[derive(Clone, Debug, Default)]
pub(super) struct VisibleSet {
    pub(super) survivors: Vec<Survivor>,
    /// Numbers of the used vertices, ascending.
    pub(super) used: Vec<u32>,
    /// For each vertex of the draw, its index in [`Self::used`].
    pub(super) slots: Vec<u32>,
}

/// A primitive that is drawn in whole or in part.
#[derive(Clone, Debug)]
pub(super) struct Survivor {
    pub(super) assembled: Assembled,
    pub(super) needs_clipping: bool,
}

impl VisibleSet {
    /// Returns whether no primitive survives.
    pub(super) fn is_empty(&self) -> bool {
        self.survivors.is_empty()
    }
}
