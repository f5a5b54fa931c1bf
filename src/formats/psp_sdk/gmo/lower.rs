//! Turns a model in the file into memory and lists.
//! Source: [GMO as GE state](crate::reference::formats::psp_sdk#gmo-as-ge-state).
//!
//! # Invariants
//! Does not parse. Each mesh has a list, which is called for each pass of its material. Bones draw their parts in
//! file order, and those in the second group follow all others.

use std::collections::HashSet;
use std::sync::Arc;

use super::info;
use super::lists::{ListWriter, MeshList};
use super::motion::{self, Patch, Stage, morph_commands, morph_weights};
use super::passes::{
    Coordinates, NO_MATERIAL, Pass, PassState, color_commands, coordinate_commands, defaults, passes,
};
use super::problem::GmoProblem;
use super::raw::command;
use super::read::Gmo;
use super::rig::Rig;
use super::scene::{Bone, Material, Mesh, Motion, Part, Scene, Target, VertexOffset};
use super::textures::TextureLoader;
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::options::OpenOptions;
use crate::formats::core::slice::File;
use crate::formats::core::state_writer::StateWriter;
use crate::formats::psp_sdk::gim::LoadedTexture;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::model::matrix::{Affine, IDENTITY, then};
use crate::model::{Alternatives, FileNote, FileNoteKind, MatrixUpload, Model, Part as DrawnPart, Up};

/// How many vertices all passes together may draw for each byte in the file, to bound the work.
const WORK_PER_BYTE: u64 = 16;
/// The cost of a pass besides its vertices.
const WORK_PER_PASS: u64 = 64;

/// Data from other files, for this model.
pub(super) struct Companions<'a> {
    /// Files with textures, and their roles.
    pub(super) textures: Vec<(FileRole, File<'a>)>,
    /// Motions from other files, with the bones they move.
    pub(super) motions: Vec<(Motion, Vec<Bone>)>,
}

