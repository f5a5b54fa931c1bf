//! Parses and validates a PMDL file: header, shaders, collections and their mesh headers.
//!
//! # Invariants
//! In a [`Pmdl`] all indices are in range and all numbers are finite. Anything else is repaired or left out, with a
//! warning. The byte order is a type parameter, so that the same code parses both. Source:
//! [header](crate::reference::formats::pmdl#header), [collections](crate::reference::formats::pmdl#collections),
//! [draw index](crate::reference::formats::pmdl#draw-index),
//! [shader table](crate::reference::formats::pmdl#shader-table), [limits](crate::reference::formats::pmdl#limits).

use zerocopy::byteorder::{F32, U32};
use zerocopy::{BigEndian, ByteOrder, LittleEndian};

use super::context::{Budget, CollectionParts, Context, target, word};
use super::geometry::{Bounds, Collection, DrawFormat, Mesh, SubType};
use super::model::Pmdl;
use super::problem::PmdlProblem;
use super::{bones, general, gx, octree, raw};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::text::decode_name_lossy;

/// Where the sections start in every file.
pub(super) const SECTIONS: u64 = 0x40;
/// Size of a collection's header in bytes.
const COLLECTION: u64 = 24;
/// Size of a shader hash in bytes.
const HASH: u64 = 20;

