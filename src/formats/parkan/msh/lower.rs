//! Lowers an MSH model to memory and display lists: interleaved vertices, a list for each slot, and a list to load
//! each node's matrix and call the slot this node selects.
//!
//! # Invariants
//! This module does not parse. A slot's list sets all state its draws need, so that it can be called for any node
//! and after any other slot. Source: [as GE state](crate::reference::formats::parkan#as-ge-state).

use std::borrow::Cow;
use std::collections::HashMap;

use zerocopy::IntoBytes as _;

use super::animation::Tracks;
use super::library::Library;
use super::problem::MshProblem;
use super::raw::{self, GROUPS, LEVELS, NONE};
use super::read::{Msh, Nodes};
use super::surface::{Surface, Surfaces};
use super::{fields, state};
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::options::{OpenOptions, ParseOptions};
use crate::formats::core::state_writer::StateWriter;
use crate::formats::parkan::options::VERTEX_COLORS;
use crate::ge::address::Address;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, IndexFormat, PrimitiveType, VertexType};
use crate::model::matrix::{Affine, IDENTITY};
use crate::model::{
    Alternatives, Animation, Bone, FileNote, FileNoteKind, LevelOfDetail, MatrixUpload, Model, ModelInfo,
    Part, Skeleton, Up,
};

/// How many batches and indices all nodes together may draw, per byte in the file. Real models do not draw a large
/// slot hundreds of times. See [limits](crate::reference::formats::parkan#limits).
const WORK_PER_BYTE: u64 = 16;

/// A slot to draw, and the node that selects it, if any.
#[derive(Clone, Copy, Debug)]
struct SlotInstance {
    node: Option<usize>,
    slot: usize,
}

/// Lowers a model to emulated memory and lists, ready to draw.
pub(super) fn lower(
    msh: &Msh<'_>,
    name: &str,
    options: OpenOptions<'_>,
    library: &Library<'_>,
) -> Result<Model, FormatError> {
    let mut warnings = msh.warnings.clone();
    let alternatives = alternatives(msh);
    let level = alternatives.nearest_level(options.selection.level_of_detail);
    let group = alternatives.group_or_default(level, options.selection.group);
    let instances = select(msh, level, group);
    check_work(msh, &instances)?;
    let mut loader = Loader::new();
    let layout = Layout::of(msh, options.parse);
    // Indices are used in place. Only a repaired copy needs its own memory.
    let indices = match &msh.indices.items {
        Cow::Borrowed(_) => loader.place(name, msh.indices.view, 16)?,
        Cow::Owned(repaired) => loader.store(msh.file, 0, repaired.as_slice().as_bytes())?,
    };
    let vertices = loader.store(msh.file, 0, &layout.vertices(msh))?;
    let boxes = store_boxes(msh, &instances, &mut loader, &mut warnings)?;
    let Surfaces { by_material, textures, notes, fields: material_fields } =
        library.surfaces(&materials_of(msh), options.parse, &mut loader)?;

    let tracks = Tracks::of(msh, options.parse);
    let skeleton = skeleton(msh, &tracks);
    let world = skeleton.as_ref().map(|skeleton| skeleton.world(&skeleton.rest())).unwrap_or_default();
    let (start, room) = loader.room();
    let mut writer = ModelList {
        state: StateWriter::new(ListBuilder::new(start)),
        room,
        msh,
        layout,
        vertices,
        indices,
        surfaces: &by_material,
        textures: &textures,
    };
    let mut lists: HashMap<usize, SlotList> = HashMap::new();
    for SlotInstance { slot, .. } in &instances {
        if !lists.contains_key(slot) {
            lists.insert(*slot, writer.slot(*slot)?);
        }
    }
    let entry = writer.state.here();
    writer.begin();
    let mut parts = Vec::new();
    for SlotInstance { node, slot } in instances {
        let Some(list) = lists.get(&slot) else { continue };
        let matrix = node.and_then(|node| world.get(node)).unwrap_or(&IDENTITY);
        writer.node(node, list, boxes.get(&slot).copied(), matrix, slot, &mut parts)?;
    }
    writer.state.list_mut().set(Opcode::RET, 0);
    writer.state.check_room(room, msh.file)?;
    writer.state.list().store(loader.memory_mut());

    let mut info = info(msh);
    info.groups = parts.len();
    info.draws = parts.len();
    info.textures = textures.len();
    let animations = animation(msh, tracks);
    let mut all_notes: Vec<FileNote> = warnings.notes().collect();
    all_notes.extend(notes);
    if parts.is_empty() {
        let message = format!("no node draws anything at level of detail {level}, group {group}");
        all_notes.push(FileNote::new(FileNoteKind::HiddenParts, message));
    }
    if msh.colors.is_some() && !options.parse.has(VERTEX_COLORS) {
        let message = "the model has values that may be vertex colours (type 18); parse option `vertex-colors` draws them";
        all_notes.push(FileNote::new(FileNoteKind::UnknownField, message));
    }
    let (memory, sources) = loader.finish();
    Ok(Model {
        memory,
        entry,
        sources,
        info,
        parts,
        textures: textures.into_iter().map(|loaded| loaded.texture).collect(),
        skeleton,
        animations,
        alternatives,
        up: Up::Y,
        fields: fields::of(msh).into_iter().chain(material_fields).collect(),
        notes: all_notes,
    })
}

