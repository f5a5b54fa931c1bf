//! Writes Parkan's textures in all their formats.
//!
//! Source: [Texm textures](pspge::reference::formats::parkan#texm-textures).

use crate::bytes::{put_u16, put_u32};
use crate::modelling::image::Image;

/// A texture: its image and its storage.
#[derive(Debug)]
pub(crate) struct Texture {
    pub(crate) image: Image,
    /// 0, 565, 556, 4444, 88, 888 or 8888.
    pub(crate) format: u32,
    /// How many mip levels to write, the first included.
    pub(crate) levels: usize,
    /// Rectangles in texels: x, width, y, height.
    pub(crate) pages: Vec<[u16; 4]>,
}

/// Encodes the file.
pub(crate) fn write(texture: &Texture) -> Vec<u8> {
    let mut file = b"Texm".to_vec();
    let image = &texture.image;
    put_u32(&mut file, image.width.into());
    put_u32(&mut file, image.height.into());
    put_u32(&mut file, texture.levels);
    file.extend([0; 12]);
    file.extend(texture.format.to_le_bytes());
    let palette = palette(image);
    if texture.format == 0 {
        let end = file.len() + 1024;
        file.extend(palette.iter().flatten());
        file.resize(end, 0);
    }
    let mut level = Image::new(image.width, image.height, |x, y| texel(image, x, y));
    for _ in 0..texture.levels {
        for color in &level.texels {
            file.extend(pack_texel(*color, texture.format, &palette));
        }
        level = half_size(&level);
    }
    if !texture.pages.is_empty() {
        file.extend(b"Page");
        put_u32(&mut file, texture.pages.len());
        for number in texture.pages.iter().flatten() {
            put_u16(&mut file, (*number).into());
        }
    }
    file
}

fn texel(image: &Image, x: u16, y: u16) -> [u8; 4] {
    image.texels[usize::from(y) * usize::from(image.width) + usize::from(x)]
}

/// Returns at most 256 colours from the image, sorted.
fn palette(image: &Image) -> Vec<[u8; 4]> {
    let mut colors = image.texels.clone();
    colors.sort_unstable();
    colors.dedup();
    let step = colors.len().div_ceil(256).max(1);
    colors.into_iter().step_by(step).collect()
}

/// Computes the next mip level from every other texel.
fn half_size(image: &Image) -> Image {
    let half = |side: u16| (side / 2).max(1);
    Image::new(half(image.width), half(image.height), |x, y| texel(image, x * 2, y * 2))
}

/// Packs a texel in the given format.
fn pack_texel([red, green, blue, alpha]: [u8; 4], format: u32, palette: &[[u8; 4]]) -> Vec<u8> {
    let word = |fields: &[(u8, u32)]| {
        let word =
            fields.iter().fold(0_u16, |word, (value, bits)| word << bits | u16::from(*value) >> (8 - bits));
        word.to_le_bytes().to_vec()
    };
    match format {
        0 => {
            let distance = |color: &[u8; 4]| -> u32 {
                let parts = color.iter().zip([red, green, blue, alpha]);
                parts.map(|(one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
            };
            let nearest = (0..palette.len()).min_by_key(|&index| distance(&palette[index]));
            vec![u8::try_from(nearest.unwrap_or_default()).unwrap_or(u8::MAX)]
        }
        565 => word(&[(red, 5), (green, 6), (blue, 5)]),
        556 => word(&[(red, 5), (green, 5), (blue, 6)]),
        4444 => word(&[(alpha, 4), (red, 4), (green, 4), (blue, 4)]),
        88 => vec![alpha, green],
        888 => vec![red, green, blue, 0],
        _ => vec![alpha, red, green, blue],
    }
}
