//! Writes model files for Monster Hunter: headers, bone palette changes, materials, and a GE list with its data for
//! each group.
//!
//! Source: [PMO header](pspge::reference::formats::pmo#pmo-header) and the sections after it.

pub(crate) mod animations;
mod bone_palette;
pub(crate) mod companions;

use crate::bytes::{command, pad, put_f32, put_u16, put_u32};
use crate::modelling::maths::{Vec3, round};
use crate::modelling::mesh::{Group, RenderState, Vertex, half_extent};
use bone_palette::BonePalette;

/// The game to write files for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// `1.0`: Freedom Unite.
    Unite,
    /// `102`: Portable 3rd.
    Portable3rd,
}

/// A mesh: groups that share a scale for texture coordinates.
#[derive(Debug)]
pub(crate) struct Mesh {
    /// Factor for texture coordinates. A smaller factor makes the steps finer.
    pub(crate) texcoord_scale: f32,
    /// Whether to blend this mesh by source alpha.
    pub(crate) is_blended: bool,
    pub(crate) groups: Vec<Group>,
}

/// Diffuse and ambient colour, and a texture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Material {
    pub(crate) diffuse: [u8; 4],
    pub(crate) ambient: [u8; 4],
    pub(crate) texture: i32,
}

const HEADER_SIZE: usize = 0x40;

/// Encodes the file.
pub(crate) fn write(meshes: &[Mesh], materials: &[Material], version: Version) -> Vec<u8> {
    // The largest packed number is 32767/32768, so the scale has to be slightly larger than the box.
    let scale = half_extent(meshes.iter().flat_map(|mesh| &mesh.groups)) * (32768.0 / 32767.0);
    let mut palette = BonePalette::default();
    let (mut mesh_headers, mut strips, mut remap, mut bones, mut data) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for mesh in meshes {
        let used = materials_of(mesh);
        let (own, before) = match version {
            Version::Unite => (used.len(), remap.len()),
            // Without a remap table every mesh refers to all materials by number.
            Version::Portable3rd => (materials.len(), 0),
        };
        mesh_header(&mut mesh_headers, mesh, scale, version);
        put_u16(&mut mesh_headers, own);
        put_u16(&mut mesh_headers, before);
        put_u16(&mut mesh_headers, mesh.groups.len());
        put_u16(&mut mesh_headers, strips.len() / 0x10);
        for group in &mesh.groups {
            let offset = match version {
                Version::Unite => {
                    used.iter().position(|material| *material == group.material).unwrap_or_default()
                }
                Version::Portable3rd => group.material.into(),
            };
            let changes = palette.load(group);
            strips.extend([
                u8::try_from(offset).unwrap_or_default(),
                u8::try_from(changes.len()).unwrap_or_default(),
            ]);
            put_u16(&mut strips, bones.len() / 2);
            bones.extend(changes.into_iter().flatten());
            let block = GroupData::new(group, &palette, scale, mesh.texcoord_scale.into());
            for offset in [0, block.vertices, block.indices] {
                put_u32(&mut strips, data.len() + offset);
            }
            data.extend(block.bytes);
        }
        if version == Version::Unite {
            remap.extend(used);
        }
    }
    let records: Vec<u8> = materials.iter().flat_map(material_record).collect();
    let mut sections = [mesh_headers, strips, remap, bones, records, data];
    sections.iter_mut().for_each(|section| pad(section, 16));
    let tag: &[u8; 4] = if version == Version::Unite { b"1.0\0" } else { b"102\0" };
    let mut file = [b"pmo\0".as_slice(), tag].concat();
    put_u32(&mut file, HEADER_SIZE + sections.iter().map(Vec::len).sum::<usize>());
    for value in [scale.x.max(scale.y).max(scale.z), scale.x, scale.y, scale.z] {
        put_f32(&mut file, value);
    }
    put_u16(&mut file, meshes.len());
    put_u16(&mut file, materials.len());
    let mut offset = HEADER_SIZE;
    for section in &sections {
        put_u32(&mut file, if section.is_empty() { 0 } else { offset });
        offset += section.len();
    }
    file.resize(HEADER_SIZE, 0);
    file.extend(sections.into_iter().flatten());
    file
}

/// Returns the numbers of a mesh's materials, ordered by first use.
fn materials_of(mesh: &Mesh) -> Vec<u8> {
    let mut used = Vec::new();
    for group in &mesh.groups {
        if !used.contains(&group.material) {
            used.push(group.material);
        }
    }
    used
}

fn mesh_header(out: &mut Vec<u8>, mesh: &Mesh, scale: Vec3, version: Version) {
    if version == Version::Portable3rd {
        for value in [scale.x, scale.y, scale.z, 0.0] {
            put_f32(out, value);
        }
    }
    for _ in 0..2 {
        out.extend(mesh.texcoord_scale.to_le_bytes());
    }
    if version == Version::Portable3rd {
        // The offset for texture coordinates is 0.
        out.extend([0; 8]);
    }
    // The draw flags count, because the top bit is set. They ask for lighting and fog, or for lighting and the blend
    // mode that follows.
    let (flags, blend) = if mesh.is_blended { (5, command(0xDF, 0x32)) } else { (3, [0; 4]) };
    out.extend(command(0x80, flags));
    out.extend(blend);
}

