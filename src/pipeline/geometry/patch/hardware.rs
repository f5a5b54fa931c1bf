//! Evaluates sub-patches as the hardware does: in fixed point, first down the columns, then along the row.
//!
//! # Invariants
//! Vertices on the common border of two sub-patches are equal if their control points are. A sub-patch and
//! its reversed copy have equal positions, colours and texture coordinates.
//!
//! Source: [evaluation](crate::reference::ge::curves#evaluation),
//! [texture coordinates](crate::reference::ge::curves#generated-texture-coordinates),
//! [normals](crate::reference::ge::curves#normals).

use super::curve::{
    CurvePoint, CurveSteps, Factors, evaluate, lerp_channels, lerp_lanes, narrow_channel, widen_channel,
};
use super::positions::PatchPositions;
use super::surface::{Surface, Tessellation};
use crate::ge::arithmetic::simd::{Instructions, Simd, dispatch};
use crate::ge::arithmetic::{Hf16, Real};
use crate::pipeline::geometry::lanes::{LANES, Lanes};
use crate::pipeline::geometry::math::Vector3;
use crate::pipeline::vertex::Vertex;

/// The attributes of a point. The unused lanes interpolate zeros.
#[derive(Clone, Copy, Debug)]
pub(super) struct Attributes {
    /// x, y, z, u, v as HF16 numbers.
    numbers: Lanes<f32>,
    /// Red, green, blue, alpha, each [widened](widen_channel).
    channels: Lanes<i32>,
}

/// Number of [`Attributes::numbers`] in use.
const NUMBERS: usize = 5;
/// Number of [`Attributes::channels`] in use.
const CHANNELS: usize = 4;

impl Attributes {
    /// Converts a control point. Its normal has no effect.
    pub(super) fn new(vertex: &Vertex) -> Self {
        let ([x, y, z], [u, v]) = (vertex.position, vertex.texcoord);
        let mut attributes = Self { numbers: [0.0; LANES], channels: [0; LANES] };
        for (number, value) in attributes.numbers.iter_mut().zip([x, y, z, u, v]) {
            *number = Hf16::from_f32(value).to_f32();
        }
        for (channel, value) in attributes.channels.iter_mut().zip(vertex.color) {
            *channel = widen_channel(value);
        }
        attributes
    }

    fn position(&self) -> Vector3<f32> {
        let [x, y, z, ..] = self.numbers;
        [x, y, z]
    }
}

/// A 4×4 part of the control net, with the steps along both axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct HardwareSurface<'a> {
    pub(super) settings: &'a Tessellation,
    /// The steps along u and v.
    pub(super) steps: [&'a CurveSteps; 2],
    /// Number of the sub-patch along u and v.
    pub(super) index: [u32; 2],
    /// The control points, row by row.
    pub(super) control: &'a [[Attributes; 4]; 4],
}

/// The points of the four columns at one step along v: the control points of a row of vertices.
struct Row {
    points: [Attributes; 4],
    /// The two points per column whose difference is the tangent along v.
    tangent_ends: [[Lanes<f32>; 4]; 2],
}

impl Surface for HardwareSurface<'_> {
    fn control_positions(&self) -> [[Vector3<f32>; 4]; 4] {
        self.control.map(|row| row.map(|point| point.position()))
    }

    fn positions(&self, out: &mut PatchPositions) {
        let [columns, rows] = self.settings.vertices();
        out.clear(columns as usize * rows as usize);
        dispatch!(Instructions::Best, simd => for step in 0..rows {
            simd.vectorize(
                #[inline(always)]
                || self.position_row(step, out),
            );
        });
    }

    fn vertices(&self, numbers: &[u32], out: &mut Vec<Vertex>) {
        let [columns, _] = self.settings.vertices();
        out.reserve(numbers.len());
        dispatch!(Instructions::Best, simd => {
            for row_numbers in numbers.chunk_by(|a, b| a / columns == b / columns) {
                let step = row_numbers.first().map_or(0, |number| number / columns);
                let row = simd.vectorize(
                    #[inline(always)]
                    || self.row(step),
                );
                for numbers in row_numbers.chunks(LANES) {
                    self.vertex_group(simd, &row, step, numbers, out);
                }
            }
        });
    }
}

