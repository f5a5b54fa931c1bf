//! Evaluates sub-patches as the hardware does, in fixed point: first down the columns, then along the row.
//!
//! # Invariants
//! If two sub-patches share control points on a border, their vertices there are equal. A sub-patch and its
//! reversed copy have equal positions, colours and texture coordinates.
//!
//! Source: [evaluation](crate::reference::ge::curves#evaluation),
//! [texture coordinates](crate::reference::ge::curves#generated-texture-coordinates),
//! [normals](crate::reference::ge::curves#normals).

use super::curve::{
    CurvePoint, CurveSteps, Factors, StepLanes, evaluate, lerp_channels, narrow_channel, widen_channel,
};
use super::lerp_lanes::lerp_lanes;
use super::positions::PatchPositions;
use super::surface::{Surface, Tessellation};
use crate::ge::arithmetic::simd::{Instructions, Simd, dispatch};
use crate::ge::arithmetic::{Hf16, Real};
use crate::pipeline::geometry::lanes::{LANES, Lanes};
use crate::pipeline::geometry::math::Vector3;
use crate::pipeline::vertex::Vertex;

/// A control point's attributes.
#[derive(Clone, Copy, Debug)]
pub(super) struct ControlPoint {
    position: Vector3<f32>,
    texcoord: [f32; 2],
    /// Red, green, blue, alpha, each [widened](widen_channel).
    channels: [i32; 4],
}

impl ControlPoint {
    /// Converts a control point. Its normal has no effect.
    pub(super) fn new(vertex: &Vertex) -> Self {
        let cut = |number| Hf16::from_f32(number).to_f32();
        Self {
            position: vertex.position.map(cut),
            texcoord: vertex.texcoord.map(cut),
            channels: vertex.color.map(widen_channel),
        }
    }
}

/// Numbers for points in four columns: the first number for all four, then the second for all four, and so on. To
/// fill vectors, `N` is a multiple of [`LANES`].
type Columns<T, const N: usize> = [T; N];

/// Arranges a row of control points as [`Columns`]. A point with fewer numbers leaves 0 in the remaining places.
fn by_columns<T: Copy + Default, const N: usize>(
    points: &[ControlPoint; 4],
    numbers: impl Fn(&ControlPoint) -> &[T],
) -> Columns<T, N> {
    std::array::from_fn(|i| numbers(&points[i % 4]).get(i / 4).copied().unwrap_or_default())
}

/// Copies number `number` in each column to all lanes.
#[inline(always)]
fn splat_columns<T: Copy + Default, const N: usize>(columns: &Columns<T, N>, number: usize) -> [Lanes<T>; 4] {
    let mut out = [[T::default(); LANES]; 4];
    for (out, value) in out.iter_mut().zip(columns.iter().skip(4 * number)) {
        *out = [*value; LANES];
    }
    out
}

/// Points in four columns at a step along v, with their tangents.
struct RowTangents {
    points: Columns<f32, 16>,
    /// The two points per column whose difference is the tangent along v.
    ends: [Columns<f32, 16>; 2],
}

impl RowTangents {
    /// Computes normals at these steps along u, and negates them if `negates` is set.
    #[inline(always)]
    fn normals<S: Simd>(
        &self,
        simd: S,
        StepLanes { factors, starts_next }: &StepLanes,
        negates: bool,
    ) -> [Lanes<f32>; 3] {
        let (mut along_u, mut along_v) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for axis in 0..3 {
            let points = splat_columns(&self.points, axis);
            let CurvePoint { last_two, next_two, .. } = evaluate_numbers(simd, points, factors);
            let last = differences(&last_two[0], &last_two[1]);
            let next = differences(&next_two[0], &next_two[1]);
            for lane in 0..LANES {
                along_u[axis][lane] = if starts_next[lane] { next[lane] } else { last[lane] };
            }
            // This interpolates both ends before it subtracts them. The order matters, because each step rounds.
            let [from, to] = &self.ends;
            let from = evaluate_numbers(simd, splat_columns(from, axis), factors);
            let to = evaluate_numbers(simd, splat_columns(to, axis), factors);
            along_v[axis] = differences(&from.point, &to.point);
        }
        cross(&along_u, &along_v, negates)
    }
}

