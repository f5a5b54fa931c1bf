//! Builds a sea anemone on a rock, as a rigged PMDL model. The stem has eight bones, each arm two.
//!
//! Its foot is bound to the stem's bones and partly to no bone, to make a primitive need nine matrices. z is up.

use crate::formats::pmdl::{
    Action, Bone, Collection, Curve, DrawFormat, Encoding, Mesh, Model, Primitive, PrimitiveType, Rig, Track,
    Vertex, write,
};
use crate::modelling::maths::{Vec3, cos, sin, vec3};
use crate::modelling::surface::{Tube, normal, round_station, steps};

/// How many bones the stem has.
const STEM: u8 = 8;
/// How many arms there are, each with two bones.
const ARMS: u8 = 4;
/// How far the stem's bones are from each other.
const STEP: f64 = 0.5;
/// Colours for stem, arms and rock: the first bytes in their shaders' hashes.
const COLORS: [[u8; 3]; 3] = [[0xF0, 0x60, 0x48], [0xFF, 0xC8, 0x70], [0x38, 0x48, 0x60]];

/// Encodes the model with general buffers: little-endian, eight-byte pointers, skins with up to eight bones.
pub(crate) fn general() -> Vec<u8> {
    write(&model(1), Encoding { big_endian: false, pointer_bytes: 8, draw_format: DrawFormat::General })
}

/// Encodes the model with display lists for another console: big-endian, four-byte pointers, bones without skins.
pub(crate) fn gx() -> Vec<u8> {
    write(&model(2), Encoding { big_endian: true, pointer_bytes: 4, draw_format: DrawFormat::Gx })
}

/// Encodes the model with this many texture coordinate layers.
fn model(layers: usize) -> Model {
    let mut collection = Collection { layers, ..Collection::default() };
    let stem = vec![sheet(&mut collection, &stem_tube(), 0, &stem_weights, (10, 6))];
    let mut arms = Vec::new();
    for arm in 0..ARMS {
        let skin = if arm < 3 { 1 } else { 2 };
        let weights = move |s: f64| arm_weights(arm, s);
        arms.push(sheet(&mut collection, &arm_tube(arm), skin, &weights, (4, 4)));
    }
    let rock = rock(&mut collection);
    collection.meshes = [stem, arms, rock]
        .into_iter()
        .enumerate()
        .map(|(shader, primitives)| Mesh { shader: Some(shader), primitives })
        .collect();
    collection.meshes.push(Mesh { shader: None, primitives: bubbles(&mut collection.vertices) });
    let shaders = COLORS.map(|[red, green, blue]| {
        let mut hash = [0x5A; 20];
        [hash[0], hash[1], hash[2]] = [red, green, blue];
        hash
    });
    Model { collections: vec![collection], shaders: shaders.to_vec(), rig: Some(rig()), octree: None }
}

fn stem_tube() -> Tube {
    let stations = [0.62, 0.5, 0.42, 0.38, 0.36, 0.38, 0.46, 0.62, 0.0];
    let station =
        |(number, radius): (u16, f64)| round_station(vec3(0.0, 0.0, f64::from(number) * STEP), radius);
    Tube::new(vec3(1.0, 0.0, 0.0), (0..).zip(stations).map(station).collect())
}

/// Returns where an arm starts, and its direction.
fn arm_place(arm: u8) -> (Vec3, Vec3) {
    let turn = f64::from(arm) / f64::from(ARMS);
    let out = vec3(cos(turn), sin(turn), 0.0);
    (out * 0.42 + vec3(0.0, 0.0, 3.6), out)
}

fn arm_tube(arm: u8) -> Tube {
    let (from, out) = arm_place(arm);
    let station =
        |along: f64, up: f64, radius| round_station(from + out * along + vec3(0.0, 0.0, up), radius);
    let side = vec3(-out.y, out.x, 0.0);
    let stations = vec![
        station(0.0, 0.0, 0.16),
        station(0.5, 0.25, 0.14),
        station(0.9, 0.8, 0.1),
        station(1.0, 1.3, 0.0),
    ];
    Tube::new(side, stations)
}

/// The closer to the foot, the less the stem moves.
fn stem_weights(s: f64) -> Vec<(u8, f64)> {
    let place = s * f64::from(STEM);
    let still = (1.0 - place / 1.5).max(0.0);
    let share = 1.0 - still;
    for bone in 0..STEM {
        let part = place - f64::from(bone);
        if bone + 1 < STEM && (0.0..1.0).contains(&part) {
            return vec![(bone, share * (1.0 - part)), (bone + 1, share * part)];
        }
    }
    vec![(STEM - 1, share)]
}

