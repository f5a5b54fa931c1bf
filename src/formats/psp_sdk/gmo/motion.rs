//! Plays motions: moves bones, and changes colours, texture coordinates, visibility and morph weights in the list.
//! Source: [GMO motions](crate::reference::formats::psp_sdk#gmo-motions).

use std::collections::HashMap;
use std::sync::Arc;

use super::bones::{affine, scale_kind};
use super::passes::{ColorUse, Coordinates, color_commands, coordinate_commands};
use super::raw::command;
use super::rig::Rig;
use super::scene::{Bone, Colors, Material, Motion, Placement, Rotation, Scene, Target, Track};
use crate::formats::core::state_writer::{float, off};
use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::model::matrix::{Affine, single};
use crate::model::{Animation, CommandPatch, Sampler, Skeleton};

/// Frames per second for motions that do not say.
const RATE: f32 = 30.0;
/// The most frames to play.
const FRAMES_MAX: f64 = 1_000_000.0;
/// The engine blends no more morph frames than this.
pub(super) const MORPHS_MAX: usize = 8;

/// Commands in the list that a motion may replace.
#[derive(Clone, Copy, Debug)]
pub(super) enum Patch {
    /// A mesh's call, to show or hide it with the bone that draws it.
    Call { bone: usize, at: Address, call: Command },
    /// A bone's morph weights.
    Morphs { bone: usize, count: usize, at: Address },
    /// A pass's colours.
    Colors { material: usize, color_use: ColorUse, at: Address },
    /// A layer's texture coordinates.
    Crop { material: usize, layer: usize, coordinates: Coordinates, at: Address },
}

/// Everything that motions move, at rest.
#[derive(Debug)]
pub(super) struct Stage {
    pub(super) rig: Rig,
    pub(super) bones: Vec<Bone>,
    pub(super) materials: Vec<Material>,
    pub(super) patches: Vec<Patch>,
}

/// Plays a motion on a stage.
#[derive(Debug)]
struct MotionSampler {
    stage: Arc<Stage>,
    motion: Motion,
    /// For each target, its tracks by number.
    tracks: HashMap<Target, Vec<usize>>,
    range: [f64; 2],
}

/// Returns the weights for a bone's morph frames. An `index` blends the two frames next to it.
pub(super) fn morph_weights(index: Option<f32>, weights: &[f32]) -> [f32; MORPHS_MAX] {
    let mut out = [0.0; MORPHS_MAX];
    match index {
        #[expect(clippy::cast_precision_loss, reason = "at most 8")]
        Some(index) => {
            for (number, weight) in out.iter_mut().enumerate() {
                *weight = (1.0 - (index - number as f32).abs()).max(0.0);
            }
        }
        None if weights.is_empty() => out[0] = 1.0,
        None => {
            for (out, weight) in out.iter_mut().zip(weights) {
                *out = *weight;
            }
        }
    }
    out
}

/// Returns a motion's first and last frame: as it states, or else as its keys need.
pub(super) fn range(motion: &Motion) -> [f64; 2] {
    if let Some(range) = motion.range {
        return range.map(f64::from);
    }
    let ranges = motion.curves.iter().flatten().map(super::curve::Curve::range);
    let joined = ranges.reduce(|[first, last], [start, end]| [first.min(start), last.max(end)]);
    joined.unwrap_or([0.0; 2])
}

/// Creates the animation to play a motion.
pub(super) fn animation(motion: Motion, stage: &Arc<Stage>) -> Animation {
    let range = range(&motion);
    let length = (range[1] - range[0]).clamp(0.0, FRAMES_MAX);
    let keys = |track: &Track| motion.curves.get(track.curve)?.as_ref().map(super::curve::Curve::keys);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to FRAMES_MAX")]
    let frames = length as u32;
    let mut tracks: HashMap<Target, Vec<usize>> = HashMap::new();
    for (number, track) in motion.tracks.iter().enumerate() {
        tracks.entry(track.target).or_default().push(number);
    }
    Animation {
        name: motion.name.clone(),
        // The last frame can be shown, too, so it counts.
        frames: frames.saturating_add(1),
        frames_per_second: Some(motion.rate.unwrap_or(RATE)),
        channels: motion.tracks.len(),
        keys: motion.tracks.iter().filter_map(keys).sum(),
        sampler: Arc::new(MotionSampler { stage: Arc::clone(stage), motion, tracks, range }),
    }
}

