//! Makes palettes for pictures, exact or reduced, and finds the index for each colour.

use std::collections::HashMap;

use color_quant::NeuQuant;

use crate::ge::color;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};

use super::error::TextureError;

/// The unit in which LOADCLUT loads, in bytes.
const BLOCK_BYTES: usize = 32;
/// Makes the quantizer train with every pixel.
const EVERY_PIXEL: i32 = 1;
/// How many pixels the quantizer needs to train well; smaller pictures are repeated.
const TRAINING_PIXELS: usize = 1 << 16;

/// The colours in a paletted texture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::asm) struct Palette {
    /// How colours are stored.
    pub(in crate::asm) format: PixelFormat,
    /// Stored colours, each once, in the order of their first use in the picture.
    pub(in crate::asm) colors: Vec<u32>,
}

/// Returns how many colours texels in this format can select.
pub(super) const fn colors_max(format: TexelFormat) -> usize {
    if matches!(format, TexelFormat::CLUT4) { 16 } else { 256 }
}

/// Returns the colour nearest to `pixel` in this format, in its stored form.
pub(super) fn nearest_stored(format: PixelFormat, pixel: [u8; 4]) -> u32 {
    let [red, green, blue, alpha] = pixel;
    let bits = match format {
        PixelFormat::BGR5650 => [5, 6, 5, 8],
        PixelFormat::ABGR5551 => [5, 5, 5, 1],
        PixelFormat::ABGR4444 => [4, 4, 4, 4],
        _ => [8, 8, 8, 8],
    };
    let [red_bits, green_bits, blue_bits, alpha_bits] = bits;
    let rounded =
        [round(red, red_bits), round(green, green_bits), round(blue, blue_bits), round(alpha, alpha_bits)];
    color::encode(format, rounded)
}

/// Rounds a channel to the nearest code with `bits` bits, and returns the code in the upper bits.
fn round(channel: u8, bits: u32) -> u8 {
    let largest = (1_u32 << bits).saturating_sub(1);
    let code = u32::from(channel).saturating_mul(largest).saturating_add(127) / 255;
    let [upper, ..] = (code << 8_u32.saturating_sub(bits)).to_le_bytes();
    upper
}

impl Palette {
    /// Collects a picture's colours. If there are too many, reduces them if `quantize` is set; otherwise fails.
    pub(super) fn of_pixels(
        pixels: &[[u8; 4]],
        texels: TexelFormat,
        format: PixelFormat,
        quantize: bool,
    ) -> Result<Self, TextureError> {
        let limit = colors_max(texels);
        let colors = distinct(pixels.iter().map(|pixel| nearest_stored(format, *pixel)));
        if colors.len() <= limit {
            return Ok(Self { format, colors });
        }
        if !quantize {
            return Err(TextureError::TooManyColors { colors: colors.len(), limit, format: texels });
        }
        let repetitions = TRAINING_PIXELS.div_ceil(pixels.len().max(1));
        let pixels = pixels.as_flattened().repeat(repetitions);
        let network = NeuQuant::new(EVERY_PIXEL, limit, &pixels);
        let map = network.color_map_rgba();
        let (reduced, _) = map.as_chunks::<4>();
        Ok(Self { format, colors: distinct(reduced.iter().map(|pixel| nearest_stored(format, *pixel))) })
    }

    /// Counts the picture's colours missing in this palette's first `limit` colours.
    pub(super) fn missing(&self, pixels: &[[u8; 4]], limit: usize) -> usize {
        let known: HashMap<u32, ()> = self.colors.iter().take(limit).map(|color| (*color, ())).collect();
        let colors = distinct(pixels.iter().map(|pixel| nearest_stored(self.format, *pixel)));
        colors.iter().filter(|color| !known.contains_key(color)).count()
    }

    /// Returns how many 32-byte blocks LOADCLUT has to load.
    pub(in crate::asm) fn blocks(&self) -> usize {
        self.bytes().len() / BLOCK_BYTES
    }

    /// Returns this palette's bytes, filled up to whole blocks for LOADCLUT.
    pub(in crate::asm) fn bytes(&self) -> Vec<u8> {
        let size = color::bytes(self.format) as usize;
        let stored = self.colors.iter().flat_map(|color| color.to_le_bytes().into_iter().take(size));
        let mut bytes: Vec<u8> = stored.collect();
        bytes.resize(bytes.len().next_multiple_of(BLOCK_BYTES), 0);
        bytes
    }
}

