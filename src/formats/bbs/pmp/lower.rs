//! Converts a map to memory and a list to draw it. Each model and pass gets its own list. The map calls it for every
//! instance whose bounding box may be visible.
//!
//! # Invariants
//! This does not parse. It draws the first pass for all instances before the second for any. A model's list receives
//! WORLD and the face order from its caller, and sets all other state itself, so that instances can share it.
//! Source: [as GE state](crate::reference::formats::bbs#as-ge-state).

use std::collections::HashMap;
use std::ops::Range;

use super::read::{Instance, Pmp};
use crate::formats::bbs::pmo::list::{self, Materials};
use crate::formats::bbs::pmo::read::Pmo;
use crate::formats::bbs::pmo::section::Section;
use crate::formats::bbs::pmo::section_state::{self, SectionStateWriter, defaults, face_order};
use crate::formats::bbs::pmo::textures::{ExternalTim2, TextureLoader};
use crate::formats::bbs::scroll::{Scroll, with_scrolls};
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::options::ParseOptions;
use crate::formats::core::problem::Problem;
use crate::formats::core::state_writer::StateWriter;
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::model::matrix::{Affine, IDENTITY, scaled, then};
use crate::model::{Alternatives, Model, ModelTexture, Part, Up};

/// A model has this many mesh lists, each for its own pass.
const PASSES: usize = 2;

/// Converts a map to a model. `name` is its file's name.
pub(in crate::formats::bbs) fn lower<'a>(
    pmp: &Pmp<'a>,
    name: &'a str,
    external: Vec<ExternalTim2<'a>>,
    options: ParseOptions<'_>,
) -> Result<Model, FormatError> {
    let mut warnings = pmp.warnings.clone();
    let mut loader = Loader::new();
    let mut texture_loader = TextureLoader::new(pmp.file, name, external);
    for texture in &pmp.textures {
        texture_loader.load(texture, &mut loader, &mut warnings);
    }
    let mut loaded = Vec::new();
    for model in &pmp.models {
        loaded.push(load_model(model, name, &mut texture_loader, &mut loader, &mut warnings)?);
    }
    let white = section_state::white_texture(pmp.file, &mut loader)?;
    let textures = texture_loader.textures;

    let mut lists = ModelLists {
        pmp,
        loaded: &loaded,
        textures: &textures,
        white: &white,
        written: HashMap::new(),
        materials: Materials::default(),
        parts: Vec::new(),
        scrolls: Vec::new(),
    };
    let mut calls: Vec<(&Instance, usize, Range<usize>, Address)> = Vec::new();
    for pass in 0..PASSES {
        for instance in &pmp.instances {
            let Some(model) = instance.model else { continue };
            let drawn = lists.get_or_write(model, pass, instance.is_sky, &mut loader)?;
            if let Some((start, parts)) = drawn {
                calls.push((instance, model, parts, start));
            }
        }
    }
    let ModelLists { materials, mut parts, scrolls, .. } = lists;

    let mut list = ListBuilder::new(loader.room().0);
    list.set(Opcode::OFFSETADDR, 0);
    let mut state: StateWriter = StateWriter::new(list);
    state.push_all(defaults());
    for (instance, model, drawn, start) in calls {
        state.set(Command::new(Opcode::CULL, face_order(options, instance.is_mirrored)));
        let Some(loaded) = loaded.get(model) else { continue };
        let call = write_instance(&mut state, instance, loaded, start);
        for part in parts.get_mut(drawn).unwrap_or_default() {
            if part.call == start {
                part.call = call;
            }
        }
        // The list is still growing outside memory, so this checks that it will fit.
        let words = state.list().words().len();
        if words > loader.room().1 as usize / 4 {
            return Err(pmp.file.error(instance.at, Problem::OutOfMemory(words as u64)));
        }
    }
    state.list_mut().set(Opcode::RET, 0);
    let entry = loader.store_list(pmp.file, state.list())?.start;

    let sections = pmp.models.iter().flat_map(|model| &model.sections);
    let mut info = list::count("pmp", pmp.version.to_string(), sections);
    info.materials = materials.len();
    info.textures = textures.len();
    info.extra.extend([("instances", pmp.instances.len() as u64), ("models", pmp.models.len() as u64)]);
    let (memory, sources) = loader.finish();
    Ok(Model {
        memory,
        entry,
        sources,
        info,
        parts,
        textures,
        skeleton: None,
        animations: with_scrolls(Vec::new(), scrolls),
        alternatives: Alternatives::default(),
        up: Up::Y,
        fields: pmp.fields.clone(),
        notes: warnings.notes().collect(),
    })
}

/// A model's data in emulated memory, shared by its instances.
struct LoadedModel {
    vertices: Vec<Address>,
    /// Its texture table as texture numbers in the map.
    textures: Vec<Option<usize>>,
    /// Address to give to BBOX: the eight corners of its box, before the scale.
    corners: Address,
    scale: f32,
    /// Bone matrices in the rest pose, before the scale.
    bones: Vec<Affine>,
}

