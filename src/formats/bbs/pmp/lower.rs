//! From a map to memory and the list that draws it: one list for each model and pass, called once for each instance
//! whose box may be visible.
//!
//! # Invariants
//! Parses nothing. What all instances draw first is drawn before what any draws second. A model's list needs WORLD
//! and the face order from its caller and sets the rest itself.
//! Source: the format document on Birth by Sleep models, §9.

use std::collections::HashMap;
use std::ops::Range;

use super::read::{Instance, Pmp};
use crate::formats::bbs::pmo::list::{self, Materials};
use crate::formats::bbs::pmo::look::{self, Looks, defaults, face_order};
use crate::formats::bbs::pmo::read::{Pmo, Section};
use crate::formats::bbs::pmo::textures::{Library, Outside};
use crate::formats::bbs::scroll::{Scroll, with_scrolls};
use crate::formats::core::error::{FormatError, Problem, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::options::ParseOptions;
use crate::formats::core::state_writer::StateWriter;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::ge::registers::vertex::{BoundingBox, ComponentFormat, VertexType};
use crate::model::matrix::{Affine, IDENTITY, scaled, then};
use crate::model::{Model, ModelTexture, Part, Up};

/// Mesh lists of a model: drawn first, and drawn second.
const PASSES: usize = 2;

/// The map, whose file's name is `name`, ready to be drawn.
pub(in crate::formats::bbs) fn lower<'a>(
    pmp: &Pmp<'a>,
    name: &'a str,
    outside: Vec<Outside<'a>>,
    options: ParseOptions<'_>,
) -> Result<Model, FormatError> {
    let mut warnings = pmp.warnings.clone();
    let mut loader = Loader::new();
    let mut library = Library::new(pmp.file, name, outside);
    for texture in &pmp.textures {
        library.find(texture, &mut loader, &mut warnings)?;
    }
    let mut placed = Vec::new();
    for model in &pmp.models {
        placed.push(place(model, name, &mut library, &mut loader, &mut warnings)?);
    }
    let white = look::white(pmp.file, &mut loader)?;
    let textures = library.textures;

    let mut lists = Lists {
        pmp,
        placed: &placed,
        textures: &textures,
        white: &white,
        known: HashMap::new(),
        materials: Materials::default(),
        parts: Vec::new(),
        scrolls: Vec::new(),
    };
    let mut calls: Vec<(&Instance, usize, Range<usize>, Address)> = Vec::new();
    for pass in 0..PASSES {
        for instance in &pmp.instances {
            let Some(model) = instance.model else { continue };
            let drawn = lists.of(model, pass, instance.is_sky, &mut loader)?;
            if let Some((start, parts)) = drawn {
                calls.push((instance, model, parts, start));
            }
        }
    }
    let Lists { materials, mut parts, scrolls, .. } = lists;

    let mut list = ListBuilder::new(loader.room().0);
    list.set(Opcode::OFFSETADDR, 0);
    let mut state: StateWriter = StateWriter::new(list);
    state.push_all(defaults());
    for (instance, model, drawn, start) in calls {
        state.set(Command::new(Opcode::CULL, face_order(options, instance.is_mirrored)));
        let Some(place) = placed.get(model) else { continue };
        let call = write_instance(&mut state, instance, place, start);
        for part in parts.get_mut(drawn).unwrap_or_default() {
            if part.call == start {
                part.call = call;
            }
        }
        let words = state.list().words().len();
        if words > loader.room().1 as usize / 4 {
            return Err(pmp.file.error(instance.at, Problem::OutOfMemory(words as u64)));
        }
    }
    state.list_mut().set(Opcode::RET, 0);
    list::store(state.list(), pmp.file, &mut loader)?;

    let sections = pmp.models.iter().flat_map(|model| &model.sections);
    let mut info = list::count("pmp", pmp.version.to_string(), sections);
    info.materials = materials.len();
    info.textures = textures.len();
    info.extra.extend([("instances", pmp.instances.len() as u64), ("models", pmp.models.len() as u64)]);
    let (memory, sources) = loader.finish();
    Ok(Model {
        memory,
        entry: state.list().start(),
        sources,
        info,
        parts,
        textures,
        skeleton: None,
        animations: with_scrolls(Vec::new(), scrolls),
        up: Up::Y,
        fields: pmp.fields.clone(),
        notes: warnings.lines().collect(),
    })
}

/// A model's pieces in memory.
struct Placed {
    vertices: Vec<Address>,
    /// Numbers of its textures in the whole map.
    textures: Vec<Option<usize>>,
    /// Eight corners, in the space that WORLD transforms.
    corners: Address,
    scale: f32,
    /// Bone matrices at rest, in the space that WORLD transforms.
    bones: Vec<Affine>,
}

fn place<'a>(
    model: &Pmo<'a>,
    name: &'a str,
    library: &mut Library<'a>,
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<Placed, FormatError> {
    let vertices = list::place_vertices(model, name, loader)?;
    let mut textures = Vec::new();
    for texture in &model.textures {
        textures.push(library.find(texture, loader, warnings)?);
    }
    let scale = model.header.scale.get();
    let corners: Vec<u8> = corners(model, scale).into_iter().flatten().flat_map(f32::to_le_bytes).collect();
    let corners = loader.store(model.view, 0x20, &corners)?;
    let bones = match &model.skeleton {
        Some(bon) => {
            let rest = bon.skeleton.world(&bon.skeleton.rest());
            rest.iter()
                .zip(&bon.inverse_binds)
                .map(|(rest, bind)| unscaled(then(bind, rest), scale))
                .collect()
        }
        None => Vec::new(),
    };
    Ok(Placed { vertices, textures, corners, scale, bones })
}