impl HardwareSurface<'_> {
    /// Appends the positions of a row of vertices to `out`.
    #[inline(always)]
    fn position_row(&self, step: u32, out: &mut PatchPositions) {
        let [along_u, along_v] = self.steps;
        let factors = along_v.factors(step).map(|factor| [factor; LANES]);
        let mut points = [[0.0; LANES]; 4];
        for (column, point) in points.iter_mut().enumerate() {
            *point = evaluate(self.control.map(|row| row[column].numbers), &factors, lerp_lanes).point;
        }
        for (axis, row) in out.add_row(along_u.points()).into_iter().enumerate() {
            let points = points.map(|point| [point[axis]; LANES]);
            for (out, factors) in row.chunks_mut(LANES).zip(along_u.lanes()) {
                let lanes = evaluate(points, factors, lerp_lanes).point;
                for (out, lane) in out.iter_mut().zip(lanes) {
                    *out = lane;
                }
            }
        }
    }

    /// Evaluates the columns at one step along v.
    #[inline(always)]
    fn row(&self, step: u32) -> Row {
        let [_, along_v] = self.steps;
        let factors = along_v.factors(step).map(|factor| [factor; LANES]);
        let mut row = Row { points: self.control[0], tangent_ends: [[[0.0; LANES]; 4]; 2] };
        for (column, point) in row.points.iter_mut().enumerate() {
            let numbers = evaluate(self.control.map(|row| row[column].numbers), &factors, lerp_lanes);
            let channels = evaluate(self.control.map(|row| row[column].channels), &factors, lerp_channels);
            *point = Attributes { numbers: numbers.point, channels: channels.point };
            let [from, to] = numbers.tangent_ends(along_v.starts_next(step));
            (row.tangent_ends[0][column], row.tangent_ends[1][column]) = (from, to);
        }
        row
    }

    /// Computes up to [`LANES`] vertices of a row and appends them to `out`.
    #[inline(always)]
    fn vertex_group<S: Simd>(
        &self,
        simd: S,
        row: &Row,
        row_step: u32,
        numbers: &[u32],
        out: &mut Vec<Vertex>,
    ) {
        let [along_u, _] = self.steps;
        let [columns, _] = self.settings.vertices();
        let mut factors: Factors<Lanes<i32>> = [[0; LANES]; 6];
        let mut starts_next = [false; LANES];
        for (lane, number) in numbers.iter().take(LANES).enumerate() {
            let step = number % columns;
            for (factors, factor) in factors.iter_mut().zip(along_u.factors(step)) {
                factors[lane] = factor;
            }
            starts_next[lane] = along_u.starts_next(step);
        }
        let mut values = [[0.0; LANES]; NUMBERS];
        let mut channels = [[0; LANES]; CHANNELS];
        let mut normals = [[0.0; LANES]; 3];
        simd.vectorize(
            #[inline(always)]
            || {
                let mut tangents = [[[0.0; LANES]; 3]; 2];
                for (number, value) in values.iter_mut().enumerate() {
                    let points = row.points.map(|point| [point.numbers[number]; LANES]);
                    let result = evaluate(points, &factors, lerp_lanes);
                    *value = result.point;
                    if let Some(tangent) = tangents[0].get_mut(number) {
                        *tangent = tangent_along_u(&result, &starts_next);
                    }
                }
                for (number, channel) in channels.iter_mut().enumerate() {
                    let points = row.points.map(|point| [point.channels[number]; LANES]);
                    *channel = evaluate(points, &factors, lerp_channels).point;
                }
                for (axis, tangent) in tangents[1].iter_mut().enumerate() {
                    let [from, to] = row
                        .tangent_ends
                        .map(|ends| evaluate(ends.map(|end| [end[axis]; LANES]), &factors, lerp_lanes).point);
                    *tangent = differences(&from, &to);
                }
                normals = cross(&tangents[0], &tangents[1], self.settings.facing);
            },
        );
        let [_, _, _, _, _, last_along_u] = &factors;
        let last_along_v = self.steps[1].factors(row_step)[5];
        for lane in 0..numbers.len().min(LANES) {
            let [x, y, z, u, v] = values.map(|value| value[lane]);
            out.push(Vertex {
                position: [x, y, z],
                normal: normals.map(|axis| axis[lane]),
                texcoord: if self.settings.generates_texcoords {
                    let [along_u, along_v] = self.index;
                    [
                        generated_texcoord(along_u, last_along_u[lane]),
                        generated_texcoord(along_v, last_along_v),
                    ]
                } else {
                    [u, v].map(cut_texcoord)
                },
                color: channels.map(|channel| narrow_channel(channel[lane])),
                weights: [0.0; 8],
            });
        }
    }
}

