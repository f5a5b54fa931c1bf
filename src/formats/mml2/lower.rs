//! Lowers a parsed model: expands vertices, writes a display list per submesh and material, and a list to call them.
//!
//! Vertices keep the file's numbers: 16-bit positions and 8-bit texture coordinates in texels. Matrices and the
//! texture scale take their factors. If a submesh shares vertices with others, its vertices have weights, with a
//! bone matrix for each bone and scale.
//!
//! # Invariants
//! This parses no file data, and writes state only if it changes. Source:
//! [as GE state](crate::reference::formats::mml2#as-ge-state).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::pages::Pages;
use super::parsed::{Corner, Face, Joint, Mesh, ParsedModel};
use super::sampler;
use super::video::VideoMemory;
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;
use crate::formats::core::loader::Loader;
use crate::formats::core::options::Selection;
use crate::formats::core::problem::Problem;
use crate::formats::core::state_writer::{BONE_SLOTS, StateWriter, off, on, word};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::pixel::{Comparison, MaskedTest};
use crate::ge::registers::texture::{MinificationFilter, TextureFilter, TextureFunc, TextureFunction};
use crate::ge::registers::transform::{Shade, ShadeMode};
use crate::ge::registers::vertex::{ColorFormat, ComponentFormat, IndexFormat, PrimitiveType, VertexType};
use crate::model::matrix::{Affine, IDENTITY, scaled, then, translation};
use crate::model::{
    Alternatives, Bone, FileNote, FileNoteKind, LevelOfDetail, MatrixUpload, Model, ModelInfo, Part,
    Skeleton, Up,
};

/// The GE divides 16-bit positions by this. Source:
/// [component decoding](crate::reference::ge::vertices#component-decoding).
const POSITION_ONE: f32 = 32768.0;
/// The 8-bit weight 1.0. Source: [component decoding](crate::reference::ge::vertices#component-decoding).
const WEIGHT_ONE: u8 = 128;
/// Bytes in the largest vertex component. A vertex's size must be a multiple of this.
const VERTEX_ALIGNMENT: usize = 4;

/// Which matrix a vertex needs: its bone, and its submesh's scale exponent.
type MatrixKey = (Option<usize>, i8);

/// Faces that together need no more than eight matrices.
struct FaceBatch<'a> {
    slots: Vec<MatrixKey>,
    faces: Vec<&'a Face>,
}

/// Lowers a parsed model, with textures from video memory.
pub(super) fn lower(
    parsed: ParsedModel,
    video: &VideoMemory,
    file: View<'_>,
    selection: Selection,
) -> Result<Model, FormatError> {
    let ParsedModel { bones, levels, materials, animation, unit: [x, y, z], fields, mut warnings, .. } =
        parsed;
    let mut notes = Vec::new();
    // Half a turn around x, because y points down on the console. Two signs change, so windings stay.
    let to_model = scaled(IDENTITY, [x, -y, -z]);
    let mut loader = Loader::new();
    let pages = Pages::load(&materials, video, &mut loader, file, &mut notes)?;
    let skeleton = skeleton(&bones, to_model);
    let alternatives = alternatives(&levels);
    let level = alternatives.nearest_level(selection.level_of_detail);
    let group = alternatives.group_or_default(level, selection.group);
    let meshes = levels.get(level).map(Vec::as_slice).unwrap_or_default();

    // Vertices and indices come first, then all lists.
    let mut prepared = Vec::new();
    for mesh in meshes {
        for batch in batches(mesh) {
            let packed = pack(mesh, &batch);
            let vertices = loader.store(file, 0, &packed.vertices)?;
            let indices = loader.store(file, 0, &packed.indices)?;
            prepared.push((mesh, batch, packed, vertices, indices));
        }
    }
    let (start, room) = loader.room();
    let mut list = ListBuilder::new(start);
    let mut lists = Vec::new();
    for (_, batch, packed, vertices, indices) in &prepared {
        let mut subs = Vec::new();
        let mut indices = *indices;
        for run in &packed.runs {
            let start = list.here();
            list.write(vertex_type(batch.slots.len()));
            list.address(Opcode::VADDR, *vertices).address(Opcode::IADDR, indices);
            list.prim(PrimitiveType::TRIANGLES, run.corners);
            list.set(Opcode::RET, 0);
            indices = indices.offset(u32::from(run.corners).saturating_mul(2));
            subs.push((start..list.here(), run));
        }
        lists.push(subs);
    }

    let entry = list.here();
    let mut writer = ModelList::new(list, &pages, to_model, skeleton.as_ref());
    let mut parts = Vec::new();
    let mut info = ModelInfo {
        format: "mml2",
        materials: materials.len(),
        textures: pages.textures.len(),
        bones: bones.len(),
        ..ModelInfo::default()
    };
    let mut hidden = 0usize;
    let mut previous_mesh = None;
    for ((mesh, batch, packed, ..), subs) in prepared.iter().zip(lists) {
        let is_drawn = selection.hidden || is_in_group(mesh, group);
        if previous_mesh.replace(mesh.number) != Some(mesh.number) {
            info.meshes = info.meshes.saturating_add(usize::from(is_drawn));
            hidden = hidden.saturating_add(usize::from(!is_drawn));
        }
        if !is_drawn {
            // The lists stay in memory for callers that want to draw them.
            continue;
        }
        info.vertices = info.vertices.saturating_add(packed.count);
        for (list, run) in subs {
            info.triangles = info.triangles.saturating_add(usize::from(run.corners / 3));
            parts.push(writer.call([mesh.number, parts.len()], batch, list, run));
        }
    }
    info.groups = parts.len();
    info.draws = parts.len();
    writer.state.list_mut().set(Opcode::RET, 0);
    let bytes = writer.state.bytes();
    if bytes > room.into() {
        return Err(file.error(parsed.offset, Problem::OutOfMemory(bytes)));
    }
    writer.state.list().store(loader.memory_mut());
    if hidden > 0 {
        let message =
            format!("{hidden} submeshes are hidden or alternatives; selecting hidden parts draws them all");
        notes.push(FileNote::new(FileNoteKind::HiddenParts, message));
    }
    let offsets = bones.iter().map(|joint| (joint.id, joint.offset.map(f32::from))).collect();
    let animations = sampler::animations(animation, offsets, to_model);
    let (memory, sources) = loader.finish();
    let textures = pages.textures;
    notes.extend(std::mem::take(&mut warnings).notes());
    Ok(Model {
        memory,
        entry,
        sources,
        info,
        parts,
        textures,
        skeleton,
        animations,
        fields,
        notes,
        alternatives,
        up: Up::Y,
    })
}

