//! Animates the plant: it sways, with frame numbers in a byte, and grows, with frame numbers in two.

use crate::formats::bbs::bon::Bone;
use crate::formats::bbs::pam::{Clip, Curve, write};
use crate::modelling::maths::{sin, smooth};

/// Radians per turn.
const TURN: f64 = std::f64::consts::TAU;

/// Builds the animation file, with an empty entry.
pub(super) fn file(bones: &[Bone]) -> Vec<u8> {
    write(&[Some(sway(bones)), None, Some(grow(bones))])
}

fn sway(bones: &[Bone]) -> Clip {
    let rest = bones.iter().map(|bone| bone.turn * TURN).collect::<Vec<f64>>();
    let channels = vec![
        Vec::new(),
        vec![
            (3, Curve::Every(|frame| 0.05 * TURN * sin(frame / 60.0))),
            (5, Curve::Keys(&[(0, 0.13), (15, 0.45), (45, -0.3), (59, 0.12)])),
        ],
        vec![
            (1, Curve::Keys(&[(5, 0.9), (30, 1.05), (55, 0.9)])),
            (4, Curve::Every(|frame| TURN * frame / 60.0)),
        ],
        vec![(3, Curve::Constant(0.3)), (5, Curve::Every(|frame| -0.4 + 0.3 * sin(frame / 30.0)))],
        vec![(5, Curve::Constant(rest[4])), (8, Curve::Keys(&[(0, 1.0), (30, 1.4), (59, 1.0)]))],
    ];
    Clip { name: "sway", frames: 60, bones: channels }
}

/// This clip has more than 255 frames, so that frame numbers take two bytes.
fn grow(bones: &[Bone]) -> Clip {
    let place = |bone: usize| bones[bone].at;
    let channels = vec![
        vec![
            (6, Curve::Every(|frame| smooth(0.0, 299.0, frame) * 0.75 + 0.25)),
            (7, Curve::Every(|frame| smooth(0.0, 299.0, frame) * 0.9 + 0.1)),
            (8, Curve::Every(|frame| smooth(0.0, 299.0, frame) * 0.75 + 0.25)),
        ],
        vec![(0, Curve::Constant(place(1).x)), (1, Curve::Keys(&[(0, 0.3), (150, 0.7), (299, 0.9)]))],
        vec![(2, Curve::Keys(&[(100, 0.0), (200, 0.2), (290, 0.0)]))],
        vec![(5, Curve::Keys(&[(0, 1.2), (299, -0.38)]))],
        vec![(5, Curve::Keys(&[(0, -1.2), (299, 0.5)]))],
    ];
    Clip { name: "grow", frames: 300, bones: channels }
}
