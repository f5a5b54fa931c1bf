//! Generates a vertex's texture coordinates: scaled UV, texture matrix or environment map.
//! Source: [UV scale](crate::reference::ge::vertices#uv-scale),
//! [texture matrix](crate::reference::ge::lighting#texture-matrix),
//! [environment map](crate::reference::ge::lighting#environment-map).

use super::lanes::{self, LANES, Lanes, VectorLanes};
use super::light_vector::{LightVector, half_vectors, view_vector};
use super::math::{Affine, Vector3};
use super::normal::WorldNormals;
use super::zero_normal::ZeroNormal;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::light::{LightComputation, LightType};
use crate::ge::registers::texture::{MapMode, MapSource, TextureMap, TextureShade};
use crate::ge::registers::{Matrix, Registers};

/// How a draw generates its texture coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TextureGenerator<R> {
    /// The vertex's UV, multiplied by a scale and moved by an offset.
    Scaled {
        /// TEXSCALEU, TEXSCALEV.
        scale: [R; 2],
        /// TEXOFFSETU, TEXOFFSETV.
        offset: [R; 2],
    },
    /// The texture matrix, applied to a vector from the vertex. Scale and offset have no effect.
    Matrix {
        /// Which vector to transform.
        source: MapSource,
        /// The texture matrix.
        matrix: Affine<R>,
        /// REVERSENORMAL.
        reverse: bool,
        /// The vector to use in place of unit normals with length 0.
        zero_normal: ZeroNormal,
    },
    /// The cosines between the normal and two lights, mapped to 0..1. Scale and offset have no effect.
    Environment {
        /// The lights for s and t.
        lights: [EnvironmentLight<R>; 2],
        /// Transforms the normals.
        normals: WorldNormals<R>,
    },
}

/// A light for the environment map, whether on or off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EnvironmentLight<R> {
    vector: LightVector<R>,
    /// The view vector for a light with a specular term, because half vectors then replace its directions.
    view: Option<Vector3<R>>,
}

impl<R: Real> EnvironmentLight<R> {
    /// Reads light `number`, 0 to 3. Emulators use its position as a direction, whatever the light's type.
    fn new(registers: &Registers, number: u8) -> Self {
        let light_type: LightType = registers.view(Opcode::LIGHTTYPE0.plus(number));
        match R::ARITHMETIC {
            Arithmetic::Hardware => Self {
                vector: LightVector::new(registers, number),
                view: (light_type.computation == LightComputation::SPECULAR).then(|| view_vector(registers)),
            },
            Arithmetic::Single => Self { vector: LightVector::directional(registers, number), view: None },
        }
    }

    /// Computes unit vectors at these model positions. Their cosines with the normal give texture coordinates.
    #[inline(always)]
    fn vectors(&self, positions: &VectorLanes<R>) -> VectorLanes<R> {
        let directions = self.vector.directions(positions).directions;
        match self.view {
            Some(view) => half_vectors(&directions, view),
            None => directions,
        }
    }
}

/// How large each component is in the vector that replaces a zero unit normal. Only a single row in the hardware
/// test `texmtx/normals` shows this, and any size from 128 on gives the same result there.
/// Source: [zero normals](crate::reference::ge::lighting#zero-normals), inferred.
const ZERO_UNIT_NORMAL: f32 = (1_u64 << 32) as f32;

impl<R: Real> TextureGenerator<R> {
    #[must_use]
    pub(crate) fn new(registers: &Registers, zero_normal: ZeroNormal) -> Self {
        let map: TextureMap = registers.get();
        let float = |opcode| R::from_f32(registers.float(opcode));
        match map.mode {
            MapMode::MATRIX => Self::Matrix {
                source: map.source,
                matrix: Affine::load(registers, Matrix::Texture),
                reverse: registers.is_on(Opcode::REVERSENORMAL),
                zero_normal,
            },
            MapMode::ENVIRONMENT => {
                let shade: TextureShade = registers.get();
                Self::Environment {
                    lights: [shade.s_light, shade.t_light]
                        .map(|number| EnvironmentLight::new(registers, number)),
                    normals: WorldNormals::new(registers, zero_normal),
                }
            }
            _ => Self::Scaled {
                scale: [float(Opcode::TEXSCALEU), float(Opcode::TEXSCALEV)],
                offset: [float(Opcode::TEXOFFSETU), float(Opcode::TEXOFFSETV)],
            },
        }
    }