impl MotionSampler {
    /// Converts an animation frame to the time for curves. Beyond the range, a motion holds or starts again.
    fn time(&self, frame: f64) -> f64 {
        let [start, end] = self.range;
        let time = start + frame;
        if (start..=end).contains(&time) {
            return time;
        }
        let length = end - start;
        if self.motion.holds || length <= 0.0 || !time.is_finite() {
            return if time.is_nan() { start } else { time.clamp(start, end) };
        }
        start + (time - start).rem_euclid(length)
    }

    /// Evaluates the tracks that move a target.
    fn values(&self, target: Target, time: f64) -> impl Iterator<Item = (&Track, Vec<f64>)> {
        let numbers = self.tracks.get(&target).map(Vec::as_slice).unwrap_or_default();
        numbers.iter().filter_map(move |number| {
            let track = self.motion.tracks.get(*number)?;
            let curve = self.motion.curves.get(track.curve)?.as_ref()?;
            Some((track, curve.at(time)))
        })
    }

    /// Evaluates the last track that moves any of these channels.
    fn channel(&self, target: Target, channels: &[u16], time: f64) -> Option<(&Track, Vec<f64>)> {
        self.values(target, time).filter(|(track, _)| channels.contains(&track.channel)).last()
    }

    fn placement(&self, bone: usize, rest: Placement, time: f64) -> Placement {
        let mut placement = rest;
        for (track, values) in self.values(Target::Bone(bone), time) {
            let three = || numbers::<3>(&values);
            match track.channel {
                command::TRANSLATE => placement.translation = three(),
                command::ROTATE_ZYX => placement.rotation = Rotation::XFirst(three()),
                command::ROTATE_YXZ => placement.rotation = Rotation::ZFirst(three()),
                command::ROTATE_Q => placement.rotation = Rotation::Quaternion(numbers(&values)),
                command::SCALE | command::SCALE2 | command::SCALE3 => {
                    placement.scale = three();
                    placement.scale_kind = scale_kind(track.channel);
                }
                command::PIVOT => placement.pivot = three(),
                command::MATRIX => placement.matrix = Some(affine(numbers(&values))),
                _ => {}
            }
        }
        placement
    }

    fn colors(&self, material: usize, time: f64) -> (Colors, Option<f32>) {
        let rest = self.stage.materials.get(material);
        let mut colors = rest.map(|material| material.colors).unwrap_or_default();
        let mut reflection = rest.and_then(|material| material.reflection);
        for (track, values) in self.values(Target::Material(material), time) {
            match track.channel {
                command::DIFFUSE => colors.diffuse = numbers(&values),
                command::SPECULAR => {
                    colors.specular = numbers(&values);
                    if values.len() > 4 {
                        colors.shininess = numbers::<5>(&values)[4];
                    }
                }
                command::EMISSION => colors.emission = numbers(&values),
                command::AMBIENT => colors.ambient = Some(numbers(&values)),
                command::REFLECTION => reflection = Some(numbers::<1>(&values)[0]),
                _ => {}
            }
        }
        (colors, reflection)
    }

    fn crop(&self, material: usize, layer: usize, time: f64) -> [f32; 4] {
        let moved = self
            .values(Target::Material(material), time)
            .filter(|(track, _)| track.channel == command::TEX_CROP && track.index as usize == layer);
        let rest = || {
            let layers = self.stage.materials.get(material).map(|material| &material.layers);
            layers.and_then(|layers| layers.get(layer)).map_or([0.0, 0.0, 1.0, 1.0], |layer| layer.crop)
        };
        moved.last().map_or_else(rest, |(_, values)| numbers(&values))
    }

