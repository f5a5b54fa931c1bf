//! Decodes vertex bytes.
//! Source: [component decoding](crate::reference::ge::vertices#component-decoding).

use super::attributes::{LastAttributes, Vertex};
use super::layout::VertexLayout;
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat};

/// Decodes one frame of a vertex. Bytes past the end of `frame` read as 0.
pub(super) fn decode(
    layout: &VertexLayout,
    frame: &[u8],
    default_color: [u8; 4],
    last: LastAttributes,
) -> Vertex {
    let vertex_type = layout.vertex_type();
    let through = vertex_type.through;
    let mut vertex = Vertex {
        texcoord: last.texcoord,
        normal: last.normal,
        color: color(vertex_type.color, frame, layout.color()).unwrap_or(default_color),
        ..Vertex::default()
    };
    for (weight, nth) in vertex.weights.iter_mut().zip(0..vertex_type.weights()) {
        *weight = unsigned(vertex_type.weight, frame, 0, nth, false);
    }
    if vertex_type.texcoord != ComponentFormat::NONE {
        vertex.texcoord =
            [0, 1].map(|nth| unsigned(vertex_type.texcoord, frame, layout.texcoord(), nth, through));
    }
    if vertex_type.normal != ComponentFormat::NONE {
        vertex.normal = [0, 1, 2].map(|nth| signed(vertex_type.normal, frame, layout.normal(), nth));
    }
    vertex.position = if through {
        through_position(vertex_type.position, frame, layout.position())
    } else {
        [0, 1, 2].map(|nth| clamp_to_finite(signed(vertex_type.position, frame, layout.position(), nth)))
    };
    vertex
}

/// Decodes a texture coordinate or weight. 8-bit texture coordinates are divided even in through mode.
fn unsigned(format: ComponentFormat, frame: &[u8], start: u32, nth: usize, through: bool) -> f32 {
    let start = start as usize;
    match format {
        ComponentFormat::BITS8 => f32::from(u8_at(frame, start.wrapping_add(nth))) / 128.0,
        ComponentFormat::BITS16 => {
            let value = f32::from(u16_at(frame, start.wrapping_add(nth.wrapping_mul(2))));
            if through { value } else { value / 32768.0 }
        }
        ComponentFormat::FLOAT => f32_at(frame, start.wrapping_add(nth.wrapping_mul(4))),
        _ => 0.0,
    }
}

/// Decodes a component of a position or normal, except in through mode.
fn signed(format: ComponentFormat, frame: &[u8], start: u32, nth: usize) -> f32 {
    let start = start as usize;
    match format {
        ComponentFormat::BITS8 => f32::from(u8_at(frame, start.wrapping_add(nth)).cast_signed()) / 128.0,
        ComponentFormat::BITS16 => {
            f32::from(u16_at(frame, start.wrapping_add(nth.wrapping_mul(2))).cast_signed()) / 32768.0
        }
        ComponentFormat::FLOAT => f32_at(frame, start.wrapping_add(nth.wrapping_mul(4))),
        _ => 0.0,
    }
}

/// Replaces infinity and NaN by the largest finite number of their sign, so that a matrix element 0 makes 0
/// of it. Assumed: PPSSPP does so, and a game draws sprites whose depth it never writes.
/// Source: [NaN and infinity](crate::reference::ge::numbers#nan-and-infinity).
const fn clamp_to_finite(value: f32) -> f32 {
    if value.is_finite() { value } else { f32::MAX.copysign(value) }
}

/// Decodes pixels and depth. 8-bit positions become the origin; 16-bit depth is unsigned.
fn through_position(format: ComponentFormat, frame: &[u8], start: u32) -> [f32; 3] {
    let start = start as usize;
    match format {
        ComponentFormat::BITS16 => [
            f32::from(u16_at(frame, start).cast_signed()),
            f32::from(u16_at(frame, start.wrapping_add(2)).cast_signed()),
            f32::from(u16_at(frame, start.wrapping_add(4))),
        ],
        ComponentFormat::FLOAT => [0, 4, 8].map(|offset| f32_at(frame, start.wrapping_add(offset))),
        _ => [0.0; 3],
    }
}

