//! Materials: the colours of a lit vertex.
//!
//! Every factor of a light becomes an intensity of 8 bits; from there on the engine's 8-bit multiplier combines
//! strength, angle and colours, and sums are clamped once, at the end.
//! Emulators' arithmetic multiplies strength and angle as numbers, and rounds the product up to 9 bits.
//! Source: `ge-reference.md` §6.1, §6.2, §6.4 (hardware tests `commands/light`, `commands/material`). That strength
//! and angle meet as bytes is what all 201 results of `commands/light` agree with, while their product as numbers
//! misses one. How colours that are not white combine with intensities below the largest is assumed.

use arrayvec::ArrayVec;

use super::light::Light;
use super::math::Vector3;
use crate::arithmetic::{Arithmetic, Real};
use crate::opcode::Opcode;
use crate::registers::Registers;
use crate::registers::light::{LightMode, MaterialUpdate};
use crate::registers::vertex::VertexType;

/// The lights and material of a draw.
#[derive(Clone, Debug)]
pub struct Lighting<R> {
    lights: ArrayVec<(Light<R>, LightColors), 4>,
    material: Material,
    /// Which of the material's colours the vertex replaces.
    update: MaterialUpdate,
    /// AMBIENTCOLOR, AMBIENTALPHA.
    ambient: [u8; 4],
    separate_specular: bool,
}

/// The colours of a light.
#[derive(Clone, Copy, Debug)]
struct LightColors {
    ambient: [u8; 3],
    diffuse: [u8; 3],
    specular: [u8; 3],
}

/// The colours of a material.
#[derive(Clone, Copy, Debug)]
struct Material {
    emissive: [u8; 3],
    ambient: [u8; 4],
    diffuse: [u8; 3],
    specular: [u8; 3],
}

impl<R: Real> Lighting<R> {
    /// The lights and material that the registers describe; `None` with lighting off.
    #[must_use]
    pub fn new(registers: &Registers) -> Option<Self> {
        if !registers.is_on(Opcode::LIGHTINGENABLE) {
            return None;
        }
        let byte = |opcode| registers.argument(opcode).to_le_bytes()[0];
        let with_alpha = |[red, green, blue]: [u8; 3], alpha| [red, green, blue, alpha];
        let has_color = registers.get::<VertexType>().color.bytes() > 0;
        Some(Self {
            lights: (0..4)
                .filter(|&number| registers.is_on(Opcode::LIGHTENABLE0.plus(number)))
                .map(|number| (Light::new(registers, number), LightColors::new(registers, number)))
                .collect(),
            material: Material {
                emissive: registers.rgb(Opcode::MATERIALEMISSIVE),
                ambient: with_alpha(registers.rgb(Opcode::MATERIALAMBIENT), byte(Opcode::MATERIALALPHA)),
                diffuse: registers.rgb(Opcode::MATERIALDIFFUSE),
                specular: registers.rgb(Opcode::MATERIALSPECULAR),
            },
            update: if has_color { registers.get() } else { MaterialUpdate::default() },
            ambient: with_alpha(registers.rgb(Opcode::AMBIENTCOLOR), byte(Opcode::AMBIENTALPHA)),
            separate_specular: registers.get::<LightMode>().separate_specular,
        })
    }

    /// Primary and secondary colour of a vertex with the given world position, unit normal and own colour.
    #[must_use]
    pub fn colors(&self, position: Vector3<R>, normal: Vector3<R>, color: [u8; 4]) -> ([u8; 4], [u8; 3]) {
        let material = self.material.updated(self.update, color);
        let ambient = [0, 1, 2, 3].map(|channel| multiply(material.ambient[channel], self.ambient[channel]));
        let mut primary =
            [0, 1, 2].map(|channel| u32::from(material.emissive[channel]) + u32::from(ambient[channel]));
        let mut specular = [0; 3];
        for (light, colors) in &self.lights {
            let factors = light.factors(position, normal);
            let arriving = |angle| Intensity::new(factors.strength, angle);
            let [red, green, blue, _] = material.ambient;
            arriving(R::ONE).add(&mut primary, colors.ambient, [red, green, blue]);
            arriving(factors.diffuse).add(&mut primary, colors.diffuse, material.diffuse);
            let to = if self.separate_specular { &mut specular } else { &mut primary };
            arriving(factors.specular).add(to, colors.specular, material.specular);
        }
        let [red, green, blue] = primary.map(clamp);
        ([red, green, blue, ambient[3]], specular.map(clamp))
    }
}

impl LightColors {
    fn new(registers: &Registers, number: u8) -> Self {
        let color = |opcode: Opcode| registers.rgb(opcode.plus(3 * number));
        Self { ambient: color(Opcode::LAC0), diffuse: color(Opcode::LDC0), specular: color(Opcode::LSC0) }
    }
}

impl Material {
    /// The material of a vertex with a colour.
    fn updated(self, update: MaterialUpdate, color: [u8; 4]) -> Self {
        let [red, green, blue, _] = color;
        let rgb = [red, green, blue];
        Self {
            emissive: self.emissive,
            ambient: if update.ambient { color } else { self.ambient },
            diffuse: if update.diffuse { rgb } else { self.diffuse },
            specular: if update.specular { rgb } else { self.specular },
        }
    }
}