/// Returns each value once, in the order of its first use.
fn distinct(values: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut seen = HashMap::new();
    values.filter(|value| seen.insert(*value, ()).is_none()).collect()
}

/// Finds colours in a palette, and remembers the results because pixels repeat.
#[derive(Debug)]
pub(super) struct Indexer<'a> {
    palette: &'a Palette,
    /// How many colours texels can select.
    limit: usize,
    /// The index for each pixel found so far.
    known: HashMap<[u8; 4], u32>,
}

impl<'a> Indexer<'a> {
    pub(super) fn new(palette: &'a Palette, texels: TexelFormat) -> Self {
        Self { palette, limit: colors_max(texels), known: HashMap::new() }
    }

    /// Returns the index for a pixel's colour, or for the nearest colour if the palette lacks it.
    pub(super) fn index(&mut self, pixel: [u8; 4]) -> u32 {
        let Self { palette, limit, known } = self;
        *known.entry(pixel).or_insert_with(|| {
            let stored = nearest_stored(palette.format, pixel);
            let colors = (0_u32..).zip(&palette.colors).take(*limit);
            let exact = colors.clone().find(|(_, color)| **color == stored);
            let nearest =
                || colors.min_by_key(|(_, color)| distance(pixel, color::decode(palette.format, **color)));
            exact.or_else(nearest).map_or(0, |(index, _)| index)
        })
    }
}

/// Returns the sum of the channels' squared differences.
fn distance(left: [u8; 4], right: [u8; 4]) -> u32 {
    let squares = left.iter().zip(right).map(|(left, right)| u32::from(left.abs_diff(right)).pow(2));
    squares.sum()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn colors_round_to_the_nearest_code() {
        for (format, pixel, expected) in [
            (PixelFormat::BGR5650, [255, 255, 255, 0], 0xFFFF),
            (PixelFormat::BGR5650, [4, 2, 5, 255], 0x0800),
            (PixelFormat::ABGR5551, [0, 0, 0, 128], 0x8000),
            (PixelFormat::ABGR5551, [0, 0, 0, 127], 0x0000),
            (PixelFormat::ABGR4444, [17, 34, 51, 255], 0xF321),
            (PixelFormat::ABGR8888, [1, 2, 3, 4], 0x0403_0201),
        ] {
            assert_eq!(nearest_stored(format, pixel), expected, "{format} {pixel:?}");
        }
    }

    #[test]
    fn every_stored_color_survives() {
        for format in [PixelFormat::BGR5650, PixelFormat::ABGR5551, PixelFormat::ABGR4444] {
            for stored in 0..=0xFFFF {
                assert_eq!(
                    nearest_stored(format, color::decode(format, stored)),
                    stored,
                    "{format} {stored:#x}"
                );
            }
        }
    }

    #[test]
    fn palettes_keep_the_order_of_first_use() {
        let pixels = [[9, 0, 0, 255], [1, 0, 0, 255], [9, 0, 0, 255]];
        let palette = Palette::of_pixels(&pixels, TexelFormat::CLUT4, PixelFormat::ABGR8888, false);
        let palette = palette.expect("two colours");
        assert_eq!(palette.colors, [0xFF00_0009, 0xFF00_0001], "each once");
        assert_eq!((palette.bytes().len(), palette.blocks()), (32, 1), "a whole block");
        let mut indexer = Indexer::new(&palette, TexelFormat::CLUT4);
        assert_eq!(
            [9, 1, 7, 2].map(|red| indexer.index([red, 0, 0, 255])),
            [0, 1, 0, 1],
            "exact and nearest"
        );
    }

    #[test]
    fn colors_are_reduced_on_request_only() {
        let pixels: Vec<[u8; 4]> = (0..=255).map(|red| [red, 255 - red, 0, 255]).collect();
        let of = |quantize| Palette::of_pixels(&pixels, TexelFormat::CLUT4, PixelFormat::ABGR8888, quantize);
        let expected = TextureError::TooManyColors { colors: 256, limit: 16, format: TexelFormat::CLUT4 };
        assert_eq!(of(false), Err(expected), "256 colours are too many for 16");
        let reduced = of(true).expect("reduced");
        assert!((9..=16).contains(&reduced.colors.len()), "{} colours", reduced.colors.len());
        assert_eq!(of(true), Ok(reduced), "the same palette every time");
    }
}
