//! Writes Parkan's models: nodes, slots, batches and streams, each an NRes entry.
//!
//! Source: [streams](pspge::reference::formats::parkan#streams) and the sections after it.

use super::nres::{self, Entry};
use crate::bytes::{put_f32, put_u16, put_u32};
use crate::modelling::maths::{Vec3, round, vec3};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Vertex {
    pub(crate) position: Vec3,
    pub(crate) normal: Vec3,
    /// From 0 to 1 over the texture, which repeats.
    pub(crate) texcoord: [f64; 2],
    pub(crate) color: [u8; 4],
}

/// Triangles with the same material.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    pub(crate) material: usize,
    pub(crate) vertices: Vec<Vertex>,
    pub(crate) indices: Vec<usize>,
}

/// A node's transform at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    pub(crate) time: u16,
    pub(crate) position: Vec3,
    /// x, y, z, w.
    pub(crate) rotation: [f64; 4],
}

/// A node: its parent, the slots it draws, and its animation.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) name: &'static str,
    pub(crate) parent: Option<usize>,
    /// Slots by level of detail, then by group.
    pub(crate) slots: [[Option<usize>; 5]; 3],
    /// The keys to animate this node; a static node has a single key.
    pub(crate) keys: Vec<Key>,
}

/// Optional streams and unusual layouts to write.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Variant {
    /// Whether to write vertex colours (type 18), and a table with unknown use (type 20).
    pub(crate) colored: bool,
    /// Whether to write nodes with 24 bytes, a layout with unknown meaning.
    pub(crate) short_nodes: bool,
}

/// Stands for no slot, parent or neighbour.
const NO_INDEX: usize = 0xFFFF;

/// Encodes the file.
pub(crate) fn write(slots: &[Vec<Batch>], nodes: &[Node], variant: Variant) -> Vec<u8> {
    let mut streams = Streams::default();
    for slot in slots {
        streams.slot(slot);
    }
    let last = nodes.iter().flat_map(|node| &node.keys).map(|key| usize::from(key.time)).max();
    let frames = last.unwrap_or(0) + 1;
    for node in nodes {
        streams.node(node, frames, variant.short_nodes);
    }
    let Streams { vertices, batches, triangles, .. } = streams;
    let entry = |type_id: u32, count: usize, more: usize, stride: u32, data: Vec<u8>| Entry {
        type_id,
        attributes: [u32::try_from(count).unwrap_or(0), u32::try_from(more).unwrap_or(0), stride],
        name: format!("Res{type_id}"),
        data,
    };
    let node_bytes = if variant.short_nodes { 24 } else { 38 };
    let mut header = Vec::new();
    (0..35).for_each(|_| put_f32(&mut header, 0.0));
    let [keys, words] = [streams.keys.len() / 24, streams.map.len() / 2];
    let mut entries = vec![
        entry(1, nodes.len(), 0, node_bytes, streams.nodes),
        entry(2, slots.len(), 0, 68, [header, streams.slots].concat()),
        entry(3, vertices, 0, 12, streams.positions),
        entry(4, vertices, 0, 4, streams.normals),
        entry(5, vertices, 0, 4, streams.texcoords),
    ];
    if variant.colored {
        entries.push(entry(18, vertices, 0, 4, streams.colors));
    }
    entries.extend([
        entry(15, vertices, 0, 8, vec![0; vertices * 8]),
        entry(13, batches, 0, 20, streams.batch_records),
        entry(6, streams.indices.len() / 2, 0, 2, streams.indices),
        entry(7, triangles, 0, 16, streams.triangle_records),
        entry(8, keys, 0, 4, streams.keys),
        entry(19, words, frames, 2, streams.map),
        entry(9, 0, 0, 0, Vec::new()),
        entry(10, nodes.len(), 0, 0, streams.names),
        entry(17, 0, 0, 0, Vec::new()),
    ]);
    if variant.colored {
        entries.push(entry(20, 1, 0, 0, vec![0x20, 0, 0, 0]));
    }
    nres::write(&entries)
}

#[derive(Debug, Default)]
struct Streams {
    nodes: Vec<u8>,
    names: Vec<u8>,
    keys: Vec<u8>,
    map: Vec<u8>,
    slots: Vec<u8>,
    batch_records: Vec<u8>,
    triangle_records: Vec<u8>,
    positions: Vec<u8>,
    normals: Vec<u8>,
    texcoords: Vec<u8>,
    colors: Vec<u8>,
    indices: Vec<u8>,
    vertices: usize,
    batches: usize,
    triangles: usize,
}

