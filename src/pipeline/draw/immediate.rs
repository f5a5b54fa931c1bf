//! Primitives whose vertices came from registers. Source: `ge-reference.md` §3.8 (hardware test
//! `primitives/immediate`).

use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::{PrimitiveType, VertexType};
use crate::pipeline::geometry::cull::Culling;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex};

/// A primitive that a VAP completed, on its way to a sink. Its vertices are on the screen already.
#[derive(Clone, Debug)]
pub struct ImmediateDraw<'a> {
    /// The registers at the VAP, with the primitive's own switches in place of those that they replace.
    pub registers: &'a Arc<Registers>,
    /// Address of the command word.
    pub at: Address,
    /// The draw's number in the run, from 0; counted together with other draws.
    pub number: u64,
    /// What is drawn; never [`PrimitiveType::CONTINUE`].
    pub primitive: PrimitiveType,
    /// One to three vertices.
    pub vertices: ArrayVec<ScreenVertex, 3>,
    /// The winding is the other way round: every second triangle of a strip.
    pub reversed: bool,
}

impl ImmediateDraw<'_> {
    /// Whether fog and secondary colour have no part in it.
    #[must_use]
    pub fn is_through(&self) -> bool {
        self.registers.get::<VertexType>().through
    }

    /// What a rasterizer fills; `None` where the primitive is culled. Nothing is clipped.
    #[must_use]
    pub fn to_screen(&self, arithmetic: Arithmetic) -> Option<ScreenPrimitive> {
        Culling::new(self.registers, arithmetic).build(
            self.primitive,
            &self.vertices,
            self.reversed,
            self.is_through(),
        )
    }
}
