//! Describes the texture unit and the palette.

use serde::{Deserialize, Serialize};

use crate::documents::hashes::ContentHashes;
use crate::ge::address::Address;
use crate::ge::float::Float;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::{
    ClutFormat, LevelMode, LoadClut, MapMode, MapSource, MinificationFilter, PixelFormat, TexelFormat,
    TextureBufferWidth, TextureFilter, TextureFormat, TextureFunc, TextureFunction, TextureLevel, TextureMap,
    TextureMode, TextureShade, TextureWrap,
};
use crate::pipeline::texture::content_hash::{self, ContentHash};
use crate::pipeline::texture::{Texture, palette};

/// The texture unit: which texels are sampled, and how they colour fragments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextureState {
    /// Whether primitives are textured.
    pub enabled: bool,
    /// How texels are stored.
    pub format: TexelFormat,
    /// Whether texels are stored in blocks of 16 bytes by 8 rows.
    pub swizzled: bool,
    /// Whether each level has its own palette.
    pub palette_per_level: bool,
    /// The levels, the largest first.
    pub levels: Vec<LevelState>,
    /// Hash over the stored texels in all levels; null if texturing is off, or if a limit was reached.
    pub hash: Option<ContentHash>,
    /// How texels are filtered.
    pub filter: FilterState,
    /// Whether coordinates are clamped instead of wrapped, for s and t.
    pub clamp: [bool; 2],
    /// How texel and fragment colour combine.
    pub function: FunctionState,
    /// How texture coordinates are scaled, for u and v.
    pub scale: [Float; 2],
    /// How far texture coordinates are moved, for u and v.
    pub offset: [Float; 2],
    /// How the level is chosen.
    pub lod: LodState,
    /// Where texture coordinates come from.
    pub mapping: MappingState,
}

/// A texture level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelState {
    /// The first texel's address.
    pub address: Address,
    /// How far apart rows start, in texels, as the register has it.
    pub buffer_width: u32,
    /// How far apart rows start, in bytes, as the hardware rounds it; for compressed texels, this is for rows of blocks.
    pub row_bytes: u32,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Hash over the stored texels; null if texturing is off, or if a limit was reached.
    pub hash: Option<ContentHash>,
}

/// How texels are filtered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FilterState {
    /// The filter for textures drawn smaller than they are.
    pub minification: MinificationFilter,
    /// Whether textures drawn larger than they are get filtered bilinearly.
    pub magnify_linear: bool,
}

/// How texel and fragment colour combine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FunctionState {
    /// Which function combines them.
    pub function: TextureFunction,
    /// Whether this uses the texels' alpha.
    pub use_alpha: bool,
    /// Whether the result is doubled.
    pub double: bool,
    /// The colour for the function BLEND.
    pub environment_color: [u8; 3],
}

/// How a texture's level is chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LodState {
    /// Whether the level follows from the texture's size on the screen, from the bias alone, or from the slope.
    pub mode: LevelMode,
    /// A constant to add to the level.
    pub bias: Float,
    /// The slope for the mode SLOPE.
    pub slope: Float,
}

/// Where texture coordinates come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MappingState {
    /// Whether they are the vertex's own, or generated.
    pub mode: MapMode,
    /// The vector to multiply by the texture matrix.
    pub source: MapSource,
    /// The light for s in environment mapping.
    pub s_light: u8,
    /// The light for t in environment mapping.
    pub t_light: u8,
}

impl TextureState {
    /// Describes the texture set by the registers.
    #[must_use]
    pub fn of(memory: &Memory, registers: &Registers, hashes: &mut ContentHashes) -> Self {
        let enabled = registers.is_on(Opcode::TEXENABLE);
        let mode: TextureMode = registers.get();
        let wrap: TextureWrap = registers.get();
        let floats = |opcodes: [Opcode; 2]| opcodes.map(|opcode| Float(registers.float(opcode)));
        let describe = |(number, level): (u8, Texture)| {
            let width: TextureBufferWidth = registers.view(Opcode::TEXBUFWIDTH0.plus(number));
            LevelState {
                address: level.address,
                buffer_width: width.width.into(),
                row_bytes: level.row_bytes,
                width: level.width(),
                height: level.height(),
                hash: if enabled { hashes.level(memory, &level) } else { None },
            }
        };
        Self {
            enabled,
            format: registers.get::<TextureFormat>().format,
            swizzled: mode.swizzled,
            palette_per_level: mode.palette_per_level,
            levels: (0..).zip(content_hash::levels(registers)).map(describe).collect(),
            hash: if enabled { hashes.texture(memory, registers) } else { None },
            filter: FilterState::of(registers),
            clamp: [wrap.clamp_s, wrap.clamp_t],
            function: FunctionState::of(registers),
            scale: floats([Opcode::TEXSCALEU, Opcode::TEXSCALEV]),
            offset: floats([Opcode::TEXOFFSETU, Opcode::TEXOFFSETV]),
            lod: LodState::of(registers),
            mapping: MappingState::of(registers),
        }
    }
}

impl FilterState {
    fn of(registers: &Registers) -> Self {
        let TextureFilter { minification, magnify_linear } = registers.get();
        Self { minification, magnify_linear }
    }
}

impl FunctionState {
    fn of(registers: &Registers) -> Self {
        let TextureFunc { function, use_alpha, double } = registers.get();
        Self { function, use_alpha, double, environment_color: registers.rgb(Opcode::TEXENVCOLOR) }
    }
}

impl LodState {
    fn of(registers: &Registers) -> Self {
        let TextureLevel { mode, bias } = registers.get();
        Self { mode, bias: Float(f32::from(bias) / 16.0), slope: Float(registers.float(Opcode::TEXLODSLOPE)) }
    }
}

impl MappingState {
    fn of(registers: &Registers) -> Self {
        let TextureMap { mode, source } = registers.get();
        let TextureShade { s_light, t_light } = registers.get();
        Self { mode, source, s_light, t_light }
    }
}

/// The palette, and how texels select its entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PaletteState {
    /// The address that CLUTADDR selects. If the registers have not changed since LOADCLUT, the palette was loaded
    /// from it.
    pub address: Address,
    /// How many 32-byte blocks the last LOADCLUT loaded.
    pub blocks: u8,
    /// How colours are stored.
    pub format: PixelFormat,
    /// How far a texel's bits are shifted to the right.
    pub shift: u8,
    /// The mask applied after the shift.
    pub mask: u8,
    /// The first entry, combined with the index by OR.
    pub start: u16,
    /// Hash over the entries in reach of texels; null if texels are colours.
    pub hash: Option<ContentHash>,
}

impl PaletteState {
    /// Describes the palette set by the registers.
    #[must_use]
    pub fn of(registers: &Registers, hashes: &mut ContentHashes) -> Self {
        let ClutFormat { format, shift, mask, start } = registers.get();
        let [mask, ..] = mask.0.to_le_bytes();
        Self {
            address: palette::source(registers),
            blocks: registers.get::<LoadClut>().blocks,
            format,
            shift,
            mask,
            start: u16::from(start) << 4,
            hash: hashes.palette(registers),
        }
    }
}