    fn morphs(&self, bone: usize, time: f64) -> [f32; MORPHS_MAX] {
        let rest = self.stage.bones.get(bone);
        let mut weights = rest.map(|bone| bone.morph_weights.clone()).unwrap_or_default();
        let mut index = rest.and_then(|bone| bone.morph_index);
        for (track, values) in self.values(Target::Bone(bone), time) {
            match track.channel {
                command::MORPH_INDEX => index = Some(numbers::<1>(&values)[0]),
                command::MORPH_WEIGHTS => {
                    index = None;
                    // With a single dimension, this moves only the weight that the track names.
                    let first = if values.len() == 1 { (track.index as usize).min(7) } else { 0 };
                    weights.resize(weights.len().max(first.saturating_add(values.len())), 0.0);
                    for (weight, value) in
                        weights.iter_mut().skip(first).zip(numbers::<8>(&values)).take(values.len())
                    {
                        *weight = value;
                    }
                }
                _ => {}
            }
        }
        morph_weights(index, &weights)
    }

    fn patch(&self, patch: &Patch, time: f64) -> Vec<CommandPatch> {
        let following = |at: Address, commands: &[Command]| {
            let addresses = (0..).map(|number: u32| at.offset(number.wrapping_mul(4)));
            addresses.zip(commands).map(|(at, command)| CommandPatch { at, command: *command }).collect()
        };
        match *patch {
            Patch::Call { bone, at, call } => {
                let is_hidden = match self.channel(Target::Bone(bone), &[command::VISIBILITY], time) {
                    Some((_, values)) => values.first().is_none_or(|value| *value < 0.5),
                    None => self.stage.bones.get(bone).is_some_and(|bone| bone.is_hidden),
                };
                following(at, &[if is_hidden { off(Opcode::NOP) } else { call }])
            }
            Patch::Morphs { bone, count, at } => {
                let weights = self.morphs(bone, time);
                following(at, &morph_commands(&weights, count))
            }
            Patch::Colors { material, color_use, at } => {
                let (colors, reflection) = self.colors(material, time);
                let color_use = match color_use {
                    ColorUse::Reflection(amount) => ColorUse::Reflection(reflection.unwrap_or(amount)),
                    other => other,
                };
                following(at, &color_commands(&colors, color_use))
            }
            Patch::Crop { material, layer, coordinates, at } => {
                following(at, &coordinate_commands(coordinates, self.crop(material, layer, time)))
            }
        }
    }
}

/// Returns the commands to set `count` morph weights.
pub(super) fn morph_commands(weights: &[f32; MORPHS_MAX], count: usize) -> Vec<Command> {
    let set = |(number, weight): (u8, &f32)| float(Opcode::MORPHWEIGHT0.plus(number), *weight);
    (0_u8..).zip(weights).take(count).map(set).collect()
}

/// Rounds numbers to single precision, and fills up with 0.
fn numbers<const N: usize>(values: &[f64]) -> [f32; N] {
    let mut out = [0.0; N];
    for (out, value) in out.iter_mut().zip(values) {
        *out = single(*value);
    }
    out
}

impl Sampler for MotionSampler {
    fn sample(&self, _: &Skeleton, frame: f64) -> Vec<Affine> {
        let time = self.time(frame);
        let rest = self.stage.rig.rest.iter().enumerate();
        let placements: Vec<Placement> =
            rest.map(|(bone, placement)| self.placement(bone, *placement, time)).collect();
        self.stage.rig.locals(&placements)
    }

    fn commands(&self, frame: f64) -> Vec<CommandPatch> {
        let time = self.time(frame);
        self.stage.patches.iter().flat_map(|patch| self.patch(patch, time)).collect()
    }
}

/// Moves a motion from another model's bones (`from`) to this model's, which are found by name. Also returns how
/// many bones are missing here.
pub(super) fn retarget(motion: &Motion, from: &[Bone], scene: &Scene<'_>) -> (Motion, usize) {
    let mut missing = std::collections::BTreeSet::new();
    let mut moved = motion.clone();
    moved.tracks.retain_mut(|track| match track.target {
        Target::Bone(number) => {
            let name = from.get(number).and_then(|bone| bone.name.as_deref());
            let found = scene.bones.iter().position(|bone| name.is_some() && bone.name.as_deref() == name);
            if found.is_none() {
                missing.insert(number);
            }
            track.target = Target::Bone(found.unwrap_or(number));
            found.is_some()
        }
        Target::Material(number) => number < scene.materials.len(),
    });
    (moved, missing.len())
}
