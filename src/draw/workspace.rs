//! Memory that lowering a draw takes, kept for the next draw on the same thread.

use std::cell::Cell;

use super::lower::Selection;
use crate::geometry::standing::Place;
use crate::primitive::ScreenVertex;
use crate::vertex::Vertex;

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