/// Selects the slots to draw at this level of detail and in this group.
fn select(msh: &Msh<'_>, level: usize, group: usize) -> Vec<SlotInstance> {
    let all = || (0..msh.slots.items.len()).map(|slot| SlotInstance { node: None, slot }).collect();
    let Nodes::Known(nodes) = &msh.nodes else { return all() };
    let select = |(number, node): (usize, &raw::Node)| {
        let slot = slot_of(node, level, group)?;
        Some(SlotInstance { node: Some(number), slot })
    };
    nodes.items.iter().enumerate().filter_map(select).collect()
}

/// Finds the slot a node draws at a level of detail and in a group.
fn slot_of(node: &raw::Node, level: usize, group: usize) -> Option<usize> {
    let slot = node.slots.get(level)?.get(group)?.get();
    (slot != NONE).then_some(slot.into())
}

/// Finds the levels of detail and groups in which any node draws something.
fn alternatives(msh: &Msh<'_>) -> Alternatives {
    let Nodes::Known(nodes) = &msh.nodes else { return Alternatives::default() };
    let is_drawn = |level, group| nodes.items.iter().any(|node| slot_of(node, level, group).is_some());
    let levels = (0..LEVELS).map(|level| {
        let groups = (0..GROUPS).filter(|group| is_drawn(level, *group)).collect();
        LevelOfDetail { level, groups, hidden_meshes: 0 }
    });
    Alternatives { levels_of_detail: levels.filter(|level| !level.groups.is_empty()).collect() }
}

/// Returns a slot's first batch number and its batches. The reader has checked this range.
fn batches_of<'a>(msh: &'a Msh<'_>, slot: usize) -> (usize, &'a [raw::Batch]) {
    let Some(slot) = msh.slots.items.get(slot) else { return (0, &[]) };
    let start = usize::from(slot.batch_start.get());
    let end = start.saturating_add(slot.batch_count.get().into());
    (start, msh.batches.items.get(start..end).unwrap_or_default())
}

fn check_work(msh: &Msh<'_>, instances: &[SlotInstance]) -> Result<(), FormatError> {
    let mut budget = msh.file.len().saturating_mul(WORK_PER_BYTE).saturating_add(0x1_0000);
    let mut known: HashMap<usize, u64> = HashMap::new();
    for SlotInstance { slot, .. } in instances {
        let work = *known.entry(*slot).or_insert_with(|| {
            let work = batches_of(msh, *slot)
                .1
                .iter()
                .map(|batch| u64::from(batch.index_count.get()).saturating_add(1));
            work.fold(1, u64::saturating_add)
        });
        let Some(left) = budget.checked_sub(work) else {
            return Err(msh.slots.view.error(msh.slots.at(*slot), MshProblem::TooMuchWork));
        };
        budget = left;
    }
    Ok(())
}

