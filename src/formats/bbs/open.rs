//! Opening files of this game: what stands alone, and what belongs together in a container or in several files.

use super::bon::{self, Bon};
use super::pmo::{self, Motion, textures::Outside};
use super::{pam, pmp};
use crate::formats::error::{FormatError, Problem, Role};
use crate::formats::{Content, File, Format, NamedMembers, Piece, Request, sniff, tim2};
use crate::model::{AnimationSet, TextureSet};

/// A piece with the name that it has in its container.
type Named<'a> = (Option<String>, Piece<'a>);

/// The members of a container that have a format.
fn of_format<'a>(format: Format, members: &[(Option<String>, Option<Piece<'a>>)]) -> Vec<Named<'a>> {
    let piece = |(name, piece): &(Option<String>, Option<Piece<'a>>)| {
        let piece = (*piece)?;
        (sniff(piece.bytes) == Some(format)).then(|| (name.clone(), piece))
    };
    members.iter().filter_map(piece).collect()
}

/// The pieces of a companion file that have a format: itself, or members where it is a container.
fn companions<'a>(file: File<'a>, role: Role, format: Format) -> Result<Vec<Named<'a>>, FormatError> {
    let piece = Piece::whole(file, role);
    let found = sniff(piece.bytes);
    if found == Some(format) {
        return Ok(vec![(None, piece)]);
    }
    if let Some(container) = found.filter(|found| found.is_container()) {
        let inside = of_format(format, &piece.named_members(container)?);
        if !inside.is_empty() {
            return Ok(inside);
        }
    }
    Err(piece.error(Problem::WrongCompanion { expected: format, found }))
}

/// TIM2 files that belong to a model: those that were given, and those beside it.
fn outside<'a>(request: &Request<'a>, siblings: &NamedMembers<'a>) -> Result<Vec<Outside<'a>>, FormatError> {
    let given = match request.textures {
        Some(file) => companions(file, Role::Textures, Format::Tim2)?,
        None => Vec::new(),
    };
    let beside = of_format(Format::Tim2, siblings);
    let given = given.into_iter().map(|named| (named, true));
    let mut found = Vec::new();
    for ((name, piece), asked_for) in given.chain(beside.into_iter().map(|named| (named, false))) {
        // A broken texture beside a model that does not use it is nobody's business.
        let tim2 = match tim2::read(piece.view(Format::Tim2), usize::MAX) {
            Ok(tim2) => tim2,
            Err(error) if asked_for => return Err(error),
            Err(_) => continue,
        };
        let stem = name.map(|name| match name.rsplit_once('.') {
            Some((stem, _)) => stem.to_owned(),
            None => name,
        });
        found.push(Outside { stem, file_name: piece.name, asked_for, tim2 });
    }
    Ok(found)
}

/// A skeleton that was given, or the one beside the model.
fn skeleton(request: &Request<'_>, siblings: &NamedMembers<'_>) -> Result<Option<Bon>, FormatError> {
    let found = match request.skeleton {
        Some(file) => companions(file, Role::Skeleton, Format::Bon)?,
        None => of_format(Format::Bon, siblings),
    };
    found.first().map(|(_, piece)| bon::read(piece.view(Format::Bon))).transpose()
}

