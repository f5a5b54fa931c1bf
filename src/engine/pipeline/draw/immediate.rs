//! Immediate primitives take their vertices from registers.
//!
//! Source: [immediate vertices](crate::reference::ge::lists#immediate-vertices) (hardware test
//! `primitives/immediate`).

use arrayvec::ArrayVec;

use super::primitive_record::{CullReason, Outcode, PartRecord, PrimitiveRecord};
use super::vertex_stages::VertexStages;
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::{PrimitiveType, VertexType};
use crate::pipeline::geometry::cull::Culling;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex};

/// A primitive completed by a VAP. Its vertices are already in screen space.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// /// Returns whether an immediate draw bypasses the transform.
/// fn is_through(draw: &pspge::ImmediateDraw<'_>) -> bool {
///     draw.is_through()
/// }
/// ```
#[derive(Clone, Debug)]
pub struct ImmediateDraw<'a> {
    /// The registers when this VAP runs. The primitive's own switches replace those in the registers.
    pub registers: &'a Registers,
    /// Where the command word is stored.
    pub at: Address,
    /// This draw's number in the run, from 0. PRIM, BEZIER and SPLINE count as well.
    pub number: u64,
    /// The primitive type; never [`PrimitiveType::CONTINUE`].
    pub primitive: PrimitiveType,
    /// One to three vertices, in the order of their VAPs.
    pub vertices: ArrayVec<ScreenVertex, 3>,
    /// Whether the winding is reversed, as in every second triangle of a strip.
    pub reversed: bool,
    /// Whether to draw triangles as their three edges, because the [`Overrides`](crate::ge::overrides::Overrides)
    /// ask for it.
    pub wireframe: bool,
    /// Whether to read texels from memory, bypassing the texture cache.
    pub uncached: bool,
}

impl ImmediateDraw<'_> {
    /// Whether the vertices are in through mode, which ignores fog and secondary colour.
    #[must_use]
    pub fn is_through(&self) -> bool {
        self.registers.get::<VertexType>().through
    }

    /// Builds the primitive for the rasterizer, or returns `None` if it is culled. This never clips.
    #[must_use]
    pub fn to_screen(&self, arithmetic: Arithmetic) -> Option<ScreenPrimitive> {
        self.lower(arithmetic).ok()
    }

    fn lower(&self, arithmetic: Arithmetic) -> Result<ScreenPrimitive, CullReason> {
        let culling = Culling::new(self.registers, arithmetic);
        culling.build(self.primitive, &self.vertices, self.reversed, self.is_through())
    }

    /// Iterates over the vertices' stages. Only the screen stage exists, because no matrix was applied.
    #[doc(hidden)]
    pub fn vertex_stages(&self) -> impl Iterator<Item = VertexStages> {
        let stages = |vertex: &ScreenVertex| VertexStages {
            model: None,
            spaces: None,
            screen: *vertex,
            outcode: Outcode::empty(),
        };
        self.vertices.iter().map(stages)
    }

    /// Builds the primitive as [`Self::to_screen`] does, and returns its record.
    #[doc(hidden)]
    #[must_use]
    pub fn record(&self, arithmetic: Arithmetic) -> PrimitiveRecord {
        let mut record = PrimitiveRecord {
            merged: 1,
            vertices: (0..).take(self.vertices.len()).collect(),
            reversed: self.reversed,
            ..PrimitiveRecord::default()
        };
        record.push(PartRecord::new(&self.vertices, self.lower(arithmetic)));
        record
    }
}