    /// Whether coordinates depend on normals.
    pub(crate) const fn uses_normals(&self) -> bool {
        match self {
            Self::Scaled { .. } => false,
            Self::Matrix { source, .. } => !matches!(*source, MapSource::POSITION | MapSource::UV),
            Self::Environment { .. } => true,
        }
    }

    /// Computes s, t and q for a vertex, from its position and normal in model space and its UV.
    #[must_use]
    pub(crate) fn of_vertex(&self, position: Vector3<R>, normal: Vector3<R>, uv: [R; 2]) -> Vector3<R> {
        let [position, normal] = [position, normal].map(lanes::splat);
        lanes::extract(&self.coordinates(&position, &normal, &lanes::splat(uv)), 0)
    }

    /// Computes s, t and q for several vertices, from their positions and normals in model space and their UV.
    #[inline(always)]
    #[must_use]
    pub(crate) fn coordinates(
        &self,
        positions: &VectorLanes<R>,
        normals: &VectorLanes<R>,
        [u, v]: &[Lanes<R>; 2],
    ) -> VectorLanes<R> {
        match self {
            Self::Scaled { scale, offset } => [
                lanes::map(u, |u| u * scale[0] + offset[0]),
                lanes::map(v, |v| v * scale[1] + offset[1]),
                [R::ONE; LANES],
            ],
            Self::Matrix { source, matrix, reverse, zero_normal } => {
                let source = match *source {
                    MapSource::POSITION => *positions,
                    MapSource::UV => [*u, *v, [R::ZERO; LANES]],
                    MapSource::NORMALIZED_NORMAL => {
                        // Only this source replaces a zero normal, and it does so before REVERSENORMAL acts.
                        let mut normals = lanes::normalize(normals);
                        if R::ARITHMETIC == Arithmetic::Hardware {
                            zero_normal.replace_zeros(&mut normals, ZERO_UNIT_NORMAL);
                        }
                        negated_if(*reverse, normals)
                    }
                    _ => negated_if(*reverse, *normals),
                };
                lanes::transform_points(matrix, &source)
            }
            Self::Environment { lights, normals: to_normals } => {
                let normals = to_normals.transform(normals);
                let half = R::from_f32(0.5);
                let mut coordinates = [[R::ONE; LANES]; 3];
                for (coordinate, light) in coordinates.iter_mut().zip(lights) {
                    let cosines = normals.cosines(&light.vectors(positions));
                    // This maps cosines from −1 to 1 to coordinates from 0 to 1.
                    *coordinate = lanes::map(&cosines, |cosine| (cosine + R::ONE) * half);
                }
                coordinates
            }
        }
    }
}

