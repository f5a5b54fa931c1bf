//! Scans a draw's vertices for their coordinate ranges and for odd values.

use super::subject::Subject;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::texture::{MapMode, TextureMap};
use crate::ge::registers::vertex::{ComponentFormat, VertexType};
use crate::pipeline::draw::Draw;
use crate::pipeline::vertex::Vertex;

/// Weights count as normalised if their sum differs from 1 by less than this: two steps of 8-bit weights.
const WEIGHT_TOLERANCE: f32 = 2.5 / 128.0;

/// The positions not clamped in through mode.
const UNCLAMPED: std::ops::RangeInclusive<f32> = -2048.0..=2047.9375;

/// Everything learnt from scanning a draw's vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Scan {
    /// Lowest and highest texture coordinates after scale and offset: texels in through mode, else multiples of the
    /// size. This is `None` if a texture matrix or an environment map generates the coordinates.
    pub uv: Option<[[f32; 2]; 2]>,
    /// The first vertex with an infinite or NaN position or texture coordinate, by number.
    pub not_finite: Option<u32>,
    /// The first vertex whose weights do not add up to 1, by number, and their sum.
    pub weights: Option<(u32, f32)>,
    /// How many such vertices there are.
    pub weights_count: u32,
    /// The first vertex clamped in through mode, by number, and the coordinate.
    pub clamped: Option<(u32, f32)>,
    /// The first vertex whose morphed colour has a negative sum, by number.
    pub negative: Option<u32>,
}

impl Scan {
    pub(super) fn new(subject: &Subject<'_>, memory: &Memory) -> Self {
        let mut scan = Self::default();
        let mut uv: Option<[[f32; 2]; 2]> = None;
        match subject {
            Subject::Draw(draw) => {
                let registers = draw.registers;
                let vertex_type = subject.vertex_type();
                // A matrix or lights compute the coordinates otherwise, so those in the vertices do not tell which
                // texels this draw samples.
                let is_uv = vertex_type.through
                    || !matches!(registers.get::<TextureMap>().mode, MapMode::MATRIX | MapMode::ENVIRONMENT);
                // In through mode coordinates are texels already, so scale and offset do not apply.
                let factors = if vertex_type.through {
                    [[1.0, 0.0]; 2]
                } else {
                    [
                        [Opcode::TEXSCALEU, Opcode::TEXOFFSETU].map(|opcode| registers.float(opcode)),
                        [Opcode::TEXSCALEV, Opcode::TEXOFFSETV].map(|opcode| registers.float(opcode)),
                    ]
                };
                let weights = vertex_type.weights();
                for (number, vertex) in (0..).zip(draw.raw_vertices(memory)) {
                    scan.look_at(number, &vertex, vertex_type.texcoord, weights);
                    let outside = |value: &&f32| vertex_type.through && !UNCLAMPED.contains(*value);
                    let clamped = vertex.position.iter().take(2).find(outside);
                    scan.clamped = scan.clamped.or(clamped.map(|value| (number, *value)));
                    let [u, v] = vertex.texcoord;
                    let [[scale_u, offset_u], [scale_v, offset_v]] = factors;
                    include(&mut uv, [u * scale_u + offset_u, v * scale_v + offset_v]);
                }
                uv = uv.filter(|_| is_uv);
                scan.negative = negative_color(draw, memory, vertex_type);
            }
            Subject::Immediate(draw) => {
                for vertex in &draw.vertices {
                    let [s, t, q] = vertex.texture;
                    include(&mut uv, [s / q, t / q]);
                }
            }
        }
        Self { uv, ..scan }
    }

    fn look_at(&mut self, number: u32, vertex: &Vertex, texcoord: ComponentFormat, weights: usize) {
        // Decoding has replaced infinity and NaN in positions by the largest number.
        let is_odd = |value: &f32| !value.is_finite() || value.abs() == f32::MAX;
        let has_odd_texcoord = texcoord == ComponentFormat::FLOAT && vertex.texcoord.iter().any(is_odd);
        if self.not_finite.is_none() && (vertex.position.iter().any(is_odd) || has_odd_texcoord) {
            self.not_finite = Some(number);
        }
        if weights > 0 {
            let sum: f32 = vertex.weights.iter().take(weights).sum();
            let is_normalised = (sum - 1.0).abs() < WEIGHT_TOLERANCE;
            if !is_normalised {
                self.weights_count = self.weights_count.saturating_add(1);
                self.weights = self.weights.or(Some((number, sum)));
            }
        }
    }
}

/// Finds the first vertex whose morphed colours have a negative sum.
fn negative_color(draw: &Draw<'_>, memory: &Memory, vertex_type: VertexType) -> Option<u32> {
    let frames = vertex_type.morph_frames();
    let weights: [f32; 8] = std::array::from_fn(|frame| {
        draw.registers.float(Opcode::MORPHWEIGHT0.plus(u8::try_from(frame).unwrap_or(0)))
    });
    let weights = weights.get(..frames).unwrap_or(&weights);
    // Only a negative weight can make a sum negative, because colours are not negative.
    if frames < 2 || vertex_type.color.bytes() == 0 || weights.iter().all(|weight| *weight >= 0.0) {
        return None;
    }
    let reader = draw.reader(memory);
    (0..draw.count).find(|nth| {
        reader.frames(reader.index(*nth), |frame| {
            let mut sums = [0.0_f32; 4];
            for (number, weight) in weights.iter().enumerate() {
                for (sum, channel) in sums.iter_mut().zip(frame(number).color) {
                    *sum += f32::from(channel) * weight;
                }
            }
            sums.iter().any(|sum| *sum <= -1.0)
        })
    })
}

/// Extends the box by a point. NaN stays in the box for good, so that callers notice it.
fn include(bounds: &mut Option<[[f32; 2]; 2]>, at: [f32; 2]) {
    let [low, high] = bounds.get_or_insert([at; 2]);
    for ((low, high), at) in low.iter_mut().zip(high).zip(at) {
        if at.is_nan() || low.is_nan() {
            (*low, *high) = (f32::NAN, f32::NAN);
        } else {
            (*low, *high) = (low.min(at), high.max(at));
        }
    }
}
