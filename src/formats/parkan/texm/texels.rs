//! Converts a Texm texture's texels to formats that the Graphics Engine reads. Source:
//! [Texm textures](crate::reference::formats::parkan#texm-textures).

use crate::ge::registers::texture::TexelFormat;
use crate::model::storage::{AlphaStorage, ColorStorage, TexelStorage, TextureStorage};
use crate::model::texture::LARGEST;

/// How a Texm file stores texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Storage {
    /// An 8-bit palette index.
    Indexed,
    /// An 8-bit index into a palette stored elsewhere: formats 1 and 2 from the first Parkan.
    Bare,
    /// From the highest bit: 5 bits red, 6 green, 5 blue.
    Rgb565,
    /// From the highest bit: 5 bits red, 5 green, 6 blue.
    Rgb556,
    /// From the highest bit: 4 bits each of alpha, red, green, blue.
    Argb4444,
    /// Bytes: alpha, luminance.
    Luminance,
    /// Bytes: red, green, blue, unused.
    Rgb888,
    /// Bytes: alpha, red, green, blue.
    Argb8888,
}

/// A mip level in a GE texel format, row by row.
#[derive(Clone, Debug)]
pub(super) struct LevelImage {
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) format: TexelFormat,
    bytes: Vec<u8>,
}

impl Storage {
    /// Finds a format by its number in the header.
    pub(super) const fn of(number: u32) -> Option<Self> {
        Some(match number {
            0 => Self::Indexed,
            1 | 2 => Self::Bare,
            565 => Self::Rgb565,
            556 => Self::Rgb556,
            4444 => Self::Argb4444,
            88 => Self::Luminance,
            888 => Self::Rgb888,
            8888 => Self::Argb8888,
            _ => return None,
        })
    }

    /// Returns a texel's size in bytes.
    pub(super) const fn bytes(self) -> u64 {
        match self {
            Self::Indexed | Self::Bare => 1,
            Self::Rgb565 | Self::Rgb556 | Self::Argb4444 | Self::Luminance => 2,
            Self::Rgb888 | Self::Argb8888 => 4,
        }
    }

    /// Returns whether the texels themselves have an alpha channel.
    pub(super) const fn has_alpha(self) -> bool {
        matches!(self, Self::Argb4444 | Self::Luminance | Self::Argb8888)
    }

    /// Tells how the file stores a texel, to write other texels there.
    pub(super) fn stored(self, is_direct3d: bool) -> TexelStorage {
        let channels = match self {
            Self::Indexed | Self::Bare => return TextureStorage::texels(TexelFormat::CLUT8, false),
            Self::Rgb565 => [(11, 5), (5, 6), (0, 5), (0, 0)],
            Self::Rgb556 => [(11, 5), (6, 5), (0, 6), (0, 0)],
            Self::Argb4444 => [(8, 4), (4, 4), (0, 4), (12, 4)],
            Self::Luminance => [(8, 8), (8, 8), (8, 8), (0, 8)],
            Self::Rgb888 => [(0, 8), (8, 8), (16, 8), (0, 0)],
            Self::Argb8888 if is_direct3d => [(16, 8), (8, 8), (0, 8), (24, 8)],
            Self::Argb8888 => [(8, 8), (16, 8), (24, 8), (0, 8)],
        };
        let bytes = u32::try_from(self.bytes()).unwrap_or(4);
        TexelStorage::Color(ColorStorage { bytes, is_big: false, channels, alpha: AlphaStorage::Plain })
    }

    /// Decodes a texel's red, green, blue and alpha.
    fn color(self, texel: &[u8], palette: &[u8], is_direct3d: bool) -> [u8; 4] {
        let byte = |number: usize| texel.get(number).copied().unwrap_or(0);
        if let TexelStorage::Color(color) = self.stored(is_direct3d) {
            return color.decode(u32::from_le_bytes([0, 1, 2, 3].map(byte)));
        }
        let start = usize::from(byte(0)).saturating_mul(4);
        let color = palette.get(start..start.saturating_add(4));
        color.and_then(|color| color.try_into().ok()).unwrap_or_default()
    }
}