/// Turns the selected model into memory and lists.
pub(super) fn lower(
    gmo: &Gmo<'_>,
    name: &str,
    companions: &Companions<'_>,
    options: OpenOptions<'_>,
) -> Result<Model, FormatError> {
    let drawable: Vec<usize> =
        (0..gmo.scenes.len()).filter(|number| gmo.scenes.get(*number).is_some_and(has_meshes)).collect();
    let alternatives = Alternatives::of_groups(0..drawable.len());
    let selected = alternatives.group_or_default(0, options.selection.group);
    let number = drawable.get(selected).copied();
    let Some((number, scene)) = number.and_then(|number| Some((number, gmo.scenes.get(number)?))) else {
        return Err(gmo.file.error(0, GmoProblem::NothingDrawn));
    };
    let mut warnings = gmo.warnings.clone();
    // Motions from elsewhere may move other things than the model's own.
    let motions = motions(gmo, number, scene, companions, &mut warnings);
    let scene = &Scene { motions, ..scene.clone() };
    let mut loader = Loader::new();
    let mut texture_loader =
        TextureLoader { name, files: &companions.textures, loader: &mut loader, warnings: &mut warnings };
    let mut textures: Vec<Option<LoadedTexture>> = Vec::new();
    let mut count = 0;
    for texture in &scene.textures {
        let loaded = texture_loader.load(texture, count);
        count = count.saturating_add(usize::from(loaded.is_some()));
        textures.push(loaded);
    }
    let mut parts = Vec::new();
    for part in &scene.parts {
        parts.push(load_part(part, name, &mut loader, &mut warnings)?);
    }

    let rig = Rig::of(scene);
    let skeleton = rig.skeleton();
    let world = skeleton.as_ref().map(|skeleton| skeleton.world(&skeleton.rest())).unwrap_or_default();
    let (start, room) = loader.room();
    let mut writer = SceneWriter {
        state: StateWriter::new(ListBuilder::new(start)),
        gmo,
        scene,
        parts: &parts,
        textures: &textures,
        rig: &rig,
        world: &world,
        moves: scene
            .motions
            .iter()
            .flat_map(|motion| motion.tracks.iter().map(|track| (track.target, track.channel)))
            .collect(),
        budget: gmo.file.len().saturating_mul(WORK_PER_BYTE).saturating_add(0x1_0000),
        room,
        hidden: options.selection.hidden,
        hidden_meshes: 0,
        warnings: &mut warnings,
        drawn: Vec::new(),
        patches: Vec::new(),
        hidden_calls: Vec::new(),
    };
    writer.write()?;
    let SceneWriter { state, drawn, patches, hidden_meshes, hidden_calls, .. } = writer;
    state.list().store(loader.memory_mut());
    for call in hidden_calls {
        // This NOP hides the mesh, and a motion may restore the call later.
        loader.memory_mut().write(call, &[0; 4]);
    }

    let mut alternatives = alternatives;
    for level in &mut alternatives.levels_of_detail {
        level.hidden_meshes = hidden_meshes;
    }
    let mut info = info::of(gmo, scene);
    info.groups = drawn.len();
    info.draws = drawn.iter().map(|(_, draws)| draws).sum();
    let stage =
        Arc::new(Stage { rig, bones: scene.bones.clone(), materials: scene.materials.clone(), patches });
    let animations = scene.motions.iter().map(|motion| motion::animation(motion.clone(), &stage)).collect();
    let mut notes: Vec<FileNote> = warnings.notes().collect();
    if drawable.len() > 1 {
        let message = format!(
            "the file has {} models with meshes; number {selected} is drawn; group N is model N",
            drawable.len()
        );
        notes.push(FileNote::new(FileNoteKind::HiddenParts, message));
    }
    if drawn.is_empty() {
        let message = "everything in the model is hidden";
        notes.push(FileNote::new(FileNoteKind::HiddenParts, message));
    }
    let (memory, sources) = loader.finish();
    Ok(Model {
        memory,
        entry: start,
        sources,
        info,
        parts: drawn.into_iter().map(|(part, _)| part).collect(),
        textures: textures.into_iter().flatten().map(|loaded| loaded.texture).collect(),
        skeleton,
        animations,
        alternatives,
        up: Up::Y,
        fields: gmo.fields.clone(),
        notes,
    })
}

/// Returns whether a model has anything to draw.
pub(super) fn has_meshes(scene: &Scene<'_>) -> bool {
    scene.parts.iter().flat_map(|part| &part.meshes).any(|mesh| !mesh.draws.is_empty())
}

/// Collects motions from this model, from models without meshes, and from other files.
fn motions(
    gmo: &Gmo<'_>,
    number: usize,
    scene: &Scene<'_>,
    companions: &Companions<'_>,
    warnings: &mut Warnings,
) -> Vec<Motion> {
    let mut motions = scene.motions.clone();
    let others =
        gmo.scenes.iter().enumerate().filter(|(other, scene)| *other != number && !has_meshes(scene));
    let others =
        others.flat_map(|(_, other)| other.motions.iter().map(|motion| (motion, other.bones.as_slice())));
    let given = companions.motions.iter().map(|(motion, bones)| (motion, bones.as_slice()));
    for (motion, bones) in others.chain(given) {
        let (moved, missing) = motion::retarget(motion, bones, scene);
        if missing > 0 {
            warnings.push(gmo.file.error(0, GmoProblem::MotionBones(missing)));
        }
        motions.push(moved);
    }
    for motion in &motions {
        if motion.rate.is_none() {
            warnings.push(
                gmo.file.error(0, GmoProblem::MotionDefault("frame rate; 30 frames a second are taken")),
            );
        }
        if motion.range.is_none() {
            warnings.push(gmo.file.error(0, GmoProblem::MotionDefault("range; that of its keys is taken")));
        }
    }
    motions
}

