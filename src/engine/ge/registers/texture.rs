//! Registers for textures and palettes. Source: [commands](crate::reference::ge::commands#textures-and-fog),
//! [textures](crate::reference::ge::textures), [sampling](crate::reference::ge::sampling).

use super::Registers;
use super::field::{Hex, codes, register};
use crate::ge::address::Address;
use crate::ge::opcode::Opcode;

codes! {
    /// How texels are stored.
    TexelFormat: 4 bits {
        /// 16 bits, no alpha.
        BGR5650 = 0,
        /// 16 bits, 1 bit alpha.
        ABGR5551 = 1,
        /// 16 bits, 4 bits alpha.
        ABGR4444 = 2,
        /// 32 bits.
        ABGR8888 = 3,
        /// 4-bit palette index.
        CLUT4 = 4,
        /// 8-bit palette index.
        CLUT8 = 5,
        /// 16-bit palette index.
        CLUT16 = 6,
        /// 32-bit palette index.
        CLUT32 = 7,
        /// 4x4 blocks of 8 bytes.
        DXT1 = 8,
        /// 4x4 blocks of 16 bytes, explicit alpha.
        DXT3 = 9,
        /// 4x4 blocks of 16 bytes, interpolated alpha.
        DXT5 = 10,
    }
}

impl TexelFormat {
    /// Returns how many bits a texel takes. Invalid formats count as 8 bits (assumed).
    #[must_use]
    pub const fn bits(self) -> u32 {
        match self {
            Self::CLUT4 | Self::DXT1 => 4,
            Self::BGR5650 | Self::ABGR5551 | Self::ABGR4444 | Self::CLUT16 => 16,
            Self::ABGR8888 | Self::CLUT32 => 32,
            _ => 8,
        }
    }

    /// Returns whether texels are palette indices, so that drawing needs a palette.
    #[must_use]
    pub const fn is_indexed(self) -> bool {
        matches!(self, Self::CLUT4 | Self::CLUT8 | Self::CLUT16 | Self::CLUT32)
    }

    /// Returns whether texels are stored in compressed blocks of 4×4.
    #[must_use]
    pub const fn is_compressed(self) -> bool {
        matches!(self, Self::DXT1 | Self::DXT3 | Self::DXT5)
    }

    /// Returns how many bytes a compressed block of 4×4 texels takes. Call this for compressed formats only.
    #[must_use]
    pub const fn block_bytes(self) -> u32 {
        match self {
            Self::DXT1 => 8,
            _ => 16,
        }
    }
}

codes! {
    /// How a colour is stored in a palette, a framebuffer or a texture.
    PixelFormat: 2 bits {
        /// 5 bits red, 6 green, 5 blue.
        BGR5650 = 0,
        /// 5 bits each, 1 bit alpha.
        ABGR5551 = 1,
        /// 4 bits each.
        ABGR4444 = 2,
        /// 8 bits each.
        ABGR8888 = 3,
    }
}

codes! {
    /// How to make texture coordinates.
    MapMode: 2 bits {
        /// The vertex, with scale and offset.
        UV = 0,
        /// The texture matrix.
        MATRIX = 1,
        /// The environment map from two lights.
        ENVIRONMENT = 2,
        /// As [`Self::UV`].
        UV_TOO = 3,
    }
}

codes! {
    /// Which vector to multiply by the texture matrix.
    MapSource: 2 bits {
        /// The model position.
        POSITION = 0,
        /// The texture coordinates.
        UV = 1,
        /// The normalised normal.
        NORMALIZED_NORMAL = 2,
        /// The normal.
        NORMAL = 3,
    }
}

codes! {
    /// The filter for textures drawn smaller than their size.
    MinificationFilter: 3 bits {
        /// Nearest texel.
        NEAREST = 0,
        /// Bilinear.
        LINEAR = 1,
        /// Nearest, without mipmaps (bit 2 is clear).
        NEAREST_BETWEEN = 2,
        /// Bilinear, without mipmaps (bit 2 is clear).
        LINEAR_BETWEEN = 3,
        /// The nearest texel in the nearest level.
        NEAREST_MIPMAP_NEAREST = 4,
        /// Bilinear in the nearest level.
        LINEAR_MIPMAP_NEAREST = 5,
        /// Nearest texels in two levels, blended.
        NEAREST_MIPMAP_LINEAR = 6,
        /// Trilinear.
        LINEAR_MIPMAP_LINEAR = 7,
    }
}

impl MinificationFilter {
    /// Returns whether this filter blends four texels.
    #[must_use]
    pub const fn is_linear(self) -> bool {
        self.number() & 1 != 0
    }

    /// Returns whether this filter blends two levels.
    #[must_use]
    pub const fn blends_levels(self) -> bool {
        self.number() & 2 != 0
    }

    /// Returns whether this filter uses levels beyond the first at all.
    #[must_use]
    pub const fn uses_mipmaps(self) -> bool {
        self.number() & 4 != 0
    }
}

