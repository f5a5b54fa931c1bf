//! Parses the buffers in `__GX`: attribute arrays, a rig record for each position, and display lists for the GX
//! graphics chip.
//!
//! Arrays and rig are in the file's byte order, but the lists and their table are always big-endian. Source:
//! [GX vertices](crate::reference::formats::pmdl#gx-vertices), [GX lists](crate::reference::formats::pmdl#gx-lists).

use std::collections::HashMap;

use zerocopy::byteorder::{F32, U16, U32};
use zerocopy::{BigEndian, ByteOrder};

use super::context::{CollectionParts, Context, Geometry, finite, target};
use super::geometry::{Collection, Draw, Influence, MISSING, Topology, Vertex};
use super::problem::PmdlProblem;
use super::raw;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::FormatError;

/// If more than 1 in this many corners has no vertex, a list's indices are not damaged but shifted. The exporter
/// does this if meshes have different vertex counts.
const SHIFTED: usize = 8;
/// Bytes before the arrays.
const HEAD: u64 = 32;

/// The attribute arrays in a vertex buffer, to weld vertices from.
struct Arrays {
    layers: u16,
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    /// Texture coordinates from the first layer.
    texcoords: Vec<[f32; 2]>,
    /// How many pairs each layer has.
    texcoord_count: u64,
    /// For each position, its range in the collection's influences.
    rig: Vec<std::ops::Range<usize>>,
}

/// Parses a collection.
pub(super) fn read<O: ByteOrder>(
    context: &mut Context<'_>,
    parts: &CollectionParts<'_>,
) -> Result<Geometry, FormatError> {
    let mut collection = Collection { layers: parts.layers, weights: parts.weights, ..Collection::default() };
    let arrays = read_arrays::<O>(context, parts, &mut collection)?;
    collection.vertex_count = arrays.positions.len() as u64;
    let mut welder = Welder { arrays, collection, known: HashMap::new() };
    // Where each mesh's list is, and how many bytes it has.
    let table: &[[U32<BigEndian>; 2]] = parts.platform.array(0, parts.meshes.into())?;
    let mut draws = Vec::new();
    let mut primitives = 0u64;
    for ((number, entry), at) in table.iter().enumerate().zip((0u64..).step_by(8)) {
        let field = (parts.platform, at);
        let [offset, length] = entry.map(U32::get);
        let list = target(parts.platform, offset, "display list", field);
        let list = list.and_then(|list| list.view(0, length.into()));
        let mut mesh = Vec::new();
        let read = list.and_then(|list| read_list(context, list, number, &mut welder, &mut mesh));
        // Shifted indices would draw another shape, which is worse than to leave out this mesh.
        match read {
            Err(error) if matches!(error.problem_as(), Some(PmdlProblem::ShiftedIndices { .. })) => {
                return Err(error);
            }
            read => context.or_default(&format!("mesh {number}"), read)?,
        }
        primitives = primitives.saturating_add(mesh.len() as u64);
        draws.push(mesh);
    }
    Ok(Geometry { collection: welder.collection, draws, primitives })
}

fn read_arrays<O: ByteOrder>(
    context: &mut Context<'_>,
    parts: &CollectionParts<'_>,
    collection: &mut Collection,
) -> Result<Arrays, FormatError> {
    let bytes = parts.vertices;
    context.budget.spend(bytes, 0, bytes.len() / 4)?;
    let mut cursor = Cursor::new(bytes, 0);
    let rig_at = if context.is_rigged { Some(u64::from(cursor.read::<U32<O>>()?.get())) } else { None };
    let [stated, texcoords] = cursor.read::<[U32<O>; 2]>()?.map(|count| u64::from(count.get()));
    let room = rig_at.unwrap_or(bytes.len()).min(bytes.len()).saturating_sub(HEAD);
    let layer_bytes = texcoords.saturating_mul(8);
    let all_layers = layer_bytes.saturating_mul(parts.layers.into());
    let needed = stated.saturating_mul(24).saturating_add(all_layers);
    // Normals and coordinates follow the positions, so a smaller number would move them. This reduces it only as far
    // as needed.
    let positions = stated.min(room / 24);
    let has_texcoords = needed <= room;
    if !has_texcoords {
        let (needed, found) = (needed.saturating_add(HEAD), room.saturating_add(HEAD));
        context.warnings.push(bytes.error(0, PmdlProblem::Arrays { needed, found }));
    }
    let normals_at = HEAD.saturating_add(positions.saturating_mul(12));
    let texcoords_at = normals_at.saturating_add(positions.saturating_mul(12));
    let mut arrays = Arrays {
        layers: parts.layers,
        positions: triples::<O>(context, bytes, HEAD, positions, "position")?,
        normals: triples::<O>(context, bytes, normals_at, positions, "normal")?,
        texcoords: Vec::new(),
        texcoord_count: texcoords,
        rig: Vec::new(),
    };
    for layer in (0..parts.layers).filter(|_| has_texcoords) {
        let at = texcoords_at.saturating_add(layer_bytes.saturating_mul(layer.into()));
        let pairs: &[[F32<O>; 2]] = bytes.array(at, texcoords)?;
        let pairs: Vec<[f32; 2]> = pairs.iter().map(|pair| pair.map(F32::get)).collect();
        if layer > 0 {
            add_layer_field(context, bytes.file_offset(at), layer, &pairs);
            continue;
        }
        let mut pairs = pairs;
        for number in pairs.as_flattened_mut().iter_mut().filter(|number| !number.is_finite()) {
            context.warnings.push(bytes.error(at, PmdlProblem::NotFinite("texture coordinate")));
            *number = 0.0;
        }
        arrays.texcoords = pairs;
    }
    if let Some(start) = rig_at {
        // Room for two runtime pointers precedes the rig.
        let pointers = u64::from(context.pointer_size).saturating_mul(2);
        let start = start.saturating_add(pointers);
        let rig = target(bytes, start, "weights of positions", (bytes, 0))
            .and_then(|_| read_rig::<O>(context, bytes, start, positions, collection));
        arrays.rig = context.or_default("weights of positions", rig)?;
    }
    Ok(arrays)
}