struct LoadedMesh {
    list: MeshList,
    /// Corners to test before the mesh is drawn.
    bounds: Option<Address>,
}

/// Loads a part's meshes; `None` for those that draw nothing.
fn load_part(
    part: &Part<'_>,
    name: &str,
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<Vec<Option<LoadedMesh>>, FormatError> {
    let mut lists = ListWriter { name, loader, warnings };
    let vertices = lists.vertices(part)?;
    let mut meshes = Vec::new();
    for mesh in &part.meshes {
        let Some(list) = lists.mesh(part, mesh, &vertices)? else {
            meshes.push(None);
            continue;
        };
        // For moved or quantised vertices, the box is in no space that a test could use.
        let is_plain = list.weights == 0 && list.morphs == 1 && part.offset.position.is_none();
        let mut bounds = None;
        if let (Some(corners), true, Some(draw)) = (mesh.bounds, is_plain, mesh.draws.first())
            && super::bounds::contains(part, mesh, &corners)
        {
            let bytes: Vec<u8> =
                corners.as_flattened().iter().flat_map(|value| value.to_le_bytes()).collect();
            bounds = Some(lists.loader.store(draw.view, 0, &bytes)?);
        }
        meshes.push(Some(LoadedMesh { list, bounds }));
    }
    Ok(meshes)
}

/// Identifies a matrix: the bone that moves it, and the bits of the matrix from vertices to this bone.
type MatrixKey = (Option<u32>, [u32; 12]);

/// Writes a model's list.
struct SceneWriter<'a> {
    state: StateWriter<MatrixKey>,
    gmo: &'a Gmo<'a>,
    scene: &'a Scene<'a>,
    parts: &'a [Vec<Option<LoadedMesh>>],
    textures: &'a [Option<LoadedTexture>],
    rig: &'a Rig,
    world: &'a [Affine],
    /// Every channel that any motion moves.
    moves: HashSet<(Target, u16)>,
    budget: u64,
    /// Available memory in bytes.
    room: u32,
    /// Whether to draw hidden bones, too.
    hidden: bool,
    hidden_meshes: usize,
    warnings: &'a mut Warnings,
    /// Drawn parts, each with its draw count.
    drawn: Vec<(DrawnPart, usize)>,
    patches: Vec<Patch>,
    /// Calls to meshes hidden at rest.
    hidden_calls: Vec<Address>,
}

impl<'a> SceneWriter<'a> {
    fn write(&mut self) -> Result<(), FormatError> {
        self.state.push_all(defaults());
        let scene = self.scene;
        for late in [false, true] {
            let bones = scene.bones.iter().enumerate().filter(|(_, bone)| bone.is_late == late);
            for (number, bone) in bones {
                for part in &bone.parts {
                    self.part(Some((number, bone)), *part)?;
                }
            }
        }
        // If no bone draws anything, all parts are drawn where they are.
        if scene.bones.iter().all(|bone| bone.parts.is_empty()) {
            for part in 0..scene.parts.len() {
                self.part(None, part)?;
            }
        }
        self.state.list_mut().set(Opcode::RET, 0);
        self.state.check_room(self.room, self.gmo.file)
    }

