//! Files from Monster Hunter Freedom Unite and Portable 3rd: models (PMO) and their mesh data, textures (TMH),
//! skeletons (AHI), animation packs and containers (PAC).
//!
//! This file holds the descriptors, and matches a model with its files, in a container or given separately. Each
//! submodule reads a single file type.
//! Source: [Monster Hunter](crate::reference::formats::pmo).

mod ahi;
mod animation;
mod pac;
mod pmo;
mod pose;
mod tmh;

pub use ahi::AhiProblem;
pub use animation::{AnimationProblem, ClipProblem};
pub use pac::PacProblem;
pub use pmo::PmoProblem;
pub use tmh::TmhProblem;

use super::core::content::Content;
use super::core::descriptor::{
    Companion, Contents, Descriptor, Format, Members, NameRule, OpenContext, Search,
};
use super::core::error::{FileRole, FormatError};
use super::core::problem::FormatProblem;
use super::core::slice::{File, FileSlice, NamedMembers};
use crate::model::{FileNote, FileNoteKind};

/// In Portable 3rd, a monster's animations are two files after its models.
const NUMBERED_ANIMATIONS: Companion =
    Companion { role: FileRole::Animations, search: Search::Derived(TWO_FURTHER, &ANIMATIONS) };

/// Derives the name of the file whose number is higher by 2.
const TWO_FURTHER: NameRule = NameRule { names: two_further, help: "the file whose number is higher by 2" };

fn two_further(input: &str) -> Vec<String> {
    let stem = input.rsplit_once('.').map_or(input, |(stem, _)| stem);
    let number = stem.parse::<u32>().ok().and_then(|number| number.checked_add(2));
    // Tools to unpack the game's archive write leading zeros, and choose the extension by content.
    number.map(|number| format!("{number:0width$}.*", width = stem.len())).into_iter().collect()
}

/// The descriptor for models.
pub static PMO: Descriptor = Descriptor {
    title: "Monster Hunter model",
    about: "A model of Monster Hunter Freedom Unite (1.0) or Portable 3rd (102).",
    sniff: pmo::sniff,
    magic: &pmo::MAGIC,
    companions: &[
        Companion { role: FileRole::Textures, search: Search::Extension("tmh", &TMH) },
        Companion { role: FileRole::Skeleton, search: Search::Extension("ahi", &AHI) },
        MESH_DATA,
        Companion { role: FileRole::Animations, search: Search::Extension("bin", &ANIMATIONS) },
        NUMBERED_ANIMATIONS,
    ],
    options: &animation::OPTIONS,
    is_drawable: true,
    open: |context| model(context, context.slice, &context.siblings),
    refusals: PmoProblem::REFUSALS,
    geometry: Some(pmo::write),
    ..Descriptor::new("pmo")
};

/// The second file for a Portable 3rd model, or for a container with such a model.
const MESH_DATA: Companion = Companion { role: FileRole::MeshData, search: Search::Extension("mesh", &MESH) };

/// The descriptor for mesh data.
pub static MESH: Descriptor = Descriptor {
    title: "Monster Hunter mesh data",
    about: "The second file of a model of Portable 3rd: its display lists and vertices, drawn with its PMO.",
    sniff: pmo::is_mesh_data,
    serves_as: Some(FileRole::MeshData),
    open: |_| {
        let message = "the display lists and vertices of a model, whose PMO file draws them";
        let notes = vec![FileNote::new(FileNoteKind::UnknownField, message)];
        Ok(Content::Archive { notes }.into())
    },
    ..Descriptor::new("mesh")
};

/// The descriptor for textures.
pub static TMH: Descriptor = Descriptor {
    title: "Monster Hunter textures",
    about: "Textures of Monster Hunter models.",
    sniff: tmh::sniff,
    magic: tmh::MAGIC,
    serves_as: Some(FileRole::Textures),
    open: textures,
    refusals: TmhProblem::REFUSALS,
    ..Descriptor::new("tmh")
};

