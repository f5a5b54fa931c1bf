//! One light: its strength at a vertex, and the diffuse and specular factors of the angle.
//!
//! # Invariants
//! Factors are between 0 and 1, whatever the registers and vertices hold.
//!
//! Source: [light vector](crate::reference::ge::lighting#light-vector) and the sections after it (hardware
//! test `commands/light`). Light positions are in world space. The test does not show how attenuation and
//! cone combine, as one of them is always 1 there; this code multiplies them as numbers.

use super::lanes::{self, LANES, Lanes, VectorLanes};
use super::math::{Vector3, bounded, bounded3, normalize};
use super::power::power;
use crate::ge::arithmetic::Real;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::light::{LightComputation, LightKind, LightType};

/// A light, on or off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Light<R> {
    computation: LightComputation,
    source: LightSource<R>,
    /// MATERIALSPECULARCOEF.
    specular_exponent: R,
}

/// The position or direction of a light.
#[derive(Clone, Copy, Debug, PartialEq)]
enum LightSource<R> {
    /// A directional light: the unit vector towards it.
    Directional(Vector3<R>),
    /// A point or spot light.
    Positional {
        position: Vector3<R>,
        /// Constant, linear and quadratic attenuation.
        attenuation: [R; 3],
        spot: Option<Spot<R>>,
    },
}

/// The cone of a spot light.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spot<R> {
    /// Unit vector from the lit object towards the light, or zero.
    direction: Vector3<R>,
    exponent: R,
    /// Smallest cosine inside the cone.
    cutoff: R,
}

/// The factors of a light at several vertices, each 0 to 1. The hardware multiplies them as bytes, not as
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LightFactors<R> {
    /// Attenuation times cone.
    pub strength: Lanes<R>,
    /// Diffuse factor of the angle.
    pub diffuse: Lanes<R>,
    /// Specular factor of the angle; `None` if the light has no specular part.
    pub specular: Option<Lanes<R>>,
}

impl<R: Real> Light<R> {
    /// Creates light `number`, 0 to 3, from the registers, whether it is on or off.
    #[must_use]
    pub(crate) fn new(registers: &Registers, number: u8) -> Self {
        let light_type: LightType = registers.view(Opcode::LIGHTTYPE0.plus(number));
        let float = |opcode: Opcode| bounded(registers, opcode.plus(number));
        let vector = |opcode: Opcode| bounded3(registers, opcode.plus(3 * number));
        let position = light_position(registers, number);
        let source = match light_type.kind {
            LightKind::DIRECTIONAL => LightSource::Directional(normalize_or_z(position)),
            LightKind::POINT => {
                LightSource::Positional { position, attenuation: vector(Opcode::LKA0), spot: None }
            }
            _ => LightSource::Positional {
                position,
                attenuation: vector(Opcode::LKA0),
                spot: Some(Spot {
                    direction: normalize(vector(Opcode::LDX0)),
                    exponent: float(Opcode::LKS0),
                    cutoff: float(Opcode::LKO0),
                }),
            },
        };
        Self {
            computation: light_type.computation,
            source,
            specular_exponent: bounded(registers, Opcode::MATERIALSPECULARCOEF),
        }
    }

    /// Computes the factors at vertices with these world positions and unit normals.
    #[inline(always)]
    #[must_use]
    pub(crate) fn factors(&self, positions: &VectorLanes<R>, normals: &VectorLanes<R>) -> LightFactors<R> {
        let (directions, strength) = self.directions_and_strengths(positions);
        let cosines = lanes::dot(&directions, normals);
        let diffuse = match self.computation {
            LightComputation::POWERED_DIFFUSE => powers(&cosines, self.specular_exponent),
            _ => cosines,
        };
        let specular = if self.computation == LightComputation::SPECULAR {
            let [x, y, z] = directions;
            let half_vectors = lanes::normalize_or_z(&[x, y, lanes::map(&z, |z| z + R::ONE)]);
            let mut specular = powers(&lanes::dot(&half_vectors, normals), self.specular_exponent);
            for (specular, cosine) in specular.iter_mut().zip(cosines) {
                let lit = clamp_to_unit(*specular);
                *specular = if cosine >= R::ZERO { lit } else { R::ZERO };
            }
            Some(specular)
        } else {
            None
        };
        LightFactors {
            strength: lanes::map(&strength, clamp_to_unit),
            diffuse: lanes::map(&diffuse, clamp_to_unit),
            specular,
        }
    }

    /// Computes the unit vectors from the vertices towards the light, and its strength at each vertex.
    #[inline(always)]
    fn directions_and_strengths(&self, vertices: &VectorLanes<R>) -> (VectorLanes<R>, Lanes<R>) {
        match &self.source {
            LightSource::Directional(direction) => (lanes::splat(*direction), [R::ONE; LANES]),
            LightSource::Positional { position, attenuation: [constant, linear, quadratic], spot } => {
                let mut towards = lanes::splat(*position);
                for (towards, vertex) in towards.as_flattened_mut().iter_mut().zip(vertices.as_flattened()) {
                    *towards = *towards - *vertex;
                }
                let directions = lanes::normalize_or_z(&towards);
                // The square comes from the vector, not from the rounded distance.
                let mut strength = lanes::dot(&towards, &towards);
                for strength in &mut strength {
                    let squared = *strength;
                    let divisor = (*constant + *linear * squared.sqrt()) + *quadratic * squared;
                    *strength = clamp_to_unit(divisor.reciprocal());
                }
                if let Some(spot) = spot {
                    let cone = spot.strength(&directions);
                    for (strength, cone) in strength.iter_mut().zip(cone) {
                        *strength = *strength * cone;
                    }
                }
                (directions, strength)
            }
        }
    }
}

