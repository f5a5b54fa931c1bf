//! Shapes the wyvern: its bones, and the surfaces for its body, limbs and wings.
//!
//! It is on the ground at y = 0 and faces +z, with its left side at +x. This describes only the left limbs, because
//! the right limbs mirror them.

use crate::formats::pmo::companions::Bone;
use crate::modelling::maths::{Vec3, mix, sin, vec3};
use crate::modelling::mesh::{Weights, chain_weights};
use crate::modelling::surface::{Station, Tube, round_station};

/// The bones' numbers.
pub(crate) mod bone {
    pub(crate) const HIPS: u8 = 0;
    pub(crate) const CHEST: u8 = 1;
    pub(crate) const NECK: u8 = 2;
    pub(crate) const NAPE: u8 = 3;
    pub(crate) const HEAD: u8 = 4;
    /// The first of four, towards the tip.
    pub(crate) const TAIL: u8 = 5;
    /// Upper arm, forearm, hand; the right side's follow.
    pub(crate) const WING: u8 = 9;
    /// Thigh, shin, foot; the right side's follow.
    pub(crate) const LEG: u8 = 15;
}

/// How many bones a wing or leg has.
const LIMB_BONES: u8 = 3;

/// The left wing's joints, from the shoulder to the wrist.
const WING_JOINTS: [Vec3; 3] = [vec3(10.0, 54.0, 12.0), vec3(36.0, 74.0, 2.0), vec3(58.0, 96.0, 8.0)];
/// The left leg's joints: hip, knee, ankle.
const LEG_JOINTS: [Vec3; 3] = [vec3(11.0, 32.0, -10.0), vec3(18.0, 21.0, 3.0), vec3(17.0, 8.0, -8.0)];
/// The tail's joints.
const TAIL_JOINTS: [Vec3; 4] =
    [vec3(0.0, 29.0, -38.0), vec3(0.0, 31.0, -62.0), vec3(0.0, 58.0, -87.0), vec3(0.0, 104.0, -87.0)];

/// The lantern's centre.
pub(crate) const LANTERN: Vec3 = vec3(0.0, 119.0, -54.0);
/// The left eye's centre.
pub(crate) const EYE: Vec3 = vec3(8.2, 88.5, 58.0);

/// Builds the skeleton at rest.
pub(crate) fn skeleton() -> Vec<Bone> {
    let bone = |at: Vec3, parent: u8| Bone { at, parent: Some(parent.into()) };
    let mut bones = vec![
        Bone { at: vec3(0.0, 35.0, -18.0), parent: None },
        bone(vec3(0.0, 44.0, 12.0), bone::HIPS),
        bone(vec3(0.0, 57.0, 28.0), bone::CHEST),
        bone(vec3(0.0, 71.0, 37.0), bone::NECK),
        bone(vec3(0.0, 84.0, 46.0), bone::NAPE),
    ];
    for (at, parent) in TAIL_JOINTS.into_iter().zip([bone::HIPS, bone::TAIL, bone::TAIL + 1, bone::TAIL + 2])
    {
        bones.push(bone(at, parent));
    }
    for (joints, first, root) in [(WING_JOINTS, bone::WING, bone::CHEST), (LEG_JOINTS, bone::LEG, bone::HIPS)]
    {
        for side in 0..2 {
            let own = first + side * LIMB_BONES;
            for (joint, parent) in joints.into_iter().zip([root, own, own + 1]) {
                bones.push(bone(if side == 0 { joint } else { joint.mirrored() }, parent));
            }
        }
    }
    bones
}

const fn station(y: f64, z: f64, wide: f64, up: f64, down: f64) -> Station {
    Station { at: vec3(0.0, y, z), wide, up, down }
}

/// Builds the body, from the tail's tip to the snout.
pub(crate) fn body() -> Tube {
    let stations = vec![
        station(131.0, -53.0, 0.0, 0.0, 0.0),
        station(130.0, -66.0, 2.0, 2.2, 2.2),
        station(101.0, -88.0, 2.8, 3.0, 3.0),
        station(64.0, -88.0, 3.6, 4.0, 4.0),
        station(38.0, -71.0, 4.8, 5.4, 5.2),
        station(30.0, -54.0, 6.6, 7.2, 6.6),
        station(30.0, -36.0, 10.0, 10.0, 9.0),
        station(34.0, -19.0, 14.5, 14.0, 13.0),
        station(39.0, -2.0, 17.0, 16.0, 17.0),
        station(44.0, 13.0, 16.0, 14.5, 17.5),
        station(53.0, 25.0, 11.5, 11.0, 13.0),
        station(63.0, 33.0, 8.6, 8.4, 9.4),
        station(74.0, 38.0, 8.2, 8.0, 8.4),
        station(82.5, 44.0, 11.0, 9.0, 10.0),
        station(84.0, 54.0, 12.5, 10.0, 10.5),
        station(82.0, 64.0, 9.6, 7.6, 8.6),
        station(79.5, 72.0, 7.6, 5.2, 6.6),
        station(78.5, 79.0, 5.8, 4.0, 4.8),
        station(78.0, 81.6, 0.0, 0.0, 0.0),
    ];
    Tube::new(vec3(1.0, 0.0, 0.0), stations)
}