/// Returns whether a group draws this submesh. It must not be hidden, and must belong to this group or to all.
fn is_in_group(mesh: &Mesh, group: usize) -> bool {
    !mesh.hidden && mesh.alternative.is_none_or(|alternative| alternative == group)
}

/// Finds the levels of detail that have submeshes, and their groups.
fn alternatives(levels: &[Vec<Mesh>]) -> Alternatives {
    let describe = |(level, meshes): (usize, &Vec<Mesh>)| {
        let numbers = meshes.iter().map(|mesh| mesh.alternative.unwrap_or(0));
        let groups: BTreeSet<usize> = numbers.collect();
        (!meshes.is_empty()).then(|| LevelOfDetail {
            level,
            groups: groups.into_iter().collect(),
            hidden_meshes: meshes.iter().filter(|mesh| !is_in_group(mesh, 0)).count(),
        })
    };
    Alternatives { levels_of_detail: levels.iter().enumerate().filter_map(describe).collect() }
}

/// Builds an upright skeleton in metres. Returns `None` for models without bones.
fn skeleton(joints: &[Joint], to_model: Affine) -> Option<Skeleton> {
    if joints.is_empty() {
        return None;
    }
    let bone = |joint: &Joint| {
        let local = translation(joint.offset.map(f32::from));
        let local = if joint.parent.is_none() { then(&local, &to_model) } else { local };
        Bone { id: joint.id, name: None, parent: joint.parent, local }
    };
    Skeleton::new(joints.iter().map(bone).collect())
}

/// Splits a submesh's faces into batches with at most eight matrices. A single batch nearly always suffices.
fn batches(mesh: &Mesh) -> Vec<FaceBatch<'_>> {
    let own = (mesh.bone, mesh.scale);
    let mut batches: Vec<FaceBatch<'_>> = Vec::new();
    for face in &mesh.faces {
        let used = face.triangles().flatten().filter_map(|corner| mesh.vertices.get(corner.vertex));
        let mut needed: Vec<MatrixKey> = used.map(|vertex| (vertex.bone, vertex.scale)).collect();
        needed.sort_unstable();
        needed.dedup();
        let missing = |slots: &[MatrixKey]| needed.iter().filter(|slot| !slots.contains(slot)).count();
        let fits = batches
            .last()
            .is_some_and(|last| last.slots.len().saturating_add(missing(&last.slots)) <= BONE_SLOTS);
        if !fits {
            batches.push(FaceBatch { slots: vec![own], faces: Vec::new() });
        }
        if let Some(last) = batches.last_mut() {
            for slot in needed {
                if !last.slots.contains(&slot) {
                    last.slots.push(slot);
                }
            }
            last.faces.push(face);
        }
    }
    batches
}