/// The box's corners before the model's scale, which WORLD brings in: those of the header where they hold the
/// model, else its real ones.
fn corners(model: &Pmo<'_>, scale: f32) -> [[f32; 3]; 8] {
    let corners = match model.real_bounds().filter(|_| !model.box_holds()) {
        Some([low, high]) => {
            let mut corners = [[0.0; 3]; 8];
            for (number, corner) in corners.iter_mut().enumerate() {
                for ((value, (low, high)), bit) in corner.iter_mut().zip(low.into_iter().zip(high)).zip(0..) {
                    *value = if number >> bit & 1 == 0 { low } else { high };
                }
            }
            corners
        }
        None => model.corners(),
    };
    // Nothing is left of a model with scale 0, its box included.
    if scale == 0.0 { corners } else { corners.map(|corner| corner.map(|value| value / scale)) }
}

/// The matrix that acts before the scale as `matrix` acts behind it.
fn unscaled(matrix: Affine, scale: f32) -> Affine {
    let mut out = matrix;
    if scale != 0.0 {
        out.iter_mut().skip(9).for_each(|value| *value /= scale);
    }
    out
}

/// The list of a model and pass, and its parts; `None` where it draws nothing.
type Drawn = Option<(Address, Range<usize>)>;

/// Lists of models, written when they are first needed.
struct Lists<'a, 'b> {
    pmp: &'a Pmp<'b>,
    placed: &'a [Placed],
    textures: &'a [ModelTexture],
    white: &'a ModelTexture,
    known: HashMap<(usize, usize, bool), Drawn>,
    materials: Materials,
    /// Their CALL is the list's start until it is known.
    parts: Vec<Part>,
    scrolls: Vec<Scroll>,
}

impl Lists<'_, '_> {
    fn of(
        &mut self,
        model: usize,
        pass: usize,
        is_sky: bool,
        loader: &mut Loader,
    ) -> Result<Drawn, FormatError> {
        if let Some(drawn) = self.known.get(&(model, pass, is_sky)) {
            return Ok(drawn.clone());
        }
        let drawn = self.write(model, pass, is_sky, loader)?;
        self.known.insert((model, pass, is_sky), drawn.clone());
        Ok(drawn)
    }

    fn write(
        &mut self,
        number: usize,
        pass: usize,
        is_sky: bool,
        loader: &mut Loader,
    ) -> Result<Drawn, FormatError> {
        let (Some(model), Some(placed)) = (self.pmp.models.get(number), self.placed.get(number)) else {
            return Ok(None);
        };
        let before = self.pmp.models.iter().take(number).map(|model| model.sections.len());
        let first: usize = before.fold(0, usize::saturating_add);
        let mut state: StateWriter = StateWriter::new(ListBuilder::new(loader.room().0));
        let first_part = self.parts.len();
        let mut looks = Looks::new(self.textures, self.white, is_sky);
        for (index, (section, &vertices)) in model.sections.iter().zip(&placed.vertices).enumerate() {
            if section.list != pass {
                continue;
            }
            let texture = section.texture.and_then(|number| placed.textures.get(number).copied().flatten());
            let entry = section.texture.and_then(|number| model.textures.get(number));
            let speed = entry.map_or([0.0; 2], |entry| entry.scroll);
            looks.write(&mut state, section, texture.map(|number| (number, speed)), &mut self.scrolls);
            write_bones(state.list_mut(), section, placed);
            let from = state.here();
            list::draw(state.list_mut(), section, vertices);
            let mut palette = [None; 8];
            let weights = section.vertex_type.weights();
            for (slot, bone) in palette.iter_mut().zip(section.bones.unwrap_or([0; 8])).take(weights) {
                *slot = Some(bone.into());
            }
            self.parts.push(Part {
                list: from..state.here(),
                call: state.list().start(),
                mesh: number,
                group: first.saturating_add(index),
                material: self.materials.number(section, texture),
                texture,
                palette,
                weights,
                uploads: Vec::new(),
            });
        }
        if self.parts.len() == first_part {
            return Ok(None);
        }
        state.list_mut().set(Opcode::RET, 0);
        list::store(state.list(), model.view, loader)?;
        Ok(Some((state.list().start(), first_part..self.parts.len())))
    }
}

fn write_bones(list: &mut ListBuilder, section: &Section<'_>, placed: &Placed) {
    let weights = section.vertex_type.weights();
    let bones = section.bones.unwrap_or([0; 8]);
    for (bone, first) in bones.into_iter().take(weights).zip((0_u32..).step_by(12)) {
        let matrix = placed.bones.get(usize::from(bone)).unwrap_or(&IDENTITY);
        list.matrix(Matrix::Bone, first, matrix);
    }
}

/// Calls a model's list at an instance's place, unless its box is out of sight. Returns the address of the CALL.
fn write_instance(state: &mut StateWriter, instance: &Instance, placed: &Placed, start: Address) -> Address {
    let list = state.list_mut();
    list.matrix(Matrix::World, 0, &scaled(instance.matrix, [placed.scale; 3]));
    list.write(VertexType { position: ComponentFormat::FLOAT, ..VertexType::default() });
    list.address(Opcode::VADDR, placed.corners).write(BoundingBox { count: 8 });
    // Over BASE and BJUMP themselves, and BASE and CALL.
    let after = list.here().offset(16);
    list.address(Opcode::BJUMP, after);
    state.call(start)
}
