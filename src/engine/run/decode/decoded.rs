//! Holds a draw's decoded geometry.

use crate::ge::address::Address;
use crate::ge::registers::Registers;
use crate::ge::registers::transform::{Cull, CullFace};
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, PrimitiveType, VertexType};
use crate::pipeline::draw::Draw;
use crate::pipeline::geometry::assemble::Assembled;

/// A decoded vertex, with every attribute in a plain format.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DecodedVertex {
    /// The vertex's index in memory, counted from the draw's vertex pointer. `None` if it comes from a patch, from
    /// registers, or from an earlier draw.
    pub index: Option<u32>,
    /// The position in world space, or in pixels in through mode.
    pub position: [f32; 3],
    /// The normal in world space, not normalised.
    pub normal: [f32; 3],
    /// Texture coordinates after scale and offset or environment mapping, or in texels in through mode.
    pub texcoord: [f32; 2],
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
    /// The weights for the bone matrices.
    pub weights: [f32; 8],
}

/// A draw's decoded geometry, ready to export.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// /// Returns the texture coordinates of a decoded draw.
/// fn texcoords(draw: &pspge::DecodedDraw) -> Vec<[f32; 2]> {
///     draw.vertices.iter().map(|vertex| vertex.texcoord).collect()
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DecodedDraw {
    /// The command's address (PRIM, VAP, BEZIER or SPLINE).
    pub at: Address,
    /// The draw's number in this run, from 0.
    pub number: u64,
    /// The primitive type. A continuation has the type that it continues.
    pub primitive: PrimitiveType,
    /// The vertex layout.
    pub vertex_type: VertexType,
    /// The vertices, for the index lists below.
    pub vertices: Vec<DecodedVertex>,
    /// Triangles as indices into [`Self::vertices`]. Strips and fans are split, and the face kept by CULL is
    /// counter-clockwise.
    pub triangles: Vec<[u32; 3]>,
    /// Lines and rectangles as indices into [`Self::vertices`].
    pub pairs: Vec<[u32; 2]>,
    /// Points as indices into [`Self::vertices`].
    pub points: Vec<u32>,
}

/// Whether CULL keeps clockwise triangles. Output triangles are then reversed, so that the visible face is always
/// counter-clockwise.
pub(super) fn keeps_clockwise(registers: &Registers) -> bool {
    registers.get::<Cull>().drop == CullFace::COUNTERCLOCKWISE
}

impl DecodedDraw {
    /// Whether the vertices have texture coordinates.
    #[must_use]
    pub fn has_texcoords(&self) -> bool {
        self.vertex_type.texcoord != ComponentFormat::NONE
    }

    /// Whether the vertices have normals.
    #[must_use]
    pub fn has_normals(&self) -> bool {
        self.vertex_type.normal != ComponentFormat::NONE
    }

    /// Whether the vertices have colours.
    #[must_use]
    pub fn has_colors(&self) -> bool {
        self.vertex_type.color.bytes() > 0 && self.vertex_type.color != ColorFormat::NONE
    }

    /// Returns a draw without vertices and primitives, for decoding to fill in.
    #[doc(hidden)]
    pub fn without_vertices(draw: &Draw<'_>) -> Self {
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

    /// Adds a primitive if the vertices have positions. `slot` maps this draw's vertex numbers to indices in the
    /// list.
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