/// A batch in the GE's vertex and index formats.
struct PackedBatch {
    vertices: Vec<u8>,
    /// How many vertices there are.
    count: usize,
    indices: Vec<u8>,
    runs: Vec<IndexRun>,
}

/// Indices to draw together, by their own list.
struct IndexRun {
    material: usize,
    /// Whether the faces have flags.
    is_flagged: bool,
    corners: u16,
}

/// Numbers each distinct pair of vertex and texture coordinates, and groups faces by material and flags.
fn pack(mesh: &Mesh, batch: &FaceBatch<'_>) -> PackedBatch {
    let mut numbers: HashMap<Corner, u16> = HashMap::new();
    let mut vertices = Vec::new();
    let mut by_state: BTreeMap<(usize, bool), Vec<u16>> = BTreeMap::new();
    for face in &batch.faces {
        let run = by_state.entry((face.material, face.flags != 0)).or_default();
        for corner in face.triangles().flatten() {
            let next = u16::try_from(numbers.len()).unwrap_or(u16::MAX);
            let number = *numbers.entry(corner).or_insert_with(|| {
                write_vertex(&mut vertices, mesh, &batch.slots, corner);
                next
            });
            run.push(number);
        }
    }
    let corners = |run: &Vec<u16>| u16::try_from(run.len()).unwrap_or(u16::MAX);
    let runs = by_state.iter().map(|(&(material, is_flagged), run)| IndexRun {
        material,
        is_flagged,
        corners: corners(run),
    });
    PackedBatch {
        runs: runs.collect(),
        count: numbers.len(),
        indices: by_state.values().flatten().flat_map(|number| number.to_le_bytes()).collect(),
        vertices,
    }
}

/// Appends a vertex: weights if there are several matrices, then texture coordinates, colour and position.
fn write_vertex(out: &mut Vec<u8>, mesh: &Mesh, slots: &[MatrixKey], corner: Corner) {
    let Some(vertex) = mesh.vertices.get(corner.vertex) else { return };
    if slots.len() > 1 {
        let weight = |slot: &MatrixKey| if *slot == (vertex.bone, vertex.scale) { WEIGHT_ONE } else { 0 };
        out.extend(slots.iter().map(weight));
    }
    out.extend(corner.uv);
    out.resize(out.len().next_multiple_of(VERTEX_ALIGNMENT), 0);
    out.extend(vertex.color);
    out.push(0xFF);
    out.extend(vertex.position.into_iter().flat_map(i16::to_le_bytes));
    out.resize(out.len().next_multiple_of(VERTEX_ALIGNMENT), 0);
}

fn vertex_type(slots: usize) -> VertexType {
    let has_weights = slots > 1;
    VertexType {
        texcoord: ComponentFormat::BITS8,
        color: ColorFormat::ABGR8888,
        position: ComponentFormat::BITS16,
        weight: if has_weights { ComponentFormat::BITS8 } else { ComponentFormat::NONE },
        weight_count: u8::try_from(slots.saturating_sub(1)).unwrap_or(0),
        index: IndexFormat::BITS16,
        ..VertexType::default()
    }
}

/// Writes the list to call all sub-lists.
struct ModelList<'a> {
    /// Knows matrices by their [`MatrixKey`]; `None` is the identity.
    state: StateWriter<Option<MatrixKey>>,
    pages: &'a Pages,
    to_model: Affine,
    skeleton: Option<&'a Skeleton>,
    /// World matrices for the bones in the rest pose.
    rest: Vec<Affine>,
    /// The texture in the previous call, to set it only if it changes.
    texture: Option<Option<usize>>,
}

impl<'a> ModelList<'a> {
    fn new(
        mut list: ListBuilder,
        pages: &'a Pages,
        to_model: Affine,
        skeleton: Option<&'a Skeleton>,
    ) -> Self {
        list.set(Opcode::OFFSETADDR, 0);
        for command in defaults() {
            list.push(command);
        }
        // Coordinates are texels on a page of 256 x 256, and the GE divides them by 128. The offset is half a texel.
        for opcode in [Opcode::TEXSCALEU, Opcode::TEXSCALEV] {
            list.float(opcode, 0.5);
        }
        for opcode in [Opcode::TEXOFFSETU, Opcode::TEXOFFSETV] {
            list.float(opcode, 1.0 / 512.0);
        }
        let rest = skeleton.map(|skeleton| skeleton.world(&skeleton.rest())).unwrap_or_default();
        Self { state: StateWriter::new(list), pages, to_model, skeleton, rest, texture: None }
    }

