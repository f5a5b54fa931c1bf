//! Computes lit vertices' colours.
//!
//! Hardware arithmetic first multiplies the colours of light and material, and then each of the light's factors in
//! turn, in 8 bits: angle, attenuation, spot. Sums are clamped once, at the end. Emulator arithmetic multiplies the
//! factors as floats and rounds their product up to 9 bits.
//!
//! Source: [factors](crate::reference::ge::lighting#factors),
//! [colours](crate::reference::ge::lighting#colours) (hardware tests `commands/light`, `commands/material`,
//! `lighting/specular`).

use arrayvec::ArrayVec;

use super::lanes::{self, LANES, Lanes, VectorLanes};
use super::light::{Light, LightFactors, LightTerms};
use super::normal::NormalLanes;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::light::{LightMode, MaterialUpdate};
use crate::ge::registers::vertex::VertexType;

/// A draw's lights and material.
#[derive(Clone, Debug)]
pub(crate) struct Lighting<R> {
    /// The lights that are on and can shine.
    lights: ArrayVec<(Light<R>, LightColors, LightTerms), 4>,
    material: Material,
    /// Which material colours the vertex colour replaces.
    update: MaterialUpdate,
    /// AMBIENTCOLOR, AMBIENTALPHA.
    ambient: [u8; 4],
    separate_specular: bool,
}

#[derive(Clone, Copy, Debug)]
struct LightColors {
    ambient: [u8; 3],
    diffuse: [u8; 3],
    specular: [u8; 3],
}

#[derive(Clone, Copy, Debug)]
struct Material {
    emissive: [u8; 3],
    ambient: [u8; 4],
    diffuse: [u8; 3],
    specular: [u8; 3],
}

impl<R: Real> Lighting<R> {
    /// Reads lights and material from the registers, or returns `None` if lighting is off.
    #[must_use]
    pub(crate) fn new(registers: &Registers) -> Option<Self> {
        if !registers.is_on(Opcode::LIGHTINGENABLE) {
            return None;
        }
        let byte = |opcode| registers.argument(opcode).to_le_bytes()[0];
        let with_alpha = |[red, green, blue]: [u8; 3], alpha| [red, green, blue, alpha];
        let has_color = registers.get::<VertexType>().color.bytes() > 0;
        let material = Material {
            emissive: registers.rgb(Opcode::MATERIALEMISSIVE),
            ambient: with_alpha(registers.rgb(Opcode::MATERIALAMBIENT), byte(Opcode::MATERIALALPHA)),
            diffuse: registers.rgb(Opcode::MATERIALDIFFUSE),
            specular: registers.rgb(Opcode::MATERIALSPECULAR),
        };
        // Without vertex colours there is nothing to replace the material with.
        let update = if has_color { registers.get() } else { MaterialUpdate::default() };
        Some(Self {
            lights: (0..4)
                .filter(|&number| registers.is_on(Opcode::LIGHTENABLE0.plus(number)))
                .filter_map(|number| {
                    let colors = LightColors::new(registers, number);
                    let light = Light::new(registers, number);
                    let terms = material.terms(update, &colors, light.is_specular());
                    terms.any().then_some((light, colors, terms))
                })
                .collect(),
            material,
            update,
            ambient: with_alpha(registers.rgb(Opcode::AMBIENTCOLOR), byte(Opcode::AMBIENTALPHA)),
            separate_specular: registers.get::<LightMode>().separate_specular,
        })
    }

