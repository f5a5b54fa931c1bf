//! Computes how a single light shines on a vertex: factors for distance, cone and angle.
//!
//! # Invariants
//! Factors are between 0 and 1, whatever the registers and vertices hold.
//!
//! Source: [attenuation](crate::reference::ge::lighting#attenuation) and the sections after it (hardware
//! tests `commands/light`, `lighting/specular`).

use super::lanes::{self, LANES, Lanes, VectorLanes};
use super::light_vector::{LightDirections, LightVector, half_vectors, inverse_length, view_vector};
use super::math::{Vector3, bounded, bounded3, normalize};
use super::normal::NormalLanes;
use super::power::Exponent;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::light::{LightComputation, LightKind, LightType};

/// A light, whether on or off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Light<R> {
    computation: LightComputation,
    vector: LightVector<R>,
    /// Constant, linear and quadratic attenuation for point and spot lights.
    attenuation: [R; 3],
    spot: Option<Spot<R>>,
    /// Unit vector towards the viewer.
    view: Vector3<R>,
    /// The half vector for a directional light, computed only once because it is the same at all vertices.
    half: Option<Vector3<R>>,
    /// MATERIALSPECULARCOEF.
    specular_exponent: Exponent<R>,
}

/// A spot light's cone.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Spot<R> {
    /// Points from the lit object towards the light, and may have any length.
    direction: Vector3<R>,
    /// 1 divided by the direction's length, to scale cosines.
    inverse_length: R,
    exponent: Exponent<R>,
    /// The smallest cosine inside the cone.
    cutoff: R,
}

/// Which terms of a light may be other than black, so that the factors for the rest need not be computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LightTerms {
    pub(crate) ambient: bool,
    pub(crate) diffuse: bool,
    pub(crate) specular: bool,
}

impl LightTerms {
    /// Whether any term may shine.
    #[must_use]
    pub(crate) const fn any(self) -> bool {
        self.ambient || self.diffuse || self.specular
    }
}

/// A light's factors at several vertices, each 0 to 1. Colours are multiplied by each in turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LightFactors<R> {
    /// The factor for the distance, or `None` for directional lights.
    pub attenuation: Option<Lanes<R>>,
    /// The factor for the cone, or `None` unless this is a spot light.
    pub spot: Option<Lanes<R>>,
    /// The diffuse factor for the angle, or `None` if this term is black.
    pub diffuse: Option<Lanes<R>>,
    /// The specular factor for the angle, or `None` if the light has no specular term or this term is black.
    pub specular: Option<Lanes<R>>,
}

impl<R: Real> Light<R> {
    /// Reads light `number`, 0 to 3, from the registers, even if it is off.
    #[must_use]
    pub(crate) fn new(registers: &Registers, number: u8) -> Self {
        let light_type: LightType = registers.view(Opcode::LIGHTTYPE0.plus(number));
        let is_spot = !matches!(light_type.kind, LightKind::DIRECTIONAL | LightKind::POINT);
        let (vector, view) = (LightVector::new(registers, number), view_vector(registers));
        let half = match vector {
            LightVector::Directional(direction) => {
                Some(lanes::extract(&half_vectors(&lanes::splat(direction), view), 0))
            }
            LightVector::Positional(_) => None,
        };
        Self {
            computation: light_type.computation,
            vector,
            attenuation: bounded3(registers, Opcode::LKA0.plus(3 * number)),
            spot: is_spot.then(|| Spot::new(registers, number)),
            view,
            half,
            specular_exponent: Exponent::load(registers, Opcode::MATERIALSPECULARCOEF),
        }
    }

    #[must_use]
    pub(crate) fn is_specular(&self) -> bool {
        self.computation == LightComputation::SPECULAR
    }