fn triples<O: ByteOrder>(
    context: &mut Context<'_>,
    bytes: View<'_>,
    start: u64,
    count: u64,
    name: &'static str,
) -> Result<Vec<[f32; 3]>, FormatError> {
    let raw: &[[F32<O>; 3]] = bytes.array(start, count)?;
    let offsets = (start..).step_by(12);
    let finite = |(values, at): (&[F32<O>; 3], u64)| finite(&mut context.warnings, bytes, at, name, *values);
    Ok(raw.iter().zip(offsets).map(finite).collect())
}

/// Parses the rig and adds its influences to the collection. Returns their range for each position.
fn read_rig<O: ByteOrder>(
    context: &mut Context<'_>,
    bytes: View<'_>,
    start: u64,
    positions: u64,
    collection: &mut Collection,
) -> Result<Vec<std::ops::Range<usize>>, FormatError> {
    let mut cursor = Cursor::new(bytes, start);
    let mut ranges = Vec::new();
    let mut wrong_sum_at = None;
    let count = context.rig.as_ref().map_or(0, |rig| rig.skeleton.bones().len());
    for _ in 0..positions {
        let at = cursor.at();
        let raw: raw::Rigged<O> = cursor.read()?;
        let [identity] = finite(&mut context.warnings, bytes, at.saturating_add(4), "weight", [raw.identity]);
        let mut influences = vec![Influence { slot: 0, weight: identity }];
        let mut sum = identity;
        for _ in 0..raw.influences.get() {
            let at = cursor.at();
            let raw: raw::Influence<O> = cursor.read()?;
            let warnings = &mut context.warnings;
            let [weight] = finite(warnings, bytes, at.saturating_add(4), "weight", [raw.weight]);
            let bone = raw.bone.get();
            let is_known = usize::try_from(bone).is_ok_and(|bone| bone < count);
            if !is_known && context.rig.is_some() {
                warnings.push(bytes.error(at, PmdlProblem::Bone { bone: bone.into(), count }));
            }
            sum += weight;
            // A weight without a bone does not move, so this gives it the identity.
            influences.push(Influence { slot: if is_known { bone.saturating_add(1) } else { 0 }, weight });
        }
        if wrong_sum_at.is_none() && (sum - 1.0).abs() > 0.01 {
            wrong_sum_at = Some(bytes.file_offset(at));
        }
        ranges.push(collection.add_influences(context, bytes.file_offset(at), influences));
    }
    if let Some(at) = wrong_sum_at {
        context.warn(at, PmdlProblem::Weights);
    }
    Ok(ranges)
}