impl Streams {
    fn slot(&mut self, slot: &[Batch]) {
        let triangles: usize = slot.iter().map(|batch| batch.indices.len() / 3).sum();
        for number in [self.triangles, triangles, self.batches, slot.len()] {
            put_u16(&mut self.slots, number);
        }
        let points = || slot.iter().flat_map(|batch| &batch.vertices).map(|vertex| vertex.position);
        let pick = |pick: fn(f64, f64) -> f64| {
            let join = |one: Vec3, other: Vec3| {
                vec3(pick(one.x, other.x), pick(one.y, other.y), pick(one.z, other.z))
            };
            points().reduce(join).unwrap_or(vec3(0.0, 0.0, 0.0))
        };
        let (min, max) = (pick(f64::min), pick(f64::max));
        let center = vec3((min.x + max.x) / 2.0, (min.y + max.y) / 2.0, (min.z + max.z) / 2.0);
        let radius = points().map(|point| (point - center).length()).fold(0.0, f64::max);
        for at in [min, max, center] {
            put_vec3(&mut self.slots, at);
        }
        put_f32(&mut self.slots, radius);
        self.slots.extend([0; 20]);
        slot.iter().for_each(|batch| self.batch(batch));
    }

    fn batch(&mut self, batch: &Batch) {
        for number in [0, batch.material, 0, 0, batch.indices.len()] {
            put_u16(&mut self.batch_records, number);
        }
        put_u32(&mut self.batch_records, self.indices.len() / 2);
        put_u16(&mut self.batch_records, 0);
        put_u32(&mut self.batch_records, self.vertices);
        for vertex in &batch.vertices {
            put_vec3(&mut self.positions, vertex.position);
            let Vec3 { x, y, z } = vertex.normal.unit();
            self.normals.extend([x, y, z, 0.0].map(|part| signed_byte(part * 127.0)));
            vertex.texcoord.iter().for_each(|part| put_i16(&mut self.texcoords, part * 1024.0));
            self.colors.extend(vertex.color);
        }
        for corners in batch.indices.chunks_exact(3) {
            corners.iter().for_each(|&index| put_u16(&mut self.indices, index));
            let normal = corners.iter().fold(vec3(0.0, 0.0, 0.0), |sum, &index| {
                let normal = batch.vertices[index].normal;
                vec3(sum.x + normal.x, sum.y + normal.y, sum.z + normal.z)
            });
            [0, NO_INDEX, NO_INDEX, NO_INDEX]
                .iter()
                .for_each(|&number| put_u16(&mut self.triangle_records, number));
            let Vec3 { x, y, z } = normal.unit();
            [x, y, z].iter().for_each(|part| put_i16(&mut self.triangle_records, part * 32767.0));
            put_u16(&mut self.triangle_records, 63);
        }
        self.vertices += batch.vertices.len();
        self.triangles += batch.indices.len() / 3;
        self.batches += 1;
    }

    fn node(&mut self, node: &Node, frames: usize, short: bool) {
        put_u32(&mut self.names, node.name.len());
        if !node.name.is_empty() {
            self.names.extend(node.name.as_bytes());
            self.names.push(0);
        }
        let first = self.keys.len() / 24;
        let fallback = first + node.keys.len() - 1;
        let start = if node.keys.len() > 1 { self.map.len() / 2 } else { NO_INDEX };
        for key in &node.keys {
            put_vec3(&mut self.keys, key.position);
            put_f32(&mut self.keys, key.time.into());
            key.rotation.iter().for_each(|part| put_i16(&mut self.keys, part * 32767.0));
        }
        if start != NO_INDEX {
            for frame in 0..frames {
                // This is the last key up to the frame. The last key of all is the fallback.
                let passed = node.keys.iter().filter(|key| usize::from(key.time) <= frame).count();
                put_u16(&mut self.map, first + passed - 1);
            }
        }
        [0, node.parent.unwrap_or(NO_INDEX), start, fallback]
            .iter()
            .for_each(|&number| put_u16(&mut self.nodes, number));
        let slots = node.slots.as_flattened().iter().take(if short { 8 } else { 15 });
        slots.for_each(|slot| put_u16(&mut self.nodes, slot.unwrap_or(NO_INDEX)));
    }
}

fn put_vec3(out: &mut Vec<u8>, Vec3 { x, y, z }: Vec3) {
    [x, y, z].into_iter().for_each(|part| put_f32(out, part));
}

fn put_i16(out: &mut Vec<u8>, value: f64) {
    out.extend(i16::try_from(round(value)).unwrap_or(i16::MAX).to_le_bytes());
}

fn signed_byte(value: f64) -> u8 {
    i8::try_from(round(value)).unwrap_or(i8::MAX).cast_unsigned()
}
