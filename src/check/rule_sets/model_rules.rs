//! Rules on models: their parts, textures and bones.

use std::collections::BTreeMap;

use crate::check::checker::DrawTotal;
use crate::check::finding::Place;
use crate::check::findings::{Findings, SAME};
use crate::check::rule::Rule;
use crate::ge::address::Address;
use crate::ge::note::Severity;
use crate::model::texture::LARGEST;
use crate::model::{FileNote, Model, ModelTexture, Part};

/// Checks a model's parts, textures and bones. `draws` come from running its list.
pub(crate) fn check(model: &Model, draws: &BTreeMap<Address, DrawTotal>, findings: &mut Findings) {
    for (number, part) in model.parts.iter().enumerate() {
        let words = part.list.start..part.list.end.max(part.list.start);
        let own: Vec<&DrawTotal> = draws.range(words).map(|(_, total)| total).collect();
        check_part(model, number, part, &own, findings);
    }
    for (number, texture) in model.textures.iter().enumerate() {
        check_texture(texture, findings);
        if !model.parts.is_empty() && model.parts.iter().all(|part| part.texture != Some(number)) {
            let message = || format!("no part uses {}", texture_name(texture));
            let place = Place { file_offset: Some(texture.file_offset), ..Place::default() };
            findings.add(Rule::UnusedTexture, [index(number), 0], &place, message);
        }
    }
}

/// Reports the notes from opening a file.
pub(crate) fn check_notes<'n>(notes: impl IntoIterator<Item = &'n FileNote>, findings: &mut Findings) {
    for (number, note) in notes.into_iter().enumerate() {
        let place = Place { file_offset: note.offset, ..Place::default() };
        let rule = match note.severity() {
            Severity::Problem => Rule::FileProblem,
            Severity::Information => Rule::FileNote,
        };
        let message = || match &note.part {
            Some(part) => format!("{part}: {}", note.message),
            None => note.message.clone(),
        };
        findings.add(rule, [index(number), 0], &place, message);
    }
}

/// Checks whether a texture is too large for the hardware.
pub(crate) fn check_texture(texture: &ModelTexture, findings: &mut Findings) {
    if texture.width > LARGEST || texture.height > LARGEST {
        let (name, width, height) = (texture_name(texture), texture.width, texture.height);
        let message = || format!("{name} has {width}x{height} texels");
        let place = Place { file_offset: Some(texture.file_offset), ..Place::default() };
        findings.add(Rule::TextureTooLarge, [width.into(), height.into()], &place, message);
    }
}

fn check_part(model: &Model, number: usize, part: &Part, draws: &[&DrawTotal], findings: &mut Findings) {
    let place = Place { address: Some(part.list.start), ..Place::default() };
    let (mesh, material) = (part.mesh, part.material);
    if draws.is_empty() {
        let message = || format!("part {number} of mesh {mesh} has no draw");
        findings.add(Rule::EmptyPart, SAME, &place, message);
    }
    if part.texture.is_none() && draws.iter().any(|total| total.has_texcoords) {
        let message = || {
            format!(
                "part {number} (mesh {mesh}, material {material}) has texture coordinates, but no texture"
            )
        };
        findings.add(Rule::UntexturedPart, [index(material), 0], &place, message);
    } else if part.texture.is_some_and(|texture| texture >= model.textures.len()) {
        let message = || {
            format!(
                "part {number} (mesh {mesh}, material {material}) refers to a texture that does not exist"
            )
        };
        findings.add(Rule::UntexturedPart, [index(material), 1], &place, message);
    }
    let Some(skeleton) = &model.skeleton else { return };
    let palette = part.palette.iter().take(part.weights).flatten().copied();
    let uploads = part.uploads.iter().filter_map(|upload| upload.bone);
    for bone in palette.chain(uploads).filter(|bone| skeleton.index_of(*bone).is_none()) {
        let message =
            || format!("part {number} of mesh {mesh} refers to bone {bone}, which the skeleton lacks");
        findings.add(Rule::MissingBone, [bone, 0], &place, message);
    }
}

/// Returns a texture's number, and its name if it has one.
fn texture_name(texture: &ModelTexture) -> String {
    match &texture.name {
        Some(name) => format!("texture {} \"{name}\"", texture.index),
        None => format!("texture {}", texture.index),
    }
}

/// Converts an index for use in a cause.
fn index(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
