//! Reads entities: models with bones, levels of detail and clips. Source:
//! [EBD entities](crate::reference::formats::mml2#ebd-entities), [model](crate::reference::formats::mml2#model) and
//! [bones](crate::reference::formats::mml2#bones).

use std::cell::Cell;
use std::collections::BTreeMap;

use super::clips::{self, AnimationData, KeySetSource};
use super::mesh::{self, MeshSource, WeldSlots};
use super::parsed::{Joint, Material, Mesh, ParsedModel};
use super::pointers::PointerSpace;
use super::problem::{Mml2Problem, unreadable};
use super::raw;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::model::Field;

/// A payload with a larger count holds animations for entities in other files.
const MAX_ENTITIES: u32 = 255;
/// Larger bone counts are invalid.
const MAX_BONES: u8 = 64;
/// Material numbers have two bits.
const MAX_MATERIALS: u64 = 4;
/// The fixed-point scale 1.0. Source: [model](crate::reference::formats::mml2#model).
const SCALE_ONE: f32 = 4096.0;
/// Metres per unit at scale 1.0.
const METRES: f32 = 0.01;
/// The scale for characters.
const USUAL_SCALE: u16 = 0x0200;
/// Link flag: initially hidden.
const HIDDEN: u8 = 0x80;
/// Link flag: the submesh has welded vertices.
const WELDED: u8 = 0x40;

/// Reads a payload's entities.
#[derive(Debug)]
pub(super) struct List<'a> {
    space: PointerSpace<'a>,
    pub(super) entries: Vec<raw::Entry>,
    /// Key set tables by pointer.
    tables: BTreeMap<u32, Vec<u32>>,
    /// Where any data start, sorted, to find where data end.
    boundaries: Vec<u64>,
    /// How many vertices, faces and frames all entities together may still read. This limits the work if entities
    /// share data.
    budget: Cell<u64>,
}

/// Tells a list of entities from animations for entities in other files.
pub(super) fn is_list(view: View<'_>) -> bool {
    let Ok(count) = view.word(0) else { return false };
    let Ok(entries) = view.array::<raw::Entry>(4, count.into()) else { return false };
    // A single good entry suffices, so that a damaged entry does not lose the others.
    let is_good = |entry: &raw::Entry| {
        let model = u64::from(entry.model.get());
        model >= 4 && model.is_multiple_of(4) && model < view.len()
    };
    (1..=MAX_ENTITIES).contains(&count) && entries.iter().any(is_good)
}

impl<'a> List<'a> {
    /// Reads the list and its key set tables. [`is_list`] must be true.
    pub(super) fn read(view: View<'a>) -> Result<Self, FormatError> {
        let count = view.word(0)?;
        let entries: &[raw::Entry] = view.array(4, count.into())?;
        let space = PointerSpace { view, base: 0 };
        let mut tables = BTreeMap::new();
        let mut boundaries = Vec::new();
        for entry in entries {
            let pointers = [entry.model.get(), entry.tracks.get(), entry.control.get()];
            boundaries
                .extend(pointers.iter().filter(|pointer| **pointer != 0).map(|pointer| u64::from(*pointer)));
            let pointer = entry.tracks.get();
            // Errors are reported when the entity itself is read.
            if let (false, Ok(table)) =
                (tables.contains_key(&pointer), clips::read_table(space, u64::from(pointer)))
                && pointer != 0
            {
                boundaries.extend(table.iter().map(|pointer| u64::from(*pointer)));
                tables.insert(pointer, table);
            }
        }
        boundaries.sort_unstable();
        boundaries.dedup();
        // This suffices for any file that shares little data, and allows a moderate amount of sharing.
        let budget = Cell::new(view.len().saturating_mul(4).saturating_add(0x1_0000));
        Ok(Self { space, entries: entries.to_vec(), tables, boundaries, budget })
    }

    fn spend(&self, work: u64, at: u64) -> Result<(), FormatError> {
        let left = self.budget.get().checked_sub(work);
        self.budget.set(left.ok_or_else(|| self.space.view.error(at, Mml2Problem::TooMuchWork))?);
        Ok(())
    }

    /// Returns where an entity's model starts in the view.
    pub(super) fn model_at(&self, index: usize) -> u64 {
        self.entries.get(index).map_or(0, |entry| u64::from(entry.model.get()))
    }

    /// Returns how many bytes lie between an entity's model and the next known data.
    pub(super) fn extent(&self, index: usize) -> u64 {
        let start = self.model_at(index);
        let next =
            self.boundaries.get(self.boundaries.partition_point(|boundary| *boundary <= start)).copied();
        next.unwrap_or(self.space.view.len()).saturating_sub(start)
    }

