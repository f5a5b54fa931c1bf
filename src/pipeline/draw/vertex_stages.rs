//! The values of a vertex at each stage, from memory to the screen.

use super::primitive_record::Outcode;
use crate::ge::address::Address;
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::vertex::Vertex;

/// A vertex or control point as it is in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceVertex {
    /// Its index and address; `None` if an earlier draw left it for this one.
    pub place: Option<(u32, Address)>,
    /// The decoded morph frames: one without morphing.
    pub frames: Vec<Vertex>,
    /// After morphing and skinning.
    pub model: Vertex,
}

/// A vertex at each stage of its transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexStages {
    /// The vertex in model space, after morphing and skinning, or after the tessellation of a patch; `None` if it was
    /// given in registers.
    pub model: Option<Vertex>,
    /// Its positions on the way to the screen; `None` in through mode, and if it was given in registers.
    pub spaces: Option<VertexSpaces>,
    /// The vertex on the raster grid, with the colours after lighting.
    pub screen: ScreenVertex,
    /// The range tests that it fails.
    pub outcode: Outcode,
}

/// The positions of a vertex in each space.
///
/// The hardware multiplies the matrices with each other first, so that it needs no position in world space unless
/// lighting does; [`Self::world`] is the product with the world matrix alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexSpaces {
    /// World space.
    pub world: [f32; 3],
    /// View space.
    pub view: [f32; 3],
    /// Clip space: x, y, z, w.
    pub clip: [f32; 4],
}