/// How vertices are laid out in memory.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// Whether to light the model, because it has normals.
    lit: bool,
    colored: bool,
}

impl Layout {
    fn of(msh: &Msh<'_>, options: ParseOptions<'_>) -> Self {
        Self { lit: msh.normals.is_some(), colored: options.has(VERTEX_COLORS) && msh.colors.is_some() }
    }

    fn vertex_type(self) -> VertexType {
        VertexType {
            texcoord: ComponentFormat::FLOAT,
            color: if self.colored { ColorFormat::ABGR8888 } else { ColorFormat::NONE },
            normal: ComponentFormat::BITS8,
            position: ComponentFormat::FLOAT,
            index: IndexFormat::BITS16,
            ..VertexType::default()
        }
    }

    /// Returns a vertex's size in bytes.
    const fn size(self) -> u32 {
        if self.colored { 28 } else { 24 }
    }

    /// Encodes all vertices: texture coordinates, colour, normal, position. Missing coordinates become 0, missing
    /// normals +z.
    fn vertices(self, msh: &Msh<'_>) -> Vec<u8> {
        let mut out = Vec::with_capacity(msh.positions.len().saturating_mul(self.size() as usize));
        for (number, position) in msh.positions.iter().enumerate() {
            let texcoord = msh.texcoords.as_ref().and_then(|texcoords| texcoords.items.get(number));
            let texcoord = texcoord.map_or([0; 2], |texcoord| texcoord.map(|part| part.get()));
            for part in texcoord {
                out.extend((f32::from(part) / 1024.0).to_le_bytes());
            }
            if self.colored {
                let color = msh.colors.as_ref().and_then(|colors| colors.items.get(number).copied());
                out.extend(color.unwrap_or([0xFF; 4]));
            }
            let normal = msh.normals.as_ref().and_then(|normals| normals.items.get(number).copied());
            let [x, y, z, _] = normal.unwrap_or([0, 0, 127, 0]);
            out.extend([x, y, z, 0].map(i8::cast_unsigned));
            for coordinate in position {
                out.extend(coordinate.get().to_le_bytes());
            }
        }
        out
    }
}

/// Stores box corners for all drawn slots. This skips a box that does not contain its slot's vertices, because its
/// test could hide visible vertices.
fn store_boxes(
    msh: &Msh<'_>,
    instances: &[SlotInstance],
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<HashMap<usize, Address>, FormatError> {
    let mut boxes = HashMap::new();
    let mut seen = vec![false; msh.slots.items.len()];
    for &SlotInstance { slot, .. } in instances {
        let (Some(seen @ false), Some(raw)) = (seen.get_mut(slot), msh.slots.items.get(slot)) else {
            continue;
        };
        *seen = true;
        let [min, max] = [raw.min, raw.max].map(|corner| corner.map(|part| part.get()));
        if !box_contains_slot(msh, slot, min, max) {
            let at = msh.slots.at(slot).saturating_add(8);
            warnings.push(msh.slots.view.error(at, MshProblem::OutsideBox(slot)));
            continue;
        }
        let mut corners = Vec::with_capacity(96);
        for z in [min[2], max[2]] {
            for y in [min[1], max[1]] {
                for x in [min[0], max[0]] {
                    corners.extend([x, y, z].into_iter().flat_map(f32::to_le_bytes));
                }
            }
        }
        boxes.insert(slot, loader.store(msh.slots.view, msh.slots.at(slot), &corners)?);
    }
    Ok(boxes)
}

/// Returns whether a box contains all of a slot's vertices.
fn box_contains_slot(msh: &Msh<'_>, slot: usize, min: [f32; 3], max: [f32; 3]) -> bool {
    batches_of(msh, slot).1.iter().all(|batch| {
        let base = batch.base_vertex.get() as usize;
        msh.indices_of(batch).unwrap_or_default().iter().all(|index| {
            let vertex = msh.positions.get(base.saturating_add(index.get().into()));
            vertex.is_none_or(|vertex| {
                let sides = vertex.iter().zip(min.iter().zip(&max));
                sides.into_iter().all(|(at, (min, max))| (*min..=*max).contains(&at.get()))
            })
        })
    })
}

/// A slot's list, and where each batch is in it.
#[derive(Clone, Debug)]
struct SlotList {
    start: Address,
    /// For each batch, its material and texture, and where its commands start and end.
    batches: Vec<(u16, Option<usize>, Address, Address)>,
}

/// Writes the lists.
struct ModelList<'a> {
    state: StateWriter,
    /// Available memory in bytes.
    room: u32,
    msh: &'a Msh<'a>,
    layout: Layout,
    vertices: Address,
    indices: Address,
    surfaces: &'a HashMap<u16, Surface>,
    textures: &'a [crate::formats::parkan::texm::LoadedTexture],
}

