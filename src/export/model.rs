//! A model as a scene: meshes on bones, under skins, or as they stand.
//!
//! What moves with a bone through WORLD hangs on the bone's node. What moves through bone matrices is put where it is at
//! rest, and its skin's joints start from there. Which bone is behind a matrix is known from the uploads that the list
//! really executed, for lists write only what changed.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use super::build::{Builder, Piles, Poured, target_weights, upright_rectangle};
use super::collect::{Collector, DrawFilter, Drawn};
use super::decompose::mirrors;
use super::picture::Origin;
use super::rig::{Instance, Rig, place_matrix};
use super::scene::{Extra, Extras, Node, Scene};
use super::skin::{self, Binder, Bound, Slots};
use super::weld::Corners;
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

/// What becomes of a model's bones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RigMode {
    /// They become nodes and joints; the model has to be at rest.
    #[default]
    Rigged,
    /// Everything stays where the bones hold it now, and they are left out.
    Static,
}

/// A model as a scene. `name` is what the whole is called.
#[must_use]
pub fn model_scene(model: &Model, name: &str, selection: &DrawFilter, rig_mode: RigMode) -> Scene {
    let Capture { mut memory, mut registers, start, .. } = model.to_capture();
    // Of the state that a scene owns, what says how surfaces look.
    let depth = DepthTest { function: Comparison::GREATER_EQUAL };
    registers.write(Command::new(DepthTest::OPCODE, depth.to_argument()));
    let mut collector = Collector::new(NullSink, selection.clone(), true);
    let mut watch = Watch::new(model);
    let mut interpreter = Interpreter::new(registers, Arithmetic::Single);
    let report = interpreter.run(&mut memory, start, &mut collector, &mut watch, &selection.limits);
    let (builder, draws) = Builder::new(name, collector, &report);
    Assembly::new(model, builder, rig_mode).assemble(draws, &watch.states)
}

/// Which part was being drawn, and which uploads were behind its matrices.
#[derive(Clone, Copy, Debug, Default)]
struct State<'a> {
    part: Option<usize>,
    world: Option<&'a MatrixUpload>,
    bones: [Option<&'a MatrixUpload>; 8],
}

/// Watches calls and uploads.
struct Watch<'a> {
    parts: &'a [Part],
    /// The parts that each CALL draws, by the places of their lists.
    calls: HashMap<Address, Vec<usize>>,
    uploads: HashMap<Address, &'a MatrixUpload>,
    state: State<'a>,
    /// The CALL that is being executed.
    call: Option<Address>,
    /// How deep it stood.
    depth: usize,
    /// By the number of the draw.
    states: HashMap<u64, State<'a>>,
}

impl<'a> Watch<'a> {
    fn new(model: &'a Model) -> Self {
        let mut calls: HashMap<Address, Vec<usize>> = HashMap::new();
        for (number, part) in model.parts.iter().enumerate() {
            calls.entry(part.call).or_default().push(number);
        }
        for called in calls.values_mut() {
            called.sort_by_key(|&number| model.parts.get(number).map(|part| part.list.start));
        }
        let uploads = model.parts.iter().flat_map(|part| &part.uploads);
        let uploads = uploads.map(|upload| (upload.at, upload)).collect();
        Self {
            parts: &model.parts,
            calls,
            uploads,
            state: State::default(),
            call: None,
            depth: 0,
            states: HashMap::new(),
        }
    }

    /// The part that a command belongs to. Where a CALL draws several, each has a piece of the list; what such a piece
    /// calls belongs to it, too.
    fn part_of(&self, at: Address) -> Option<usize> {
        let called = self.calls.get(&self.call?)?;
        let list = |number: &usize| self.parts.get(*number).map(|part| &part.list);
        let behind = called.partition_point(|number| list(number).is_some_and(|list| list.start <= at));
        let before = behind.checked_sub(1).and_then(|last| called.get(last)).copied();
        let found = before.filter(|number| list(number).is_some_and(|list| list.contains(&at)));
        found.or(self.state.part).or_else(|| called.first().copied())
    }
}