#[inline(always)]
fn negated_if<R: Real>(negate: bool, mut vectors: VectorLanes<R>) -> VectorLanes<R> {
    if negate {
        for component in vectors.as_flattened_mut() {
            *component = -*component;
        }
    }
    vectors
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;
    use crate::pipeline::geometry::math::convert;

    fn registers(settings: &[(Opcode, u32)], floats: &[(Opcode, f32)]) -> Registers {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::WORLDMATRIXNUMBER, 0));
        registers.write(Command::new(Opcode::TGENMATRIXNUMBER, 0));
        for element in [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] {
            for opcode in [Opcode::WORLDMATRIXDATA, Opcode::TGENMATRIXDATA] {
                registers.write(Command::new(opcode, Float24::from_f32(element).to_bits()));
            }
        }
        for &(opcode, argument) in settings {
            registers.write(Command::new(opcode, argument));
        }
        for &(opcode, value) in floats {
            registers.write(Command::new(opcode, Float24::from_f32(value).to_bits()));
        }
        registers
    }

    fn generator(settings: &[(Opcode, u32)], floats: &[(Opcode, f32)]) -> TextureGenerator<f32> {
        TextureGenerator::new(&registers(settings, floats), ZeroNormal::default())
    }

    /// Returns the coordinates that the hardware generates for a vertex.
    fn hardware(
        settings: &[(Opcode, u32)],
        floats: &[(Opcode, f32)],
        [position, normal]: [[f32; 3]; 2],
    ) -> [f32; 3] {
        let generator = TextureGenerator::<Hf16>::new(&registers(settings, floats), ZeroNormal::Positive);
        generator.of_vertex(convert(position), convert(normal), [Hf16::ZERO; 2]).map(Hf16::to_f32)
    }

    #[test]
    fn scales_and_offsets_uv() {
        let floats = [(Opcode::TEXSCALEU, 2.0), (Opcode::TEXSCALEV, 4.0), (Opcode::TEXOFFSETV, 0.25)];
        let coordinates = generator(&[], &floats).of_vertex([9.0; 3], [9.0; 3], [0.5, 0.5]);
        assert_eq!(coordinates, [1.0, 2.25, 1.0], "position and normal are ignored");
    }

    #[test]
    fn environment_map_uses_normal() {
        let settings = [(Opcode::TEXMAPMODE, 2), (Opcode::TEXSHADELS, 0x001)];
        let floats = [(Opcode::LX1, 3.0), (Opcode::TEXOFFSETU, 7.0)];
        let environment = generator(&settings, &floats);
        let at = |normal| environment.of_vertex([0.0; 3], normal, [0.0; 2]);
        assert_eq!(at([5.0, 0.0, 0.0]), [1.0, 0.5, 1.0], "normal towards the light for s");
        assert_eq!(
            at([0.0, 0.0, -5.0]),
            [0.5, 0.0, 1.0],
            "the light for t has a zero vector, which acts as (0, 0, 1)"
        );
        assert_eq!(at([0.0; 3]), [0.5, 1.0, 1.0], "a zero normal acts as (0, 0, 1) too");
    }

    /// [Environment map](crate::reference::ge::lighting#environment-map).
    #[test]
    fn environment_map_has_kinds_of_lights() {
        let floats = [(Opcode::LY1, 4.0), (Opcode::LKA1, 1.0)];
        let at = |light_type, position, normal| {
            let settings =
                [(Opcode::TEXMAPMODE, 2), (Opcode::TEXSHADELS, 0x001), (Opcode::LIGHTTYPE1, light_type)];
            hardware(&settings, &floats, [position, normal])
        };
        let (below, above) = ([0.0, 2.0, 0.0], [0.0, 8.0, 0.0]);
        assert_eq!(at(0x000, above, [0.0, 2.0, 0.0]), [1.0, 0.5, 1.0], "directional; no light for t");
        assert_eq!(at(0x100, below, [0.0, 2.0, 0.0]), [1.0, 0.5, 1.0], "below a point light");
        assert_eq!(at(0x200, above, [0.0, 2.0, 0.0]), [0.0, 0.5, 1.0], "above a spot light");
        let [s, ..] = at(0x001, above, [0.0, 0.0, 2.0]);
        assert!((s - (0.5 + 0.5_f32.sqrt() / 2.0)).abs() < 1e-3, "halfway between y and the viewer: {s}");
    }

    /// [Zero normals](crate::reference::ge::lighting#zero-normals).
    #[test]
    fn the_texture_matrix_takes_zero_unit_normals_as_very_long() {
        let at = |source: u32, reverse, normal| {
            let settings = [(Opcode::TEXMAPMODE, 1 | source << 8), (Opcode::REVERSENORMAL, reverse)];
            hardware(&settings, &[], [[7.0; 3], normal])
        };
        assert_eq!(at(2, 0, [0.0; 3]), [ZERO_UNIT_NORMAL; 3], "unit normal");
        assert_eq!(at(2, 1, [0.0; 3]), [-ZERO_UNIT_NORMAL; 3], "reversed");
        assert_eq!(at(2, 1, [0.0, 4.0, 0.0]), [0.0, -1.0, 0.0], "a normal of length 4");
        assert_eq!(at(3, 0, [0.0; 3]), [0.0; 3], "normal");
    }
}
