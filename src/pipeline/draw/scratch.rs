//! Memory that lowering a draw takes, kept for the next draw on the same thread.

use std::cell::Cell;

use crate::pipeline::geometry::assemble::Assembled;
use crate::pipeline::geometry::outcode::ScreenPosition;
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::vertex::Vertex;

/// Memory of draws with more vertices is not kept.
const MAX_KEPT_VERTICES: usize = 4096;

/// What a draw's vertices become on the way; empty between draws.
#[derive(Debug, Default)]
pub(super) struct LoweringScratch {
    pub(super) vertices: Vec<Vertex>,
    pub(super) positions: Vec<ScreenPosition>,
    pub(super) visible: VisibleSet,
    pub(super) buffers: ScreenBuffers,
}

/// What the vertices of the primitives that are left become.
#[derive(Debug, Default)]
pub(super) struct ScreenBuffers {
    pub(super) positions: Vec<ScreenPosition>,
    pub(super) vertices: Vec<ScreenVertex>,
}

thread_local! {
    static SPARE: Cell<Option<Box<LoweringScratch>>> = const { Cell::new(None) };
}

impl LoweringScratch {
    /// An empty one.
    pub(super) fn take() -> Box<Self> {
        SPARE.take().unwrap_or_default()
    }

    /// Keeps it for the next draw.
    pub(super) fn give_back(mut self: Box<Self>) {
        if self.vertices.capacity() <= MAX_KEPT_VERTICES {
            self.vertices.clear();
            self.positions.clear();
            SPARE.set(Some(self));
        }
    }
}

/// The primitives that are left of a draw, and the vertices that they need.
#[derive(Clone, Debug, Default)]
pub(super) struct VisibleSet {
    pub(super) survivors: Vec<Survivor>,
    /// The numbers of the vertices that are needed, in order.
    pub(super) used: Vec<u32>,
    /// Where each of all vertices stands in [`Self::used`].
    pub(super) slots: Vec<u32>,
}

/// A primitive that is drawn, in whole or in part.
#[derive(Clone, Debug)]
pub(super) struct Survivor {
    pub(super) assembled: Assembled,
    pub(super) needs_clipping: bool,
}

impl VisibleSet {
    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.survivors.is_empty()
    }
}
