//! Compresses textures in the Graphics Engine's block layout, which orders a block's parts in its own way.
//!
//! Source: [compressed formats](crate::reference::ge::textures#compressed-formats).

use image::{Rgba, RgbaImage};
use texpresso::{Algorithm, COLOUR_WEIGHTS_UNIFORM, Format, Params};

use crate::ge::registers::texture::TexelFormat;
use crate::pipeline::texture::dxt::{BLOCK, Block};

use super::texels::{ROW_BYTES, StoredLevel};

/// A block's pixels, row by row.
pub(crate) type Pixels = [[u8; 4]; 16];

/// The channels to try inverted, as bits in a block colour and in a pixel: none, red, green and blue.
const CHANNELS: [(u16, [u8; 3]); 4] =
    [(0, [0, 0, 0]), (0xF800, [255, 0, 0]), (0x07E0, [0, 255, 0]), (0x001F, [0, 0, 255])];

/// The search for a better result ends if a block's sum of squared errors is at most this, which is 4 in every
/// channel.
const GOOD_ERROR: u32 = 16 * 3 * 4 * 4;

/// Compresses a picture to a texture level.
pub(super) fn compress(picture: &RgbaImage, format: TexelFormat) -> StoredLevel {
    let (width, height) = picture.dimensions();
    let block_bytes = format.block_bytes();
    let (columns, rows) = (width.div_ceil(BLOCK), height.div_ceil(BLOCK));
    let row_bytes = columns.saturating_mul(block_bytes).next_multiple_of(ROW_BYTES);
    let mut bytes = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let (pixels, mask) = pixels_of(picture, column, row);
            bytes.extend(compress_block(pixels, mask, format));
        }
        bytes.resize(bytes.len().next_multiple_of(row_bytes as usize), 0);
    }
    let buffer_width = row_bytes.checked_div(block_bytes).unwrap_or(0).saturating_mul(BLOCK);
    StoredLevel { width, height, buffer_width, bytes }
}

/// Returns a block's pixels, and a mask with a bit for each pixel inside the picture.
pub fn pixels_of(picture: &RgbaImage, column: u32, row: u32) -> (Pixels, u32) {
    let mut pixels = Pixels::default();
    let mut mask = 0;
    for (index, pixel) in (0_u32..).zip(&mut pixels) {
        let x = column.saturating_mul(BLOCK).saturating_add(index % BLOCK);
        let y = row.saturating_mul(BLOCK).saturating_add(index / BLOCK);
        if let Some(Rgba(inside)) = picture.get_pixel_checked(x, y) {
            *pixel = *inside;
            mask |= 1 << index;
        }
    }
    (pixels, mask)
}

/// Compresses a block to the Graphics Engine's order: indices, colours, alpha. `mask` has a bit for each pixel to
/// consider.
///
/// The library finds a line through a block's colours by iterations that start at grey. This fails if the colours
/// differ at right angles to grey, such as red and blue. Therefore this function also tries each channel inverted,
/// until the result is good.
pub fn compress_block(pixels: Pixels, mask: u32, format: TexelFormat) -> Vec<u8> {
    let codec = match format {
        TexelFormat::DXT1 => Format::Bc1,
        TexelFormat::DXT3 => Format::Bc2,
        _ => Format::Bc3,
    };
    let params = Params {
        algorithm: Algorithm::ClusterFit,
        weights: COLOUR_WEIGHTS_UNIFORM,
        weigh_colour_by_alpha: false,
    };
    let has_alpha = format != TexelFormat::DXT1;
    let mut best: Option<(u32, Vec<u8>)> = None;
    for (channel, inverted) in CHANNELS {
        let turned = pixels.map(|[red, green, blue, alpha]| {
            let [red_mask, green_mask, blue_mask] = inverted;
            [red ^ red_mask, green ^ green_mask, blue ^ blue_mask, alpha]
        });
        let mut compressed = [0; 16];
        codec.compress_block_masked(turned, mask, params, &mut compressed);
        let [low, high] = [0, 8].map(|start| compressed.get(start..).and_then(<[u8]>::first_chunk::<8>));
        let (alpha, colors) = if has_alpha { (low, high) } else { (None, low) };
        // Inverting the same channel again undoes the change to the pixels.
        let colors = ColorBlock::parse(colors.copied().unwrap_or_default()).inverted(channel);
        let colors = if has_alpha { colors.with_four_colors() } else { colors }.bytes();
        let error = error(&pixels, mask, colors, has_alpha);
        if best.as_ref().is_none_or(|(least, _)| error < *least) {
            let mut bytes = colors.to_vec();
            bytes.extend(alpha.map(|alpha| stored_alpha(*alpha, format)).unwrap_or_default());
            best = Some((error, bytes));
        }
        if error <= GOOD_ERROR {
            break;
        }
    }
    best.map(|(_, bytes)| bytes).unwrap_or_default()
}

