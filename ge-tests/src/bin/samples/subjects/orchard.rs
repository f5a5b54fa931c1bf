//! Builds a small orchard in an octree, as a PMDL model, and its collision mesh. z is up.

use crate::formats::pmdl::{
    Collection, DrawFormat, Encoding, Mesh, Model, OctreeNode, Primitive, PrimitiveType, Vertex, write,
};
use crate::modelling::maths::{Vec3, cos, hash, sin, vec3};

/// Half the ground's side.
const HALF: f64 = 8.0;
/// The flag pole's height, and so the whole model's.
const TOP: f64 = 16.0;
/// How many levels the octree has. The octants in the last level hold leaves.
const LEVELS: u32 = 2;
/// Colours for ground, trunks, crowns, bushes and pole: the first bytes in their shaders' hashes.
const COLORS: [[u8; 3]; 5] =
    [[0x50, 0x68, 0x20], [0x58, 0x38, 0x20], [0x20, 0x90, 0x30], [0x60, 0xB0, 0x20], [0xD0, 0xD0, 0xD8]];

/// Encodes the visible model: little-endian, four-byte pointers, 16-bit elements.
pub(crate) fn visible() -> Vec<u8> {
    write(&model(), Encoding { big_endian: false, pointer_bytes: 4, draw_format: DrawFormat::General })
}

/// Encodes the collision mesh: big-endian, eight-byte pointers, 32-bit elements.
pub(crate) fn collision() -> Vec<u8> {
    let mut model = model();
    model.shaders.clear();
    for collection in &mut model.collections {
        collection.layers = 0;
        collection.meshes.iter_mut().for_each(|mesh| mesh.shader = None);
    }
    write(&model, Encoding { big_endian: true, pointer_bytes: 8, draw_format: DrawFormat::Collision })
}

fn model() -> Model {
    let mut collection = Collection { layers: 1, ..Collection::default() };
    ground(&mut collection);
    pole(&mut collection);
    for row in 0..4 {
        for column in 0..4 {
            let jitter = |seed| hash(row, column, seed) - 0.5;
            let place = |number: i32, seed| (f64::from(number) - 1.5) * 3.8 + jitter(seed) * 1.2;
            let at = vec3(place(column, 1), place(row, 2), 0.0);
            match (row + 2 * column) % 3 {
                0 => bush(&mut collection, at, 0.7 + 0.3 * jitter(3)),
                _ => tree(&mut collection, at, 3.0 + jitter(3)),
            }
        }
    }
    let shaders = COLORS.map(|[red, green, blue]| {
        let mut hash = [0xA5; 20];
        [hash[0], hash[1], hash[2]] = [red, green, blue];
        hash
    });
    let octree = Some(octree(&collection));
    Model { collections: vec![collection], shaders: shaders.to_vec(), rig: None, octree }
}

/// Adds the ground as a single mesh, because it is in every lower octant.
fn ground(collection: &mut Collection) {
    const STEPS: usize = 6;
    let first = collection.vertices.len();
    let along = |number: usize| -HALF + HALF * 2.0 * ratio(number, STEPS);
    for y in 0..=STEPS {
        for x in 0..=STEPS {
            collection.vertices.push(Vertex {
                position: vec3(along(x), along(y), 0.0),
                normal: vec3(0.0, 0.0, 1.0),
                texcoord: [ratio(x, STEPS), ratio(y, STEPS)],
                skin: 0,
                weights: Vec::new(),
            });
        }
    }
    let strip = |row: usize| {
        let start = first + row * (STEPS + 1);
        let elements = (0..=STEPS).flat_map(|column| [start + STEPS + 1 + column, start + column]).collect();
        Primitive { primitive_type: PrimitiveType::Strip, skin: 0, elements }
    };
    collection.meshes.push(Mesh { shader: Some(0), primitives: (0..STEPS).map(strip).collect() });
}

fn ratio(number: usize, all: usize) -> f64 {
    let small = |number: usize| f64::from(u32::try_from(number).unwrap_or(0));
    small(number) / small(all)
}

/// Adds a trunk and a crown with two cones, as two meshes.
fn tree(collection: &mut Collection, at: Vec3, height: f64) {
    let up = |z: f64| at + vec3(0.0, 0.0, z);
    let trunk = cone(collection, up(0.0), 0.25, up(height * 0.6), 4);
    collection.meshes.push(Mesh { shader: Some(1), primitives: vec![trunk] });
    let lower = cone(collection, up(height * 0.25), 1.1, up(height * 0.8), 6);
    let upper = cone(collection, up(height * 0.5), 0.85, up(height), 6);
    collection.meshes.push(Mesh { shader: Some(2), primitives: vec![lower, upper] });
}

