//! Turns the control points of Bezier and B-spline patches into grids of vertices.
//!
//! A patch is a net of control points, in which every 4×4 points form a sub-patch. Bezier sub-patches share their
//! border points, spline ones all but a row. Each sub-patch becomes a grid of vertices, to be drawn row by row.
//! Vertices are evaluated in model space, after morphing and skinning, and then transformed like all others. This
//! order is assumed, because the hardware pictures are in through mode.
//!
//! Two evaluators share an interface (`surface`): `hardware` works as the machine does, `single` as
//! emulators do.
//!
//! # Invariants
//! A sub-patch has at most 128×128 vertices, whatever the registers hold.
//!
//! # Evidence
//! Source: [curves](crate::reference::ge::curves). The hardware evaluates in fixed point (`curve`). The
//! pictures for the hardware tests `primitives/bezier` and `primitives/spline` come out without a wrong
//! pixel; [the reference](crate::reference::ge::curves#evidence) lists the pixels that other rules get wrong.

use std::fmt;

use crate::ge::arithmetic::Arithmetic;
use crate::ge::registers::Registers;
use crate::ge::registers::transform::{PatchDivision, PatchPrim, PatchPrimitive};
use crate::ge::registers::vertex::{Bezier, PrimitiveType, Spline, SplineEdge};
use crate::pipeline::geometry::assemble::{Assembled, assemble};
use crate::pipeline::geometry::math::Vector3;
use crate::pipeline::vertex::Vertex;

mod culler;
mod curve;
mod hardware;
mod knots;
mod lerp_lanes;
mod positions;
mod single;
mod surface;

pub(crate) use culler::PatchCuller;
use curve::CurveSteps;
use hardware::{ControlPoint, HardwareSurface};
use knots::Knots;
pub(crate) use positions::PatchPositions;
use single::{SingleSettings, SingleSurface};
use surface::{Surface, Tessellation};

/// What kind of curve runs along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Curve {
    /// Bezier curves with four points each. Each starts at the previous curve's end.
    Bezier,
    /// A uniform cubic B-spline.
    Spline(SplineEdge),
}

/// How far a patch extends along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchAxis {
    /// How many control points the axis has.
    pub points: u32,
    /// The curve through these points.
    pub curve: Curve,
}

/// A net of control points, row by row, with u running fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The axis along the net's rows.
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
    /// Counts the sub-patches along this axis. Points left over after whole Bezier curves are ignored.
    #[must_use]
    pub const fn sub_patches(self) -> u32 {
        match self.curve {
            Curve::Bezier => self.points.saturating_sub(1) / 3,
            Curve::Spline(_) => self.points.saturating_sub(3),
        }
    }

    /// Returns a sub-patch's first control point.
    const fn first_point(self, sub_patch: u32) -> u32 {
        match self.curve {
            Curve::Bezier => 3 * sub_patch,
            Curve::Spline(_) => sub_patch,
        }
    }

    /// Returns the knots, which only a spline has.
    const fn knots(self) -> Option<Knots> {
        match self.curve {
            Curve::Bezier => None,
            Curve::Spline(edge) => Some(Knots { points: self.points, edge }),
        }
    }

    /// Returns the steps for `quads` quads along each sub-patch. All Bezier curves share the same steps.
    fn steps(self, quads: u32) -> Vec<CurveSteps> {
        match self.knots() {
            None => vec![CurveSteps::bezier(quads)],
            Some(knots) => {
                (0..self.sub_patches()).map(|span| CurveSteps::spline(quads, knots, span)).collect()
            }
        }
    }
}

fn steps_of(steps: &[CurveSteps], sub_patch: u32) -> Option<&CurveSteps> {
    steps.get(sub_patch as usize).or(steps.first())
}

impl Patch {
    /// Returns how many control points this command reads.
    #[must_use]
    pub const fn points(self) -> u32 {
        self.u.points * self.v.points
    }

    /// Counts the vertices in all sub-patches together, at most 252²·128².
    #[must_use]
    pub fn vertex_count(self, registers: &Registers) -> u32 {
        let [columns, rows] = Tessellation::new(registers).vertices();
        self.u.sub_patches() * self.v.sub_patches() * columns * rows
    }

    /// Returns the divisions along u and v if they hang the hardware, which happens if either exceeds 64. Patches
    /// without a sub-patch are assumed to be harmless.
    /// Source: [parameter](crate::reference::ge::curves#parameter).
    #[must_use]
    pub fn hanging_division(self, registers: &Registers) -> Option<[u8; 2]> {
        const LARGEST: u8 = 64;
        let PatchDivision { u, v } = registers.get();
        let draws = self.u.sub_patches() > 0 && self.v.sub_patches() > 0;
        (draws && u.max(v) > LARGEST).then_some([u, v])
    }

