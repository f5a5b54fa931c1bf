//! Bezier and B-spline patches: from control points to grids of vertices.
//!
//! A patch is a net of control points. Every 4×4 of them form a sub-patch: Bezier sub-patches share their
//! border points, spline ones all but one row. Each sub-patch becomes a grid of vertices, drawn row by row as
//! strips. Vertices are evaluated in model space, after morphing and skinning, and transformed like all
//! others. That order is assumed, because the hardware pictures are in through mode.
//!
//! # Invariants
//! A sub-patch has at most 128×128 vertices, whatever the registers hold.
//!
//! # Evidence
//! Source: [curves](crate::reference::ge::curves#evidence). The pictures of the hardware tests
//! `primitives/bezier` and `primitives/spline` come out without a wrong pixel. Pixels that other rules get
//! wrong, in both pictures together:
//!
//! | rule instead | wrong |
//! | --- | --- |
//! | colours rounded down; to the nearest; 256/255 of them rounded down | 18,716; 11,868; 8,544 |
//! | second triangle of a quad from its top right corner on, not from its bottom left one | 706 |
//! | both triangles of a quad from its top left corner on | 10,420 |
//! | evaluated exactly | 240 |
//! | Bernstein polynomials in 16 significant bits, u first; v first | 102; 1,114 |
//! | spline by basis functions in 16 significant bits (Cox and de Boor), u first; v first | 1,073; 2,100 |
//! | spline by de Boor's interpolations in 16 significant bits | 180 |
//! | 1/3 truncated, from the nearer control point; the rest in singles, or in 16 significant bits | 0 |
//!
//! The pictures do not distinguish the last two, because all their divisions are powers of two. The code uses
//! singles: with 16 bits, floors that a game lays one above the other show through. The pictures also do not
//! show how i/n is truncated, that it is measured from the nearer end, or whether u or v comes first.

use std::fmt;

use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::transform::{PatchDivision, PatchPrim, PatchPrimitive};
use crate::ge::registers::vertex::{Bezier, PrimitiveType, Spline, SplineEdge};
use crate::pipeline::geometry::assemble::{Assembled, assemble};
use crate::pipeline::geometry::math::Vector3;
use crate::pipeline::vertex::Vertex;

mod attributes;
mod culler;
mod curve;
mod positions;
mod tessellator;

use attributes::{ControlAttributes, pack, position};
pub(crate) use culler::PatchCuller;
use curve::Knots;
pub(crate) use positions::PatchPositions;
use tessellator::Tessellator;

/// The kind of curve along one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// Bezier curves of four points. Each starts at the end of the previous one.
    Bezier,
    /// A uniform cubic B-spline.
    Spline(SplineEdge),
}

/// One axis of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchAxis {
    /// Number of control points.
    pub points: u32,
    /// The curve through them.
    pub curve: Curve,
}

/// A patch: a net of control points, row by row with u running fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The axis along the rows of the net.
    pub u: PatchAxis,
    /// The axis from row to row.
    pub v: PatchAxis,
}

impl From<Bezier> for Patch {
    fn from(bezier: Bezier) -> Self {
        let axis = |points| PatchAxis { points: u32::from(points), curve: Curve::Bezier };
        Self { u: axis(bezier.u_count), v: axis(bezier.v_count) }
    }
}

impl From<Spline> for Patch {
    fn from(spline: Spline) -> Self {
        let axis = |points, edge| PatchAxis { points: u32::from(points), curve: Curve::Spline(edge) };
        Self { u: axis(spline.u_count, spline.u_edge), v: axis(spline.v_count, spline.v_edge) }
    }
}

impl fmt::Display for Patch {
    /// Writes for example `Bezier patch 4x7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let curve = match self.u.curve {
            Curve::Bezier => "Bezier",
            Curve::Spline(_) => "spline",
        };
        write!(f, "{curve} patch {}x{}", self.u.points, self.v.points)
    }
}

impl PatchAxis {
    /// Counts the sub-patches along this axis. Points beyond a whole number of Bezier curves are ignored.
    #[must_use]
    pub const fn sub_patches(self) -> u32 {
        match self.curve {
            Curve::Bezier => self.points.saturating_sub(1) / 3,
            Curve::Spline(_) => self.points.saturating_sub(3),
        }
    }

    /// Returns the first control point of a sub-patch.
    const fn first_point(self, sub_patch: u32) -> u32 {
        match self.curve {
            Curve::Bezier => 3 * sub_patch,
            Curve::Spline(_) => sub_patch,
        }
    }

    fn to_bezier(self, sub_patch: u32, points: [ControlAttributes; 4]) -> [ControlAttributes; 4] {
        match self.curve {
            Curve::Bezier => points,
            Curve::Spline(edge) => Knots { points: self.points, edge }.to_bezier(sub_patch, points),
        }
    }
}

/// Returns the number of quads per sub-patch, along u and v.
fn divisions(registers: &Registers) -> [u32; 2] {
    let division: PatchDivision = registers.get();
    [division.u, division.v].map(|quads| u32::from(quads.max(1)))
}

