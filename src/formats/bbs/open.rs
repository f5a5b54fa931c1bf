//! Opening files of this game: those that are complete, and those that belong together in a container or in several
//! files.

use super::bon::{self, Bon};
use super::options::{CLOCKWISE_FRONT, Z_TURNS_FIRST};
use super::pmo::{self, Motion, textures::Outside};
use super::{arc, pam, pmp, tim2};
use crate::formats::core::content::Content;
use crate::formats::core::descriptor::{
    Companion, Contents, Descriptor, Format, Members, OpenContext, Search,
};
use crate::formats::core::error::{FileRole, FormatError, Problem, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::slice::{File, FileSlice, NamedMembers};
use crate::ge::memory::Memory;
use crate::model::{AnimationSet, TextureSet};

/// Models.
pub static PMO: Descriptor = Descriptor {
    title: "Birth by Sleep model",
    about: "A model of Kingdom Hearts Birth by Sleep.",
    sniff: pmo::sniff,
    companions: &[
        Companion { role: FileRole::Textures, search: Search::Extension("tm2", &TIM2) },
        Companion { role: FileRole::Skeleton, search: Search::Extension("bon", &BON) },
        Companion { role: FileRole::Animations, search: Search::Extension("pam", &PAM) },
    ],
    options: &[CLOCKWISE_FRONT, Z_TURNS_FIRST],
    open: |context| Ok(model(context, context.slice, &context.siblings)?.into()),
    ..Descriptor::new("bbs-pmo")
};

/// Maps.
pub static PMP: Descriptor = Descriptor {
    title: "Birth by Sleep map",
    about: "A map of Kingdom Hearts Birth by Sleep.",
    sniff: pmp::sniff,
    companions: &[Companion { role: FileRole::Textures, search: Search::Extension("tm2", &TIM2) }],
    options: &[CLOCKWISE_FRONT, Z_TURNS_FIRST],
    open: |context| Ok(map(context, context.slice, &context.siblings)?.into()),
    ..Descriptor::new("pmp")
};

/// Textures.
pub static TIM2: Descriptor = Descriptor {
    title: "TIM2 textures",
    about: "Textures of Birth by Sleep models and maps.",
    sniff: tim2::sniff,
    serves_as: Some(FileRole::Textures),
    open: textures,
    ..Descriptor::new("tim2")
};

/// Skeletons.
pub static BON: Descriptor = Descriptor {
    title: "Birth by Sleep skeleton",
    about: "The skeleton of a Birth by Sleep model.",
    sniff: bon::sniff,
    serves_as: Some(FileRole::Skeleton),
    open: bones,
    ..Descriptor::new("bon")
};

/// Animations.
pub static PAM: Descriptor = Descriptor {
    title: "Birth by Sleep animations",
    about: "Animations of a Birth by Sleep model.",
    sniff: pam::sniff,
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
    members: Members::Slices { read: arc::members_of, count: None },
    options: &[CLOCKWISE_FRONT, Z_TURNS_FIRST],
    open: archive,
    ..Descriptor::new("arc")
};

/// A slice with the name that it has in its container.
type Named<'a> = (Option<String>, FileSlice<'a>);

/// Returns the parts of a companion file that have a format: the file itself, or members if it is a container.
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
    let found = found.map(Format::name);
    Err(slice.error(Problem::WrongCompanion { expected: format.name, found }))
}

/// TIM2 files that belong to a model: those that were given, and those beside it.
fn outside<'a>(
    context: &OpenContext<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Vec<Outside<'a>>, FormatError> {
    let given = match context.companions.textures {
        Some(file) => companions(context, file, FileRole::Textures, &TIM2)?,
        None => Vec::new(),
    };
    let beside = context.of_format(TIM2.format(), siblings);
    let given = given.into_iter().map(|named| (named, true));
    let mut found = Vec::new();
    for ((name, slice), asked_for) in given.chain(beside.into_iter().map(|named| (named, false))) {
        // A broken texture beside a model that does not use it is nobody's business.
        let tim2 = match tim2::read(slice.view(TIM2.name), usize::MAX) {
            Ok(tim2) => tim2,
            Err(error) if asked_for => return Err(error),
            Err(_) => continue,
        };
        let stem = name.map(|name| match name.rsplit_once('.') {
            Some((stem, _)) => stem.to_owned(),
            None => name,
        });
        found.push(Outside { stem, file_name: slice.name, asked_for, tim2 });
    }
    Ok(found)
}

