//! How a file stores a texture, so that another picture can be written in its place.
//!
//! [`super::ModelTexture`] tells how the Graphics Engine reads a texture from memory. A reader often copies these
//! bytes from the file, but it may also reorder, widen or unpack them. These types tell where the bytes came from
//! and how they were stored there, to write changed texels back.
//!
//! # Invariants
//! Reading the file as these types say gives the texels and colours in memory.

#[cfg(feature = "formats")]
mod color;

use crate::ge::registers::texture::{PixelFormat, TexelFormat};

/// How a file stores a texture and its palettes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextureStorage {
    /// Whether this texture is in a companion of the input, such as a separate texture file.
    pub is_companion: bool,
    /// How to read a texel.
    pub texels: TexelStorage,
    /// The levels, largest first; at least one. The texture itself is the first.
    pub levels: Vec<LevelStorage>,
    /// The palettes by number. `None` if a palette's colours are not in this file.
    pub palettes: Vec<Option<PaletteStorage>>,
}

/// A place in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StoredOffset {
    /// Where the packed part starts in the file, if the bytes are packed.
    pub packed: Option<u64>,
    /// Offset in the file, or in this part's unpacked bytes.
    pub offset: u64,
}

/// Where a level is, and how its rows are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelStorage {
    /// Where the texels start.
    pub at: StoredOffset,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Bytes from a row to the next, or from a row of blocks in compressed formats.
    pub row_bytes: u32,
    /// Whether texels are stored in blocks of 16 bytes by 8 rows.
    pub swizzled: bool,
}

/// How to read a stored texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexelStorage {
    /// An index into the palette: some bits of a number.
    Index {
        /// How wide this number is: 4, 8, 16 or 32 bits. If two share a byte, the left texel is in the low bits.
        bits: u32,
        /// How far to shift it right.
        shift: u32,
        /// A mask to apply after this shift. Its bits start at the lowest.
        mask: u32,
        /// Whether the highest byte comes first.
        is_big: bool,
    },
    /// A colour.
    Color(ColorStorage),
    /// A part of a compressed block, in the order of the Graphics Engine.
    Block(TexelFormat),
}

/// How a colour is stored: as bits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColorStorage {
    /// How many bytes this number has.
    pub bytes: u32,
    /// Whether its highest byte comes first.
    pub is_big: bool,
    /// Red, green, blue and alpha: the lowest bit, and how many bits. Without bits, alpha is 255. Grey formats have
    /// three equal channels.
    pub channels: [(u32, u32); 4],
    /// How to read alpha.
    pub alpha: AlphaStorage,
}

/// How to read the stored alpha.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlphaStorage {
    /// The largest number is opaque.
    Plain,
    /// 0x80 is opaque, as on the PS2.
    Halved,
    /// All colours are opaque, whatever is stored.
    Ignored,
    /// The colour 0 is transparent and all others are opaque, as on the PlayStation.
    ZeroColor,
}

/// Where a palette is, and how to read its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PaletteStorage {
    /// Where the first colour is.
    pub at: StoredOffset,
    /// How many colours the file has. There is no room for more.
    pub colors: u32,
    /// How a colour is stored.
    pub color: ColorStorage,
    /// Whether colours 8 to 15 and 16 to 23 in every 32 are exchanged, as on the PS2.
    pub is_permuted: bool,
}

impl StoredOffset {
    /// Returns a place in bytes that are not packed.
    #[must_use]
    pub const fn plain(offset: u64) -> Self {
        Self { packed: None, offset }
    }

    /// Returns the place `bytes` further.
    #[must_use]
    pub const fn plus(self, bytes: u64) -> Self {
        Self { offset: self.offset.saturating_add(bytes), ..self }
    }
}

impl TextureStorage {
    /// Returns how the Graphics Engine's own formats store texels. `is_big` tells whether numbers have their bytes
    /// reversed. Indices are whole numbers.
    #[must_use]
    pub fn texels(format: TexelFormat, is_big: bool) -> TexelStorage {
        let index = |bits| TexelStorage::Index { bits, shift: 0, mask: u32::MAX, is_big };
        let color = |format| TexelStorage::Color(ColorStorage { is_big, ..ColorStorage::of(format) });
        match format {
            TexelFormat::BGR5650 => color(PixelFormat::BGR5650),
            TexelFormat::ABGR5551 => color(PixelFormat::ABGR5551),
            TexelFormat::ABGR4444 => color(PixelFormat::ABGR4444),
            TexelFormat::ABGR8888 => color(PixelFormat::ABGR8888),
            TexelFormat::CLUT4 => index(4),
            TexelFormat::CLUT8 => index(8),
            TexelFormat::CLUT16 => index(16),
            TexelFormat::CLUT32 => index(32),
            _ => TexelStorage::Block(format),
        }
    }
}

impl PaletteStorage {
    /// Lists consecutive palettes with `size` colours each and `colors` colours together.
    pub fn each(
        at: StoredOffset,
        colors: u32,
        size: u16,
        color: ColorStorage,
        is_permuted: bool,
    ) -> impl Iterator<Item = Self> {
        (0..colors).step_by(usize::from(size.max(1))).map(move |first| Self {
            at: at.plus(u64::from(first).saturating_mul(color.bytes.into())),
            colors: (colors - first).min(size.into()),
            color,
            is_permuted,
        })
    }
}

impl ColorStorage {
    /// Returns how the Graphics Engine stores a colour in this format.
    #[must_use]
    pub fn of(format: PixelFormat) -> Self {
        let (bytes, channels) = match format {
            PixelFormat::BGR5650 => (2, [(0, 5), (5, 6), (11, 5), (0, 0)]),
            PixelFormat::ABGR5551 => (2, [(0, 5), (5, 5), (10, 5), (15, 1)]),
            PixelFormat::ABGR4444 => (2, [(0, 4), (4, 4), (8, 4), (12, 4)]),
            _ => (4, [(0, 8), (8, 8), (16, 8), (24, 8)]),
        };
        Self { bytes, is_big: false, channels, alpha: AlphaStorage::Plain }
    }
}