impl Patch {
    /// Returns the number of control points that the command reads.
    #[must_use]
    pub const fn points(self) -> u32 {
        self.u.points * self.v.points
    }

    /// Counts the vertices of all sub-patches together, at most 252²·128².
    #[must_use]
    pub fn vertex_count(self, registers: &Registers) -> u32 {
        let [across, down] = divisions(registers);
        self.u.sub_patches() * self.v.sub_patches() * (across + 1) * (down + 1)
    }

    /// Estimates the cost of tessellation, in vertices. Each sub-patch also costs its 4×4 control points.
    #[must_use]
    pub fn cost(self, registers: &Registers) -> u32 {
        const CONTROL_POINTS: u32 = 16;
        let sub_patches = self.u.sub_patches() * self.v.sub_patches();
        self.vertex_count(registers).saturating_add(sub_patches * CONTROL_POINTS)
    }

    /// Returns the primitive type that PATCHPRIM selects for the rows of a grid.
    #[must_use]
    pub fn primitive(registers: &Registers) -> PrimitiveType {
        match registers.get::<PatchPrim>().primitive {
            PatchPrimitive::TRIANGLES => PrimitiveType::TRIANGLE_STRIP,
            PatchPrimitive::LINES => PrimitiveType::LINE_STRIP,
            _ => PrimitiveType::POINTS,
        }
    }

    /// Tessellates the patch: passes one grid of vertices per sub-patch to `out`. `control` holds the control
    /// points in draw order; missing ones are 0.
    pub fn tessellate(self, registers: &Registers, control: &[Vertex], out: &mut dyn FnMut(&Grid)) {
        self.sub_patches(registers, control, &mut |sub_patch| out(&sub_patch.grid()));
    }

    /// Passes the sub-patches to `out`, row by row, not yet tessellated. `control` is that of
    /// [`Self::tessellate`].
    pub fn sub_patches(self, registers: &Registers, control: &[Vertex], out: &mut dyn FnMut(&SubPatch<'_>)) {
        let tessellator = Tessellator::new(registers, divisions(registers));
        let facing = registers.is_on(Opcode::PATCHFACING);
        let point = |column: u32, row: u32| {
            let number = (row * self.u.points + column) as usize;
            pack(control.get(number).unwrap_or(&Vertex::default()))
        };
        for v in 0..self.v.sub_patches() {
            for u in 0..self.u.sub_patches() {
                let (column, row) = (self.u.first_point(u), self.v.first_point(v));
                let control =
                    [0, 1, 2, 3].map(|down| [0, 1, 2, 3].map(|across| point(column + across, row + down)));
                let rows = control.map(|points| self.u.to_bezier(u, points));
                let columns = [0, 1, 2, 3].map(|across| self.v.to_bezier(v, rows.map(|row| row[across])));
                out(&SubPatch { tessellator: &tessellator, facing, index: [u, v], control, columns });
            }
        }
    }
}

/// A 4×4 part of the control net, not yet tessellated.
#[derive(Clone, Copy, Debug)]
pub struct SubPatch<'a> {
    tessellator: &'a Tessellator,
    facing: bool,
    /// Number of the sub-patch along u and v.
    index: [u32; 2],
    control: [[ControlAttributes; 4]; 4],
    /// Four Bezier curves in the v direction.
    columns: [[ControlAttributes; 4]; 4],
}

impl SubPatch<'_> {
    /// Computes all vertices.
    #[must_use]
    pub fn grid(&self) -> Grid {
        let mut vertices = Vec::new();
        let [columns, rows] = self.tessellator.quads().map(|quads| quads + 1);
        let numbers: Vec<u32> = (0..columns * rows).collect();
        self.vertices(&numbers, &mut vertices);
        Grid { vertices, columns, rows, facing: self.facing }
    }

    /// Iterates over the positions of the control points.
    pub fn control_positions(&self) -> impl Iterator<Item = Vector3<f32>> + '_ {
        self.control.as_flattened().iter().map(|&point| position(point))
    }

    /// Computes the positions of all vertices. Replaces the content of `out`.
    pub fn positions(&self, out: &mut PatchPositions) {
        self.tessellator.positions(&self.columns.map(|points| points.map(position)), out);
    }

    /// Computes the vertices with these numbers, which must ascend, and appends them to `out`.
    pub fn vertices(&self, numbers: &[u32], out: &mut Vec<Vertex>) {
        self.tessellator.vertices(&self.columns, self.index, numbers, out);
    }

    /// Works as [`Grid::assembled`].
    pub fn assembled(&self, primitive: PrimitiveType) -> impl Iterator<Item = Assembled> + use<> {
        let [columns, rows] = self.tessellator.quads().map(|quads| quads + 1);
        assembled(primitive, columns, rows, self.facing)
    }
}

/// The vertices of one sub-patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The vertices, row by row.
    pub vertices: Vec<Vertex>,
    columns: u32,
    rows: u32,
    facing: bool,
}

