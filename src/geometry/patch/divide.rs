//! One Bezier piece of four by four control points to a grid of vertices.
//!
//! # Invariants
//! Vertices on the common border of two pieces are equal where their control points are, and so are those of a piece
//! and of the same piece turned around, but for the middle of an even number of quads, which may be a step off.
//! Source: `ge-reference.md` §10.2. Generated texture coordinates and normals are assumed: no test shows them.

use super::attributes::{Attributes, position, unpack};
use super::curve::bezier;
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
    pub(super) fn divide(&self, columns: [[Attributes; 4]; 4], place: [u32; 2]) -> Vec<Vertex> {
        let [across, down] = self.quads;
        let mut vertices = Vec::new();
        for j in 0..=down {
            let curves = columns.map(|points| at_step(points, j, down));
            for i in 0..=across {
                let (point, along_u) = at_step(curves.map(|(point, _)| point), i, across);
                let (along_v, _) = at_step(curves.map(|(_, tangent)| tangent), i, across);
                let mut vertex = unpack(point);
                if self.generates_texcoords {
                    let (u, v) = (parameter(i, across), parameter(j, down));
                    vertex.texcoord = [whole(place[0]) + u, whole(place[1]) + v];
                }
                if self.generates_normals {
                    vertex.normal = self.normal(position(along_u), position(along_v));
                }
                vertices.push(vertex);
            }
        }
        vertices
    }

    /// The cross product of both directions, with length 1; z where there is none.
    fn normal(&self, [ax, ay, az]: Vector3<f32>, [bx, by, bz]: Vector3<f32>) -> Vector3<f32> {
        let cross = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
        let unit = normalize(cross);
        let unit = if unit == [0.0; 3] { [0.0, 0.0, 1.0] } else { unit };
        if self.turns_normals { unit.map(|component| -component) } else { unit }
    }
}

/// The point of a Bezier curve at `step` of `steps` and a third of its derivative, measured from the nearer end as
/// between the knots of splines. For curves it is assumed: the hardware's pictures fit either way. Games lay a piece
/// over the same piece turned around and expect equal depth, at divisions where steps are cut off.
fn at_step([a, b, c, d]: [Attributes; 4], step: u32, steps: u32) -> (Attributes, Attributes) {
    if step <= steps - step {
        return bezier([a, b, c, d], parameter(step, steps));
    }
    let (point, back) = bezier([d, c, b, a], parameter(steps - step, steps));
    (point, back.map(|component| -component))
}

/// `step` of `steps`.
fn parameter(step: u32, steps: u32) -> f32 {
    let [step, steps] = [step, steps].map(|n| f32::from(u8::try_from(n).unwrap_or(u8::MAX)));
    step / steps
}

fn whole(number: u32) -> f32 {
    f32::from(u8::try_from(number).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::attributes::pack;
    use super::*;
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
        Divider::new(registers, quads).divide(columns, [3, 0])
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
        let half_root = std::f32::consts::FRAC_1_SQRT_2;
        let slanted = [-half_root, 0.0, half_root];
        assert_eq!(piece(&registers, [1, 1])[0].normal, slanted, "missing");
        registers.write(Command::new(Opcode::VTYPE, 3 << 5));
        assert_eq!(piece(&registers, [1, 1])[0].normal, [0.0, 1.0, 0.0], "that of the control points");
        registers.write(Command::new(Opcode::LIGHTINGENABLE, 1));
        assert_eq!(piece(&registers, [1, 1])[0].normal, slanted, "light");
        registers.write(Command::new(Opcode::PATCHFACING, 1));
        assert_eq!(piece(&registers, [1, 1])[0].normal, slanted.map(|n| -n), "turned");
    }

    /// Thirteenths are cut off, and games draw the same piece from both ends.
    #[test]
    fn pieces_turned_around_have_the_same_vertices() {
        let place = |at: f32| 200.0 + 13.3 * at;
        let columns = [0.0, 0.1, 2.7, 3.0].map(|x| {
            [0.0, 0.7, 2.0, 3.0]
                .map(|z| pack(&Vertex { position: [place(x), 7.0 * z, place(z)], ..Vertex::default() }))
        });
        let mut turned = columns;
        turned.reverse();
        for points in &mut turned {
            points.reverse();
        }
        let divider = Divider::new(&Registers::new(), [13, 5]);
        let positions = |columns| {
            let vertices = divider.divide(columns, [0, 0]);
            vertices.iter().map(|vertex| vertex.position).collect::<Vec<_>>()
        };
        let (straight, mut backwards) = (positions(columns), positions(turned));
        backwards.reverse();
        assert_eq!(straight, backwards, "the same grid from its other end");
    }

    #[test]
    fn a_point_has_a_normal() {
        let columns = [[pack(&Vertex::default()); 4]; 4];
        let vertices = Divider::new(&Registers::new(), [1, 1]).divide(columns, [0, 0]);
        assert_eq!(vertices[0].normal, [0.0, 0.0, 1.0], "no direction at all");
    }
}