    /// Draws a part with a bone.
    fn part(&mut self, bone: Option<(usize, &'a Bone)>, number: usize) -> Result<(), FormatError> {
        let (Some(part), Some(loaded)) = (self.scene.parts.get(number), self.parts.get(number)) else {
            return Ok(());
        };
        let (mut is_hidden, mut may_change) = (false, false);
        if let Some((number, bone)) = bone {
            may_change = self.moves.contains(&(Target::Bone(number), command::VISIBILITY));
            is_hidden = bone.is_hidden && !self.hidden;
        }
        let before: usize = self.scene.parts.iter().take(number).map(|part| part.meshes.len()).sum();
        for (index, (mesh, loaded)) in part.meshes.iter().zip(loaded).enumerate() {
            let Some(loaded) = loaded else { continue };
            if bone.is_some_and(|(_, bone)| bone.is_hidden) {
                self.hidden_meshes = self.hidden_meshes.saturating_add(1);
            }
            if is_hidden && !may_change {
                continue;
            }
            self.mesh(bone, part, mesh, loaded, before.saturating_add(index), [is_hidden, may_change])?;
        }
        Ok(())
    }

    fn mesh(
        &mut self,
        bone: Option<(usize, &'a Bone)>,
        part: &'a Part<'a>,
        mesh: &'a Mesh<'a>,
        loaded: &'a LoadedMesh,
        number: usize,
        [is_hidden, may_change]: [bool; 2],
    ) -> Result<(), FormatError> {
        let offset = part.offset.or(self.scene.offset);
        let (uploads, palette) = self.matrices(bone, mesh, offset, loaded.list.weights);
        if loaded.list.morphs > 1 {
            let weights =
                bone.map_or([0.0; 8], |(_, bone)| morph_weights(bone.morph_index, &bone.morph_weights));
            let (count, at) = (loaded.list.morphs, self.state.here());
            self.state.push_all(morph_commands(&weights, count));
            if let Some((bone, _)) = bone {
                self.patches.push(Patch::Morphs { bone, count, at });
            }
        }
        let skippable = loaded.bounds.map(|corners| self.state.begin_if_visible(corners));
        let plain = Material::default();
        let material_number = mesh.material.unwrap_or(NO_MATERIAL);
        let material = mesh.material.and_then(|number| self.scene.materials.get(number)).unwrap_or(&plain);
        let (all, reflects) = passes(material);
        if reflects && let Some(draw) = mesh.draws.first() {
            self.warnings.push(draw.view.error(0, GmoProblem::Reflection));
        }
        for (order, pass) in all.into_iter().enumerate() {
            let cost = loaded.list.work.saturating_add(WORK_PER_PASS);
            self.budget = match self.budget.checked_sub(cost) {
                Some(left) => left,
                None => return Err(self.gmo.file.error(0, GmoProblem::TooMuchWork)),
            };
            let layer = match pass {
                Pass::Layer(number) => material.layers.get(number),
                _ => None,
            };
            let texture = layer.and_then(|layer| self.textures.get(layer.texture?)?.as_ref());
            let has_colors = loaded.list.has_colors;
            let pass_state = PassState { material, mesh, pass, is_later: order > 0, has_colors, texture };
            for factor in pass_state.lost_factors() {
                if let Some(draw) = mesh.draws.first() {
                    self.warnings.push(draw.view.error(0, GmoProblem::BlendFactor(factor)));
                }
            }
            for command in pass_state.commands() {
                self.state.set(command);
            }
            let color_use = pass_state.color_use();
            let at = self.state.here();
            self.state.push_all(color_commands(&material.colors, color_use));
            if self.moves_material(material_number, false) {
                self.patches.push(Patch::Colors { material: material_number, color_use, at });
            }
            if let (Some(texture), Some(layer), Pass::Layer(number)) = (texture, layer, pass) {
                self.state.select_texture(texture.texture.index, || texture.commands.clone());
                let coordinates =
                    Coordinates { texture: texture.texture.coordinate_scale(), vertices: offset };
                let at = self.state.here();
                self.state.push_all(coordinate_commands(coordinates, layer.crop));
                if self.moves_material(material_number, true) {
                    self.patches.push(Patch::Crop {
                        material: material_number,
                        layer: number,
                        coordinates,
                        at,
                    });
                }
            }
            let call = self.state.call(loaded.list.range.start);
            if is_hidden {
                self.hidden_calls.push(call);
            }
            if let Some((bone, _)) = bone.filter(|_| may_change) {
                let command = Command::new(Opcode::CALL, loaded.list.range.start.get());
                self.patches.push(Patch::Call { bone, at: call, call: command });
            }
            self.drawn.push((
                DrawnPart {
                    list: loaded.list.range.clone(),
                    call,
                    mesh: number,
                    group: self.drawn.len(),
                    material: mesh.material.unwrap_or(0),
                    texture: texture.map(|loaded| loaded.texture.index),
                    palette,
                    weights: loaded.list.weights,
                    uploads: uploads.clone(),
                },
                loaded.list.draws,
            ));
            self.state.check_room(self.room, self.gmo.file)?;
        }
        if let Some(begun) = skippable {
            self.state.end_if_visible(begun);
        }
        Ok(())
    }

    /// Returns whether any motion moves this material's colours, or with `crop` its layers' coordinates.
    fn moves_material(&self, material: usize, crop: bool) -> bool {
        let colors =
            [command::DIFFUSE, command::SPECULAR, command::EMISSION, command::AMBIENT, command::REFLECTION];
        let channels = if crop { &[command::TEX_CROP][..] } else { &colors };
        channels.iter().any(|channel| self.moves.contains(&(Target::Material(material), *channel)))
    }

    /// Uploads the matrices for a mesh, and returns them with each slot's bone.
    fn matrices(
        &mut self,
        bone: Option<(usize, &Bone)>,
        mesh: &Mesh<'_>,
        offset: VertexOffset,
        weights: usize,
    ) -> (Vec<MatrixUpload>, [Option<u32>; 8]) {
        let vertices = offset.position.map_or(IDENTITY, |[scale, [x, y, z]]| {
            [scale[0], 0.0, 0.0, 0.0, scale[1], 0.0, 0.0, 0.0, scale[2], x, y, z]
        });
        let mut palette = [None; 8];
        let mut uploads = Vec::new();
        if weights == 0 {
            let id = bone.map(|(number, _)| self.rig.drawn(number));
            palette[0] = id;
            uploads.extend(self.upload(Matrix::World, 0, id, vertices));
            return (uploads, palette);
        }
        // Skinned vertices follow their blend bones, not the bone that draws them.
        self.upload(Matrix::World, 0, None, IDENTITY);
        let blended = bone.map(|(_, bone)| bone).filter(|bone| !bone.blend_bones.is_empty());
        if let Some(draw) = mesh.draws.first() {
            if blended.is_none() {
                self.warnings.push(draw.view.error(0, GmoProblem::NoBlendBones));
            } else if mesh.subset.len() > weights {
                let bones = mesh.subset.len();
                self.warnings.push(draw.view.error(0, GmoProblem::Subset { bones, weights }));
            }
        }
        for (slot, entry) in palette.iter_mut().enumerate().take(weights) {
            let number = mesh.subset.get(slot).map_or(slot, |number| *number as usize);
            let moved = blended.and_then(|bone| {
                let offset = bone.blend_offsets.get(number).copied().unwrap_or(IDENTITY);
                Some((bone.blend_bones.get(number).copied().flatten()?, offset))
            });
            let (id, binding) = match moved {
                Some((bone, offset)) => (Some(self.rig.drawn(bone)), then(&vertices, &offset)),
                None => (None, vertices),
            };
            *entry = id;
            uploads.extend(self.upload(Matrix::Bone, slot, id, binding));
        }
        (uploads, palette)
    }

    fn upload(
        &mut self,
        matrix: Matrix,
        slot: usize,
        bone: Option<u32>,
        binding: Affine,
    ) -> Option<MatrixUpload> {
        // Bone ids are indices into these matrices.
        let rest = bone.and_then(|id| self.world.get(usize::try_from(id).ok()?));
        let elements = || rest.map_or(binding, |rest| then(&binding, rest));
        let at = self.state.matrix(matrix, slot, (bone, binding.map(f32::to_bits)), elements)?;
        bone.map(|_| MatrixUpload { matrix, slot, bone, binding, at })
    }
}
