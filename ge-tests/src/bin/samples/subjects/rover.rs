//! Builds a small rover with six wheels, a turret and a lamp, in Parkan's formats.
//!
//! It is on the ground at y = 0 and faces +z. Six nodes share a wheel's slot. The dome is transparent. Lower levels
//! of detail have coarser slots, and the second group is the wreck.

mod appearance;

use crate::formats::parkan::msh::{self, Batch, Key, Node, Variant, Vertex};
use crate::formats::parkan::nres::{self, Entry, type_tag};
use crate::modelling::maths::{Vec3, cos, sin, vec3};

/// Rows in the WEAR table.
pub(crate) mod material {
    pub(crate) const HULL: usize = 0;
    pub(crate) const WHEEL: usize = 1;
    pub(crate) const TURRET: usize = 2;
    pub(crate) const GUN: usize = 3;
    pub(crate) const DOME: usize = 4;
    pub(crate) const LAMP: usize = 5;
    pub(crate) const WRECK: usize = 6;
}

/// A wheel's radius and half its width.
const WHEEL: [f64; 2] = [0.55, 0.22];
/// How many frames the turret takes to look around while the wheels turn once.
const FRAMES: u16 = 16;

/// Returns all files by name.
pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    let model = msh::write(&slots(), &nodes(), Variant::default());
    let mut upper = nodes();
    upper.truncate(2);
    for (number, node) in upper.iter_mut().enumerate() {
        node.slots = [[Some(number), None, None, None, None]; 3];
    }
    let variant = Variant { colored: true, short_nodes: false };
    let colored = msh::write(&[hull(true), turret(12)], &upper, variant);
    let wheel = vec![wheel(6)];
    let short = msh::write(&wheel, &nodes()[..1], Variant { colored: false, short_nodes: true });
    let mut entries =
        vec![entry(1, 0, "rover.msh", model), entry(type_tag(*b"WEAR"), 0, "rover.wea", appearance::wear())];
    entries.extend(
        appearance::materials().into_iter().map(|(name, data)| entry(type_tag(*b"MAT0"), 4, name, data)),
    );
    entries.extend(
        appearance::textures().into_iter().map(|(name, data)| entry(type_tag(*b"Texm"), 0, name, data)),
    );
    vec![
        ("rover.rlb", nres::write(&entries)),
        ("rover-colors.msh", colored),
        ("rover-24.msh", short),
        ("rover-hull.texm", appearance::textures().swap_remove(0).1),
    ]
}

fn entry(type_id: u32, version: u32, name: &str, data: Vec<u8>) -> Entry {
    Entry { type_id, attributes: [0, version, 0], name: name.to_owned(), data }
}

/// Builds the slots, as numbered in [`nodes`].
fn slots() -> Vec<Vec<Batch>> {
    vec![
        hull(true),
        hull(false),
        wheel(12),
        wheel(6),
        turret(12),
        turret(6),
        vec![tube(material::GUN, 8, &[(0.0, 0.14), (1.3, 0.1), (1.3, 0.15), (1.6, 0.15), (1.6, 0.0)])],
        dome(),
        vec![tube(material::GUN, 4, &[(0.0, 0.03), (1.5, 0.015), (1.5, 0.0)])],
        wreck(),
    ]
}

fn nodes() -> Vec<Node> {
    let all = |intact: [Option<usize>; 3], wrecked: Option<usize>| {
        intact.map(|slot| [slot, wrecked, None, None, None])
    };
    let still = |position: Vec3, rotation: [f64; 4]| vec![Key { time: 0, position, rotation }];
    let mut nodes = vec![
        Node {
            name: "hull",
            parent: None,
            slots: all([Some(0), Some(1), Some(1)], Some(9)),
            keys: still(vec3(0.0, 0.0, 0.0), [0.0, 0.0, 0.0, 1.0]),
        },
        Node {
            name: "turret",
            parent: Some(0),
            slots: all([Some(4), Some(5), Some(5)], None),
            keys: looking_around(vec3(0.0, 1.32, -0.1)),
        },
        Node {
            name: "gun",
            parent: Some(1),
            slots: all([Some(6), Some(6), None], None),
            // The tube lies along y, so a quarter turn puts it along z.
            keys: still(vec3(0.0, 0.3, 0.5), [0.0 - sin_eighth_turn(), 0.0, 0.0, sin_eighth_turn()]),
        },
        Node {
            name: "dome",
            parent: Some(1),
            slots: all([Some(7), Some(7), None], None),
            keys: still(vec3(0.0, 0.52, 0.0), [0.0, 0.0, 0.0, 1.0]),
        },
        // This node is not drawn at a distance.
        Node {
            name: "",
            parent: Some(0),
            slots: all([Some(8), None, None], None),
            keys: still(vec3(-0.8, 1.2, -1.5), [0.0, 0.0, 0.0, 1.0]),
        },
    ];
    for (number, name) in ["wheel1", "wheel2", "wheel3", "wheel4", "wheel5", "wheel6"].into_iter().enumerate()
    {
        let side = if number % 2 == 0 { 1.0 } else { -1.0 };
        let along = [1.35, 0.0, -1.35][number / 2];
        let wrecked = (number % 3 == 0).then_some(3);
        nodes.push(Node {
            name,
            parent: Some(0),
            slots: all([Some(2), Some(3), Some(3)], wrecked),
            keys: turning(vec3(side * 1.15, WHEEL[0], along)),
        });
    }
    nodes
}