fn arm_weights(arm: u8, s: f64) -> Vec<(u8, f64)> {
    let [root, tip] = [0, 1].map(|bone| STEM + 2 * arm + bone);
    if s < 0.25 {
        vec![(STEM - 1, 1.0 - 4.0 * s), (root, 4.0 * s)]
    } else {
        let part = ((s - 0.25) * 2.0).min(1.0);
        vec![(root, 1.0 - part), (tip, part)]
    }
}

/// Adds a tube as a single strip, with repeated corners between rows.
fn sheet(
    collection: &mut Collection,
    tube: &Tube,
    skin: usize,
    weights: &dyn Fn(f64) -> Vec<(u8, f64)>,
    (rows, columns): (u16, u16),
) -> Primitive {
    let surface = |s: f64, t: f64| tube.point(s, t);
    let first = collection.vertices.len();
    for s in steps(rows) {
        let weights: Vec<(u8, f64)> = weights(s).into_iter().filter(|(_, weight)| *weight > 0.0).collect();
        for t in steps(columns) {
            // Both columns at the seam use the same points, to close it.
            let around = if t == 1.0 { 0.0 } else { t };
            collection.vertices.push(Vertex {
                position: surface(s, around),
                normal: normal(&surface, s, around),
                texcoord: [t, s],
                skin,
                weights: weights.clone(),
            });
        }
    }
    let across = usize::from(columns) + 1;
    let mut elements: Vec<usize> = Vec::new();
    for row in 0..usize::from(rows) {
        let start = first + row * across;
        if let Some(&last) = elements.last() {
            // Two repeated corners keep the winding.
            elements.extend([last, start]);
        }
        for column in 0..across {
            elements.extend([start + column, start + column + across]);
        }
    }
    Primitive { primitive_type: PrimitiveType::Strip, skin, elements }
}

/// Adds a rock with a flat top: a fan on top, triangles around it.
fn rock(collection: &mut Collection) -> Vec<Primitive> {
    const SIDES: u16 = 9;
    let first = collection.vertices.len();
    let vertex = |position: Vec3, normal: Vec3| Vertex {
        position,
        normal: normal.unit(),
        texcoord: [position.x * 0.25 + 0.5, position.y * 0.25 + 0.5],
        skin: 0,
        weights: Vec::new(),
    };
    let up = vec3(0.0, 0.0, 1.0);
    let place = |side: u16, radius: f64, z: f64| {
        let turn = f64::from(side) / f64::from(SIDES);
        let radius = radius * (1.0 + 0.12 * sin(turn * 3.0 + 0.1));
        vec3(cos(turn) * radius, sin(turn) * radius, z)
    };
    collection.vertices.push(vertex(vec3(0.0, 0.0, 0.06), up));
    for side in 0..SIDES {
        collection.vertices.push(vertex(place(side, 1.2, 0.0), up));
    }
    let around = |side: u16| first + 1 + usize::from(side % SIDES);
    let mut fan = vec![first];
    fan.extend((0..=SIDES).map(around));
    let mut triangles = Vec::new();
    for side in 0..SIDES {
        let corners = [(side, 1.2, 0.0), (side, 1.6, -0.7), (side + 1, 1.6, -0.7), (side + 1, 1.2, 0.0)];
        let corners = corners.map(|(side, radius, z)| place(side % SIDES, radius, z));
        let out = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let at = collection.vertices.len();
        collection.vertices.extend(corners.map(|corner| vertex(corner, out)));
        triangles.extend([0, 1, 2, 0, 2, 3].map(|corner| at + corner));
    }
    vec![
        Primitive { primitive_type: PrimitiveType::Fan, skin: 0, elements: fan },
        Primitive { primitive_type: PrimitiveType::Triangles, skin: 0, elements: triangles },
    ]
}

/// Adds bubbles as points, their path as a line strip, and a cross on the ground as lines.
fn bubbles(vertices: &mut Vec<Vertex>) -> Vec<Primitive> {
    let mut add = |position: Vec3| {
        vertices.push(Vertex {
            position,
            normal: vec3(0.0, 0.0, 1.0),
            texcoord: [0.5, 0.5],
            skin: 0,
            weights: Vec::new(),
        });
        vertices.len() - 1
    };
    let mut rise = |offset: f64| -> Vec<usize> {
        (0..6u8)
            .map(|number| {
                let height = f64::from(number) * 0.7 + offset;
                add(vec3(1.5 + 0.15 * sin(height * 0.4), -0.4 + 0.15 * cos(height * 0.4), height))
            })
            .collect()
    };
    let (points, line) = (rise(0.35), rise(0.0));
    let cross = [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)];
    let cross = cross.map(|(x, y)| add(vec3(1.5 + 0.2 * x, -0.4 + 0.2 * y, -0.1))).to_vec();
    let primitive = |primitive_type, elements| Primitive { primitive_type, skin: 0, elements };
    vec![
        primitive(PrimitiveType::Points, points),
        primitive(PrimitiveType::LineStrip, line),
        primitive(PrimitiveType::Lines, cross),
    ]
}