impl<R: Real> Spot<R> {
    /// Computes the strength of the cone for these directions.
    #[inline(always)]
    fn strength(&self, directions: &VectorLanes<R>) -> Lanes<R> {
        let cosines = lanes::dot(&lanes::splat(self.direction), directions);
        let mut strength = powers(&cosines, self.exponent);
        for (strength, cosine) in strength.iter_mut().zip(cosines) {
            let inside = clamp_to_unit(*strength);
            *strength = if cosine >= self.cutoff { inside } else { R::ZERO };
        }
        strength
    }
}

/// Applies [`power`] to several bases.
#[inline(always)]
fn powers<R: Real>(bases: &Lanes<R>, exponent: R) -> Lanes<R> {
    let mut out = [R::ZERO; LANES];
    for (out, base) in out.iter_mut().zip(bases) {
        *out = power(*base, exponent);
    }
    out
}

/// Reads the position, or direction, of light `number`.
#[must_use]
pub(crate) fn light_position<R: Real>(registers: &Registers, number: u8) -> Vector3<R> {
    bounded3(registers, Opcode::LX0.plus(3 * number))
}

/// Normalises a vector; a zero vector becomes (0, 0, 1).
#[must_use]
pub(crate) fn normalize_or_z<R: Real>(vector: Vector3<R>) -> Vector3<R> {
    let unit = normalize(vector);
    if unit == [R::ZERO; 3] { [R::ZERO, R::ZERO, R::ONE] } else { unit }
}

/// Clamps to 0..1. Returns 0 for NaN.
#[inline(always)]
fn clamp_to_unit<R: Real>(value: R) -> R {
    let value = if value > R::ZERO { value } else { R::ZERO };
    if value >= R::ONE { R::ONE } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;

    const UP: [f32; 3] = [0.0, 0.0, 1.0];

    /// Computes strength, diffuse and specular factor at one vertex.
    fn factors(light: &Light<f32>, position: [f32; 3], normal: [f32; 3]) -> [f32; 3] {
        let LightFactors { strength, diffuse, specular } =
            light.factors(&lanes::splat(position), &lanes::splat(normal));
        [strength[0], diffuse[0], specular.map_or(0.0, |specular| specular[0])]
    }

    fn light(kind: u32, floats: &[(Opcode, f32)]) -> Light<f32> {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::LIGHTTYPE0, kind));
        for &(opcode, value) in floats {
            registers.write(Command::new(opcode, Float24::from_f32(value).to_bits()));
        }
        Light::new(&registers, 0)
    }

    #[test]
    fn directional_lights_do_not_attenuate() {
        let light = light(0, &[(Opcode::LZ0, 1000.0)]);
        assert_eq!(factors(&light, [5.0, 6.0, 7.0], UP), [1.0, 1.0, 0.0], "normal towards the light");
        assert_eq!(factors(&light, [0.0; 3], [0.0, 0.0, -1.0])[1], 0.0, "normal away from the light");
    }

    #[test]
    fn point_lights_attenuate() {
        let at = |floats: &[(Opcode, f32)]| {
            let floats = [&[(Opcode::LZ0, 2.0)], floats].concat();
            factors(&light(0x100, &floats), [0.0; 3], UP)[0]
        };
        assert_eq!(at(&[(Opcode::LKA0, 2.0)]), 0.5, "constant");
        assert_eq!(at(&[(Opcode::LKB0, 2.0)]), 0.25, "linear");
        assert_eq!(at(&[(Opcode::LKC0, 2.0)]), 0.125, "quadratic");
        assert_eq!(at(&[]), 1.0, "divided by 0");
        assert_eq!(at(&[(Opcode::LKA0, -1.0)]), 0.0, "never negative");
    }

    #[test]
    fn spot_lights_end_at_cutoff() {
        let at = |cutoff| {
            let floats = [
                (Opcode::LZ0, 1.0),
                (Opcode::LDZ0, 0.5),
                (Opcode::LKA0, 1.0),
                (Opcode::LKS0, 1.0),
                (Opcode::LKO0, cutoff),
            ];
            factors(&light(0x200, &floats), [1.0, 0.0, 0.0], UP)[0]
        };
        assert!((at(0.7) - 0.707).abs() < 0.001, "inside, the cosine");
        assert_eq!(at(0.71), 0.0, "outside");
        assert_eq!(at(f32::from_bits(0x7FC0_0000)), 0.0, "NaN acts as infinity");
        assert!(at(f32::NEG_INFINITY) > 0.7, "all directions are inside");
    }

    #[test]
    fn specular_exponent_comes_from_material() {
        let (half, two) = (0.5_f32.sqrt(), (Opcode::MATERIALSPECULARCOEF, 2.0));
        let toward = [(Opcode::LX0, 1.0), (Opcode::LZ0, 1.0), two];
        let [_, powered, _] = factors(&light(2, &toward), [0.0; 3], UP);
        assert!((powered - 0.5).abs() < 0.001, "the cosine squared, in emulators' arithmetic");
        let [_, diffuse, specular] = factors(&light(1, &toward), [0.0; 3], UP);
        assert!((diffuse - half).abs() < 0.001, "linear diffuse");
        assert!(specular > diffuse, "half vector between light and eye");
        let [_, _, below] = factors(&light(1, &[(Opcode::LZ0, -1.0)]), [0.0; 3], UP);
        assert_eq!(below, 0.0, "no specular light on the back");
    }
}
