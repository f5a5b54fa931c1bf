//! Paints textures for the plant and its garden.

use crate::formats::bbs::tim2::{Picture, write};
use crate::modelling::maths::{Vec3, byte, cells, mix, noise, rgb, smooth};

/// The leaf texture's name.
pub(super) const LEAF: &str = "leaf";
/// Alpha for an opaque colour on the PS2.
const OPAQUE: u8 = 0x80;

fn texel(color: Vec3, alpha: u8) -> [u8; 4] {
    [byte(color.x), byte(color.y), byte(color.z), alpha]
}

/// Fired clay with a painted band: 256 colours in PS2 order, with PS2 alpha.
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
    write(&[Picture::indexed([64, 32], (256, 32), true, value, color)], false)
}

/// A ribbed stem: 16 colours.
pub(super) fn stem() -> Vec<u8> {
    let value =
        |x: f64, y: f64| 0.5 + 0.3 * (1.0 - (x * 8.0 % 2.0 - 1.0).abs()) - 0.25 * noise(x * 5.0, y * 9.0, 3);
    let color = |value: f64| texel(mix(rgb(18, 60, 30), rgb(150, 205, 92), value), 255);
    write(&[Picture::indexed([16, 32], (16, 32), false, value, color)], false)
}

/// A leaf, cut out by a single alpha bit.
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
    write(&[Picture::direct(1, [32, 32], color)], false)
}

/// The flower's halo: scrolling stripes that fade outwards.
pub(super) fn halo() -> Vec<u8> {
    let color = |x: f64, y: f64| {
        let glow = smooth(1.0, 0.1, (y - 0.5).abs() * 2.0);
        let stripe = 0.6 + 0.4 * (1.0 - (x * 8.0 % 2.0 - 1.0).abs());
        texel(mix(rgb(255, 140, 40), rgb(255, 240, 170), glow), byte(glow * stripe * 0.8))
    };
    write(&[Picture::direct(3, [32, 32], color)], false)
}

/// The jar: cells without alpha.
pub(super) fn glass() -> Vec<u8> {
    let color = |x: f64, y: f64| {
        let (border, _) = cells(x * 6.0, y * 6.0, 5);
        texel(mix(rgb(255, 255, 255), rgb(120, 170, 220), smooth(0.0, 0.35, border)), 255)
    };
    write(&[Picture::direct(2, [16, 16], color)], false)
}

/// Light to take from the ground below the plant, with PS2 alpha.
pub(super) fn shadow() -> Vec<u8> {
    let color = |x: f64, y: f64| {
        let far = ((x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5)).sqrt() * 2.0;
        texel(rgb(200, 200, 180), byte(smooth(1.0, 0.2, far) * f64::from(OPAQUE) / 255.0))
    };
    write(&[Picture::direct(3, [16, 16], color)], false)
}

/// The garden's paving: 256 colours with 16 bits.
pub(super) fn paving() -> Vec<u8> {
    let value = |x: f64, y: f64| {
        let (border, own) = cells(x * 5.0, y * 5.0, 11);
        smooth(0.02, 0.16, border) * (0.4 + 0.45 * own) + 0.1 * noise(x * 24.0, y * 24.0, 2)
    };
    let color = |value: f64| texel(mix(rgb(44, 52, 40), rgb(196, 188, 168), value), 255);
    write(&[Picture::indexed([64, 64], (256, 16), true, value, color)], false)
}

/// The sky: a ramp from 16 colours with 24 bits.
pub(super) fn sky() -> Vec<u8> {
    let value = |x: f64, y: f64| y + 0.25 * (noise(x * 12.0, y * 8.0, 9) - 0.5);
    let color = |value: f64| texel(mix(rgb(60, 110, 190), rgb(230, 236, 240), value), 255);
    write(&[Picture::indexed([32, 32], (16, 24), false, value, color)], false)
}

/// A picture for each type, and oddities for readers to cope with: wrong sizes, mip levels, two palettes.
pub(super) fn swatches() -> Vec<u8> {
    let color = |x: f64, y: f64| texel(mix(rgb(230, 60, 40), rgb(40, 90, 230), x), byte(y));
    let ramp = |value: f64| texel(mix(rgb(20, 20, 20), rgb(250, 240, 120), value), 255);
    let value = |x: f64, y: f64| (x + y) / 2.0;
    let mut misstated = Picture::indexed([32, 16], (256, 32), true, value, ramp);
    misstated.wrong_sizes = true;
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
        misstated,
        levels,
        two,
    ];
    write(&pictures, true)
}