fn rig() -> Rig {
    let stem = (0..STEM).map(|bone| Bone {
        name: format!("stem{bone}"),
        head: vec3(0.0, 0.0, f64::from(bone) * STEP),
        parent: usize::from(bone).checked_sub(1),
    });
    let arms = (0..ARMS).flat_map(|arm| {
        let (from, out) = arm_place(arm);
        let root = usize::from(STEM + 2 * arm);
        [
            Bone { name: format!("arm{arm}"), head: from, parent: Some(usize::from(STEM) - 1) },
            Bone {
                name: format!("hand{arm}"),
                head: from + out * 0.7 + vec3(0.0, 0.0, 0.45),
                parent: Some(root),
            },
        ]
    });
    let arm_bones = |arms: std::ops::Range<u8>| -> Vec<u8> {
        let bones = arms.flat_map(|arm| [STEM + 2 * arm, STEM + 2 * arm + 1]);
        std::iter::once(STEM - 1).chain(bones).collect()
    };
    Rig {
        bones: stem.chain(arms).collect(),
        skins: vec![(0..STEM).collect(), arm_bones(0..3), arm_bones(3..ARMS)],
        actions: vec![sway(), gulp()],
    }
}

/// Returns a curve with a constant value.
fn constant(value: f64) -> Curve {
    vec![[0.0, value, 0.0]]
}

/// Builds a rotation that swings around an axis with a period of two seconds, delayed by `late` seconds.
fn swing(bone: usize, axis: [f64; 3], turns: f64, late: f64) -> Track {
    let half = turns / 2.0;
    // Angle and angular speed at every quarter of the period.
    let quarters = [0.0, 0.5, 1.0, 1.5, 2.0].map(|time| (time, sin((time - late) / 2.0)));
    let slope = |time: f64| cos((time - late) / 2.0) * std::f64::consts::PI;
    let curve = |value: &dyn Fn(f64) -> f64, change: &dyn Fn(f64, f64) -> f64| -> Curve {
        quarters.map(|(time, place)| [time, value(place), change(place, slope(time))]).to_vec()
    };
    let tau = std::f64::consts::TAU;
    let sine = |weight: f64| {
        curve(&|place| weight * sin(half * place), &|place, speed| {
            weight * cos(half * place) * half * tau * speed
        })
    };
    let cosine = curve(&|place| cos(half * place), &|place, speed| -sin(half * place) * half * tau * speed);
    let [x, y, z] = axis.map(|part| if part == 0.0 { constant(0.0) } else { sine(part) });
    Track { bone, rotation: Some([cosine, x, y, z]), ..Track::default() }
}

/// Stem and arms swing.
fn sway() -> Action {
    let mut tracks: Vec<Track> = (1..STEM)
        .step_by(2)
        .map(|bone| swing(usize::from(bone), [0.6, 0.8, 0.0], 0.05, f64::from(bone) * 0.12))
        .collect();
    for arm in 0..ARMS {
        let (_, out) = arm_place(arm);
        for part in 0..2 {
            let bone = usize::from(STEM + 2 * arm + part);
            let late = 0.2 + 0.3 * f64::from(arm) + 0.2 * f64::from(part);
            tracks.push(swing(bone, [-out.y, out.x, 0.0], 0.07, late));
        }
    }
    Action { name: "sway", duration: 2.0, tracks }
}

/// The stem bulges from bottom to top, and everything rises a little.
fn gulp() -> Action {
    let bulge =
        |late: f64| -> Curve { vec![[late, 1.0, 0.0], [late + 0.3, 1.5, 0.0], [late + 0.6, 1.0, 0.0]] };
    let mut tracks: Vec<Track> = [2, 4, 6]
        .map(|bone: u8| {
            let late = 0.25 * f64::from(bone) / 2.0;
            let scale = Some([bulge(late), bulge(late), constant(1.0)]);
            Track { bone: bone.into(), scale, ..Track::default() }
        })
        .into();
    let rise = vec![[0.0, 0.0, 0.0], [0.7, 0.3, 0.0], [1.4, 0.0, 0.0]];
    // A curve without keys keeps the default value.
    tracks.push(Track { bone: 0, location: Some([constant(0.0), Vec::new(), rise]), ..Track::default() });
    Action { name: "gulp", duration: 1.5, tracks }
}
