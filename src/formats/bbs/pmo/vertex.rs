//! Checks sections' vertex types, and decodes positions. Source:
//! [vertex flags](crate::reference::formats::bbs#vertex-flags).

use super::problem::BbsPmoProblem;
use crate::ge::registers::field::View as _;
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, VertexType};

/// VTYPE bits that no known model uses: indices, morph frames, through mode, and bits without a meaning.
const FOREIGN: u32 = 0xFE_3800;
/// VTYPE bits for the formats of texture coordinates, colours, normals, positions and weights, and for the weight
/// count.
const FORMATS: u32 = 0xFF_FFFF & !FOREIGN;
/// The colour format's bits.
const COLOR: u32 = 7 << 2;
/// Set if a colour for all vertices follows the section header.
pub(super) const UNIFORM_COLOR: u32 = 1 << 24;
/// Set for a rigid section: its vertices have no weights.
pub(super) const NO_WEIGHTS: u32 = 1 << 25;
/// Bits of unknown meaning.
pub(super) const UNKNOWN: u32 = 3 << 26;

/// Decodes the vertex type in a section's flags. This ignores bits found in no known model, and reports them.
pub(super) fn vertex_type(flags: u32, has_skeleton: bool) -> (VertexType, Vec<BbsPmoProblem>) {
    let mut ignored = flags & FOREIGN;
    let color = VertexType::from_argument(flags & COLOR).color;
    // Colour formats 1 to 3 do not exist, and take no bytes.
    if color != ColorFormat::NONE && color.bytes() == 0 {
        ignored |= flags & COLOR;
    }
    let mut vertex_type = VertexType::from_argument(flags & FORMATS & !ignored);
    let mut problems = Vec::new();
    if ignored != 0 {
        problems.push(BbsPmoProblem::VertexType(ignored));
    }
    if flags & UNIFORM_COLOR != 0 && vertex_type.color != ColorFormat::NONE {
        problems.push(BbsPmoProblem::TwoColors);
    }
    if vertex_type.weight == ComponentFormat::NONE {
        // Without a weight format, the count means nothing.
        vertex_type.weight_count = 0;
    } else if flags & NO_WEIGHTS != 0 {
        problems.push(BbsPmoProblem::RigidWeights);
    } else if !has_skeleton {
        problems.push(BbsPmoProblem::WeightsWithoutBones);
    }
    (vertex_type, problems)
}

/// Offset and format to decode a vertex's position, and the vertex size in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    position: usize,
    format: ComponentFormat,
    pub(super) bytes: u32,
}

impl Layout {
    /// Computes the layout for a vertex type. Components come in the order weights, texture coordinates, colour,
    /// normal, position. Each is aligned to its element size, and the vertex is padded to the largest. Source:
    /// [memory layout](crate::reference::ge::vertices#memory-layout).
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

    pub(super) fn has_position(self) -> bool {
        self.format != ComponentFormat::NONE
    }

    /// Decodes a vertex's position, before the model's scale.
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
