//! Moves the wyvern: it hovers, stamps with its right foot, and looks around.
//!
//! The right leg is a separate part, to stamp while the body does something else.

use std::f64::consts::TAU;

use super::anatomy::{bone, skeleton};
use crate::formats::pmo::Version;
use crate::formats::pmo::animations::{Channel, Clip, Key, pack};
use crate::modelling::maths::{Vec3, cos, round, sin, vec3};

/// The right leg's first bone; its bones come last.
const RIGHT_LEG: u8 = bone::LEG + 3;

/// A bone's component to move.
#[derive(Clone, Copy)]
enum Component {
    Turn(Axis),
    Move(Axis),
    Scale(Axis),
}

#[derive(Clone, Copy)]
enum Axis {
    X,
    Y,
    Z,
}

/// Moves a component in a wave around its value at rest.
struct Wave {
    bone: u8,
    component: Component,
    /// In degrees, units of length, or parts of the size.
    amplitude: f64,
    /// Where the wave starts, in turns.
    phase: f64,
    /// How many whole waves are in the clip.
    waves: u16,
}

const fn wave(bone: u8, component: Component, amplitude: f64, phase: f64, waves: u16) -> Wave {
    Wave { bone, component, amplitude, phase, waves }
}

/// Returns the skeleton's part that moves a bone.
pub(crate) fn part_of(bone: usize) -> usize {
    usize::from(bone >= usize::from(RIGHT_LEG))
}

/// Encodes the pack for Freedom Unite: actions 0, 1, 7 and 100.
pub(crate) fn unite() -> Vec<u8> {
    let (body, leg) = (0..RIGHT_LEG, RIGHT_LEG..bone::LEG + 6);
    let clips = [
        clip(&hover(), body.clone(), 60, Some(0.0), Version::Unite),
        clip(&look_around(), body, 90, None, Version::Unite),
        // This clip is shorter than the body's, with a start that does not repeat.
        clip(&dangle(), leg.clone(), 48, Some(8.0), Version::Unite),
        clip(&stamp(), leg, 40, None, Version::Unite),
    ];
    // First come the body's streams, then the leg's. Action 100 is action 1 once more.
    pack(&[&[(0, 0), (7, 1)], &[], &[(0, 2), (1, 3)], &[(0, 3)]], &clips, Version::Unite)
}

/// Encodes the pack for Portable 3rd, whose clips move the whole skeleton: actions 0, 7 and 101.
pub(crate) fn portable3rd() -> Vec<u8> {
    let all = 0..bone::LEG + 6;
    let clips = [
        clip(&hover(), all.clone(), 60, Some(0.0), Version::Portable3rd),
        clip(&look_around(), all.clone(), 90, None, Version::Portable3rd),
        clip(&stamp(), all, 40, None, Version::Portable3rd),
    ];
    pack(&[&[(0, 0), (7, 1)], &[(1, 2)]], &clips, Version::Portable3rd)
}

/// The wings beat, and the body rises and sinks. The lantern's bone swells.
fn hover() -> Vec<Wave> {
    let mut waves = vec![
        wave(bone::HIPS, Component::Move(Axis::Y), 4.0, 0.55, 1),
        wave(bone::CHEST, Component::Turn(Axis::X), 3.0, 0.25, 1),
        wave(bone::NECK, Component::Turn(Axis::X), -4.0, 0.3, 1),
        wave(bone::HEAD, Component::Turn(Axis::X), 5.0, 0.4, 1),
        wave(bone::LEG, Component::Turn(Axis::X), 8.0, 0.5, 1),
        wave(bone::LEG + 1, Component::Turn(Axis::X), -10.0, 0.55, 1),
    ];
    for (number, bone) in (bone::TAIL..bone::TAIL + 4).enumerate() {
        let phase = 0.1 * f64::from(u8::try_from(number).unwrap_or_default());
        waves.push(wave(bone, Component::Turn(Axis::X), 5.0, -phase, 1));
        waves.push(wave(bone, Component::Turn(Axis::Y), 7.0, -phase, 1));
    }
    for axis in [Axis::X, Axis::Y, Axis::Z] {
        waves.push(wave(bone::TAIL + 3, Component::Scale(axis), 0.25, 0.0, 2));
    }
    for (first, side) in [(bone::WING, 1.0), (bone::WING + 3, -1.0)] {
        waves.push(wave(first, Component::Turn(Axis::Z), side * 28.0, 0.0, 1));
        waves.push(wave(first, Component::Turn(Axis::Y), side * 6.0, 0.25, 1));
        waves.push(wave(first + 1, Component::Turn(Axis::Z), side * 18.0, -0.12, 1));
        waves.push(wave(first + 2, Component::Turn(Axis::Z), side * 14.0, -0.22, 1));
    }
    waves
}