/// Returns a block's alpha in the Graphics Engine's order.
fn stored_alpha(alpha: [u8; 8], format: TexelFormat) -> Vec<u8> {
    match alpha {
        // For interpolated alpha, the two values come after the indices.
        [first, second, indices @ ..] if format == TexelFormat::DXT5 => {
            indices.into_iter().chain([first, second]).collect()
        }
        explicit => explicit.to_vec(),
    }
}

/// Returns the sum of squared errors over a block's visible pixels, to compare results.
fn error(pixels: &Pixels, mask: u32, colors: [u8; 8], has_alpha: bool) -> u32 {
    let decoder = Block::dxt1(colors);
    let mut sum = 0_u32;
    for (index, pixel) in (0_u32..).zip(pixels) {
        let [.., alpha] = *pixel;
        if mask >> index & 1 == 0 || (!has_alpha && alpha < 128) {
            continue;
        }
        let decoded = decoder.texel(index % BLOCK, index / BLOCK);
        let squares = decoded.iter().zip(pixel).take(3).map(|(a, b)| u32::from(a.abs_diff(*b)).pow(2));
        sum = sum.saturating_add(squares.sum());
    }
    sum
}

/// A block's two colours and the pixels' indices.
#[derive(Clone, Copy, Debug)]
struct ColorBlock {
    first: u16,
    second: u16,
    /// Two bits for each pixel.
    indices: u32,
}

/// Masks the low bit in each index.
const LOW_BITS: u32 = 0x5555_5555;

impl ColorBlock {
    /// Reads a block in the order used on other machines.
    const fn parse([a0, a1, b0, b1, i0, i1, i2, i3]: [u8; 8]) -> Self {
        Self {
            first: u16::from_le_bytes([a0, a1]),
            second: u16::from_le_bytes([b0, b1]),
            indices: u32::from_le_bytes([i0, i1, i2, i3]),
        }
    }

    /// Inverts a channel, given by its bits. The order of both colours decides how many colours the block has, so
    /// this exchanges them if the inversion would change their order.
    const fn inverted(self, channel: u16) -> Self {
        let (first, second) = (self.first ^ channel, self.second ^ channel);
        if (first > second) == (self.first > self.second) {
            return Self { first, second, ..self };
        }
        let indices = if self.first > self.second {
            // This exchanges 0 with 1, and 2 with 3.
            self.indices ^ LOW_BITS
        } else {
            // This exchanges only 0 with 1, because 2 is the mean and 3 is transparent.
            self.indices ^ (!(self.indices >> 1) & LOW_BITS)
        };
        Self { first: second, second: first, indices }
    }

    /// Orders a block's colours to make it have four, for formats with alpha. On other machines such blocks always
    /// have four, but here the first must be the larger for this.
    const fn with_four_colors(self) -> Self {
        if self.first > self.second {
            self
        } else if self.first < self.second {
            Self { first: self.second, second: self.first, indices: self.indices ^ LOW_BITS }
        } else {
            Self { indices: 0, ..self }
        }
    }