/// The descriptor for skeletons.
pub static AHI: Descriptor = Descriptor {
    title: "Monster Hunter skeleton",
    about: "The skeleton of a Monster Hunter model.",
    sniff: ahi::sniff,
    looks_like: ahi::looks_like,
    serves_as: Some(FileRole::Skeleton),
    open: skeleton,
    refusals: AhiProblem::REFUSALS,
    ..Descriptor::new("ahi")
};

/// The descriptor for animation packs.
pub(crate) static ANIMATIONS: Descriptor = Descriptor {
    title: "Monster Hunter animations",
    about: "Animations of a Monster Hunter monster.",
    sniff: animation::sniff,
    looks_like: animation::looks_like,
    serves_as: Some(FileRole::Animations),
    options: &animation::OPTIONS,
    open: animations,
    refusals: AnimationProblem::REFUSALS,
    ..Descriptor::new("mh-anim")
};

/// The descriptor for containers.
pub static PAC: Descriptor = Descriptor {
    title: "Monster Hunter container",
    about: "A container of Monster Hunter files, opened as the first model in it.",
    sniff: pac::sniff,
    looks_like: pac::looks_like,
    members: Members::Slices { read: pac::members_of, count: Some(pac::count) },
    companions: &[MESH_DATA, NUMBERED_ANIMATIONS],
    options: &animation::OPTIONS,
    open: container,
    refusals: PacProblem::REFUSALS,
    replace_member: Some(pac::replace),
    ..Descriptor::new("pac")
};

fn textures(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let tmh = tmh::read(context.slice.view(TMH.name))?;
    Ok(Content::Textures(tmh.texture_set(context.slice.name)?).into())
}

fn skeleton(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let ahi::Ahi { skeleton, version, warnings, .. } = ahi::read(context.slice.view(AHI.name))?;
    Ok(Content::Skeleton { skeleton, version, notes: warnings.notes().collect() }.into())
}

fn animations(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let pack = animation::read(context.slice.view(ANIMATIONS.name))?;
    let counts = pack.counts().map(|(name, count)| (name.to_owned(), count)).into();
    let content = Content::Animations(pack.animation_set(context.options.parse));
    Ok(Contents { members: Vec::new(), counts, content })
}

/// Opens a container's first model, and lists the members.
fn container(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let named = PAC.format().members_of(context.slice)?;
    let members = context.describe(context.slice, &named);
    let mut opened = match context.first_of(PMO.format(), &named) {
        Some((found, siblings)) => model(context, found, &siblings)?,
        None => Content::archive().into(),
    };
    opened.content.notes_mut().extend(pac::warnings(context.slice.view(PAC.name))?.notes());
    Ok(Contents { members, ..opened })
}

/// Opens a model with its companions: given files, or else files from its container.
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
    let second = match files.mesh_data {
        // Unrecognised bytes may still be damaged mesh data, because the user says so.
        Some(file) if context.sniff(file.bytes).is_none() => Some(FileSlice::whole(file, FileRole::MeshData)),
        file => companion(file, FileRole::MeshData, &MESH)?,
    };
    let read = pmo::read(slice.view(PMO.name), second.map(|second| second.view(PMO.name)))?;
    let textures = companion(files.textures, FileRole::Textures, &TMH)?;
    let skeleton = companion(files.skeleton, FileRole::Skeleton, &AHI)?;
    let mut companions =
        pmo::Companions { mesh_data: second.map(|second| second.name), ..pmo::Companions::default() };
    let mut notes = Vec::new();
    if let Some(textures) = textures
        && let Some(tmh) = or_note(textures, tmh::read(textures.view(TMH.name)), "textures", &mut notes)?
    {
        companions.textures = Some((textures.name, tmh));
    }
    let ahi = match skeleton {
        Some(skeleton) => or_note(skeleton, ahi::read(skeleton.view(AHI.name)), "skeleton", &mut notes)?,
        None => None,
    };
    if let Some(ahi) = &ahi {
        notes.extend(ahi.warnings.notes().map(|note| note.or_in_part("skeleton")));
        companions.skeleton = Some(ahi.skeleton.clone());
    }
    let mut model = read.lower(slice.name, companions)?;
    model.notes.extend(notes);
    if let Some(animations) = animations_of(context, slice, siblings)?
        && let Some(pack) = or_note(
            animations,
            animation::read(animations.view(ANIMATIONS.name)),
            "animations",
            &mut model.notes,
        )?
    {
        let motion = pack.motion(ahi.as_ref(), context.options.parse);
        model.animations = motion.animations;
        model.notes.extend(motion.notes.into_iter().map(|note| note.or_in_part("animations")));
        model.info.extra.extend(motion.counts);
    }
    Ok(Content::Model(Box::new(model)).into())
}

