//! Parses the animation section of a `PAR1` file. Source: [actions](crate::reference::formats::pmdl#actions).

use std::collections::HashSet;

use zerocopy::ByteOrder;
use zerocopy::byteorder::{F32, U32};

use super::context::{Context, name, target, word};
use super::curve::{Action, Curve, Key, Track};
use super::problem::PmdlProblem;
use super::raw;
use crate::formats::core::cursor::{Cursor, View};
use crate::formats::core::error::FormatError;
use crate::model::Skeleton;

/// Bits at a track's head that tell which properties it animates.
const SCALE: u32 = 1 << 29;
const ROTATION: u32 = 1 << 30;
const LOCATION: u32 = 1 << 31;
/// How many bytes precede the actions' offsets.
const HEAD: u64 = 8;
/// Longer actions are cut to this many seconds.
const DURATION_MAX: f32 = 3600.0;

/// Parses the actions at the start of `section`, which extends to the collections.
pub(super) fn read<O: ByteOrder>(
    context: &mut Context<'_>,
    section: View<'_>,
    skeleton: &Skeleton,
) -> Result<Vec<Action>, FormatError> {
    let [count, strings_at] = section.read::<[U32<O>; 2]>(0)?.map(|word| u64::from(word.get()));
    let offsets: &[U32<O>] = section.array(HEAD, count)?;
    context.budget.spend(section, 0, count)?;
    let table = count.saturating_mul(4);
    let body_at = HEAD.saturating_add(table);
    let body = section.view(body_at, section.len().saturating_sub(body_at))?;
    let strings = target(section, strings_at, "names of actions", (section, 4))?;
    let names: &[U32<O>] = strings.array(0, count)?;
    let texts = strings.view(table, strings.len().saturating_sub(table))?;
    let mut actions = Vec::new();
    for ((at, name_at), entry) in offsets.iter().zip(names).zip((0u64..).step_by(4)) {
        let at = u64::from(at.get());
        let name = name(context, texts, name_at.get(), (strings, entry));
        let name = context.or_default("name of an action", name)?;
        let action = target(body, at, "action", (section, HEAD.saturating_add(entry)))
            .and_then(|_| read_action::<O>(context, body, at, name, skeleton).map(Some));
        actions.extend(context.or_default("action", action)?);
    }
    Ok(actions)
}

fn read_action<O: ByteOrder>(
    context: &mut Context<'_>,
    body: View<'_>,
    at: u64,
    name: String,
    skeleton: &Skeleton,
) -> Result<Action, FormatError> {
    let mut cursor = Cursor::new(body, at);
    let raw: raw::Action<O> = cursor.read()?;
    let mut duration = raw.duration.get();
    if !(0.0..=DURATION_MAX).contains(&duration) {
        context.warnings.push(body.error(at.saturating_add(4), PmdlProblem::Duration(duration)));
        duration = if duration.is_nan() { 0.0 } else { duration.clamp(0.0, DURATION_MAX) };
    }
    let count = skeleton.bones().len();
    let mut tracks = Vec::new();
    let mut moved = HashSet::new();
    for _ in 0..raw.tracks.get() {
        let at = cursor.at();
        context.budget.spend(body, at, 1)?;
        let head = word::<O>(body, at)?;
        cursor.read::<U32<O>>()?;
        let number = head & !(SCALE | ROTATION | LOCATION);
        let bone = usize::try_from(number).ok().and_then(|bone| skeleton.bones().get(bone));
        if bone.is_none() {
            context.warnings.push(body.error(at, PmdlProblem::Bone { bone: number.into(), count }));
        }
        // This reads curves even for a missing bone, because the next track follows them.
        let mut track = Track { bone: bone.map_or(0, |bone| bone.id), ..Track::default() };
        if head & SCALE != 0 {
            track.scale = Some(curves::<O, 3>(context, body, &mut cursor)?);
        }
        if head & ROTATION != 0 {
            track.rotation = Some(curves::<O, 4>(context, body, &mut cursor)?);
        }
        if head & LOCATION != 0 {
            track.location = Some(curves::<O, 3>(context, body, &mut cursor)?);
            if bone.is_some_and(|bone| bone.parent.is_some()) {
                context.warn(body.file_offset(at), PmdlProblem::ChildLocation);
            }
        }
        if !moved.insert(number) {
            context.warn(body.file_offset(at), PmdlProblem::SecondTrack(number));
        }
        tracks.extend(bone.map(|_| track));
    }
    Ok(Action { name, duration, tracks })
}

fn curves<O: ByteOrder, const N: usize>(
    context: &mut Context<'_>,
    body: View<'_>,
    cursor: &mut Cursor<'_>,
) -> Result<[Curve; N], FormatError> {
    let mut curves = [const { Curve::empty() }; N];
    for curve in &mut curves {
        let count = cursor.read::<U32<O>>()?.get();
        body.array::<raw::Key<O>>(cursor.at(), count.into())?;
        context.budget.spend(body, cursor.at(), u64::from(count).saturating_add(1))?;
        // Evaluation searches keys by time, so they must not go back.
        let mut keys: Vec<Key> = Vec::new();
        for _ in 0..count {
            let at = cursor.at();
            let raw: raw::Key<O> = cursor.read()?;
            let [left, point, right] = raw.map(|point| point.map(F32::get));
            let key = Key { left, point, right };
            if [left, point, right].as_flattened().iter().any(|number| !number.is_finite()) {
                context.warnings.push(body.error(at, PmdlProblem::NotFiniteKey));
            } else if keys.last().is_some_and(|before| before.time() > key.time()) {
                context.warnings.push(body.error(at.saturating_add(8), PmdlProblem::KeyOrder));
            } else {
                keys.push(key);
            }
        }
        *curve = Curve::new(keys);
    }
    Ok(curves)
}
