//! Evaluates a clip's curves.
//!
//! # Invariants
//! Keys ascend. Outside its keys a channel holds the first or last value; between two keys it follows the cubic
//! curve through both values with the slopes given by the keys.
//! Source: [evaluation](crate::reference::formats::pmo#evaluation).

use zerocopy::little_endian::I16;
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::euler::Transform;
use crate::model::matrix::single;

/// A key as stored in the file.
#[derive(Clone, Copy, Debug, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
pub(super) struct Key {
    value: I16,
    pub(super) frame: I16,
    /// Change per frame, on the way to this key.
    slope_in: I16,
    /// Change per frame, from this key on.
    slope_out: I16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Property {
    Scale,
    Rotation,
    Translation,
}

/// Names a bone's value to animate, and the step to scale stored values by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Component {
    property: Property,
    axis: usize,
    step: f64,
}

/// A single value over time.
#[derive(Clone, Debug)]
pub(super) struct Channel {
    pub(super) component: Component,
    /// Not empty; in ascending order by frame.
    pub(super) keys: Vec<Key>,
}

/// Moves a part of a skeleton.
#[derive(Clone, Debug)]
pub(super) struct Clip {
    /// Each track's channels.
    pub(super) tracks: Vec<Vec<Channel>>,
    /// The largest key frame.
    pub(super) last: i16,
    /// The frame to go on at after the last, if the clip repeats.
    pub(super) loop_start: Option<f64>,
    /// Channel count over all tracks.
    pub(super) channels: usize,
    /// Key count over all channels.
    pub(super) keys: usize,
}

impl Component {
    /// Finds the component for a channel's bit.
    pub(super) fn of_bit(bit: u16) -> Option<Self> {
        let index = usize::try_from(bit.trailing_zeros()).ok().filter(|_| bit.is_power_of_two())?;
        // Three bits per property, for x, y and z. Bits 9 to 11 scale in finer steps.
        let (property, step) = match index / 3 {
            0 => (Property::Scale, 1.0 / 16.0),
            1 => (Property::Rotation, std::f64::consts::PI / 8192.0),
            2 => (Property::Translation, 1.0 / 16.0),
            3 => (Property::Scale, 1.0 / 256.0),
            _ => return None,
        };
        let axis = index % 3;
        Some(Self { property, axis, step })
    }

    /// Checks whether this and `other` animate the same value.
    pub(super) fn is_same(self, other: Self) -> bool {
        (self.property, self.axis) == (other.property, other.axis)
    }

    /// Checks whether this component moves a bone.
    pub(super) fn is_translation(self) -> bool {
        self.property == Property::Translation
    }

    /// Sets this component in a transform.
    fn set(self, transform: &mut Transform, value: f32) {
        let values = match self.property {
            Property::Scale => &mut transform.scale,
            Property::Rotation => &mut transform.rotation,
            Property::Translation => &mut transform.translation,
        };
        if let Some(slot) = values.get_mut(self.axis) {
            *slot = value;
        }
    }
}

impl Channel {
    /// Computes the value at a time in frames.
    fn value(&self, time: f64) -> f32 {
        let after = self.keys.partition_point(|key| f64::from(key.frame.get()) <= time);
        let before = after.checked_sub(1).and_then(|index| self.keys.get(index));
        let stored = match (before, self.keys.get(after)) {
            (Some(before), Some(after)) => between(before, after, time),
            (Some(only), None) | (None, Some(only)) => only.value.get().into(),
            (None, None) => 0.0,
        };
        single(stored * self.component.step)
    }
}

/// Computes the value between two keys, as a cubic Hermite curve.
fn between(before: &Key, after: &Key, time: f64) -> f64 {
    let number = |value: I16| f64::from(value.get());
    let since = time - number(before.frame);
    // `s` runs from 0 at the first key to 1 at the second.
    let s = since / (number(after.frame) - number(before.frame));
    let (square, cube) = (s * s, s * s * s);
    let blend = 3.0 * square - 2.0 * cube;
    let values = number(before.value) * (1.0 - blend) + number(after.value) * blend;
    let leaving = number(before.slope_out) * (since * ((1.0 - 2.0 * s) + square));
    let arriving = number(after.slope_in) * (since * (square - s));
    (values + leaving) + arriving
}

impl Clip {
    /// Counts the frames, including frame 0.
    pub(super) fn frames(&self) -> u32 {
        u32::try_from(self.last).unwrap_or(0).saturating_add(1)
    }

    /// Converts an animation's frame to the clip's time. After its end, a clip stays at the last frame, or jumps
    /// back to the loop's start.
    pub(super) fn time(&self, frame: f64) -> f64 {
        let last = f64::from(self.last);
        let beyond = frame - last;
        let Some(start) = self.loop_start.filter(|start| *start < last && beyond > 0.0) else {
            return if frame > last { last } else { frame };
        };
        let period = last - start;
        // After whole periods show the last frame, not the first.
        let part = beyond % period;
        if part > 0.0 { start + part } else { last }
    }

    /// Sets a track's values at a time in the clip.
    pub(super) fn apply(&self, track: usize, time: f64, transform: &mut Transform) {
        for channel in self.tracks.get(track).into_iter().flatten() {
            channel.component.set(transform, channel.value(time));
        }
    }
}
