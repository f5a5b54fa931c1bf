//! Derives how a surface looks from the registers at a draw.
//!
//! The GE multiplies display values: texel times colour, both as bytes. Model files multiply linear light instead.
//! Except near black both products look the same, so the scene keeps display values, and writers convert colours as
//! they convert textures.
//!
//! # Invariants
//! A surface depends only on the registers. Source:
//! [materials and lights](crate::reference::ge::commands#materials-and-lights),
//! [texture functions](crate::reference::ge::sampling#texture-functions), [pixels](crate::reference::ge::pixels).

use super::scene::{AlphaMode, Extra, Extras};
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::light::MaterialUpdate;
use crate::ge::registers::pixel::{
    BlendEquation, BlendFactor, BlendMode, ColorMask, ColorReference, ColorTest, Comparison, DepthTest,
    LogicOp, MaskedTest,
};
use crate::ge::registers::texture::{MapMode, TextureFunc, TextureFunction, TextureMap};
use crate::ge::registers::transform::{Shade, ShadeMode};
use crate::ge::registers::vertex::{ColorFormat, PrimitiveType, VertexType};

/// A surface as the registers describe it, without its texture and vertices.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SurfaceState {
    /// A constant colour to multiply with texture and vertex colours. White if vertices have colours.
    pub(super) color: [u8; 4],
    pub(super) emissive: [u8; 3],
    /// Whether vertices have colours, and they take effect.
    pub(super) vertex_colors: bool,
    pub(super) textured: bool,
    pub(super) texture_alpha: bool,
    pub(super) modulation: Modulation,
    /// Whether the last corner's colour applies to all corners.
    pub(super) flat_shaded: bool,
    pub(super) double_sided: bool,
    pub(super) unlit: bool,
    pub(super) alpha_test: Option<MaskedTest>,
    pub(super) blend: Option<BlendMode>,
    /// Fixed blend factors for source and destination.
    fixed_factors: [[u8; 3]; 2],
    pub(super) extras: Extras,
    /// Features in words that change the picture, but that model files lack.
    pub(super) not_expressed: Vec<&'static str>,
}

/// How much of the vertex colour the texture function multiplies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modulation {
    /// All channels.
    Full,
    /// All channels, with RGB doubled.
    Doubled,
    /// Alpha alone.
    AlphaOnly,
    /// No channel.
    None,
}

impl Modulation {
    /// Returns the colour to multiply with the texture. Doubled channels saturate at 255.
    pub(super) fn apply(self, [red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Full => [red, green, blue, alpha],
            Self::Doubled => [red.saturating_mul(2), green.saturating_mul(2), blue.saturating_mul(2), alpha],
            Self::AlphaOnly => [255, 255, 255, alpha],
            Self::None => [255; 4],
        }
    }
}

impl SurfaceState {
    pub(super) fn new(registers: &Registers, primitive: PrimitiveType, is_patch: bool) -> Self {
        let vertex_type: VertexType = registers.get();
        let through = vertex_type.through;
        let lit = registers.is_on(Opcode::LIGHTINGENABLE) && !through;
        let textured = registers.is_on(Opcode::TEXENABLE);
        let function: TextureFunc = registers.get();
        let update: MaterialUpdate = registers.get();
        let has_colors = vertex_type.color.bytes() > 0 && vertex_type.color != ColorFormat::NONE;
        let vertex_colors = has_colors && (!lit || update.diffuse || update.ambient);
        let alpha = registers.argument(Opcode::MATERIALALPHA).to_le_bytes()[0];
        let [red, green, blue] =
            registers.rgb(if lit { Opcode::MATERIALDIFFUSE } else { Opcode::MATERIALAMBIENT });
        let culled = registers.is_on(Opcode::CULLENABLE)
            && (!is_patch || registers.is_on(Opcode::PATCHCULLENABLE))
            && primitive != PrimitiveType::RECTANGLES;
        // REPLACE ignores lighting.
        let lit_color = lit && !(textured && function.function == TextureFunction::REPLACE);
        let mut surface = Self {
            color: if vertex_colors { [255; 4] } else { [red, green, blue, alpha] },
            emissive: if lit_color { registers.rgb(Opcode::MATERIALEMISSIVE) } else { [0; 3] },
            vertex_colors,
            textured,
            texture_alpha: textured && function.use_alpha && function.function != TextureFunction::DECAL,
            modulation: if textured { modulation(function) } else { Modulation::Full },
            flat_shaded: registers.get::<Shade>().mode == ShadeMode::FLAT,
            double_sided: !culled,
            unlit: !lit_color,
            alpha_test: registers.is_on(Opcode::ALPHATESTENABLE).then(|| registers.view(Opcode::ALPHATEST)),
            blend: registers.is_on(Opcode::BLENDENABLE).then(|| registers.get()),
            fixed_factors: [Opcode::BLENDFIXEDA, Opcode::BLENDFIXEDB].map(|opcode| registers.rgb(opcode)),
            extras: Extras::new(),
            not_expressed: Vec::new(),
        };
        surface.extras = surface.engine_state(registers, function);
        surface.not_expressed = surface.missing_features(registers, function);
        surface
    }

