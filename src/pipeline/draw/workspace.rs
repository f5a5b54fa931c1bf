//! Memory that lowering a draw takes, kept for the next draw on the same thread.

use std::cell::Cell;

use crate::pipeline::geometry::assemble::Assembled;
use crate::pipeline::geometry::outcode::Place;
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::vertex::Vertex;

/// Memory of draws with more vertices is not kept.
const VERTICES: usize = 4096;

/// What a draw's vertices become on the way; empty between draws.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    pub(super) vertices: Vec<Vertex>,
    pub(super) places: Vec<Place>,
    pub(super) selection: Selection,
    pub(super) buffers: Buffers,
}

/// What the vertices of the primitives that are left become.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    pub(super) places: Vec<Place>,
    pub(super) screen: Vec<ScreenVertex>,
}

thread_local! {
    static SPARE: Cell<Option<Box<Workspace>>> = const { Cell::new(None) };
}

impl Workspace {
    /// An empty one.
    pub(super) fn take() -> Box<Self> {
        SPARE.take().unwrap_or_default()
    }

    /// Keeps it for the next draw.
    pub(super) fn give_back(mut self: Box<Self>) {
        if self.vertices.capacity() <= VERTICES {
            self.vertices.clear();
            self.places.clear();
            SPARE.set(Some(self));
        }
    }
}

/// The primitives that are left of a draw, and the vertices that they need.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    pub(super) kept: Vec<Kept>,
    /// The numbers of the vertices that are needed, in order.
    pub(super) used: Vec<u32>,
    /// Where each of all vertices stands in [`Self::used`].
    pub(super) slots: Vec<u32>,
}

/// A primitive that is drawn, in whole or in part.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) assembled: Assembled,
    pub(super) clipped: bool,
}

impl Selection {
    /// Whether nothing is left.
    pub(super) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}
