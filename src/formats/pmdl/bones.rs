//! Parses the skeleton and skins in a `PAR1` file. Source: [skeleton](crate::reference::formats::pmdl#skeleton),
//! [skins](crate::reference::formats::pmdl#skins).

use zerocopy::ByteOrder;
use zerocopy::byteorder::{I32, U32};

use super::context::{Context, finite, name, target, word};
use super::geometry::DrawFormat;
use super::problem::PmdlProblem;
use super::rig::{Rig, Skin};
use super::{actions, raw};
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;
use crate::model::matrix::translation;
use crate::model::{Bone, Skeleton};

/// A skin may have this many bones, because the runtime's shaders support no more.
const SKIN_BONES: u32 = 8;
/// A skeleton may have this many bones.
const BONES_MAX: u64 = 4096;
/// Size of a section's header in bytes.
const SECTION: u64 = 8;

/// Parses everything between header and collections. `names` must start at the first bone name.
pub(super) fn read<O: ByteOrder>(
    context: &mut Context<'_>,
    sections: View<'_>,
    names: View<'_>,
) -> Result<Rig, FormatError> {
    let (section, mut at) = section::<O>(sections, 0)?;
    let bones = read_bones::<O>(context, section, names)?;
    let count = bones.len();
    let skeleton = match Skeleton::new(bones.clone()) {
        Some(skeleton) => skeleton,
        None => {
            context.warnings.push(section.error(0, PmdlProblem::Circle));
            Skeleton::new(bones.into_iter().map(|bone| Bone { parent: None, ..bone }).collect())
                .unwrap_or_default()
        }
    };
    let mut skins = Vec::new();
    let mut is_cut = false;
    if context.format == DrawFormat::General {
        match self::section::<O>(sections, at) {
            Ok((section, length)) => {
                let read = read_skins::<O>(context, section, count, &mut skins);
                context.or_default("skins", read)?;
                at = at.saturating_add(length);
            }
            Err(error) => {
                // Without this section's length the actions cannot be found.
                is_cut = true;
                context.warnings.push(error);
            }
        }
    }
    let rest = sections.view(at, sections.len().saturating_sub(at))?;
    let actions = if is_cut { Ok(Vec::new()) } else { actions::read::<O>(context, rest, &skeleton) };
    Ok(Rig { skeleton, skins, actions: context.or_default("actions", actions)? })
}

/// Locates the section at `at`. Returns it with its length, to find the next.
fn section<O: ByteOrder>(sections: View<'_>, at: u64) -> Result<(View<'_>, u64), FormatError> {
    let length = u64::from(word::<O>(sections, at)?);
    Ok((sections.view(at, length)?, length))
}

/// Splits a section into its offset table and the bytes after it, from which the offsets count.
fn entries<'a, O: ByteOrder>(
    context: &mut Context<'_>,
    section: View<'a>,
) -> Result<(View<'a>, Vec<u64>), FormatError> {
    let [_, count] = section.read::<[U32<O>; 2]>(0)?.map(|word| u64::from(word.get()));
    // A count that the section cannot hold is damage to this section alone, so the bounds come before the budget.
    let offsets: &[U32<O>] = section.array(SECTION, count)?;
    context.budget.spend(section, 4, count)?;
    let offsets = offsets.iter().map(|offset| offset.get().into()).collect();
    let start = SECTION.saturating_add(count.saturating_mul(4));
    Ok((section.view(start, section.len().saturating_sub(start))?, offsets))
}

fn read_bones<O: ByteOrder>(
    context: &mut Context<'_>,
    section: View<'_>,
    names: View<'_>,
) -> Result<Vec<Bone>, FormatError> {
    let (body, offsets) = entries::<O>(context, section)?;
    let number = offsets.len() as u64;
    if number > BONES_MAX {
        return Err(section.error(4, PmdlProblem::Bones(number)));
    }
    let mut raw = Vec::new();
    for (at, field) in offsets.into_iter().zip((SECTION..).step_by(4)) {
        target(body, at, "bone", (section, field))?;
        let bone: raw::Bone<O> = body.read(at)?;
        let at_head = at.saturating_add(4);
        let head = finite(&mut context.warnings, body, at_head, "head of the bone", bone.head);
        raw.push((at, bone, head));
    }
    let count = raw.len();
    let known = |bone: i64| usize::try_from(bone).ok().filter(|&bone| bone < count);
    let mut bones = Vec::new();
    for (id, (at, bone, head)) in (0u32..).zip(&raw) {
        let parent_at = at.saturating_add(16);
        let parent = match bone.parent.get() {
            -1 => None,
            number => {
                let bone = i64::from(number);
                let parent = known(bone);
                if parent.is_none() {
                    context.warnings.push(body.error(parent_at, PmdlProblem::Bone { bone, count }));
                }
                parent
            }
        };
        let from = parent.and_then(|parent| raw.get(parent)).map_or([0.0; 3], |(_, _, head)| *head);
        // Heads are in model space, but matrices must be relative to the parent.
        let ([x, y, z], [px, py, pz]) = (*head, from);
        let found = name(context, names, bone.name.get(), (body, *at)).map(Some);
        let name = context.or_default("name of a bone", found)?;
        bones.push(Bone { id, name, parent, local: translation([x - px, y - py, z - pz]) });

        // Children only repeat the parents' links, so they are checked and not kept.
        let children = u64::from(bone.children.get());
        let children_at = at.saturating_add(size_of::<raw::Bone<O>>() as u64);
        let Ok(children) = body.array::<U32<O>>(children_at, children) else {
            context.warn(body.file_offset(children_at), PmdlProblem::Children);
            continue;
        };
        for (child, at) in children.iter().zip((children_at..).step_by(4)) {
            context.budget.spend(body, at, 1)?;
            let other = known(child.get().into()).and_then(|child| raw.get(child));
            if other.is_none_or(|(_, other, _)| u32::try_from(other.parent.get()) != Ok(id)) {
                context.warn(body.file_offset(at), PmdlProblem::Children);
            }
        }
    }
    Ok(bones)
}

fn read_skins<O: ByteOrder>(
    context: &mut Context<'_>,
    section: View<'_>,
    count: usize,
    skins: &mut Vec<Skin>,
) -> Result<(), FormatError> {
    let (body, offsets) = entries::<O>(context, section)?;
    for (at, field) in offsets.into_iter().zip((SECTION..).step_by(4)) {
        target(body, at, "skin", (section, field))?;
        let bones = word::<O>(body, at)?;
        if bones > SKIN_BONES {
            context.warnings.push(body.error(at, PmdlProblem::SkinBones(bones)));
        }
        let first = at.saturating_add(4);
        let numbers: &[I32<O>] = body.array(first, bones.into())?;
        context.budget.spend(body, at, bones.into())?;
        let mut skin = Vec::new();
        for (bone, at) in numbers.iter().map(|bone| bone.get()).zip((first..).step_by(4)) {
            let known = u32::try_from(bone).ok().filter(|&known| u64::from(known) < count as u64);
            if known.is_none() {
                context.warnings.push(body.error(at, PmdlProblem::Bone { bone: bone.into(), count }));
            }
            // Bone 0 replaces a missing bone, so that later slots keep their numbers.
            skin.push(known.unwrap_or(0));
        }
        context.add_field(
            format!("bones of skin {}", skins.len()),
            body.file_offset(at),
            format!("{skin:?}"),
        );
        skins.push(Skin { bones: skin });
    }
    Ok(())
}
