//! Opens this game's files with their companions, from the same container or from other files.

use super::bon::{self, Bon};
use super::options::{CLOCKWISE_FRONT, Z_TURNS_FIRST};
use super::pmo::{self, Motion, textures::ExternalTim2};
use super::tim2::{self, Tim2};
use super::{arc, pam, pmp};
use crate::formats::core::content::Content;
use crate::formats::core::descriptor::{Companion, Contents, Descriptor, Members, OpenContext, Search};
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::problem::{FormatProblem, Problem};
use crate::formats::core::slice::{File, FileSlice, NamedMembers};
use crate::model::{AnimationSet, FileNote, FileNoteKind, TextureSet};

/// Models.
pub static PMO: Descriptor = Descriptor {
    title: "Birth by Sleep model",
    about: "A model of Kingdom Hearts Birth by Sleep.",
    sniff: |bytes| bytes.starts_with(&pmo::MAGIC),
    magic: &pmo::MAGIC,
    companions: &[
        Companion { role: FileRole::Textures, search: Search::Extension("tm2", &TIM2) },
        Companion { role: FileRole::Skeleton, search: Search::Extension("bon", &BON) },
        Companion { role: FileRole::Animations, search: Search::Extension("pam", &PAM) },
    ],
    options: &[CLOCKWISE_FRONT, Z_TURNS_FIRST],
    is_drawable: true,
    open: |context| Ok(model(context, context.slice, &context.siblings)?.into()),
    refusals: pmo::BbsPmoProblem::REFUSALS,
    ..Descriptor::new("bbs-pmo")
};

/// Maps.
pub static PMP: Descriptor = Descriptor {
    title: "Birth by Sleep map",
    about: "A map of Kingdom Hearts Birth by Sleep.",
    sniff: |bytes| bytes.starts_with(&pmp::MAGIC),
    magic: &pmp::MAGIC,
    companions: &[Companion { role: FileRole::Textures, search: Search::Extension("tm2", &TIM2) }],
    options: &[CLOCKWISE_FRONT, Z_TURNS_FIRST],
    is_drawable: true,
    open: |context| Ok(map(context, context.slice, &context.siblings)?.into()),
    refusals: pmp::PmpProblem::REFUSALS,
    ..Descriptor::new("pmp")
};

/// Textures.
pub static TIM2: Descriptor = Descriptor {
    title: "TIM2 textures",
    about: "Textures of Birth by Sleep models and maps.",
    sniff: tim2::sniff,
    magic: &tim2::MAGIC,
    serves_as: Some(FileRole::Textures),
    open: textures,
    refusals: tim2::Tim2Problem::REFUSALS,
    ..Descriptor::new("tim2")
};

/// Skeletons.
pub static BON: Descriptor = Descriptor {
    title: "Birth by Sleep skeleton",
    about: "The skeleton of a Birth by Sleep model.",
    sniff: bon::sniff,
    magic: &bon::MAGIC,
    serves_as: Some(FileRole::Skeleton),
    open: bones,
    refusals: bon::BonProblem::REFUSALS,
    ..Descriptor::new("bon")
};

/// Animations.
pub static PAM: Descriptor = Descriptor {
    title: "Birth by Sleep animations",
    about: "Animations of a Birth by Sleep model.",
    sniff: pam::sniff,
    magic: &pam::MAGIC,
    serves_as: Some(FileRole::Animations),
    options: &[Z_TURNS_FIRST],
    open: animations,
    refusals: pam::PamProblem::REFUSALS,
    ..Descriptor::new("pam")
};

/// Containers.
pub static ARC: Descriptor = Descriptor {
    title: "Birth by Sleep container",
    about: "A container of Birth by Sleep files, opened as the first model or map in it.",
    sniff: |bytes| bytes.starts_with(&arc::MAGIC),
    magic: &arc::MAGIC,
    members: Members::Slices { read: arc::members_of, count: None },
    options: &[CLOCKWISE_FRONT, Z_TURNS_FIRST],
    open: archive,
    refusals: arc::ArcProblem::REFUSALS,
    ..Descriptor::new("arc")
};

/// A slice with its name in the container.
type Named<'a> = (Option<String>, FileSlice<'a>);

/// Finds all parts with this format in a companion file: the file itself, or members if it is a container.
fn companions<'a>(
    context: &OpenContext<'_>,
    file: File<'a>,
    role: FileRole,
    format: &'static Descriptor,
) -> Result<Vec<Named<'a>>, FormatError> {
    let slice = FileSlice::whole(file, role);
    let found = context.sniff(slice.bytes);
    if found == Some(format.format()) {
        return Ok(vec![(None, slice)]);
    }
    if let Some(container) = found.filter(|found| found.is_container()) {
        let inside = context.of_format(format.format(), &container.members_of(slice)?);
        if !inside.is_empty() {
            return Ok(inside);
        }
    }
    let found = context.name_of(slice.bytes);
    Err(slice.error(Problem::WrongCompanion { expected: format.name, found }))
}