    /// Returns this block in the Graphics Engine's order.
    const fn bytes(self) -> [u8; 8] {
        let [i0, i1, i2, i3] = self.indices.to_le_bytes();
        let ([a0, a1], [b0, b1]) = (self.first.to_le_bytes(), self.second.to_le_bytes());
        [i0, i1, i2, i3, a0, a1, b0, b1]
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::pipeline::texture::dxt::{dxt1, dxt3, dxt5};

    const FORMATS: [TexelFormat; 3] = [TexelFormat::DXT1, TexelFormat::DXT3, TexelFormat::DXT5];

    fn texel(format: TexelFormat, level: &StoredLevel, x: u32, y: u32) -> [u8; 4] {
        let block_bytes = format.block_bytes();
        let row_bytes = level.buffer_width / BLOCK * block_bytes;
        let start = (y / BLOCK * row_bytes + x / BLOCK * block_bytes) as usize;
        let block = &level.bytes[start..];
        match format {
            TexelFormat::DXT1 => dxt1(block[..8].try_into().expect("8 bytes"), x % 4, y % 4),
            TexelFormat::DXT3 => dxt3(block[..16].try_into().expect("16 bytes"), x % 4, y % 4),
            _ => dxt5(block[..16].try_into().expect("16 bytes"), x % 4, y % 4),
        }
    }

    fn check(picture: &RgbaImage, tolerance: u8, alphas: bool) {
        for format in FORMATS {
            let level = compress(picture, format);
            assert_eq!(level.bytes.len() % 16, 0, "{format}: whole rows");
            for (x, y, Rgba(pixel)) in picture.enumerate_pixels() {
                let decoded = texel(format, &level, x, y);
                let channels = if alphas { 4 } else { 3 };
                let far = decoded.iter().zip(pixel).take(channels).map(|(a, b)| a.abs_diff(*b)).max();
                assert!(far.unwrap_or(0) <= tolerance, "{format} at {x}, {y}: {decoded:?}, not {pixel:?}");
            }
        }
    }

    #[test]
    fn two_colors_survive() {
        let colors = [[248, 0, 0], [0, 0, 248], [0, 248, 0], [248, 248, 0], [0, 248, 248], [8, 8, 8]];
        for (first, second) in colors.iter().flat_map(|first| colors.map(|second| (*first, second))) {
            let picture = RgbaImage::from_fn(4, 4, |x, y| {
                let [red, green, blue] = if (x + y) % 2 == 0 { first } else { second };
                Rgba([red, green, blue, 255])
            });
            check(&picture, 15, true);
        }
    }

    #[test]
    fn one_color_blocks_have_no_black_texels() {
        for value in [0, 64, 128, 200, 248] {
            check(&RgbaImage::from_pixel(4, 4, Rgba([value, value, value, 255])), 15, true);
        }
    }

    #[test]
    fn gradients_survive() {
        let [step, base] = [6, 30];
        check(
            &RgbaImage::from_fn(16, 16, |x, y| {
                let shade = |value: u32| u8::try_from(base + step * value).expect("small");
                Rgba([shade(x), shade(x), shade(y), 255])
            }),
            24,
            true,
        );
    }

    #[test]
    fn alpha_survives_as_the_format_allows() {
        let picture = RgbaImage::from_fn(8, 4, |x, _| Rgba([248, 248, 248, if x < 4 { 0 } else { 255 }]));
        for format in FORMATS {
            let level = compress(&picture, format);
            assert_eq!(texel(format, &level, 0, 0)[3], 0, "{format}: transparent");
            assert!(texel(format, &level, 4, 0)[3] >= 240, "{format}: opaque");
        }
        let ramp = RgbaImage::from_fn(4, 4, |x, _| Rgba([8, 8, 8, u8::try_from(x * 80).expect("small")]));
        let level = compress(&ramp, TexelFormat::DXT5);
        for x in 0..4 {
            let alpha = texel(TexelFormat::DXT5, &level, x, 1)[3];
            assert!(u32::from(alpha).abs_diff(x * 80) <= 20, "alpha {alpha} at {x}");
        }
    }

    #[test]
    fn small_levels_fill_one_block() {
        let level = compress(&RgbaImage::from_pixel(1, 2, Rgba([80, 80, 80, 255])), TexelFormat::DXT1);
        assert_eq!((level.bytes.len(), level.buffer_width), (16, 8), "rows of at least 16 bytes");
        assert!(texel(TexelFormat::DXT1, &level, 0, 1)[0].abs_diff(80) <= 8, "the colour");
    }
}
