//! Paints the wyvern's textures. The engine draws models unlit, so light and ambient occlusion are painted in: each
//! texel is shaded for its point on the surface.

use super::anatomy::{self, EYE, PANELS};
use crate::modelling::image::Image;
use crate::modelling::maths::{Vec3, byte, cells, cos, hash, mix, noise, rgb, sin, smooth, vec3};
use crate::modelling::mesh::TextureArea;
use crate::modelling::surface::normal;

/// The skin texture's width and height.
pub(crate) const BODY_SIZE: (u16, u16) = (256, 128);
pub(crate) const BODY: TextureArea = TextureArea { left: 0, top: 0, width: 256, height: 88 };
pub(crate) const LEG: TextureArea = TextureArea { left: 0, top: 88, width: 88, height: 40 };
pub(crate) const ARM: TextureArea = TextureArea { left: 88, top: 88, width: 84, height: 20 };
pub(crate) const HORN: TextureArea = TextureArea { left: 88, top: 108, width: 84, height: 20 };
pub(crate) const EMBER: TextureArea = TextureArea { left: 172, top: 88, width: 40, height: 40 };
pub(crate) const CLAW: TextureArea = TextureArea { left: 212, top: 88, width: 44, height: 40 };

/// Returns the light on a surface with normal `out`: sky above, a warm sun from the upper front, little from below.
fn light(out: Vec3, shade: f64) -> Vec3 {
    let sky = 0.5 + 0.5 * out.y;
    let sun = out.dot(vec3(0.35, 0.72, 0.60).unit()).max(0.0);
    let ambient = mix(vec3(0.50, 0.43, 0.44), vec3(0.66, 0.72, 0.84), sky);
    (ambient + vec3(0.66, 0.58, 0.44) * sun) * shade
}

fn texel(color: Vec3, alpha: f64) -> [u8; 4] {
    [byte(color.x), byte(color.y), byte(color.z), byte(alpha)]
}

/// Paints the skin: body, legs, arms, horns, claws, and the ember's fire.
pub(crate) fn skin() -> Image {
    let (body, leg, arm, horn) = (anatomy::body(), anatomy::leg(), anatomy::arm(), anatomy::horn());
    Image::new(BODY_SIZE.0, BODY_SIZE.1, |x, y| {
        let color = if let Some((s, t)) = BODY.surface_coordinate(x, y) {
            let (at, out) = (body.point(s, t), normal(&|s, t| body.point(s, t), s, t));
            body_color(s, t, at).tint(light(out, body_shade(s, at)))
        } else if let Some((s, t)) = LEG.surface_coordinate(x, y) {
            let (at, out) = (leg.point(s, t), normal(&|s, t| leg.point(s, t), s, t));
            let shade = smooth(0.0, 0.14, s) * 0.5 + 0.5 - 0.25 * smooth(8.0, 0.0, at.y);
            leg_color(s, t, out).tint(light(out, shade))
        } else if let Some((s, t)) = ARM.surface_coordinate(x, y) {
            let out = normal(&|s, t| arm.point(s, t), s, t);
            let scales = scale_pattern(s * 22.0, t * 7.0, 31);
            let color = mix(rgb(36, 110, 122), rgb(150, 62, 46), smooth(0.35, 1.0, s)) * scales;
            color.tint(light(out, 0.95))
        } else if let Some((s, t)) = HORN.surface_coordinate(x, y) {
            let out = normal(&|s, t| horn.point(s, t), s, t);
            let rings = 0.86 + 0.14 * smooth(-0.6, 0.4, sin(s * 9.0 - 0.1 * cos(t)));
            let color = mix(rgb(128, 84, 62), rgb(255, 236, 190), smooth(0.05, 0.85, s)) * rings;
            color.tint(light(out, 1.0))
        } else if let Some((s, t)) = EMBER.surface_coordinate(x, y) {
            let flame = noise(t * 6.0, s * 4.0, 77);
            mix(rgb(255, 168, 40), rgb(255, 250, 214), smooth(0.15, 0.75, flame * 0.5 + s * 0.5))
        } else {
            let (s, _) = CLAW.surface_coordinate(x, y).unwrap_or_default();
            mix(rgb(70, 48, 44), rgb(236, 214, 172), smooth(0.0, 0.8, s))
        };
        texel(color, 1.0)
    })
}

/// Paints overlapping scales: darker at their borders, with some variation.
fn scale_pattern(x: f64, y: f64, seed: u32) -> f64 {
    let (inside, own) = cells(x, y, seed);
    (0.74 + 0.26 * smooth(0.0, 0.22, inside)) * (0.90 + 0.18 * own)
}

