//! A vertex's values at each stage, from memory to the screen.

use super::primitive_record::Outcode;
use crate::ge::address::Address;
use crate::pipeline::primitive::ScreenVertex;
use crate::pipeline::vertex::Vertex;

/// A vertex or control point as memory holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceVertex {
    /// The vertex's index and address, or `None` if an earlier draw left it for this draw.
    pub place: Option<(u32, Address)>,
    /// The decoded morph frames; without morphing there is a single frame.
    pub frames: Vec<Vertex>,
    /// The vertex after morphing and skinning.
    pub model: Vertex,
}

/// A vertex at each stage of its transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexStages {
    /// The vertex in model space, after morphing and skinning, or after tessellation for a patch. `None` if
    /// registers hold the vertex.
    pub model: Option<Vertex>,
    /// The positions on the way to the screen. `None` in through mode, or if registers hold the vertex.
    pub spaces: Option<VertexSpaces>,
    /// The vertex on the raster grid, coloured by lighting.
    pub screen: ScreenVertex,
    /// The range tests that this vertex fails.
    pub outcode: Outcode,
}

/// A vertex's positions in each space.
///
/// The hardware first multiplies the matrices, so it needs no position in world space except for lighting. For this
/// reason [`Self::world`] is computed with the world matrix alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VertexSpaces {
    /// The position in world space.
    pub world: [f32; 3],
    /// The position in view space.
    pub view: [f32; 3],
    /// The position in clip space: x, y, z, w.
    pub clip: [f32; 4],
}