/// Converts a display list to draws, up to the first unknown command.
///
/// # Errors
/// If the list ends inside a draw, or if so many indices are out of range that it draws another shape.
fn read_list(
    context: &mut Context<'_>,
    list: View<'_>,
    mesh: usize,
    welder: &mut Welder,
    draws: &mut Vec<Draw>,
) -> Result<(), FormatError> {
    let (mut all, mut missing) = (0usize, 0usize);
    let mut at = 0u64;
    let stride = 4u64.saturating_add(2u64.saturating_mul(welder.arrays.layers.into()));
    context.budget.spend(list, 0, list.len() / 4)?;
    while at < list.len() {
        let [command] = list.read::<[u8; 1]>(at)?;
        let here = at;
        at = at.saturating_add(1);
        // Zero is a no-op.
        if command == 0 {
            continue;
        }
        let topology = match command & 0xF8 {
            // Quads; both codes mean the same.
            0x80 | 0x88 => None,
            0x90 => Some(Topology::Triangles),
            0x98 => Some(Topology::TriangleStrip),
            0xA0 => Some(Topology::TriangleFan),
            0xA8 => Some(Topology::Lines),
            0xB0 => Some(Topology::LineStrip),
            0xB8 => Some(Topology::Points),
            _ => {
                context.warnings.push(list.error(here, PmdlProblem::GxCommand(command)));
                break;
            }
        };
        if command & 7 != 0 {
            context.warnings.push(list.error(here, PmdlProblem::GxFormat(command & 7)));
        }
        let count = u64::from(list.read::<U16<BigEndian>>(at)?.get());
        at = at.saturating_add(2);
        let bytes = list.view(at, count.saturating_mul(stride))?;
        context.budget.spend(list, here, count)?;
        let mut corners = Vec::new();
        for number in 0..count {
            corners.push(welder.vertex(context, bytes, stride.saturating_mul(number))?);
        }
        all = all.saturating_add(corners.len());
        missing = missing.saturating_add(corners.iter().filter(|corner| **corner == MISSING).count());
        at = at.saturating_add(bytes.len());
        let draw = match topology {
            Some(topology) => Draw { topology, skin: None, corners },
            None => quads(&corners),
        };
        draws.push(draw.without_missing());
    }
    if missing > all / SHIFTED {
        let problem = PmdlProblem::ShiftedIndices { mesh, missing, corners: all };
        return Err(list.error(0, problem));
    }
    Ok(())
}

/// Splits quads into pairs of triangles, because the GE has no quads.
fn quads(corners: &[u32]) -> Draw {
    let quads = corners.chunks_exact(4).filter_map(|quad| quad.first_chunk::<4>());
    let corners = quads.flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect();
    Draw { topology: Topology::Triangles, skin: None, corners }
}

/// Creates a vertex for each distinct combination of array indices, because the GE has a single index per corner.
struct Welder {
    arrays: Arrays,
    collection: Collection,
    /// Finds vertex numbers by position, normal and first texture coordinate.
    known: HashMap<[u16; 3], u32>,
}

impl Welder {
    /// Finds or creates the vertex for the indices at `at` in a list. Returns [`MISSING`] if any is out of range.
    fn vertex(&mut self, context: &mut Context<'_>, list: View<'_>, at: u64) -> Result<u32, FormatError> {
        let Arrays { layers, positions, texcoord_count, .. } = &self.arrays;
        let mut indices = [0u16; 3];
        let read: &[U16<BigEndian>] = list.array(at, u64::from(*layers).saturating_add(2))?;
        for (number, index) in (0u64..).zip(read.iter().map(|index| index.get())) {
            let (name, count) = match number {
                0 => ("position", positions.len() as u64),
                1 => ("normal", positions.len() as u64),
                _ => ("texture coordinate", *texcoord_count),
            };
            if u64::from(index) >= count {
                let at = at.saturating_add(number.saturating_mul(2));
                context
                    .warnings
                    .push(list.error(at, PmdlProblem::Index { name, index: index.into(), count }));
                return Ok(MISSING);
            }
            // Layers beyond the first are not drawn, so their indices do not tell vertices apart.
            if let Some(kept) = usize::try_from(number).ok().and_then(|number| indices.get_mut(number)) {
                *kept = index;
            }
        }
        let collection = &mut self.collection;
        let arrays = &self.arrays;
        Ok(*self.known.entry(indices).or_insert_with(|| {
            let [position, normal, texcoord] = indices.map(usize::from);
            let number = u32::try_from(collection.vertices.len()).unwrap_or(u32::MAX);
            collection.vertices.push(Vertex {
                position: arrays.positions.get(position).copied().unwrap_or_default(),
                normal: arrays.normals.get(normal).copied().unwrap_or_default(),
                texcoord: arrays.texcoords.get(texcoord).copied().unwrap_or_default(),
                influences: arrays.rig.get(position).cloned().unwrap_or_default(),
            });
            number
        }))
    }
}

/// Keeps a field about a layer of texture coordinates, because this layer is not drawn.
pub(super) fn add_layer_field(context: &mut Context<'_>, offset: u64, layer: u16, pairs: &[[f32; 2]]) {
    let range = pairs.iter().copied().map(|pair| (pair, pair)).reduce(|(low, high), (pair, _)| {
        let ([lu, lv], [hu, hv], [u, v]) = (low, high, pair);
        ([lu.min(u), lv.min(v)], [hu.max(u), hv.max(v)])
    });
    let Some((low, high)) = range else { return };
    let name = format!("texture coordinates of layer {layer}, which are not drawn");
    context.add_field(name, offset, format!("{} pairs from {low:?} to {high:?}", pairs.len()));
}