    /// Estimates how much this patch costs to tessellate, in vertices. Each sub-patch also pays for 4×4 control
    /// points.
    #[must_use]
    pub fn cost(self, registers: &Registers) -> u32 {
        const CONTROL_POINTS: u32 = 16;
        let sub_patches = self.u.sub_patches() * self.v.sub_patches();
        self.vertex_count(registers).saturating_add(sub_patches * CONTROL_POINTS)
    }

    /// Returns the primitive type for a grid's rows, as selected by PATCHPRIM.
    #[must_use]
    pub fn primitive(registers: &Registers) -> PrimitiveType {
        match registers.get::<PatchPrim>().primitive {
            PatchPrimitive::TRIANGLES => PrimitiveType::TRIANGLE_STRIP,
            PatchPrimitive::LINES => PrimitiveType::LINE_STRIP,
            _ => PrimitiveType::POINTS,
        }
    }

    /// Returns the numbers of three control points: a Bezier patch's last corner, and those before it along u and
    /// v. Points outside all curves do not count (assumed). Returns `None` for splines and for patches without a
    /// sub-patch.
    #[must_use]
    pub fn last_corner(self) -> Option<[u32; 3]> {
        let (Curve::Bezier, Curve::Bezier) = (self.u.curve, self.v.curve) else { return None };
        let [column, row] = [self.u, self.v].map(|axis| axis.first_point(axis.sub_patches()));
        let number = |column: u32, row: u32| row * self.u.points + column;
        let has_corner = column > 0 && row > 0;
        has_corner.then(|| [number(column, row), number(column - 1, row), number(column, row - 1)])
    }

    /// Tessellates this patch and passes a grid of vertices for each sub-patch to `out`. `control` holds control
    /// points in draw order; missing ones are 0.
    pub fn tessellate(
        self,
        registers: &Registers,
        arithmetic: Arithmetic,
        control: &[Vertex],
        out: &mut dyn FnMut(&Grid),
    ) {
        self.sub_patches(registers, arithmetic, control, &mut |sub_patch| out(&sub_patch.grid()));
    }

    /// Passes the sub-patches to `out`, row by row, so that a caller can skip some before tessellation. `control`
    /// is the same as for [`Self::tessellate`].
    pub fn sub_patches(
        self,
        registers: &Registers,
        arithmetic: Arithmetic,
        control: &[Vertex],
        out: &mut dyn FnMut(&SubPatch<'_>),
    ) {
        let tessellation = Tessellation::new(registers);
        let layout = GridLayout { vertices: tessellation.vertices(), facing: tessellation.facing };
        match arithmetic {
            Arithmetic::Hardware => {
                let [u, v] = tessellation.quads;
                // Steps depend only on a sub-patch's column and row, so this computes them once for all.
                let (u_steps, v_steps) = (self.u.steps(u), self.v.steps(v));
                self.nets(control, ControlPoint::new, &mut |[u, v], control| {
                    let (Some(u_steps), Some(v_steps)) = (steps_of(&u_steps, u), steps_of(&v_steps, v))
                    else {
                        return;
                    };
                    let surface = HardwareSurface::new(&tessellation, [u_steps, v_steps], [u, v], control);
                    out(&SubPatch { surface: &surface, layout });
                });
            }
            Arithmetic::Single => {
                let settings = SingleSettings::new(registers, tessellation);
                let knots = [self.u, self.v].map(PatchAxis::knots);
                self.nets(control, single::control_point, &mut |index, control| {
                    let surface = SingleSurface::new(&settings, index, knots, control);
                    out(&SubPatch { surface: &surface, layout });
                });
            }
        }
    }

    /// Converts the control points and passes them to `out` with their sub-patch's number, row by row.
    fn nets<T: Copy>(
        self,
        control: &[Vertex],
        convert: fn(&Vertex) -> T,
        out: &mut dyn FnMut([u32; 2], &Net<T>),
    ) {
        let missing = convert(&Vertex::default());
        let control: Vec<T> = control.iter().map(convert).collect();
        let point = |column: u32, row: u32| {
            control.get((row * self.u.points + column) as usize).copied().unwrap_or(missing)
        };
        for v in 0..self.v.sub_patches() {
            for u in 0..self.u.sub_patches() {
                let (column, row) = (self.u.first_point(u), self.v.first_point(v));
                let net =
                    [0, 1, 2, 3].map(|down| [0, 1, 2, 3].map(|across| point(column + across, row + down)));
                out([u, v], &net);
            }
        }
    }
}

/// A 4×4 part of the control net, row by row.
type Net<T> = [[T; 4]; 4];

/// A 4×4 part of the control net, ready for tessellation.
#[derive(Clone, Copy, Debug)]
pub struct SubPatch<'a> {
    surface: &'a dyn Surface,
    layout: GridLayout,
}

