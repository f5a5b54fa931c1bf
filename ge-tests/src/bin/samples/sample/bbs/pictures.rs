//! The textures, as TIM2 files of every depth. Source: `formats/pmo-bbs.md` §4.

use crate::sample::maths::{Vec3, byte, cells, mix, noise, rgb, smooth};
use crate::sample::words::{pad, put_u16, put_u32};

/// The name of the leaves' texture.
pub(super) const LEAF: &str = "leaf";
/// Alpha of an opaque colour on the PS2.
const OPAQUE: u8 = 0x80;

/// A picture as the file has it.
struct Picture {
    image_type: u8,
    size: [u16; 2],
    pixels: Vec<u8>,
    clut_type: u8,
    colors: usize,
    clut: Vec<u8>,
    mipmaps: u8,
    /// The size fields hold nonsense.
    lies: bool,
}

impl Picture {
    /// A picture of colours with 16, 24 or 32 bits (types 1 to 3).
    fn direct(image_type: u8, size: [u16; 2], texel: impl Fn(f64, f64) -> [u8; 4]) -> Self {
        let mut pixels = Vec::new();
        for (x, y) in places(size) {
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
        Self { image_type, size, pixels, clut_type: 0, colors: 0, clut: Vec::new(), mipmaps: 1, lies: false }
    }

    /// A picture whose texels are numbers from 0 to 1 on a palette of so many colours of so many bits.
    fn indexed(
        size: [u16; 2],
        (colors, bits): (usize, u8),
        permuted: bool,
        value: impl Fn(f64, f64) -> f64,
        color: impl Fn(f64) -> [u8; 4],
    ) -> Self {
        let is_small = colors == 16;
        let steps = if is_small { 15.0 } else { 255.0 };
        let indices: Vec<u8> =
            places(size).map(|(x, y)| byte(value(x, y).clamp(0.0, 1.0) * steps / 255.0)).collect();
        let pixels =
            if is_small { indices.chunks(2).map(|pair| pair[0] | pair[1] << 4).collect() } else { indices };
        let entry = |number: usize| {
            // Bits 3 and 4 of the number change places.
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
        Self { image_type, size, pixels, clut_type, colors, clut, mipmaps: 1, lies: false }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let sizes = [0x30 + self.pixels.len() + self.clut.len(), self.clut.len(), self.pixels.len()];
        for (size, lie) in sizes.into_iter().zip([0xFFFF_FFFD, 0, 0x10]) {
            put_u32(&mut out, if self.lies { lie } else { size });
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

/// Centres of texels, row by row, from 0 to 1.
fn places([width, height]: [u16; 2]) -> impl Iterator<Item = (f64, f64)> {
    let part = |i: u16, size: u16| (f64::from(i) + 0.5) / f64::from(size);
    (0..height).flat_map(move |y| (0..width).map(move |x| (part(x, width), part(y, height))))
}

fn file(pictures: &[Picture], aligned: bool) -> Vec<u8> {
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

fn texel(color: Vec3, alpha: u8) -> [u8; 4] {
    [byte(color.x), byte(color.y), byte(color.z), alpha]
}

/// Burnt clay with a painted band: 256 colours in the order of the PS2, alpha of the PS2.
pub(super) fn pot() -> Vec<u8> {
    let value = |x: f64, y: f64| {
        let band = smooth(0.04, 0.0, (y - 0.35).abs() - 0.08) * 0.4;
        let light = 0.5 + 0.3 * (1.0 - (x * 4.0 % 2.0 - 1.0).abs());
        light * (0.45 + 0.2 * noise(x * 16.0, y * 8.0, 7)) + band
    };
    let color = |value: f64| {
        let clay = mix(rgb(70, 28, 18), rgb(214, 122, 74), value * 1.4);
        texel(mix(clay, rgb(250, 232, 190), smooth(0.62, 0.95, value)), OPAQUE)
    };
    file(&[Picture::indexed([64, 32], (256, 32), true, value, color)], false)
}

/// A ribbed stem: 16 colours.
pub(super) fn stem() -> Vec<u8> {
    let value =
        |x: f64, y: f64| 0.5 + 0.3 * (1.0 - (x * 8.0 % 2.0 - 1.0).abs()) - 0.25 * noise(x * 5.0, y * 9.0, 3);
    let color = |value: f64| texel(mix(rgb(18, 60, 30), rgb(150, 205, 92), value), 255);
    file(&[Picture::indexed([16, 32], (16, 32), false, value, color)], false)
}

/// A leaf, cut out by one bit of alpha.
pub(super) fn leaf() -> Vec<u8> {
    let color = |x: f64, y: f64| {
        let half = (y - 0.5).abs() * 2.0;
        let edge = (1.0 - (2.0 * x - 0.8).abs().min(1.0)).sqrt() * 0.95 + 0.05;
        let inside = half < edge - 0.06 * noise(x * 14.0, y * 14.0, 4);
        let vein =
            smooth(0.10, 0.02, (half * 3.0 - x * 4.0 + 8.0) % 1.0) * 0.4 + smooth(0.12, 0.0, half) * 0.6;
        let green = mix(rgb(36, 110, 48), rgb(120, 190, 70), 1.0 - half);
        texel(mix(green, rgb(206, 232, 140), vein), if inside { 255 } else { 0 })
    };
    file(&[Picture::direct(1, [32, 32], color)], false)
}

/// Light around the flower: stripes that move, fading outwards.
pub(super) fn halo() -> Vec<u8> {
    let color = |x: f64, y: f64| {
        let glow = smooth(1.0, 0.1, (y - 0.5).abs() * 2.0);
        let stripe = 0.6 + 0.4 * (1.0 - (x * 8.0 % 2.0 - 1.0).abs());
        texel(mix(rgb(255, 140, 40), rgb(255, 240, 170), glow), byte(glow * stripe * 0.8))
    };
    file(&[Picture::direct(3, [32, 32], color)], false)
}

/// The jar: cells without alpha.
pub(super) fn glass() -> Vec<u8> {
    let color = |x: f64, y: f64| {
        let (border, _) = cells(x * 6.0, y * 6.0, 5);
        texel(mix(rgb(255, 255, 255), rgb(120, 170, 220), smooth(0.0, 0.35, border)), 255)
    };
    file(&[Picture::direct(2, [16, 16], color)], false)
}

/// What the plant takes away from the ground's light; alpha of the PS2.
pub(super) fn shadow() -> Vec<u8> {
    let color = |x: f64, y: f64| {
        let far = ((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5)).sqrt() * 2.0;
        texel(rgb(200, 200, 180), byte(smooth(1.0, 0.2, far) * f64::from(OPAQUE) / 255.0))
    };
    file(&[Picture::direct(3, [16, 16], color)], false)
}

/// Paving for the garden: 256 colours of 16 bits.
pub(super) fn paving() -> Vec<u8> {
    let value = |x: f64, y: f64| {
        let (border, own) = cells(x * 5.0, y * 5.0, 11);
        smooth(0.02, 0.16, border) * (0.4 + 0.45 * own) + 0.1 * noise(x * 24.0, y * 24.0, 2)
    };
    let color = |value: f64| texel(mix(rgb(44, 52, 40), rgb(196, 188, 168), value), 255);
    file(&[Picture::indexed([64, 64], (256, 16), true, value, color)], false)
}

/// The sky: a ramp of 16 colours of 24 bits.
pub(super) fn sky() -> Vec<u8> {
    let value = |x: f64, y: f64| y + 0.25 * (noise(x * 12.0, y * 8.0, 9) - 0.5);
    let color = |value: f64| texel(mix(rgb(60, 110, 190), rgb(230, 236, 240), value), 255);
    file(&[Picture::indexed([32, 32], (16, 24), false, value, color)], false)
}

/// One picture of each kind, and what can be odd about them.
pub(super) fn swatches() -> Vec<u8> {
    let color = |x: f64, y: f64| texel(mix(rgb(230, 60, 40), rgb(40, 90, 230), x), byte(y));
    let ramp = |value: f64| texel(mix(rgb(20, 20, 20), rgb(250, 240, 120), value), 255);
    let value = |x: f64, y: f64| (x + y) / 2.0;
    let mut liar = Picture::indexed([32, 16], (256, 32), true, value, ramp);
    liar.lies = true;
    let mut levels = Picture::indexed([16, 16], (16, 32), false, value, ramp);
    levels.mipmaps = 3;
    levels.pixels.extend([0x77; 32 + 8]);
    let mut two = Picture::indexed([16, 16], (16, 32), false, value, ramp);
    let second: Vec<u8> =
        two.clut.chunks(4).flat_map(|color| [color[2], color[0], color[1], color[3]]).collect();
    two.clut.extend(second);
    two.colors = 32;
    let pictures = [
        Picture::direct(1, [16, 16], color),
        Picture::direct(2, [16, 16], color),
        Picture::direct(3, [24, 20], color),
        Picture::indexed([16, 16], (256, 16), false, value, ramp),
        Picture::indexed([16, 16], (16, 24), false, value, ramp),
        liar,
        levels,
        two,
    ];
    file(&pictures, true)
}
