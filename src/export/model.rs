//! Exports a model: meshes under bones, under skins, or at a fixed place.
//!
//! If a bone moves a mesh through WORLD, the mesh becomes a child of the bone's node. If bone matrices move it, it
//! is stored at rest with a skin, whose joints start from there. Display lists upload only matrices that changed, so
//! this watches the uploads in a run to know which bone each matrix follows.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use super::collector::{CollectedDraw, Collector, DrawFilter};
use super::decompose::mirrors;
use super::rig::{Rig, SkeletonInstance, add_matrix_node};
use super::scene::{Extra, Extras, Node, Scene};
use super::scene_builder::{
    DrawGeometry, MeshBuilder, SceneBuilder, morph_target_weights, screen_aligned_rectangle,
};
use super::skin::{self, BoneSlots, SkinBinding, SkinBuilder};
use super::texture_images::TextureLocation;
use super::weld::DrawVertices;
use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::ge::command::Command;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::field::{Register, View};
use crate::ge::registers::pixel::{Comparison, DepthTest};
use crate::model::matrix::{Affine, IDENTITY, transform};
use crate::model::{MatrixUpload, Model, ModelTexture, Part, TexturePalette};
use crate::run::interpreter::Interpreter;
use crate::run::sink::{NullSink, Observer, Step};

/// How to export a model's bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RigMode {
    /// Turns bones into nodes and joints. The model has to be at rest.
    #[default]
    Rigged,
    /// Keeps meshes in their current pose, and drops bones.
    Static,
}

/// Runs a model's display list, and turns its draws into a scene called `name`.
#[must_use]
pub fn model_scene(model: &Model, name: &str, filter: &DrawFilter, rig_mode: RigMode) -> Scene {
    let Capture { mut memory, mut registers, start, .. } = model.to_capture();
    // Normally the scene sets the render state. Only its depth test shows in a surface's description, so this sets
    // only that test.
    let depth = DepthTest { function: Comparison::GREATER_EQUAL };
    registers.write(Command::new(DepthTest::OPCODE, depth.to_argument()));
    let mut collector = Collector::new(NullSink, filter.clone(), true);
    let mut tracker = PartTracker::new(model);
    let mut interpreter = Interpreter::new(registers, Arithmetic::Single);
    let report = interpreter.run(&mut memory, start, &mut collector, &mut tracker, &filter.limits);
    let (builder, draws) = SceneBuilder::new(name, collector, &report);
    Assembly::new(model, builder, rig_mode).assemble(draws, &tracker.draw_sources)
}

/// Which part a draw belongs to, and which uploads set its matrices.
#[derive(Clone, Copy, Debug, Default)]
struct DrawSources<'a> {
    part: Option<usize>,
    world: Option<&'a MatrixUpload>,
    bones: [Option<&'a MatrixUpload>; 8],
}

/// Watches a run to find the part and the matrix uploads for each draw.
struct PartTracker<'a> {
    parts: &'a [Part],
    /// For each CALL, by its address, the parts it draws, sorted by where their lists start, to search them.
    calls: HashMap<Address, Vec<usize>>,
    uploads: HashMap<Address, &'a MatrixUpload>,
    sources: DrawSources<'a>,
    /// The CALL being executed, if it draws parts.
    call: Option<Address>,
    /// Call depth at this CALL.
    depth: usize,
    /// The sources found so far, by draw number.
    draw_sources: HashMap<u64, DrawSources<'a>>,
}

impl<'a> PartTracker<'a> {
    fn new(model: &'a Model) -> Self {
        let mut calls: HashMap<Address, Vec<usize>> = HashMap::new();
        for (number, part) in model.parts.iter().enumerate() {
            calls.entry(part.call).or_default().push(number);
        }
        for parts_of_call in calls.values_mut() {
            parts_of_call.sort_by_key(|&number| model.parts.get(number).map(|part| part.list.start));
        }
        let uploads = model.parts.iter().flat_map(|part| &part.uploads);
        let uploads = uploads.map(|upload| (upload.at, upload)).collect();
        Self {
            parts: &model.parts,
            calls,
            uploads,
            sources: DrawSources::default(),
            call: None,
            depth: 0,
            draw_sources: HashMap::new(),
        }
    }