fn bush(collection: &mut Collection, at: Vec3, size: f64) {
    let around = [(0.0, 1.0), (0.37, 0.75), (0.71, 0.8)];
    let cones = around.map(|(turn, part)| {
        let foot = at + vec3(cos(turn), sin(turn), 0.0) * (size * 0.4);
        cone(collection, foot, size * 0.7, foot + vec3(0.0, 0.0, size * part), 5)
    });
    collection.meshes.push(Mesh { shader: Some(3), primitives: cones.into() });
}

/// Adds a pole with a pennant visible from both sides.
fn pole(collection: &mut Collection) {
    let shaft = cone(collection, vec3(0.0, 0.0, 0.0), 0.3, vec3(0.0, 0.0, TOP), 6);
    let first = collection.vertices.len();
    for [x, z] in [[0.0, 12.0], [0.0, 14.5], [3.5, 13.2]] {
        for side in [-1.0, 1.0] {
            collection.vertices.push(Vertex {
                position: vec3(x, 0.0, z),
                normal: vec3(0.0, side, 0.0),
                texcoord: [x, z],
                skin: 0,
                weights: Vec::new(),
            });
        }
    }
    let elements = [0, 4, 2, 1, 3, 5].map(|corner| first + corner).to_vec();
    let pennant = Primitive { primitive_type: PrimitiveType::Triangles, skin: 0, elements };
    collection.meshes.push(Mesh { shader: Some(4), primitives: vec![shaft, pennant] });
}

/// Adds a cone without base, as a fan around its tip.
fn cone(collection: &mut Collection, foot: Vec3, radius: f64, tip: Vec3, sides: u16) -> Primitive {
    let first = collection.vertices.len();
    let mut add = |position: Vec3, normal: Vec3, texcoord: [f64; 2]| {
        collection.vertices.push(Vertex { position, normal, texcoord, skin: 0, weights: Vec::new() });
    };
    add(tip, vec3(0.0, 0.0, 1.0), [0.5, 1.0]);
    for side in 0..=sides {
        let turn = f64::from(side % sides) / f64::from(sides);
        let out = vec3(cos(turn), sin(turn), 0.0);
        let slope = vec3(0.0, 0.0, radius / (tip - foot).length());
        add(foot + out * radius, (out + slope).unit(), [f64::from(side) / f64::from(sides), 0.0]);
    }
    let elements = (0..usize::from(sides) + 2).map(|number| first + number).collect();
    Primitive { primitive_type: PrimitiveType::Fan, skin: 0, elements }
}

/// A bounding box: minimum and maximum.
type Bounds = [Vec3; 2];

/// Builds the octree. A leaf lists all meshes whose boxes touch it, so large meshes are in many leaves.
fn octree(collection: &Collection) -> OctreeNode {
    let used = |mesh: &Mesh| -> Bounds {
        let elements = mesh.primitives.iter().flat_map(|primitive| &primitive.elements);
        around(elements.map(|&element| collection.vertices[element].position))
    };
    let boxes: Vec<Bounds> = collection.meshes.iter().map(used).collect();
    let all = around(boxes.iter().flatten().copied());
    node(&boxes, all, LEVELS)
}

fn around(points: impl Iterator<Item = Vec3>) -> Bounds {
    let mut bounds = [vec3(f64::MAX, f64::MAX, f64::MAX), vec3(f64::MIN, f64::MIN, f64::MIN)];
    for point in points {
        let [min, max] = bounds;
        bounds = [
            vec3(min.x.min(point.x), min.y.min(point.y), min.z.min(point.z)),
            vec3(max.x.max(point.x), max.y.max(point.y), max.z.max(point.z)),
        ];
    }
    bounds
}

fn node(boxes: &[Bounds], [min, max]: Bounds, levels: u32) -> OctreeNode {
    let touching: Vec<usize> = (0..boxes.len())
        .filter(|&mesh| {
            let [low, high] = boxes[mesh];
            low.x < max.x
                && high.x > min.x
                && low.y < max.y
                && high.y > min.y
                && low.z < max.z
                && high.z >= min.z
        })
        .collect();
    if touching.is_empty() {
        return OctreeNode::Empty;
    }
    if levels == 0 {
        return OctreeNode::Leaf(touching);
    }
    let middle = (min + max) * 0.5;
    OctreeNode::Children(Box::new([0, 1, 2, 3, 4, 5, 6, 7].map(|octant: u8| {
        let pick = |bit: u8, low: f64, middle: f64, high: f64| {
            if octant >> bit & 1 == 1 { (middle, high) } else { (low, middle) }
        };
        let (x, y, z) = (
            pick(0, min.x, middle.x, max.x),
            pick(1, min.y, middle.y, max.y),
            pick(2, min.z, middle.z, max.z),
        );
        node(boxes, [vec3(x.0, y.0, z.0), vec3(x.1, y.1, z.1)], levels - 1)
    })))
}
