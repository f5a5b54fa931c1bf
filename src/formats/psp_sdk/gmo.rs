//! GMO: the model format of Sony's PSP SDK.
//! Source: [GMO](crate::reference::formats::psp_sdk#gmo-header).
//!
//! # Invariants
//! Vertices already are GE vertices, so they are copied to memory and drawn unchanged. A part that cannot be read
//! costs no other.

mod bones;
mod bounds;
mod chunk;
mod curve;
mod info;
mod lists;
mod lower;
mod materials;
mod motion;
mod parts;
mod passes;
mod problem;
mod raw;
mod read;
mod reader;
mod rig;
mod scene;
mod textures;

use std::sync::Arc;

pub use problem::GmoProblem;
pub(super) use read::sniff;
pub(super) use textures::{is_picture, load_picture};

use crate::formats::core::content::Content;
use crate::formats::core::cursor::View;
use crate::formats::core::descriptor::{Companion, Contents, Descriptor, NameList, OpenContext, Search};
use crate::formats::core::error::{FileRole, FormatError};
use crate::formats::core::problem::{FormatProblem, Problem};
use crate::formats::core::slice::FileSlice;
use crate::model::{AnimationSet, FileNote};
use motion::Stage;
use read::Gmo;

/// Describes GMO models, to recognise and open them.
pub static FORMAT: Descriptor = Descriptor {
    title: "PSP SDK model",
    about: "A model of Sony's PSP SDK, or motions of one.",
    sniff,
    magic: &raw::MAGIC,
    companions: &[
        Companion {
            role: FileRole::Library(0),
            search: Search::Listed(NameList { names: texture_names, help: "those that the model names" }),
        },
        Companion { role: FileRole::Animations, search: Search::Given("another model with motions") },
    ],
    is_drawable: true,
    open,
    refusals: GmoProblem::REFUSALS,
    ..Descriptor::new("gmo")
};

/// Lists the file names under which a model's textures may be beside it.
fn texture_names(bytes: &[u8]) -> Vec<String> {
    let file = View::new(bytes, 0, FORMAT.name, FileRole::Input);
    let Ok(gmo) = read::read(file) else { return Vec::new() };
    let named = gmo.scenes.iter().flat_map(|scene| &scene.textures).filter(|texture| texture.image.is_none());
    let names = named.filter_map(|texture| texture.file_name.as_deref()).map(textures::base);
    let mut all = Vec::new();
    for name in names.filter(|name| !name.is_empty()) {
        all.push(name.to_owned());
        let (stem, _) = textures::split(name);
        all.extend(textures::ENDINGS.iter().map(|ending| format!("{stem}.{ending}")));
    }
    all
}

fn open(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let slice = context.slice;
    let gmo = read::read(slice.view(FORMAT.name))?;
    if gmo.scenes.iter().any(lower::has_meshes) {
        let files = context.companions.iter();
        let textures =
            files.filter(|(role, _)| matches!(role, FileRole::Textures | FileRole::Library(_))).collect();
        let mut companions = lower::Companions { textures, motions: Vec::new() };
        if let Some(file) = context.companions.animations {
            let other = FileSlice::whole(file, FileRole::Animations);
            if !sniff(file.bytes) {
                let (expected, found) = (FORMAT.name, context.name_of(file.bytes));
                return Err(other.error(Problem::WrongCompanion { expected, found }));
            }
            for scene in read::read(other.view(FORMAT.name))?.scenes {
                let bones = scene.bones;
                companions.motions.extend(scene.motions.into_iter().map(|motion| (motion, bones.clone())));
            }
        }
        let model = lower::lower(&gmo, slice.name, &companions, context.options)?;
        return Ok(Content::Model(Box::new(model)).into());
    }
    without_meshes(gmo).map(Contents::from)
}

/// Returns a file's motions if it has no meshes, or else its skeleton.
fn without_meshes(gmo: Gmo<'_>) -> Result<Content, FormatError> {
    let mut notes: Vec<FileNote> = gmo.warnings.notes().collect();
    notes.extend(gmo.fields.iter().map(FileNote::from));
    let mut animations = Vec::new();
    let mut skeleton = None;
    for scene in &gmo.scenes {
        let rig = rig::Rig::of(scene);
        skeleton = skeleton.or_else(|| rig.skeleton());
        let (bones, materials) = (scene.bones.clone(), scene.materials.clone());
        let stage = Arc::new(Stage { rig, bones, materials, patches: Vec::new() });
        animations.extend(scene.motions.iter().map(|motion| motion::animation(motion.clone(), &stage)));
    }
    let bones = gmo.scenes.iter().map(|scene| scene.bones.len()).max().unwrap_or(0);
    if !animations.is_empty() {
        let version = Some("1.00".to_owned());
        return Ok(Content::Animations(AnimationSet { animations, version, bones, notes }));
    }
    match skeleton {
        Some(skeleton) => Ok(Content::Skeleton { skeleton, version: "1.00", notes }),
        None => Err(gmo.file.error(0, GmoProblem::NothingDrawn)),
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
