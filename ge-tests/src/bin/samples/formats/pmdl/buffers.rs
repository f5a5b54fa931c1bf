//! Writes collections: vertex buffers, elements and draw indices in all three draw formats.
//!
//! Source: [collections](pspge::reference::formats::pmdl#collections).

use super::{ByteWriter, Collection, DrawFormat, Encoding, Mesh, Model, PrimitiveType, Vertex};

/// A collection's buffers.
struct Buffers {
    weights: usize,
    vertices: ByteWriter,
    elements: ByteWriter,
    index: ByteWriter,
}

/// Encodes headers and buffers for all collections.
pub(crate) fn write(model: &Model, encoding: Encoding) -> ByteWriter {
    let buffers: Vec<Buffers> = model.collections.iter().map(|one| buffers(model, one, encoding)).collect();
    let mut at = (24 * buffers.len()).next_multiple_of(32);
    let mut place = |lengths: Vec<usize>| -> Vec<usize> {
        let start = |length: usize| {
            let start = at;
            at += length;
            start
        };
        lengths.into_iter().map(start).collect()
    };
    let vertices = place(buffers.iter().map(|buffer| buffer.vertices.len()).collect());
    let elements = place(buffers.iter().map(|buffer| buffer.elements.len()).collect());
    let index = at.next_multiple_of(32);
    let mut out = ByteWriter::new(encoding.big_endian);
    let mut index_at = index;
    for (number, buffer) in buffers.iter().enumerate() {
        out.u16(model.collections[number].layers);
        out.u16(buffer.weights);
        for word in
            [vertices[number], buffer.vertices.len(), elements[number], buffer.elements.len(), index_at]
        {
            out.u32(word);
        }
        index_at += buffer.index.len();
    }
    out.pad(32);
    buffers.iter().for_each(|buffer| out.raw(&buffer.vertices.bytes));
    buffers.iter().for_each(|buffer| out.raw(&buffer.elements.bytes));
    out.pad(32);
    buffers.iter().for_each(|buffer| out.raw(&buffer.index.bytes));
    out
}

fn buffers(model: &Model, collection: &Collection, encoding: Encoding) -> Buffers {
    let mut index = ByteWriter::new(encoding.big_endian);
    index.u32(collection.meshes.len());
    let header = if encoding.pointer_bytes == 8 { 40 } else { 32 };
    index.u32((8 + header * collection.meshes.len()).next_multiple_of(32));
    for mesh in &collection.meshes {
        let start = index.len();
        let used = mesh.primitives.iter().flat_map(|primitive| &primitive.elements);
        index.bounds(used.map(|&element| collection.vertices[element].position));
        index.u32(mesh.shader.unwrap_or(usize::MAX));
        index.bytes.resize(start + header, 0);
    }
    index.pad(32);
    match encoding.draw_format {
        DrawFormat::General | DrawFormat::Collision => general(model, collection, encoding, index),
        DrawFormat::Gx => gx(model, collection, encoding, index),
    }
}

fn texcoord(vertex: &Vertex, layer: usize) -> [f64; 2] {
    let [u, v] = vertex.texcoord;
    if layer == 0 { [u, v] } else { [v, u] }
}

fn unmoved_weight(vertex: &Vertex) -> f64 {
    1.0 - vertex.weights.iter().map(|(_, weight)| weight).sum::<f64>()
}