fn body_color(s: f64, t: f64, at: Vec3) -> Vec3 {
    let height = cos(t - 0.5);
    let wobble = 0.18 * (noise(s * 60.0, t * 12.0, 3) - 0.5);
    let head = smooth(12.6 / 18.0, 13.4 / 18.0, s);
    let scales = scale_pattern(s * 84.0, t * 26.0, 11);
    // The colour goes from back to flank to belly.
    let back = smooth(0.15, 0.75, height + wobble);
    let flank = mix(rgb(44, 150, 148), rgb(20, 74, 104), back) * scales;
    let plates = 0.80 + 0.20 * smooth(-0.9, -0.2, sin(s * 46.0));
    let belly = mix(rgb(246, 222, 160), rgb(226, 176, 112), 1.0 - plates) * plates;
    let border = -0.42 + 0.22 * head;
    let mut color = mix(flank, belly, smooth(border + 0.07, border - 0.07, height + wobble * 0.6));
    // Dark bands lie over the back, widest on top, not on the head.
    let band = sin(s * 17.0 + 0.06 * noise(s * 30.0, t * 8.0, 5) + 0.10 * height);
    let banded = smooth(0.35, 0.62, band) * smooth(0.05, 0.45, height) * (1.0 - head);
    color = mix(color, rgb(12, 40, 66) * scales, 0.75 * banded);
    // Lights along the flank have a dark rim.
    let step = (s * 34.0).floor();
    let along = (s * 34.0 - step - 0.5) * 210.0 / 34.0;
    let size = 1.2 + 0.9 * smooth(0.2, 0.5, s) - 0.6 * head;
    let across = (t - 0.5).abs() - 0.275;
    let distance = (along * along + (across * 62.0) * (across * 62.0)).sqrt();
    let spotted = if head > 0.0 { 0.0 } else { 1.0 };
    color = mix(color, rgb(16, 52, 70), spotted * 0.8 * smooth(size + 1.3, size + 0.2, distance));
    color = mix(color, rgb(255, 186, 66), spotted * smooth(size, size - 0.7, distance));
    // The tail's tip is dark, like wrought iron.
    color = mix(color, rgb(58, 44, 48), smooth(1.6 / 18.0, 0.4 / 18.0, s));
    if head > 0.0 { head_color(color, at, height) } else { color }
}

/// Paints the face: a mask around the eyes, a warm snout, mouth and nostrils.
fn head_color(skin: Vec3, at: Vec3, height: f64) -> Vec3 {
    let left = vec3(at.x.abs(), at.y, at.z);
    let snout = smooth(62.0, 80.0, at.z) * smooth(-0.5, 0.3, height);
    let mut color = mix(skin, rgb(70, 168, 150), 0.55 * snout);
    let around_eye = (left - EYE).length();
    color = mix(color, rgb(14, 46, 64), 0.85 * smooth(9.5, 6.5, around_eye));
    // The mouth is a line that rises towards the back and ends under the eye.
    let line = 76.4 + 0.6 * sin(at.z * 0.055) + 2.2 * smooth(66.0, 56.0, at.z);
    let mouth = smooth(0.95, 0.35, (at.y - line).abs()) * smooth(54.5, 57.0, at.z);
    color = mix(color, rgb(34, 14, 26), 0.92 * mouth);
    let lip = smooth(0.4, 1.4, line - at.y) * smooth(3.6, 1.4, line - at.y) * smooth(54.5, 58.0, at.z);
    color = mix(color, rgb(255, 232, 178), 0.5 * lip);
    let nostril = (left - vec3(2.9, 82.0, 78.4)).length();
    mix(color, rgb(24, 16, 30), 0.9 * smooth(1.9, 1.0, nostril))
}

/// Returns the ambient light at a point on the body, darkened by neighbouring parts.
fn body_shade(s: f64, at: Vec3) -> f64 {
    let left = vec3(at.x.abs(), at.y, at.z);
    let near = |point: Vec3, reach: f64, dark: f64| {
        1.0 - dark * smooth(reach, reach * 0.35, (left - point).length())
    };
    // It is darker under the wing's root, around the thigh, and under the jaw.
    let wing = near(vec3(14.0, 52.0, 12.0), 12.0, 0.45);
    let thigh = near(vec3(13.0, 29.0, -8.0), 15.0, 0.40);
    let jaw = near(vec3(0.0, 70.0, 50.0), 14.0, 0.35);
    let below = 1.0 - 0.22 * smooth(36.0, 22.0, at.y) * smooth(5.0 / 18.0, 6.5 / 18.0, s);
    wing * thigh * jaw * below
}

fn leg_color(s: f64, t: f64, out: Vec3) -> Vec3 {
    let scales = scale_pattern(s * 22.0, t * 12.0, 23);
    let inner = smooth(0.1, -0.6, out.x) * 0.7;
    let color = mix(rgb(40, 138, 142), rgb(214, 176, 122), inner);
    let color = mix(color, rgb(16, 58, 84), smooth(0.45, 0.85, s) * (1.0 - inner));
    let band = smooth(0.4, 0.7, sin(s * 4.2 + 0.1)) * smooth(0.0, 0.6, out.x);
    mix(color, rgb(12, 40, 66), 0.7 * band) * scales
}

