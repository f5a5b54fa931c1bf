//! Builds a small wyvern with a lantern at its tail, in Monster Hunter's formats: groups, meshes and materials.

pub(crate) mod anatomy;
pub(crate) mod animations;
pub(crate) mod textures;

use crate::formats::pmo::{Material, Mesh};
use crate::modelling::maths::{Vec3, vec3};
use crate::modelling::mesh::{Group, RenderState, Sheet, TextureArea, Weights, rows_between, spike};
use crate::modelling::surface::{Tube, steps};
use anatomy::{EYE, FINGERS, LANTERN, PANELS, TORSO, bone};
use textures::{ARM, BODY, BODY_SIZE, CLAW, EMBER, HORN, LEG, eye_texcoord};

const SKIN: u8 = 0;
const MEMBRANE: u8 = 1;
const IRIS: u8 = 2;
const GLASS: u8 = 3;
const GLOW: u8 = 4;

/// Builds the materials, by number.
pub(crate) fn materials() -> [Material; 5] {
    let plain = |texture: i32| Material { diffuse: [255; 4], ambient: [96, 96, 112, 255], texture };
    let glow = Material { diffuse: [255, 250, 235, 255], ambient: [255; 4], texture: 0 };
    [plain(0), plain(1), plain(3), plain(2), glow]
}

/// Builds the meshes: body, wings, lantern.
pub(crate) fn meshes() -> Vec<Mesh> {
    let mut body = body_groups();
    body.push(limbs());
    body.push(face());
    body.push(eyes());
    vec![
        Mesh { texcoord_scale: 0.5, is_blended: false, groups: body },
        Mesh { texcoord_scale: 1.0, is_blended: false, groups: vec![arms(), membranes()] },
        Mesh { texcoord_scale: 1.0, is_blended: true, groups: lantern() },
    ]
}

fn on_body(area: TextureArea) -> impl Fn(f64, f64) -> [f64; 2] {
    move |s, t| area.texcoord(s, t, BODY_SIZE.0, BODY_SIZE.1)
}

/// Builds tail, torso, and neck with head: a single tube, cut at changes of bones.
fn body_groups() -> Vec<Group> {
    let tube = anatomy::body();
    // Sharp bends get twice as many rows as stations.
    let mut rows = steps(18);
    rows.extend([4.5, 5.5, 7.5, 8.5, 9.5, 13.5, 14.5].map(|row| row / 18.0));
    rows.sort_by(f64::total_cmp);
    let texcoord = on_body(BODY);
    let sheet = Sheet {
        surface: &|s, t| tube.point(s, t),
        texcoord: &texcoord,
        weights: &anatomy::body_weights,
        mirrored: false,
    };
    let mut groups = Vec::new();
    for (range, sides) in [(0.0..=TORSO[0], 8), (TORSO[0]..=TORSO[1], 12), (TORSO[1]..=1.0, 12)] {
        let mut group = Group::new(SKIN, RenderState::default());
        group.add_sheet(&sheet, &rows_between(&rows, range), &steps(sides));
        groups.push(group);
    }
    spines(&mut groups, &tube);
    groups
}

/// Adds spikes along the back as separate triangles.
fn spines(groups: &mut [Group], body: &Tube) {
    let texcoord = on_body(HORN);
    for (part, places) in
        [(0, [2.6, 3.6, 4.5, 5.4]), (1, [6.6, 7.7, 8.8, 9.9]), (2, [11.3, 12.1, 12.9, 13.6])]
    {
        for place in places {
            let s = place / 18.0;
            let (at, around) = (body.point(s, 0.5), body.station(s));
            let out = (at - around.at).unit();
            let ahead = (body.point(s + 0.004, 0.5) - body.point(s - 0.004, 0.5)).unit();
            let side = vec3(1.0, 0.0, 0.0);
            let size = 2.2 + 0.22 * around.wide;
            let root = at - out * 1.2;
            let base = [
                root + side * (size * 0.35),
                root - ahead * size,
                root - side * (size * 0.35),
                root + ahead * size,
            ];
            let tip = at + out * (size * 1.5) - ahead * (size * 0.9);
            let weights = anatomy::body_weights(s, at);
            // The tube's direction decides which order is counter-clockwise from outside.
            let corners = [base[3], base[2], base[1], base[0]];
            let corners = if side.cross(ahead).dot(out) < 0.0 { corners } else { base };
            let (vertices, triangles) =
                spike(corners, tip, [texcoord(0.1, 0.5), texcoord(0.9, 0.5)], &weights);
            groups[part].add_triangles(vertices, &triangles);
        }
    }
}