    /// Returns whether blending is the usual mix by source alpha.
    pub(super) fn blends_by_alpha(&self) -> bool {
        self.blend.is_some_and(|blend| {
            blend.equation == BlendEquation::ADD
                && blend.source == BlendFactor::SOURCE_ALPHA
                && blend.destination == BlendFactor::ONE_MINUS_SOURCE_ALPHA
        })
    }

    /// Returns whether blending ignores the destination and keeps the source as it is.
    pub(super) fn blend_overwrites(&self) -> bool {
        self.blend.is_some_and(|blend| {
            let is_fixed = |factor: BlendFactor| factor.number() >= BlendFactor::FIXED.number();
            blend.equation == BlendEquation::ADD
                && is_fixed(blend.source)
                && is_fixed(blend.destination)
                && self.fixed_factors == [[255; 3], [0; 3]]
        })
    }

    /// Chooses how to use alpha: blending if it has an effect, else the alpha test. An opaque surface never needs
    /// the test, and needs blending only for more than a mix by alpha.
    pub(super) fn alpha_mode(&self, is_transparent: bool) -> AlphaMode {
        match self.blend {
            Some(_) if !self.blend_overwrites() && (is_transparent || !self.blends_by_alpha()) => {
                AlphaMode::Blend
            }
            _ => match self.alpha_cutoff() {
                Some(cutoff) if is_transparent => AlphaMode::Mask(cutoff),
                _ => AlphaMode::Opaque,
            },
        }
    }

    /// Returns the smallest alpha to pass the alpha test, from 0 to 1. It lies half-way between two byte values, so
    /// that rounding does no harm. Returns `None` if the test has no such threshold.
    pub(super) fn alpha_cutoff(&self) -> Option<f32> {
        let test = self.alpha_test.filter(|test| test.mask == 255)?;
        let cutoff = match test.function {
            Comparison::GREATER => f32::from(test.reference) + 0.5,
            Comparison::GREATER_EQUAL => f32::from(test.reference) - 0.5,
            Comparison::NOT_EQUAL if test.reference == 0 => 0.5,
            _ => return None,
        };
        (cutoff > 0.0).then_some(cutoff / 255.0)
    }

