//! Reads PNG files, and makes smaller levels for mipmaps.

use image::{Rgba, RgbaImage};

use super::error::TextureError;

/// How many bytes decoding a picture may take, far more than the largest needs.
#[cfg(feature = "pictures")]
const DECODER_BYTES_MAX: u64 = 64 << 20;

/// Decodes a PNG file, but refuses pictures larger than a texture may be before decoding them. Pictures with 16 bits
/// per channel are rounded to 8 bits.
#[cfg(feature = "pictures")]
pub(super) fn decode(bytes: &[u8]) -> Result<RgbaImage, TextureError> {
    use image::codecs::png::PngDecoder;
    use image::{DynamicImage, ImageDecoder, Limits};

    use crate::pipeline::texture::MAX_SIZE;

    let not_png = |error: image::ImageError| TextureError::NotPng(error.to_string());
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(DECODER_BYTES_MAX);
    let decoder = PngDecoder::with_limits(std::io::Cursor::new(bytes), limits).map_err(not_png)?;
    let (width, height) = decoder.dimensions();
    if width > MAX_SIZE || height > MAX_SIZE {
        return Err(TextureError::TooLarge { width, height, limit: MAX_SIZE });
    }
    Ok(DynamicImage::from_decoder(decoder).map_err(not_png)?.into_rgba8())
}

/// Refuses pictures, because this build has no reader for them.
#[cfg(not(feature = "pictures"))]
pub(super) const fn decode(_: &[u8]) -> Result<RgbaImage, TextureError> {
    Err(TextureError::NoReader)
}

/// Extends a picture to powers of two by transparent pixels at the right and at the bottom. Without `pad`, refuses
/// pictures that need this.
pub(super) fn fit(picture: RgbaImage, pad: bool) -> Result<RgbaImage, TextureError> {
    let (width, height) = picture.dimensions();
    let (wide, high) = (width.next_power_of_two(), height.next_power_of_two());
    if (wide, high) == (width, height) {
        return Ok(picture);
    }
    if !pad {
        return Err(TextureError::NotPowerOfTwo { width, height });
    }
    Ok(RgbaImage::from_fn(wide, high, |x, y| {
        picture.get_pixel_checked(x, y).copied().unwrap_or(Rgba([0; 4]))
    }))
}

/// Returns the picture and `count` smaller pictures, each with half the width and height of the level before.
pub(super) fn levels(picture: RgbaImage, count: u8) -> Result<Vec<RgbaImage>, TextureError> {
    let (width, height) = picture.dimensions();
    let most = width.max(height).ilog2().min(u32::from(crate::pipeline::texture::MAX_LEVEL));
    let [most, ..] = most.to_le_bytes();
    if count > most {
        return Err(TextureError::TooManyLevels { width, height, given: count, most });
    }
    let mut levels = vec![picture];
    for _ in 0..count {
        if let Some(last) = levels.last() {
            let [width, height] = [last.width(), last.height()].map(|side| (side / 2).max(1));
            levels.push(half(last, width, height));
        }
    }
    Ok(levels)
}

/// Averages squares of four pixels to a picture of half the size, which the caller rounds to `small_width` by
/// `small_height`. A pixel counts by its alpha, so that transparent pixels do not show their colour.
pub fn half(picture: &RgbaImage, small_width: u32, small_height: u32) -> RgbaImage {
    let (width, height) = picture.dimensions();
    RgbaImage::from_fn(small_width, small_height, |x, y| {
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(right, down)| {
            let x = x.saturating_mul(2).saturating_add(right).min(width.saturating_sub(1));
            let y = y.saturating_mul(2).saturating_add(down).min(height.saturating_sub(1));
            picture.get_pixel_checked(x, y).copied().unwrap_or(Rgba([0; 4])).0
        });
        Rgba(average(corners))
    })
}

/// Averages four pixels, rounding to the nearest number. If all are transparent, their colours count equally.
fn average(pixels: [[u8; 4]; 4]) -> [u8; 4] {
    let alpha: u32 = pixels.iter().map(|[.., alpha]| u32::from(*alpha)).sum();
    let channel = |channel: fn(&[u8; 4]) -> u8| {
        let weighted: u32 =
            pixels.iter().map(|pixel| u32::from(channel(pixel)).saturating_mul(u32::from(pixel[3]))).sum();
        let plain: u32 = pixels.iter().map(|pixel| u32::from(channel(pixel))).sum();
        let mean = weighted.saturating_add(alpha / 2).checked_div(alpha);
        let [mean, ..] = mean.unwrap_or(plain.saturating_add(2) / 4).to_le_bytes();
        mean
    };
    let [mean_alpha, ..] = (alpha.saturating_add(2) / 4).to_le_bytes();
    [channel(|pixel| pixel[0]), channel(|pixel| pixel[1]), channel(|pixel| pixel[2]), mean_alpha]
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn transparent_pixels_do_not_color_smaller_levels() {
        let clear = [0, 255, 0, 0];
        assert_eq!(average([[200, 0, 0, 255], clear, clear, clear]), [200, 0, 0, 64], "red only");
        assert_eq!(
            average([[1, 0, 0, 255], [2, 0, 0, 255], [2, 0, 0, 255], [2, 0, 0, 255]]),
            [2, 0, 0, 255],
            "7/4"
        );
        assert_eq!(average([clear; 4]), clear, "the colour of a transparent picture stays");
    }

    #[test]
    fn levels_halve_down_to_one_texel() {
        let picture = RgbaImage::from_pixel(8, 2, Rgba([1, 2, 3, 4]));
        let sizes: Vec<(u32, u32)> =
            levels(picture.clone(), 3).expect("three").iter().map(RgbaImage::dimensions).collect();
        assert_eq!(sizes, [(8, 2), (4, 1), (2, 1), (1, 1)], "sides do not become 0");
        let error = TextureError::TooManyLevels { width: 8, height: 2, given: 4, most: 3 };
        assert_eq!(levels(picture, 4), Err(error), "nothing is smaller than one texel");
    }

    #[test]
    #[cfg(feature = "pictures")]
    fn hostile_pictures_are_refused() {
        assert!(matches!(decode(b"GIF89a"), Err(TextureError::NotPng(_))), "another format");
        // A header with 2^31 - 1 pixels in each direction.
        let mut bytes =
            b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x06\0\0\0".to_vec();
        bytes.extend(crc32fast::hash(&bytes[12..]).to_be_bytes());
        bytes.extend(b"\0\0\0\0IDAT");
        bytes.extend(crc32fast::hash(b"IDAT").to_be_bytes());
        let error = decode(&bytes).expect_err("far too large");
        assert!(
            matches!(error, TextureError::TooLarge { width: 0x7FFF_FFFF, .. } | TextureError::NotPng(_)),
            "{error}"
        );
    }
}
