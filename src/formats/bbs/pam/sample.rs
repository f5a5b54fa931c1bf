//! Samples animation channels at any frame.
//!
//! # Invariants
//! This interpolates values linearly between keys, and holds them before the first and after the last. A bone
//! without channels keeps its rest matrix bit for bit; a missing channel keeps the rest pose's value (inferred).
//! Source: [PAM animation](crate::reference::formats::bbs#pam-animation).

use crate::formats::core::euler::{self, EulerOrder, Transform};
use crate::model::matrix::{Affine, single};
use crate::model::{Sampler, Skeleton};

/// Channels per bone: translation, rotation and scale, each in x, y and z.
pub(super) const CHANNELS: usize = 9;
/// The largest quantised value.
const QUANTISED_MAX: f64 = 65535.0;

/// A single value over time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Channel {
    /// Value for quantised 65535.
    pub(super) max: f32,
    /// Value for quantised 0.
    pub(super) min: f32,
    pub(super) curve: Curve,
}

/// A channel's quantised values.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Curve {
    /// A constant, without stored values.
    Constant,
    /// A value per frame.
    EveryFrame(Vec<u16>),
    /// Ascending key frames with their values.
    Keys(Vec<(u16, u16)>),
}

/// Samples all bones in an animation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChannelSampler {
    /// Channels per bone: translation, rotation, scale, each in x, y and z.
    pub(super) bones: Vec<[Option<Channel>; CHANNELS]>,
    /// The order in which to apply rotation angles.
    pub(super) order: EulerOrder,
}

impl Channel {
    pub(super) fn keys(&self) -> usize {
        match &self.curve {
            Curve::Constant => 0,
            Curve::EveryFrame(values) => values.len(),
            Curve::Keys(keys) => keys.len(),
        }
    }

    /// Computes this channel's value at a frame.
    fn value(&self, frame: f64) -> f32 {
        let stored = match &self.curve {
            // Maximum and minimum are equal, so either will do.
            Curve::Constant => return self.max,
            Curve::EveryFrame(values) => {
                let key =
                    |index: usize| values.get(index).map(|&value| (frame_number(index), f64::from(value)));
                // `as` saturates, so that frames outside the animation take its ends.
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
                let at = (frame.max(0.0) as usize).min(values.len().saturating_sub(1));
                interpolate(frame, key(at), key(at.saturating_add(1)))
            }
            Curve::Keys(keys) => {
                let number = |&(frame, value): &(u16, u16)| (f64::from(frame), f64::from(value));
                let after = keys.partition_point(|&(at, _)| f64::from(at) <= frame);
                let before = after.checked_sub(1).and_then(|index| keys.get(index)).map(number);
                interpolate(frame, before, keys.get(after).map(number))
            }
        };
        let (min, max) = (f64::from(self.min), f64::from(self.max));
        single(min + (max - min) * stored / QUANTISED_MAX)
    }
}

/// Interpolates linearly between two keys. If either is missing, this takes the other's value.
fn interpolate(frame: f64, before: Option<(f64, f64)>, after: Option<(f64, f64)>) -> f64 {
    match (before, after) {
        (Some((start, from)), Some((end, to))) => {
            from + (to - from) * ((frame - start) / (end - start)).clamp(0.0, 1.0)
        }
        (Some((_, only)), None) | (None, Some((_, only))) => only,
        (None, None) => 0.0,
    }
}

/// Converts a frame index to a float; animations have at most 65535 frames.
fn frame_number(index: usize) -> f64 {
    f64::from(u32::try_from(index).unwrap_or(u32::MAX))
}

impl Sampler for ChannelSampler {
    fn sample(&self, skeleton: &Skeleton, frame: f64) -> Vec<Affine> {
        let frame = if frame.is_nan() { 0.0 } else { frame };
        let bones = skeleton.bones().iter().enumerate();
        let pose = |(number, bone): (usize, &crate::model::Bone)| {
            self.bones
                .get(number)
                .map_or(bone.local, |channels| pose(&bone.local, channels, frame, self.order))
        };
        bones.map(pose).collect()
    }
}

/// Computes a bone's matrix from its channels. Missing channels keep the rest pose's values.
fn pose(rest: &Affine, channels: &[Option<Channel>; CHANNELS], frame: f64, order: EulerOrder) -> Affine {
    let has =
        |range: std::ops::Range<usize>| channels.get(range).unwrap_or_default().iter().any(Option::is_some);
    let mut transform = Transform::IDENTITY;
    let [.., tx, ty, tz] = *rest;
    transform.translation = [tx, ty, tz];
    let turns_or_scales = has(3..CHANNELS);
    if turns_or_scales {
        transform = euler::decompose(rest, order);
    }
    let Transform { translation, rotation, scale } = &mut transform;
    let slots = translation.iter_mut().chain(rotation).chain(scale);
    for (slot, channel) in slots.zip(channels) {
        if let Some(channel) = channel {
            *slot = channel.value(frame);
        }
    }
    if turns_or_scales {
        return euler::compose(&transform, order);
    }
    // With translation only, this leaves rotation and scale bit for bit.
    let mut matrix = *rest;
    for (element, value) in matrix.iter_mut().skip(9).zip(transform.translation) {
        *element = value;
    }
    matrix
}
