//! Paints the rover's textures, and writes its WEAR table and materials.
//!
//! Source: [WEAR tables](pspge::reference::formats::parkan#wear-tables), [MAT0
//! materials](pspge::reference::formats::parkan#mat0-materials).

use crate::bytes::{put_f32, put_u16, put_u32};
use crate::formats::parkan::texm::{self, Texture};
use crate::modelling::image::Image;
use crate::modelling::maths::{Vec3, byte, hash, mix, noise, rgb, smooth, vec3};

/// The WEAR table's materials in order, with their textures.
const MATERIALS: [(&str, &str); 6] = [
    ("R_HULL", "R_HULL.0"),
    ("R_WHEEL", "R_WHEEL.0"),
    ("R_TURRET", "R_TURRET.0"),
    ("R_GUN", "R_GUN.0"),
    ("R_DOME", "R_DOME.0"),
    ("R_LAMP", ""),
];

/// Encodes the WEAR table. Its last material does not exist, to be replaced by the default material.
pub(crate) fn wear() -> Vec<u8> {
    let mut text = format!("{}\r\n", MATERIALS.len() + 1);
    let names = MATERIALS.iter().map(|(name, _)| *name).chain(["R_WRECK"]);
    for (number, name) in names.enumerate() {
        text.push_str(&format!("{number} {}\r\n", name.to_ascii_lowercase()));
    }
    text.push_str("\r\nLIGHTMAPS\r\n1\r\n0 R_SHADOW\r\n");
    text.into_bytes()
}

/// Encodes the materials, version 4, by name.
pub(crate) fn materials() -> Vec<(&'static str, Vec<u8>)> {
    let mut out: Vec<_> = MATERIALS.iter().map(|(name, texture)| (*name, material(name, texture))).collect();
    out.push(("DEFAULT", material("DEFAULT", "DEFAULT.0")));
    out
}

fn material(name: &str, texture: &str) -> Vec<u8> {
    // The lamp glows in two phases; the dome is transparent.
    let phases: &[[u8; 8]] = match name {
        "R_DOME" => &[[255, 255, 255, 200, 0, 0, 0, 0]],
        "R_LAMP" => &[[255, 220, 120, 255, 120, 90, 20, 0], [90, 60, 20, 255, 20, 10, 0, 0]],
        _ => &[[255, 255, 255, 255, 0, 0, 0, 0]],
    };
    let mut data = Vec::new();
    put_u16(&mut data, phases.len());
    put_u16(&mut data, usize::from(phases.len() > 1));
    data.extend([255, 255]);
    put_f32(&mut data, 1.0);
    put_u32(&mut data, 0);
    for [red, green, blue, alpha, glow @ ..] in phases {
        // Ambient, diffuse, specular, emissive; two bytes with unknown use.
        data.extend([*red, *green, *blue, 100, *red, *green, *blue, *alpha, 0, 0, 0, 0]);
        data.extend(glow);
        data.extend([0, 0]);
        let mut name = texture.as_bytes().to_vec();
        name.resize(16, 0);
        data.extend(name);
    }
    if phases.len() > 1 {
        // Ping-pong, all colours interpolated; three keys.
        put_u32(&mut data, 1 | 0xF << 3);
        put_u16(&mut data, 2);
        for number in [0, 0, 0, 8, 1, 0] {
            put_u16(&mut data, number);
        }
    }
    data
}

/// Encodes the textures by name, in all formats.
pub(crate) fn textures() -> Vec<(&'static str, Vec<u8>)> {
    let texture = |image: Image, format: u32, levels: usize, pages: &[[u16; 4]]| {
        texm::write(&Texture { image, format, levels, pages: pages.to_vec() })
    };
    vec![
        ("R_HULL.0", texture(hull(), 0, 4, &[])),
        ("R_WHEEL.0", texture(wheel(), 565, 3, &[])),
        ("R_TURRET.0", texture(plates(rgb(104, 122, 92), 5), 888, 1, &[[0, 16, 0, 32], [16, 16, 0, 32]])),
        ("R_GUN.0", texture(plates(rgb(96, 100, 108), 9), 556, 1, &[])),
        ("R_DOME.0", texture(glass(), 4444, 1, &[])),
        ("R_FLARE.0", texture(flare(), 8888, 1, &[])),
        ("DEFAULT.0", texture(soot(), 88, 2, &[])),
    ]
}

fn texel(color: Vec3, alpha: f64) -> [u8; 4] {
    [byte(color.x), byte(color.y), byte(color.z), byte(alpha)]
}

/// Painted plates with seams, rivets and a stripe.
fn hull() -> Image {
    Image::new(64, 64, |x, y| {
        let paint =
            mix(rgb(150, 92, 44), rgb(182, 122, 62), noise(f64::from(x) / 9.0, f64::from(y) / 9.0, 3));
        let striped = (24..32).contains(&y);
        let paint = if striped { rgb(226, 218, 190) } else { paint };
        let seam = x % 32 == 0 || y % 32 == 0;
        let rivet = matches!((x % 32, y % 32), (4 | 28, 4 | 28));
        let grain = 0.94 + 0.06 * hash(x.into(), y.into(), 7);
        texel(
            paint
                * grain
                * if seam {
                    0.45
                } else if rivet {
                    1.3
                } else {
                    1.0
                },
            1.0,
        )
    })
}

/// Tread at the rim, spokes towards the middle.
fn wheel() -> Image {
    Image::new(32, 32, |x, y| {
        let rubber = rgb(46, 44, 46) * (0.85 + 0.3 * hash(x.into(), y.into(), 11));
        let spoke = x % 8 < 3 && !(8..24).contains(&y);
        let tread = (x + y / 2) % 4 < 2;
        let color = if spoke {
            rgb(150, 150, 156)
        } else if tread {
            rubber
        } else {
            rubber * 0.6
        };
        texel(color, 1.0)
    })
}

fn plates(paint: Vec3, seed: u32) -> Image {
    Image::new(32, 32, |x, y| {
        let worn = noise(f64::from(x) / 5.0, f64::from(y) / 5.0, seed);
        let seam = x % 16 == 0 || y % 8 == 0;
        texel(paint * (0.8 + 0.35 * worn) * if seam { 0.5 } else { 1.0 }, 1.0)
    })
}

/// Blue glass: nearly clear, with bars.
fn glass() -> Image {
    Image::new(16, 16, |x, y| {
        let bar = x % 8 == 0 || y == 4;
        if bar { texel(rgb(70, 80, 96), 1.0) } else { texel(rgb(140, 200, 240), 0.4) }
    })
}

/// A spot of light, not used by any material.
fn flare() -> Image {
    Image::new(16, 16, |x, y| {
        let along = |at: u16| (f64::from(at) - 7.5) / 8.0;
        let far = vec3(along(x), along(y), 0.0).length();
        texel(mix(rgb(255, 250, 220), rgb(255, 140, 40), far), smooth(1.0, 0.1, far))
    })
}

/// Grey soot for objects without a material.
fn soot() -> Image {
    Image::new(32, 32, |x, y| {
        let burnt = noise(f64::from(x) / 6.0, f64::from(y) / 6.0, 21);
        texel(vec3(1.0, 1.0, 1.0) * (0.18 + 0.4 * burnt * hash(x.into(), y.into(), 5)), 1.0)
    })
}

/// Blue at the bottom, yellow at the top.
pub(crate) fn height_color(height: f64) -> [u8; 4] {
    texel(mix(rgb(60, 80, 200), rgb(250, 230, 90), smooth(0.0, 1.6, height)), 1.0)
}