codes! {
    /// How to choose the mip level. Source: [level modes](crate::reference::ge::textures#level-modes).
    LevelMode: 2 bits {
        /// From the texel steps between pixels.
        AUTO = 0,
        /// From the bias alone.
        CONST = 1,
        /// From TEXLODSLOPE.
        SLOPE = 2,
        /// As [`Self::CONST`].
        CONST_TOO = 3,
    }
}

codes! {
    /// How to combine texel and fragment colour. Source: [texture
    /// functions](crate::reference::ge::sampling#texture-functions).
    TextureFunction: 3 bits {
        /// Product.
        MODULATE = 0,
        /// Blend by texel alpha.
        DECAL = 1,
        /// Blend towards TEXENVCOLOR.
        BLEND = 2,
        /// Texel only.
        REPLACE = 3,
        /// Sum.
        ADD = 4,
        /// As [`Self::ADD`].
        ADD5 = 5,
        /// As [`Self::ADD`].
        ADD6 = 6,
        /// As [`Self::ADD`].
        ADD7 = 7,
    }
}

register! {
    /// A texture address's low bits.
    TextureAddress {
        /// Address bits 0–23; the lowest four are ignored.
        address: Hex = 0..=23,
    }
}

impl TextureAddress {
    /// Returns the address for a mip level's first texel. Levels are 0 to 7.
    #[must_use]
    pub fn of_level(registers: &Registers, level: u8) -> Address {
        let low: Self = registers.view(Opcode::TEXADDR0.plus(level));
        let row: TextureBufferWidth = registers.view(Opcode::TEXBUFWIDTH0.plus(level));
        Address::new((row.high.0 << 24) | (low.address.0 & 0xFF_FFF0))
    }
}

register! {
    /// A texture's row length and upper address bits.
    TextureBufferWidth {
        /// Texels from one row to the next.
        width: u16 = 0..=15,
        /// Address bits 24–27.
        high: Hex = 16..=19,
    }
}

register! {
    /// A texture's size.
    TextureSize {
        /// Logarithm of the width.
        width_log2: u8 = 0..=3,
        /// Logarithm of the height.
        height_log2: u8 = 8..=11,
    }
}

register! {
    /// How to generate texture coordinates.
    TextureMap = TEXMAPMODE {
        /// Where coordinates come from.
        mode: MapMode = 0..=1,
        /// The vector to multiply by the texture matrix.
        source: MapSource = 8..=9,
    }
}

register! {
    /// The lights for the environment map.
    TextureShade = TEXSHADELS {
        /// Light for s.
        s_light: u8 = 0..=1,
        /// Light for t.
        t_light: u8 = 8..=9,
    }
}

register! {
    /// Texture layout.
    TextureMode = TEXMODE {
        /// Texels are stored in blocks of 16 bytes by 8 rows.
        swizzled: bool = 0..=0,
        /// Each level has its own palette.
        palette_per_level: bool = 8..=8,
        /// Highest mip level.
        max_level: u8 = 16..=18,
    }
}

register! {
    /// Texel format.
    TextureFormat = TEXFORMAT {
        /// How texels are stored.
        format: TexelFormat = 0..=3,
    }
}

register! {
    /// Palette load.
    #[doc(hidden)]
    LoadClut = LOADCLUT {
        /// How many 32-byte blocks to load.
        blocks: u8 = 0..=5,
    }
}

register! {
    /// The palette address's low bits.
    ClutAddress = CLUTADDR {
        /// Address bits 0–23; the lowest four are ignored.
        address: Hex = 0..=23,
    }
}

register! {
    /// The palette address's upper bits.
    ClutAddressUpper = CLUTADDRUPPER {
        /// Address bits 24–27.
        high: Hex = 16..=19,
    }
}

register! {
    /// Palette format, and how to turn a texel into a palette index.
    ClutFormat = CLUTFORMAT {
        /// How colours are stored.
        format: PixelFormat = 0..=1,
        /// How far to shift the raw index right.
        shift: u8 = 2..=6,
        /// Mask to apply after the shift.
        mask: Hex = 8..=15,
        /// First entry to use, in units of 16.
        start: u8 = 16..=20,
    }
}

register! {
    /// Texture filters.
    TextureFilter = TEXFILTER {
        /// Minification.
        minification: MinificationFilter = 0..=2,
        /// Bilinear magnification.
        magnify_linear: bool = 8..=8,
    }
}

register! {
    /// Whether to wrap or clamp texture coordinates.
    TextureWrap = TEXWRAP {
        /// Clamp s instead of wrapping.
        clamp_s: bool = 0..=0,
        /// Clamp t instead of wrapping.
        clamp_t: bool = 8..=8,
    }
}

register! {
    /// How to choose the mip level.
    TextureLevel = TEXLEVEL {
        /// How the level is chosen.
        mode: LevelMode = 0..=1,
        /// Added to the level, in 1/16.
        bias: i8 = 16..=23,
    }
}

register! {
    /// Texture function.
    TextureFunc = TEXFUNC {
        /// How to combine texel and fragment colour.
        function: TextureFunction = 0..=2,
        /// Texel alpha is used.
        use_alpha: bool = 8..=8,
        /// The colour result is doubled.
        double: bool = 16..=16,
    }
}