fn color(format: ColorFormat, frame: &[u8], start: u32) -> Option<[u8; 4]> {
    let start = start as usize;
    Some(match format {
        ColorFormat::BGR5650 => crate::ge::color::unpack_5650(u16_at(frame, start)),
        ColorFormat::ABGR5551 => crate::ge::color::unpack_5551(u16_at(frame, start)),
        ColorFormat::ABGR4444 => crate::ge::color::unpack_4444(u16_at(frame, start)),
        ColorFormat::ABGR8888 => array_at(frame, start),
        _ => return None,
    })
}

fn array_at<const N: usize>(bytes: &[u8], start: usize) -> [u8; N] {
    bytes.get(start..).and_then(|rest| rest.first_chunk()).copied().unwrap_or([0; N])
}

fn u8_at(bytes: &[u8], start: usize) -> u8 {
    bytes.get(start).copied().unwrap_or(0)
}

fn u16_at(bytes: &[u8], start: usize) -> u16 {
    u16::from_le_bytes(array_at(bytes, start))
}

fn f32_at(bytes: &[u8], start: usize) -> f32 {
    f32::from_le_bytes(array_at(bytes, start))
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::registers::field::View;
    use crate::ge::registers::vertex::VertexType;

    fn decoded(argument: u32, frame: &[u8]) -> Vertex {
        let layout = VertexLayout::new(VertexType::from_argument(argument));
        decode(&layout, frame, [1, 2, 3, 4], LastAttributes { texcoord: [9.0, 8.0], normal: [7.0, 6.0, 5.0] })
    }

    #[test]
    fn integers_are_divided_by_powers_of_two() {
        // Two u8 weights, u8 texture coordinates, s8 normal, s16 position.
        let argument = 1 | 1 << 5 | 2 << 7 | 1 << 9 | 1 << 14;
        let vertex = decoded(argument, &[128, 64, 255, 0, 0x80, 0x7F, 0, 0, 0x00, 0x80, 0xFF, 0x7F, 0, 0x40]);
        assert_eq!(vertex.weights[..3], [1.0, 0.5, 0.0], "weights /128");
        assert_eq!(vertex.texcoord, [255.0 / 128.0, 0.0], "coordinates /128");
        assert_eq!(vertex.normal, [-1.0, 127.0 / 128.0, 0.0], "normals /128");
        assert_eq!(vertex.position, [-1.0, 32767.0 / 32768.0, 0.5], "positions /32768");
        assert_eq!(vertex.color, [1, 2, 3, 4], "material colour if the vertex has none");
    }

    #[test]
    fn missing_attributes_come_from_last_vertex() {
        let vertex = decoded(2 << 7, &[0; 6]);
        assert_eq!(
            (vertex.texcoord, vertex.normal),
            ([9.0, 8.0], [7.0, 6.0, 5.0]),
            "from the previous vertex"
        );
    }

    #[test]
    fn decodes_through_mode() {
        let through = 1 << 23;
        let vertex = decoded(through | 1 | 2 << 7, &[128, 255, 0xFF, 0xFF, 1, 0, 0xFF, 0xFF]);
        assert_eq!(vertex.texcoord, [1.0, 255.0 / 128.0], "8-bit coordinates are still /128");
        assert_eq!(vertex.position, [-1.0, 1.0, 65535.0], "depth is unsigned");
        assert_eq!(
            decoded(through | 1 << 7, &[1, 2, 3]).position,
            [0.0; 3],
            "8-bit positions become the origin"
        );
        assert_eq!(decoded(through | 2, &[7, 0, 9, 0]).texcoord, [7.0, 9.0], "16-bit coordinates are texels");
    }

    #[test]
    fn short_frames_read_as_zero() {
        assert_eq!(decoded(3 << 7, &[0, 0, 0x80, 0x3F, 1]).position, [1.0, 0.0, 0.0], "truncated vertex");
    }
}
