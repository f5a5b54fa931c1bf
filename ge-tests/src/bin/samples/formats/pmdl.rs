//! Writes PMDL files: every sub-type and draw format, both byte orders and pointer sizes.
//!
//! Source: [header](pspge::reference::formats::pmdl#header) and the sections after it.

use crate::modelling::maths::Vec3;

mod buffers;
mod rig;

pub(crate) use rig::{Action, Curve, Track};

/// Which variant of the format to write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Encoding {
    pub(crate) big_endian: bool,
    /// 4 or 8.
    pub(crate) pointer_bytes: usize,
    pub(crate) draw_format: DrawFormat,
}

/// How to store vertices and primitives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DrawFormat {
    General,
    Gx,
    Collision,
}

#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) collections: Vec<Collection>,
    pub(crate) shaders: Vec<[u8; 20]>,
    pub(crate) rig: Option<Rig>,
    pub(crate) octree: Option<OctreeNode>,
}

/// Bones, skins and actions.
#[derive(Debug, Default)]
pub(crate) struct Rig {
    pub(crate) bones: Vec<Bone>,
    /// Each skin's bones.
    pub(crate) skins: Vec<Vec<u8>>,
    pub(crate) actions: Vec<Action>,
}

/// A bone at rest.
#[derive(Debug)]
pub(crate) struct Bone {
    pub(crate) name: String,
    pub(crate) head: Vec3,
    pub(crate) parent: Option<usize>,
}

/// Vertices, and the meshes over them.
#[derive(Debug, Default)]
pub(crate) struct Collection {
    /// How many texture coordinate layers to write. The second repeats the first with u and v swapped.
    pub(crate) layers: usize,
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) meshes: Vec<Mesh>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Vertex {
    pub(crate) position: Vec3,
    pub(crate) normal: Vec3,
    pub(crate) texcoord: [f64; 2],
    /// The skin for the primitives that use this vertex.
    pub(crate) skin: usize,
    /// Bones with their weights. The rest up to 1 does not move.
    pub(crate) weights: Vec<(u8, f64)>,
}

#[derive(Debug, Default)]
pub(crate) struct Mesh {
    pub(crate) shader: Option<usize>,
    pub(crate) primitives: Vec<Primitive>,
}

/// A primitive over vertices in the collection.
#[derive(Debug)]
pub(crate) struct Primitive {
    pub(crate) primitive_type: PrimitiveType,
    pub(crate) skin: usize,
    pub(crate) elements: Vec<usize>,
}

/// How a primitive connects its vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PrimitiveType {
    Points,
    Triangles,
    Fan,
    Strip,
    Lines,
    LineStrip,
}

/// A node or leaf in an octree.
#[derive(Debug)]
pub(crate) enum OctreeNode {
    Empty,
    Children(Box<[Self; 8]>),
    /// Meshes in collection 0.
    Leaf(Vec<usize>),
}

/// The header's size in bytes.
const HEADER: usize = 64;

/// Encodes the file.
pub(crate) fn write(model: &Model, encoding: Encoding) -> Vec<u8> {
    let mut sections = ByteWriter::new(encoding.big_endian);
    let mut names = ByteWriter::new(encoding.big_endian);
    if let Some(rig) = &model.rig {
        rig::write(rig, encoding, &mut sections, &mut names);
    }
    if let Some(root) = &model.octree {
        write_octree(root, &mut sections);
    }
    sections.pad(32);
    let mut collections = buffers::write(model, encoding);
    collections.pad(32);
    let mut shaders = ByteWriter::new(encoding.big_endian);
    shaders.u32(model.shaders.len());
    model.shaders.iter().for_each(|hash| shaders.raw(hash));
    shaders.pad(32);

    let sub_type = match (&model.rig, &model.octree) {
        (Some(_), _) => b"PAR1",
        (None, Some(_)) => b"PAR2",
        (None, None) => b"PAR0",
    };
    let format = match encoding.draw_format {
        DrawFormat::General => b"_GEN",
        DrawFormat::Gx => b"__GX",
        DrawFormat::Collision => b"_COL",
    };
    let mut file = ByteWriter::new(encoding.big_endian);
    file.raw(b"PMDL");
    file.raw(if encoding.big_endian { b"_BIG" } else { b"_LIT" });
    file.u32(encoding.pointer_bytes);
    file.raw(sub_type);
    file.raw(format);
    let all = model.collections.iter().flat_map(|collection| &collection.vertices);
    file.bounds(all.map(|vertex| vertex.position));
    let start = HEADER + sections.len();
    let shader_table = start + collections.len();
    for word in [start, model.collections.len(), shader_table, shader_table + shaders.len(), 0] {
        file.u32(word);
    }
    for part in [sections, collections, shaders, names] {
        file.raw(&part.bytes);
    }
    file.bytes.resize(file.len().next_multiple_of(32), 0xFF);
    file.bytes
}

