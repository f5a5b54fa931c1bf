//! Loads, decodes, dithers, combines, encodes and stores packed framebuffer pixels in lanes.

use fearless_simd::{i16x16, u8x32};

use super::target::pixel_bytes;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::color;
use crate::ge::registers::pixel::LogicOperation;
use crate::ge::registers::texture::PixelFormat;
use crate::raster::fast::batch::{Batch, LANES};
use crate::raster::fast::lanes::{ColorLanes, U16Lanes};
use crate::raster::rules::logic;

/// The lower 16 bits of packed pixels, then the upper 16 for 32-bit formats.
pub(super) type PackedPixels<S> = [U16Lanes<S>; 2];

/// Puts the same bits into every lane.
#[inline(always)]
pub(crate) fn splat<S: Simd>(simd: S, bits: u32) -> PackedPixels<S> {
    let [a, b, c, d] = bits.to_le_bytes();
    [U16Lanes::splat(simd, u16::from_le_bytes([a, b])), U16Lanes::splat(simd, u16::from_le_bytes([c, d]))]
}

#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, batch: &Batch, group: usize, format: PixelFormat) -> PackedPixels<S> {
    if format == PixelFormat::ABGR8888 {
        let (groups, _) = batch.packed.as_chunks::<{ 4 * LANES }>();
        let (halves, _) = groups[group].as_chunks::<{ 2 * LANES }>();
        let (first, second) = (lanes_from_bytes(simd, &halves[0]), lanes_from_bytes(simd, &halves[1]));
        [first.unzip_low(second), first.unzip_high(second)]
    } else {
        let (groups, _) = batch.packed.as_chunks::<{ 2 * LANES }>();
        [lanes_from_bytes(simd, &groups[group]), U16Lanes::splat(simd, 0)]
    }
}

#[inline(always)]
pub(crate) fn store<S: Simd>(packed: PackedPixels<S>, batch: &mut Batch, group: usize, format: PixelFormat) {
    let bytes = LANES * pixel_bytes(format);
    store_pixels(packed, &mut batch.packed[group * bytes..][..bytes], format);
}

/// Stores packed pixels with 2 or 4 bytes each.
#[inline(always)]
pub(crate) fn store_pixels<S: Simd>([low, high]: PackedPixels<S>, out: &mut [u8], format: PixelFormat) {
    let (halves, _) = out.as_chunks_mut::<{ 2 * LANES }>();
    if format == PixelFormat::ABGR8888 {
        to_little_endian(low.zip_low(high)).to_bytes().store_array(&mut halves[0]);
        to_little_endian(low.zip_high(high)).to_bytes().store_array(&mut halves[1]);
    } else {
        to_little_endian(low).to_bytes().store_array(&mut halves[0]);
    }
}

#[inline(always)]
fn lanes_from_bytes<S: Simd>(simd: S, bytes: &[u8; 2 * LANES]) -> U16Lanes<S> {
    to_little_endian(u8x32::simd_from(simd, *bytes).bitcast())
}

/// Swaps the bytes in each lane on big-endian hosts.
#[inline(always)]
fn to_little_endian<S: Simd>(words: U16Lanes<S>) -> U16Lanes<S> {
    if cfg!(target_endian = "little") { words } else { words << 8_u32 | words >> 8_u32 }
}

/// Decodes packed pixels to red, green, blue and stencil
/// ([`ColorSurface::decode`](crate::pipeline::framebuffer::ColorSurface::decode)).
#[inline(always)]
pub(crate) fn decode<S: Simd>(simd: S, [low, high]: PackedPixels<S>, format: PixelFormat) -> ColorLanes<S> {
    // Repeating the upper bits below spreads short channels over 0 to 255, so that all bits set give 255.
    let five = |bits: U16Lanes<S>| {
        let bits = bits & 31_u16;
        bits << 3_u32 | bits >> 2_u32
    };
    let four = |bits: U16Lanes<S>| (bits & 15_u16) * 17_u16;
    match format {
        PixelFormat::BGR5650 => {
            let green = (low >> 5_u32) & 63_u16;
            let green = green << 2_u32 | green >> 4_u32;
            [five(low), green, five(low >> 11_u32), U16Lanes::splat(simd, 0)]
        }
        PixelFormat::ABGR5551 => {
            let stencil = (low >> 15_u32) * 255_u16;
            [five(low), five(low >> 5_u32), five(low >> 10_u32), stencil]
        }
        PixelFormat::ABGR4444 => [four(low), four(low >> 4_u32), four(low >> 8_u32), four(low >> 12_u32)],
        _ => [low & 255_u16, low >> 8_u32, high & 255_u16, high >> 8_u32],
    }
}

