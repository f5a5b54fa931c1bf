//! Writes TIM2 textures with every depth.
//!
//! Source: [TIM2 textures](pspge::reference::formats::bbs#tim2-textures).

use crate::bytes::{pad, put_u16, put_u32};
use crate::modelling::maths::byte;

/// A picture with its header's fields.
pub(crate) struct Picture {
    image_type: u8,
    size: [u16; 2],
    pub(crate) pixels: Vec<u8>,
    clut_type: u8,
    pub(crate) colors: usize,
    pub(crate) clut: Vec<u8>,
    pub(crate) mipmaps: u8,
    /// Whether to write wrong values to the size fields.
    pub(crate) wrong_sizes: bool,
}

impl Picture {
    /// Encodes a picture with 16-, 24- or 32-bit colours (types 1 to 3).
    pub(crate) fn direct(image_type: u8, size: [u16; 2], texel: impl Fn(f64, f64) -> [u8; 4]) -> Self {
        let mut pixels = Vec::new();
        for (x, y) in texel_centers(size) {
            let [red, green, blue, alpha] = texel(x, y);
            match image_type {
                1 => {
                    let [r, g, b, a] = [red >> 3, green >> 3, blue >> 3, alpha >> 7].map(usize::from);
                    put_u16(&mut pixels, r | g << 5 | b << 10 | a << 15);
                }
                2 => pixels.extend([red, green, blue]),
                _ => pixels.extend([red, green, blue, alpha]),
            }
        }
        Self {
            image_type,
            size,
            pixels,
            clut_type: 0,
            colors: 0,
            clut: Vec::new(),
            mipmaps: 1,
            wrong_sizes: false,
        }
    }

    /// Encodes an indexed picture. `value` gives texels and `color` palette entries, both on a scale from 0 to 1. The
    /// palette has this many colours with this many bits.
    pub(crate) fn indexed(
        size: [u16; 2],
        (colors, bits): (usize, u8),
        permuted: bool,
        value: impl Fn(f64, f64) -> f64,
        color: impl Fn(f64) -> [u8; 4],
    ) -> Self {
        let is_small = colors == 16;
        let steps = if is_small { 15.0 } else { 255.0 };
        let indices: Vec<u8> =
            texel_centers(size).map(|(x, y)| byte(value(x, y).clamp(0.0, 1.0) * steps / 255.0)).collect();
        let pixels =
            if is_small { indices.chunks(2).map(|pair| pair[0] | pair[1] << 4).collect() } else { indices };
        let entry = |number: usize| {
            // To permute the palette, swap bits 3 and 4 in the index.
            let from =
                if permuted { number & !0x18 | (number & 8) << 1 | (number & 0x10) >> 1 } else { number };
            color(f64::from(u16::try_from(from).unwrap_or(0)) / steps)
        };
        let mut clut = Vec::new();
        for [red, green, blue, alpha] in (0..colors).map(entry) {
            match bits {
                16 => {
                    let [r, g, b, a] = [red >> 3, green >> 3, blue >> 3, alpha >> 7].map(usize::from);
                    put_u16(&mut clut, r | g << 5 | b << 10 | a << 15);
                }
                24 => clut.extend([red, green, blue]),
                _ => clut.extend([red, green, blue, alpha]),
            }
        }
        let linear = if permuted { 0 } else { 0x80 };
        let clut_type = (bits / 8 - 1) | linear;
        let image_type = if is_small { 4 } else { 5 };
        Self { image_type, size, pixels, clut_type, colors, clut, mipmaps: 1, wrong_sizes: false }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let sizes = [0x30 + self.pixels.len() + self.clut.len(), self.clut.len(), self.pixels.len()];
        for (size, lie) in sizes.into_iter().zip([0xFFFF_FFFD, 0, 0x10]) {
            put_u32(&mut out, if self.wrong_sizes { lie } else { size });
        }
        put_u16(&mut out, 0x30);
        put_u16(&mut out, self.colors);
        out.extend([0, self.mipmaps, self.clut_type, self.image_type]);
        self.size.iter().for_each(|&side| put_u16(&mut out, side.into()));
        out.resize(0x30, 0);
        out.extend(&self.pixels);
        out.extend(&self.clut);
        out
    }
}

/// Computes all texels' centres from 0 to 1, row by row.
fn texel_centers([width, height]: [u16; 2]) -> impl Iterator<Item = (f64, f64)> {
    let part = |i: u16, size: u16| (f64::from(i) + 0.5) / f64::from(size);
    (0..height).flat_map(move |y| (0..width).map(move |x| (part(x, width), part(y, height))))
}

pub(crate) fn write(pictures: &[Picture], aligned: bool) -> Vec<u8> {
    let mut out = b"TIM2\x04".to_vec();
    out.push(aligned.into());
    put_u16(&mut out, pictures.len());
    out.resize(16, 0);
    for picture in pictures {
        pad(&mut out, if aligned { 128 } else { 16 });
        out.extend(picture.bytes());
    }
    out
}
