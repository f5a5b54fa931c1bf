//! From the engine's state at a draw to what a surface looks like.
//!
//! The engine multiplies display values: texel times colour, both as bytes. Files of models multiply linear light; a
//! product of display values is, but for the curve's foot, the display value of the product of their linear ones. So the
//! scene keeps display values, and writers convert colours as they convert textures.
//!
//! # Invariants
//! A pure function of registers. Source: `ge-reference.md` §6.1, §8.8, §9.

use super::scene::{Extra, Extras};
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

/// What the registers say about a surface, without its textures and vertices.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Surface {
    /// The colour that is multiplied with texture and vertices: what vertices without colour have.
    pub(super) color: [u8; 4],
    pub(super) emissive: [u8; 3],
    /// Whether vertices have colours of their own, and these count.
    pub(super) vertex_colors: bool,
    pub(super) textured: bool,
    pub(super) texture_alpha: bool,
    pub(super) tint: Tint,
    /// All corners have the colour of the last one.
    pub(super) flat: bool,
    pub(super) double_sided: bool,
    pub(super) unlit: bool,
    pub(super) alpha_test: Option<MaskedTest>,
    pub(super) blend: Option<BlendMode>,
    /// The fixed factors of source and destination.
    fixed: [[u8; 3]; 2],
    pub(super) extras: Extras,
}

/// What a texture leaves of the colour below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tint {
    /// The colour is multiplied.
    Whole,
    /// The colour is multiplied and the product doubled.
    Double,
    /// Only alpha counts.
    AlphaOnly,
    /// Nothing.
    Nothing,
}

impl Tint {
    /// The colour as it has to be multiplied. Doubled values above the largest become that.
    pub(super) fn apply(self, [red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Whole => [red, green, blue, alpha],
            Self::Double => [red.saturating_mul(2), green.saturating_mul(2), blue.saturating_mul(2), alpha],
            Self::AlphaOnly => [255, 255, 255, alpha],
            Self::Nothing => [255; 4],
        }
    }
}

impl Surface {
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
        // A texture that replaces colours shows as it is, whatever the light.
        let lit_color = lit && !(textured && function.function == TextureFunction::REPLACE);
        let mut surface = Self {
            color: if vertex_colors { [255; 4] } else { [red, green, blue, alpha] },
            emissive: if lit_color { registers.rgb(Opcode::MATERIALEMISSIVE) } else { [0; 3] },
            vertex_colors,
            textured,
            texture_alpha: textured && function.use_alpha && function.function != TextureFunction::DECAL,
            tint: if textured { tint(function) } else { Tint::Whole },
            flat: registers.get::<Shade>().mode == ShadeMode::FLAT,
            double_sided: !culled,
            unlit: !lit_color,
            alpha_test: registers.is_on(Opcode::ALPHATESTENABLE).then(|| registers.view(Opcode::ALPHATEST)),
            blend: registers.is_on(Opcode::BLENDENABLE).then(|| registers.get()),
            fixed: [Opcode::BLENDFIXEDA, Opcode::BLENDFIXEDB].map(|opcode| registers.rgb(opcode)),
            extras: Extras::new(),
        };
        surface.extras = surface.state(registers, function);
        surface
    }

    /// Whether blending shows what is behind by alpha, and does nothing else.
    pub(super) fn blends_by_alpha(&self) -> bool {
        self.blend.is_some_and(|blend| {
            blend.equation == BlendEquation::ADD
                && blend.source == BlendFactor::SOURCE_ALPHA
                && blend.destination == BlendFactor::ONE_MINUS_SOURCE_ALPHA
        })
    }

    /// Whether blending leaves nothing of what is behind.
    pub(super) fn replaces(&self) -> bool {
        self.blend.is_some_and(|blend| {
            let is_fixed = |factor: BlendFactor| factor.number() >= BlendFactor::FIXED.number();
            blend.equation == BlendEquation::ADD
                && is_fixed(blend.source)
                && is_fixed(blend.destination)
                && self.fixed == [[255; 3], [0; 3]]
        })
    }

    /// The smallest alpha that is drawn, where the alpha test says so; half way between two bytes.
    pub(super) fn cutoff(&self) -> Option<f32> {
        let test = self.alpha_test.filter(|test| test.mask == 255)?;
        let least = match test.function {
            Comparison::GREATER => f32::from(test.reference) + 0.5,
            Comparison::GREATER_EQUAL => f32::from(test.reference) - 0.5,
            Comparison::NOT_EQUAL if test.reference == 0 => 0.5,
            _ => return None,
        };
        (least > 0.0).then_some(least / 255.0)
    }

    /// The state that files of models have no place for.
    fn state(&self, registers: &Registers, function: TextureFunc) -> Extras {
        let mut extras = Extras::new();
        if let Some(blend) = self.blend {
            let mut table: Extras = vec![
                ("equation", Extra::text(blend.equation)),
                ("source", Extra::text(blend.source)),
                ("destination", Extra::text(blend.destination)),
            ];
            let fixed = [
                ("source_fixed", blend.source, Opcode::BLENDFIXEDA),
                ("destination_fixed", blend.destination, Opcode::BLENDFIXEDB),
            ];
            for (name, factor, opcode) in fixed {
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
        if self.flat {
            extras.push(("flat", Extra::Flag(true)));
        }
        extras
    }
}

/// What a texture function leaves of the colour below. DECAL, BLEND and ADD mix, which a product cannot say: DECAL shows
/// the texture, the others are multiplied, and their names stay in the extras.
fn tint(function: TextureFunc) -> Tint {
    match function.function {
        TextureFunction::REPLACE if function.use_alpha => Tint::Nothing,
        TextureFunction::REPLACE | TextureFunction::DECAL => Tint::AlphaOnly,
        _ if function.double => Tint::Double,
        _ => Tint::Whole,
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
