//! Files of Monster Hunter Freedom Unite and Portable 3rd: models (PMO), textures (TMH), skeletons (AHI) and
//! containers (PAC).
//!
//! This file holds the descriptors and matches the files of a model, in a container or given separately. Each
//! submodule reads one file type.
//! Source: [Monster Hunter](crate::reference::formats::pmo).

mod ahi;
mod pac;
mod pmo;
mod tmh;

pub use ahi::AhiProblem;
pub use pac::PacProblem;
pub use pmo::PmoProblem;
pub use tmh::TmhProblem;

use super::core::content::Content;
use super::core::descriptor::{Companion, Contents, Descriptor, Members, OpenContext, Search};
use super::core::error::{FileRole, FormatError};
use super::core::slice::{File, FileSlice, NamedMembers};

/// The descriptor of models.
pub static PMO: Descriptor = Descriptor {
    title: "Monster Hunter model",
    about: "A model of Monster Hunter Freedom Unite (1.0) or Portable 3rd (102).",
    sniff: pmo::sniff,
    magic: &pmo::MAGIC,
    companions: &[
        Companion { role: FileRole::Textures, search: Search::Extension("tmh", &TMH) },
        Companion { role: FileRole::Skeleton, search: Search::Extension("ahi", &AHI) },
    ],
    is_drawable: true,
    open: |context| model(context, context.slice, &context.siblings),
    ..Descriptor::new("pmo")
};

/// The descriptor of textures.
pub static TMH: Descriptor = Descriptor {
    title: "Monster Hunter textures",
    about: "Textures of Monster Hunter models.",
    sniff: tmh::sniff,
    magic: tmh::MAGIC,
    serves_as: Some(FileRole::Textures),
    open: textures,
    ..Descriptor::new("tmh")
};

/// The descriptor of skeletons.
pub static AHI: Descriptor = Descriptor {
    title: "Monster Hunter skeleton",
    about: "The skeleton of a Monster Hunter model.",
    sniff: ahi::sniff,
    looks_like: ahi::looks_like,
    serves_as: Some(FileRole::Skeleton),
    open: skeleton,
    ..Descriptor::new("ahi")
};

/// The descriptor of containers.
pub static PAC: Descriptor = Descriptor {
    title: "Monster Hunter container",
    about: "A container of Monster Hunter files, opened as the first model in it.",
    sniff: pac::sniff,
    looks_like: pac::looks_like,
    members: Members::Slices { read: pac::members_of, count: Some(pac::count) },
    open: container,
    ..Descriptor::new("pac")
};

fn textures(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let tmh = tmh::read(context.slice.view(TMH.name))?;
    Ok(Content::Textures(tmh.texture_set(context.slice.name)?).into())
}

fn skeleton(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let ahi::Ahi { skeleton, version, warnings } = ahi::read(context.slice.view(AHI.name))?;
    Ok(Content::Skeleton { skeleton, version, notes: warnings.notes().collect() }.into())
}

/// Opens the first model in a container and lists the members.
fn container(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let named = PAC.format().members_of(context.slice)?;
    let members = context.describe(context.slice, &named);
    let opened = match context.first_of(PMO.format(), &named) {
        Some((found, siblings)) => model(context, found, &siblings)?,
        None => Content::archive().into(),
    };
    Ok(Contents { members, ..opened })
}

/// Opens a model with its companions: those given separately, or else those in its container.
fn model<'a>(
    context: &OpenContext<'a>,
    slice: FileSlice<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Contents, FormatError> {
    let companion = |file: Option<File<'a>>, role: FileRole, format: &'static Descriptor| match file {
        Some(file) => context.companion_of(FileSlice::whole(file, role), format.format()).map(Some),
        None => Ok(sibling_of(context, slice, format, siblings)),
    };
    let files = &context.companions;
    let second = files.mesh_data.map(|file| FileSlice::whole(file, FileRole::MeshData));
    let read = pmo::read(slice.view(PMO.name), second.map(|second| second.view(PMO.name)))?;
    let textures = companion(files.textures, FileRole::Textures, &TMH)?;
    let skeleton = companion(files.skeleton, FileRole::Skeleton, &AHI)?;
    let mut companions =
        pmo::Companions { mesh_data: second.map(|second| second.name), ..pmo::Companions::default() };
    let mut notes = Vec::new();
    if let Some(textures) = textures {
        companions.textures = Some((textures.name, tmh::read(textures.view(TMH.name))?));
    }
    if let Some(skeleton) = skeleton {
        let ahi = ahi::read(skeleton.view(AHI.name))?;
        notes.extend(ahi.warnings.notes().map(|note| note.or_in_part("skeleton")));
        companions.skeleton = Some(ahi.skeleton);
    }
    let mut model = read.lower(slice.name, companions)?;
    model.notes.extend(notes);
    Ok(Content::Model(Box::new(model)).into())
}

/// Returns the companion of a model in its container: the first file of the format between this model and the
/// next, or else the only file of that format.
fn sibling_of<'a>(
    context: &OpenContext<'_>,
    model: FileSlice<'a>,
    format: &'static Descriptor,
    siblings: &NamedMembers<'a>,
) -> Option<FileSlice<'a>> {
    let siblings = siblings.iter().filter_map(|(_, sibling)| *sibling);
    let known: Vec<_> = siblings.map(|slice| (context.sniff(slice.bytes), slice)).collect();
    let (wanted, model_format) = (Some(format.format()), Some(PMO.format()));
    let after = known.iter().skip_while(|(_, slice)| slice.offset != model.offset).skip(1);
    let mut own = after.take_while(|(found, _)| *found != model_format);
    let mut all = known.iter().filter(|(found, _)| *found == wanted);
    let only = all.next().filter(|_| all.next().is_none());
    own.find(|(found, _)| *found == wanted).or(only).map(|&(_, slice)| slice)
}
