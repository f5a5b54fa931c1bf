//! Paints pictures in the PSP SDK's format: a flickering flame, running water, stones, and a compressed glow.
//!
//! They cover features missing in public files: frames of pictures and palettes, mip levels, sequences, 16-bit
//! palettes, and several pictures in a file.

use crate::formats::gim::{Image, Picture, Sequence, palette, write};
use crate::modelling::image::{self, swizzle};
use crate::modelling::maths::{byte, cells, mix, noise, rgb, sin, smooth};

/// Returns all files by name.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![("candle.gim", write(&[flame(), water(), stones(), glow()]))]
}

/// Returns a texel's place, from 0 to 1.
fn place(x: u16, y: u16, [width, height]: [u16; 2]) -> (f64, f64) {
    ((f64::from(x) + 0.5) / f64::from(width), (f64::from(y) + 0.5) / f64::from(height))
}

/// Paints four frames with 256 colours in 4444, swizzled, with a size between powers of two. The second palette is
/// brighter.
fn flame() -> Picture {
    const SIZE: [u16; 2] = [40, 56];
    let frame = |number: u16| {
        let heat = |x: f64, y: f64| {
            let sway = 0.08 * sin(f64::from(number) / 4.0 + y * 0.6) * (1.0 - y);
            let width = 0.12 + 0.26 * y * smooth(1.0, 0.8, y);
            let inside = smooth(width, 0.0, (x - 0.5 - sway).abs());
            inside * smooth(0.02, 0.35, y) * (0.8 + 0.2 * noise(x * 6.0, y * 8.0 + f64::from(number), 3))
        };
        // Rows with 40 texels fill 48 bytes.
        let rows: Vec<u8> = (0..SIZE[1])
            .flat_map(|y| {
                (0..48).map(move |x| {
                    let (u, v) = place(x, y, SIZE);
                    if x < SIZE[0] { byte(heat(u, v)) } else { 0 }
                })
            })
            .collect();
        swizzle(&rows, 48)
    };
    let colors = |gain: f64| -> Vec<[u8; 4]> {
        let color = |entry: u8| {
            let heat = f64::from(entry) / 255.0;
            let color = mix(
                mix(rgb(150, 20, 0), rgb(255, 150, 20), heat * 2.0),
                rgb(255, 250, 200),
                heat * 2.0 - 1.0,
            );
            [byte(color.x * gain), byte(color.y * gain), byte(color.z * gain), byte(smooth(0.05, 0.4, heat))]
        };
        (0..=255).map(color).collect()
    };
    Picture {
        image: Image {
            format: 5,
            is_swizzled: true,
            size: SIZE,
            levels: 1,
            data: (0..4).map(frame).collect(),
        },
        palette: Some(palette(2, &[colors(0.9), colors(1.0)])),
        sequence: None,
    }
}

/// Paints sixteen colours in 5551 in linear rows, for a sequence to move by their width in 24 frames.
fn water() -> Picture {
    const SIZE: [u16; 2] = [64, 32];
    let height = |x: f64, y: f64| {
        let wave = 0.5 + 0.22 * sin(x * 2.0 + 0.12 * sin(y * 3.0)) + 0.2 * sin(y * 4.0 + x);
        byte(wave.clamp(0.0, 1.0) * 15.0 / 255.0)
    };
    let texel = |x: u16, y: u16| {
        let (u, v) = place(x, y, SIZE);
        height(u, v)
    };
    let rows = (0..SIZE[1]).flat_map(|y| {
        (0..SIZE[0]).step_by(2).map(move |x| texel(x, y) | texel(x + 1, y) << 4).collect::<Vec<_>>()
    });
    let color = |entry: u8| {
        let color = mix(rgb(14, 50, 90), rgb(180, 230, 240), f64::from(entry) / 15.0);
        [byte(color.x), byte(color.y), byte(color.z), 255]
    };
    Picture {
        image: Image { format: 4, is_swizzled: false, size: SIZE, levels: 1, data: vec![rows.collect()] },
        palette: Some(palette(1, &[(0..16).map(color).collect()])),
        sequence: Some(Sequence { length: 24, ramps: vec![(0x10, [0, 64]), (0x11, [0, -32])] }),
    }
}

/// Paints colours in 5650 with three mip levels, swizzled.
fn stones() -> Picture {
    let level = |number: u16| {
        let side = 32 >> number;
        let image = image::Image::new(side, side, |x, y| {
            let (u, v) = place(x, y, [side, side]);
            let (border, own) = cells(u * 4.0, v * 4.0, 9);
            let color = mix(rgb(40, 36, 34), mix(rgb(120, 110, 100), rgb(180, 172, 150), own), border * 4.0);
            [byte(color.x), byte(color.y), byte(color.z), 255]
        });
        image.to_5650().texels
    };
    Picture {
        image: Image {
            format: 0,
            is_swizzled: true,
            size: [32, 32],
            levels: 3,
            data: (0..3).map(level).collect(),
        },
        palette: None,
        sequence: None,
    }
}

/// Paints a glow from two colours with interpolated alpha (DXT5).
fn glow() -> Picture {
    const SIZE: [u16; 2] = [32, 32];
    let (warm, dark) = (0xFE8A_u16, 0x8A20_u16);
    let mut blocks = Vec::new();
    for block in 0..64_u16 {
        let (mut indices, mut alphas) = (0_u32, 0_u64);
        for texel in (0..16_u16).rev() {
            let (u, v) = place(block % 8 * 4 + texel % 4, block / 8 * 4 + texel / 4, SIZE);
            let far = ((u - 0.5) * (u - 0.5) + (v - 0.5) * (v - 0.5)).sqrt() * 2.0;
            // From the first colour to the second, the indices are 0, 2, 3, 1; for alphas, they are 0, 2 to 7, 1.
            let step = |steps: u8| byte((far.clamp(0.0, 1.0)) * f64::from(steps) / 255.0);
            indices = indices << 2 | [0, 2, 3, 1][usize::from(step(3))];
            alphas = alphas << 3 | [0, 2, 3, 4, 5, 6, 7, 1][usize::from(step(7))];
        }
        blocks.extend(indices.to_le_bytes());
        blocks.extend(warm.to_le_bytes());
        blocks.extend(dark.to_le_bytes());
        blocks.extend(&alphas.to_le_bytes()[..6]);
        blocks.extend([255, 0]);
    }
    Picture {
        image: Image { format: 10, is_swizzled: false, size: SIZE, levels: 1, data: vec![blocks] },
        palette: None,
        sequence: None,
    }
}