/// The head turns left and right; the tail balances.
fn look_around() -> Vec<Wave> {
    vec![
        wave(bone::CHEST, Component::Turn(Axis::Y), 6.0, 0.0, 1),
        wave(bone::NECK, Component::Turn(Axis::Y), 18.0, 0.0, 1),
        wave(bone::NAPE, Component::Turn(Axis::Y), 18.0, 0.0, 1),
        wave(bone::HEAD, Component::Turn(Axis::Y), 22.0, 0.0, 1),
        wave(bone::HEAD, Component::Turn(Axis::Z), 8.0, 0.0, 2),
        wave(bone::TAIL, Component::Turn(Axis::Y), -14.0, 0.0, 1),
        wave(bone::TAIL + 1, Component::Turn(Axis::Y), -14.0, 0.0, 1),
    ]
}

fn dangle() -> Vec<Wave> {
    vec![
        wave(RIGHT_LEG, Component::Turn(Axis::X), 8.0, 0.0, 1),
        wave(RIGHT_LEG + 1, Component::Turn(Axis::X), -10.0, 0.1, 1),
        wave(RIGHT_LEG + 2, Component::Turn(Axis::X), 12.0, 0.2, 1),
    ]
}

/// The foot rises and comes down twice.
fn stamp() -> Vec<Wave> {
    vec![
        wave(RIGHT_LEG, Component::Turn(Axis::X), -30.0, 0.0, 2),
        wave(RIGHT_LEG + 1, Component::Turn(Axis::X), 38.0, 0.0, 2),
        wave(RIGHT_LEG + 2, Component::Turn(Axis::X), -20.0, 0.0, 2),
    ]
}

/// Builds a clip for a range of bones. Bones without a wave get keys for their rest.
fn clip(
    waves: &[Wave],
    bones: std::ops::Range<u8>,
    frames: i16,
    loop_start: Option<f64>,
    version: Version,
) -> Clip {
    let rest = skeleton();
    let track = |bone: u8| {
        let own = waves.iter().filter(|wave| wave.bone == bone);
        let mut channels: Vec<Channel> = own
            .map(|wave| {
                let parent = rest[usize::from(bone)].parent;
                let from = parent.map_or(vec3(0.0, 0.0, 0.0), |parent| rest[parent].at);
                wave.channel(rest[usize::from(bone)].at - from, frames, version)
            })
            .collect();
        channels.sort_by_key(|channel| channel.bit);
        if channels.is_empty() {
            let keys = [0, frames].map(|frame| Key { frame, value: 0, slope: 0 });
            channels.push(Channel { bit: 0x008, keys: keys.into() });
        }
        channels
    };
    Clip { tracks: bones.map(track).collect(), loop_start }
}

impl Wave {
    /// Builds the channel. `rest` is the bone's translation from its parent.
    fn channel(&self, rest: Vec3, frames: i16, version: Version) -> Channel {
        let (bit, step, middle) = match (self.component, version) {
            (Component::Scale(axis), Version::Unite) => (axis.bit(0x001), 1.0 / 16.0, 1.0),
            (Component::Scale(axis), Version::Portable3rd) => (axis.bit(0x200), 1.0 / 256.0, 1.0),
            (Component::Turn(axis), _) => (axis.bit(0x008), 180.0 / 8192.0, 0.0),
            (Component::Move(axis), _) => (axis.bit(0x040), 1.0 / 16.0, axis.of(rest)),
        };
        let keys = 4 * self.waves;
        let speed = TAU * f64::from(self.waves) / f64::from(frames);
        let key = |number: u16| {
            let frame = round(f64::from(frames) * f64::from(number) / f64::from(keys));
            let turns = self.phase + f64::from(self.waves) * f64::from(frame) / f64::from(frames);
            let whole = |value: f64| i16::try_from(round(value / step)).unwrap_or(i16::MAX);
            Key {
                frame: i16::try_from(frame).unwrap_or_default(),
                value: whole(middle + self.amplitude * sin(turns)),
                slope: whole(self.amplitude * speed * cos(turns)),
            }
        };
        Channel { bit, keys: (0..=keys).map(key).collect() }
    }
}

impl Axis {
    /// Returns the axis's bit, given the bit for x.
    fn bit(self, x: usize) -> usize {
        x << match self {
            Self::X => 0,
            Self::Y => 1,
            Self::Z => 2,
        }
    }

    fn of(self, Vec3 { x, y, z }: Vec3) -> f64 {
        match self {
            Self::X => x,
            Self::Y => y,
            Self::Z => z,
        }
    }
}