/// Adds dither offsets to red, green and blue, which are signed, and clamps the sums to bytes.
#[inline(always)]
pub(crate) fn dither_and_clamp<S: Simd>(
    simd: S,
    color: ColorLanes<S>,
    dither: Option<U16Lanes<S>>,
) -> ColorLanes<S> {
    let mut out = color;
    for color in out.iter_mut().take(3) {
        let sum = match dither {
            Some(offsets) => *color + offsets,
            None => *color,
        };
        let signed: i16x16<S> = sum.bitcast();
        *color = signed.max(i16x16::splat(simd, 0)).min(i16x16::splat(simd, 255)).bitcast();
    }
    out
}

/// Applies the logic operation to red, green and blue.
#[inline(always)]
pub(super) fn apply_logic<S: Simd>(
    color: ColorLanes<S>,
    old: ColorLanes<S>,
    operation: LogicOperation,
) -> ColorLanes<S> {
    let mut out = color;
    for channel in 0..3 {
        out[channel] = logic::combine(operation, color[channel], old[channel]) & 255_u16;
    }
    out
}

/// Packs colours into pixels.
#[inline(always)]
pub(crate) fn encode<S: Simd>(
    simd: S,
    [red, green, blue, alpha]: ColorLanes<S>,
    format: PixelFormat,
) -> PackedPixels<S> {
    let low = match format {
        PixelFormat::BGR5650 => red >> 3_u32 | (green >> 2_u32) << 5_u32 | (blue >> 3_u32) << 11_u32,
        PixelFormat::ABGR5551 => {
            let green = (green >> 3_u32) << 5_u32;
            red >> 3_u32 | green | (blue >> 3_u32) << 10_u32 | (alpha >> 7_u32) << 15_u32
        }
        PixelFormat::ABGR4444 => {
            red >> 4_u32 | (green >> 4_u32) << 4_u32 | (blue >> 4_u32) << 8_u32 | (alpha >> 4_u32) << 12_u32
        }
        _ => return [red | green << 8_u32, blue | alpha << 8_u32],
    };
    [low, U16Lanes::splat(simd, 0)]
}

/// Builds a mask for the bits that hold the stencil.
#[inline(always)]
pub(super) fn stencil_bits<S: Simd>(simd: S, format: PixelFormat) -> PackedPixels<S> {
    splat(simd, color::encode(format, [0, 0, 0, 255]))
}

/// Takes the bits in `change` from `new` and all others from `old`.
#[inline(always)]
pub(super) fn merge<S: Simd>(
    old: PackedPixels<S>,
    new: PackedPixels<S>,
    change: PackedPixels<S>,
) -> PackedPixels<S> {
    let mut out = old;
    for half in 0..2 {
        // Where `change` has a bit, the two `old` cancel out. This selects bits without a branch.
        out[half] = old[half] ^ ((old[half] ^ new[half]) & change[half]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::simd::portable;

    #[test]
    fn formats_match_reference() {
        let simd = portable();
        let formats =
            [PixelFormat::BGR5650, PixelFormat::ABGR5551, PixelFormat::ABGR4444, PixelFormat::ABGR8888];
        let mut batch = Batch::new();
        for format in formats {
            for value in 0..=255_u32 {
                let size = pixel_bytes(format);
                let words = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map(|lane: u32| {
                    let bits = value.wrapping_mul(0x0101_0101).rotate_left(lane) ^ lane << 7;
                    if size == 4 { bits } else { bits & 0xFFFF }
                });
                for (pixel, word) in batch.packed.chunks_exact_mut(size).skip(LANES).zip(words) {
                    pixel.copy_from_slice(&word.to_le_bytes()[..size]);
                }
                let packed = load(simd, &batch, 1, format);
                let colors = decode(simd, packed, format);
                let back = encode(simd, colors, format);
                for (lane, word) in words.into_iter().enumerate() {
                    let mut expected = color::decode(format, word);
                    if format == PixelFormat::BGR5650 {
                        // 5650 has no stencil.
                        expected[3] = 0;
                    }
                    let found = colors.map(|color| color[lane]);
                    assert_eq!(found, expected.map(u16::from), "{format:?} {word:#x}");
                    let found = u32::from(back[0][lane]) | u32::from(back[1][lane]) << 16;
                    assert_eq!(found, color::encode(format, expected), "{format:?}, back");
                }
                let before = batch.packed;
                store(packed, &mut batch, 1, format);
                assert_eq!(batch.packed, before, "{format:?}, stored again");
            }
        }
    }
}
