//! Evaluates sub-patches in singles, for [`Arithmetic::Single`](crate::ge::arithmetic::Arithmetic::Single).
//!
//! The parameter is i/n, measured from the curve's nearer end. Splines become Bezier patches first. Normals are
//! generated and normalised if the control points have none or lighting is on.
//!
//! # Invariants
//! If two sub-patches share control points on a border, their vertices there are equal. A sub-patch and its
//! reversed copy have equal vertices too, except in the middle of an even number of quads, which may differ by one
//! step.

use super::knots::Knots;
use super::positions::PatchPositions;
use super::surface::{Surface, Tessellation};
use crate::ge::arithmetic::simd::{Instructions, Simd, dispatch};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::{ComponentFormat, VertexType};
use crate::pipeline::geometry::math::{Vector3, normalize};
use crate::pipeline::vertex::Vertex;

mod attributes;
mod curve;

use attributes::{ControlAttributes, pack, position, unpack};
use curve::{CurvePoint, CurveStep, bezier, parameter, spline_to_bezier};

/// A draw's settings for all its sub-patches.
#[derive(Clone, Copy, Debug)]
pub(super) struct SingleSettings {
    tessellation: Tessellation,
    generates_normals: bool,
}

impl SingleSettings {
    pub(super) fn new(registers: &Registers, tessellation: Tessellation) -> Self {
        let has_normals = registers.get::<VertexType>().normal != ComponentFormat::NONE;
        Self { tessellation, generates_normals: !has_normals || registers.is_on(Opcode::LIGHTINGENABLE) }
    }
}

pub(super) fn control_point(vertex: &Vertex) -> ControlAttributes {
    pack(vertex)
}

/// A 4×4 part of the control net.
#[derive(Clone, Copy, Debug)]
pub(super) struct SingleSurface<'a> {
    settings: &'a SingleSettings,
    /// The sub-patch's number along u and v.
    index: [u32; 2],
    control: &'a [[ControlAttributes; 4]; 4],
    /// Four Bezier curves along v. At each step, their points are the control points of a curve along u.
    columns: [[ControlAttributes; 4]; 4],
}

impl<'a> SingleSurface<'a> {
    /// Prepares a sub-patch. `knots` are given along u and v if the curves are splines; `control` holds the control
    /// points row by row.
    pub(super) fn new(
        settings: &'a SingleSettings,
        index: [u32; 2],
        knots: [Option<Knots>; 2],
        control: &'a [[ControlAttributes; 4]; 4],
    ) -> Self {
        let [(u, u_knots), (v, v_knots)] = [(index[0], knots[0]), (index[1], knots[1])];
        let to_bezier = |knots: Option<Knots>, span, points| match knots {
            Some(knots) => spline_to_bezier(knots, span, points),
            None => points,
        };
        let rows = control.map(|points| to_bezier(u_knots, u, points));
        let columns = [0, 1, 2, 3].map(|across| to_bezier(v_knots, v, rows.map(|row| row[across])));
        Self { settings, index, control, columns }
    }

    /// Returns the normalised cross product of both tangents, or z if this is zero.
    fn normal(&self, [ax, ay, az]: Vector3<f32>, [bx, by, bz]: Vector3<f32>) -> Vector3<f32> {
        let cross = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
        let unit = normalize(cross);
        let unit = if unit == [0.0; 3] { [0.0, 0.0, 1.0] } else { unit };
        if self.settings.tessellation.facing { unit.map(|component| -component) } else { unit }
    }
}