/// Loads a model's vertices, textures and box.
fn load_model<'a>(
    model: &Pmo<'a>,
    name: &'a str,
    texture_loader: &mut TextureLoader<'a>,
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<LoadedModel, FormatError> {
    let vertices = list::place_vertices(model, name, loader)?;
    let mut textures = Vec::new();
    for texture in &model.textures {
        textures.push(texture_loader.load(texture, loader, warnings));
    }
    let scale = model.scale;
    // WORLD applies the scale again, so this divides it out.
    let corners = model.corners().into_iter().flatten().map(|value| value / scale);
    let corners: Vec<u8> = corners.flat_map(f32::to_le_bytes).collect();
    let corners = loader.store(model.view, 0x20, &corners)?;
    let bones = match &model.skeleton {
        Some(bon) => bon
            .rest
            .iter()
            .zip(&bon.inverse_binds)
            .map(|(rest, bind)| unscaled(then(bind, rest), scale))
            .collect(),
        None => Vec::new(),
    };
    Ok(LoadedModel { vertices, textures, corners, scale, bones })
}

/// Moves a matrix from after a uniform scale to before it: only the translation changes.
fn unscaled(matrix: Affine, scale: f32) -> Affine {
    let mut out = matrix;
    out.iter_mut().skip(9).for_each(|value| *value /= scale);
    out
}

/// A list's start and its parts; `None` if the pass has no sections.
type WrittenList = Option<(Address, Range<usize>)>;

/// Writes model lists on first use, because many instances share a model.
struct ModelLists<'a, 'b> {
    pmp: &'a Pmp<'b>,
    loaded: &'a [LoadedModel],
    textures: &'a [ModelTexture],
    white: &'a ModelTexture,
    written: HashMap<(usize, usize, bool), WrittenList>,
    materials: Materials,
    /// Parts from all lists. Until a list is called, `call` holds its start.
    parts: Vec<Part>,
    scrolls: Vec<Scroll>,
}

impl ModelLists<'_, '_> {
    /// Finds a model's list for a pass, or writes it.
    fn get_or_write(
        &mut self,
        model: usize,
        pass: usize,
        is_sky: bool,
        loader: &mut Loader,
    ) -> Result<WrittenList, FormatError> {
        if let Some(drawn) = self.written.get(&(model, pass, is_sky)) {
            return Ok(drawn.clone());
        }
        let drawn = self.write(model, pass, is_sky, loader)?;
        self.written.insert((model, pass, is_sky), drawn.clone());
        Ok(drawn)
    }

    /// Writes a model's list for a pass.
    fn write(
        &mut self,
        number: usize,
        pass: usize,
        is_sky: bool,
        loader: &mut Loader,
    ) -> Result<WrittenList, FormatError> {
        let (Some(model), Some(loaded)) = (self.pmp.models.get(number), self.loaded.get(number)) else {
            return Ok(None);
        };
        // Group numbers continue through all models, to tell their parts apart.
        let before = self.pmp.models.iter().take(number).map(|model| model.sections.len());
        let first: usize = before.fold(0, usize::saturating_add);
        let mut state: StateWriter = StateWriter::new(ListBuilder::new(loader.room().0));
        let first_part = self.parts.len();
        let mut section_state = SectionStateWriter::new(self.textures, self.white, is_sky);
        for (index, (section, &vertices)) in model.sections.iter().zip(&loaded.vertices).enumerate() {
            if section.list != pass {
                continue;
            }
            let texture = section.texture.and_then(|number| loaded.textures.get(number).copied().flatten());
            let entry = section.texture.and_then(|number| model.textures.get(number));
            let speed = entry.map_or([0.0; 2], |entry| entry.scroll);
            section_state.write(
                &mut state,
                section,
                texture.map(|number| (number, speed)),
                &mut self.scrolls,
            );
            write_bones(state.list_mut(), section, loaded);
            let from = state.here();
            list::draw(state.list_mut(), section, vertices);
            self.parts.push(Part {
                list: from..state.here(),
                call: state.list().start(),
                mesh: number,
                group: first.saturating_add(index),
                material: self.materials.number(section, texture),
                texture,
                palette: list::palette(section, None),
                weights: section.vertex_type.weights(),
                uploads: Vec::new(),
            });
        }
        if self.parts.len() == first_part {
            return Ok(None);
        }
        state.list_mut().set(Opcode::RET, 0);
        loader.store_list(model.view, state.list())?;
        Ok(Some((state.list().start(), first_part..self.parts.len())))
    }
}

/// Uploads a section's bone matrices. Maps show the rest pose, so these never change.
fn write_bones(list: &mut ListBuilder, section: &Section<'_>, loaded: &LoadedModel) {
    let weights = section.vertex_type.weights();
    let bones = section.bones.unwrap_or([0; 8]);
    for (bone, first) in bones.into_iter().take(weights).zip((0_u32..).step_by(12)) {
        let matrix = loaded.bones.get(usize::from(bone)).unwrap_or(&IDENTITY);
        list.matrix(Matrix::Bone, first, matrix);
    }
}

/// Calls a model's list with this instance's transform, or skips it if its box is out of sight. Returns the CALL's
/// address.
fn write_instance(
    state: &mut StateWriter,
    instance: &Instance,
    loaded: &LoadedModel,
    start: Address,
) -> Address {
    state.list_mut().matrix(Matrix::World, 0, &scaled(instance.matrix, [loaded.scale; 3]));
    state.call_if_visible(loaded.corners, start)
}