/// A factor between 0 and 1 as 8 bits, towards zero.
fn intensity<R: Real>(factor: R) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the conversion saturates: 1 gives 255"
    )]
    let intensity = (factor.to_f32() * 256.0) as u8;
    intensity
}

/// How much of a light comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Intensity {
    /// As the hardware has it: 8 bits.
    Byte(u8),
    /// As emulators have it: 0 to 512.
    Fine(u32),
}

impl Intensity {
    /// How much arrives, times how much of it the angle leaves.
    fn new<R: Real>(strength: R, angle: R) -> Self {
        match R::ARITHMETIC {
            Arithmetic::Hardware => Self::Byte(multiply(intensity(strength), intensity(angle))),
            Arithmetic::Single => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 513")]
                let fine = ((strength * angle).to_f32() * 512.0 + 1.0).ceil() as u32;
                Self::Fine(fine.min(512))
            }
        }
    }

    /// Adds one of a light's terms.
    fn add(self, sum: &mut [u32; 3], light: [u8; 3], material: [u8; 3]) {
        for (channel, sum) in sum.iter_mut().enumerate() {
            let (light, material) = (light[channel], material[channel]);
            *sum += match self {
                Self::Byte(intensity) => u32::from(multiply(multiply(light, material), intensity)),
                // 9, 9 and 10 bits.
                Self::Fine(fine) => ((2 * u32::from(light) + 1) * (2 * u32::from(material) + 1) * fine) >> 19,
            };
        }
    }
}

/// The engine's multiplier of 8 bits, for which 255 is 1.
fn multiply(a: u8, b: u8) -> u8 {
    clamp(((2 * u32::from(a) + 1) * (2 * u32::from(b) + 1)) >> 10)
}

fn clamp(sum: u32) -> u8 {
    u8::try_from(sum).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Command;

    const WHITE: u32 = 0xFF_FFFF;
    const UP: [f32; 3] = [0.0, 0.0, 1.0];

    fn lit(settings: &[(Opcode, u32)], color: [u8; 4]) -> ([u8; 4], [u8; 3]) {
        let mut registers = Registers::new();
        for &(opcode, argument) in [(Opcode::LIGHTINGENABLE, 1)].iter().chain(settings) {
            registers.write(Command::new(opcode, argument));
        }
        Lighting::<f32>::new(&registers).expect("lighting is on").colors([0.0; 3], UP, color)
    }

    #[test]
    fn off_unless_enabled() {
        assert!(Lighting::<f32>::new(&Registers::new()).is_none(), "nothing is lit");
    }

    #[test]
    fn without_lights_there_is_the_scene() {
        let settings = [
            (Opcode::MATERIALEMISSIVE, 0x00_0010),
            (Opcode::MATERIALAMBIENT, WHITE),
            (Opcode::MATERIALALPHA, 0x80),
            (Opcode::AMBIENTCOLOR, 0x40_20FF),
            (Opcode::AMBIENTALPHA, 0xFF),
        ];
        assert_eq!(lit(&settings, [9; 4]), ([255, 32, 64, 128], [0; 3]), "emissive and ambient, clamped");
    }

    #[test]
    fn vertex_colors_replace_the_material() {
        let settings = |color: u32| {
            [
                (Opcode::VTYPE, color << 2),
                (Opcode::MATERIALUPDATE, 1),
                (Opcode::AMBIENTCOLOR, WHITE),
                (Opcode::AMBIENTALPHA, 255),
                (Opcode::MATERIALAMBIENT, 0x01_0101),
            ]
        };
        assert_eq!(lit(&settings(7), [10, 20, 30, 40]).0, [10, 20, 30, 40], "with alpha");
        assert_eq!(lit(&settings(0), [10, 20, 30, 40]).0, [1, 1, 1, 0], "only where the vertex has one");
    }

    #[test]
    fn specular_light_may_stay_apart() {
        let settings = |mode| {
            [
                (Opcode::LIGHTMODE, mode),
                (Opcode::LIGHTENABLE0, 1),
                (Opcode::LIGHTTYPE0, 1),
                (Opcode::LDC0, 0x00_00FF),
                (Opcode::LSC0, 0x80_0000),
                (Opcode::MATERIALDIFFUSE, WHITE),
                (Opcode::MATERIALSPECULAR, WHITE),
            ]
        };
        assert_eq!(lit(&settings(0), [0; 4]), ([255, 0, 128, 0], [0; 3]), "together");
        assert_eq!(lit(&settings(1), [0; 4]), ([255, 0, 0, 0], [0, 0, 128]), "apart");
    }

    #[test]
    fn emulators_multiply_as_numbers() {
        assert_eq!(Intensity::new(0.5_f32, 0.5), Intensity::Fine(129), "512/4 + 1");
        assert_eq!(Intensity::new(1.0_f32, 1.0), Intensity::Fine(512), "at most");
        let half = Intensity::new(crate::arithmetic::Hf16::from_f32(0.5), crate::arithmetic::Hf16::ONE);
        assert_eq!(half, Intensity::Byte(128), "the hardware has bytes");
    }

    #[test]
    fn intensities_truncate() {
        for (factor, expected) in [(0.0, 0), (0.003_9, 0), (0.5, 128), (0.999, 255), (1.0, 255)] {
            assert_eq!(intensity(factor), expected, "{factor}");
        }
        assert!((0..=255).all(|value| multiply(255, value) == value), "255 is 1");
    }
}