    /// Computes factors for these terms at vertices with these model positions and world normals.
    #[inline(always)]
    #[must_use]
    pub(crate) fn factors(
        &self,
        terms: LightTerms,
        positions: &VectorLanes<R>,
        normals: &NormalLanes<R>,
    ) -> LightFactors<R> {
        let LightDirections { directions, squared_distances } = self.vector.directions(positions);
        // This uses no closures, because they would not be compiled for the vector instructions of the loops around
        // them.
        let cosines =
            if terms.diffuse || terms.specular { normals.cosines(&directions) } else { [R::ZERO; LANES] };
        let diffuse = if !terms.diffuse {
            None
        } else if self.computation == LightComputation::POWERED_DIFFUSE {
            Some(lanes::map(&self.specular_exponent.powers(&cosines), clamp_to_unit))
        } else {
            Some(lanes::map(&cosines, clamp_to_unit))
        };
        let specular = if terms.specular && self.is_specular() {
            let halves = match self.half {
                Some(half) => lanes::splat(half),
                None => half_vectors(&directions, self.view),
            };
            let mut specular = self.specular_exponent.powers(&normals.cosines(&halves));
            for (specular, cosine) in specular.iter_mut().zip(cosines) {
                let lit = clamp_to_unit(*specular);
                // The half vector can face the normal although the light is behind the surface, so the light's own
                // cosine decides.
                *specular = if cosine >= R::ZERO { lit } else { R::ZERO };
            }
            Some(specular)
        } else {
            None
        };
        LightFactors {
            attenuation: squared_distances.map(|squared| self.attenuations(&squared)),
            spot: self.spot.as_ref().map(|spot| spot.factors(&directions)),
            diffuse,
            specular,
        }
    }

    /// Computes factors for distances, given as squares.
    #[inline(always)]
    fn attenuations(&self, squared: &Lanes<R>) -> Lanes<R> {
        if self.attenuation == [R::ONE, R::ZERO, R::ZERO] {
            // This common case needs no division. The factor is 1 at a finite distance, and the general formula
            // clamps an infinite one or NaN to 0.
            return lanes::map(
                squared,
                |squared| if squared.to_f32().is_finite() { R::ONE } else { R::ZERO },
            );
        }
        let powers = [[R::ONE; LANES], lanes::map(squared, R::sqrt), *squared];
        let divisors = R::row_sums(&powers, &lanes::splat(self.attenuation));
        lanes::map(&divisors, |divisor| clamp_to_unit(divisor.reciprocal()))
    }
}

impl<R: Real> Spot<R> {
    fn new(registers: &Registers, number: u8) -> Self {
        let (first, cutoff) = (Opcode::LDX0.plus(3 * number), Opcode::LKO0.plus(number));
        let exponent = Exponent::load(registers, Opcode::LKS0.plus(number));
        match R::ARITHMETIC {
            Arithmetic::Hardware => {
                let direction = spot_direction(registers, first);
                let inverse_length = inverse_length(direction);
                Self { direction, inverse_length, exponent, cutoff: spot_cutoff(registers.float(cutoff)) }
            }
            Arithmetic::Single => Self {
                direction: normalize(bounded3(registers, first)),
                inverse_length: R::ONE,
                exponent,
                cutoff: bounded(registers, cutoff),
            },
        }
    }

    /// Computes the cone's factors for these unit vectors towards the light.
    #[inline(always)]
    fn factors(&self, directions: &VectorLanes<R>) -> Lanes<R> {
        let cosines = lanes::dot(&lanes::splat(self.direction), directions);
        let cosines = lanes::map(&cosines, |cosine| cosine * self.inverse_length);
        let mut factors = self.exponent.powers(&cosines);
        for (factor, cosine) in factors.iter_mut().zip(cosines) {
            let inside = clamp_to_unit(*factor);
            *factor = if cosine >= self.cutoff { inside } else { R::ZERO };
        }
        factors
    }
}

/// Reads a spot light's direction from three registers. If any is infinite or NaN, finite components become 0 and
/// the others 1 with their sign.
/// Source: [spot](crate::reference::ge::lighting#spot).
fn spot_direction<R: Real>(registers: &Registers, first: Opcode) -> Vector3<R> {
    let components = [0, 1, 2].map(|axis| registers.float(first.plus(axis)));
    if components.iter().all(|component| component.is_finite()) {
        return bounded3(registers, first);
    }
    components
        .map(|component| R::from_f32(if component.is_finite() { 0.0 } else { 1.0_f32.copysign(component) }))
}

