//! Vectors from vertices towards a light and the viewer, and the half vectors between these.
//!
//! Lights and vertices meet in world space. However, the hardware never forms a vertex's world position: a row sum
//! takes its model position straight to the vector towards the light.
//! Source: [light vector](crate::reference::ge::lighting#light-vector),
//! [inputs](crate::reference::ge::lighting#inputs), [specular](crate::reference::ge::lighting#specular)
//! (hardware tests `commands/light`, `lighting/specular`).

use super::lanes::{self, Lanes, VectorLanes};
use super::math::{Affine, Vector3, bounded3, dot, normalize};
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::light::{LightKind, LightType};
use crate::ge::registers::{Matrix, Registers};

/// Gives the vector from a vertex to a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LightVector<R> {
    /// A directional light with the unit vector towards it, which may be zero.
    Directional(Vector3<R>),
    /// A point or spot light.
    Positional(LightPosition<R>),
}

/// A point or spot light's position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LightPosition<R> {
    position: Vector3<R>,
    world: Affine<R>,
    /// Transforms model positions to vectors towards the light.
    towards: Affine<R>,
}

/// The directions from several vertices to a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LightDirections<R> {
    /// Unit vectors towards the light. Zero vectors stay zero; emulators replace them by (0, 0, 1).
    pub directions: VectorLanes<R>,
    /// Squared distances in world space, or `None` for directional lights.
    pub squared_distances: Option<Lanes<R>>,
}

impl<R: Real> LightVector<R> {
    /// Creates the vector for light `number`, 0 to 3, even if this light is off.
    #[must_use]
    pub(crate) fn new(registers: &Registers, number: u8) -> Self {
        let light_type: LightType = registers.view(Opcode::LIGHTTYPE0.plus(number));
        match light_type.kind {
            LightKind::DIRECTIONAL => Self::directional(registers, number),
            _ => Self::Positional(LightPosition::new(
                light_position(registers, number),
                &Affine::load(registers, Matrix::World),
            )),
        }
    }

    /// Creates the vector for light `number` as if this light were directional.
    #[must_use]
    pub(crate) fn directional(registers: &Registers, number: u8) -> Self {
        let position = light_position(registers, number);
        Self::Directional(match R::ARITHMETIC {
            Arithmetic::Hardware => normalize(position),
            Arithmetic::Single => normalize_or_z(position),
        })
    }

    /// Computes directions to the light from these model positions.
    #[inline(always)]
    #[must_use]
    pub(crate) fn directions(&self, vertices: &VectorLanes<R>) -> LightDirections<R> {
        match self {
            Self::Directional(direction) => {
                LightDirections { directions: lanes::splat(*direction), squared_distances: None }
            }
            Self::Positional(position) => {
                let towards = position.towards(vertices);
                LightDirections {
                    directions: unit(&towards),
                    squared_distances: Some(lanes::dot(&towards, &towards)),
                }
            }
        }
    }
}

impl<R: Real> LightPosition<R> {
    fn new(position: Vector3<R>, world: &Affine<R>) -> Self {
        // Subtracting the transformed vertex from the light is itself affine: negated axes, and as translation the
        // difference between light and world translation.
        let Affine([x, y, z, translation]) = world;
        let negated = |row: &Vector3<R>| row.map(|element| -element);
        let mut offset = position;
        for (offset, translation) in offset.iter_mut().zip(translation) {
            *offset = *offset - *translation;
        }
        Self { position, world: *world, towards: Affine([negated(x), negated(y), negated(z), offset]) }
    }

    /// Computes world-space vectors from these model positions to the light. Emulators transform the position
    /// first.
    #[inline(always)]
    fn towards(&self, vertices: &VectorLanes<R>) -> VectorLanes<R> {
        if R::ARITHMETIC == Arithmetic::Hardware {
            return lanes::transform_points(&self.towards, vertices);
        }
        let vertices = lanes::transform_points(&self.world, vertices);
        let mut towards = lanes::splat(self.position);
        for (towards, vertex) in towards.as_flattened_mut().iter_mut().zip(vertices.as_flattened()) {
            *towards = *towards - *vertex;
        }
        towards
    }
}

/// Returns the unit vector towards the viewer in world space. This is the view matrix's z axis, or (0, 0, 1) if the
/// axis is zero. Emulators always use (0, 0, 1).
#[must_use]
pub(crate) fn view_vector<R: Real>(registers: &Registers) -> Vector3<R> {
    match R::ARITHMETIC {
        Arithmetic::Hardware => {
            let Affine([[.., x], [.., y], [.., z], _]) = Affine::load(registers, Matrix::View);
            normalize_or_z([x, y, z])
        }
        Arithmetic::Single => [R::ZERO, R::ZERO, R::ONE],
    }
}

/// Computes unit vectors halfway between the directions to a light and to the viewer.
#[inline(always)]
#[must_use]
pub(crate) fn half_vectors<R: Real>(directions: &VectorLanes<R>, view: Vector3<R>) -> VectorLanes<R> {
    let mut sums = *directions;
    for (sums, view) in sums.iter_mut().zip(view) {
        *sums = lanes::map(sums, |component| component + view);
    }
    unit(&sums)
}

