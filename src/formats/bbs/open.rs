//! Opening files of this game, with their companions in the same container or in other files.

use super::bon::{self, Bon};
use super::options::{CLOCKWISE_FRONT, Z_TURNS_FIRST};
use super::pmo::{self, Motion, textures::ExternalTim2};
use super::{arc, pam, pmp, tim2};
use crate::formats::core::content::Content;
use crate::formats::core::descriptor::{Companion, Contents, Descriptor, Members, OpenContext, Search};
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::problem::Problem;
use crate::formats::core::slice::{File, FileSlice, NamedMembers};
use crate::ge::memory::Memory;
use crate::model::{AnimationSet, FileNote, FileNoteKind, TextureSet};

/// Models.
pub static PMO: Descriptor = Descriptor {
    title: "Birth by Sleep model",
    about: "A model of Kingdom Hearts Birth by Sleep.",
    sniff: pmo::sniff,
    magic: &pmo::MAGIC,
    companions: &[
        Companion { role: FileRole::Textures, search: Search::Extension("tm2", &TIM2) },
        Companion { role: FileRole::Skeleton, search: Search::Extension("bon", &BON) },
        Companion { role: FileRole::Animations, search: Search::Extension("pam", &PAM) },
    ],
    options: &[CLOCKWISE_FRONT, Z_TURNS_FIRST],
    is_drawable: true,
    open: |context| Ok(model(context, context.slice, &context.siblings)?.into()),
    ..Descriptor::new("bbs-pmo")
};

/// Maps.
pub static PMP: Descriptor = Descriptor {
    title: "Birth by Sleep map",
    about: "A map of Kingdom Hearts Birth by Sleep.",
    sniff: pmp::sniff,
    magic: &pmp::MAGIC,
    companions: &[Companion { role: FileRole::Textures, search: Search::Extension("tm2", &TIM2) }],
    options: &[CLOCKWISE_FRONT, Z_TURNS_FIRST],
    is_drawable: true,
    open: |context| Ok(map(context, context.slice, &context.siblings)?.into()),
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
    ..Descriptor::new("pam")
};

/// Containers.
pub static ARC: Descriptor = Descriptor {
    title: "Birth by Sleep container",
    about: "A container of Birth by Sleep files, opened as the first model or map in it.",
    sniff: arc::sniff,
    magic: &arc::MAGIC,
    members: Members::Slices { read: arc::members_of, count: None },
    options: &[CLOCKWISE_FRONT, Z_TURNS_FIRST],
    open: archive,
    ..Descriptor::new("arc")
};

/// A slice with its name in the container.
type Named<'a> = (Option<String>, FileSlice<'a>);

/// Returns the parts of a companion file with a format: the file itself, or members of a container.
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

