//! Builds the plant: a pot, a bending stem, leaves, a flower with a halo, three fruits to choose from, a glass jar
//! over it, and a shadow.

use super::textures;
use crate::formats::bbs::bon::{Bone, world_frames};
use crate::formats::bbs::pmo::{ComponentFormats, Model, Primitives, Section, Texture, Vertex};
use crate::modelling::maths::{Vec3, byte, cos, mix, rgb, sin, smooth, vec3};

/// Stands for no texture.
const PLAIN: u8 = 0xFF;
/// The flag to draw both sides.
const TWO_SIDED: usize = 0x04;
/// The flag to use the texture's alpha.
const CUT_OUT: usize = 0x10;
const SEMI: usize = 0x20;
const ADD: usize = 0x40;
const SUBTRACT: usize = 0x60;

/// The bones' numbers.
const ROOT: u8 = 0;
const STEM: u8 = 1;
const TIP: u8 = 2;
const LEAVES: [u8; 2] = [3, 4];

pub(super) fn skeleton() -> Vec<Bone> {
    let bone = |name, parent, at, turn| Bone { name, parent, at, turn };
    vec![
        bone("root", None, vec3(0.0, 0.0, 0.0), 0.0),
        bone("stem", Some(0), vec3(0.0, 0.9, 0.0), 0.02),
        bone("tip", Some(1), vec3(0.0, 0.9, 0.0), -0.04),
        bone("leaf_l", Some(1), vec3(0.05, 0.25, 0.0), -0.06),
        bone("leaf_r", Some(1), vec3(-0.05, 0.4, 0.0), 0.08),
    ]
}

pub(super) fn model() -> Model {
    let texture = |name, scroll, file| Texture { name, scroll, file };
    let still = [0.0; 2];
    let textures = vec![
        texture("pot", still, textures::pot()),
        texture("stem", still, textures::stem()),
        texture(textures::LEAF, still, textures::leaf()),
        texture("halo", [0.05, 0.0], textures::halo()),
        texture("glass", still, textures::glass()),
        texture("shadow", still, textures::shadow()),
    ];
    let mut sections = vec![pot(), stem()];
    sections.extend(LEAVES.map(leaf));
    sections.push(flower());
    sections.extend(fruit());
    sections.extend([shadow(), halo(), jar()]);
    Model { sections, textures, bones: skeleton(), scale: 4.0 }
}

/// Builds a surface of revolution with a strip for each pair of rows, counter-clockwise seen from outside.
fn lathe(rows: &[(f64, f64)], columns: u16, point: impl Fn(Vec3, [f64; 2]) -> Vertex) -> Vec<Vec<Vertex>> {
    let last = f64::from(u16::try_from(rows.len() - 1).unwrap_or(1));
    let at = |row: usize, column: u16| {
        let (radius, y) = rows[row];
        let around = f64::from(column) / f64::from(columns);
        let down = 1.0 - f64::from(u16::try_from(row).unwrap_or(0)) / last;
        point(vec3(radius * cos(around), y, radius * sin(around)), [around * 2.0, down])
    };
    let strip =
        |row: usize| (0..=columns).flat_map(|column| [at(row, column), at(row + 1, column)]).collect();
    (0..rows.len() - 1).map(strip).collect()
}

fn plain(position: Vec3, texcoord: [f64; 2]) -> Vertex {
    // 0x80 is full intensity.
    Vertex { position, texcoord, color: [0x80, 0x80, 0x80, 0xFF], weights: Vec::new() }
}

/// This part is rigid, on the root.
fn pot() -> Section {
    let rows = [(0.34, 0.0), (0.46, 0.45), (0.54, 0.45), (0.54, 0.6), (0.42, 0.6), (0.38, 0.5), (0.0, 0.5)];
    Section {
        list: 0,
        texture: 0,
        group: 0,
        attribute: 0,
        color: None,
        formats: ComponentFormats { texcoord: 1, color: 0, position: 2, weight: 0 },
        bones: vec![ROOT],
        shape: Primitives::Strips(lathe(&rows, 12, |at, [u, v]| plain(at, [u * 0.5, v]))),
    }
}