impl Grid {
    /// Iterates over the primitives as vertex numbers. Each row of quads is one strip that alternates between
    /// upper and lower vertices, so lines have no horizontal edges. As a consequence, points inside come
    /// twice; no test shows that. PATCHFACING reverses the winding (assumed).
    pub fn assembled(&self, primitive: PrimitiveType) -> impl Iterator<Item = Assembled> + use<> {
        assembled(primitive, self.columns, self.rows, self.facing)
    }
}

fn assembled(
    primitive: PrimitiveType,
    columns: u32,
    rows: u32,
    facing: bool,
) -> impl Iterator<Item = Assembled> + use<> {
    (0..rows.saturating_sub(1)).flat_map(move |row| {
        assemble(primitive, 2 * columns, facing).map(move |mut assembled| {
            for number in &mut assembled.vertices {
                *number = (row + *number % 2) * columns + *number / 2;
            }
            assembled
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registers(settings: &[(Opcode, u32)]) -> Registers {
        Registers::with(settings.iter().copied())
    }

    fn bezier_patch(u_count: u8, v_count: u8) -> Patch {
        Patch::from(Bezier { u_count, v_count })
    }

    /// A flat, even net: control point (i, j) is at (i, j, 0).
    fn net(patch: Patch) -> Vec<Vertex> {
        let coordinate = |index: u32| f32::from(u8::try_from(index).expect("small"));
        (0..patch.points())
            .map(|number| Vertex {
                position: [coordinate(number % patch.u.points), coordinate(number / patch.u.points), 0.0],
                ..Vertex::default()
            })
            .collect()
    }

    fn grids(patch: Patch, registers: &Registers) -> Vec<Grid> {
        let mut grids = Vec::new();
        patch.tessellate(registers, &net(patch), &mut |grid| grids.push(grid.clone()));
        grids
    }

    #[test]
    fn counts_sub_patches() {
        for (points, bezier, spline) in
            [(0, 0, 0), (3, 0, 0), (4, 1, 1), (5, 1, 2), (7, 2, 4), (255, 84, 252)]
        {
            let sub_patches = |curve| PatchAxis { points, curve }.sub_patches();
            assert_eq!(sub_patches(Curve::Bezier), bezier, "Bezier curves of {points} points");
            assert_eq!(
                sub_patches(Curve::Spline(SplineEdge::OPEN)),
                spline,
                "spline spans of {points} points"
            );
        }
    }

    #[test]
    fn evaluates_vertices_on_flat_net() {
        let patch = bezier_patch(7, 4);
        let registers = registers(&[(Opcode::PATCHDIVISION, 2 | 1 << 8)]);
        let grids = grids(patch, &registers);
        let positions =
            |grid: &Grid| grid.vertices.iter().map(|v| [v.position[0], v.position[1]]).collect::<Vec<_>>();
        assert_eq!(
            positions(&grids[0]),
            [[0.0, 0.0], [1.5, 0.0], [3.0, 0.0], [0.0, 3.0], [1.5, 3.0], [3.0, 3.0]],
            "first sub-patch"
        );
        assert_eq!(positions(&grids[1])[0], [3.0, 0.0], "the second starts at the end of the first");
        let vertices: usize = grids.iter().map(|grid| grid.vertices.len()).sum();
        assert_eq!(
            u32::try_from(vertices),
            Ok(patch.vertex_count(&registers)),
            "the same as the predicted number"
        );
    }

    #[test]
    fn assembles_rows_as_strips() {
        let registers = registers(&[(Opcode::PATCHDIVISION, 1 | 2 << 8)]);
        let grid = &grids(bezier_patch(4, 4), &registers)[0];
        let numbers = |primitive| {
            grid.assembled(primitive).map(|assembled| assembled.vertices.to_vec()).collect::<Vec<_>>()
        };
        assert_eq!(
            numbers(PrimitiveType::TRIANGLE_STRIP),
            [[0, 2, 1], [2, 1, 3], [2, 4, 3], [4, 3, 5]],
            "two rows of two triangles"
        );
        assert_eq!(
            numbers(PrimitiveType::LINE_STRIP),
            [[0, 2], [2, 1], [1, 3], [2, 4], [4, 3], [3, 5]],
            "no horizontal edges"
        );
    }

    #[test]
    fn patchfacing_reverses_strips_and_normals() {
        let facing = |on: u32| {
            let registers = registers(&[(Opcode::PATCHFACING, on)]);
            let grid = &grids(bezier_patch(4, 4), &registers)[0];
            let first = grid.assembled(PrimitiveType::TRIANGLE_STRIP).next().map(|first| first.reversed);
            (first, grid.vertices[0].normal)
        };
        assert_eq!(facing(0), (Some(false), [0.0, 0.0, 1.0]), "u right, v up: normal towards the viewer");
        assert_eq!(facing(1), (Some(true), [0.0, 0.0, -1.0]), "both reversed");
    }

    #[test]
    fn vertex_count_of_largest_patch_fits() {
        let patch = Patch::from(Spline { u_count: 255, v_count: 255, ..Spline::default() });
        let registers = registers(&[(Opcode::PATCHDIVISION, 0x7F7F)]);
        assert_eq!(patch.vertex_count(&registers), 252 * 252 * 128 * 128, "fits 32 bits");
    }
}