/// A 4×4 part of the control net, with the steps along both axes.
#[derive(Clone, Debug)]
pub(super) struct HardwareSurface<'a> {
    settings: &'a Tessellation,
    steps: [&'a CurveSteps; 2],
    /// The sub-patch's number along u and v.
    index: [u32; 2],
    /// The control points' attributes, row by row.
    positions: [Columns<f32, 16>; 4],
    texcoords: [Columns<f32, 8>; 4],
    channels: [Columns<i32, 16>; 4],
}

impl Surface for HardwareSurface<'_> {
    fn control_positions(&self) -> [[Vector3<f32>; 4]; 4] {
        let position = |row: &Columns<f32, 16>, column| [row[column], row[4 + column], row[8 + column]];
        self.positions.each_ref().map(|row| [0, 1, 2, 3].map(|column| position(row, column)))
    }

    fn positions(&self, out: &mut PatchPositions) {
        let [columns, rows] = self.settings.vertices();
        out.clear(columns as usize * rows as usize);
        dispatch!(Instructions::Best, simd => for step in 0..rows {
            simd.vectorize(
                #[inline(always)]
                || self.position_row(simd, step, out),
            );
        });
    }

    fn vertices(&self, numbers: &[u32], positions: &PatchPositions, out: &mut Vec<Vertex>) {
        let [columns, _] = self.settings.vertices();
        out.reserve(numbers.len());
        dispatch!(Instructions::Best, simd => {
            for numbers in numbers.chunk_by(|a, b| a / columns == b / columns) {
                let step = numbers.first().map_or(0, |number| number / columns);
                self.row_vertices(simd, step, numbers, positions, out);
            }
        });
    }
}