/// A skeleton that was given, or the one beside the model.
fn skeleton(context: &OpenContext<'_>, siblings: &NamedMembers<'_>) -> Result<Option<Bon>, FormatError> {
    let found = match context.companions.skeleton {
        Some(file) => companions(context, file, FileRole::Skeleton, &BON)?,
        None => context.of_format(BON.format(), siblings),
    };
    found.first().map(|(_, slice)| bon::read(slice.view(BON.name))).transpose()
}

/// Animations that were given, which have to fit, and else those beside the model that do.
fn motion(
    context: &OpenContext<'_>,
    siblings: &NamedMembers<'_>,
    bones: Option<usize>,
) -> Result<Motion, FormatError> {
    let mut motion = Motion::default();
    let (found, asked_for) = match context.companions.animations {
        Some(file) => (companions(context, file, FileRole::Animations, &PAM)?, true),
        None => (context.of_format(PAM.format(), siblings), false),
    };
    for (name, slice) in found {
        let pam = pam::read(slice.view(PAM.name), context.options.parse)?;
        if let Err(error) = pam.check_bones(bones) {
            if asked_for {
                return Err(error);
            }
            let name = name.map(|name| format!(" \"{name}\"")).unwrap_or_default();
            motion.notes.push(format!("the animations{name} beside the model are not its own: {error}"));
            continue;
        }
        motion.animations.extend(pam.animations());
        motion.fields.extend(pam.fields());
        motion.notes.extend(pam.notes());
    }
    Ok(motion)
}

/// A model with what belongs to it.
fn model<'a>(
    context: &OpenContext<'a>,
    slice: FileSlice<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Content, FormatError> {
    let file = slice.view(PMO.name);
    let other = skeleton(context, siblings)?;
    let read = pmo::read(file, 0, other.as_ref(), context.companions.skeleton.is_some())?;
    let bones = read.skeleton.as_ref().map(Bon::len);
    let motion = motion(context, siblings, bones)?;
    let outside = outside(context, siblings)?;
    let mut model = pmo::lower(&read, (file, slice.name), outside, motion, context.options)?;
    let others = context.of_format(PMO.format(), siblings).len();
    if !context.is_member && others > 1 {
        model.notes.push(format!("the container holds {others} models; this is the first"));
    }
    Ok(Content::Model(Box::new(model)))
}

/// A map.
fn map<'a>(
    context: &OpenContext<'a>,
    slice: FileSlice<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Content, FormatError> {
    let read = pmp::read(slice.view(PMP.name), context.options.parse)?;
    if let Some(file) = context.companions.animations {
        return Err(FileSlice::whole(file, FileRole::Animations).error(pam::PamProblem::NoBones));
    }
    let outside = outside(context, siblings)?;
    Ok(Content::Model(Box::new(pmp::lower(&read, slice.name, outside, context.options.parse)?)))
}

/// Textures alone.
fn textures(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let slice = context.slice;
    let tim2 = tim2::read(slice.view(TIM2.name), usize::MAX)?;
    Ok(Content::Textures(tim2.texture_set(slice.name)?).into())
}

/// A skeleton alone.
fn bones(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let Bon { skeleton, fields, warnings, .. } = bon::read(context.slice.view(BON.name))?;
    let described = fields.iter().map(|field| format!("{}: {}", field.name, field.value));
    let notes = warnings.lines().chain(described).collect();
    Ok(Content::Skeleton { skeleton, version: "BBS", notes }.into())
}

/// Animations alone.
fn animations(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let pam = pam::read(context.slice.view(PAM.name), context.options.parse)?;
    Ok(Content::Animations(pam.animation_set()).into())
}

/// Opens a container, and lists its members.
fn archive(context: &OpenContext<'_>) -> Result<Contents, FormatError> {
    let named = ARC.format().members_of(context.slice)?;
    let members = context.describe(context.slice, &named);
    Ok(Contents { members, ..content(context, &named)?.into() })
}

/// Returns what a container is opened as: its first model or map, else its textures, else its animations.
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
    Ok(animations.map_or(Content::Archive, Content::Animations))
}

/// The textures of all these files, one behind the other.
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
        tim2.warnings.as_slice().iter().for_each(|warning| warnings.push(warning.clone()));
        for picture in 0..tim2.len() {
            let label = (set.textures.len(), name.clone());
            set.textures.extend(tim2.load(picture, label, slice.name, &mut loader, &mut warnings)?);
        }
    }
    (set.memory, set.sources) = loader.finish();
    set.notes = warnings.lines().collect();
    Ok(Content::Textures(set))
}
