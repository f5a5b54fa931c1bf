//! Describes lights and materials.

use serde::{Deserialize, Serialize};

use crate::ge::float::Float;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::light::{LightComputation, LightKind, LightMode, LightType, MaterialUpdate};

/// The material: how surfaces reflect light.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Material {
    /// Red, green and blue of the emitted light.
    pub emissive: [u8; 3],
    /// The ambient colour's red, green, blue and alpha, which vertices without a colour take.
    pub ambient: [u8; 4],
    /// The diffuse colour's red, green and blue.
    pub diffuse: [u8; 3],
    /// The specular colour's red, green and blue.
    pub specular: [u8; 3],
    /// The exponent for specular and powered diffuse light.
    pub exponent: Float,
    /// Whether the vertex colour replaces the ambient colour.
    pub update_ambient: bool,
    /// Whether the vertex colour replaces the diffuse colour.
    pub update_diffuse: bool,
    /// Whether the vertex colour replaces the specular colour.
    pub update_specular: bool,
}

impl Material {
    /// Returns the material set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let update: MaterialUpdate = registers.get();
        Self {
            emissive: registers.rgb(Opcode::MATERIALEMISSIVE),
            ambient: with_alpha(registers, Opcode::MATERIALAMBIENT, Opcode::MATERIALALPHA),
            diffuse: registers.rgb(Opcode::MATERIALDIFFUSE),
            specular: registers.rgb(Opcode::MATERIALSPECULAR),
            exponent: Float(registers.float(Opcode::MATERIALSPECULARCOEF)),
            update_ambient: update.ambient,
            update_diffuse: update.diffuse,
            update_specular: update.specular,
        }
    }
}

/// How vertices are lit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lighting {
    /// Whether vertices are lit.
    pub enabled: bool,
    /// The ambient light's red, green, blue and alpha.
    pub ambient: [u8; 4],
    /// Whether specular light goes to the secondary colour, to be added after texturing.
    pub separate_specular: bool,
    /// Whether normals are negated.
    pub reverse_normals: bool,
    /// The four lights.
    pub lights: [Light; 4],
}

/// A light source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Light {
    /// Whether it is on.
    pub enabled: bool,
    /// How its light spreads.
    pub kind: LightKind,
    /// Which terms it contributes.
    pub computation: LightComputation,
    /// Its position, or its direction if it is directional.
    pub position: [Float; 3],
    /// A spot light's direction.
    pub direction: [Float; 3],
    /// Constant, linear and quadratic attenuation.
    pub attenuation: [Float; 3],
    /// A spot light's exponent.
    pub spot_exponent: Float,
    /// The cosine of a spot light's cutoff angle.
    pub spot_cutoff: Float,
    /// Its ambient colour's red, green and blue.
    pub ambient: [u8; 3],
    /// Its diffuse colour's red, green and blue.
    pub diffuse: [u8; 3],
    /// Its specular colour's red, green and blue.
    pub specular: [u8; 3],
}

impl Lighting {
    /// Returns the lighting set by the registers.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        Self {
            enabled: registers.is_on(Opcode::LIGHTINGENABLE),
            ambient: with_alpha(registers, Opcode::AMBIENTCOLOR, Opcode::AMBIENTALPHA),
            separate_specular: registers.get::<LightMode>().separate_specular,
            reverse_normals: registers.is_on(Opcode::REVERSENORMAL),
            lights: [0, 1, 2, 3].map(|number| Light::of(registers, number)),
        }
    }
}

impl Light {
    /// Returns light `number`, 0 to 3.
    fn of(registers: &Registers, number: u8) -> Self {
        let LightType { computation, kind } = registers.view(Opcode::LIGHTTYPE0.plus(number));
        // Each light has three registers for a vector or colour, so the lights' registers are three apart.
        let third = number.saturating_mul(3);
        let float = |opcode: Opcode| Float(registers.float(opcode));
        let vector = |first: Opcode| [0, 1, 2].map(|axis: u8| float(first.plus(third).plus(axis)));
        Self {
            enabled: registers.is_on(Opcode::LIGHTENABLE0.plus(number)),
            kind,
            computation,
            position: vector(Opcode::LX0),
            direction: vector(Opcode::LDX0),
            attenuation: vector(Opcode::LKA0),
            spot_exponent: float(Opcode::LKS0.plus(number)),
            spot_cutoff: float(Opcode::LKO0.plus(number)),
            ambient: registers.rgb(Opcode::LAC0.plus(third)),
            diffuse: registers.rgb(Opcode::LDC0.plus(third)),
            specular: registers.rgb(Opcode::LSC0.plus(third)),
        }
    }
}

fn with_alpha(registers: &Registers, color: Opcode, alpha: Opcode) -> [u8; 4] {
    let [red, green, blue] = registers.rgb(color);
    let [alpha, ..] = registers.argument(alpha).to_le_bytes();
    [red, green, blue, alpha]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;
    use crate::ge::float24::Float24;

    #[test]
    fn each_light_has_its_own_registers() {
        let mut registers = Registers::new();
        let mut set = |opcode: Opcode, argument| registers.write(Command::new(opcode, argument));
        let float = |number: f32| Float24::from_f32(number).to_bits();
        set(Opcode::LIGHTENABLE3, 1);
        set(Opcode::LIGHTTYPE3, 0x0201);
        for (opcode, number) in [
            (Opcode::LX3, 1.0),
            (Opcode::LZ3, 3.0),
            (Opcode::LDY3, 5.0),
            (Opcode::LKC3, 0.5),
            (Opcode::LKS3, 8.0),
            (Opcode::LKO3, -1.0),
        ] {
            set(opcode, float(number));
        }
        set(Opcode::LAC3, 0x03_0201);
        set(Opcode::LSC3, 0x09_0807);
        set(Opcode::AMBIENTCOLOR, 0x30_2010);
        set(Opcode::AMBIENTALPHA, 0x40);
        let lighting = Lighting::of(&registers);
        let [first, .., last] = &lighting.lights;
        assert_eq!(lighting.ambient, [0x10, 0x20, 0x30, 0x40], "ambient colour and alpha");
        assert!(!first.enabled && last.enabled, "switches");
        assert_eq!(first.position, Float::array([0.0; 3]), "other lights are not affected");
        assert_eq!((last.kind, last.computation), (LightKind::SPOT, LightComputation::SPECULAR), "type");
        assert_eq!(last.position, Float::array([1.0, 0.0, 3.0]), "position");
        assert_eq!(last.direction, Float::array([0.0, 5.0, 0.0]), "direction");
        assert_eq!(last.attenuation, Float::array([0.0, 0.0, 0.5]), "attenuation");
        assert_eq!((last.spot_exponent, last.spot_cutoff), (Float(8.0), Float(-1.0)), "cone");
        assert_eq!((last.ambient, last.specular), ([1, 2, 3], [7, 8, 9]), "colours");
    }
}