    /// Sets the state for the list of a run, and calls it.
    fn call(
        &mut self,
        [mesh, group]: [usize; 2],
        batch: &FaceBatch<'_>,
        list: std::ops::Range<Address>,
        run: &IndexRun,
    ) -> Part {
        let texture = self.pages.by_material.get(run.material).copied().flatten();
        if self.texture.replace(texture) != Some(texture) {
            self.state.list_mut().set(Opcode::TEXENABLE, u32::from(texture.is_some()));
            if let Some(found) = texture.and_then(|index| self.pages.textures.get(index)) {
                self.state.texture(found);
            }
        }
        // Faces with flags may be meant to be two-sided.
        self.state.set(Command::new(Opcode::CULLENABLE, u32::from(!run.is_flagged)));
        let uploads = self.matrices(&batch.slots);
        let call = self.state.call(list.start);
        let mut palette = [None; BONE_SLOTS];
        let is_weighted = batch.slots.len() > 1;
        if is_weighted {
            for (entry, (bone, _)) in palette.iter_mut().zip(&batch.slots) {
                *entry = self.id(*bone);
            }
        }
        Part {
            list,
            call,
            mesh,
            group,
            material: run.material,
            texture,
            palette,
            weights: if is_weighted { batch.slots.len() } else { 0 },
            uploads,
        }
    }

    /// Returns a bone's id, as used in the model's parts.
    fn id(&self, bone: Option<usize>) -> Option<u32> {
        Some(self.skeleton?.bones().get(bone?)?.id)
    }

    /// Uploads WORLD if a single matrix suffices, else bone matrices.
    fn matrices(&mut self, slots: &[MatrixKey]) -> Vec<MatrixUpload> {
        if let [slot] = slots {
            return self.upload(Matrix::World, 0, *slot).into_iter().collect();
        }
        self.state.matrix(Matrix::World, 0, None, || IDENTITY);
        let slots = slots.iter().enumerate();
        slots.filter_map(|(number, slot)| self.upload(Matrix::Bone, number, *slot)).collect()
    }

    fn upload(&mut self, matrix: Matrix, slot: usize, (bone, scale): MatrixKey) -> Option<MatrixUpload> {
        let id = self.id(bone);
        let binding = || {
            let factor = POSITION_ONE * libm::exp2f(f32::from(scale));
            let numbers = scaled(IDENTITY, [factor; 3]);
            // Without a bone, the matrix itself must convert to model space.
            if id.is_some() { numbers } else { then(&numbers, &self.to_model) }
        };
        let rest = bone.and_then(|bone| self.rest.get(bone));
        let full = || rest.map_or_else(binding, |rest| then(&binding(), rest));
        let at = self.state.matrix(matrix, slot, Some((bone, scale)), full)?;
        Some(MatrixUpload { matrix, slot, bone: id, binding: binding(), at })
    }
}

/// State common to all parts. As on the console, texels are multiplied by colours with 0x80 as 1.0, blending is off,
/// and the filter is nearest.
fn defaults() -> [Command; 25] {
    let filter = TextureFilter { minification: MinificationFilter::NEAREST, magnify_linear: false };
    let function = TextureFunc { function: TextureFunction::MODULATE, use_alpha: true, double: true };
    let alpha = MaskedTest { function: Comparison::GREATER, reference: 0, mask: 0xFF };
    [
        off(Opcode::LIGHTINGENABLE),
        on(Opcode::DEPTHCLAMPENABLE),
        off(Opcode::FOGENABLE),
        off(Opcode::DITHERENABLE),
        off(Opcode::BLENDENABLE),
        on(Opcode::ALPHATESTENABLE),
        on(Opcode::ZTESTENABLE),
        off(Opcode::ZWRITEDISABLE),
        off(Opcode::ANTIALIASENABLE),
        off(Opcode::PATCHCULLENABLE),
        off(Opcode::COLORTESTENABLE),
        off(Opcode::LOGICOPENABLE),
        off(Opcode::REVERSENORMAL),
        off(Opcode::MATERIALUPDATE),
        off(Opcode::TEXMAPMODE),
        off(Opcode::TEXWRAP),
        off(Opcode::TEXLEVEL),
        // Counter-clockwise is the front.
        off(Opcode::CULL),
        word(Shade { mode: ShadeMode::GOURAUD }),
        word(filter),
        word(function),
        alpha.to(Opcode::ALPHATEST),
        // White ambient light, for lists that enable lighting.
        Command::new(Opcode::AMBIENTCOLOR, 0x00FF_FFFF),
        Command::new(Opcode::AMBIENTALPHA, 0xFF),
        Command::new(Opcode::MATERIALALPHA, 0xFF),
    ]
}