/// Returns the smallest cosine inside a cone. NaN with a sign counts as 0. With other NaN no direction is inside.
/// Source: [spot](crate::reference::ge::lighting#spot).
fn spot_cutoff<R: Real>(register: f32) -> R {
    if register.is_nan() && register.is_sign_negative() { R::ZERO } else { R::from_f32(register) }
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
    use crate::ge::arithmetic::Hf16;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;
    use crate::pipeline::geometry::normal::WorldNormals;
    use crate::pipeline::geometry::zero_normal::ZeroNormal;

    const UP: [f32; 3] = [0.0, 0.0, 1.0];

    /// Registers with an identity world matrix and a single light.
    struct Setup(Registers);

    impl Setup {
        /// Writes LIGHTTYPE and float registers.
        fn new(kind: u32, floats: &[(Opcode, f32)]) -> Self {
            let mut registers = Registers::new();
            registers.write(Command::new(Opcode::WORLDMATRIXNUMBER, 0));
            for element in [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0] {
                registers.write(Command::new(Opcode::WORLDMATRIXDATA, Float24::from_f32(element).to_bits()));
            }
            registers.write(Command::new(Opcode::LIGHTTYPE0, kind));
            for &(opcode, value) in floats {
                registers.write(Command::new(opcode, Float24::from_f32(value).to_bits()));
            }
            Self(registers)
        }

        /// Computes attenuation times spot, diffuse and specular factor at one vertex.
        fn factors<R: Real>(&self, position: [f32; 3], normal: [f32; 3]) -> [f32; 3] {
            let normals = WorldNormals::<R>::new(&self.0, ZeroNormal::default())
                .transform(&lanes::splat(normal.map(R::from_f32)));
            let terms = LightTerms { ambient: true, diffuse: true, specular: true };
            let LightFactors { attenuation, spot, diffuse, specular } =
                Light::new(&self.0, 0).factors(terms, &lanes::splat(position.map(R::from_f32)), &normals);
            let or = |factor: Option<Lanes<R>>, default: R| factor.map_or(default, |factor| factor[0]);
            [or(attenuation, R::ONE) * or(spot, R::ONE), or(diffuse, R::ZERO), or(specular, R::ZERO)]
                .map(R::to_f32)
        }

        /// Computes the factors at one vertex, which must be the same in both arithmetics.
        fn same_factors(&self, position: [f32; 3], normal: [f32; 3]) -> [f32; 3] {
            let (single, hardware) =
                (self.factors::<f32>(position, normal), self.factors::<Hf16>(position, normal));
            assert_eq!(single, hardware, "single and hardware arithmetic");
            hardware
        }
    }

    #[test]
    fn directional_lights_do_not_attenuate() {
        let light = Setup::new(0, &[(Opcode::LZ0, 1024.0)]);
        assert_eq!(light.same_factors([5.0, 6.0, 7.0], UP), [1.0, 1.0, 0.0], "normal towards the light");
        assert_eq!(light.same_factors([0.0; 3], [0.0, 0.0, -1.0])[1], 0.0, "normal away from the light");
        assert_eq!(light.factors::<Hf16>([0.0; 3], [0.0, 0.0, 4.0])[1], 1.0, "a long normal");
    }

    #[test]
    fn point_lights_attenuate() {
        let at = |floats: &[(Opcode, f32)]| {
            let floats = [&[(Opcode::LZ0, 2.0)], floats].concat();
            Setup::new(0x100, &floats).same_factors([0.0; 3], UP)[0]
        };
        assert_eq!(at(&[(Opcode::LKA0, 2.0)]), 0.5, "constant");
        assert_eq!(at(&[(Opcode::LKB0, 2.0)]), 0.25, "linear");
        assert_eq!(at(&[(Opcode::LKC0, 2.0)]), 0.125, "quadratic");
        assert_eq!(at(&[]), 1.0, "divided by 0");
        assert_eq!(at(&[(Opcode::LKA0, -1.0)]), 0.0, "never negative");
    }

    #[test]
    fn constant_attenuation_of_1_counts_finite_distances_only() {
        let light = Setup::new(0x100, &[(Opcode::LZ0, 2.0), (Opcode::LKA0, 1.0)]);
        for (x, expected) in [(0.0, 1.0), (1e9, 1.0), (1e30, 0.0), (f32::INFINITY, 0.0)] {
            let at = [x, 0.0, 0.0];
            let found = [light.factors::<f32>(at, UP)[0], light.factors::<Hf16>(at, UP)[0]];
            assert_eq!(found, [expected; 2], "x = {x}: the square of the distance counts");
        }
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
            let light = Setup::new(0x200, &floats);
            [light.factors::<f32>([1.0, 0.0, 0.0], UP)[0], light.factors::<Hf16>([1.0, 0.0, 0.0], UP)[0]]
        };
        let is_cosine = |factors: [f32; 2]| factors.iter().all(|factor| (factor - 0.707).abs() < 0.001);
        assert!(is_cosine(at(0.7)), "inside, the cosine");
        assert_eq!(at(0.71), [0.0; 2], "outside");
        assert_eq!(at(f32::from_bits(0x7FC0_0000)), [0.0; 2], "NaN acts as infinity");
        assert!(is_cosine(at(f32::NEG_INFINITY)), "all directions are inside");
    }

    /// Source: [spot](crate::reference::ge::lighting#spot).
    #[test]
    fn infinite_and_nan_components_decide_the_direction_of_a_spot() {
        let (infinity, nan) = (f32::INFINITY, f32::from_bits(0x7FC0_0000));
        for (direction, expected) in [
            ([infinity, 5.0, -7.0], [1.0, 0.0, 0.0]),
            ([-infinity, nan, 2.0], [-1.0, 1.0, 0.0]),
            ([0.0, 0.0, f32::from_bits(0xFFC0_0000)], [0.0, 0.0, -1.0]),
            ([3.0, 0.0, 0.5], [3.0, 0.0, 0.5]),
        ] {
            let [x, y, z] = direction;
            let Setup(registers) =
                Setup::new(0x200, &[(Opcode::LDX0, x), (Opcode::LDY0, y), (Opcode::LDZ0, z)]);
            assert_eq!(spot_direction::<f32>(&registers, Opcode::LDX0), expected, "{direction:?}");
        }
    }

    #[test]
    fn negative_nan_as_cutoff_is_zero() {
        assert_eq!(spot_cutoff::<f32>(f32::from_bits(0xFFC0_0000)), 0.0, "negative NaN");
        assert!(spot_cutoff::<f32>(f32::from_bits(0x7FC0_0000)).is_nan(), "NaN");
        assert_eq!(spot_cutoff::<f32>(f32::NEG_INFINITY), f32::NEG_INFINITY, "infinity");
    }

    #[test]
    fn specular_exponent_comes_from_material() {
        let (half, two) = (0.5_f32.sqrt(), (Opcode::MATERIALSPECULARCOEF, 2.0));
        let toward = [(Opcode::LX0, 1.0), (Opcode::LZ0, 1.0), two];
        let [_, powered, _] = Setup::new(2, &toward).factors::<f32>([0.0; 3], UP);
        assert!((powered - 0.5).abs() < 0.001, "the cosine squared, in emulators' arithmetic");
        let [_, powered, _] = Setup::new(2, &toward).factors::<Hf16>([0.0; 3], UP);
        assert!((powered - 0.457).abs() < 0.001, "the hardware's square: {powered}");
        let [_, diffuse, specular] = Setup::new(1, &toward).factors::<f32>([0.0; 3], UP);
        assert!((diffuse - half).abs() < 0.001, "linear diffuse");
        assert!(specular > diffuse, "half vector between light and eye");
        let [_, _, below] = Setup::new(1, &[(Opcode::LZ0, -1.0)]).same_factors([0.0; 3], UP);
        assert_eq!(below, 0.0, "no specular light on the back");
    }

    #[test]
    fn zero_light_vectors_leave_specular_light_of_the_view_vector() {
        let light = Setup::new(1, &[(Opcode::MATERIALSPECULARCOEF, 1.0)]);
        assert_eq!(light.factors::<Hf16>([0.0; 3], UP), [1.0, 0.0, 1.0], "hardware");
        assert_eq!(light.factors::<f32>([0.0; 3], UP), [1.0, 1.0, 1.0], "emulators: light from z");
    }
}