/// The torso's range in `s`; the tail is before it, neck and head after it.
pub(crate) const TORSO: [f64; 2] = [6.0 / 18.0, 11.0 / 18.0];

/// Computes the body's weights: along the spine, and in the torso also for nearby limbs.
pub(crate) fn body_weights(s: f64, at: Vec3) -> Weights {
    const SPINE: [(u8, f64); 9] = [
        (bone::TAIL + 3, 1.5 / 18.0),
        (bone::TAIL + 2, 3.2 / 18.0),
        (bone::TAIL + 1, 4.6 / 18.0),
        (bone::TAIL, 6.0 / 18.0),
        (bone::HIPS, 7.2 / 18.0),
        (bone::CHEST, 9.2 / 18.0),
        (bone::NECK, 11.0 / 18.0),
        (bone::NAPE, 12.0 / 18.0),
        (bone::HEAD, 13.2 / 18.0),
    ];
    let mut weights = chain_weights(&SPINE, s * 18.0 / 18.0);
    if s <= TORSO[0] || s >= TORSO[1] {
        return weights;
    }
    for (joint, first) in [(WING_JOINTS[0], bone::WING), (LEG_JOINTS[0], bone::LEG)] {
        for (joint, bone) in [(joint, first), (joint.mirrored(), first + LIMB_BONES)] {
            let pull = 0.5 * (1.0 - (at - joint).length() / 14.0).max(0.0);
            if pull > 0.02 {
                weights.iter_mut().for_each(|(_, weight)| *weight *= 1.0 - pull);
                weights.push((bone, pull));
            }
        }
    }
    // At most four bones may move a vertex, so the smallest weights go.
    weights.sort_by(|one, other| other.1.total_cmp(&one.1));
    weights.truncate(4);
    weights
}

/// Builds the left leg, from inside the hip to the sole.
pub(crate) fn leg() -> Tube {
    let stations = vec![
        round_station(vec3(9.0, 36.0, -11.0), 5.0),
        round_station(vec3(12.5, 30.0, -8.0), 9.6),
        round_station(vec3(17.0, 22.0, 0.5), 7.4),
        round_station(vec3(18.0, 16.0, 0.5), 5.0),
        round_station(vec3(17.2, 9.0, -6.0), 3.7),
        round_station(vec3(17.2, 5.0, -5.5), 4.4),
        Station { at: vec3(17.8, 2.9, 1.0), wide: 6.0, up: 3.2, down: 2.9 },
        Station { at: vec3(18.4, 2.0, 8.0), wide: 6.4, up: 2.2, down: 2.0 },
        Station { at: vec3(18.5, 1.6, 10.5), wide: 2.0, up: 0.6, down: 1.0 },
    ];
    Tube::new(vec3(1.0, 0.0, 0.0), stations)
}

/// Base and tip for the left foot's three claws.
pub(crate) const CLAWS: [[Vec3; 2]; 3] = [
    [vec3(14.2, 1.9, 8.0), vec3(12.6, 0.0, 16.5)],
    [vec3(18.6, 2.1, 9.0), vec3(19.0, 0.0, 18.5)],
    [vec3(22.8, 1.9, 7.6), vec3(25.4, 0.0, 15.0)],
];

/// Builds the left arm, from inside the shoulder to the wrist.
pub(crate) fn arm() -> Tube {
    let stations = vec![
        round_station(vec3(6.0, 51.0, 13.0), 6.0),
        round_station(vec3(17.0, 60.0, 10.0), 5.4),
        round_station(vec3(28.0, 69.0, 5.0), 3.8),
        round_station(WING_JOINTS[1], 3.4),
        round_station(vec3(46.0, 84.0, 3.5), 3.1),
        round_station(WING_JOINTS[2] + vec3(0.5, 0.5, 0.0), 2.6),
    ];
    Tube::new(vec3(0.0, 0.0, 1.0), stations)
}

/// The tips of the left wing's ribs. The last two are the trailing edge at the elbow and at the body.
const RIB_TIPS: [Vec3; 5] = [
    vec3(108.0, 100.0, -14.0),
    vec3(104.0, 62.0, -24.0),
    vec3(78.0, 34.0, -30.0),
    vec3(42.0, 27.0, -30.0),
    vec3(10.0, 33.0, -24.0),
];
/// How many ribs have a finger.
pub(crate) const FINGERS: u8 = 3;
/// How many membrane panels are between ribs.
pub(crate) const PANELS: u8 = 4;

