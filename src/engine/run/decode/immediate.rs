//! Decodes immediate primitives, whose vertices come from registers.
//!
//! They decode like a draw in through mode: positions in pixels, texture coordinates in level 0's texels.

use super::decoded::{DecodedDraw, DecodedVertex, keeps_clockwise};
use crate::ge::opcode::Opcode;
use crate::ge::registers::texture::TextureSize;
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, VertexType};
use crate::pipeline::draw::ImmediateDraw;
use crate::pipeline::geometry::assemble::Assembled;
use crate::pipeline::primitive::ScreenVertex;

/// Decodes an immediate primitive, for programs that handle it like any other draw.
#[doc(hidden)]
#[must_use]
pub fn decode_immediate(draw: &ImmediateDraw<'_>) -> DecodedDraw {
    let textured = draw.registers.is_on(Opcode::TEXENABLE);
    let mut decoded = DecodedDraw {
        at: draw.at,
        number: draw.number,
        primitive: draw.primitive,
        vertex_type: VertexType {
            texcoord: if textured { ComponentFormat::FLOAT } else { ComponentFormat::NONE },
            color: ColorFormat::ABGR8888,
            position: ComponentFormat::FLOAT,
            through: true,
            ..VertexType::default()
        },
        vertices: draw.vertices.iter().map(|vertex| decode_vertex(draw, vertex)).collect(),
        triangles: Vec::new(),
        pairs: Vec::new(),
        points: Vec::new(),
    };
    let vertices = (0..).take(draw.vertices.len()).collect();
    let assembled = Assembled { vertices, reversed: draw.reversed };
    decoded.add(&assembled, keeps_clockwise(draw.registers), |number| number);
    decoded
}

#[expect(clippy::cast_precision_loss, reason = "positions from registers have 17 bits")]
fn decode_vertex(draw: &ImmediateDraw<'_>, vertex: &ScreenVertex) -> DecodedVertex {
    let [s, t, q] = vertex.texture;
    let texcoord = if draw.is_through() {
        [s, t]
    } else {
        let size: TextureSize = draw.registers.view(Opcode::TEXSIZE0);
        let texels = |log2: u8| f32::from(1_u16 << (log2 & 15));
        [s / q * texels(size.width_log2), t / q * texels(size.height_log2)]
    };
    DecodedVertex {
        position: [vertex.x as f32 / 16.0, vertex.y as f32 / 16.0, f32::from(vertex.z)],
        texcoord: texcoord.map(|texel| if texel.is_finite() { texel } else { 0.0 }),
        color: vertex.color,
        ..DecodedVertex::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::command::Command;
    use crate::ge::registers::Registers;
    use crate::ge::registers::vertex::PrimitiveType;

    #[test]
    fn decodes_as_through_mode() {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::TEXENABLE, 1));
        registers.write(Command::new(Opcode::TEXSIZE0, 0x304));
        let vertex =
            ScreenVertex { x: 24, y: -16, z: 7, texture: [0.5, 1.0, 2.0], ..ScreenVertex::default() };
        let draw = ImmediateDraw {
            registers: &registers,
            at: Address::new(4),
            number: 9,
            primitive: PrimitiveType::TRIANGLES,
            vertices: [vertex; 3].into(),
            reversed: true,
            wireframe: false,
            uncached: false,
        };
        let decoded = decode_immediate(&draw);
        assert_eq!(decoded.vertices[0].position, [1.5, -1.0, 7.0], "pixels and depth");
        assert_eq!(decoded.vertices[0].texcoord, [4.0, 4.0], "texels, after division by q");
        assert_eq!(decoded.triangles, [[1, 0, 2]], "the kept face is counter-clockwise");
        assert!(decoded.vertex_type.through && decoded.has_texcoords(), "vertex layout");
    }
}
