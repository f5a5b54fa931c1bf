//! A draw's geometry in world space.

use crate::ge::address::Address;
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, PrimitiveType, VertexType};
use crate::pipeline::draw::Draw;
use crate::pipeline::geometry::assemble::Assembled;

/// A vertex in world space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DecodedVertex {
    /// Its number in memory, counted from the draw's vertex pointer; `None` for one that an earlier draw left over, that
    /// lies on a patch or that came from registers.
    pub index: Option<u32>,
    /// Position in world space; pixels in through mode.
    pub position: [f32; 3],
    /// Normal in world space, with the length that the matrices gave it.
    pub normal: [f32; 3],
    /// Texture coordinates after scale and offset, or of the environment map; texels in through mode.
    pub texcoord: [f32; 2],
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
    /// Weights of the bone matrices.
    pub weights: [f32; 8],
}

/// A draw's geometry.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodedDraw {
    /// Address of the PRIM or VAP.
    pub at: Address,
    /// The draw's number in the run.
    pub number: u64,
    /// What is drawn; a continuation counts as what it continues.
    pub primitive: PrimitiveType,
    /// The vertex layout.
    pub vertex_type: VertexType,
    /// The vertices.
    pub vertices: Vec<DecodedVertex>,
    /// Triangles as places in [`Self::vertices`], strips and fans taken apart, all wound so that the face that CULL
    /// keeps is counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
    /// Lines and rectangles as places in [`Self::vertices`].
    pub pairs: Vec<[u32; 2]>,
    /// Points as places in [`Self::vertices`].
    pub points: Vec<u32>,
}

impl DecodedDraw {
    /// Whether the vertices carry texture coordinates.
    #[must_use]
    pub fn has_texcoords(&self) -> bool {
        self.vertex_type.texcoord != ComponentFormat::NONE
    }

    /// Whether the vertices carry normals.
    #[must_use]
    pub fn has_normals(&self) -> bool {
        self.vertex_type.normal != ComponentFormat::NONE
    }

    /// Whether the vertices carry colours.
    #[must_use]
    pub fn has_colors(&self) -> bool {
        self.vertex_type.color.bytes() > 0 && self.vertex_type.color != ColorFormat::NONE
    }

    pub(crate) fn without_vertices(draw: &Draw<'_>) -> Self {
        Self {
            at: draw.at,
            number: draw.number,
            primitive: draw.effective_primitive(),
            vertex_type: draw.registers.get(),
            vertices: Vec::new(),
            triangles: Vec::new(),
            pairs: Vec::new(),
            points: Vec::new(),
        }
    }

    /// Adds a primitive, if the vertices have positions. `slot` says where a vertex of the draw stands.
    pub(super) fn add(&mut self, assembled: &Assembled, keeps_clockwise: bool, slot: impl Fn(u32) -> u32) {
        if self.vertex_type.position == ComponentFormat::NONE {
            return;
        }
        match *assembled.vertices {
            [a, b, c] if assembled.reversed != keeps_clockwise => {
                self.triangles.push([b, a, c].map(slot));
            }
            [a, b, c] => self.triangles.push([a, b, c].map(slot)),
            [a, b] => self.pairs.push([a, b].map(slot)),
            [a] => self.points.push(slot(a)),
            _ => {}
        }
    }
}
