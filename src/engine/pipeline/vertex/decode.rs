//! Decodes vertex bytes.
//!
//! Each component is decoded for all vertices in a loop of its own, to look up its format only once.
//! Source: [component decoding](crate::reference::ge::vertices#component-decoding).

use super::attributes::Vertex;
use crate::ge::color::{unpack_4444, unpack_5551, unpack_5650};
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat};
use crate::ge::vertex_layout::VertexLayout;

/// Decodes a frame for each vertex. If the layout lacks a component, `vertices` already hold its value. Bytes past
/// a frame's end read as 0.
pub(super) fn decode<'f>(
    layout: &VertexLayout,
    frames: impl Iterator<Item = &'f [u8]> + Clone,
    vertices: &mut [Vertex],
) {
    let vertex_type = layout.vertex_type();
    let through = vertex_type.through;
    let mut components = Components { frames, vertices };
    components.weights(vertex_type.weight, vertex_type.weights());
    components.texcoord(vertex_type.texcoord, layout.texcoord(), through);
    components.color(vertex_type.color, layout.color());
    components.normal(vertex_type.normal, layout.normal());
    if through {
        components.through_position(vertex_type.position, layout.position());
    } else {
        components.position(vertex_type.position, layout.position());
    }
}

/// The frames to decode, and the vertices to fill from them.
struct Components<'v, F> {
    frames: F,
    vertices: &'v mut [Vertex],
}

impl<'f, F: Iterator<Item = &'f [u8]> + Clone> Components<'_, F> {
    /// Calls `set` with each vertex and its component's bytes at offset `start`.
    #[inline(always)]
    fn each<const BYTES: usize>(&mut self, start: u32, set: impl Fn(&mut Vertex, [u8; BYTES])) {
        for (vertex, frame) in self.vertices.iter_mut().zip(self.frames.clone()) {
            set(vertex, array_at(frame, start as usize));
        }
    }

    /// Decodes `count` weights, which are always at offset 0.
    fn weights(&mut self, format: ComponentFormat, count: usize) {
        if count == 0 {
            return;
        }
        for (vertex, frame) in self.vertices.iter_mut().zip(self.frames.clone()) {
            let weights = vertex.weights.iter_mut().take(count);
            match format {
                ComponentFormat::BITS8 => {
                    weights.zip(frame).for_each(|(weight, byte)| *weight = u8_fraction(*byte));
                }
                ComponentFormat::BITS16 => {
                    let bytes = frame.as_chunks().0.iter();
                    weights.zip(bytes).for_each(|(weight, bytes)| *weight = u16_fraction(*bytes));
                }
                _ => {
                    let bytes = frame.as_chunks().0.iter();
                    weights.zip(bytes).for_each(|(weight, bytes)| *weight = f32::from_le_bytes(*bytes));
                }
            }
        }
    }

    /// Decodes texture coordinates. 8-bit ones are divided even in through mode.
    fn texcoord(&mut self, format: ComponentFormat, start: u32, through: bool) {
        match format {
            ComponentFormat::BITS8 => {
                self.each(start, |vertex, [u, v]| vertex.texcoord = [u8_fraction(u), u8_fraction(v)]);
            }
            ComponentFormat::BITS16 if through => self.each(start, |vertex, [a, b, c, d]| {
                vertex.texcoord = [f32::from(u16_from([a, b])), f32::from(u16_from([c, d]))];
            }),
            ComponentFormat::BITS16 => self.each(start, |vertex, [a, b, c, d]| {
                vertex.texcoord = [u16_fraction([a, b]), u16_fraction([c, d])];
            }),
            ComponentFormat::FLOAT => self.each(start, |vertex, [a, b, c, d, e, f, g, h]| {
                vertex.texcoord = [f32::from_le_bytes([a, b, c, d]), f32::from_le_bytes([e, f, g, h])];
            }),
            _ => {}
        }
    }

    fn color(&mut self, format: ColorFormat, start: u32) {
        match format {
            ColorFormat::BGR5650 => {
                self.each(start, |vertex, bytes| vertex.color = unpack_5650(u16_from(bytes)));
            }
            ColorFormat::ABGR5551 => {
                self.each(start, |vertex, bytes| vertex.color = unpack_5551(u16_from(bytes)));
            }
            ColorFormat::ABGR4444 => {
                self.each(start, |vertex, bytes| vertex.color = unpack_4444(u16_from(bytes)));
            }
            ColorFormat::ABGR8888 => self.each(start, |vertex, bytes| vertex.color = bytes),
            _ => {}
        }
    }

    fn normal(&mut self, format: ComponentFormat, start: u32) {
        self.vectors(format, start, |vertex, normal| vertex.normal = normal);
    }

    /// Decodes positions outside through mode.
    fn position(&mut self, format: ComponentFormat, start: u32) {
        self.vectors(format, start, |vertex, [x, y, z]| {
            vertex.position = [clamp_to_finite(x), clamp_to_finite(y), clamp_to_finite(z)];
        });
    }

    /// Decodes positions or normals, except in through mode.
    #[inline(always)]
    fn vectors(&mut self, format: ComponentFormat, start: u32, set: impl Fn(&mut Vertex, [f32; 3])) {
        match format {
            ComponentFormat::BITS8 => self.each(start, |vertex, [x, y, z]| {
                set(vertex, [i8_fraction(x), i8_fraction(y), i8_fraction(z)]);
            }),
            ComponentFormat::BITS16 => self.each(start, |vertex, [a, b, c, d, e, f]| {
                set(vertex, [i16_fraction([a, b]), i16_fraction([c, d]), i16_fraction([e, f])]);
            }),
            ComponentFormat::FLOAT => self.each(start, |vertex, bytes| set(vertex, floats(bytes))),
            _ => {}
        }
    }

    /// Decodes pixels and depth for through mode. 8-bit positions become the origin; 16-bit depth is unsigned.
    fn through_position(&mut self, format: ComponentFormat, start: u32) {
        match format {
            ComponentFormat::BITS16 => self.each(start, |vertex, [a, b, c, d, e, f]| {
                let [x, y] = [u16_from([a, b]).cast_signed(), u16_from([c, d]).cast_signed()];
                vertex.position = [f32::from(x), f32::from(y), f32::from(u16_from([e, f]))];
            }),
            ComponentFormat::FLOAT => self.each(start, |vertex, bytes| vertex.position = floats(bytes)),
            _ => {}
        }
    }
}

