//! Where bones are at a frame.
//!
//! # Invariants
//! Values between keys lie on a straight line; before the first and behind the last key they stay. A bone without
//! channels rests exactly; channels that it lacks keep what it has at rest (inferred).

use crate::formats::bbs::euler::{self, Order, Parts};
use crate::model::matrix::Affine;
use crate::model::{Sampler, Skeleton};

/// Channels of a bone: translation, rotation and scale, each in x, y and z.
pub(super) const CHANNELS: usize = 9;
/// The largest stored value.
const STEPS: f64 = 65535.0;

/// One value over time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Channel {
    /// What the largest stored value means.
    pub(super) high: f32,
    /// What 0 means.
    pub(super) low: f32,
    pub(super) curve: Curve,
}

/// Stored values.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Curve {
    /// None: the value stays.
    Constant,
    /// One for each frame.
    EveryFrame(Vec<u16>),
    /// Some frames, ascending, with their values.
    Keys(Vec<(u16, u16)>),
}

/// What the bones do in an animation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Motion {
    /// Channels of each bone: translation, rotation, scale.
    pub(super) bones: Vec<[Option<Channel>; CHANNELS]>,
    /// How three angles make a rotation.
    pub(super) order: Order,
}

impl Channel {
    /// How many keys are stored.
    pub(super) fn keys(&self) -> usize {
        match &self.curve {
            Curve::Constant => 0,
            Curve::EveryFrame(values) => values.len(),
            Curve::Keys(keys) => keys.len(),
        }
    }

    fn value(&self, frame: f64) -> f32 {
        let stored = match &self.curve {
            // High and low are the same.
            Curve::Constant => return self.high,
            Curve::EveryFrame(values) => {
                let key = |index: usize| values.get(index).map(|&value| (whole(index), f64::from(value)));
                // `as` saturates, so that frames outside end at the ends.
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
                let at = (frame.max(0.0) as usize).min(values.len().saturating_sub(1));
                line(frame, key(at), key(at.saturating_add(1)))
            }
            Curve::Keys(keys) => {
                let number = |&(frame, value): &(u16, u16)| (f64::from(frame), f64::from(value));
                let behind = keys.partition_point(|&(at, _)| f64::from(at) <= frame);
                let before = behind.checked_sub(1).and_then(|index| keys.get(index)).map(number);
                line(frame, before, keys.get(behind).map(number))
            }
        };
        let (low, high) = (f64::from(self.low), f64::from(self.high));
        #[expect(clippy::cast_possible_truncation, reason = "rounded to single once, at the end")]
        let value = (low + (high - low) * stored / STEPS) as f32;
        value
    }
}

/// The value at `frame` on the line between two keys; the only key there is, where one is missing.
fn line(frame: f64, before: Option<(f64, f64)>, behind: Option<(f64, f64)>) -> f64 {
    match (before, behind) {
        (Some((start, from)), Some((end, to))) => {
            from + (to - from) * ((frame - start) / (end - start)).clamp(0.0, 1.0)
        }
        (Some((_, only)), None) | (None, Some((_, only))) => only,
        (None, None) => 0.0,
    }
}

/// A frame number; animations have at most 65535.
fn whole(index: usize) -> f64 {
    f64::from(u32::try_from(index).unwrap_or(u32::MAX))
}

impl Sampler for Motion {
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

/// A bone's matrix from its channels, and what it has at rest where they are missing.
fn pose(rest: &Affine, channels: &[Option<Channel>; CHANNELS], frame: f64, order: Order) -> Affine {
    let has =
        |range: std::ops::Range<usize>| channels.get(range).unwrap_or_default().iter().any(Option::is_some);
    let mut parts = Parts { translation: [0.0; 3], rotation: [0.0; 3], scale: [1.0; 3] };
    let [.., tx, ty, tz] = *rest;
    parts.translation = [tx, ty, tz];
    let turned = has(3..CHANNELS);
    if turned {
        parts = euler::decompose(rest, order);
    }
    let Parts { translation, rotation, scale } = &mut parts;
    let slots = translation.iter_mut().chain(rotation).chain(scale);
    for (slot, channel) in slots.zip(channels) {
        if let Some(channel) = channel {
            *slot = channel.value(frame);
        }
    }
    if turned {
        return euler::compose(&parts, order);
    }
    // Only moved: what turns and scales it stays bit for bit.
    let mut matrix = *rest;
    for (element, value) in matrix.iter_mut().skip(9).zip(parts.translation) {
        *element = value;
    }
    matrix
}
