//! The colours of a lit vertex.
//!
//! In hardware arithmetic each factor of a light becomes an intensity of 8 bits. Strength, angle and colours
//! are then combined by the 8-bit multiplier, and sums are clamped once, at the end. In emulator arithmetic
//! strength and angle are multiplied as floats, and the product is rounded up to 9 bits.
//!
//! Source: [factors](crate::reference::ge::lighting#factors),
//! [colours](crate::reference::ge::lighting#colours) (hardware tests `commands/light`, `commands/material`).
//! All 201 results of `commands/light` agree with strength and angle as bytes; with their product as floats
//! one is wrong. The combination of partial colours with partial factors is assumed.

use arrayvec::ArrayVec;

use super::lanes::{self, LANES, Lanes, VectorLanes};
use super::light::{Light, LightFactors};
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::light::{LightMode, MaterialUpdate};
use crate::ge::registers::vertex::VertexType;

/// The lights and material of a draw.
#[derive(Clone, Debug)]
pub(crate) struct Lighting<R> {
    lights: ArrayVec<(Light<R>, LightColors), 4>,
    material: Material,
    /// The colours of the material that the vertex colour replaces.
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
    /// Creates the lights and material that the registers describe, or `None` if lighting is off.
    #[must_use]
    pub(crate) fn new(registers: &Registers) -> Option<Self> {
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

    /// Computes the primary and secondary colours of vertices with these world positions, unit normals and
    /// own colours.
    #[inline(always)]
    #[must_use]
    pub(crate) fn colors(
        &self,
        positions: &VectorLanes<R>,
        normals: &VectorLanes<R>,
        own: &[[u8; 4]; LANES],
    ) -> ([[u8; 4]; LANES], [[u8; 3]; LANES]) {
        let material = self.material.updated(self.update, own);
        let mut ambient = [[0; LANES]; 4];
        for (ambient, (material, scene)) in ambient.iter_mut().zip(material.ambient.iter().zip(self.ambient))
        {
            *ambient = lanes::map(material, |material| multiply_bytes(material, u32::from(scene)));
        }
        let mut primary = [[0; LANES]; 3];
        for (channel, sums) in primary.iter_mut().enumerate() {
            *sums =
                lanes::map(&ambient[channel], |ambient| ambient + u32::from(self.material.emissive[channel]));
        }
        let mut secondary = [[0; LANES]; 3];
        let [red, green, blue, alpha] = material.ambient;
        for (light, colors) in &self.lights {
            let LightFactors { strength, diffuse, specular } = light.factors(positions, normals);
            add_light_term::<R>(
                &mut primary,
                &intensities(&strength, &[R::ONE; LANES]),
                colors.ambient,
                &[red, green, blue],
            );
            add_light_term::<R>(
                &mut primary,
                &intensities(&strength, &diffuse),
                colors.diffuse,
                &material.diffuse,
            );
            if let Some(specular) = specular {
                let sums = if self.separate_specular { &mut secondary } else { &mut primary };
                add_light_term::<R>(
                    sums,
                    &intensities(&strength, &specular),
                    colors.specular,
                    &material.specular,
                );
            }
        }
        let [red, green, blue] = primary;
        let alpha = lanes::map(&alpha, |alpha| multiply_bytes(alpha, u32::from(self.ambient[3])));
        (to_colors(&[red, green, blue, alpha]), to_colors(&secondary))
    }
}

impl LightColors {
    fn new(registers: &Registers, number: u8) -> Self {
        let color = |opcode: Opcode| registers.rgb(opcode.plus(3 * number));
        Self { ambient: color(Opcode::LAC0), diffuse: color(Opcode::LDC0), specular: color(Opcode::LSC0) }
    }
}

impl Material {
    /// Selects the materials of vertices with these own colours.
    #[inline(always)]
    fn updated(&self, update: MaterialUpdate, own: &[[u8; 4]; LANES]) -> MaterialLanes {
        let mut colors = [[0; LANES]; 4];
        for (channel, colors) in colors.iter_mut().enumerate() {
            *colors = lanes::map(own, |own| u32::from(own[channel]));
        }
        let splat = |color: [u8; 3]| color.map(|channel| [u32::from(channel); LANES]);
        let [red, green, blue, _] = colors;
        MaterialLanes {
            ambient: if update.ambient {
                colors
            } else {
                self.ambient.map(|channel| [u32::from(channel); LANES])
            },
            diffuse: if update.diffuse { [red, green, blue] } else { splat(self.diffuse) },
            specular: if update.specular { [red, green, blue] } else { splat(self.specular) },
        }
    }
}

/// The material colours of several vertices, 0 to 255.
struct MaterialLanes {
    ambient: [[u32; LANES]; 4],
    diffuse: [[u32; LANES]; 3],
    specular: [[u32; LANES]; 3],
}

/// Multiplies strength by angle, both 0 to 1: in 8 bits as the hardware computes it, or 0 to 512 as emulators
/// do.
#[inline(always)]
fn intensities<R: Real>(strength: &Lanes<R>, angle: &Lanes<R>) -> [u32; LANES] {
    let mut out = [0; LANES];
    for (lane, out) in out.iter_mut().enumerate() {
        let (strength, angle) = (strength[lane], angle[lane]);
        *out = match R::ARITHMETIC {
            Arithmetic::Hardware => multiply_bytes(intensity(strength), intensity(angle)),
            Arithmetic::Single => truncate(((strength * angle).to_f32() * 512.0 + 1.0).ceil()).min(512),
        };
    }
    out
}

/// Truncates a factor of 0 to 1 to 8 bits.
#[inline(always)]
fn intensity<R: Real>(factor: R) -> u32 {
    truncate(factor.to_f32() * 256.0).min(255)
}

/// Truncates a number from 0 to 513.
#[expect(clippy::cast_possible_truncation, reason = "0 to 513")]
#[inline(always)]
fn truncate(value: f32) -> u32 {
    (value as i32).cast_unsigned()
}

/// Adds one term of a light. `intensities` come from [`intensities`] with the same number format.
#[inline(always)]
fn add_light_term<R: Real>(
    sums: &mut [[u32; LANES]; 3],
    intensities: &[u32; LANES],
    light: [u8; 3],
    material: &[[u32; LANES]; 3],
) {
    for (sums, (light, material)) in sums.iter_mut().zip(light.into_iter().zip(material)) {
        let light = u32::from(light);
        for (lane, sum) in sums.iter_mut().enumerate() {
            let (material, intensity) = (material[lane], intensities[lane]);
            *sum += match R::ARITHMETIC {
                Arithmetic::Hardware => multiply_bytes(multiply_bytes(light, material), intensity),
                // 9, 9 and 10 bits.
                Arithmetic::Single => ((2 * light + 1) * (2 * material + 1) * intensity) >> 19,
            };
        }
    }
}

/// Multiplies two bytes, with 255 as 1.
/// Source: [8-bit product](crate::reference::ge::numbers#8-bit-product).
#[inline(always)]
fn multiply_bytes(a: u32, b: u32) -> u32 {
    (((2 * a + 1) * (2 * b + 1)) >> 10).min(255)
}

/// Clamps sums to 255 and transposes them to one colour per vertex.
#[inline(always)]
fn to_colors<const N: usize>(sums: &[[u32; LANES]; N]) -> [[u8; N]; LANES] {
    let mut out = [[0; N]; LANES];
    for (channel, sums) in sums.iter().enumerate() {
        for (out, sum) in out.iter_mut().zip(sums) {
            out[channel] = sum.min(&255).to_le_bytes()[0];
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Hf16;
    use crate::ge::command::Command;
    use crate::pipeline::geometry::lanes::splat;

    const WHITE: u32 = 0xFF_FFFF;
    const UP: [f32; 3] = [0.0, 0.0, 1.0];

    fn lit(settings: &[(Opcode, u32)], color: [u8; 4]) -> ([u8; 4], [u8; 3]) {
        let mut registers = Registers::new();
        for &(opcode, argument) in [(Opcode::LIGHTINGENABLE, 1)].iter().chain(settings) {
            registers.write(Command::new(opcode, argument));
        }
        let lighting = Lighting::<f32>::new(&registers).expect("lighting is on");
        let (primary, secondary) = lighting.colors(&splat([0.0; 3]), &splat(UP), &[color; LANES]);
        (primary[0], secondary[0])
    }

    #[test]
    fn is_none_if_disabled() {
        assert!(Lighting::<f32>::new(&Registers::new()).is_none(), "lighting is off after reset");
    }

    #[test]
    fn without_lights_adds_emissive_and_ambient() {
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
    fn vertex_colors_replace_material() {
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
        assert_eq!(lit(&settings(0), [10, 20, 30, 40]).0, [1, 1, 1, 0], "only if the vertex has one");
    }

    #[test]
    fn separates_specular_if_enabled() {
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
        assert_eq!(lit(&settings(0), [0; 4]), ([255, 0, 128, 0], [0; 3]), "added to the primary colour");
        assert_eq!(lit(&settings(1), [0; 4]), ([255, 0, 0, 0], [0, 0, 128]), "in the secondary colour");
    }

    #[test]
    fn single_arithmetic_multiplies_floats() {
        assert_eq!(intensities(&[0.5_f32; LANES], &[0.5; LANES]), [129; LANES], "512/4 + 1");
        assert_eq!(intensities(&[1.0_f32; LANES], &[1.0; LANES]), [512; LANES], "maximum");
        let half = intensities(&[Hf16::from_f32(0.5); LANES], &[Hf16::ONE; LANES]);
        assert_eq!(half, [128; LANES], "hardware multiplies bytes");
    }

    #[test]
    fn intensities_truncate() {
        for (factor, expected) in [(0.0, 0), (0.003_9, 0), (0.5, 128), (0.999, 255), (1.0, 255)] {
            assert_eq!(intensity(factor), expected, "{factor}");
        }
        assert!((0..=255).all(|value| multiply_bytes(255, value) == value), "255 acts as 1");
    }
}
