//! Texture coordinates of a vertex: scaled UV or the texture matrix. Source: `ge-reference.md` §4.4, §6.6.

use super::math::{Affine, Vector3, normalize};
use crate::arithmetic::Real;
use crate::opcode::Opcode;
use crate::registers::texture::{MapMode, MapSource, TextureMap};
use crate::registers::{Matrix, Registers};

/// Where a draw's texture coordinates come from.
#[derive(Clone, Copy, Debug)]
pub enum TextureGenerator<R> {
    /// UV of the vertex, times a scale, plus an offset.
    Scaled {
        /// TEXSCALEU, TEXSCALEV.
        scale: [R; 2],
        /// TEXOFFSETU, TEXOFFSETV.
        offset: [R; 2],
    },
    /// The texture matrix times one of the vertex's vectors; scale and offset do not apply.
    Matrix {
        /// Which vector.
        source: MapSource,
        /// The texture matrix.
        matrix: Affine<R>,
        /// REVERSENORMAL.
        reverse: bool,
    },
}

impl<R: Real> TextureGenerator<R> {
    /// The generator that the registers describe.
    #[must_use]
    pub fn new(registers: &Registers) -> Self {
        let map: TextureMap = registers.get();
        let float = |opcode| R::from_f32(registers.float(opcode));
        match map.mode {
            MapMode::MATRIX => Self::Matrix {
                source: map.source,
                matrix: Affine::load(registers, Matrix::Texture),
                reverse: registers.is_on(Opcode::REVERSENORMAL),
            },
            _ => Self::Scaled {
                scale: [float(Opcode::TEXSCALEU), float(Opcode::TEXSCALEV)],
                offset: [float(Opcode::TEXOFFSETU), float(Opcode::TEXOFFSETV)],
            },
        }
    }

    /// s, t and q of a vertex, from its model-space position and normal and its UV.
    #[must_use]
    pub fn coordinates(&self, position: Vector3<R>, normal: Vector3<R>, uv: [R; 2]) -> Vector3<R> {
        match self {
            Self::Scaled { scale, offset } => {
                [uv[0] * scale[0] + offset[0], uv[1] * scale[1] + offset[1], R::ONE]
            }
            Self::Matrix { source, matrix, reverse } => {
                let normal = || if *reverse { normal.map(|component| -component) } else { normal };
                matrix.transform_point(match *source {
                    MapSource::POSITION => position,
                    MapSource::UV => [uv[0], uv[1], R::ZERO],
                    MapSource::NORMALIZED_NORMAL => normalize(normal()),
                    _ => normal(),
                })
            }
        }
    }
}