    /// Reads an entity. Parts that cannot be read are left out with a warning.
    ///
    /// # Errors
    /// If it has no submesh to draw, or takes too much work.
    pub(super) fn entity(&self, index: usize) -> Result<ParsedModel, FormatError> {
        let (space, view) = (self.space, self.space.view);
        let entry_at = (index as u64).saturating_mul(16).saturating_add(4);
        let entry: raw::Entry = view.read(entry_at)?;
        let bytes = size_of::<raw::Model>() as u64;
        let pointer = entry.model.get();
        let at = space.resolve("model", pointer, bytes, entry_at.saturating_add(4));
        let at =
            at.map_err(|error| FormatError { kind: Mml2Problem::ModelPointer(pointer).into(), ..error })?;
        let model: raw::Model = view.read(at)?;
        let mut warnings = Warnings::default();
        let hierarchy = Hierarchy::read(space, at, &model, &mut warnings).unwrap_or_else(|error| {
            warnings.push(error);
            Hierarchy::default()
        });
        let materials = materials(space, at, &model, &mut warnings).unwrap_or_else(|error| {
            warnings.push(error);
            Vec::new()
        });
        let mut levels = Vec::new();
        for level in 0..3 {
            match self.level(at, &model, level, &hierarchy, materials.len(), &mut warnings) {
                // Too much work must end reading as a whole. Any other error costs only this level.
                Ok(meshes) => levels.push(meshes),
                Err(error) if is_too_much(&error) => return Err(error),
                Err(error) => {
                    warnings.push(unreadable(&error, format!("level of detail {level}")));
                    levels.push(Vec::new());
                }
            }
        }
        if !levels.iter().flatten().any(|mesh| !mesh.faces.is_empty()) {
            return Err(view.error(at, Mml2Problem::NoMeshes));
        }
        let bones = hierarchy.bones.len();
        let animation = match self.animation(&entry, entry_at, bones, &mut warnings) {
            Err(error) if is_too_much(&error) => return Err(error),
            other => other.unwrap_or_else(|error| {
                warnings.push(error);
                AnimationData::default()
            }),
        };
        let scales = model.scale.map(zerocopy::little_endian::U16::get);
        if scales.contains(&0) {
            warnings.push(view.error(at.saturating_add(0x30), Mml2Problem::NoScale));
        }
        // A scale of 0 would make the model flat, so another axis's scale replaces it.
        let usual = scales.into_iter().find(|scale| *scale != 0).unwrap_or(USUAL_SCALE);
        let scale =
            scales.map(|scale| f32::from(if scale == 0 { usual } else { scale }) / SCALE_ONE * METRES);
        if model.zero.get() != 0 {
            warnings.push(view.error(at.saturating_add(0x36), Mml2Problem::NotZero));
        }
        let mut fields = fields(view, entry_at, &entry, at, &model, &hierarchy);
        fields.extend(animation.fields());
        Ok(ParsedModel {
            offset: view.file_offset(at),
            unit: scale,
            bones: hierarchy.bones,
            levels,
            materials,
            animation,
            fields,
            warnings,
        })
    }

    fn animation(
        &self,
        entry: &raw::Entry,
        entry_at: u64,
        bones: usize,
        warnings: &mut Warnings,
    ) -> Result<AnimationData, FormatError> {
        if entry.tracks.get() == 0 || bones == 0 {
            return Ok(AnimationData::default());
        }
        let space = self.space;
        let at = space.resolve("key sets", entry.tracks.get(), 4, entry_at.saturating_add(8))?;
        // The list has read most tables already. If it failed to read this table, this attempt returns the error.
        let table = match self.tables.get(&entry.tracks.get()) {
            Some(table) => table,
            None => &clips::read_table(space, at)?,
        };
        let clips = match entry.control.get() {
            0 => None,
            pointer => Some((space, space.resolve("clips", pointer, 4, entry_at.saturating_add(0xC))?)),
        };
        let source = KeySetSource { space, table, at, boundaries: &self.boundaries, bones: bones as u64 };
        let animation = clips::read(source, clips, warnings)?;
        self.spend(animation.length(), at)?;
        Ok(animation)
    }