/// Reads the TIM2 files for a model: given files first, then members from its container. This leaves out damaged
/// members and adds a note to `unread` for each, but fails if a given file is damaged.
fn external_textures<'a>(
    context: &OpenContext<'a>,
    siblings: &NamedMembers<'a>,
    unread: &mut Vec<FileNote>,
) -> Result<Vec<ExternalTim2<'a>>, FormatError> {
    let given = match context.companions.textures {
        Some(file) => companions(context, file, FileRole::Textures, &TIM2)?,
        None => Vec::new(),
    };
    let adjacent = context.of_format(TIM2.format(), siblings);
    let given = given.into_iter().map(|named| (named, true));
    let mut found = Vec::new();
    for ((name, slice), is_explicit) in given.chain(adjacent.into_iter().map(|named| (named, false))) {
        // The model may not use this member, so a damaged member is no error.
        let tim2 = match tim2::read(slice.view(TIM2.name), usize::MAX) {
            Ok(tim2) => tim2,
            Err(error) if is_explicit => return Err(error),
            Err(error) => {
                unread.push(left_out("textures", name.as_deref(), &error));
                continue;
            }
        };
        let stem = name.map(|name| match name.rsplit_once('.') {
            Some((stem, _)) => stem.to_owned(),
            None => name,
        });
        found.push(ExternalTim2 { stem, file_name: slice.name, is_explicit, tim2 });
    }
    Ok(found)
}

/// Creates the note about an unused member.
fn left_out(what: &str, name: Option<&str>, error: &FormatError) -> FileNote {
    let name = name.map(|name| format!(" \"{name}\"")).unwrap_or_default();
    let message = format!("the {what}{name} in the container cannot be used: {}", error.kind);
    FileNote { offset: error.offset, ..FileNote::new(FileNoteKind::LeftOut, message) }
}

/// Reads the given skeleton, or else the first readable skeleton in the same container.
fn skeleton(
    context: &OpenContext<'_>,
    siblings: &NamedMembers<'_>,
    unread: &mut Vec<FileNote>,
) -> Result<Option<Bon>, FormatError> {
    if let Some(file) = context.companions.skeleton {
        let found = companions(context, file, FileRole::Skeleton, &BON)?;
        return found.first().map(|(_, slice)| bon::read(slice.view(BON.name))).transpose();
    }
    for (name, slice) in context.of_format(BON.format(), siblings) {
        match bon::read(slice.view(BON.name)) {
            Ok(bon) => return Ok(Some(bon)),
            Err(error) => unread.push(left_out("skeleton", name.as_deref(), &error)),
        }
    }
    Ok(None)
}

/// Reads the given animations, or else the animations in the same container. If their bone count differs from the
/// model's, given animations are applied by bone number, because the user chose them; others are left out.
fn model_animations(
    context: &OpenContext<'_>,
    siblings: &NamedMembers<'_>,
    bones: Option<usize>,
) -> Result<Motion, FormatError> {
    let mut motion = Motion::default();
    let (found, is_explicit) = match context.companions.animations {
        Some(file) => (given_animations(context, file)?, true),
        None => (context.of_format(PAM.format(), siblings), false),
    };
    for (name, slice) in found {
        let pam = match pam::read(slice.view(PAM.name), context.options.parse) {
            Ok(pam) => pam,
            Err(error) if is_explicit => return Err(error),
            Err(error) => {
                motion.notes.push(left_out("animations", name.as_deref(), &error));
                continue;
            }
        };
        if let Some(misfit) = pam.misfit(bones) {
            if !is_explicit {
                motion.notes.push(left_out("animations", name.as_deref(), &misfit));
                continue;
            }
            motion.notes.push(FileNote::from(&misfit));
            // A model without bones has nothing to animate.
            if bones.is_none() {
                continue;
            }
        }
        motion.animations.extend(pam.animations());
        motion.fields.extend(pam.fields());
        motion.notes.extend(pam.notes());
    }
    Ok(motion)
}

/// Finds the animation files in a given file. A file in no known format may still be a damaged animation without the
/// header to recognise it by, so this tries to read it.
fn given_animations<'a>(context: &OpenContext<'a>, file: File<'a>) -> Result<Vec<Named<'a>>, FormatError> {
    let whole = FileSlice::whole(file, FileRole::Animations);
    let is_unknown = context.sniff(file.bytes).is_none();
    if is_unknown && pam::read(whole.view(PAM.name), context.options.parse).is_ok() {
        return Ok(vec![(None, whole)]);
    }
    companions(context, file, FileRole::Animations, &PAM)
}

/// Opens a model with its companions.
fn model<'a>(
    context: &OpenContext<'a>,
    slice: FileSlice<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Content, FormatError> {
    let file = slice.view(PMO.name);
    let mut unread = Vec::new();
    let other = skeleton(context, siblings, &mut unread)?;
    let read = pmo::read(file, 0, other.as_ref(), context.companions.skeleton.is_some())?;
    let bones = read.skeleton.as_ref().map(Bon::len);
    let motion = model_animations(context, siblings, bones)?;
    let external = external_textures(context, siblings, &mut unread)?;
    let mut model = pmo::lower(&read, (file, slice.name), external, motion, context.options)?;
    model.notes.extend(unread);
    Ok(Content::Model(Box::new(model)))
}