/// This part has three bones and 8-bit weights.
fn stem() -> Section {
    let bones = world_frames(&skeleton());
    let rows: Vec<(f64, f64)> =
        (0..=12).map(|row| (0.09 - 0.004 * f64::from(row), 0.5 + 0.115 * f64::from(row))).collect();
    let strips = lathe(&rows, 6, |at, texcoord| {
        let [first, second] = [smooth(0.6, 1.1, at.y), smooth(1.4, 1.9, at.y)];
        let weights = vec![1.0 - first, first * (1.0 - second), first * second];
        // The stem leans with its bones.
        let lean = bones[2].transform(vec3(0.0, 0.0, 0.0)).x * smooth(0.5, 1.9, at.y);
        Vertex { weights, ..plain(at + vec3(lean, 0.0, 0.0), texcoord) }
    });
    Section {
        list: 0,
        texture: 1,
        group: 0,
        attribute: 0,
        color: Some([0x80, 0x80, 0x80, 0xFF]),
        formats: ComponentFormats { texcoord: 2, color: 0, position: 2, weight: 1 },
        bones: vec![ROOT, STEM, TIP],
        shape: Primitives::Strips(strips),
    }
}

/// This part has separate triangles, floats and 16-bit weights.
fn leaf(bone: u8) -> Section {
    let frame = world_frames(&skeleton())[usize::from(bone)];
    let side = if bone == LEAVES[0] { 1.0 } else { -1.0 };
    let at = |row: u16, column: u16| {
        let (s, t) = (f64::from(row) / 4.0, f64::from(column) / 2.0);
        let droop = 0.25 * s - 0.45 * s * s - 0.12 * (2.0 * t - 1.0).abs();
        let point = vec3(side * (0.05 + 1.0 * s), droop, (t - 0.5) * 0.8);
        let weights = vec![1.0 - smooth(0.0, 0.4, s), smooth(0.0, 0.4, s)];
        Vertex { weights, ..plain(frame.transform(point), [s, t]) }
    };
    let mut vertices = Vec::new();
    for (row, column) in (0..4).flat_map(|row| (0..2).map(move |column| (row, column))) {
        let [a, b, c, d] =
            [at(row, column), at(row + 1, column), at(row, column + 1), at(row + 1, column + 1)];
        vertices.extend([a, b.clone(), c.clone(), c, b, d]);
    }
    Section {
        list: 0,
        texture: 2,
        group: 0,
        attribute: TWO_SIDED | CUT_OUT,
        color: None,
        formats: ComponentFormats { texcoord: 3, color: 0, position: 3, weight: 2 },
        bones: vec![STEM, bone],
        shape: Primitives::Triangles(vertices),
    }
}

/// This part is a single strip without a table, with 32-bit colours, a float weight and no texture.
fn flower() -> Section {
    let frame = world_frames(&skeleton())[usize::from(TIP)];
    let mut vertices = Vec::new();
    for column in 0..=20_u16 {
        let around = f64::from(column) / 20.0;
        let (x, z) = (cos(around), sin(around));
        for (radius, y, color) in [
            (0.08, 0.08, rgb(120, 24, 60)),
            (if column % 2 == 0 { 0.46 } else { 0.26 }, 0.34, rgb(126, 92, 60)),
        ] {
            let color = [byte(color.x), byte(color.y), byte(color.z), 255];
            let position = frame.transform(vec3(radius * x, y, radius * z));
            vertices.push(Vertex { color, weights: vec![1.0], ..plain(position, [0.0; 2]) });
        }
    }
    Section {
        list: 0,
        texture: PLAIN,
        group: 0,
        attribute: TWO_SIDED,
        color: None,
        formats: ComponentFormats { texcoord: 0, color: 7, position: 1, weight: 3 },
        bones: vec![TIP],
        shape: Primitives::Strip(vertices),
    }
}