    /// Reads the submeshes for a level of detail.
    fn level(
        &self,
        at: u64,
        model: &raw::Model,
        level: usize,
        hierarchy: &Hierarchy,
        materials: usize,
        warnings: &mut Warnings,
    ) -> Result<Vec<Mesh>, FormatError> {
        let (space, view) = (self.space, self.space.view);
        let count = model.meshes.get(level).copied().unwrap_or(0);
        if count == 0 {
            return Ok(Vec::new());
        }
        let pointer =
            |table: &[zerocopy::little_endian::U32; 3]| table.get(level).map_or(0, |word| word.get());
        let step = (level as u64).saturating_mul(4);
        let bytes = u64::from(count).saturating_mul(16);
        let table = space.resolve(
            "submeshes",
            pointer(&model.tables),
            bytes,
            at.saturating_add(4).saturating_add(step),
        )?;
        let headers: &[raw::Mesh] = view.array(table, count.into())?;
        let vertices = headers.iter().map(|header| u64::from(header.vertices)).fold(0, u64::saturating_add);
        let field = at.saturating_add(0x20).saturating_add(step);
        let colors = space.resolve("colours", pointer(&model.colors), vertices.saturating_mul(4), field);
        let mut colors_at = colors.map_err(|error| warnings.push(error)).ok();
        let faces = |header: &raw::Mesh| u64::from(header.triangles).saturating_add(header.quads.into());
        self.spend(headers.iter().map(faces).fold(vertices, u64::saturating_add), table)?;
        // Welds reach across submeshes, so all submeshes in a level share these slots.
        let mut welds = WeldSlots::new();
        let mut meshes = Vec::new();
        for ((number, header), header_at) in headers.iter().enumerate().zip((table..).step_by(16)) {
            let link = hierarchy.link(number);
            if link.is_none() && !hierarchy.bones.is_empty() {
                warnings.push(view.error(header_at, Mml2Problem::NoLink(number)));
            }
            // A submesh without a link uses the root.
            let bone =
                if hierarchy.bones.is_empty() { None } else { Some(link.map_or(0, |link| link.bone.into())) };
            let source = MeshSource { number, header: *header, at: header_at, colors_at, bone, materials };
            let mut mesh = mesh::read(space, source, &mut welds, warnings).unwrap_or_else(|error| {
                warnings.push(unreadable(&error, format!("submesh {number}")));
                Mesh { number, ..Mesh::default() }
            });
            let flags = link.map_or(0, |link| link.flags);
            mesh.hidden = flags & HIDDEN != 0;
            if mesh.weld_codes > 0 && flags & WELDED == 0 {
                warnings.push(view.error(colors_at.unwrap_or(0), Mml2Problem::UnflaggedWeld(number)));
            }
            // All submeshes' colours are stored in a row, so this moves on to the next submesh.
            colors_at = colors_at.map(|at| at.saturating_add(u64::from(header.vertices).saturating_mul(4)));
            meshes.push(mesh);
        }
        Ok(meshes)
    }
}

/// Returns whether an error is about the work, rather than about a damaged part.
fn is_too_much(error: &FormatError) -> bool {
    matches!(error.problem_as(), Some(Mml2Problem::TooMuchWork))
}

/// Bones, and links to attach submeshes to them.
#[derive(Default)]
struct Hierarchy {
    bones: Vec<Joint>,
    links: Vec<raw::Link>,
    /// Where the links are in the view.
    at: u64,
}

impl Hierarchy {
    fn read(
        space: PointerSpace<'_>,
        at: u64,
        model: &raw::Model,
        warnings: &mut Warnings,
    ) -> Result<Self, FormatError> {
        let view = space.view;
        let (skeleton, hierarchy) = (model.skeleton.get(), model.hierarchy.get());
        if skeleton == 0 && hierarchy == 0 {
            return Ok(Self::default());
        }
        let [count, ..] = model.meshes;
        let bytes = u64::from(count).saturating_mul(4);
        let links_at = space.resolve("hierarchy", hierarchy, bytes, at.saturating_add(0x14))?;
        let links: &[raw::Link] = view.array(links_at, count.into())?;
        if links.is_empty() {
            return Ok(Self::default());
        }
        let bones = bone_count(view, links_at, links, warnings);
        let bytes = u64::from(bones).saturating_mul(6);
        let start = space.resolve_aligned("skeleton", skeleton, bytes, at.saturating_add(0x10), 2)?;
        let offsets = view.array(start, bones.into())?;
        let materials = model.materials.get();
        if materials != 0
            && materials.checked_sub(hierarchy).is_some_and(|bytes| bytes / 4 != u32::from(count))
        {
            warnings.push(view.error(at.saturating_add(0x14), Mml2Problem::LinkCount));
        }
        let mut parents: Vec<Option<Option<usize>>> = vec![None; bones.into()];
        for ((number, link), link_at) in links.iter().enumerate().zip((links_at..).step_by(4)) {
            if usize::from(link.mesh) != number {
                warnings.push(view.error(link_at, Mml2Problem::LinkOrder { mesh: link.mesh, number }));
            }
            let missing = |bone| Mml2Problem::NoBone { bone, bones };
            let Some(parent) = parents.get_mut(usize::from(link.bone)) else {
                warnings.push(view.error(link_at.saturating_add(2), missing(link.bone)));
                continue;
            };
            if number > 0 && link.parent >= bones {
                warnings.push(view.error(link_at.saturating_add(1), missing(link.parent)));
            }
            // A bone's first link determines its parent.
            parent.get_or_insert((link.parent < bones).then_some(usize::from(link.parent)));
        }
        if cut_cycles(&mut parents) {
            warnings.push(view.error(links_at, Mml2Problem::Circle));
        }
        let unlinked = parents.iter().filter(|parent| parent.is_none()).count();
        if unlinked > 0 {
            warnings.push(view.error(links_at, Mml2Problem::UnlinkedBones(unlinked)));
        }
        let bones = Joint::list(offsets, parents.into_iter().map(Option::flatten));
        Ok(Self { bones, links: links.to_vec(), at: links_at })
    }