impl ModelList<'_> {
    /// Writes a slot's list: the vertex layout, then for each batch its material and triangles.
    fn slot(&mut self, slot: usize) -> Result<SlotList, FormatError> {
        let start = self.state.here();
        self.state.list_mut().write(self.layout.vertex_type());
        let (_, batches) = batches_of(self.msh, slot);
        // The list may be called after any other, so it can rely on no state.
        self.state.forget_all();
        let (mut base_before, mut next_index) = (None, None);
        let mut out = Vec::new();
        for batch in batches.iter().filter(|batch| batch.index_count.get() > 0) {
            let from = if out.is_empty() { start } else { self.state.here() };
            let material = batch.material.get();
            let surface = self.surfaces.get(&material).copied().unwrap_or_default();
            let texture = surface.texture.and_then(|number| self.textures.get(number));
            for command in surface.commands(texture, self.layout.colored) {
                self.state.set(command);
            }
            if let Some(loaded) = texture {
                self.state.select_texture(loaded.texture.index, || loaded.commands());
            }
            let base = batch.base_vertex.get();
            if base_before.replace(base) != Some(base) {
                let offset = base.saturating_mul(self.layout.size());
                self.state.list_mut().address(Opcode::VADDR, self.vertices.offset(offset));
            }
            // A draw advances the index pointer, so consecutive batches need no IADDR.
            let (first, count) = (batch.index_start.get(), batch.index_count.get());
            if next_index.replace(first.saturating_add(count.into())) != Some(first) {
                self.state.list_mut().address(Opcode::IADDR, self.indices.offset(first.saturating_mul(2)));
            }
            self.state.list_mut().prim(PrimitiveType::TRIANGLES, count);
            out.push((material, surface.texture.filter(|_| texture.is_some()), from, self.state.here()));
            self.state.check_room(self.room, self.msh.file)?;
        }
        self.state.list_mut().set(Opcode::RET, 0);
        if let Some((.., end)) = out.last_mut() {
            *end = self.state.here();
        }
        Ok(SlotList { start, batches: out })
    }

    /// Writes state common to all slots.
    fn begin(&mut self) {
        self.state.list_mut().set(Opcode::OFFSETADDR, 0);
        self.state.push_all(state::defaults(self.layout.lit));
    }

    /// Writes a node's matrix, its box test, and the call of its slot.
    fn node(
        &mut self,
        node: Option<usize>,
        list: &SlotList,
        corners: Option<Address>,
        matrix: &Affine,
        slot: usize,
        parts: &mut Vec<Part>,
    ) -> Result<(), FormatError> {
        if list.batches.is_empty() {
            return Ok(());
        }
        let bone = node.and_then(|node| u32::try_from(node).ok());
        // A command to set the matrix number precedes the twelve data commands.
        let at = self.state.here().offset(4);
        let upload = MatrixUpload { matrix: Matrix::World, slot: 0, bone, binding: IDENTITY, at };
        self.state.list_mut().matrix(Matrix::World, 0, matrix);
        let call = match corners {
            Some(corners) => self.state.call_if_visible(corners, list.start),
            None => self.state.call(list.start),
        };
        for (material, texture, from, to) in &list.batches {
            parts.push(Part {
                list: *from..*to,
                call,
                mesh: slot,
                group: parts.len(),
                material: usize::from(*material),
                texture: *texture,
                palette: [None; 8],
                weights: 0,
                uploads: vec![upload],
            });
        }
        self.state.check_room(self.room, self.msh.file)
    }
}