impl<'a> HardwareSurface<'a> {
    /// Prepares a sub-patch. `steps` run along u and v; `control` holds the control points row by row.
    pub(super) fn new(
        settings: &'a Tessellation,
        steps: [&'a CurveSteps; 2],
        index: [u32; 2],
        control: &[[ControlPoint; 4]; 4],
    ) -> Self {
        Self {
            settings,
            steps,
            index,
            positions: control.each_ref().map(|row| by_columns(row, |point| &point.position)),
            texcoords: control.each_ref().map(|row| by_columns(row, |point| &point.texcoord)),
            channels: control.each_ref().map(|row| by_columns(row, |point| &point.channels)),
        }
    }

    /// Appends the positions in a row of vertices to `out`.
    #[inline(always)]
    fn position_row<S: Simd>(&self, simd: S, step: u32, out: &mut PatchPositions) {
        let [along_u, along_v] = self.steps;
        let row = evaluate_numbers(simd, self.positions, &splat(along_v.factors(step))).point;
        for (axis, out) in out.add_row(along_u.points()).into_iter().enumerate() {
            let points = splat_columns(&row, axis);
            for (out, factors) in out.chunks_mut(LANES).zip(along_u.lanes()) {
                let lanes = evaluate_numbers(simd, points, factors).point;
                for (out, lane) in out.iter_mut().zip(lanes) {
                    *out = lane;
                }
            }
        }
    }

    /// Appends vertices in the row at step `step` along v to `out`.
    fn row_vertices<S: Simd>(
        &self,
        simd: S,
        step: u32,
        numbers: &[u32],
        positions: &PatchPositions,
        out: &mut Vec<Vertex>,
    ) {
        let [along_u, along_v] = self.steps;
        let [row_length, _] = self.settings.vertices();
        let v_factors = along_v.factors(step);
        // This evaluates the columns once per row. After that, each vertex needs only the curve along the row.
        let (texcoords, channels) = simd.vectorize(
            #[inline(always)]
            || {
                let texcoords = evaluate_numbers(simd, self.texcoords, &splat(v_factors)).point;
                (texcoords, evaluate(self.channels, &splat(v_factors), lerp_channels).point)
            },
        );
        let tangents = self.settings.needs_normals.then(|| {
            simd.vectorize(
                #[inline(always)]
                || self.row_tangents(simd, step),
            )
        });
        for numbers in numbers.chunks(LANES) {
            let steps = along_u.gather(numbers.iter().map(|number| number % row_length));
            let factors = &steps.factors;
            let (mut texcoord, mut channel) = ([[0.0; LANES]; 2], [[0; LANES]; 4]);
            simd.vectorize(
                #[inline(always)]
                || {
                    for (number, out) in texcoord.iter_mut().enumerate() {
                        *out = evaluate_numbers(simd, splat_columns(&texcoords, number), factors).point;
                    }
                    for (number, out) in channel.iter_mut().enumerate() {
                        *out = evaluate(splat_columns(&channels, number), factors, lerp_channels).point;
                    }
                },
            );
            let normals = tangents.as_ref().map_or([[0.0; LANES]; 3], |tangents| {
                simd.vectorize(
                    #[inline(always)]
                    || tangents.normals(simd, &steps, self.settings.facing),
                )
            });
            for (lane, number) in numbers.iter().enumerate() {
                let parameters = [factors[5][lane], v_factors[5]];
                out.push(Vertex {
                    position: positions.at(*number as usize),
                    normal: normals.map(|axis| axis[lane]),
                    texcoord: if self.settings.generates_texcoords {
                        self.generated_texcoord(parameters)
                    } else {
                        texcoord.map(|coordinate| coordinate[lane])
                    },
                    color: channel.map(|channel| narrow_channel(channel[lane])),
                    weights: [0.0; 8],
                });
            }
        }
    }

    /// Evaluates the columns at a step along v, to compute normals.
    #[inline(always)]
    fn row_tangents<S: Simd>(&self, simd: S, step: u32) -> RowTangents {
        let [_, along_v] = self.steps;
        let result = evaluate_numbers(simd, self.positions, &splat(along_v.factors(step)));
        RowTangents { points: result.point, ends: result.tangent_ends(along_v.starts_next(step)) }
    }

    /// Returns texture coordinates for these parameters. Along each axis, this is the sub-patch's number plus the
    /// parameter within it.
    #[expect(clippy::cast_precision_loss, reason = "patches have fewer than 256 sub-patches, so 17 bits")]
    fn generated_texcoord(&self, [u, v]: [i32; 2]) -> [f32; 2] {
        let [along_u, along_v] = self.index.map(u32::cast_signed);
        [256 * along_u + u, 256 * along_v + v].map(|coordinate| coordinate as f32 / 256.0)
    }
}

/// Evaluates curves of HF16 numbers.
#[inline(always)]
fn evaluate_numbers<S: Simd, const N: usize>(
    simd: S,
    points: [[f32; N]; 4],
    factors: &Factors<[i32; N]>,
) -> CurvePoint<[f32; N]> {
    evaluate(
        points,
        factors,
        #[inline(always)]
        |a, b, factors| lerp_lanes(simd, a, b, factors),
    )
}

#[inline(always)]
fn splat<const N: usize>([a, b, c, d, e, f]: Factors<i32>) -> Factors<[i32; N]> {
    [[a; N], [b; N], [c; N], [d; N], [e; N], [f; N]]
}

/// Returns `to − from` as the adder computes it.
#[inline(always)]
fn differences(from: &Lanes<f32>, to: &Lanes<f32>) -> Lanes<f32> {
    let mut out = [0.0; LANES];
    for (lane, out) in out.iter_mut().enumerate() {
        *out = (Hf16::from_f32(to[lane]) - Hf16::from_f32(from[lane])).to_f32();
    }
    out
}

/// Computes cross products, each component as a row sum, and negates them if `negates` is set.
#[inline(always)]
fn cross(a: &[Lanes<f32>; 3], b: &[Lanes<f32>; 3], negates: bool) -> [Lanes<f32>; 3] {
    let mut out = [[0.0; LANES]; 3];
    for (axis, out) in out.iter_mut().enumerate() {
        let (next, other) = ((axis + 1) % 3, (axis + 2) % 3);
        for (lane, out) in out.iter_mut().enumerate() {
            let (a_next, a_other) = (Hf16::from_f32(a[next][lane]), Hf16::from_f32(a[other][lane]));
            let (b_next, b_other) = (Hf16::from_f32(b[next][lane]), Hf16::from_f32(b[other][lane]));
            let component = Hf16::row_sum([a_next, a_other], [b_other, -b_next]).to_f32();
            *out = if negates { -component } else { component };
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;

    /// VTYPE with texture coordinates.
    const WITH_TEXCOORDS: (Opcode, u32) = (Opcode::VTYPE, 3);

    /// Computes all vertices in a Bezier sub-patch, the fourth along u.
    fn vertices(settings: &[(Opcode, u32)], quads: [u32; 2], net: &[[Vertex; 4]; 4]) -> Vec<Vertex> {
        with_surface(settings, quads, net, |surface| {
            let [columns, rows] = surface.settings.vertices();
            let numbers: Vec<u32> = (0..columns * rows).collect();
            let (mut positions, mut vertices) = (PatchPositions::default(), Vec::new());
            surface.positions(&mut positions);
            surface.vertices(&numbers, &positions, &mut vertices);
            vertices
        })
    }

    fn with_surface<T>(
        settings: &[(Opcode, u32)],
        quads: [u32; 2],
        net: &[[Vertex; 4]; 4],
        run: impl FnOnce(&HardwareSurface<'_>) -> T,
    ) -> T {
        let registers = Registers::with(settings.iter().copied());
        let settings = Tessellation { quads, ..Tessellation::new(&registers) };
        let steps = quads.map(CurveSteps::bezier);
        let control = net.map(|row| row.map(|vertex| ControlPoint::new(&vertex)));
        run(&HardwareSurface::new(&settings, steps.each_ref(), [3, 0], &control))
    }

    /// Returns a net whose vertices depend on column and row.
    fn net(vertex: impl Fn(f32, f32) -> Vertex) -> [[Vertex; 4]; 4] {
        let thirds = [0.0, 1.0, 2.0, 3.0];
        thirds.map(|row| thirds.map(|column| vertex(column, row)))
    }

    /// Returns a net over a square of size 3, with z along u.
    fn slope() -> [[Vertex; 4]; 4] {
        net(|x, y| Vertex { position: [x, y, x], normal: [0.0, 1.0, 0.0], ..Vertex::default() })
    }

    /// A single control point has z = 1, the others 0, and both parameters are 85/256.
    #[test]
    fn evaluates_columns_then_the_row() {
        let net = net(|column, row| Vertex {
            position: [0.0, 0.0, if (column, row) == (1.0, 1.0) { 1.0 } else { 0.0 }],
            ..Vertex::default()
        });
        // The second column, in 2^-15: 10880, 21888, 0. In 2^-16: 21760 + 7310 = 29070 and 43776 − 14535 =
        // 29241. In 2^-17: 58140 + floor(113.6) = 58253.
        // The row, in 2^-17: floor(19341.8) = 19341, 58253 − 19342 = 38911, 0; 19341 + floor(6497.9) = 25838
        // and 38911 − 12920 = 25991. In 2^-18: 51676 + floor(101.6) = 51777.
        assert_eq!(vertices(&[], [3, 3], &net)[5].position[2], 51777.0 / 262_144.0, "at (1/3, 1/3)");
    }

    #[test]
    fn generated_texcoords_count_sub_patches() {
        let texcoords = |quads| vertices(&[], quads, &slope()).into_iter().map(|vertex| vertex.texcoord);
        assert_eq!(
            texcoords([3, 1]).collect::<Vec<_>>()[..4],
            [[3.0, 0.0], [3.0 + 85.0 / 256.0, 0.0], [3.0 + 171.0 / 256.0, 0.0], [4.0, 0.0]],
            "along the fourth sub-patch"
        );
        assert_eq!(texcoords([1, 2]).nth(2), Some([3.0, 0.5]), "the second row");
    }

    #[test]
    fn texcoords_keep_their_bits() {
        let texcoord = [1.0 + 1.0 / 32768.0, 1.0 + 1.0 / 16384.0];
        let net = [[Vertex { texcoord, ..Vertex::default() }; 4]; 4];
        assert_eq!(vertices(&[WITH_TEXCOORDS], [1, 1], &net)[0].texcoord, texcoord, "16 significant bits");
    }

    /// [Normals](crate::reference::ge::curves#normals): (1, 0, 1) × (0, 1, 0), not normalised.
    #[test]
    fn normals_are_those_of_the_surface() {
        for (settings, expected, rule) in [
            (&[(Opcode::LIGHTINGENABLE, 1)][..], [-1.0, 0.0, 1.0], "the length is kept"),
            (&[(Opcode::TEXMAPMODE, 2)], [-1.0, 0.0, 1.0], "the environment map needs normals too"),
            (&[(Opcode::VTYPE, 3 << 5)], [-1.0, 0.0, 1.0], "normals of control points are ignored"),
            (&[(Opcode::LIGHTINGENABLE, 1), (Opcode::PATCHFACING, 1)], [1.0, 0.0, -1.0], "negated"),
            (&[], [0.0; 3], "nothing reads them"),
        ] {
            for (number, vertex) in vertices(settings, [1, 1], &slope()).iter().enumerate() {
                assert_eq!(vertex.normal, expected, "{rule}, vertex {number}");
            }
        }
        let point = [[Vertex::default(); 4]; 4];
        let lit = &[(Opcode::LIGHTINGENABLE, 1)];
        assert_eq!(vertices(lit, [1, 1], &point)[0].normal, [0.0; 3], "all points equal: no direction");
    }

    /// The second round leaves two points; the tangent is their difference.
    #[test]
    fn normals_within_a_sub_patch() {
        let net = net(|x, y| Vertex { position: [x * x, y, 0.0], ..Vertex::default() });
        // x: 0, 1, 4, 9, then 0.5, 2.5, 6.5, then 1.5, 4.5. y: 0, 1, 2, 3, then 0.5, 1.5, 2.5, then 1, 2.
        assert_eq!(
            vertices(&[(Opcode::LIGHTINGENABLE, 1)], [2, 2], &net)[4].normal,
            [0.0, 0.0, 3.0],
            "(3, 0, 0) × (0, 1, 0)"
        );
    }

    #[test]
    fn colors_are_floored_after_widening() {
        let red = |column: f32| if column == 3.0 { [255, 7, 0, 255] } else { [0, 7, 0, 255] };
        let net = net(|column, _| Vertex { color: red(column), ..Vertex::default() });
        // Widened: 127, then + floor(32640 / 2) = 16320, 8160 and 4080: 4207 = 32·128 + 111.
        assert_eq!(vertices(&[], [2, 1], &net)[1].color, [32, 7, 0, 255], "an eighth of 255");
    }

    /// Vertices computed in groups have the same attributes as vertices alone.
    #[test]
    fn chosen_vertices_equal_those_of_the_whole_grid() {
        let net = net(|x, y| Vertex {
            position: [x * 1.3, y * x, y],
            texcoord: [x * x, y + x],
            color: if x > y { [200, 3, 9, 255] } else { [7, 80, 9, 0] },
            ..Vertex::default()
        });
        let settings = [WITH_TEXCOORDS, (Opcode::LIGHTINGENABLE, 1)];
        let all = vertices(&settings, [13, 5], &net);
        with_surface(&settings, [13, 5], &net, |surface| {
            let mut positions = PatchPositions::default();
            surface.positions(&mut positions);
            for numbers in [&[0][..], &[3, 4, 5, 13], &[13, 14, 27, 70, 71, 83]] {
                let mut chosen = Vec::new();
                surface.vertices(numbers, &positions, &mut chosen);
                let expected: Vec<_> = numbers.iter().map(|&number| all[number as usize]).collect();
                assert_eq!(chosen, expected, "{numbers:?}");
            }
        });
    }
}