#[inline(always)]
fn u8_fraction(byte: u8) -> f32 {
    f32::from(byte) / 128.0
}

#[inline(always)]
fn u16_fraction(bytes: [u8; 2]) -> f32 {
    f32::from(u16_from(bytes)) / 32768.0
}

#[inline(always)]
fn i8_fraction(byte: u8) -> f32 {
    f32::from(byte.cast_signed()) / 128.0
}

#[inline(always)]
fn i16_fraction(bytes: [u8; 2]) -> f32 {
    f32::from(u16_from(bytes).cast_signed()) / 32768.0
}

#[inline(always)]
const fn u16_from(bytes: [u8; 2]) -> u16 {
    u16::from_le_bytes(bytes)
}

#[inline(always)]
const fn floats([a, b, c, d, e, f, g, h, i, j, k, l]: [u8; 12]) -> [f32; 3] {
    [f32::from_le_bytes([a, b, c, d]), f32::from_le_bytes([e, f, g, h]), f32::from_le_bytes([i, j, k, l])]
}

/// Replaces infinity and NaN by the largest finite number with the same sign, so that multiplying by a matrix
/// element 0 gives 0. Assumed: PPSSPP does so, and a game draws sprites whose depth it never writes.
/// Source: [NaN and infinity](crate::reference::ge::numbers#nan-and-infinity).
#[inline(always)]
const fn clamp_to_finite(value: f32) -> f32 {
    if value.is_finite() { value } else { f32::MAX.copysign(value) }
}

/// Returns the bytes from `start` on. Past the frame's end they are 0.
#[inline(always)]
fn array_at<const N: usize>(frame: &[u8], start: usize) -> [u8; N] {
    let rest = frame.get(start..).unwrap_or(&[]);
    rest.first_chunk().copied().unwrap_or_else(|| padded(rest))
}

#[cold]
fn padded<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    for (out, byte) in array.iter_mut().zip(bytes) {
        *out = *byte;
    }
    array
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use std::iter;

    use super::*;
    use crate::ge::registers::field::View;
    use crate::ge::registers::vertex::VertexType;

    fn decoded(argument: u32, frame: &[u8]) -> Vertex {
        let layout = VertexLayout::new(VertexType::from_argument(argument));
        let mut vertex = Vertex {
            color: [1, 2, 3, 4],
            texcoord: [9.0, 8.0],
            normal: [7.0, 6.0, 5.0],
            ..Vertex::default()
        };
        decode(&layout, iter::once(frame), std::slice::from_mut(&mut vertex));
        vertex
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

    /// Frames of any bytes, with each format for each component.
    #[test]
    fn vertices_of_a_run_are_decoded_as_alone() {
        let bytes: Vec<u8> = (0..7 * 128_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        let frames = bytes.chunks_exact(128);
        for argument in (0..1 << 11).map(|bits| bits & 0x7FF | 2 << 14 | (bits & 1) << 23) {
            let layout = VertexLayout::new(VertexType::from_argument(argument));
            let mut run = [Vertex::default(); 7];
            decode(&layout, frames.clone(), &mut run);
            for (vertex, frame) in run.into_iter().zip(frames.clone()) {
                let mut alone = [Vertex::default()];
                decode(&layout, iter::once(frame), &mut alone);
                assert_eq!(format!("{vertex:?}"), format!("{:?}", alone[0]), "vertex type {argument:#x}");
            }
        }
    }

    #[test]
    fn short_frames_read_as_zero() {
        let expected = [1.0, f32::from_bits(1), 0.0];
        assert_eq!(decoded(3 << 7, &[0, 0, 0x80, 0x3F, 1]).position, expected, "missing bytes are 0");
    }
}