impl Surface for SingleSurface<'_> {
    fn control_positions(&self) -> [[Vector3<f32>; 4]; 4] {
        self.control.map(|row| row.map(position))
    }

    fn positions(&self, out: &mut PatchPositions) {
        let [across, down] = self.settings.tessellation.quads;
        let columns = self.columns.map(|points| points.map(position));
        let steps: Vec<CurveStep> = (0..=across).map(|step| CurveStep::new(step, across)).collect();
        out.clear((across + 1) as usize * (down + 1) as usize);
        dispatch!(Instructions::Best, simd => for j in 0..=down {
            simd.vectorize(
                #[inline(always)]
                || {
                    let step = CurveStep::new(j, down);
                    add_row(columns.map(|points| step.point(points)), &steps, out);
                },
            );
        });
    }

    fn vertices(&self, numbers: &[u32], _: &PatchPositions, out: &mut Vec<Vertex>) {
        let Tessellation { quads: [across, down], generates_texcoords, .. } = self.settings.tessellation;
        out.reserve(numbers.len());
        for numbers in numbers.chunk_by(|a, b| a / (across + 1) == b / (across + 1)) {
            let j = numbers.first().map_or(0, |number| number / (across + 1));
            let curves = self.columns.map(|points| evaluate(points, j, down));
            let (points, tangents) = (curves.map(|(point, _)| point), curves.map(|(_, tangent)| tangent));
            for number in numbers {
                let i = number % (across + 1);
                let (point, along_u) = evaluate(points, i, across);
                let mut vertex = unpack(point);
                if generates_texcoords {
                    let (u, v) = (parameter(i, across), parameter(j, down));
                    vertex.texcoord = [to_f32(self.index[0]) + u, to_f32(self.index[1]) + v];
                }
                if self.settings.generates_normals {
                    let (along_v, _) = evaluate(tangents.map(position), i, across);
                    vertex.normal = self.normal(position(along_u), along_v);
                }
                out.push(vertex);
            }
        }
    }
}

/// Appends the points on a Bezier curve at these steps.
#[inline(always)]
fn add_row(points: [Vector3<f32>; 4], steps: &[CurveStep], out: &mut PatchPositions) {
    for (number, row) in out.add_row(steps.len()).into_iter().enumerate() {
        let [a, b, c, d] = points.map(|point| [point[number]]);
        for (out, step) in row.iter_mut().zip(steps) {
            let ([point], _) = bezier(if step.reversed { [d, c, b, a] } else { [a, b, c, d] }, step.t);
            *out = point;
        }
    }
}

/// Evaluates a Bezier curve at `step` of `steps`. Returns its point and a third of its derivative. This measures
/// from the nearer end, because games lay a sub-patch over its reversed copy and expect equal depth, even with
/// divisions whose steps are truncated.
fn evaluate<const N: usize>(
    points: [CurvePoint<N>; 4],
    step: u32,
    steps: u32,
) -> (CurvePoint<N>, CurvePoint<N>) {
    let step = CurveStep::new(step, steps);
    let (point, tangent) = bezier(step.order_by_distance(points), step.t);
    (point, if step.reversed { tangent.map(|component| -component) } else { tangent })
}