fn general(model: &Model, collection: &Collection, encoding: Encoding, mut index: ByteWriter) -> Buffers {
    let rigged = model.rig.as_ref().filter(|_| encoding.draw_format == DrawFormat::General);
    let skins = rigged.map_or(&[][..], |rig| &rig.skins);
    // To hold the weight that moves with no bone, add a slot, which comes first.
    let most = skins.iter().map(|skin| skin.len() + 1).max().unwrap_or(0);
    let weights = most.next_multiple_of(4);
    let mut vertices = ByteWriter::new(encoding.big_endian);
    for vertex in &collection.vertices {
        vertices.vector(vertex.position);
        vertices.vector(vertex.normal);
        for layer in 0..collection.layers {
            texcoord(vertex, layer).into_iter().for_each(|value| vertices.f32(value));
        }
        let mut slots = vec![0.0; weights];
        if let (Some(skin), Some(first)) = (skins.get(vertex.skin), slots.first_mut()) {
            *first = unmoved_weight(vertex);
            for (bone, weight) in &vertex.weights {
                if let Some(slot) = skin.iter().position(|known| known == bone) {
                    slots[1 + slot] = *weight;
                }
            }
        }
        slots.into_iter().for_each(|weight| vertices.f32(weight));
    }
    let mut elements = ByteWriter::new(encoding.big_endian);
    index.bytes.resize(index.len() + 3 * encoding.pointer_bytes, 0);
    let mut start = 0;
    for mesh in &collection.meshes {
        index.u32(mesh.primitives.len());
        for primitive in &mesh.primitives {
            if rigged.is_some() {
                index.u32(primitive.skin);
            }
            let primitive_type = match primitive.primitive_type {
                PrimitiveType::Points => 0,
                PrimitiveType::Triangles => 1,
                PrimitiveType::Fan => 2,
                PrimitiveType::Strip => 3,
                PrimitiveType::Lines => 4,
                PrimitiveType::LineStrip => 5,
            };
            for word in [primitive_type, start, primitive.elements.len()] {
                index.u32(word);
            }
            start += primitive.elements.len();
            for &element in &primitive.elements {
                if encoding.draw_format == DrawFormat::Collision {
                    elements.u32(element);
                } else {
                    elements.u16(element);
                }
            }
        }
    }
    index.pad(32);
    Buffers { weights, vertices, elements, index }
}

fn gx(model: &Model, collection: &Collection, encoding: Encoding, mut index: ByteWriter) -> Buffers {
    // Vertices that differ only in texture coordinates share a position.
    let mut positions: Vec<&Vertex> = Vec::new();
    let mut position_of = Vec::new();
    for vertex in &collection.vertices {
        let same = |known: &&Vertex| {
            known.position == vertex.position
                && known.normal == vertex.normal
                && known.weights == vertex.weights
        };
        position_of.push(positions.iter().position(same).unwrap_or_else(|| {
            positions.push(vertex);
            positions.len() - 1
        }));
    }
    let mut vertices = ByteWriter::new(encoding.big_endian);
    let arrays = 24 * positions.len() + 8 * collection.layers * collection.vertices.len();
    if model.rig.is_some() {
        vertices.u32((32 + arrays).next_multiple_of(32));
    }
    vertices.u32(positions.len());
    vertices.u32(collection.vertices.len());
    vertices.pad(32);
    positions.iter().for_each(|vertex| vertices.vector(vertex.position));
    positions.iter().for_each(|vertex| vertices.vector(vertex.normal));
    for layer in 0..collection.layers {
        for vertex in &collection.vertices {
            texcoord(vertex, layer).into_iter().for_each(|value| vertices.f32(value));
        }
    }
    if model.rig.is_some() {
        vertices.pad(32);
        vertices.bytes.resize(vertices.len() + 2 * encoding.pointer_bytes, 0);
        for vertex in positions {
            vertices.u32(vertex.weights.len());
            vertices.f32(unmoved_weight(vertex));
            for (bone, weight) in &vertex.weights {
                vertices.u32(usize::from(*bone));
                vertices.f32(*weight);
            }
        }
    }
    let lists: Vec<ByteWriter> =
        collection.meshes.iter().map(|mesh| list(mesh, collection.layers, &position_of)).collect();
    // This table and the lists are big-endian in all files.
    let mut table = ByteWriter::new(true);
    let mut at = (8 * lists.len()).next_multiple_of(32);
    for list in &lists {
        table.u32(at);
        table.u32(list.len());
        at += list.len();
    }
    table.pad(32);
    index.raw(&table.bytes);
    lists.iter().for_each(|list| index.raw(&list.bytes));
    vertices.pad(4);
    Buffers { weights: 0, vertices, elements: ByteWriter::new(encoding.big_endian), index }
}

fn list(mesh: &Mesh, layers: usize, position_of: &[usize]) -> ByteWriter {
    let mut out = ByteWriter::new(true);
    for primitive in &mesh.primitives {
        out.raw(&[match primitive.primitive_type {
            PrimitiveType::Triangles => 0x90,
            PrimitiveType::Strip => 0x98,
            PrimitiveType::Fan => 0xA0,
            PrimitiveType::Lines => 0xA8,
            PrimitiveType::LineStrip => 0xB0,
            PrimitiveType::Points => 0xB8,
        }]);
        out.u16(primitive.elements.len());
        for &element in &primitive.elements {
            out.u16(position_of[element]);
            out.u16(position_of[element]);
            (0..layers).for_each(|_| out.u16(element));
        }
    }
    out.pad(32);
    out
}
