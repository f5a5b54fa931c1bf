//! Converts a model to memory and a list to draw it. Each section gets its own list. They are called in file order,
//! the second mesh list after the first.
//!
//! # Invariants
//! This does not parse, and writes no redundant state or matrices. Source:
//! [as GE state](crate::reference::formats::bbs#as-ge-state).

use std::collections::BTreeSet;

use super::list::{self, Materials};
use super::read::Pmo;
use super::section::Section;
use super::section_state::{self, SectionStateWriter, defaults, face_order};
use super::textures::{ExternalTim2, TextureLoader};
use crate::formats::bbs::bon::Bon;
use crate::formats::bbs::scroll::{Scroll, with_scrolls};
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;
use crate::formats::core::loader::Loader;
use crate::formats::core::options::OpenOptions;
use crate::formats::core::state_writer::StateWriter;
use crate::ge::address::Address;
use crate::ge::list::ListBuilder;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Matrix;
use crate::model::matrix::{Affine, IDENTITY, scaled, then};
use crate::model::{Alternatives, Animation, Field, FileNote, FileNoteKind, MatrixUpload, Model, Part, Up};

/// Animations for a model, with their fields and notes.
#[derive(Debug, Default)]
pub(in crate::formats::bbs) struct Motion {
    pub(in crate::formats::bbs) animations: Vec<Animation>,
    pub(in crate::formats::bbs) fields: Vec<Field>,
    pub(in crate::formats::bbs) notes: Vec<FileNote>,
}

