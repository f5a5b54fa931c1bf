//! Morphing: sums the frames of a vertex by their weights.
//! Source: [morphing](crate::reference::ge::vertices#morphing) (hardware test `vertices/morph`: a single
//! frame is not weighted).

use crate::ge::arithmetic::Real;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::vertex::{Vertex, VertexReader};

/// The number of frames and their weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Morph<R> {
    frames: usize,
    through: bool,
    weights: [R; 8],
}

impl<R: Real> Morph<R> {
    /// Creates the morph state of a draw.
    #[must_use]
    pub(crate) fn new(registers: &Registers) -> Self {
        let vertex_type: VertexType = registers.get();
        let weights = [0, 1, 2, 3, 4, 5, 6, 7]
            .map(|frame| R::from_f32(registers.float(Opcode::MORPHWEIGHT0.plus(frame))));
        Self { frames: vertex_type.morph_frames(), through: vertex_type.through, weights }
    }

    /// Reads and morphs the `nth` vertex of the draw. Skinning weights come from the first frame.
    #[must_use]
    pub(crate) fn vertex(&self, reader: &VertexReader<'_>, nth: u32) -> Vertex {
        if self.frames == 1 { reader.vertex(nth) } else { reader.frames(nth, |frame| self.sum(frame)) }
    }

    fn sum(&self, frame: &dyn Fn(usize) -> Vertex) -> Vertex {
        let first = frame(0);
        let mut position = [R::ZERO; 3];
        let mut normal = [R::ZERO; 3];
        let mut texcoord = [R::ZERO; 2];
        let mut color = [R::ZERO; 4];
        for (number, &weight) in self.weights.iter().enumerate().take(self.frames) {
            let vertex = frame(number);
            accumulate(&mut position, vertex.position, weight);
            accumulate(&mut normal, vertex.normal, weight);
            accumulate(&mut texcoord, vertex.texcoord, weight);
            accumulate(&mut color, vertex.color.map(f32::from), weight);
        }
        let color = color.map(to_byte);
        if self.through {
            // In through mode only colours morph; the other attributes are those of the first frame.
            return Vertex { color, ..first };
        }
        Vertex {
            position: position.map(R::to_f32),
            normal: normal.map(R::to_f32),
            texcoord: texcoord.map(R::to_f32),
            color,
            weights: first.weights,
        }
    }
}

fn accumulate<R: Real, const N: usize>(sum: &mut [R; N], values: [f32; N], weight: R) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum = *sum + R::from_f32(value) * weight;
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
fn to_byte<R: Real>(value: R) -> u8 {
    value.to_f32() as u8
}