/// Parses a model.
///
/// # Errors
/// If the header does not tell how to read it, no mesh can be drawn, or reading takes too much work.
pub(super) fn read(file: View<'_>) -> Result<Pmdl<'_>, FormatError> {
    let header: raw::Header<LittleEndian> = file.read(0)?;
    if header.magic != raw::MAGIC {
        return Err(file.error(0, PmdlProblem::Magic));
    }
    match header.order {
        raw::LITTLE => read_as::<LittleEndian>(file),
        raw::BIG => read_as::<BigEndian>(file),
        _ => {
            // The pointer size makes sense in only one byte order.
            let mut pmdl = match u32::from_le_bytes(header.pointer_size.to_bytes()) {
                4 | 8 => read_as::<LittleEndian>(file)?,
                0x0400_0000 | 0x0800_0000 => read_as::<BigEndian>(file)?,
                _ => return Err(file.error(4, PmdlProblem::ByteOrder)),
            };
            pmdl.warnings.push(file.error(4, PmdlProblem::ByteOrderGuessed));
            Ok(pmdl)
        }
    }
}

fn read_as<O: ByteOrder>(file: View<'_>) -> Result<Pmdl<'_>, FormatError> {
    let header: raw::Header<O> = file.read(0)?;
    let sub_type = match &header.sub_type {
        b"PAR0" => SubType::Par0,
        b"PAR1" => SubType::Par1,
        b"PAR2" => SubType::Par2,
        _ => return Err(file.error(0xC, PmdlProblem::SubType)),
    };
    let format = match &header.draw_format {
        b"_GEN" => DrawFormat::General,
        b"__GX" => DrawFormat::Gx,
        b"_COL" => DrawFormat::Collision,
        _ => return Err(file.error(0x10, PmdlProblem::DrawFormat)),
    };
    let pointer_size = header.pointer_size.get();
    if !matches!(pointer_size, 4 | 8) {
        return Err(file.error(8, PmdlProblem::PointerSize(pointer_size)));
    }
    let mut context = Context {
        file,
        format,
        is_rigged: sub_type == SubType::Par1,
        pointer_size,
        shaders: 0,
        rig: None,
        budget: Budget::of(file),
        warnings: Warnings::default(),
        fields: Vec::new(),
        dropped: 0,
    };
    check_layout(&mut context, &header)?;
    let shaders = read_shaders(&mut context, &header);
    let shaders = context.or_default("shader table", shaders)?;
    context.shaders = shaders.len();
    let start = u64::from(header.collections.get());
    let sections = file.view(SECTIONS, start.saturating_sub(SECTIONS))?;
    let mut octree = None;
    match sub_type {
        SubType::Par0 => {}
        SubType::Par1 => {
            let names = target(file, header.bone_names.get(), "bone names", (file, 0x38));
            let names = names.unwrap_or_else(|error| {
                context.warnings.push(error);
                file.over(&[])
            });
            let rig = bones::read::<O>(&mut context, sections, names).map(Some);
            context.rig = context.or_default("rig", rig)?;
        }
        SubType::Par2 => {
            let found = octree::read::<O>(&mut context, sections);
            octree = context.or_default("octree", found)?;
        }
    }
    let mut collections = Vec::new();
    let mut meshes: Vec<Mesh> = Vec::new();
    let mut primitives = 0u64;
    let body = file.view(start, file.len().saturating_sub(start))?;
    let stride = size_of::<raw::Collection<O>>() as u64;
    let stored = body.len().checked_div(stride).unwrap_or(0);
    let count = u64::from(header.collection_count.get());
    if count > stored {
        context.warn(0x30, PmdlProblem::CollectionCount { count, stored });
    }
    // This skips damaged collections. If no mesh remains, the first problem is the best explanation.
    let mut first_problem = None;
    for at in (0..count.min(stored)).map(|number| number.saturating_mul(stride)) {
        let number = collections.len();
        let read = read_collection::<O>(&mut context, body, at, number, &mut meshes);
        first_problem = first_problem.or_else(|| read.as_ref().err().cloned());
        let read = context.or_default(&format!("collection {number}"), read.map(Some))?;
        let (collection, count) = read.unwrap_or_default();
        primitives = primitives.saturating_add(count);
        collections.push(collection);
    }
    if let Some(error) = first_problem
        && !meshes.iter().any(Mesh::is_drawn)
    {
        let problem = Box::new(error.kind.clone());
        return Err(FormatError { kind: PmdlProblem::NoMeshes(problem).into(), ..error });
    }
    if let Some(octree) = &octree {
        octree.check(&mut context, &meshes);
    }
    let stated = Bounds { min: header.min.map(F32::get), max: header.max.map(F32::get) };
    let drawn = meshes.iter().filter(|mesh| mesh.is_drawn()).map(|mesh| mesh.bounds);
    let bounds = valid_box(&mut context, stated, drawn.reduce(|a, b| a.union(&b)), 0x14, "meshes");
    let Context { rig, mut warnings, mut fields, dropped, .. } = context;
    if dropped > 0 {
        warnings.push(file.error(SECTIONS, PmdlProblem::Fields(dropped)));
    }
    // Readers have added fields in their own order. Sort them by offset, because users compare them with the file.
    fields.sort_by_key(|field| field.offset);
    let texts = [header.sub_type, header.draw_format, header.order];
    let [sub_name, draw_name, order_name] = texts.map(|text| decode_name_lossy(&text));
    Ok(Pmdl {
        file,
        version: format!("{sub_name} {draw_name} {order_name}"),
        pointer_size,
        sub_type,
        bounds,
        collections,
        meshes,
        primitives,
        shaders,
        rig,
        octree,
        fields,
        warnings,
    })
}

/// Reads a collection and adds its meshes. Returns it with its primitive count.
fn read_collection<O: ByteOrder>(
    context: &mut Context<'_>,
    body: View<'_>,
    at: u64,
    number: usize,
    meshes: &mut Vec<Mesh>,
) -> Result<(Collection, u64), FormatError> {
    let (parts, headers) = read_parts::<O>(context, body, at, number)?;
    let geometry = match context.format {
        DrawFormat::General | DrawFormat::Collision => general::read::<O>(context, &parts)?,
        DrawFormat::Gx => gx::read::<O>(context, &parts)?,
    };
    let mut draws = geometry.draws.into_iter();
    let vertices = &geometry.collection.vertices;
    for mut mesh in headers {
        mesh.draws = draws.next().unwrap_or_default();
        let corners = mesh.draws.iter().flat_map(|draw| &draw.corners);
        let drawn = corners.filter_map(|&corner| vertices.get(usize::try_from(corner).ok()?));
        let actual = Bounds::of(drawn.map(|vertex| vertex.position));
        mesh.bounds = valid_box(context, mesh.bounds, actual, mesh.offset, "vertices");
        meshes.push(mesh);
    }
    Ok((geometry.collection, geometry.primitives))
}

/// Checks the sections for alignment, order and range, and how many collections there are.
fn check_layout<O: ByteOrder>(context: &mut Context<'_>, header: &raw::Header<O>) -> Result<(), FormatError> {
    let file = context.file;
    if !file.len().is_multiple_of(32) {
        context.warn(0, PmdlProblem::Alignment("file's length"));
    }
    let collections = u64::from(header.collections.get());
    if !collections.is_multiple_of(32) {
        context.warn(0x2C, PmdlProblem::Alignment("offset of the collections"));
    }
    if collections < SECTIONS || collections.saturating_add(COLLECTION) > file.len() {
        return Err(file.error(0x2C, PmdlProblem::NoCollections(collections)));
    }
    let headers = u64::from(header.collection_count.get()).saturating_mul(COLLECTION);
    let mut before = SECTIONS;
    for (field, name, offset, length) in [
        (0x2C, "collections", collections, headers),
        (0x34, "shader references", u64::from(header.shader_table.get()), 4),
        (0x38, "bone names", u64::from(header.bone_names.get()), 0),
    ] {
        // Each reader reports its own offset if this is out of range, so it must not move the limit for others.
        if offset < before {
            context.warn(field, PmdlProblem::SectionOrder { name, offset, before });
        } else if offset.saturating_add(length) <= file.len() {
            before = offset.saturating_add(length);
        }
    }
    if context.format == DrawFormat::Collision && header.collection_count.get() != 1 {
        context.warn(0x30, PmdlProblem::Collections(header.collection_count.get()));
    }
    if header.pad.get() != 0 {
        context.add_field("header padding", 0x3C, format!("{:#010x}", header.pad.get()));
    }
    Ok(())
}

fn read_shaders<O: ByteOrder>(
    context: &mut Context<'_>,
    header: &raw::Header<O>,
) -> Result<Vec<[u8; 20]>, FormatError> {
    let file = context.file;
    let table = target(file, header.shader_table.get(), "shader references", (file, 0x34))?;
    let start = u64::from(header.shader_table.get());
    let count = u64::from(word::<O>(table, 0)?);
    let hashes: &[[u8; 20]] = file.array(start.saturating_add(4), count)?;
    let end = start.saturating_add(4).saturating_add(count.saturating_mul(HASH));
    let offset = u64::from(header.bone_names.get());
    if offset < end {
        let problem = PmdlProblem::SectionOrder { name: "bone names", offset, before: end };
        context.warn(0x38, problem);
    }
    for ((number, hash), offset) in hashes.iter().enumerate().zip((start.saturating_add(4)..).step_by(20)) {
        let value: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        context.add_field(format!("SHA-1 of shader {number}"), offset, value);
    }
    Ok(hashes.to_vec())
}

/// Returns as much of a buffer as exists, with a warning if part is missing.
fn existing<'a>(
    context: &mut Context<'_>,
    start: View<'a>,
    length: u32,
    name: &'static str,
    field: (View<'_>, u64),
) -> View<'a> {
    let stored = start.len().min(length.into());
    if stored < u64::from(length) {
        let problem = PmdlProblem::BufferCut { name, length, stored };
        context.warnings.push(field.0.error(field.1, problem));
    }
    start.view(0, stored).unwrap_or(start)
}

/// Locates the parts of the collection whose header is at `at` in `body`. Returns its meshes, without draws.
fn read_parts<'a, O: ByteOrder>(
    context: &mut Context<'_>,
    body: View<'a>,
    at: u64,
    number: usize,
) -> Result<(CollectionParts<'a>, Vec<Mesh>), FormatError> {
    let raw: raw::Collection<O> = body.read(at)?;
    let layers = raw.uv_layers.get();
    if layers > 8 {
        context.warnings.push(body.error(at, PmdlProblem::TexcoordLayers(layers)));
    }
    let weights = raw.weights.get();
    let weights_at = body.file_offset(at.saturating_add(2));
    if !weights.is_multiple_of(4) {
        context.warn(weights_at, PmdlProblem::WeightCount(weights));
    }
    let has_skins = context.is_rigged && context.format == DrawFormat::General;
    if weights > 0 && !has_skins {
        context.warn(weights_at, PmdlProblem::UselessWeights(weights));
    }
    let field = |offset: u64| (body, at.saturating_add(offset));
    let vertices = target(body, raw.vertices.get(), "vertices", field(4))?;
    let vertices = existing(context, vertices, raw.vertex_bytes.get(), "vertex", field(8));
    // Display lists have no elements.
    let elements = match context.format {
        DrawFormat::Gx => body.over(&[]),
        _ => {
            let elements = target(body, raw.elements.get(), "elements", field(12))?;
            existing(context, elements, raw.element_bytes.get(), "element", field(16))
        }
    };
    let index = target(body, raw.draw_index.get(), "draw index", field(20))?;
    let [stated, platform_at] = index.read::<[U32<O>; 2]>(0)?.map(U32::get);
    // A pointer with eight bytes is aligned to eight.
    let stride = if context.pointer_size == 8 { 40 } else { 32 };
    // The primitives follow the headers, which limits how many there can be.
    let room = u64::from(platform_at).min(index.len()).saturating_sub(8).checked_div(stride).unwrap_or(0);
    let meshes = stated.min(u32::try_from(room).unwrap_or(u32::MAX));
    if meshes < stated {
        context.warnings.push(index.error(0, PmdlProblem::MeshCount { count: stated, stored: meshes }));
    }
    let headers = index.view(8, u64::from(meshes).saturating_mul(stride))?;
    let platform = target(index, platform_at, "primitives", (index, 4))?;
    context.budget.spend(index, 0, u64::from(meshes).saturating_add(16))?;
    let mut found = Vec::new();
    for at in (0..headers.len()).step_by(usize::try_from(stride).unwrap_or(32)) {
        let raw: raw::Mesh<O> = headers.read(at)?;
        let shader = match raw.shader.get() {
            -1 => None,
            number => {
                let known = usize::try_from(number).ok().filter(|&known| known < context.shaders);
                if known.is_none() {
                    let problem = PmdlProblem::Shader { number, count: context.shaders };
                    context.warnings.push(headers.error(at.saturating_add(24), problem));
                }
                known
            }
        };
        let bounds = Bounds { min: raw.min.map(F32::get), max: raw.max.map(F32::get) };
        let offset = headers.file_offset(at);
        found.push(Mesh { offset, collection: number, bounds, shader, draws: Vec::new() });
    }
    Ok((CollectionParts { layers, weights, vertices, elements, platform, meshes }, found))
}

/// Chooses a box around some contents: the stated box if valid, else the actual box, with a warning.
fn valid_box(
    context: &mut Context<'_>,
    stated: Bounds,
    actual: Option<Bounds>,
    at: u64,
    contents: &'static str,
) -> Bounds {
    let Some(actual) = actual else { return stated };
    let problem = match stated.is_valid() {
        false => PmdlProblem::Box,
        true if !stated.holds(&actual) => PmdlProblem::SmallBox(contents),
        true => return stated,
    };
    context.warn(at, problem);
    actual
}