impl SubPatch<'_> {
    /// Computes all vertices of this sub-patch.
    #[must_use]
    pub fn grid(&self) -> Grid {
        let (mut positions, mut vertices) = (PatchPositions::default(), Vec::new());
        let [columns, rows] = self.layout.vertices;
        let numbers: Vec<u32> = (0..columns * rows).collect();
        self.positions(&mut positions);
        self.vertices(&numbers, &positions, &mut vertices);
        Grid { vertices, layout: self.layout }
    }

    /// Returns the 4×4 control points' positions, to cull the sub-patch by them.
    #[must_use]
    pub fn control_positions(&self) -> [[Vector3<f32>; 4]; 4] {
        self.surface.control_positions()
    }

    /// Computes all vertex positions and stores them in `out`.
    pub fn positions(&self, out: &mut PatchPositions) {
        self.surface.positions(out);
    }

    /// Computes the vertices with these numbers, which must ascend, and appends them to `out`. `positions` come
    /// from [`Self::positions`].
    pub fn vertices(&self, numbers: &[u32], positions: &PatchPositions, out: &mut Vec<Vertex>) {
        self.surface.vertices(numbers, positions, out);
    }

    /// Works as [`Grid::assembled`] does.
    pub fn assembled(&self, primitive: PrimitiveType) -> impl Iterator<Item = Assembled> + use<> {
        self.layout.assembled(primitive)
    }

    /// Iterates over the triangle strips, each given by its vertices' numbers.
    pub(crate) fn strips(&self) -> impl Iterator<Item = impl Iterator<Item = u32> + use<>> + use<> {
        let layout = self.layout;
        let [columns, rows] = layout.vertices;
        (0..rows.saturating_sub(1)).map(move |row| (0..2 * columns).map(move |nth| layout.number(row, nth)))
    }

    /// Whether each strip's first triangle has reversed winding.
    pub(crate) const fn is_reversed(&self) -> bool {
        self.layout.facing
    }
}

/// The vertices that tessellation makes from a sub-patch.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    /// The vertices, row by row.
    pub vertices: Vec<Vertex>,
    layout: GridLayout,
}

impl Grid {
    /// Iterates over the primitives as vertex numbers. Each row of quads is a strip that alternates between upper
    /// and lower vertices. For this reason lines have no horizontal edges, and points inside come twice (no test
    /// shows this). PATCHFACING reverses the winding.
    /// Source: [output primitives](crate::reference::ge::curves#output-primitives).
    pub fn assembled(&self, primitive: PrimitiveType) -> impl Iterator<Item = Assembled> + use<> {
        self.layout.assembled(primitive)
    }
}

/// Tells how a grid's vertices are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GridLayout {
    /// How many vertices lie along u and v.
    vertices: [u32; 2],
    /// PATCHFACING.
    facing: bool,
}

impl GridLayout {
    /// Returns the number of the `nth` vertex in this row's strip.
    #[inline(always)]
    const fn number(self, row: u32, nth: u32) -> u32 {
        (row + nth % 2) * self.vertices[0] + nth / 2
    }