/// Returns the tangents of the points of a row.
#[inline(always)]
fn tangent_along_u(result: &CurvePoint<Lanes<f32>>, starts_next: &[bool; LANES]) -> Lanes<f32> {
    let within = differences(&result.last_two[0], &result.last_two[1]);
    let next = differences(&result.next_two[0], &result.next_two[1]);
    let mut out = [0.0; LANES];
    for (lane, out) in out.iter_mut().enumerate() {
        *out = if starts_next[lane] { next[lane] } else { within[lane] };
    }
    out
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

/// Computes cross products, each component a row sum, and negates them on demand.
#[inline(always)]
fn cross(a: &[Lanes<f32>; 3], b: &[Lanes<f32>; 3], negates: bool) -> [Lanes<f32>; 3] {
    let mut out = [[0.0; LANES]; 3];
    for (axis, out) in out.iter_mut().enumerate() {
        let (next, other) = ((axis + 1) % 3, (axis + 2) % 3);
        for (lane, out) in out.iter_mut().enumerate() {
            let [a_next, a_other, b_next, b_other] =
                [a[next][lane], a[other][lane], b[next][lane], b[other][lane]].map(Hf16::from_f32);
            let component = Hf16::row_sum([a_next, a_other], [b_other, -b_next]).to_f32();
            *out = if negates { -component } else { component };
        }
    }
    out
}

/// Returns a generated texture coordinate: the number of the sub-patch and the parameter within it.
#[expect(clippy::cast_precision_loss, reason = "patches have fewer than 256 sub-patches, so 17 bits")]
fn generated_texcoord(sub_patch: u32, parameter: i32) -> f32 {
    (256 * sub_patch.cast_signed() + parameter) as f32 / 256.0
}

/// Cuts a texture coordinate to 15 significant bits.
fn cut_texcoord(coordinate: f32) -> f32 {
    f32::from_bits(coordinate.to_bits() & !0x1FF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;

    /// Texture coordinates in the vertex type.
    const WITH_TEXCOORDS: (Opcode, u32) = (Opcode::VTYPE, 3);

    /// Computes all vertices of a Bezier sub-patch, the fourth along u.
    fn vertices(settings: &[(Opcode, u32)], quads: [u32; 2], net: &[[Vertex; 4]; 4]) -> Vec<Vertex> {
        with_surface(settings, quads, net, |surface| {
            let [columns, rows] = surface.settings.vertices();
            let numbers: Vec<u32> = (0..columns * rows).collect();
            let mut vertices = Vec::new();
            surface.vertices(&numbers, &mut vertices);
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
        let control = net.map(|row| row.map(|vertex| Attributes::new(&vertex)));
        run(&HardwareSurface {
            settings: &settings,
            steps: steps.each_ref(),
            index: [3, 0],
            control: &control,
        })
    }

    /// A net whose vertices depend on column and row.
    fn net(vertex: impl Fn(f32, f32) -> Vertex) -> [[Vertex; 4]; 4] {
        let thirds = [0.0, 1.0, 2.0, 3.0];
        thirds.map(|row| thirds.map(|column| vertex(column, row)))
    }

    /// A net over a square of size 3, with z along u.
    fn slope() -> [[Vertex; 4]; 4] {
        net(|x, y| Vertex { position: [x, y, x], normal: [0.0, 1.0, 0.0], ..Vertex::default() })
    }

    /// One control point has z = 1, the others 0, and both parameters are 85/256.
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
    fn texcoords_have_15_significant_bits() {
        let texcoord = [1.0 + 1.0 / 32768.0, 1.0 + 1.0 / 16384.0];
        let net = [[Vertex { texcoord, ..Vertex::default() }; 4]; 4];
        assert_eq!(
            vertices(&[WITH_TEXCOORDS], [1, 1], &net)[0].texcoord,
            [1.0, 1.0 + 1.0 / 16384.0],
            "the 16th bit is cut"
        );
    }

    /// [Normals](crate::reference::ge::curves#normals): (1, 0, 1) × (0, 1, 0), not normalised.
    #[test]
    fn normals_are_those_of_the_surface() {
        for (settings, expected, rule) in [
            (&[][..], [-1.0, 0.0, 1.0], "the length is kept"),
            (&[(Opcode::VTYPE, 3 << 5)], [-1.0, 0.0, 1.0], "normals of control points are ignored"),
            (&[(Opcode::PATCHFACING, 1)], [1.0, 0.0, -1.0], "PATCHFACING negates"),
        ] {
            for (number, vertex) in vertices(settings, [1, 1], &slope()).iter().enumerate() {
                assert_eq!(vertex.normal, expected, "{rule}, vertex {number}");
            }
        }
        let point = [[Vertex::default(); 4]; 4];
        assert_eq!(vertices(&[], [1, 1], &point)[0].normal, [0.0; 3], "all points equal: no direction");
    }

    /// The tangent is the difference of the two points of the second round.
    #[test]
    fn normals_within_a_sub_patch() {
        let net = net(|x, y| Vertex { position: [x * x, y, 0.0], ..Vertex::default() });
        // x: 0, 1, 4, 9, then 0.5, 2.5, 6.5, then 1.5, 4.5. y: 0, 1, 2, 3, then 0.5, 1.5, 2.5, then 1, 2.
        assert_eq!(vertices(&[], [2, 2], &net)[4].normal, [0.0, 0.0, 3.0], "(3, 0, 0) × (0, 1, 0)");
    }

    #[test]
    fn colors_are_floored_after_widening() {
        let red = |column: f32| if column == 3.0 { [255, 7, 0, 255] } else { [0, 7, 0, 255] };
        let net = net(|column, _| Vertex { color: red(column), ..Vertex::default() });
        // Widened: 127, then + floor(32640 / 2) = 16320, 8160 and 4080: 4207 = 32·128 + 111.
        assert_eq!(vertices(&[], [2, 1], &net)[1].color, [32, 7, 0, 255], "an eighth of 255");
    }

    /// Positions computed in bulk equal those of the vertices, bit for bit.
    #[test]
    fn positions_match_full_vertices() {
        let mut seed = 1_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(seed >> 9 | 1.0_f32.to_bits()) * 1000.0 - 1500.0
        };
        for quads in [[1, 1], [2, 3], [7, 8], [13, 5], [16, 1], [1, 127], [127, 127]] {
            let net: [[Vertex; 4]; 4] = std::array::from_fn(|_| {
                std::array::from_fn(|_| Vertex {
                    position: std::array::from_fn(|_| random()),
                    ..Vertex::default()
                })
            });
            let mut positions = PatchPositions::default();
            with_surface(&[], quads, &net, |surface| surface.positions(&mut positions));
            let vertices = vertices(&[], quads, &net);
            assert_eq!(positions.count(), vertices.len(), "{quads:?}");
            for (number, vertex) in vertices.iter().enumerate() {
                let alone = positions.at(number);
                assert_eq!(alone.map(f32::to_bits), vertex.position.map(f32::to_bits), "{quads:?}, {number}");
            }
        }
    }
}
