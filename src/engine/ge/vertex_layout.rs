//! Computes where a vertex's components are.
//! Source: [memory layout](crate::reference::ge::vertices#memory-layout).

use crate::ge::never::OrNever;
use crate::ge::registers::vertex::VertexType;

/// How large the largest vertex is. It has eight morph frames, each with eight float weights, float texture
/// coordinates, a 32-bit colour, a float normal and a float position.
/// Source: hardware test `bounding/vertexaddr`.
#[doc(hidden)]
pub const MAX_VERTEX_BYTES: usize = 8 * (8 * 4 + 2 * 4 + 4 + 3 * 4 + 3 * 4);

/// Where vertex components are. Memory holds weights, texture coordinates, colour, normal and position in this
/// order, each aligned to its own element size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexLayout {
    vertex_type: VertexTypeBits,
    texcoord: u32,
    color: u32,
    normal: u32,
    position: u32,
    frame_bytes: u32,
    frames: u32,
}

/// The vertex type's argument bits, to compare and hash layouts by.
type VertexTypeBits = u32;

impl VertexLayout {
    /// Computes the layout for a vertex type.
    #[must_use]
    pub fn new(vertex_type: VertexType) -> Self {
        let mut end = 0_u32;
        let mut alignment = 1;
        let mut add = |element: u32, count: u32| {
            // An absent component still gets an offset, which nothing reads. This must not align or move the
            // others.
            let size = element.max(1);
            let start = aligned(end, size);
            if element > 0 && count > 0 {
                alignment = alignment.max(size);
                end = start.saturating_add(element.saturating_mul(count));
            }
            start
        };
        let weights = u32::try_from(vertex_type.weights()).or_never("a vertex has at most eight weights");
        add(vertex_type.weight.bytes(), weights);
        let texcoord = add(vertex_type.texcoord.bytes(), 2);
        let color = add(vertex_type.color.bytes(), 1);
        let normal = add(vertex_type.normal.bytes(), 3);
        let position = add(vertex_type.position.bytes(), 3);
        Self {
            vertex_type: crate::ge::registers::field::View::to_argument(vertex_type),
            texcoord,
            color,
            normal,
            position,
            frame_bytes: aligned(end, alignment),
            frames: u32::from(vertex_type.morph_count).saturating_add(1),
        }
    }

    /// Returns the vertex type of this layout.
    #[must_use]
    pub fn vertex_type(&self) -> VertexType {
        crate::ge::registers::field::View::from_argument(self.vertex_type)
    }

    /// Returns how many bytes a vertex has, including all morph frames.
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        self.frame_bytes.saturating_mul(self.frames)
    }

    /// Returns how many bytes a morph frame has.
    #[must_use]
    pub const fn frame_bytes(&self) -> u32 {
        self.frame_bytes
    }

    /// Returns where the texture coordinates start in a frame.
    #[must_use]
    pub const fn texcoord(&self) -> u32 {
        self.texcoord
    }

    /// Returns where the colour starts in a frame.
    #[must_use]
    pub const fn color(&self) -> u32 {
        self.color
    }

    /// Returns where the normal starts in a frame.
    #[must_use]
    pub const fn normal(&self) -> u32 {
        self.normal
    }

    /// Returns where the position starts in a frame. Weights need no such method: they are at offset 0.
    #[must_use]
    pub const fn position(&self) -> u32 {
        self.position
    }
}

/// Rounds up to a multiple of a power of two.
const fn aligned(offset: u32, size: u32) -> u32 {
    let mask = size.saturating_sub(1);
    offset.saturating_add(mask) & !mask
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::registers::field::View;

    fn bytes(argument: u32) -> u32 {
        VertexLayout::new(VertexType::from_argument(argument)).bytes()
    }

    /// The steps between sizes in the hardware test `bounding/vertexaddr`.
    #[test]
    fn sizes_match_hardware_test() {
        let position8 = 1 << 7;
        let position16 = 2 << 7;
        let position_float = 3 << 7;
        let all_float = 3 | 7 << 2 | 3 << 5 | position_float;
        let weights = 3 << 9 | 7 << 14;
        assert_eq!(bytes(position8), 3, "s8 position");
        assert_eq!(bytes(position16), 6, "s16 position");
        assert_eq!(bytes(position16 | 1), 8, "u8 coordinates before an s16 position");
        assert_eq!(bytes(position_float), 12, "float position");
        assert_eq!(bytes(all_float | weights), 68, "all components, one frame");
        assert_eq!(bytes(all_float | weights | 7 << 18), 544, "all components, eight frames");
    }

    #[test]
    fn components_align_to_their_own_size() {
        // Three u8 weights, u16 texture coordinates, s8 normal, s16 position: a typical model vertex.
        let layout = VertexLayout::new(VertexType::from_argument(0x8B22));
        assert_eq!(
            (layout.texcoord(), layout.normal(), layout.position(), layout.bytes()),
            (4, 8, 12, 18),
            "3 weights pad to 4, 3 normals pad to 12"
        );
    }

    #[test]
    fn invalid_color_formats_have_size_0() {
        for color in 1..=3 {
            assert_eq!(bytes(color << 2 | 2 << 7), 6, "colour format {color}");
        }
    }
}
