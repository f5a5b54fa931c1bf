//! A queued draw, which owns the data that a [`Draw`] borrows.

use std::sync::Arc;

use super::{CarriedState, Draw};
use crate::ge::address::Address;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::geometry::patch::Patch;

/// A draw that can be lowered later and on any thread, provided that memory has not changed since.
#[derive(Clone, Debug)]
pub(crate) struct OwnedDraw {
    registers: Arc<Registers>,
    at: Address,
    number: u64,
    primitive: PrimitiveType,
    patch: Option<Patch>,
    count: u32,
    vertices: Address,
    indices: Address,
    carried: CarriedState,
}

impl OwnedDraw {
    /// Copies a draw.
    #[must_use]
    pub(crate) fn new(draw: &Draw<'_>) -> Self {
        let carried = if draw.continues() {
            draw.carried.clone()
        } else {
            let CarriedState { last, zero_normal, .. } = *draw.carried;
            CarriedState { last, zero_normal, ..CarriedState::default() }
        };
        Self {
            registers: Arc::clone(draw.registers),
            at: draw.at,
            number: draw.number,
            primitive: draw.primitive,
            patch: draw.patch,
            count: draw.count,
            vertices: draw.vertices,
            indices: draw.indices,
            carried,
        }
    }

    /// Borrows the draw.
    #[must_use]
    pub(crate) fn draw(&self) -> Draw<'_> {
        Draw {
            registers: &self.registers,
            at: self.at,
            number: self.number,
            primitive: self.primitive,
            patch: self.patch,
            count: self.count,
            vertices: self.vertices,
            indices: self.indices,
            carried: &self.carried,
        }
    }
}