/// Writes nodes in breadth-first order, then the leaves.
fn write_octree(root: &OctreeNode, out: &mut ByteWriter) {
    let mut nodes: Vec<&[OctreeNode; 8]> = Vec::new();
    if let OctreeNode::Children(children) = root {
        nodes.push(children);
    }
    let mut next = 0;
    while next < nodes.len() {
        let children = nodes[next];
        nodes.extend(children.iter().filter_map(|child| match child {
            OctreeNode::Children(children) => Some(&**children),
            _ => None,
        }));
        next += 1;
    }
    // A node has offsets only for existing children, so its size depends on them.
    let size = |node: &[OctreeNode; 8]| {
        4 + 4 * node.iter().filter(|child| !matches!(child, OctreeNode::Empty)).count()
    };
    // Nodes follow in the order in which their parents name them, so a running offset is enough to find them.
    let mut node_at = nodes.first().map_or(0, |root| size(root));
    let mut leaf_at: usize = nodes.iter().map(|node| size(node)).sum();
    let mut later = 1;
    let mut leaves = ByteWriter::new(out.big_endian);
    for node in &nodes {
        let mut codes = 0;
        let mut offsets = Vec::new();
        for (octant, child) in node.iter().enumerate() {
            match child {
                OctreeNode::Empty => {}
                OctreeNode::Children(_) => {
                    codes |= 1 << (2 * octant);
                    offsets.push(node_at);
                    node_at += size(nodes[later]);
                    later += 1;
                }
                OctreeNode::Leaf(meshes) => {
                    codes |= 2 << (2 * octant);
                    offsets.push(leaf_at);
                    leaf_at += 4 + 8 * meshes.len();
                    leaves.u32(meshes.len());
                    for &mesh in meshes {
                        leaves.u32(0);
                        leaves.u32(mesh);
                    }
                }
            }
        }
        out.u16(codes);
        out.u16(0);
        offsets.into_iter().for_each(|offset| out.u32(offset));
    }
    out.raw(&leaves.bytes);
}

/// A buffer to write in a byte order.
#[derive(Debug)]
pub(crate) struct ByteWriter {
    pub(crate) big_endian: bool,
    pub(crate) bytes: Vec<u8>,
}

impl ByteWriter {
    pub(crate) const fn new(big_endian: bool) -> Self {
        Self { big_endian, bytes: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
    }

    /// Appends a 16-bit number, saturated.
    pub(crate) fn u16(&mut self, value: usize) {
        let value = u16::try_from(value).unwrap_or(u16::MAX);
        self.raw(&if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    /// Appends a 32-bit number, saturated.
    pub(crate) fn u32(&mut self, value: usize) {
        let value = u32::try_from(value).unwrap_or(u32::MAX);
        self.raw(&if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    /// Appends a float, rounded to the nearest single.
    #[expect(clippy::cast_possible_truncation, reason = "rounding is the purpose")]
    pub(crate) fn f32(&mut self, value: f64) {
        let value = value as f32;
        self.raw(&if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    pub(crate) fn vector(&mut self, Vec3 { x, y, z }: Vec3) {
        [x, y, z].into_iter().for_each(|value| self.f32(value));
    }

    /// Appends the bounding box around points.
    pub(crate) fn bounds(&mut self, points: impl Iterator<Item = Vec3>) {
        let zero = Vec3 { x: 0.0, y: 0.0, z: 0.0 };
        let pick = |pick: fn(f64, f64) -> f64, a: Vec3, b: Vec3| Vec3 {
            x: pick(a.x, b.x),
            y: pick(a.y, b.y),
            z: pick(a.z, b.z),
        };
        let around = points
            .map(|point| (point, point))
            .reduce(|(min, max), (point, _)| (pick(f64::min, min, point), pick(f64::max, max, point)));
        let (min, max) = around.unwrap_or((zero, zero));
        self.vector(min);
        self.vector(max);
    }

    pub(crate) fn pad(&mut self, size: usize) {
        self.bytes.resize(self.len().next_multiple_of(size), 0);
    }
}