fn material_record(material: &Material) -> Vec<u8> {
    let texture = material.texture.to_le_bytes();
    [material.diffuse, material.ambient, texture, [0; 4]].concat()
}

/// A group's list, vertices and indices, each aligned to 8 bytes.
struct GroupData {
    bytes: Vec<u8>,
    vertices: usize,
    indices: usize,
}

impl GroupData {
    fn new(group: &Group, palette: &BonePalette, scale: Vec3, texcoord_scale: f64) -> Self {
        let weights = palette.used_by(group);
        let wide_indices = group.vertices.len() > 256;
        // The list's length does not depend on the addresses in it, so a first pass can measure it.
        let length = group_list(group, weights, wide_indices, 0, 0).len().next_multiple_of(8);
        let mut data = Vec::new();
        for vertex in &group.vertices {
            pack_vertex(&mut data, vertex, palette, weights, scale, texcoord_scale);
        }
        pad(&mut data, 8);
        let (vertices, indices) = (length, length + data.len());
        let mut bytes = group_list(group, weights, wide_indices, vertices, indices);
        pad(&mut bytes, 8);
        bytes.extend(data);
        for index in group.primitives.iter().flat_map(|primitive| &primitive.indices) {
            let [low, high] = index.to_le_bytes();
            bytes.push(low);
            if wide_indices {
                bytes.push(high);
            }
        }
        pad(&mut bytes, 8);
        Self { bytes, vertices, indices }
    }
}

/// Encodes the list: relative addresses, vertex type, state, primitives, restored state, return.
fn group_list(group: &Group, weights: usize, wide_indices: bool, vertices: usize, indices: usize) -> Vec<u8> {
    const TEXCOORD_U16: usize = 2;
    const NORMAL_S8: usize = 1 << 5;
    const POSITION_S16: usize = 2 << 7;
    const WEIGHT_U8: usize = 1 << 9;
    let index_format = if wide_indices { 2 } else { 1 } << 11;
    let vertex_type =
        TEXCOORD_U16 | NORMAL_S8 | POSITION_S16 | WEIGHT_U8 | index_format | (weights - 1) << 14;
    let RenderState { two_sided, alpha_test, blend } = group.state;
    let mut words = vec![command(0x14, 0), command(0x10, 0), command(0x02, indices), command(0x01, vertices)];
    words.push(command(0x12, vertex_type));
    if alpha_test {
        // Switch the alpha test on: pass if at least 128.
        words.extend([command(0x22, 1), command(0xDB, 0x00FF_8007)]);
    }
    if blend {
        words.push(command(0x21, 1));
    }
    // Set Gouraud shading, linear filters, culling.
    words.extend([command(0x50, 1), command(0xC6, 0x0101), command(0x1D, usize::from(!two_sided))]);
    let mut face_order = None;
    for primitive in &group.primitives {
        if face_order.replace(primitive.face_order) != Some(primitive.face_order) {
            words.push(command(0x9B, primitive.face_order.into()));
        }
        let primitive_type = if primitive.strip { 4 } else { 3 };
        words.push(command(0x04, primitive_type << 16 | primitive.indices.len()));
    }
    if blend {
        words.push(command(0x21, 0));
    }
    words.extend([command(0x13, 0), command(0x0B, 0)]);
    words.concat()
}

fn pack_vertex(
    out: &mut Vec<u8>,
    vertex: &Vertex,
    palette: &BonePalette,
    weights: usize,
    scale: Vec3,
    texcoord_scale: f64,
) {
    let start = out.len();
    out.extend(palette.weights(vertex, weights));
    align(out, start, 2);
    for coordinate in vertex.texcoord {
        let packed = u16::try_from(round(coordinate / texcoord_scale * 32768.0).max(0));
        out.extend(packed.unwrap_or(u16::MAX).to_le_bytes());
    }
    let Vec3 { x, y, z } = vertex.normal;
    for part in [x, y, z] {
        out.extend(i8::try_from(round(part * 127.0)).unwrap_or(i8::MAX).to_le_bytes());
    }
    align(out, start, 2);
    let Vec3 { x, y, z } = vertex.position;
    for part in [x / scale.x, y / scale.y, z / scale.z] {
        out.extend(i16::try_from(round(part * 32768.0)).unwrap_or(i16::MAX).to_le_bytes());
    }
}

/// Pads a vertex that starts at `start` to a multiple of `size`.
fn align(out: &mut Vec<u8>, start: usize, size: usize) {
    out.resize(start + (out.len() - start).next_multiple_of(size), 0);
}
