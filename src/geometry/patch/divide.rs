//! One Bezier piece of four by four control points to a grid of vertices.
//!
//! # Invariants
//! Vertices on the common border of two pieces are equal where their control points are.
//! Source: `ge-reference.md` §10.2. Generated texture coordinates and normals are assumed: no test shows them.

use super::attributes::{Attributes, position, unpack};
use super::curve::bezier;
use crate::arithmetic::Real;
use crate::geometry::math::{Vector3, normalize};
use crate::opcode::Opcode;
use crate::registers::Registers;
use crate::registers::vertex::{ComponentFormat, VertexType};
use crate::vertex::Vertex;

/// How pieces are divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divider {
    quads: [u32; 2],
    generates_texcoords: bool,
    generates_normals: bool,
    turns_normals: bool,
}

impl Divider {
    /// For pieces of so many quads in the u and v direction.
    pub(super) fn new(registers: &Registers, quads: [u32; 2]) -> Self {
        let vertex_type: VertexType = registers.get();
        Self {
            quads,
            generates_texcoords: vertex_type.texcoord == ComponentFormat::NONE,
            // Light takes the surface as it is, whatever normals the control points have.
            generates_normals: vertex_type.normal == ComponentFormat::NONE
                || registers.is_on(Opcode::LIGHTINGENABLE),
            turns_normals: registers.is_on(Opcode::PATCHFACING),
        }
    }

    /// The vertices of the piece with this place among all pieces, row by row. `columns` are four curves in the v
    /// direction.
    pub(super) fn divide<R: Real>(&self, columns: [[Attributes<R>; 4]; 4], place: [u32; 2]) -> Vec<Vertex> {
        let [across, down] = self.quads;
        let mut vertices = Vec::new();
        for j in 0..=down {
            let v = parameter::<R>(j, down);
            let curves = columns.map(|points| bezier(points, v));
            for i in 0..=across {
                let u = parameter::<R>(i, across);
                let (point, along_u) = bezier(curves.map(|(point, _)| point), u);
                let (along_v, _) = bezier(curves.map(|(_, tangent)| tangent), u);
                let mut vertex = unpack(point);
                if self.generates_texcoords {
                    vertex.texcoord = [whole::<R>(place[0]) + u, whole::<R>(place[1]) + v].map(R::to_f32);
                }
                if self.generates_normals {
                    vertex.normal = self.normal(position(along_u), position(along_v)).map(R::to_f32);
                }
                vertices.push(vertex);
            }
        }
        vertices
    }

    /// The cross product of both directions, with length 1; z where there is none.
    fn normal<R: Real>(&self, [ax, ay, az]: Vector3<R>, [bx, by, bz]: Vector3<R>) -> Vector3<R> {
        let cross = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
        let unit = normalize(cross);
        let unit = if unit == [R::ZERO; 3] { [R::ZERO, R::ZERO, R::ONE] } else { unit };
        if self.turns_normals { unit.map(|component| -component) } else { unit }
    }
}

/// `step` of `steps`, cut off.
fn parameter<R: Real>(step: u32, steps: u32) -> R {
    let [step, steps] = [step, steps].map(|n| f32::from(u8::try_from(n).unwrap_or(u8::MAX)));
    R::from_f32(step / steps)
}

fn whole<R: Real>(number: u32) -> R {
    R::from_f32(f32::from(u8::try_from(number).unwrap_or(u8::MAX)))
}

#[cfg(test)]
mod tests {
    use super::super::attributes::pack;
    use super::*;
    use crate::arithmetic::Hf16;
    use crate::command::Command;

    /// A piece over the unit square, z along u.
    fn piece(registers: &Registers, quads: [u32; 2]) -> Vec<Vertex> {
        let thirds = [0.0, 1.0, 2.0, 3.0];
        let columns = thirds.map(|x| {
            thirds.map(|y| {
                let vertex = Vertex { position: [x, y, x], normal: [0.0, 1.0, 0.0], ..Vertex::default() };
                pack(&vertex)
            })
        });
        Divider::new(registers, quads).divide::<Hf16>(columns, [3, 0])
    }

    #[test]
    fn texture_coordinates_count_pieces() {
        let vertices = piece(&Registers::new(), [2, 4]);
        assert_eq!(vertices[0].texcoord, [3.0, 0.0], "first vertex of the fourth piece");
        assert_eq!(vertices[4].texcoord, [3.5, 0.25], "second row, second column");
        assert_eq!(vertices.len(), 15, "three by five");
    }

    #[test]
    fn normals_are_generated_where_they_are_missing_or_light_shines() {
        let mut registers = Registers::new();
        let half_root = 46_341.0 / 65_536.0;
        let slanted = [-half_root, 0.0, half_root];
        assert_eq!(piece(&registers, [1, 1])[0].normal, slanted, "missing");
        registers.write(Command::new(Opcode::VTYPE, 3 << 5));
        assert_eq!(piece(&registers, [1, 1])[0].normal, [0.0, 1.0, 0.0], "that of the control points");
        registers.write(Command::new(Opcode::LIGHTINGENABLE, 1));
        assert_eq!(piece(&registers, [1, 1])[0].normal, slanted, "light");
        registers.write(Command::new(Opcode::PATCHFACING, 1));
        assert_eq!(piece(&registers, [1, 1])[0].normal, slanted.map(|n| -n), "turned");
    }

    #[test]
    fn a_point_has_a_normal() {
        let columns = [[pack::<f32>(&Vertex::default()); 4]; 4];
        let vertices = Divider::new(&Registers::new(), [1, 1]).divide(columns, [0, 0]);
        assert_eq!(vertices[0].normal, [0.0, 0.0, 1.0], "no direction at all");
    }
}
