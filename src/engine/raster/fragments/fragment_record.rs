//! A fragment's explanation records every value on the way from a primitive to a pixel's bytes.
//!
//! # Invariants
//! The reference rasterizer fills a record while it draws, with the same values that it draws with. Steps that take
//! no part are `None`, and tests not run are not listed.

use crate::ge::address::Address;
use crate::ge::registers::pixel::{BlendEquation, BlendFactor, Comparison, LogicOperation, StencilOperation};
use crate::ge::registers::texture::TextureFunction;

/// Everything that happened to a fragment.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FragmentRecord {
    /// Column and row on the screen.
    pub screen: [u32; 2],
    /// Column and row in the colour and depth buffers: other than on the screen if REGION1 is set.
    pub position: [u32; 2],
    /// Whether this fragment is drawn in clear mode.
    pub clear: bool,
    /// The interpolated values.
    pub interpolated: InterpolatedValues,
    /// Coverage of an antialiased line, which replaces the alpha; null without antialiasing.
    pub line_alpha: Option<u8>,
    /// The texel; null without texture.
    pub texture: Option<TextureRecord>,
    /// The texture function; null without texture.
    pub texture_function: Option<TextureFunctionRecord>,
    /// The secondary colour added to this fragment; null if there is none.
    pub secondary: Option<SecondaryRecord>,
    /// Fog; null without fog.
    pub fog: Option<FogRecord>,
    /// The tests in the order they ran. The last may have failed.
    pub tests: Vec<TestRecord>,
    /// The stencil operation; null without stencil test.
    pub stencil: Option<StencilRecord>,
    /// Blending; null without blending.
    pub blend: Option<BlendRecord>,
    /// Dithering; null without dithering.
    pub dither: Option<DitherRecord>,
    /// The logic operation; null if it is off.
    pub logic: Option<LogicRecord>,
    /// The depth written; null if none was.
    pub depth_write: Option<u16>,
    /// The write to the colour buffer; null if there was none.
    pub color_write: Option<ColorWrite>,
    /// The pixel before this fragment.
    pub before: PixelValue,
    /// The pixel after this fragment.
    pub after: PixelValue,
    /// Whether all tests passed.
    pub passed: bool,
}

impl FragmentRecord {
    /// Returns how many bytes this record's lists take.
    pub(super) fn heap_bytes(&self) -> usize {
        let texels =
            |level: &LevelRecord| size_of::<LevelRecord>() + level.texels.len() * size_of::<TexelRecord>();
        let levels: usize = self.texture.iter().flat_map(|texture| &texture.levels).map(texels).sum();
        levels + self.tests.len() * size_of::<TestRecord>()
    }

    /// Returns the test that stopped this fragment, or `None` if it passed all.
    #[must_use]
    pub fn failed_test(&self) -> Option<&TestRecord> {
        self.tests.iter().find(|test| !test.passed)
    }
}

/// A pixel in the colour buffer, with its depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PixelValue {
    /// The bits stored in the colour buffer: 16 or 32.
    pub bits: u32,
    /// Red, green, blue.
    pub color: [u8; 3],
    /// Stencil, which is the stored alpha; 0 if the format has none.
    pub stencil: u8,
    /// Depth in the draw's depth buffer.
    pub depth: u16,
}

/// A fragment's interpolated values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InterpolatedValues {
    /// Depth.
    pub depth: Interpolated,
    /// Red, green, blue, alpha.
    pub color: [Interpolated; 4],
    /// Red, green and blue of the secondary colour.
    pub secondary: [Interpolated; 3],
    /// Fog coefficient: 255 is no fog, 0 is full fog. In single arithmetic it is computed from a number in 1/65536.
    pub fog: Interpolated,
}

/// A value at a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interpolated {
    /// The plane's value, floored, before it is clamped.
    pub unclamped: i64,
    /// The value used.
    pub value: u16,
}

/// How a fragment's texel was found.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextureRecord {
    /// s and t, divided by q; null if infinite or NaN. In through mode they are texels of level 0, otherwise
    /// fractions of the texture size.
    pub coordinates: [Option<f64>; 2],
    /// The level of detail.
    pub lod: LodRecord,
    /// The sampled mip levels: one, or two to blend.
    pub levels: Vec<LevelRecord>,
    /// The filtered texel: red, green, blue, alpha.
    pub color: [u8; 4],
}

/// A fragment's level of detail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LodRecord {
    /// The level of detail before the bias, in 1/16 levels.
    pub computed: i32,
    /// The bias from TEXLEVEL, in 1/16 levels.
    pub bias: i32,
    /// The first mip level.
    pub level: u8,
    /// How much the next level weighs, in 1/16.
    pub fraction: u8,
    /// Whether four texels in a level are blended.
    pub linear: bool,
}