    /// Computes primary and secondary colours for vertices with these model positions, world normals and own
    /// colours.
    #[inline(always)]
    #[must_use]
    pub(crate) fn colors(
        &self,
        positions: &VectorLanes<R>,
        normals: &NormalLanes<R>,
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
        // Sums stay unclamped until all lights are added, because the hardware clamps only once.
        for (light, colors, terms) in &self.lights {
            let factors = light.factors(*terms, positions, normals);
            if terms.ambient {
                let ambient = [red, green, blue];
                add_light_term::<R>(&mut primary, colors.ambient, &ambient, &intensities(&factors, None));
            }
            if let Some(diffuse) = &factors.diffuse {
                let diffuse = intensities(&factors, Some(diffuse));
                add_light_term::<R>(&mut primary, colors.diffuse, &material.diffuse, &diffuse);
            }
            if let Some(specular) = &factors.specular {
                let sums = if self.separate_specular { &mut secondary } else { &mut primary };
                let specular = intensities(&factors, Some(specular));
                add_light_term::<R>(sums, colors.specular, &material.specular, &specular);
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
    /// Finds which terms may shine. If the light and material colours multiply to 0, the term stays black whatever
    /// its factors.
    fn terms(&self, update: MaterialUpdate, light: &LightColors, is_specular: bool) -> LightTerms {
        let shines = |light: [u8; 3], material: [u8; 3], is_updated: bool| {
            light.into_iter().zip(material).any(|(light, material)| light > 0 && (is_updated || material > 0))
        };
        let [red, green, blue, _] = self.ambient;
        LightTerms {
            ambient: shines(light.ambient, [red, green, blue], update.ambient),
            diffuse: shines(light.diffuse, self.diffuse, update.diffuse),
            specular: is_specular && shines(light.specular, self.specular, update.specular),
        }
    }

    /// Selects the material for vertices with these own colours.
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

/// Several vertices' material colours, 0 to 255.
struct MaterialLanes {
    ambient: [[u32; LANES]; 4],
    diffuse: [[u32; LANES]; 3],
    specular: [[u32; LANES]; 3],
}

/// A light term's factors as integers, in the order in which the hardware applies them.
type Intensities = [Option<[u32; LANES]>; 3];

/// Computes a term's intensities with this factor for the angle. The hardware keeps 8 bits of each factor;
/// emulators use a single product from 0 to 512.
#[inline(always)]
fn intensities<R: Real>(factors: &LightFactors<R>, angle: Option<&Lanes<R>>) -> Intensities {
    let LightFactors { attenuation, spot, .. } = factors;
    if R::ARITHMETIC == Arithmetic::Hardware {
        return [angle, attenuation.as_ref(), spot.as_ref()]
            .map(|factors| factors.map(|factors| lanes::map(factors, intensity)));
    }
    let mut products = [R::ONE; LANES];
    // Emulators multiply attenuation and spot first. This order matters, because each product is rounded.
    for factors in [attenuation.as_ref(), spot.as_ref(), angle].into_iter().flatten() {
        for (product, factor) in products.iter_mut().zip(factors) {
            *product = *product * *factor;
        }
    }
    let product = lanes::map(&products, |product| truncate((product.to_f32() * 512.0 + 1.0).ceil()).min(512));
    [Some(product), None, None]
}

/// Truncates a factor between 0 and 1 to 8 bits; 1 gives 256.
#[inline(always)]
fn intensity<R: Real>(factor: R) -> u32 {
    truncate(factor.to_f32() * 256.0)
}

/// Truncates a number from 0 to 513.
#[expect(clippy::cast_possible_truncation, reason = "0 to 513")]
#[inline(always)]
fn truncate(value: f32) -> u32 {
    (value as i32).cast_unsigned()
}

/// Adds a light's term. `intensities` come from [`intensities`] in the same number format.
#[inline(always)]
fn add_light_term<R: Real>(
    sums: &mut [[u32; LANES]; 3],
    light: [u8; 3],
    material: &[[u32; LANES]; 3],
    intensities: &Intensities,
) {
    for (sums, (light, material)) in sums.iter_mut().zip(light.into_iter().zip(material)) {
        let light = u32::from(light);
        let mut products = match R::ARITHMETIC {
            Arithmetic::Hardware => lanes::map(material, |material| multiply_bytes(light, material)),
            // Both factors have 9 bits.
            Arithmetic::Single => lanes::map(material, |material| (2 * light + 1) * (2 * material + 1)),
        };
        for intensities in intensities.iter().flatten() {
            for (product, intensity) in products.iter_mut().zip(intensities) {
                *product = match R::ARITHMETIC {
                    Arithmetic::Hardware => multiply_bytes(*product, *intensity),
                    // The product has 18 bits and the intensity 10.
                    Arithmetic::Single => (*product * *intensity) >> 19,
                };
            }
        }
        for (sum, product) in sums.iter_mut().zip(products) {
            *sum += product;
        }
    }
}

/// Multiplies two bytes, where 255 means 1. A factor of 256 leaves the other byte unchanged, too.
/// Source: [8-bit product](crate::reference::ge::numbers#8-bit-product).
#[inline(always)]
const fn multiply_bytes(a: u32, b: u32) -> u32 {
    ((2 * a + 1) * (2 * b + 1)) >> 10
}

/// Clamps sums to 255 and transposes them to a colour per vertex.
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
    use crate::pipeline::geometry::normal::WorldNormals;
    use crate::pipeline::geometry::zero_normal::ZeroNormal;

    const WHITE: u32 = 0xFF_FFFF;
    const UP: [f32; 3] = [0.0, 0.0, 1.0];

    fn lit(settings: &[(Opcode, u32)], color: [u8; 4]) -> ([u8; 4], [u8; 3]) {
        let mut registers = Registers::new();
        for &(opcode, argument) in [(Opcode::LIGHTINGENABLE, 1)].iter().chain(settings) {
            registers.write(Command::new(opcode, argument));
        }
        let lighting = Lighting::<f32>::new(&registers).expect("lighting is on");
        let normals = WorldNormals::new(&registers, ZeroNormal::default()).transform(&splat(UP));
        let (primary, secondary) = lighting.colors(&splat([0.0; 3]), &normals, &[color; LANES]);
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

    /// Returns factors for attenuation, spot and angle, the same for all vertices.
    fn factors<R: Real>([attenuation, spot, angle]: [f32; 3]) -> LightFactors<R> {
        let lanes = |factor| [R::from_f32(factor); LANES];
        LightFactors {
            attenuation: Some(lanes(attenuation)),
            spot: Some(lanes(spot)),
            diffuse: Some(lanes(angle)),
            specular: None,
        }
    }

    #[test]
    fn single_arithmetic_multiplies_floats() {
        for (numbers, expected) in [([0.5, 1.0, 0.5], 129), ([1.0; 3], 512), ([0.5; 3], 65)] {
            let factors = factors::<f32>(numbers);
            let intensities = intensities(&factors, factors.diffuse.as_ref());
            assert_eq!(intensities, [Some([expected; LANES]), None, None], "512 times {numbers:?} and 1");
        }
    }

    /// Returns a diffuse term, light times material times factors.
    fn term<R: Real>(light: u8, material: u32, numbers: [f32; 3]) -> u32 {
        let (mut sums, factors) = ([[0; LANES]; 3], factors::<R>(numbers));
        let intensities = intensities(&factors, factors.diffuse.as_ref());
        add_light_term::<R>(&mut sums, [light; 3], &[[material; LANES]; 3], &intensities);
        sums[2][LANES - 1]
    }

    /// Because of this, terms of black lights and black materials need not be computed.
    #[test]
    fn black_stays_black() {
        for color in 0..=255 {
            for numbers in [[1.0; 3], [0.75; 3], [0.0; 3]] {
                let found = [
                    term::<Hf16>(0, color.into(), numbers),
                    term::<Hf16>(color, 0, numbers),
                    term::<f32>(0, color.into(), numbers),
                    term::<f32>(color, 0, numbers),
                ];
                assert_eq!(found, [0; 4], "{color} and 0, times {numbers:?}");
            }
        }
    }

    /// The examples of `reference/ge/lighting.md#factors`.
    #[test]
    fn hardware_multiplies_bytes_one_after_another() {
        for (light, material, factor, expected) in [
            (128, 200, 1.0, 100),
            (255, 200, 0.5, 100),
            (255, 255, 0.999, 255),
            (255, 255, 0.99, 253),
            (255, 255, 0.0, 0),
        ] {
            let product = term::<Hf16>(light, material, [1.0, 1.0, factor]);
            assert_eq!(product, expected, "{light} · {material} · {factor}");
        }
        assert_eq!(term::<Hf16>(255, 255, [0.5, 0.25, 0.999]), 32, "255 → 128 → 32");
        assert_eq!(term::<f32>(255, 255, [0.5, 0.25, 1.0]), 32, "emulators multiply once");
    }

    #[test]
    fn intensities_truncate() {
        for (factor, expected) in [(0.0, 0), (0.003_9, 0), (0.5, 128), (0.999, 255), (1.0, 256)] {
            assert_eq!(intensity(factor), expected, "{factor}");
        }
        for byte in 0..=255 {
            assert_eq!(multiply_bytes(255, byte), byte, "255 acts as 1");
            assert_eq!(multiply_bytes(byte, 256), byte, "256 acts as 1");
        }
    }
}