/// Normalises vectors. Zero vectors stay zero; emulators replace them by (0, 0, 1).
#[inline(always)]
fn unit<R: Real>(vectors: &VectorLanes<R>) -> VectorLanes<R> {
    match R::ARITHMETIC {
        Arithmetic::Hardware => lanes::normalize(vectors),
        Arithmetic::Single => lanes::normalize_or_z(vectors),
    }
}

/// Normalises a vector; a zero vector becomes (0, 0, 1).
#[must_use]
pub(crate) fn normalize_or_z<R: Real>(vector: Vector3<R>) -> Vector3<R> {
    let unit = normalize(vector);
    if unit == [R::ZERO; 3] { [R::ZERO, R::ZERO, R::ONE] } else { unit }
}

/// Returns the reciprocal of a vector's length, or 1 for the zero vector.
#[must_use]
pub(crate) fn inverse_length<R: Real>(vector: Vector3<R>) -> R {
    let squared = dot(vector, vector);
    if squared == R::ZERO { R::ONE } else { squared.reciprocal_sqrt() }
}

/// Reads the position of light `number`, which is a direction for directional lights.
fn light_position<R: Real>(registers: &Registers, number: u8) -> Vector3<R> {
    bounded3(registers, Opcode::LX0.plus(3 * number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;

    fn registers(kind: u32, position: [f32; 3]) -> Registers {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::LIGHTTYPE0, kind << 8));
        for (axis, number) in (0..).zip(position) {
            registers.write(Command::new(Opcode::LX0.plus(axis), Float24::from_f32(number).to_bits()));
        }
        registers
    }

    fn load(registers: &mut Registers, matrix: Matrix, elements: [f32; 12]) {
        registers.write(Command::new(matrix.number_opcode(), 0));
        for element in elements {
            registers.write(Command::new(matrix.data_opcode(), Float24::from_f32(element).to_bits()));
        }
    }

    /// Returns the direction and the squared distance from a model position.
    fn direction<R: Real>(registers: &Registers, position: [f32; 3]) -> ([f32; 3], Option<f32>) {
        let vector = LightVector::<R>::new(registers, 0);
        let LightDirections { directions, squared_distances } =
            vector.directions(&lanes::splat(position.map(R::from_f32)));
        (lanes::extract(&directions, 0).map(R::to_f32), squared_distances.map(|squared| squared[0].to_f32()))
    }

    #[test]
    fn points_from_the_vertex_in_world_space() {
        let mut registers = registers(1, [10.0, 3.0, 0.0]);
        // Turns y to z, scales by 2 and moves by 10 in x.
        load(&mut registers, Matrix::World, [2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, -2.0, 0.0, 10.0, 0.0, 0.0]);
        let expected = ([0.0, 0.6, -0.8], Some(25.0));
        assert_eq!(direction::<f32>(&registers, [0.0, 2.0, 0.0]), expected, "single");
        let (hardware, squared) = direction::<Hf16>(&registers, [0.0, 2.0, 0.0]);
        assert_eq!(squared, expected.1, "distance 5");
        for (hardware, expected) in hardware.into_iter().zip(expected.0) {
            assert!((hardware - expected).abs() < 1e-4, "hardware: {hardware} for {expected}");
        }
    }

    #[test]
    fn zero_vectors_stay_zero_but_not_in_emulators() {
        for kind in [0, 1] {
            let at_light = registers(kind, [0.0; 3]);
            assert_eq!(direction::<Hf16>(&at_light, [0.0; 3]).0, [0.0; 3], "hardware, type {kind}");
            assert_eq!(direction::<f32>(&at_light, [0.0; 3]).0, [0.0, 0.0, 1.0], "single, type {kind}");
        }
    }

    #[test]
    fn the_viewer_is_on_the_z_axis_of_the_view() {
        let mut registers = registers(0, [0.0; 3]);
        let up = [0.0, 0.0, 1.0];
        assert_eq!(view_vector::<Hf16>(&registers).map(Hf16::to_f32), up, "no view matrix");
        load(&mut registers, Matrix::View, [0.0, 0.0, 4.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 7.0, 8.0, 9.0]);
        assert_eq!(view_vector::<Hf16>(&registers).map(Hf16::to_f32), [1.0, 0.0, 0.0], "turned to x");
        assert_eq!(view_vector::<f32>(&registers), up, "emulators ignore the view matrix");
    }

    #[test]
    fn half_vectors_are_unit_vectors() {
        let half = |direction: [f32; 3], view: [f32; 3]| {
            let half = half_vectors(&lanes::splat(direction.map(Hf16::from_f32)), view.map(Hf16::from_f32));
            lanes::extract(&half, 0).map(Hf16::to_f32)
        };
        assert_eq!(half([0.0; 3], [0.0, 1.0, 0.0]), [0.0, 1.0, 0.0], "no light vector: the view vector");
        assert_eq!(half([0.0, -1.0, 0.0], [0.0, 1.0, 0.0]), [0.0; 3], "opposite vectors");
        let [x, y, z] = half([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        assert!((x - 0.5_f32.sqrt()).abs() < 1e-4 && x == y && z == 0.0, "halfway: {x} {y} {z}");
    }
}
