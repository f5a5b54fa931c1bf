//! Vertex types of sections: checking the flags, and decoding positions.
//! Source: [vertex flags](crate::reference::formats::bbs#vertex-flags).

use super::problem::BbsPmoProblem;
use crate::ge::registers::field::View as _;
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, IndexFormat, VertexType};

/// Bits of the flags that form the argument of VTYPE.
const VERTEX_TYPE: u32 = 0x00FF_FFFF;
/// Unused bits of VTYPE.
const UNUSED: u32 = 1 << 13 | 1 << 17 | 1 << 21 | 1 << 22;
/// The section header is followed by one colour for all vertices.
pub(super) const UNIFORM_COLOR: u32 = 1 << 24;
/// The section is rigid: its vertices have no weights.
pub(super) const NO_WEIGHTS: u32 = 1 << 25;
/// Bits of unknown meaning.
pub(super) const UNKNOWN: u32 = 3 << 26;

/// Decodes the vertex type of a section's flags.
///
/// # Errors
/// [`BbsPmoProblem::VertexType`] if a section cannot have that type.
pub(super) fn vertex_type(flags: u32, has_skeleton: bool) -> Result<VertexType, BbsPmoProblem> {
    let wrong = |what| Err(BbsPmoProblem::VertexType(what));
    let mut vertex_type = VertexType::from_argument(flags & VERTEX_TYPE);
    let VertexType { color, position, weight, index, morph_count, through, .. } = vertex_type;
    if position == ComponentFormat::NONE {
        return wrong("vertices have no position");
    }
    if color != ColorFormat::NONE && color.bytes() == 0 {
        return wrong("the colour format does not exist");
    }
    if through {
        return wrong("through mode is set");
    }
    if index != IndexFormat::NONE {
        return wrong("vertices have indices");
    }
    if morph_count != 0 {
        return wrong("vertices have morph frames");
    }
    if flags & UNUSED != 0 {
        return wrong("unused bits are set");
    }
    if flags & UNIFORM_COLOR != 0 && color != ColorFormat::NONE {
        return wrong("both the vertices and the section have colours");
    }
    if weight == ComponentFormat::NONE {
        // Without a weight format the count has no meaning.
        vertex_type.weight_count = 0;
    } else if flags & NO_WEIGHTS != 0 {
        return wrong("vertices of a rigid section have weights");
    } else if !has_skeleton {
        return wrong("vertices have weights, but the model has no skeleton");
    }
    Ok(vertex_type)
}

/// Offset and format of a vertex's position, and the size of a vertex in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    position: usize,
    format: ComponentFormat,
    pub(super) bytes: u32,
}

impl Layout {
    /// Computes the layout of a vertex type. Components are stored in the order weights, texture coordinates,
    /// colour, normal, position, each aligned to its element size; the vertex is padded to the largest of
    /// them. Source: [memory layout](crate::reference::ge::vertices#memory-layout).
    pub(super) fn new(vertex_type: VertexType) -> Self {
        let weights = u32::try_from(vertex_type.weights()).unwrap_or(0);
        let components = [
            (vertex_type.weight.bytes(), weights),
            (vertex_type.texcoord.bytes(), 2),
            (vertex_type.color.bytes(), 1),
            (vertex_type.normal.bytes(), 3),
            (vertex_type.position.bytes(), 3),
        ];
        let (mut end, mut position, mut alignment) = (0_u32, 0, 1);
        for (element, count) in components {
            let size = element.max(1);
            position = end.next_multiple_of(size);
            end = position.saturating_add(element.saturating_mul(count));
            alignment = alignment.max(size);
        }
        let position = usize::try_from(position).unwrap_or(usize::MAX);
        Self { position, format: vertex_type.position, bytes: end.next_multiple_of(alignment) }
    }

    /// Decodes the position of a vertex, before the model's scale.
    pub(super) fn position(&self, vertex: &[u8]) -> [f32; 3] {
        let bytes = vertex.get(self.position..).unwrap_or_default();
        let element = |axis: usize| {
            let byte = |i: usize| bytes.get(i).copied().unwrap_or(0);
            match self.format {
                ComponentFormat::BITS8 => f32::from(byte(axis).cast_signed()) / 128.0,
                ComponentFormat::BITS16 => {
                    let at = axis.saturating_mul(2);
                    f32::from(i16::from_le_bytes([byte(at), byte(at.saturating_add(1))])) / 32768.0
                }
                _ => {
                    let at = axis.saturating_mul(4);
                    f32::from_le_bytes([0, 1, 2, 3].map(|i: usize| byte(at.saturating_add(i))))
                }
            }
        };
        [0, 1, 2].map(element)
    }
}