/// Animations that were given, which have to fit, and else those beside the model that do.
fn motion(
    request: &Request<'_>,
    siblings: &NamedMembers<'_>,
    bones: Option<usize>,
) -> Result<Motion, FormatError> {
    let mut motion = Motion::default();
    let (found, asked_for) = match request.animations {
        Some(file) => (companions(file, Role::Animations, Format::Pam)?, true),
        None => (of_format(Format::Pam, siblings), false),
    };
    for (name, piece) in found {
        let pam = pam::read(piece.view(Format::Pam), request.readings)?;
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
pub(in crate::formats) fn model<'a>(
    request: &Request<'a>,
    piece: Piece<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Content, FormatError> {
    let file = piece.view(Format::BbsPmo);
    let other = skeleton(request, siblings)?;
    let read = pmo::read(file, 0, other.as_ref(), request.skeleton.is_some())?;
    let bones = read.skeleton.as_ref().map(Bon::len);
    let motion = motion(request, siblings, bones)?;
    let outside = outside(request, siblings)?;
    let mut model = pmo::lower(&read, (file, piece.name), outside, motion, request)?;
    let others = of_format(Format::BbsPmo, siblings).len();
    if request.member.is_none() && others > 1 {
        model.notes.push(format!("the container holds {others} models; this is the first"));
    }
    Ok(Content::Model(Box::new(model)))
}

/// A map.
pub(in crate::formats) fn map<'a>(
    request: &Request<'a>,
    piece: Piece<'a>,
    siblings: &NamedMembers<'a>,
) -> Result<Content, FormatError> {
    let read = pmp::read(piece.view(Format::Pmp), request.readings)?;
    if let Some(file) = request.animations {
        return Err(Piece::whole(file, Role::Animations).error(pam::PamProblem::NoBones.into()));
    }
    let outside = outside(request, siblings)?;
    Ok(Content::Model(Box::new(pmp::lower(&read, piece.name, outside, request.readings)?)))
}

/// Textures alone.
pub(in crate::formats) fn textures(piece: Piece<'_>) -> Result<Content, FormatError> {
    let tim2 = tim2::read(piece.view(Format::Tim2), usize::MAX)?;
    Ok(Content::Textures(tim2.texture_set(piece.name)?))
}

/// A skeleton alone.
pub(in crate::formats) fn bones(piece: Piece<'_>) -> Result<Content, FormatError> {
    let Bon { skeleton, fields, warnings, .. } = bon::read(piece.view(Format::Bon))?;
    let described = fields.iter().map(|field| format!("{}: {}", field.name, field.value));
    let notes = warnings.lines().chain(described).collect();
    Ok(Content::Skeleton { skeleton, version: "BBS", notes })
}

/// Animations alone.
pub(in crate::formats) fn animations(
    request: &Request<'_>,
    piece: Piece<'_>,
) -> Result<Content, FormatError> {
    Ok(Content::Animations(pam::read(piece.view(Format::Pam), request.readings)?.animation_set()))
}

/// What a container is: its first model or map, else its textures, else its animations.
pub(in crate::formats) fn archive<'a>(
    request: &Request<'a>,
    members: &NamedMembers<'a>,
) -> Result<Content, FormatError> {
    if let Some((_, piece)) = of_format(Format::BbsPmo, members).first() {
        return model(request, *piece, members);
    }
    if let Some((_, piece)) = of_format(Format::Pmp, members).first() {
        return map(request, *piece, members);
    }
    let textures = of_format(Format::Tim2, members);
    if !textures.is_empty() {
        return all_textures(&textures);
    }
    let mut animations: Option<AnimationSet> = None;
    for (_, piece) in of_format(Format::Pam, members) {
        let set = pam::read(piece.view(Format::Pam), request.readings)?.animation_set();
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
        memory: crate::ge::memory::Memory::default(),
        sources: Vec::new(),
        textures: Vec::new(),
        notes: Vec::new(),
    };
    let mut loader = crate::formats::load::Loader::new();
    let mut warnings = crate::formats::error::Warnings::default();
    for (name, piece) in files {
        let tim2 = tim2::read(piece.view(Format::Tim2), usize::MAX)?;
        tim2.warnings.as_slice().iter().for_each(|warning| warnings.push(warning.clone()));
        for picture in 0..tim2.len() {
            let label = (set.textures.len(), name.clone());
            set.textures.extend(tim2.load(picture, label, piece.name, &mut loader, &mut warnings)?);
        }
    }
    (set.memory, set.sources) = loader.finish();
    set.notes = warnings.lines().collect();
    Ok(Content::Textures(set))
}