/// Turns a damaged companion into a note if it comes from the model's own container, so that the model is still
/// drawn. If the user gave the file, its damage is an error.
fn or_note<T>(
    file: FileSlice<'_>,
    read: Result<T, FormatError>,
    part: &'static str,
    notes: &mut Vec<FileNote>,
) -> Result<Option<T>, FormatError> {
    match read {
        Err(error) if file.role == FileRole::Input => {
            let message = format!("not used: {}", error.kind);
            let note = FileNote::new(FileNoteKind::LeftOut, message).in_part(part);
            notes.push(FileNote { offset: error.offset, ..note });
            Ok(None)
        }
        read => read.map(Some),
    }
}

/// Finds a model's animations: the given file, or the pack between this model and the next in its container. A pack
/// before the only model counts too. A monster's second model has none.
fn animations_of<'a>(
    context: &OpenContext<'a>,
    model: FileSlice<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Option<FileSlice<'a>>, FormatError> {
    if let Some(file) = context.companions.animations {
        let file = FileSlice::whole(file, FileRole::Animations);
        return context.companion_of(file, ANIMATIONS.format()).map(Some);
    }
    let members = || siblings.iter().filter_map(|(_, sibling)| *sibling);
    let is_model = |slice: &FileSlice<'_>| context.is(slice.bytes, &PMO);
    let after = members().skip_while(|slice| slice.offset != model.offset).skip(1);
    let own = after.take_while(|slice| !is_model(slice)).find(|slice| context.is(slice.bytes, &ANIMATIONS));
    let is_only = members().filter(is_model).count() == 1;
    let any = || members().find(|slice| is_only && context.is(slice.bytes, &ANIMATIONS));
    Ok(own.or_else(any))
}

/// Finds a model's companion in its container. If the container begins with a companion, like those with Freedom
/// Unite's monsters and their skeletons, companions precede their models: take the nearest before. Otherwise take
/// the first between this model and the next, or else the nearest before, because models share it. If there is
/// neither, take the first in the container.
/// Source: [PAC containers](crate::reference::formats::pmo#pac-containers).
fn sibling_of<'a>(
    context: &OpenContext<'_>,
    model: FileSlice<'a>,
    format: &'static Descriptor,
    siblings: &NamedMembers<'a>,
) -> Option<FileSlice<'a>> {
    let (wanted, models) = (format.format(), PMO.format());
    let slices = siblings.iter().filter_map(|(_, sibling)| *sibling);
    let known = slices.filter_map(|slice| Some((context.sniff(slice.bytes)?, slice)));
    let known: Vec<_> = known.filter(|(found, _)| *found == wanted || *found == models).collect();
    let position = known.iter().position(|(_, slice)| slice.offset == model.offset)?;
    let is_wanted = |(found, slice): &(Format, FileSlice<'a>)| (*found == wanted).then_some(*slice);
    let (before, after) = known.split_at_checked(position)?;
    let before = || before.iter().rev().find_map(is_wanted);
    let next = || after.get(1).and_then(is_wanted);
    if known.first().is_some_and(|(found, _)| *found == wanted) {
        before().or_else(next)
    } else {
        next().or_else(before)
    }
    .or_else(|| known.iter().find_map(is_wanted))
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
#[expect(clippy::type_complexity, reason = "a table of cases")]
mod tests;