    /// Finds the part a command belongs to. If a CALL draws several parts, each owns a range in the called list.
    /// Commands outside all ranges belong to the part found last.
    fn part_of(&self, at: Address) -> Option<usize> {
        let parts_of_call = self.calls.get(&self.call?)?;
        let list = |number: &usize| self.parts.get(*number).map(|part| &part.list);
        let end = parts_of_call.partition_point(|number| list(number).is_some_and(|list| list.start <= at));
        let last_started = end.checked_sub(1).and_then(|last| parts_of_call.get(last)).copied();
        let found = last_started.filter(|number| list(number).is_some_and(|list| list.contains(&at)));
        found.or(self.sources.part).or_else(|| parts_of_call.first().copied())
    }
}

impl Observer for PartTracker<'_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        // Back at the CALL's depth, its list has returned.
        if step.depth <= self.depth {
            (self.sources.part, self.call) = (None, None);
        }
        if self.call.is_some() {
            self.sources.part = self.part_of(step.at);
        }
        match step.command.opcode() {
            Opcode::CALL if self.calls.contains_key(&step.at) => {
                (self.call, self.depth) = (Some(step.at), step.depth);
            }
            Opcode::WORLDMATRIXDATA => {
                // Uploads are known by the address of their first word. A first word without upload comes from
                // elsewhere, so no bone moves the matrix any more.
                let upload = self.uploads.get(&step.at);
                if upload.is_some() || step.registers.argument(Opcode::WORLDMATRIXNUMBER) == 0 {
                    self.sources.world = upload.copied().filter(|upload| upload.matrix == Matrix::World);
                }
            }
            Opcode::BONEMATRIXDATA => {
                let upload = self.uploads.get(&step.at);
                let index = step.registers.argument(Opcode::BONEMATRIXNUMBER) as usize;
                if let Some(slot) = self.sources.bones.get_mut(index / 12)
                    && (upload.is_some() || index.is_multiple_of(12))
                {
                    *slot = upload.copied().filter(|upload| upload.matrix == Matrix::Bone);
                }
            }
            Opcode::PRIM | Opcode::BEZIER | Opcode::SPLINE => {
                self.draw_sources.insert(step.draws, self.sources);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Where to place a mesh in the node tree.
#[derive(Clone, Debug, PartialEq)]
enum MeshAttachment {
    /// At the root, in world space.
    Static,
    /// Under its own node with this matrix, as an instance among several.
    Instance(Affine),
    /// Under a bone, by its index in the skeleton.
    Bone(usize),
    /// Under a node with this skin.
    Skin(usize),
}

/// A mesh that still takes draws.
#[derive(Debug)]
struct OpenMesh {
    number: Option<usize>,
    attachment: MeshAttachment,
    weights: Vec<f32>,
    mesh: MeshBuilder,
}

struct Assembly<'a> {
    model: &'a Model,
    builder: SceneBuilder,
    rig: Rig,
    rest: Vec<Affine>,
    /// For each list, how many parts draw it.
    list_uses: HashMap<Range<Address>, usize>,
    instances: Vec<SkeletonInstance>,
    skin_builder: SkinBuilder,
    open_meshes: Vec<OpenMesh>,
    is_static: bool,
    /// A node to turn the model upright, unless it is already.
    upright: Option<usize>,
}

impl<'a> Assembly<'a> {
    fn new(model: &'a Model, mut builder: SceneBuilder, rig_mode: RigMode) -> Self {
        name_images(&mut builder, model);
        let rig = match rig_mode {
            RigMode::Rigged => Rig::new(model),
            RigMode::Static => Rig::default(),
        };
        let rest = rig.skeleton.world(&rig.skeleton.rest());
        let skin_builder = SkinBuilder::default();
        let is_static = rig_mode == RigMode::Static;
        let upright = model.up.upright().map(|matrix| {
            add_matrix_node(&mut builder.scene, &mut builder.node_names, "upright", None, &matrix)
        });
        let (instances, open_meshes) = (Vec::new(), Vec::new());
        // Parts that draw the same list can share its mesh in the export, so this counts them.
        let mut list_uses = HashMap::new();
        for part in &model.parts {
            *list_uses.entry(part.list.clone()).or_insert(0) += 1;
        }
        Self {
            model,
            builder,
            rig,
            rest,
            list_uses,
            instances,
            skin_builder,
            open_meshes,
            is_static,
            upright,
        }
    }

    fn assemble(mut self, draws: Vec<CollectedDraw>, draw_sources: &HashMap<u64, DrawSources<'_>>) -> Scene {
        if !self.rig.is_empty() {
            self.instance(&IDENTITY);
        }
        for draw in draws {
            let sources = draw_sources.get(&draw.number).copied().unwrap_or_default();
            // This takes each draw by value, to free its memory early.
            self.draw(draw, &sources);
        }
        let SceneBuilder { scene, node_names, .. } = &mut self.builder;
        self.skin_builder.finish(scene, node_names, &self.instances, &self.rest);
        self.add_mesh_nodes();
        let scene = &mut self.builder.scene;
        self.rig.animate(scene, &self.instances);
        scene.notes.append(&mut self.rig.notes);
        scene.notes.extend(self.skin_builder.notes());
        scene.extras = file_extras(self.model);
        self.builder.finish()
    }

    /// Finds the skeleton's instance with this world matrix, or adds it.
    fn instance(&mut self, world: &Affine) -> usize {
        if let Some(known) = self.instances.iter().position(|instance| instance.world == *world) {
            return known;
        }
        let instance =
            self.rig.add_instance(&mut self.builder.scene, &mut self.builder.node_names, self.upright, world);
        self.instances.push(instance);
        self.instances.len() - 1
    }

    fn draw(&mut self, mut draw: CollectedDraw, sources: &DrawSources<'_>) {
        let part = sources.part.and_then(|part| self.model.parts.get(part));
        let weights = draw.shape.vertex_type.weights();
        let index_of = |upload: &MatrixUpload| self.rig.skeleton.index_of(upload.bone?);
        let moved_by = sources.world.and_then(|upload| Some((upload, index_of(upload)?)));
        // Three ways to move a mesh: by a skin, by a bone, or as an instance. Otherwise its vertices stay in world
        // space.
        let (vertices, attachment, flip_winding) = if weights > 0 && !self.rig.is_empty() {
            if moved_by.is_some() {
                self.skin_builder.world_moved_by_bone = true;
            }
            let (vertices, skin) = self.skinned(&mut draw, sources, part);
            (vertices, MeshAttachment::Skin(skin), false)
        } else if let Some((upload, bone)) = moved_by.filter(|_| weights == 0) {
            let mirrored = self.rest.get(bone).is_some_and(mirrors);
            (stored_vertices(&mut draw, &upload.binding), MeshAttachment::Bone(bone), mirrored)
        } else if weights == 0 && !self.is_static && self.is_instanced(part) {
            let world = draw.matrices.world;
            (stored_vertices(&mut draw, &IDENTITY), MeshAttachment::Instance(world), mirrors(&world))
        } else {
            (world_vertices(&mut draw), MeshAttachment::Static, false)
        };
        let number = part.map(|part| part.mesh);
        let weights = morph_target_weights(&draw);
        let fits = |known: &OpenMesh| {
            known.number == number && known.attachment == attachment && known.weights == weights
        };
        let index = match self.open_meshes.iter().rposition(fits) {
            Some(index) => index,
            None => {
                self.open_meshes.push(OpenMesh { number, attachment, weights, mesh: MeshBuilder::default() });
                self.open_meshes.len() - 1
            }
        };
        let geometry = DrawGeometry {
            draw: &draw,
            vertices,
            group: part.map_or(usize::MAX, |part| part.group),
            material: part.map(|part| part.material),
            flip_winding,
            extras: self.draw_extras(&draw, part),
        };
        self.builder.append_draw(&mut self.open_meshes[index].mesh, geometry, &screen_aligned_rectangle);
    }

    /// Returns whether several parts draw the same list.
    fn is_instanced(&self, part: Option<&Part>) -> bool {
        part.is_some_and(|part| self.list_uses.get(&part.list).is_some_and(|count| *count > 1))
    }

    /// Binds a draw to a skin. Returns its vertices, and the skin's index.
    fn skinned(
        &mut self,
        draw: &mut CollectedDraw,
        sources: &DrawSources<'_>,
        part: Option<&Part>,
    ) -> (DrawVertices, usize) {
        let instance = self.instance(&draw.matrices.world);
        let slots: BoneSlots = std::array::from_fn(|slot| {
            let upload = sources.bones[slot];
            let id = upload.and_then(|upload| upload.bone);
            let named = part.and_then(|part| part.palette[slot]);
            let bone = id.or(named).and_then(|id| self.rig.skeleton.index_of(id));
            let binding = upload.map_or(draw.matrices.bones[slot], |upload| upload.binding);
            skin::BoneSlot { bone, binding, matrix: draw.matrices.bones[slot] }
        });
        // Weights for a matrix without a bone need a joint, too.
        if skin::used_slots(draw).into_iter().zip(&slots).any(|(used, slot)| used && slot.bone.is_none()) {
            self.ensure_static_joint(instance);
        }
        let SkinBinding { skin, influences, as_stored } =
            self.skin_builder.bind(draw, &slots, instance, &self.rest);
        let vertices = if as_stored { stored_vertices(draw, &IDENTITY) } else { world_vertices(draw) };
        (DrawVertices { influences, ..vertices }, skin)
    }

    /// Makes sure that an instance has a joint that never moves.
    fn ensure_static_joint(&mut self, instance: usize) {
        let SceneBuilder { scene, node_names, .. } = &mut self.builder;
        if let Some(instance) = self.instances.get_mut(instance)
            && instance.static_joint.is_none()
        {
            instance.static_joint =
                Some(add_matrix_node(scene, node_names, "still", Some(instance.root), &IDENTITY));
        }
    }

    /// Adds nodes to show the meshes.
    fn add_mesh_nodes(&mut self) {
        for OpenMesh { number, attachment, weights, mesh } in std::mem::take(&mut self.open_meshes) {
            let primitives = self.builder.primitives(mesh);
            if primitives.is_empty() {
                continue;
            }
            let name = number.map_or_else(|| "mesh".to_owned(), |number| format!("mesh_{number}"));
            let mesh = Some(self.builder.intern_mesh(&name, primitives, weights));
            let SceneBuilder { scene, node_names, .. } = &mut self.builder;
            let (parent, skin) = match &attachment {
                MeshAttachment::Static => (self.upright, None),
                MeshAttachment::Instance(world) => {
                    let node = add_matrix_node(scene, node_names, &name, self.upright, world);
                    scene.nodes[node].mesh = mesh;
                    continue;
                }
                MeshAttachment::Bone(bone) => {
                    (self.instances.first().and_then(|bones| bones.joints.get(*bone)).copied(), None)
                }
                // glTF places a skinned mesh by its joints and ignores its node's place, so this node needs no
                // parent.
                MeshAttachment::Skin(skin) => (None, Some(*skin)),
            };
            let name = node_names.unique(&name);
            scene.nodes.push(Node { name, parent, mesh, skin, ..Node::default() });
        }
    }

    /// Returns where a draw comes from: group, material and file offset.
    fn draw_extras(&self, draw: &CollectedDraw, part: Option<&Part>) -> Extras {
        let mut extras: Extras = Vec::new();
        if let Some(part) = part {
            extras.push(("group", Extra::Whole(part.group as u64)));
            extras.push(("material", Extra::Whole(part.material as u64)));
        }
        extras.push(("address", Extra::text(draw.at)));
        if let Some((source, offset)) = self.model.source_of(draw.at) {
            extras.push(("source", Extra::text(&source.name)));
            extras.push(("source_offset", Extra::Text(format!("0x{offset:x}"))));
        }
        extras
    }
}

/// Takes the vertices out of a draw, in world space.
fn world_vertices(draw: &mut CollectedDraw) -> DrawVertices {
    let frames = std::mem::take(&mut draw.frames).into_iter().map(|frame| frame.vertices);
    DrawVertices { frames: frames.collect(), influences: Vec::new() }
}

/// Takes the vertices out of a draw as stored, transformed by `matrix`.
fn stored_vertices(draw: &mut CollectedDraw, matrix: &Affine) -> DrawVertices {
    // Normals are directions, so the translation must not move them.
    let mut direction = *matrix;
    direction[9..].fill(0.0);
    for frame in &mut draw.frames {
        for (vertex, [position, normal]) in frame.vertices.iter_mut().zip(std::mem::take(&mut frame.stored)) {
            vertex.position = transform(matrix, position);
            vertex.normal = transform(&direction, normal);
        }
    }
    world_vertices(draw)
}

/// Names images after the model's textures.
fn name_images(builder: &mut SceneBuilder, model: &Model) {
    let mut names = super::scene_builder::UniqueNames::default();
    let texture_images = builder.texture_images_mut();
    for (image, locations) in texture_images.images.iter_mut().zip(&texture_images.locations) {
        let is_one =
            |texture: &&ModelTexture| locations.iter().any(|location| is_stored_at(texture, *location));
        let textures: Vec<&ModelTexture> = model.textures.iter().filter(is_one).collect();
        let mut wanted = image.name.clone();
        if let Some(texture) = textures.first() {
            let numbers = textures.iter().map(|texture| Extra::Whole(texture.index as u64)).collect();
            image.extras.push(("textures", Extra::List(numbers)));
            let offset = Extra::Text(format!("0x{:x}", texture.file_offset));
            image.extras.push(("source_offset", offset));
            wanted = texture.name.clone().unwrap_or_else(|| format!("texture_{:02}", texture.index));
        }
        image.name = names.unique(&wanted);
    }
}

/// Returns whether a texture lies at this location, with any of its palettes.
fn is_stored_at(texture: &ModelTexture, location: TextureLocation) -> bool {
    let holds = |palette: &TexturePalette| {
        let bytes = palette.colors.saturating_mul(palette.color_bytes());
        let range = palette.address..palette.address.offset(bytes.max(1));
        location.palette.is_some_and(|address| range.contains(&address))
    };
    texture.address == location.texels && texture.palette.as_ref().is_none_or(holds)
}

/// Returns where a scene comes from: format, version and the counts stated in the file.
fn file_extras(model: &Model) -> Extras {
    let info = &model.info;
    let count = |count: usize| Extra::Whole(count as u64);
    let mut extras: Extras = vec![("format", Extra::text(info.format))];
    if let Some(version) = &info.version {
        extras.push(("version", Extra::text(version)));
    }
    // These counts are as the format defines them. The exported file itself shows how much was exported.
    let stored = vec![
        ("meshes", count(info.meshes)),
        ("vertices", count(info.vertices)),
        ("triangles", count(info.triangles)),
        ("bones", count(info.bones)),
        ("animations", count(model.animations.len())),
    ];
    extras.push(("stored", Extra::Table(stored)));
    extras
}