/// Returns the TIM2 files for a model: given ones first, then members of the same container. Damaged members are
/// left out; `unread` receives a note for each.
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
        // The model may not use this member, so a broken one is no error.
        let tim2 = match tim2::read(slice.view(TIM2.name), usize::MAX) {
            Ok(tim2) => tim2,
            Err(error) if is_explicit => return Err(error),
            Err(error) => {
                let name = name.map(|name| format!(" \"{name}\"")).unwrap_or_default();
                let message = format!("the textures{name} in the container are left out: {}", error.kind);
                unread
                    .push(FileNote { offset: error.offset, ..FileNote::new(FileNoteKind::LeftOut, message) });
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

/// Reads the given skeleton, or the one in the same container.
fn skeleton(context: &OpenContext<'_>, siblings: &NamedMembers<'_>) -> Result<Option<Bon>, FormatError> {
    let found = match context.companions.skeleton {
        Some(file) => companions(context, file, FileRole::Skeleton, &BON)?,
        None => context.of_format(BON.format(), siblings),
    };
    found.first().map(|(_, slice)| bon::read(slice.view(BON.name))).transpose()
}

/// Reads the given animations, or those in the same container. Given ones must have the model's bone count;
/// others that do not are left out with a note.
fn model_animations(
    context: &OpenContext<'_>,
    siblings: &NamedMembers<'_>,
    bones: Option<usize>,
) -> Result<Motion, FormatError> {
    let mut motion = Motion::default();
    let (found, is_explicit) = match context.companions.animations {
        Some(file) => (companions(context, file, FileRole::Animations, &PAM)?, true),
        None => (context.of_format(PAM.format(), siblings), false),
    };
    for (name, slice) in found {
        let pam = pam::read(slice.view(PAM.name), context.options.parse)?;
        if let Err(error) = pam.check_bones(bones) {
            if is_explicit {
                return Err(error);
            }
            let name = name.map(|name| format!(" \"{name}\"")).unwrap_or_default();
            let message =
                format!("the animations{name} in the container do not fit the model: {}", error.kind);
            motion
                .notes
                .push(FileNote { offset: error.offset, ..FileNote::new(FileNoteKind::LeftOut, message) });
            continue;
        }
        motion.animations.extend(pam.animations());
        motion.fields.extend(pam.fields());
        motion.notes.extend(pam.notes());
    }
    Ok(motion)
}

/// Opens a model with its companions.
fn model<'a>(
    context: &OpenContext<'a>,
    slice: FileSlice<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Content, FormatError> {
    let file = slice.view(PMO.name);
    let other = skeleton(context, siblings)?;
    let read = pmo::read(file, 0, other.as_ref(), context.companions.skeleton.is_some())?;
    let bones = read.skeleton.as_ref().map(Bon::len);
    let motion = model_animations(context, siblings, bones)?;
    let mut unread = Vec::new();
    let external = external_textures(context, siblings, &mut unread)?;
    let mut model = pmo::lower(&read, (file, slice.name), external, motion, context.options)?;
    model.notes.extend(unread);
    Ok(Content::Model(Box::new(model)))
}

/// Opens a map with its textures.
fn map<'a>(
    context: &OpenContext<'a>,
    slice: FileSlice<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Content, FormatError> {
    let read = pmp::read(slice.view(PMP.name), context.options.parse)?;
    if let Some(file) = context.companions.animations {
        return Err(FileSlice::whole(file, FileRole::Animations).error(pam::PamProblem::NoBones));
    }
    let mut unread = Vec::new();
    let external = external_textures(context, siblings, &mut unread)?;
    let mut map = pmp::lower(&read, slice.name, external, context.options.parse)?;
    map.notes.extend(unread);
    Ok(Content::Model(Box::new(map)))
}

/// Opens a texture file.
fn textures(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let slice = context.slice;
    let tim2 = tim2::read(slice.view(TIM2.name), usize::MAX)?;
    Ok(Content::Textures(tim2.texture_set(slice.name)?).into())
}

/// Opens a skeleton file.
fn bones(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let Bon { skeleton, fields, warnings, .. } = bon::read(context.slice.view(BON.name))?;
    let notes = warnings.notes().chain(fields.iter().map(FileNote::from)).collect();
    Ok(Content::Skeleton { skeleton, version: "BBS", notes }.into())
}

/// Opens an animation file.
fn animations(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let pam = pam::read(context.slice.view(PAM.name), context.options.parse)?;
    Ok(Content::Animations(pam.animation_set()).into())
}

/// Opens a container and lists its members.
fn archive(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let named = ARC.format().members_of(context.slice)?;
    let members = context.describe(context.slice, &named);
    Ok(Contents { members, ..content(context, &named)?.into() })
}

/// Opens the first model of a container, else its first map, textures or animations, in this order.
fn content<'a>(context: &OpenContext<'a>, members: &NamedMembers<'a>) -> Result<Content, FormatError> {
    if let Some((_, slice)) = context.of_format(PMO.format(), members).first() {
        return model(context, *slice, members);
    }
    if let Some((_, slice)) = context.of_format(PMP.format(), members).first() {
        return map(context, *slice, members);
    }
    let textures = context.of_format(TIM2.format(), members);
    if !textures.is_empty() {
        return all_textures(&textures);
    }
    let mut animations: Option<AnimationSet> = None;
    for (_, slice) in context.of_format(PAM.format(), members) {
        let set = pam::read(slice.view(PAM.name), context.options.parse)?.animation_set();
        match &mut animations {
            Some(all) => {
                all.bones = all.bones.max(set.bones);
                all.animations.extend(set.animations);
                all.notes.extend(set.notes);
            }
            None => animations = Some(set),
        }
    }
    Ok(animations.map_or_else(Content::archive, Content::Animations))
}

/// Loads the textures of all these files in order.
fn all_textures(files: &[Named<'_>]) -> Result<Content, FormatError> {
    let mut set = TextureSet {
        memory: Memory::default(),
        sources: Vec::new(),
        textures: Vec::new(),
        notes: Vec::new(),
    };
    let mut loader = Loader::new();
    let mut warnings = Warnings::default();
    for (name, slice) in files {
        let tim2 = tim2::read(slice.view(TIM2.name), usize::MAX)?;
        warnings.extend(&tim2.warnings);
        for picture in 0..tim2.len() {
            let label = (set.textures.len(), name.clone());
            set.textures.extend(tim2.load(picture, label, slice.name, &mut loader, &mut warnings)?);
        }
    }
    (set.memory, set.sources) = loader.finish();
    set.notes = warnings.notes().collect();
    Ok(Content::Textures(set))
}