/// Paints the wing's membrane: ribs, veins and a glowing edge, transparent beyond the scallops between ribs.
pub(crate) fn membrane() -> Image {
    Image::new(128, 128, |x, y| {
        let (s, t) = (f64::from(x) / 127.0, f64::from(y) / 127.0);
        let panel = s * f64::from(PANELS);
        let part = panel - panel.floor();
        let arc = 4.0 * part * (1.0 - part);
        // Each panel's edge curves inwards and is frayed a little, least at the body.
        let depth = if panel >= 3.0 { 0.10 } else { 0.17 };
        let edge = 1.0 - depth * arc.sqrt() * arc.sqrt() - 0.025 * noise(s * 40.0, 0.0, 9) * arc;
        let hole = tear(s, t);
        let inside = t <= edge && !hole;
        let rib = f64::min(part, 1.0 - part) * (0.35 + 0.65 * t);
        let ribs = smooth(0.060, 0.015, rib);
        let veins = noise(s * 26.0 + 2.0 * noise(s * 5.0, t * 5.0, 2), t * 7.0, 8);
        let vein = smooth(0.10, 0.0, (veins - 0.5).abs()) * 0.35;
        let base = mix(rgb(112, 26, 40), rgb(238, 106, 40), smooth(0.05, 0.80, t + 0.10 * (veins - 0.5)));
        let glow = smooth(0.16, 0.02, edge - t);
        let mut color = mix(base, rgb(255, 196, 84), 0.75 * glow);
        color = mix(color, rgb(84, 18, 36), vein * (1.0 - glow));
        color = mix(color, rgb(70, 20, 36), 0.85 * ribs * (1.0 - 0.5 * t));
        // Sunlight falls on the bulges between ribs, shade under the arm.
        let lit = (0.78 + 0.30 * arc * smooth(0.0, 0.5, t)) * (0.55 + 0.45 * smooth(0.0, 0.18, t));
        texel(color * lit, if inside { 1.0 } else { 0.0 })
    })
}

/// Returns whether a small old tear is at this point.
fn tear(s: f64, t: f64) -> bool {
    [(0.36, 0.70, 0.014, 0.055), (0.62, 0.78, 0.012, 0.040)].into_iter().any(|(x, y, wide, high)| {
        let (right, down) = ((s - x + 0.25 * (t - y)) / wide, (t - y) / high);
        right * right + down * down < 1.0
    })
}

/// Paints an eye from the front: amber iris, slit pupil, dark rim, two reflections.
pub(crate) fn eye() -> Image {
    Image::new(32, 32, |x, y| {
        let (right, down) = (f64::from(x) - 15.5, f64::from(y) - 15.5);
        let distance = (right * right + down * down).sqrt();
        let rays = 0.85 + 0.30 * hash(i32::from(x), i32::from(y), 4) * smooth(3.0, 9.0, distance);
        let iris =
            mix(rgb(255, 226, 92), rgb(232, 108, 20), smooth(3.0, 11.0, distance + 0.25 * down)) * rays;
        let pupil = (right / 2.7) * (right / 2.7) + (down / 9.0) * (down / 9.0);
        let mut color = mix(iris, rgb(18, 8, 14), smooth(1.25, 0.8, pupil));
        color = mix(color, rgb(20, 14, 22), smooth(10.5, 12.6, distance));
        // This is the lid's shadow.
        color = color * (0.55 + 0.45 * smooth(-11.0, -3.0, down));
        let spark = |x: f64, y: f64, size: f64| {
            let (right, down) = (right - x, down - y);
            smooth(size, size * 0.5, (right * right + down * down).sqrt())
        };
        color = mix(color, rgb(255, 255, 248), spark(-4.0, -4.5, 3.6).max(0.7 * spark(4.0, 5.0, 2.0)));
        texel(color, 1.0)
    })
}

/// Returns the texture coordinate for a point on the eyeball, projected from the front, to put the reflections on the
/// same side in both eyes.
pub(crate) fn eye_texcoord(s: f64, t: f64) -> [f64; 2] {
    let out = 0.47 * (1.0 - s) / 0.6;
    [0.5 + out * sin(t - 0.5), 0.5 - out * cos(t - 0.5)]
}

/// Paints the lantern's glass: an iron frame and cap, and warm translucent panes.
pub(crate) fn glass() -> Image {
    Image::new(32, 32, |x, y| {
        let (across, down) = (f64::from(x) / 32.0, (f64::from(y) + 0.5) / 32.0);
        let bar = across * 5.0 - (across * 5.0).floor();
        let frame = f64::min(bar, 1.0 - bar) < 0.09 || !(0.16..0.86).contains(&down);
        if frame {
            let shine = 0.5 + 0.5 * smooth(0.9, 0.1, down);
            return texel(mix(rgb(40, 28, 32), rgb(126, 92, 66), shine * 0.5), 1.0);
        }
        let pane = mix(rgb(255, 206, 84), rgb(255, 140, 24), smooth(0.2, 0.8, down));
        let reflection = smooth(0.16, 0.05, (bar - 0.32).abs()) * smooth(0.60, 0.25, down);
        texel(mix(pane, rgb(255, 252, 232), reflection), 0.55 + 0.40 * reflection)
    })
}