/// Returns the sine for an eighth of a turn, which is also its cosine.
fn sin_eighth_turn() -> f64 {
    sin(0.125)
}

/// Turns left, right and back to the front. The game rotates in the opposite sense to mathematics.
fn looking_around(position: Vec3) -> Vec<Key> {
    let key = |time: u16, turns: f64| Key {
        time,
        position,
        rotation: [0.0, 0.0 - sin(turns / 2.0), 0.0, cos(turns / 2.0)],
    };
    vec![key(0, 0.0), key(5, 0.17), key(6, 0.17), key(14, -0.1), key(FRAMES, 0.0)]
}

/// Turns once around the axle, in quarter turns, so that the shortest way is the right way.
fn turning(position: Vec3) -> Vec<Key> {
    let key = |quarter: u16| {
        let turns = f64::from(quarter) / 8.0;
        Key { time: quarter * FRAMES / 4, position, rotation: [0.0 - sin(turns), 0.0, 0.0, cos(turns)] }
    };
    (0..=4).map(key).collect()
}

/// Builds a rounded body with a chamfered deck, from sections along z: height of floor and deck, half the width.
fn hull(fine: bool) -> Vec<Batch> {
    let stations: &[[f64; 4]] = if fine {
        &[
            [-2.0, 0.65, 0.95, 0.7],
            [-1.85, 0.4, 1.2, 0.85],
            [0.9, 0.4, 1.3, 0.9],
            [1.5, 0.4, 1.05, 0.85],
            [2.05, 0.55, 0.75, 0.7],
        ]
    } else {
        &[[-2.0, 0.4, 1.2, 0.8], [0.9, 0.4, 1.3, 0.9], [2.05, 0.55, 0.75, 0.7]]
    };
    let rings: Vec<Vec<Vec3>> =
        stations.iter().map(|[z, low, high, wide]| section(*z, *low, *high, *wide)).collect();
    vec![loft(material::HULL, &rings, 0.5)]
}

/// Returns the six corners of a section through the hull.
fn section(z: f64, low: f64, high: f64, wide: f64) -> Vec<Vec3> {
    let shoulder = high - 0.22;
    [(-0.8, low), (0.8, low), (1.0, shoulder), (0.7, high), (-0.7, high), (-1.0, shoulder)]
        .map(|(part, y)| vec3(part * wide, y, z))
        .to_vec()
}

/// Builds the hull burnt out: bent, and lying on the ground.
fn wreck() -> Vec<Batch> {
    let sections =
        [[-2.0, 0.1, 0.5, 0.8], [-0.3, 0.0, 0.9, 1.0], [0.5, 0.15, 0.55, 0.9], [1.9, 0.0, 0.35, 0.6]];
    let rings: Vec<Vec<Vec3>> = sections
        .iter()
        .zip([0.1, -0.2, 0.15, -0.3])
        .map(|([z, low, high, wide], lean)| {
            let mut ring = section(*z, *low, *high, *wide);
            ring.iter_mut().for_each(|at| at.x += lean * at.y);
            ring
        })
        .collect();
    vec![loft(material::WRECK, &rings, 0.5)]
}