    fn assembled(self, primitive: PrimitiveType) -> impl Iterator<Item = Assembled> + use<> {
        let [columns, rows] = self.vertices;
        (0..rows.saturating_sub(1)).flat_map(move |row| {
            assemble(primitive, 2 * columns, self.facing).map(move |mut assembled| {
                for number in &mut assembled.vertices {
                    *number = self.number(row, *number);
                }
                assembled
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;

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

    fn grids_with(patch: Patch, registers: &Registers, arithmetic: Arithmetic) -> Vec<Grid> {
        let mut grids = Vec::new();
        patch.tessellate(registers, arithmetic, &net(patch), &mut |grid| grids.push(grid.clone()));
        grids
    }

    fn grids(patch: Patch, registers: &Registers) -> Vec<Grid> {
        grids_with(patch, registers, Arithmetic::Hardware)
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
    fn assembles_rows_of_quads() {
        let registers = registers(&[(Opcode::PATCHDIVISION, 2 | 2 << 8)]);
        let numbers = |primitive, arithmetic| {
            let grid = &grids_with(bezier_patch(4, 4), &registers, arithmetic)[0];
            grid.assembled(primitive).map(|assembled| assembled.vertices.to_vec()).collect::<Vec<_>>()
        };
        for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
            assert_eq!(
                numbers(PrimitiveType::TRIANGLE_STRIP, arithmetic),
                [[0, 3, 1], [3, 1, 4], [1, 4, 2], [4, 2, 5], [3, 6, 4], [6, 4, 7], [4, 7, 5], [7, 5, 8]],
                "two rows of two quads"
            );
            assert_eq!(numbers(PrimitiveType::POINTS, arithmetic).len(), 12, "two rows of six points");
            assert_eq!(
                numbers(PrimitiveType::LINE_STRIP, arithmetic),
                [[0, 3], [3, 1], [1, 4], [4, 2], [2, 5], [3, 6], [6, 4], [4, 7], [7, 5], [5, 8]],
                "one strip per row: down, up the diagonal, down"
            );
        }
    }

    #[test]
    fn patchfacing_reverses_strips_and_normals() {
        let facing = |on: u32| {
            let registers = registers(&[(Opcode::LIGHTINGENABLE, 1), (Opcode::PATCHFACING, on)]);
            let grid = &grids(bezier_patch(4, 4), &registers)[0];
            let first = grid.assembled(PrimitiveType::TRIANGLE_STRIP).next().map(|first| first.reversed);
            (first, grid.vertices[0].normal)
        };
        assert_eq!(facing(0), (Some(false), [0.0, 0.0, 1.0]), "u right, v up: normal towards the viewer");
        assert_eq!(facing(1), (Some(true), [-0.0, -0.0, -1.0]), "both reversed");
    }

    /// [Zero normals](crate::reference::ge::lighting#zero-normals).
    #[test]
    fn last_corner_is_that_of_the_last_curve() {
        assert_eq!(bezier_patch(4, 4).last_corner(), Some([15, 14, 11]), "one sub-patch");
        assert_eq!(bezier_patch(7, 4).last_corner(), Some([27, 26, 20]), "two along u");
        assert_eq!(bezier_patch(5, 6).last_corner(), Some([18, 17, 13]), "extra points do not count");
        assert_eq!(bezier_patch(3, 4).last_corner(), None, "too few points");
        let spline = Patch::from(Spline { u_count: 4, v_count: 4, ..Spline::default() });
        assert_eq!(spline.last_corner(), None, "a spline");
    }

    /// A point of a spline patch, worked out by hand along one axis: thirds are 85/256 and 171/256.
    #[test]
    fn splines_use_the_factors_of_their_span() {
        let patch = Patch::from(Spline { u_count: 5, v_count: 4, ..Spline::default() });
        let grids = grids(patch, &registers(&[(Opcode::PATCHDIVISION, 1 | 1 << 8)]));
        let x = |grid: &Grid| [grid.vertices[0].position[0], grid.vertices[1].position[0]];
        // (0 + 171/256 + 1 + 85/256) / 2 and (1 + 171/256 + 2 + 85/256) / 2.
        assert_eq!(grids.iter().map(x).collect::<Vec<_>>(), [[1.0, 2.0], [2.0, 3.0]], "both spans");
    }

    /// [Parameter](crate::reference::ge::curves#parameter).
    #[test]
    fn more_than_64_divisions_hang() {
        let hangs = |points, division| {
            bezier_patch(points, 4).hanging_division(&registers(&[(Opcode::PATCHDIVISION, division)]))
        };
        assert_eq!(hangs(4, 64 | 64 << 8), None, "64 by 64");
        assert_eq!((hangs(4, 65), hangs(4, 65 << 8)), (Some([65, 0]), Some([0, 65])), "along u or v");
        assert_eq!(hangs(4, 0x80 | 3), None, "seven bits");
        assert_eq!(hangs(3, 65), None, "nothing to divide");
    }

    #[test]
    fn vertex_count_of_largest_patch_fits() {
        let patch = Patch::from(Spline { u_count: 255, v_count: 255, ..Spline::default() });
        let registers = registers(&[(Opcode::PATCHDIVISION, 0x7F7F)]);
        assert_eq!(patch.vertex_count(&registers), 252 * 252 * 128 * 128, "fits 32 bits");
    }
}