/// Converts a level to the nearest lossless GE format.
pub(super) fn convert(
    storage: Storage,
    bytes: &[u8],
    [width, height]: [u32; 2],
    is_direct3d: bool,
) -> LevelImage {
    let words = |swap: fn(u16) -> u16| {
        let (pairs, _) = bytes.as_chunks::<2>();
        pairs.iter().flat_map(|pair| swap(u16::from_le_bytes(*pair)).to_le_bytes()).collect()
    };
    let (format, bytes) = match storage {
        Storage::Indexed | Storage::Bare => (TexelFormat::CLUT8, bytes.to_vec()),
        // The GE stores red in the low bits.
        Storage::Rgb565 => (TexelFormat::BGR5650, words(|texel| texel >> 11 | texel & 0x07E0 | texel << 11)),
        Storage::Argb4444 => (
            TexelFormat::ABGR4444,
            words(|texel| texel & 0xF0F0 | texel >> 8 & 0x000F | (texel & 0x000F) << 8),
        ),
        _ => {
            let size = usize::try_from(storage.bytes()).unwrap_or(4);
            let colors = bytes.chunks_exact(size).flat_map(|texel| storage.color(texel, &[], is_direct3d));
            (TexelFormat::ABGR8888, colors.collect())
        }
    };
    // Callers have checked the sizes.
    let side = |side: u32| u16::try_from(side).unwrap_or(LARGEST);
    LevelImage { width: side(width), height: side(height), format, bytes }
}

/// Scales a level down by a power of two until the GE can sample it. Each texel becomes the average over a square of
/// texels.
pub(super) fn downscale(
    storage: Storage,
    bytes: &[u8],
    [width, height]: [u32; 2],
    palette: &[u8],
    is_direct3d: bool,
) -> LevelImage {
    let shift = (0..u32::BITS)
        .find(|&shift| width.max(height).wrapping_shr(shift) <= LARGEST.into())
        .unwrap_or_default();
    let size = usize::try_from(storage.bytes()).unwrap_or(4);
    let row = (width as usize).saturating_mul(size);
    let side = |side: u32| u16::try_from(side.wrapping_shr(shift)).unwrap_or(LARGEST).max(1);
    let (small_width, small_height) = (side(width), side(height));
    let step = 1_usize.wrapping_shl(shift);
    let mut out = Vec::new();
    for y in (0..usize::from(small_height)).map(|y| y.saturating_mul(step)) {
        for x in (0..usize::from(small_width)).map(|x| x.saturating_mul(step)) {
            let mut sums = [0_u64; 4];
            let mut count = 0_u64;
            for line in bytes.chunks_exact(row.max(1)).skip(y).take(step) {
                for texel in line.chunks_exact(size).skip(x).take(step) {
                    let color = storage.color(texel, palette, is_direct3d);
                    for (sum, channel) in sums.iter_mut().zip(color) {
                        *sum = sum.saturating_add(channel.into());
                    }
                    count = count.saturating_add(1);
                }
            }
            let average = |sum: u64| {
                // Adding half the count rounds the average to nearest.
                let rounded = sum.saturating_add(count >> 1).checked_div(count).unwrap_or(0);
                u8::try_from(rounded).unwrap_or(u8::MAX)
            };
            out.extend(sums.map(average));
        }
    }
    LevelImage { width: small_width, height: small_height, format: TexelFormat::ABGR8888, bytes: out }
}

impl LevelImage {
    /// Pads rows to 16 bytes and the height to a power of two, because the GE needs both. Returns the buffer width
    /// in texels, and the texels.
    pub(super) fn padded(&self) -> (u16, Vec<u8>) {
        let size: u16 = match self.format {
            TexelFormat::CLUT8 => 1,
            TexelFormat::ABGR8888 => 4,
            _ => 2,
        };
        let per_block = 16_u16.checked_div(size).unwrap_or(16);
        let buffer_width = self.width.checked_next_multiple_of(per_block).unwrap_or(self.width);
        let row = usize::from(self.width).saturating_mul(size.into());
        let padded = usize::from(buffer_width).saturating_mul(size.into());
        let rows = usize::from(self.height).checked_next_power_of_two().unwrap_or(0);
        let mut out = Vec::with_capacity(padded.saturating_mul(rows));
        for line in self.bytes.chunks_exact(row.max(1)) {
            out.extend_from_slice(line);
            out.resize(out.len().next_multiple_of(padded.max(1)), 0);
        }
        out.resize(padded.saturating_mul(rows), 0);
        (buffer_width, out)
    }
}