    /// Lists features that change the picture but that model files lack.
    fn missing_features(&self, registers: &Registers, function: TextureFunc) -> Vec<&'static str> {
        // Without the texture's alpha, REPLACE takes the vertex's, so it is a product with white.
        let is_product = matches!(function.function, TextureFunction::MODULATE | TextureFunction::REPLACE);
        let coordinates = registers.get::<TextureMap>().mode;
        let blends_otherwise = self.blend.is_some() && !self.blends_by_alpha() && !self.blend_overwrites();
        let tests_otherwise = self.alpha_test.is_some_and(|test| {
            let passes_zero = test.function == Comparison::GREATER_EQUAL && test.reference & test.mask == 0;
            self.alpha_cutoff().is_none() && test.function != Comparison::ALWAYS && !passes_zero
        });
        let has_stencil_test = registers.is_on(Opcode::STENCILTESTENABLE)
            && registers.view::<MaskedTest>(Opcode::STENCILTEST).function != Comparison::ALWAYS;
        [
            (blends_otherwise, "blending other than by alpha"),
            (tests_otherwise, "an alpha test without a threshold"),
            (self.textured && !is_product, "a texture function other than a product"),
            (self.textured && coordinates == MapMode::ENVIRONMENT, "environment mapping"),
            (has_stencil_test, "a stencil test"),
            (registers.is_on(Opcode::COLORTESTENABLE), "a colour test"),
            (registers.is_on(Opcode::LOGICOPENABLE), "a logic operation"),
            (registers.is_on(Opcode::FOGENABLE), "fog"),
            (registers.get::<ColorMask>().mask.0 & 0xFF_FFFF != 0, "a colour mask"),
        ]
        .into_iter()
        .filter_map(|(is_used, feature)| is_used.then_some(feature))
        .collect()
    }

    /// Keeps GE state in the extras, because model files have no field for it.
    fn engine_state(&self, registers: &Registers, function: TextureFunc) -> Extras {
        let mut extras = Extras::new();
        if let Some(blend) = self.blend {
            let mut table: Extras = vec![
                ("equation", Extra::text(blend.equation)),
                ("source", Extra::text(blend.source)),
                ("destination", Extra::text(blend.destination)),
            ];
            let fixed_factors = [
                ("source_fixed", blend.source, Opcode::BLENDFIXEDA),
                ("destination_fixed", blend.destination, Opcode::BLENDFIXEDB),
            ];
            for (name, factor, opcode) in fixed_factors {
                // Codes above FIXED act like it, so they use the fixed colours too.
                if factor.number() >= BlendFactor::FIXED.number() {
                    table.push((name, color(registers.rgb(opcode))));
                }
            }
            extras.push(("blend", Extra::Table(table)));
        }
        if let Some(test) = self.alpha_test {
            extras.push(("alpha_test", masked_test(test)));
        }
        if self.textured {
            let map: TextureMap = registers.get();
            let mut table: Extras = vec![
                ("function", Extra::text(function.function)),
                ("use_alpha", Extra::Flag(function.use_alpha)),
                ("double", Extra::Flag(function.double)),
            ];
            if function.function == TextureFunction::BLEND {
                table.push(("environment", color(registers.rgb(Opcode::TEXENVCOLOR))));
            }
            if map.mode == MapMode::MATRIX || map.mode == MapMode::ENVIRONMENT {
                table.push(("coordinates", Extra::text(map.mode)));
            }
            extras.push(("texture_function", Extra::Table(table)));
        }
        if registers.is_on(Opcode::ZTESTENABLE) {
            extras.push(("depth_test", Extra::text(registers.get::<DepthTest>().function)));
        }
        if registers.is_on(Opcode::ZWRITEDISABLE) {
            extras.push(("depth_write", Extra::Flag(false)));
        }
        if registers.is_on(Opcode::STENCILTESTENABLE) {
            extras.push(("stencil_test", masked_test(registers.view(Opcode::STENCILTEST))));
        }
        if registers.is_on(Opcode::COLORTESTENABLE) {
            let value = |opcode| color(registers.view::<ColorReference>(opcode).rgb.0);
            let function = Extra::text(registers.get::<ColorTest>().function);
            let table = vec![
                ("function", function),
                ("reference", value(Opcode::COLORREF)),
                ("mask", value(Opcode::COLORTESTMASK)),
            ];
            extras.push(("color_test", Extra::Table(table)));
        }
        if registers.is_on(Opcode::LOGICOPENABLE) {
            extras.push(("logic_operation", Extra::text(registers.get::<LogicOp>().operation)));
        }
        if registers.is_on(Opcode::FOGENABLE) {
            extras.push(("fog_color", color(registers.rgb(Opcode::FOGCOLOR))));
        }
        let mask = registers.get::<ColorMask>().mask.0;
        if mask != 0 {
            extras.push(("color_mask", Extra::Text(format!("0x{mask:06x}"))));
        }
        if self.flat_shaded {
            extras.push(("flat", Extra::Flag(true)));
        }
        extras
    }
}

/// Computes how much of the colour a texture function multiplies in. DECAL, BLEND and ADD are no products, so this
/// approximates them: DECAL by the plain texture, the others by products. The extras hold their names.
fn modulation(function: TextureFunc) -> Modulation {
    match function.function {
        TextureFunction::REPLACE if function.use_alpha => Modulation::None,
        TextureFunction::REPLACE | TextureFunction::DECAL => Modulation::AlphaOnly,
        _ if function.double => Modulation::Doubled,
        _ => Modulation::Full,
    }
}

fn masked_test(test: MaskedTest) -> Extra {
    Extra::Table(vec![
        ("function", Extra::text(test.function)),
        ("reference", Extra::Whole(test.reference.into())),
        ("mask", Extra::Whole(test.mask.into())),
    ])
}

fn color([red, green, blue]: [u8; 3]) -> Extra {
    Extra::Text(format!("#{red:02x}{green:02x}{blue:02x}"))
}