    /// Returns a submesh's link, unless its bone does not exist.
    fn link(&self, mesh: usize) -> Option<&raw::Link> {
        self.links.get(mesh).filter(|link| usize::from(link.bone) < self.bones.len())
    }
}

/// Counts the bones. The root's parent is the number after the last bone. If most links name bones after that, this
/// byte is damaged, and the links decide.
fn bone_count(view: View<'_>, links_at: u64, links: &[raw::Link], warnings: &mut Warnings) -> u8 {
    let stated = links.first().map_or(0, |root| root.parent);
    let known = links.iter().map(|link| link.bone).filter(|bone| *bone < MAX_BONES);
    let named = known.max().map_or(1, |bone| bone.saturating_add(1));
    let fitting = links.iter().filter(|link| link.bone < stated).count();
    if (1..=MAX_BONES).contains(&stated) && fitting.saturating_mul(2) >= links.len() {
        return stated;
    }
    warnings.push(view.error(links_at.saturating_add(1), Mml2Problem::BoneCount { stated, named }));
    named
}

/// Cuts cycles: a bone whose parents lead back to it becomes a root. Returns whether this was necessary.
fn cut_cycles(parents: &mut [Option<Option<usize>>]) -> bool {
    let mut is_cut = false;
    for bone in 0..parents.len() {
        let mut at = Some(bone);
        // After as many steps as bones, any chain without a cycle has ended.
        for _ in 0..parents.len() {
            at = at.and_then(|at| parents.get(at).copied().flatten().flatten());
        }
        if at.is_some()
            && let Some(parent) = parents.get_mut(bone)
        {
            *parent = Some(None);
            is_cut = true;
        }
    }
    is_cut
}

fn materials(
    space: PointerSpace<'_>,
    at: u64,
    model: &raw::Model,
    warnings: &mut Warnings,
) -> Result<Vec<Material>, FormatError> {
    let pointer = model.materials.get();
    if pointer == 0 {
        return Ok(Vec::new());
    }
    let field = at.saturating_add(0x18);
    let [colors, ..] = model.colors;
    // The materials end at the next table.
    let ends = [model.collision.get(), colors.get()].into_iter().filter(|end| *end > pointer);
    let stated = ends.min().and_then(|end| end.checked_sub(pointer)).map_or(0, |bytes| u64::from(bytes / 4));
    let room = space.view.len().saturating_sub(pointer.into()) / 4;
    let count = if stated == 0 { MAX_MATERIALS } else { stated.min(MAX_MATERIALS) }.min(room);
    if stated != count {
        warnings.push(space.view.error(field, Mml2Problem::MaterialCount { stated, used: count }));
    }
    let start = space.resolve("materials", pointer, count.saturating_mul(4), field)?;
    Ok(space.view.array(start, count)?.iter().map(Material::of).collect())
}

/// Keeps values from the model that pspge does not use, to show them to the user.
fn fields(
    view: View<'_>,
    entry_at: u64,
    entry: &raw::Entry,
    at: u64,
    model: &raw::Model,
    hierarchy: &Hierarchy,
) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut field = |name: String, at: u64, value: String| {
        fields.push(Field { name, offset: view.file_offset(at), value });
    };
    field("entity type".to_owned(), entry_at, format!("{:#010x}", entry.kind.get()));
    field("mode".to_owned(), at.saturating_add(3), model.mode.to_string());
    let distances = model.distances.map(zerocopy::little_endian::U16::get);
    field("distances of levels of detail".to_owned(), at.saturating_add(0x2C), format!("{distances:?}"));
    if model.collision.get() != 0 {
        field("collision data".to_owned(), at.saturating_add(0x1C), format!("{:#x}", model.collision.get()));
    }
    if model.face_steps != [0; 4] {
        field("face UV steps".to_owned(), at.saturating_add(0x38), format!("{:?}", model.face_steps));
    }
    for ((number, link), link_at) in hierarchy.links.iter().enumerate().zip((hierarchy.at..).step_by(4)) {
        let role = match link.flags & !(HIDDEN | WELDED) {
            0 => continue,
            1 => "1 (eyes)".to_owned(),
            2 => "2 (mouth)".to_owned(),
            other => format!("{other:#x}"),
        };
        field(format!("flags of submesh {number}"), link_at.saturating_add(3), role);
    }
    fields
}