/// The texels taken from a mip level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelRecord {
    /// The mip level.
    pub level: u8,
    /// Column and row before wrapping, in 1/16 texel. With linear filtering they are relative to texel centres.
    pub position: [i64; 2],
    /// The texels: one, or four in the order upper left, upper right, lower left, lower right.
    pub texels: Vec<TexelRecord>,
    /// The level's colour: red, green, blue, alpha.
    pub color: [u8; 4],
}

/// A texel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TexelRecord {
    /// Column and row in the level, after wrapping or clamping.
    pub position: [u32; 2],
    /// Address of its bits; for a compressed texture, of its block.
    pub address: Address,
    /// Which entry in palette memory it selects; null if the format has no palette.
    pub palette_entry: Option<u32>,
    /// How much it weighs in the level, in 1/256.
    pub weight: u16,
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
    /// Where the bits came from, if the texture cache had other bits than memory; null if they are equal.
    pub stale: Option<StaleTexel>,
}

/// Where a texel came from that the texture cache has kept while memory changed, or since another texture was
/// sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StaleTexel {
    /// Address of the texture, or of its mip level, from which the bits were loaded.
    pub texture: Address,
    /// Address from which they were loaded.
    pub address: Address,
    /// Number of the draw that loaded them, or of a later draw that used them when memory still had them.
    pub draw: u64,
}

/// The texture function with its inputs and its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TextureFunctionRecord {
    /// The function.
    pub function: TextureFunction,
    /// Whether the texel's alpha takes part.
    pub use_alpha: bool,
    /// Whether colours are doubled.
    pub double: bool,
    /// Interpolated red, green, blue, alpha.
    pub primary: [u8; 4],
    /// The texel's red, green, blue, alpha.
    pub texel: [u8; 4],
    /// TEXENVCOLOR, which only BLEND uses.
    pub environment: [u8; 3],
    /// Red, green, blue, alpha after this function.
    pub result: [u8; 4],
}

/// How the secondary colour was added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SecondaryRecord {
    /// Red, green and blue added.
    pub added: [u8; 3],
    /// Red, green, blue, alpha after the addition.
    pub result: [u8; 4],
}

/// Fog.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FogRecord {
    /// How much the fragment's colour weighs, of 255.
    pub coefficient: u8,
    /// FOGCOLOR.
    pub fog_color: [u8; 3],
    /// Red, green and blue after fog.
    pub result: [u8; 3],
}

/// A test that a fragment went through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestRecord {
    /// The test.
    pub test: TestName,
    /// The comparison; null for the scissor and the depth range.
    pub function: Option<Comparison>,
    /// The left operand: depth, alpha, the stencil reference, or a colour with red in the low byte. For the scissor,
    /// the column in the lower 16 bits and the row in the upper.
    pub value: u32,
    /// The right operand: the stored depth or stencil, or a reference. For the scissor and the depth range, the
    /// first value inside.
    pub reference: u32,
    /// For the scissor and the depth range, the last value inside; null for other tests.
    pub last: Option<u32>,
    /// The bits to compare; null if all are.
    pub mask: Option<u32>,
    /// Whether the fragment passed this test.
    pub passed: bool,
}

/// The tests that fragments go through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TestName {
    /// Scissor and region.
    Scissor,
    /// MINZ and MAXZ.
    DepthRange,
    /// Alpha test.
    Alpha,
    /// Colour test.
    Color,
    /// Stencil test.
    Stencil,
    /// Depth test.
    Depth,
}

/// A change to the stencil.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StencilRecord {
    /// The operation that the stencil and depth test results select.
    pub operation: StencilOperation,
    /// The stored stencil.
    pub before: u8,
    /// The stencil to store, before MASKALPHA.
    pub after: u8,
}

/// Blending with its inputs and its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BlendRecord {
    /// How both operands combine.
    pub equation: BlendEquation,
    /// Factor for the source colour.
    pub source_factor: BlendFactor,
    /// Factor for the destination colour.
    pub destination_factor: BlendFactor,
    /// The fragment's red, green, blue, alpha.
    pub source: [u8; 4],
    /// The pixel's red, green, blue and stencil.
    pub destination: [u8; 4],
    /// Source factor values for red, green and blue. Some equations do not use them.
    pub source_values: [i16; 3],
    /// Destination factor values for red, green and blue.
    pub destination_values: [i16; 3],
    /// Red, green and blue before they are clamped.
    pub result: [i32; 3],
}

/// Dithering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DitherRecord {
    /// The number added to red, green and blue, −8 to 7.
    pub offset: i32,
    /// Red, green and blue after the addition, clamped.
    pub result: [u8; 3],
}

/// The logic operation with its inputs and its result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LogicRecord {
    /// The operation.
    pub operation: LogicOperation,
    /// The fragment's red, green and blue.
    pub source: [u8; 3],
    /// The pixel's red, green and blue.
    pub destination: [u8; 3],
    /// Red, green and blue after this operation.
    pub result: [u8; 3],
}

/// A write to the colour buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ColorWrite {
    /// Red, green, blue and stencil to store.
    pub value: [u8; 4],
    /// Bits to leave as they were.
    pub protected: [u8; 4],
}