/// Builds both legs with their claws.
fn limbs() -> Group {
    let leg = anatomy::leg();
    let (skin, claw) = (on_body(LEG), on_body(CLAW));
    let mut group = Group::new(SKIN, RenderState::default());
    for mirrored in [false, true] {
        let surface = |s, t| leg.point(s, t);
        let sheet = Sheet { surface: &surface, texcoord: &skin, weights: &anatomy::leg_weights, mirrored };
        group.add_sheet(&sheet, &steps(8), &steps(6));
        for [base, tip] in anatomy::CLAWS {
            let ahead = (tip - base).unit();
            let side = vec3(0.0, 1.0, 0.0).cross(ahead).unit() * 1.9;
            let up = vec3(0.0, 1.9, 0.0);
            let corners = [base + side, base + up, base - side, base - up];
            let put = |point: Vec3| if mirrored { point.mirrored() } else { point };
            let corners = corners.map(put);
            let corners = if mirrored { [corners[3], corners[2], corners[1], corners[0]] } else { corners };
            let weights = anatomy::leg_weights(1.0, put(tip));
            let (vertices, triangles) = spike(corners, put(tip), [claw(0.1, 0.5), claw(0.95, 0.5)], &weights);
            group.add_triangles(vertices, &triangles);
        }
    }
    group
}

/// Builds horns and brows.
fn face() -> Group {
    let head = |_: f64, _: Vec3| -> Weights { vec![(bone::HEAD, 1.0)] };
    let (horn, brow) = (anatomy::horn(), anatomy::brow());
    let (bony, skin) = (on_body(HORN), on_body(ARM));
    let mut group = Group::new(SKIN, RenderState::default());
    for mirrored in [false, true] {
        let surface = |s, t| horn.point(s, t);
        let sheet = Sheet { surface: &surface, texcoord: &bony, weights: &head, mirrored };
        group.add_sheet(&sheet, &steps(3), &steps(5));
        let surface = |s, t| brow.point(s, t);
        let sheet =
            Sheet { surface: &surface, texcoord: &|s, t| skin(0.1 + 0.5 * s, t), weights: &head, mirrored };
        group.add_sheet(&sheet, &steps(3), &steps(4));
    }
    group
}

fn eyes() -> Group {
    let head = |_: f64, _: Vec3| -> Weights { vec![(bone::HEAD, 1.0)] };
    let axis = anatomy::eye_axis();
    let globe = anatomy::globe(EYE, axis, 5.0, 0.8);
    let mut group = Group::new(IRIS, RenderState::default());
    for mirrored in [false, true] {
        let sheet = Sheet { surface: &globe, texcoord: &eye_texcoord, weights: &head, mirrored };
        group.add_sheet(&sheet, &[0.46, 0.72, 1.0], &steps(8));
    }
    group
}

/// Builds the wings' arms and fingers.
fn arms() -> Group {
    let weights = |_: f64, at: Vec3| anatomy::wing_weights(at);
    let arm = anatomy::arm();
    let (skin, bony) = (on_body(ARM), on_body(HORN));
    let mut group = Group::new(SKIN, RenderState::default());
    for mirrored in [false, true] {
        let surface = |s, t| arm.point(s, t);
        let sheet = Sheet { surface: &surface, texcoord: &skin, weights: &weights, mirrored };
        group.add_sheet(&sheet, &steps(5), &steps(5));
        for number in 0..FINGERS {
            let finger = anatomy::finger(number);
            let surface = |s, t| finger.point(s, t);
            let sheet = Sheet {
                surface: &surface,
                texcoord: &|s, t| skin(0.55 + 0.45 * s, t),
                weights: &weights,
                mirrored,
            };
            group.add_sheet(&sheet, &steps(3), &steps(3));
        }
        let thumb = anatomy::thumb();
        let surface = |s, t| thumb.point(s, t);
        let sheet = Sheet { surface: &surface, texcoord: &bony, weights: &weights, mirrored };
        group.add_sheet(&sheet, &steps(2), &steps(3));
    }
    group
}

/// Builds the wings' membranes: two-sided, cut out by alpha.
fn membranes() -> Group {
    let weights = |_: f64, at: Vec3| anatomy::wing_weights(at);
    let inset = |part: f64| 0.5 / 128.0 + part * 127.0 / 128.0;
    let mut group = Group::new(MEMBRANE, RenderState { two_sided: true, alpha_test: true, blend: false });
    for mirrored in [false, true] {
        let sheet = Sheet {
            surface: &anatomy::membrane,
            texcoord: &|s, t| [inset(s), inset(t)],
            weights: &weights,
            mirrored,
        };
        group.add_sheet(&sheet, &steps(u16::from(PANELS) * 3), &steps(3));
    }
    group
}

/// Builds the lantern at the tail's tip: an ember, then the glass around it.
fn lantern() -> Vec<Group> {
    let tip = |_: f64, _: Vec3| -> Weights { vec![(bone::TAIL + 3, 1.0)] };
    let up = vec3(0.0, 1.0, 0.0);
    let texcoord = on_body(EMBER);
    let mut ember = Group::new(GLOW, RenderState::default());
    let core = anatomy::globe(LANTERN, up, 5.2, 1.1);
    let sheet = Sheet { surface: &core, texcoord: &texcoord, weights: &tip, mirrored: false };
    ember.add_sheet(&sheet, &steps(3), &steps(6));
    let mut glass = Group::new(GLASS, RenderState { blend: true, ..RenderState::default() });
    let shell = anatomy::globe(LANTERN, up, 10.5, 1.15);
    let sheet = Sheet { surface: &shell, texcoord: &|s, t| [t, 1.0 - s], weights: &tip, mirrored: false };
    glass.add_sheet(&sheet, &steps(5), &steps(10));
    vec![ember, glass]
}