fn wheel(sides: u16) -> Vec<Batch> {
    let [radius, wide] = WHEEL;
    let profile = [
        (-wide, 0.0),
        (-wide, radius * 0.8),
        (-wide * 0.6, radius),
        (wide * 0.6, radius),
        (wide, radius * 0.8),
        (wide, 0.0),
    ];
    let mut batch = tube(material::WHEEL, sides, &profile);
    // This turns the wheel from the y axis to the axle.
    for vertex in &mut batch.vertices {
        for at in [&mut vertex.position, &mut vertex.normal] {
            *at = vec3(at.y, 0.0 - at.x, at.z);
        }
    }
    vec![batch]
}

fn turret(sides: u16) -> Vec<Batch> {
    vec![tube(material::TURRET, sides, &[(-0.1, 0.8), (0.25, 0.75), (0.5, 0.5), (0.55, 0.0)])]
}

/// Builds a lamp under glass: two materials in the same slot.
fn dome() -> Vec<Batch> {
    let lamp = [(0.0, 0.1), (0.2, 0.16), (0.34, 0.0)];
    let arc: Vec<(f64, f64)> =
        (0..=3).map(|step| f64::from(step) / 12.0).map(|t| (0.5 * sin(t), 0.42 * cos(t))).collect();
    vec![tube(material::LAMP, 6, &lamp), tube(material::DOME, 12, &arc)]
}

/// Builds a body of revolution around y, from heights and radii in ascending order. To keep edges sharp, bands share
/// no vertices.
fn tube(material: usize, sides: u16, profile: &[(f64, f64)]) -> Batch {
    let ring = |(y, radius): (f64, f64)| -> Vec<Vec3> {
        (0..sides)
            .map(|side| f64::from(side) / f64::from(sides))
            .map(|turns| vec3(radius * sin(turns), y, radius * cos(turns)))
            .collect()
    };
    let mut batch = Batch { material, ..Batch::default() };
    for (band, pair) in profile.windows(2).enumerate() {
        let (low, high) = (ring(pair[0]), ring(pair[1]));
        let (rise, widen) = (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1);
        let first = batch.vertices.len();
        for side in 0..=usize::from(sides) {
            let part = f64::from(u16::try_from(side).unwrap_or(0)) / f64::from(sides);
            let normal = vec3(rise * sin(part), 0.0 - widen, rise * cos(part));
            for (at, down) in [(low[side % low.len()], 1.0), (high[side % high.len()], 0.0)] {
                let v = (f64::from(u16::try_from(band).unwrap_or(0)) + 1.0 - down) / 4.0;
                batch.vertices.push(vertex(at, normal, [part * 2.0, 1.0 - v]));
            }
            if side > 0 {
                let corner = first + side * 2;
                batch.indices.extend([corner - 2, corner, corner - 1, corner - 1, corner, corner + 1]);
            }
        }
    }
    batch
}

/// Builds a hull over sections, with flat faces and closed ends.
fn loft(material: usize, rings: &[Vec<Vec3>], scale: f64) -> Batch {
    let mut batch = Batch { material, ..Batch::default() };
    for pair in rings.windows(2) {
        for side in 0..pair[0].len() {
            let next = (side + 1) % pair[0].len();
            face(&mut batch, &[pair[0][side], pair[0][next], pair[1][next], pair[1][side]], scale);
        }
    }
    if let (Some(back), Some(front)) = (rings.first(), rings.last()) {
        face(&mut batch, &back.iter().rev().copied().collect::<Vec<_>>(), scale);
        face(&mut batch, front, scale);
    }
    batch
}

/// Adds a flat face. Texture coordinates follow its two dominant axes.
fn face(batch: &mut Batch, corners: &[Vec3], scale: f64) {
    let first = batch.vertices.len();
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).unit();
    for at in corners {
        let flat = if normal.x.abs() > normal.y.abs().max(normal.z.abs()) {
            [at.z, at.y]
        } else if normal.y.abs() > normal.z.abs() {
            [at.x, at.z]
        } else {
            [at.x, at.y]
        };
        batch.vertices.push(vertex(*at, normal, [flat[0] * scale + 0.5, 0.5 - flat[1] * scale]));
    }
    for corner in 1..corners.len() - 1 {
        batch.indices.extend([first, first + corner, first + corner + 1]);
    }
}

/// Builds a vertex, coloured by its height.
fn vertex(position: Vec3, normal: Vec3, texcoord: [f64; 2]) -> Vertex {
    let color = appearance::height_color(position.y);
    Vertex { position, normal, texcoord, color }
}