/// Converts a model from the file `file` with name `name`.
pub(in crate::formats::bbs) fn lower<'a>(
    pmo: &Pmo<'a>,
    (file, name): (View<'a>, &'a str),
    external: Vec<ExternalTim2<'a>>,
    motion: Motion,
    options: OpenOptions<'_>,
) -> Result<Model, FormatError> {
    let alternatives = alternatives(pmo);
    let selected = alternatives.group_or_default(0, options.selection.group);
    let mut warnings = pmo.warnings.clone();
    let mut info = list::count("bbs-pmo", pmo.header.version.to_string(), pmo.sections.iter());
    let mut loader = Loader::new();
    let vertices = list::place_vertices(pmo, name, &mut loader)?;
    let mut texture_loader = TextureLoader::new(file, name, external);
    let mut numbers = Vec::new();
    for texture in &pmo.textures {
        numbers.push(texture_loader.load(texture, &mut loader, &mut warnings));
    }
    let white = section_state::white_texture(pmo.view, &mut loader)?;
    let textures = texture_loader.textures;

    let drawn: Vec<(&Section<'_>, Address)> =
        pmo.sections.iter().zip(vertices).filter(|(section, _)| is_selected(section, selected)).collect();
    let mut lists = Vec::new();
    for (section, vertices) in &drawn {
        let mut list = ListBuilder::new(loader.room().0);
        list::draw(&mut list, section, *vertices);
        list.set(Opcode::RET, 0);
        lists.push(loader.store_list(pmo.view, &list)?);
    }

    let (entry, _) = loader.room();
    let mut list = ListBuilder::new(entry);
    list.set(Opcode::OFFSETADDR, 0);
    let mut state = StateWriter::new(list);
    state.push_all(defaults());
    state.list_mut().set(Opcode::CULL, face_order(options.parse, false));
    let mut section_state = SectionStateWriter::new(&textures, &white, false);
    let mut materials = Materials::default();
    let (mut parts, mut scrolls): (Vec<Part>, Vec<Scroll>) = (Vec::new(), Vec::new());
    for (group, ((section, _), range)) in drawn.iter().zip(lists).enumerate() {
        let entry = section.texture.and_then(|number| pmo.textures.get(number));
        let texture = section.texture.and_then(|number| numbers.get(number).copied().flatten());
        let speed = entry.map_or([0.0; 2], |entry| entry.scroll);
        section_state.write(&mut state, section, texture.map(|number| (number, speed)), &mut scrolls);
        let uploads = write_matrices(pmo, &mut state, section);
        let call = state.call(range.start);
        parts.push(Part {
            list: range,
            call,
            mesh: group,
            group,
            material: materials.number(section, texture),
            texture,
            palette: list::palette(section, uploads.first().and_then(|upload| upload.bone)),
            weights: section.vertex_type.weights(),
            uploads,
        });
    }
    state.list_mut().set(Opcode::RET, 0);
    loader.store_list(pmo.view, state.list())?;

    info.materials = materials.len();
    info.textures = textures.len();
    info.bones = pmo.skeleton.as_ref().map_or(0, Bon::len);
    let mut notes: Vec<FileNote> = warnings.notes().collect();
    notes.extend(group_note(pmo, selected));
    notes.extend(motion.notes);
    let mut fields = pmo.fields.clone();
    fields.extend(motion.fields);
    let (memory, sources) = loader.finish();
    Ok(Model {
        memory,
        entry,
        sources,
        alternatives,
        up: Up::Y,
        info,
        parts,
        textures,
        skeleton: pmo.skeleton.as_ref().map(|bon| bon.skeleton.clone()),
        animations: with_scrolls(motion.animations, scrolls),
        fields,
        notes,
    })
}

/// Returns whether to draw a section: its visibility group must be 0 or selected. Selecting group 0 draws all.
fn is_selected(section: &Section<'_>, group: usize) -> bool {
    group == 0 || section.group == 0 || usize::from(section.group) == group
}

/// Lists a model's visibility groups. Group 0 always exists, because it selects all.
fn alternatives(pmo: &Pmo<'_>) -> Alternatives {
    Alternatives::of_groups(pmo.sections.iter().map(|section| section.group.into()).chain([0]))
}

/// Tells the user about several visibility groups, unless a group is selected.
fn group_note(pmo: &Pmo<'_>, selected: usize) -> Option<FileNote> {
    let groups: BTreeSet<u8> = pmo.sections.iter().map(|section| section.group).collect();
    if groups.len() < 2 || selected != 0 {
        return None;
    }
    let message = format!(
        "the sections have visibility groups {}; all are drawn (selecting group N: only those of 0 and N)",
        ranges(&groups)
    );
    Some(FileNote::new(FileNoteKind::HiddenParts, message))
}

/// Writes numbers as ranges: "0 to 40, 42".
fn ranges(numbers: &BTreeSet<u8>) -> String {
    let mut runs: Vec<[u8; 2]> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some([_, last]) if last.checked_add(1) == Some(number) => *last = number,
            _ => runs.push([number; 2]),
        }
    }
    let words = runs.into_iter().map(|[first, last]| match last.saturating_sub(first) {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first} to {last}"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// Identifies a matrix, to upload it only if it changes: the bone, and for WORLD the whole matrix.
type MatrixKey = (Option<u8>, Option<Affine>);

/// Uploads a section's matrices. The scale goes into WORLD, or into the bone matrices if the section has
/// weights.
fn write_matrices(
    pmo: &Pmo<'_>,
    state: &mut StateWriter<MatrixKey>,
    section: &Section<'_>,
) -> Vec<MatrixUpload> {
    let mut world = |bone, matrix: Affine| state.matrix(Matrix::World, 0, (bone, Some(matrix)), || matrix);
    let weights = section.vertex_type.weights();
    if weights > 0 {
        world(None, IDENTITY);
        let bones = section.bones.unwrap_or([0; 8]).into_iter().take(weights).enumerate();
        return bones.filter_map(|(slot, bone)| write_bone(pmo, state, slot, bone)).collect();
    }
    // Without weights, the section follows its first bone (inferred).
    let bone = section.bones.and_then(|[first, ..]| Some((first, binding(pmo, first)?)));
    let Some((bone, (binding, rest))) = bone else {
        world(None, scaled(IDENTITY, [pmo.scale; 3]));
        return Vec::new();
    };
    let upload = world(Some(bone), then(&binding, &rest)).map(|at| {
        let (matrix, bone) = (Matrix::World, Some(u32::from(bone)));
        MatrixUpload { matrix, slot: 0, bone, binding, at }
    });
    upload.into_iter().collect()
}

/// Computes the matrix from vertices to a bone's space, and the bone's rest matrix; `None` if there is no
/// such bone.
fn binding(pmo: &Pmo<'_>, bone: u8) -> Option<(Affine, Affine)> {
    let bon = pmo.skeleton.as_ref()?;
    let bind = bon.inverse_binds.get(usize::from(bone))?;
    Some((scaled(*bind, [pmo.scale; 3]), *bon.rest.get(usize::from(bone))?))
}

/// Uploads a bone matrix. If this bone is missing, vertices stay in the rest pose.
fn write_bone(
    pmo: &Pmo<'_>,
    state: &mut StateWriter<MatrixKey>,
    slot: usize,
    bone: u8,
) -> Option<MatrixUpload> {
    let found = binding(pmo, bone);
    let unbound = || scaled(IDENTITY, [pmo.scale; 3]);
    let matrix = || found.map_or_else(unbound, |(binding, rest)| then(&binding, &rest));
    let at = state.matrix(Matrix::Bone, slot, (Some(bone), None), matrix)?;
    let (binding, _) = found?;
    Some(MatrixUpload { matrix: Matrix::Bone, slot, bone: Some(bone.into()), binding, at })
}