/// Converts nodes to bones. Their rest pose is the fallback key.
fn skeleton(msh: &Msh<'_>, tracks: &Tracks) -> Option<Skeleton> {
    let Nodes::Known(nodes) = &msh.nodes else { return None };
    let bone = |(index, (node, local)): (usize, (&raw::Node, Affine))| Bone {
        id: u32::try_from(index).unwrap_or(u32::MAX),
        name: msh.names.get(index).cloned().flatten(),
        parent: Some(node.parent.get()).filter(|&parent| parent != NONE).map(usize::from),
        local,
    };
    Skeleton::new(nodes.items.iter().zip(tracks.rest()).enumerate().map(bone).collect())
}

/// Creates the model's animation, if any node moves.
fn animation(msh: &Msh<'_>, tracks: Tracks) -> Vec<Animation> {
    let moving = tracks.moving();
    if moving == 0 {
        return Vec::new();
    }
    vec![Animation {
        name: None,
        frames: msh.frames,
        frames_per_second: None,
        channels: moving,
        keys: msh.keys.as_ref().map_or(0, |keys| keys.items.len()),
        sampler: std::sync::Arc::new(tracks),
    }]
}

/// Collects all material numbers, sorted and without duplicates.
fn materials_of(msh: &Msh<'_>) -> Vec<u16> {
    let mut materials: Vec<u16> = msh.batches.items.iter().map(|batch| batch.material.get()).collect();
    materials.sort_unstable();
    materials.dedup();
    materials
}

/// Counts this file's contents, without its companions.
fn info(msh: &Msh<'_>) -> ModelInfo {
    let batches = &msh.batches.items;
    let triangles = batches.iter().map(|batch| usize::from(batch.index_count.get() / 3));
    let slot_refs = match &msh.nodes {
        Nodes::Known(nodes) => {
            let slots = nodes.items.iter().flat_map(|node| node.slots.as_flattened());
            slots.filter(|slot| slot.get() != NONE).count()
        }
        Nodes::Short(_) => 0,
    };
    let count = |count: usize| count as u64;
    ModelInfo {
        format: "msh",
        version: None,
        meshes: msh.slots.items.len(),
        groups: 0,
        draws: 0,
        vertices: msh.positions.len(),
        triangles: triangles.fold(0, usize::saturating_add),
        materials: materials_of(msh).len(),
        textures: 0,
        bones: msh.nodes.len(),
        extra: vec![
            ("entries", count(msh.entries)),
            ("nodes", count(msh.nodes.len())),
            ("slots", count(msh.slots.items.len())),
            ("slot_refs", count(slot_refs)),
            ("batches", count(batches.len())),
            ("indices", count(msh.indices.items.len())),
            ("descriptors", count(msh.triangles.as_ref().map_or(0, |triangles| triangles.items.len()))),
            ("keys", count(msh.keys.as_ref().map_or(0, |keys| keys.items.len()))),
            ("frames", msh.frames.into()),
            ("map_words", count(msh.map.len())),
            ("res18", msh.colors.is_some().into()),
        ],
    }
}