/// Builds three rigid fruits, each with its own visibility group, colour format and bone.
fn fruit() -> [Section; 3] {
    let frames = world_frames(&skeleton());
    let kinds =
        [(LEAVES[0], 4, rgb(128, 20, 16)), (LEAVES[1], 5, rgb(24, 40, 120)), (STEM, 6, rgb(120, 110, 20))];
    [1, 2, 3].map(|group: u8| {
        let (bone, format, color) = kinds[usize::from(group) - 1];
        let side = [1.0, -1.0, 0.4][usize::from(group) - 1];
        let middle = frames[usize::from(bone)].transform(vec3(side * 0.6, -0.12, 0.0));
        let rows: Vec<(f64, f64)> = (0..=4)
            .map(|row| {
                let turn = f64::from(row) / 8.0 - 0.25;
                (0.13 * cos(turn), 0.13 * sin(turn))
            })
            .collect();
        let shade = |at: Vec3| {
            let color = mix(color * 0.45, color, 0.5 + at.unit().y * 0.5);
            [byte(color.x), byte(color.y), byte(color.z), 255]
        };
        let strips = lathe(&rows, 8, |at, _| Vertex { color: shade(at), ..plain(at + middle, [0.0; 2]) });
        Section {
            list: 0,
            texture: PLAIN,
            group,
            attribute: 0,
            color: None,
            formats: ComponentFormats { texcoord: 0, color: format, position: 2, weight: 0 },
            bones: vec![bone],
            shape: Primitives::Strips(strips),
        }
    })
}

fn quad([a, b, c, d]: [Vec3; 4]) -> Vec<Vertex> {
    vec![plain(a, [0.0, 1.0]), plain(b, [1.0, 1.0]), plain(c, [0.0, 0.0]), plain(d, [1.0, 0.0])]
}

/// This part is subtracted from the background, and bound to no bone.
fn shadow() -> Section {
    let corner = |x: f64, z: f64| vec3(x * 0.9, 0.004, z * 0.9);
    Section {
        list: 1,
        texture: 5,
        group: 0,
        attribute: SUBTRACT | CUT_OUT,
        color: None,
        formats: ComponentFormats { texcoord: 2, color: 0, position: 3, weight: 0 },
        bones: Vec::new(),
        shape: Primitives::Strip(quad([
            corner(-1.0, 1.0),
            corner(1.0, 1.0),
            corner(-1.0, -1.0),
            corner(1.0, -1.0),
        ])),
    }
}

/// This part is added to the background; its texture scrolls.
fn halo() -> Section {
    let frame = world_frames(&skeleton())[usize::from(TIP)];
    let rows = [(0.5, 0.2), (0.62, 0.45)];
    let strips = lathe(&rows, 16, |at, texcoord| Vertex {
        weights: vec![1.0],
        ..plain(frame.transform(at), texcoord)
    });
    Section {
        list: 1,
        texture: 3,
        group: 0,
        attribute: ADD | TWO_SIDED | CUT_OUT,
        color: Some([0x80, 0x80, 0x60, 0xE0]),
        formats: ComponentFormats { texcoord: 2, color: 0, position: 2, weight: 1 },
        bones: vec![TIP],
        shape: Primitives::Strips(strips),
    }
}

/// This part is blended with the background; it is rigid, on the root.
fn jar() -> Section {
    let rows = [(1.35, 0.0), (1.35, 1.6), (1.2, 2.2), (0.8, 2.6), (0.0, 2.75)];
    Section {
        list: 1,
        texture: 4,
        group: 0,
        attribute: SEMI,
        color: Some([0x78, 0x80, 0x80, 0x38]),
        formats: ComponentFormats { texcoord: 2, color: 0, position: 2, weight: 0 },
        bones: vec![ROOT],
        shape: Primitives::Strips(lathe(&rows, 16, |at, [u, v]| plain(at, [u, v]))),
    }
}