impl Observer for Watch<'_> {
    fn command(&mut self, _: &Memory, step: &Step<'_>) -> ControlFlow<()> {
        if step.depth <= self.depth {
            (self.state.part, self.call) = (None, None);
        }
        if self.call.is_some() {
            self.state.part = self.part_of(step.at);
        }
        match step.command.opcode() {
            Opcode::CALL if self.calls.contains_key(&step.at) => {
                (self.call, self.depth) = (Some(step.at), step.depth);
            }
            Opcode::WORLDMATRIXDATA => {
                let upload = self.uploads.get(&step.at);
                if upload.is_some() || step.registers.argument(Opcode::WORLDMATRIXNUMBER) == 0 {
                    self.state.world = upload.copied().filter(|upload| upload.matrix == Matrix::World);
                }
            }
            Opcode::BONEMATRIXDATA => {
                let upload = self.uploads.get(&step.at);
                let index = step.registers.argument(Opcode::BONEMATRIXNUMBER) as usize;
                if let Some(slot) = self.state.bones.get_mut(index / 12)
                    && (upload.is_some() || index.is_multiple_of(12))
                {
                    *slot = upload.copied().filter(|upload| upload.matrix == Matrix::Bone);
                }
            }
            Opcode::PRIM | Opcode::BEZIER | Opcode::SPLINE => {
                self.states.insert(step.draws, self.state);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// Where a mesh belongs.
#[derive(Clone, Debug, PartialEq)]
enum Place {
    /// Where it stands.
    Still,
    /// Under a node at this matrix: one of several copies.
    Copy(Affine),
    /// Under a bone, by its place in the skeleton.
    Bone(usize),
    /// Under a skin.
    Skin(usize),
}

/// A mesh under construction.
#[derive(Debug)]
struct Begun {
    number: Option<usize>,
    place: Place,
    weights: Vec<f32>,
    piles: Piles,
}

struct Assembly<'a> {
    model: &'a Model,
    builder: Builder,
    rig: Rig,
    rest: Vec<Affine>,
    /// How many parts draw each list.
    copies: HashMap<Range<Address>, usize>,
    instances: Vec<Instance>,
    binder: Binder,
    begun: Vec<Begun>,
    is_static: bool,
    /// The node that turns the model upright, where its own space is not.
    upright: Option<usize>,
}

impl<'a> Assembly<'a> {
    fn new(model: &'a Model, mut builder: Builder, rig_mode: RigMode) -> Self {
        name_images(&mut builder, model);
        let rig = match rig_mode {
            RigMode::Rigged => Rig::new(model),
            RigMode::Static => Rig::default(),
        };
        let rest = rig.skeleton.world(&rig.skeleton.rest());
        let binder = Binder::default();
        let is_static = rig_mode == RigMode::Static;
        let upright = model.up.upright().map(|matrix| {
            place_matrix(&mut builder.scene, &mut builder.node_names, "upright", None, &matrix)
        });
        let (instances, begun) = (Vec::new(), Vec::new());
        let mut copies = HashMap::new();
        for part in &model.parts {
            *copies.entry(part.list.clone()).or_insert(0) += 1;
        }
        Self { model, builder, rig, rest, copies, instances, binder, begun, is_static, upright }
    }

    fn assemble(mut self, draws: Vec<Drawn>, states: &HashMap<u64, State<'_>>) -> Scene {
        if !self.rig.is_empty() {
            self.instance(&IDENTITY);
        }
        for drawn in draws {
            let state = states.get(&drawn.number).copied().unwrap_or_default();
            // What a draw holds is not needed behind it.
            self.draw(drawn, &state);
        }
        let Builder { scene, node_names, .. } = &mut self.builder;
        self.binder.finish(scene, node_names, &self.instances, &self.rest);
        self.place_meshes();
        let scene = &mut self.builder.scene;
        self.rig.animate(scene, &self.instances);
        scene.notes.append(&mut self.rig.notes);
        scene.notes.extend(self.binder.notes());
        scene.extras = about(self.model);
        self.builder.finish()
    }

    /// The copy of the bones behind which `world` is done.
    fn instance(&mut self, world: &Affine) -> usize {
        if let Some(known) = self.instances.iter().position(|instance| instance.world == *world) {
            return known;
        }
        let instance =
            self.rig.place(&mut self.builder.scene, &mut self.builder.node_names, self.upright, world);
        self.instances.push(instance);
        self.instances.len() - 1
    }

    fn draw(&mut self, mut drawn: Drawn, state: &State<'_>) {
        let part = state.part.and_then(|part| self.model.parts.get(part));
        let weights = drawn.shape.vertex_type.weights();
        let index_of = |upload: &MatrixUpload| self.rig.skeleton.index_of(upload.bone?);
        let moved = state.world.and_then(|upload| Some((upload, index_of(upload)?)));
        let (corners, place, swap) = if weights > 0 && !self.rig.is_empty() {
            if moved.is_some() {
                self.binder.moved_behind = true;
            }
            let (corners, skin) = self.skinned(&mut drawn, state, part);
            (corners, Place::Skin(skin), false)
        } else if let Some((upload, bone)) = moved.filter(|_| weights == 0) {
            let mirrored = self.rest.get(bone).is_some_and(mirrors);
            (placed(&mut drawn, &upload.binding), Place::Bone(bone), mirrored)
        } else if weights == 0 && !self.is_static && self.is_copied(part) {
            let world = drawn.matrices.world;
            (placed(&mut drawn, &IDENTITY), Place::Copy(world), mirrors(&world))
        } else {
            (standing(&mut drawn), Place::Still, false)
        };
        let number = part.map(|part| part.mesh);
        let weights = target_weights(&drawn);
        let fits = |begun: &Begun| begun.number == number && begun.place == place && begun.weights == weights;
        let at = match self.begun.iter().rposition(fits) {
            Some(at) => at,
            None => {
                self.begun.push(Begun { number, place, weights, piles: Piles::default() });
                self.begun.len() - 1
            }
        };
        let poured = Poured {
            drawn: &drawn,
            corners,
            group: part.map_or(usize::MAX, |part| part.group),
            material: part.map(|part| part.material),
            swap,
            extras: self.origin(&drawn, part),
        };
        self.builder.pour(&mut self.begun[at].piles, poured, &upright_rectangle);
    }

    /// Whether several parts draw the same list, and nothing moves them: copies of one thing.
    fn is_copied(&self, part: Option<&Part>) -> bool {
        part.is_some_and(|part| self.copies.get(&part.list).is_some_and(|count| *count > 1))
    }

    /// The corners of a draw with weights, and its skin.
    fn skinned(&mut self, drawn: &mut Drawn, state: &State<'_>, part: Option<&Part>) -> (Corners, usize) {
        let instance = self.instance(&drawn.matrices.world);
        let slots: Slots = std::array::from_fn(|slot| {
            let upload = state.bones[slot];
            let id = upload.and_then(|upload| upload.bone);
            let named = part.and_then(|part| part.palette[slot]);
            let bone = id.or(named).and_then(|id| self.rig.skeleton.index_of(id));
            let binding = upload.map_or(drawn.matrices.bones[slot], |upload| upload.binding);
            skin::Slot { bone, binding, matrix: drawn.matrices.bones[slot] }
        });
        if skin::used(drawn).into_iter().zip(&slots).any(|(used, slot)| used && slot.bone.is_none()) {
            self.still_joint(instance);
        }
        let Bound { skin, influences, as_stored } = self.binder.bind(drawn, &slots, instance, &self.rest);
        let corners = if as_stored { placed(drawn, &IDENTITY) } else { standing(drawn) };
        (Corners { influences, ..corners }, skin)
    }

    /// Adds a joint that never moves, where there is none yet.
    fn still_joint(&mut self, instance: usize) {
        let Builder { scene, node_names, .. } = &mut self.builder;
        if let Some(instance) = self.instances.get_mut(instance)
            && instance.still.is_none()
        {
            instance.still = Some(place_matrix(scene, node_names, "still", Some(instance.root), &IDENTITY));
        }
    }

    /// Nodes for all meshes.
    fn place_meshes(&mut self) {
        for Begun { number, place, weights, piles } in std::mem::take(&mut self.begun) {
            let primitives = self.builder.primitives(piles);
            if primitives.is_empty() {
                continue;
            }
            let name = number.map_or_else(|| "mesh".to_owned(), |number| format!("mesh_{number}"));
            let mesh = Some(self.builder.mesh(&name, primitives, weights));
            let Builder { scene, node_names, .. } = &mut self.builder;
            let (parent, skin) = match &place {
                Place::Still => (self.upright, None),
                Place::Copy(world) => {
                    let node = place_matrix(scene, node_names, &name, self.upright, world);
                    scene.nodes[node].mesh = mesh;
                    continue;
                }
                Place::Bone(bone) => {
                    (self.instances.first().and_then(|bones| bones.joints.get(*bone)).copied(), None)
                }
                Place::Skin(skin) => (None, Some(*skin)),
            };
            let name = node_names.unique(&name);
            scene.nodes.push(Node { name, parent, mesh, skin, ..Node::default() });
        }
    }

    /// Where a draw comes from.
    fn origin(&self, drawn: &Drawn, part: Option<&Part>) -> Extras {
        let mut extras: Extras = Vec::new();
        if let Some(part) = part {
            extras.push(("group", Extra::Whole(part.group as u64)));
            extras.push(("material", Extra::Whole(part.material as u64)));
        }
        extras.push(("address", Extra::text(drawn.at)));
        if let Some((source, offset)) = self.model.source_of(drawn.at) {
            extras.push(("source", Extra::text(&source.name)));
            extras.push(("source_offset", Extra::Text(format!("0x{offset:x}"))));
        }
        extras
    }
}

/// A draw's corners in world space; they are the draw's no longer.
fn standing(drawn: &mut Drawn) -> Corners {
    let frames = std::mem::take(&mut drawn.frames).into_iter().map(|frame| frame.looks);
    Corners { frames: frames.collect(), influences: Vec::new() }
}

/// A draw's vertices as they are stored, behind a matrix; they are the draw's no longer.
fn placed(drawn: &mut Drawn, matrix: &Affine) -> Corners {
    let mut direction = *matrix;
    direction[9..].fill(0.0);
    for frame in &mut drawn.frames {
        for (look, [position, normal]) in frame.looks.iter_mut().zip(std::mem::take(&mut frame.stored)) {
            look.position = transform(matrix, position);
            look.normal = transform(&direction, normal);
        }
    }
    standing(drawn)
}

/// Images that are a texture of the model take its name or number.
fn name_images(builder: &mut Builder, model: &Model) {
    let mut names = super::build::Names::default();
    let pictures = builder.pictures_mut();
    for (image, origins) in pictures.images.iter_mut().zip(&pictures.origins) {
        let is_one = |texture: &&ModelTexture| origins.iter().any(|origin| lies_at(texture, *origin));
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

/// Whether a picture that lay there is a texture of the model, with one of its palettes.
fn lies_at(texture: &ModelTexture, origin: Origin) -> bool {
    let holds = |palette: &TexturePalette| {
        let bytes = palette.colors.saturating_mul(palette.color_bytes());
        let range = palette.address..palette.address.offset(bytes.max(1));
        origin.palette.is_some_and(|address| range.contains(&address))
    };
    texture.address == origin.texels && texture.palette.as_ref().is_none_or(holds)
}

/// What the file says about itself.
fn about(model: &Model) -> Extras {
    let info = &model.info;
    let count = |count: usize| Extra::Whole(count as u64);
    let mut extras: Extras = vec![("format", Extra::text(info.format))];
    if let Some(version) = &info.version {
        extras.push(("version", Extra::text(version)));
    }
    // As the format counts them; what this file holds, anything that reads it can count.
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
