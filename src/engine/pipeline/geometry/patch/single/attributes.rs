//! Flattens control points' attributes to numbers, so that a curve can interpolate them all alike.
//!
//! Colours are rounded up. Unless normals are generated, they follow the same curves.

use super::curve::CurvePoint;
use crate::pipeline::geometry::math::Vector3;
use crate::pipeline::vertex::Vertex;

/// Position, normal, texture coordinates and colour.
pub(super) type ControlAttributes = CurvePoint<12>;

/// Packs a control point's attributes for curves to interpolate.
pub(super) fn pack(vertex: &Vertex) -> ControlAttributes {
    let ([x, y, z], [nx, ny, nz], [u, v]) = (vertex.position, vertex.normal, vertex.texcoord);
    let [red, green, blue, alpha] = vertex.color.map(f32::from);
    [x, y, z, nx, ny, nz, u, v, red, green, blue, alpha]
}

/// Unpacks a vertex from its attributes.
pub(super) fn unpack(attributes: ControlAttributes) -> Vertex {
    let [x, y, z, nx, ny, nz, u, v, red, green, blue, alpha] = attributes;
    Vertex {
        position: [x, y, z],
        normal: [nx, ny, nz],
        texcoord: [u, v],
        color: [red, green, blue, alpha].map(byte),
        weights: [0.0; 8],
    }
}

/// Returns the position. For a tangent this is its direction in space.
pub(super) fn position([x, y, z, ..]: ControlAttributes) -> Vector3<f32> {
    [x, y, z]
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
fn byte(value: f32) -> u8 {
    value.ceil() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_colors_up() {
        let mut attributes = pack(&Vertex { color: [255, 1, 0, 7], ..Vertex::default() });
        assert_eq!(unpack(attributes).color, [255, 1, 0, 7], "integers are unchanged");
        attributes[9] = 251.25;
        assert_eq!(unpack(attributes).color[1], 252, "green");
    }
}