/// Opens a map with its textures. Maps have no bones, so given animations only cause a note.
fn map<'a>(
    context: &OpenContext<'a>,
    slice: FileSlice<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Content, FormatError> {
    let read = pmp::read(slice.view(PMP.name), context.options.parse)?;
    let mut unread = Vec::new();
    let external = external_textures(context, siblings, &mut unread)?;
    let mut map = pmp::lower(&read, slice.name, external, context.options.parse)?;
    if let Some(file) = context.companions.animations {
        let unused = FileSlice::whole(file, FileRole::Animations).error(pam::PamProblem::NoBones);
        unread.push(FileNote::from(&unused));
    }
    map.notes.extend(unread);
    Ok(Content::Model(Box::new(map)))
}

fn textures(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let slice = context.slice;
    let tim2 = tim2::read(slice.view(TIM2.name), usize::MAX)?;
    Ok(all_textures(vec![(None, slice.name, tim2)])?.into())
}

fn bones(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let Bon { skeleton, fields, warnings, .. } = bon::read(context.slice.view(BON.name))?;
    let notes = warnings.notes().chain(fields.iter().map(FileNote::from)).collect();
    Ok(Content::Skeleton { skeleton, version: "BBS", notes }.into())
}

fn animations(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let pam = pam::read(context.slice.view(PAM.name), context.options.parse)?;
    Ok(Content::Animations(pam.animation_set()).into())
}

/// Opens a container, and lists its members.
fn archive(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let named = ARC.format().members_of(context.slice)?;
    let members = context.describe(context.slice, &named);
    let mut content = content(context, &named)?;
    let (_, warnings) = arc::read(context.slice.view(ARC.name))?;
    content.notes_mut().extend(warnings.notes());
    Ok(Contents { members, ..content.into() })
}

/// Opens a member, with its siblings as companions.
type Opener = for<'a> fn(&OpenContext<'a>, FileSlice<'a>, &NamedMembers<'a>) -> Result<Content, FormatError>;

/// Opens the first readable model in a container, else its first map, all its textures, or all its animations, in
/// this order. This notes each unreadable file, and fails with the first error if no readable file is left.
fn content<'a>(context: &OpenContext<'a>, members: &NamedMembers<'a>) -> Result<Content, FormatError> {
    let mut first_error = None;
    let mut unread = Vec::new();
    let mut leave_out = |what: &str, name: Option<&str>, error: FormatError| {
        unread.push(left_out(what, name, &error));
        first_error.get_or_insert(error);
    };
    let mut found = None;
    let openers: [(&'static Descriptor, &str, Opener); 2] = [(&PMO, "model", model), (&PMP, "map", map)];
    for (format, what, open) in openers {
        for (name, slice) in context.of_format(format.format(), members) {
            if found.is_some() {
                break;
            }
            match open(context, slice, members) {
                Ok(content) => found = Some(content),
                // The fault lies in a file from the user, so no other member would help.
                Err(error) if error.role != slice.role => return Err(error),
                Err(error) => leave_out(what, name.as_deref(), error),
            }
        }
    }
    if found.is_none() {
        let mut textures = Vec::new();
        for (name, slice) in context.of_format(TIM2.format(), members) {
            match tim2::read(slice.view(TIM2.name), usize::MAX) {
                Ok(tim2) => textures.push((name, slice.name, tim2)),
                Err(error) => leave_out("textures", name.as_deref(), error),
            }
        }
        if !textures.is_empty() {
            found = Some(all_textures(textures)?);
        }
    }
    if found.is_none() {
        let mut animations: Option<AnimationSet> = None;
        for (name, slice) in context.of_format(PAM.format(), members) {
            match pam::read(slice.view(PAM.name), context.options.parse).map(|pam| pam.animation_set()) {
                Err(error) => leave_out("animations", name.as_deref(), error),
                Ok(set) => match &mut animations {
                    Some(all) => {
                        all.bones = all.bones.max(set.bones);
                        all.animations.extend(set.animations);
                        all.notes.extend(set.notes);
                    }
                    None => animations = Some(set),
                },
            }
        }
        found = animations.map(Content::Animations);
    }
    let mut content = match (found, first_error) {
        (Some(content), _) => content,
        (None, Some(error)) => return Err(error),
        (None, None) => Content::archive(),
    };
    content.notes_mut().extend(unread);
    Ok(content)
}

/// Loads all these files' textures in order. Each keeps its own name and its container's.
fn all_textures(files: Vec<(Option<String>, &str, Tim2<'_>)>) -> Result<Content, FormatError> {
    let (mut loader, mut warnings) = (Loader::new(), Warnings::default());
    let mut textures = Vec::new();
    for (name, file, tim2) in files {
        warnings.extend(&tim2.warnings);
        for picture in 0..tim2.len() {
            let label = (textures.len(), name.clone());
            textures.extend(tim2.load(picture, label, file, &mut loader, &mut warnings)?);
        }
    }
    let (memory, sources) = loader.finish();
    Ok(Content::Textures(TextureSet { memory, sources, textures, notes: warnings.notes().collect() }))
}