/// Computes a point on the left wing's rib `number`, from the arm (0) to the tip (1). The rib is an arc that bulges
/// upwards.
fn rib(number: usize, t: f64) -> Vec3 {
    let [shoulder, elbow, wrist] = WING_JOINTS;
    let root = [wrist, wrist, wrist, elbow, shoulder][number];
    let arc = 4.0 * t * (1.0 - t);
    let bulge = [
        vec3(2.0, 10.0, -1.0),
        vec3(9.0, 7.0, -2.0),
        vec3(9.0, 3.0, -3.0),
        vec3(2.0, 2.0, -2.0),
        vec3(6.0, 0.0, 0.0),
    ];
    mix(root, RIB_TIPS[number], t) + bulge[number] * arc
}

/// Computes a point on the left wing's membrane. `s` runs from the leading rib to the body, `t` from the arm to the
/// trailing edge. It sags a little between ribs.
pub(crate) fn membrane(s: f64, t: f64) -> Vec3 {
    let mut number = 0;
    let mut part = s.clamp(0.0, 1.0) * f64::from(PANELS);
    while part > 1.0 {
        part -= 1.0;
        number += 1;
    }
    let sag = 4.0 * part * (1.0 - part) * sin(0.5 * t.clamp(0.0, 1.0));
    mix(rib(number, t), rib(number + 1, t), part) + vec3(-0.5, 1.5, -7.0) * sag
}

/// Computes the bone in the left wing's rib `number`, a little in front of the membrane.
pub(crate) fn finger(number: u8) -> Tube {
    let stations =
        [0.0, 0.25, 0.5, 0.75, 0.97].map(|t| round_station(rib(number.into(), t), 2.3 * (1.0 - 0.82 * t)));
    Tube::new(vec3(0.0, 0.0, 1.0), stations.to_vec())
}

/// Computes weights for a vertex on either wing.
pub(crate) fn wing_weights(at: Vec3) -> Weights {
    let first = if at.x < 0.0 { bone::WING + LIMB_BONES } else { bone::WING };
    let out = at.x.abs();
    chain_weights(&[(bone::CHEST, 9.0), (first, 22.0), (first + 1, 44.0), (first + 2, 66.0)], out)
}

/// Computes weights at `s` for a vertex on either leg.
pub(crate) fn leg_weights(s: f64, at: Vec3) -> Weights {
    let first = if at.x < 0.0 { bone::LEG + LIMB_BONES } else { bone::LEG };
    chain_weights(&[(bone::HIPS, 0.02), (first, 0.17), (first + 1, 0.42), (first + 2, 0.6)], s)
}

/// Builds the left horn, from inside the skull.
pub(crate) fn horn() -> Tube {
    let stations = vec![
        round_station(vec3(5.5, 88.0, 49.0), 3.4),
        round_station(vec3(8.0, 95.0, 43.0), 2.9),
        round_station(vec3(11.0, 102.5, 34.0), 2.0),
        round_station(vec3(12.0, 112.0, 29.0), 0.0),
    ];
    Tube::new(vec3(1.0, 0.0, 0.0), stations)
}

/// Builds the left brow, a ridge over the eye that gives the face its expression.
pub(crate) fn brow() -> Tube {
    let stations = vec![
        round_station(vec3(8.0, 90.0, 45.0), 0.5),
        round_station(vec3(9.9, 93.0, 53.5), 2.2),
        round_station(vec3(8.9, 92.3, 60.0), 2.0),
        round_station(vec3(5.0, 88.0, 67.0), 0.2),
    ];
    Tube::new(vec3(1.0, 0.0, 0.0), stations)
}

/// Computes a sphere, flattened to `depth` times its radius along `axis`. `s` runs from back to front along the axis.
pub(crate) fn globe(at: Vec3, axis: Vec3, radius: f64, depth: f64) -> impl Fn(f64, f64) -> Vec3 {
    let axis = axis.unit();
    let side = vec3(0.0, 1.0, 0.0).cross(axis);
    // Any side will do for a vertical axis.
    let side = if side.length() < 1e-6 { vec3(1.0, 0.0, 0.0) } else { side.unit() };
    let up = axis.cross(side);
    move |s, t| {
        let (along, out) = (-sin(0.25 - 0.5 * s), sin(0.5 * s));
        let around = side * sin(t - 0.5) + up * sin(t - 0.25);
        at + axis * (along * radius * depth) + around * (out * radius)
    }
}

/// Computes the direction in which the left eye looks.
pub(crate) fn eye_axis() -> Vec3 {
    vec3(0.80, 0.10, 0.58).unit()
}

/// Builds the left wing's thumb: a claw at the wrist.
pub(crate) fn thumb() -> Tube {
    let [_, _, wrist] = WING_JOINTS;
    let stations = vec![
        round_station(wrist, 2.4),
        round_station(wrist + vec3(-1.0, 5.0, 5.0), 1.5),
        round_station(wrist + vec3(1.0, 7.0, 12.0), 0.0),
    ];
    Tube::new(vec3(1.0, 0.0, 0.0), stations)
}
