//! Morphs vertices: sums each vertex's frames, multiplied by their weights.
//! Source: [morphing](crate::reference::ge::vertices#morphing) (hardware test `vertices/morph`: a single
//! frame is not weighted).

use crate::ge::arithmetic::simd::{Instructions, Simd as _, dispatch};
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::vertex::VertexType;
use crate::pipeline::vertex::{Vertex, VertexReader};

/// How many frames there are, and their weights.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Morph<R> {
    frames: usize,
    through: bool,
    weights: [R; 8],
}

impl<R: Real> Morph<R> {
    /// Reads a draw's morph state.
    #[must_use]
    pub(crate) fn new(registers: &Registers) -> Self {
        let vertex_type: VertexType = registers.get();
        let weights = [0, 1, 2, 3, 4, 5, 6, 7]
            .map(|frame| R::from_f32(registers.float(Opcode::MORPHWEIGHT0.plus(frame))));
        Self { frames: vertex_type.morph_frames(), through: vertex_type.through, weights }
    }

    /// Reads and morphs the draw's `nth` vertex.
    #[must_use]
    pub(crate) fn vertex(&self, reader: &VertexReader<'_>, nth: u32) -> Vertex {
        if self.frames == 1 {
            reader.vertex(nth)
        } else {
            reader.frames(reader.index(nth), |frame| self.sum(frame))
        }
    }

    /// Reads and morphs the vertices with these indices and appends them to `out`.
    pub(crate) fn append(
        &self,
        reader: &VertexReader<'_>,
        indices: impl ExactSizeIterator<Item = u32> + Clone,
        out: &mut Vec<Vertex>,
    ) {
        if self.frames == 1 {
            reader.append(indices, out);
        } else {
            out.extend(indices.map(|index| reader.frames(index, |frame| self.sum(frame))));
        }
    }

    /// Reads and morphs the first `count` vertices, whatever their indices, and appends them to `out`.
    pub(crate) fn append_first(&self, reader: &VertexReader<'_>, count: u32, out: &mut Vec<Vertex>) {
        if self.frames == 1 {
            reader.append_first(count, out);
        } else {
            self.append(reader, 0..count, out);
        }
    }

    fn sum(&self, frame: &dyn Fn(usize) -> Vertex) -> Vertex {
        let first = frame(0);
        let mut frames = [[0.0; VALUES]; 8];
        for (number, values) in frames.iter_mut().enumerate().take(self.frames) {
            *values = values_of(if number == 0 { first } else { frame(number) });
        }
        let frames = frames.iter().zip(self.weights).take(self.frames);
        let mut sums = [R::ZERO; VALUES];
        dispatch!(Instructions::Best, simd => for (values, weight) in frames {
            simd.vectorize(
                #[inline(always)]
                || accumulate(&mut sums, values, weight),
            );
        });
        let [x, y, z, normal_x, normal_y, normal_z, u, v, red, green, blue, alpha, weights @ ..] = sums;
        let color = [red, green, blue, alpha].map(to_byte);
        if self.through {
            // Only colours morph in through mode. The first frame gives the other attributes.
            return Vertex { color, ..first };
        }
        let mut vertex = Vertex {
            position: [x, y, z].map(R::to_f32),
            normal: [normal_x, normal_y, normal_z].map(R::to_f32),
            texcoord: [u, v].map(R::to_f32),
            color,
            // Emulators do not morph weights.
            weights: first.weights,
        };
        if R::ARITHMETIC == Arithmetic::Hardware {
            for (out, weight) in vertex.weights.iter_mut().zip(weights) {
                *out = weight.to_f32();
            }
        }
        vertex
    }
}

/// How many values to morph, padded to fill the last vector register.
const VALUES: usize = 20 + 4;

/// Returns a frame's position, normal, texture coordinates, colour and weights.
fn values_of(frame: Vertex) -> [f32; VALUES] {
    let Vertex { position: [x, y, z], normal: [normal_x, normal_y, normal_z], texcoord: [u, v], .. } = frame;
    let [red, green, blue, alpha] = frame.color.map(f32::from);
    let [a, b, c, d, e, f, g, h] = frame.weights;
    [
        x, y, z, normal_x, normal_y, normal_z, u, v, red, green, blue, alpha, a, b, c, d, e, f, g, h, 0.0,
        0.0, 0.0, 0.0,
    ]
}

/// Adds a frame's values, multiplied by its weight.
#[inline(always)]
fn accumulate<R: Real, const N: usize>(sum: &mut [R; N], values: &[f32; N], weight: R) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum = *sum + R::from_f32(*value) * weight;
    }
}

/// Floors the magnitude of a colour channel. Emulators turn negative sums into 0. Returns 0 for NaN.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
fn to_byte<R: Real>(value: R) -> u8 {
    let value = value.to_f32();
    match R::ARITHMETIC {
        Arithmetic::Hardware => value.abs() as u8,
        Arithmetic::Single => value as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;

    /// Sums two frames, weighted 0.5 and 0.75.
    fn sum<R: Real>() -> Vertex {
        let weights = [0.5, 0.75, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].map(R::from_f32);
        Morph { frames: 2, through: false, weights }.sum(&|frame| {
            let number = if frame == 0 { 1.0 } else { 2.0 };
            let color = if frame == 0 { 255 } else { 3 };
            Vertex { position: [number; 3], weights: [number; 8], color: [color; 4], ..Vertex::default() }
        })
    }

    #[test]
    fn hardware_morphs_skin_weights() {
        let vertex = sum::<Hf16>();
        assert_eq!((vertex.position, vertex.weights), ([2.0; 3], [2.0; 8]), "1 · 0.5 + 2 · 0.75");
        assert_eq!(vertex.color, [129; 4], "127.5 + 2.25, floored");
    }

    /// [Morphing](crate::reference::ge::vertices#morphing): 100, 200, 10 and 255, less 1.5 times 90.
    #[test]
    fn negative_colors_count_by_their_magnitude() {
        fn color<R: Real>() -> [u8; 4] {
            let weights = [1.0, -1.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].map(R::from_f32);
            let morph = Morph { frames: 2, through: false, weights };
            let colors = [[100, 200, 10, 255], [90; 4]];
            morph.sum(&|frame| Vertex { color: colors[frame], ..Vertex::default() }).color
        }
        assert_eq!(color::<Hf16>(), [35, 65, 125, 120], "hardware");
        assert_eq!(color::<f32>(), [0, 65, 0, 120], "emulators");
    }

    #[test]
    fn emulators_take_skin_weights_of_first_frame() {
        let vertex = sum::<f32>();
        assert_eq!((vertex.position, vertex.weights), ([2.0; 3], [1.0; 8]), "only the position morphs");
    }
}