fn to_f32(number: u32) -> f32 {
    f32::from(u8::try_from(number).unwrap_or(u8::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;

    /// Runs a function with the Bezier sub-patch of these columns, the fourth along u.
    fn with_surface<T>(
        registers: &Registers,
        quads: [u32; 2],
        columns: [[ControlAttributes; 4]; 4],
        run: impl FnOnce(&SingleSurface<'_>) -> T,
    ) -> T {
        let settings = SingleSettings::new(registers, Tessellation { quads, ..Tessellation::new(registers) });
        let rows = [0, 1, 2, 3].map(|row| columns.map(|column| column[row]));
        run(&SingleSurface::new(&settings, [3, 0], [None, None], &rows))
    }

    /// Computes all vertices in a sub-patch.
    fn all_vertices(
        registers: &Registers,
        quads: [u32; 2],
        columns: [[ControlAttributes; 4]; 4],
    ) -> Vec<Vertex> {
        let [across, down] = quads;
        let numbers: Vec<u32> = (0..(across + 1) * (down + 1)).collect();
        let mut vertices = Vec::new();
        with_surface(registers, quads, columns, |surface| {
            surface.vertices(&numbers, &PatchPositions::default(), &mut vertices);
        });
        vertices
    }

    /// Returns a sub-patch over the unit square, with z along u.
    fn unit_sub_patch(registers: &Registers, quads: [u32; 2]) -> Vec<Vertex> {
        let thirds = [0.0, 1.0, 2.0, 3.0];
        let columns = thirds.map(|x| {
            thirds.map(|y| {
                let vertex = Vertex { position: [x, y, x], normal: [0.0, 1.0, 0.0], ..Vertex::default() };
                pack(&vertex)
            })
        });
        all_vertices(registers, quads, columns)
    }

    #[test]
    fn generated_texcoords_count_sub_patches() {
        let vertices = unit_sub_patch(&Registers::new(), [2, 4]);
        assert_eq!(vertices[0].texcoord, [3.0, 0.0], "first vertex of the fourth sub-patch");
        assert_eq!(vertices[4].texcoord, [3.5, 0.25], "second row, second column");
        assert_eq!(vertices.len(), 15, "three by five");
    }

    #[test]
    fn generates_normals_if_missing_or_lit() {
        let mut registers = Registers::new();
        let half_root = std::f32::consts::FRAC_1_SQRT_2;
        let slanted = [-half_root, 0.0, half_root];
        assert_eq!(unit_sub_patch(&registers, [1, 1])[0].normal, slanted, "generated if missing");
        registers.write(Command::new(Opcode::VTYPE, 3 << 5));
        assert_eq!(
            unit_sub_patch(&registers, [1, 1])[0].normal,
            [0.0, 1.0, 0.0],
            "interpolated from the control points"
        );
        registers.write(Command::new(Opcode::LIGHTINGENABLE, 1));
        assert_eq!(unit_sub_patch(&registers, [1, 1])[0].normal, slanted, "generated if lit");
        registers.write(Command::new(Opcode::PATCHFACING, 1));
        assert_eq!(
            unit_sub_patch(&registers, [1, 1])[0].normal,
            slanted.map(|n| -n),
            "negated by PATCHFACING"
        );
    }

    /// Thirteenths are truncated, and games draw the same sub-patch from both ends.
    #[test]
    fn reversed_sub_patch_has_same_vertices() {
        let coordinate = |at: f32| 200.0 + 13.3 * at;
        let columns = [0.0, 0.1, 2.7, 3.0].map(|x| {
            [0.0, 0.7, 2.0, 3.0].map(|z| {
                pack(&Vertex { position: [coordinate(x), 7.0 * z, coordinate(z)], ..Vertex::default() })
            })
        });
        let mut reversed = columns;
        reversed.reverse();
        for points in &mut reversed {
            points.reverse();
        }
        let positions = |columns| {
            let vertices = all_vertices(&Registers::new(), [13, 5], columns);
            vertices.iter().map(|vertex| vertex.position).collect::<Vec<_>>()
        };
        let (forward, mut backward) = (positions(columns), positions(reversed));
        backward.reverse();
        assert_eq!(forward, backward, "the same grid from the other end");
    }

    /// Positions computed in lanes equal the vertices' positions, bit for bit.
    #[test]
    fn positions_match_full_vertices() {
        let mut seed = 1_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(seed >> 9 | 1.0_f32.to_bits()) * 1000.0 - 1500.0
        };
        for quads in [[1, 1], [2, 3], [7, 8], [13, 5], [16, 1], [1, 127], [127, 127]] {
            let columns: [[ControlAttributes; 4]; 4] =
                std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| random())));
            let mut positions = PatchPositions::default();
            with_surface(&Registers::new(), quads, columns, |surface| surface.positions(&mut positions));
            let vertices = all_vertices(&Registers::new(), quads, columns);
            assert_eq!(positions.count(), vertices.len(), "{quads:?}");
            for (number, vertex) in vertices.iter().enumerate() {
                let alone = positions.at(number);
                assert_eq!(alone.map(f32::to_bits), vertex.position.map(f32::to_bits), "{quads:?}, {number}");
            }
        }
    }

    #[test]
    fn degenerate_sub_patch_has_z_normal() {
        let columns = [[pack(&Vertex::default()); 4]; 4];
        let vertices = all_vertices(&Registers::new(), [1, 1], columns);
        assert_eq!(vertices[0].normal, [0.0, 0.0, 1.0], "all points equal");
    }
}
