//! Writes BON skeletons.
//!
//! Source: [BON skeleton](pspge::reference::formats::bbs#bon-skeleton).

use crate::bytes::{put_f32, put_u16, put_u32};
use crate::modelling::maths::{Vec3, cos, sin, vec3};

/// A bone: a rotation around z and a position, relative to the parent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bone {
    pub(crate) name: &'static str,
    pub(crate) parent: Option<usize>,
    pub(crate) at: Vec3,
    /// Rotation around z in turns.
    pub(crate) turn: f64,
}

/// A rigid transform, given by where it moves the axes and the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CoordinateFrame {
    axes: [Vec3; 3],
    at: Vec3,
}

impl CoordinateFrame {
    fn of(bone: &Bone) -> Self {
        let (sine, cosine) = (sin(bone.turn), cos(bone.turn));
        Self { axes: [vec3(cosine, sine, 0.0), vec3(-sine, cosine, 0.0), vec3(0.0, 0.0, 1.0)], at: bone.at }
    }

    pub(crate) fn transform(&self, point: Vec3) -> Vec3 {
        self.at + self.rotate(point)
    }

    fn rotate(&self, point: Vec3) -> Vec3 {
        self.axes[0] * point.x + self.axes[1] * point.y + self.axes[2] * point.z
    }

    /// Returns this transform followed by another.
    fn inside(&self, outer: &Self) -> Self {
        Self { axes: self.axes.map(|axis| outer.rotate(axis)), at: outer.transform(self.at) }
    }

    fn inverse(&self) -> Self {
        let [x, y, z] = self.axes;
        let axes = [vec3(x.x, y.x, z.x), vec3(x.y, y.y, z.y), vec3(x.z, y.z, z.z)];
        let back = Self { axes, at: vec3(0.0, 0.0, 0.0) };
        Self { at: back.rotate(self.at) * -1.0, ..back }
    }

    fn write(&self, out: &mut Vec<u8>) {
        let rows = self.axes.into_iter().chain([self.at]).zip([0.0, 0.0, 0.0, 1.0]);
        for (Vec3 { x, y, z }, last) in rows {
            [x, y, z, last].iter().for_each(|&value| put_f32(out, value));
        }
    }
}

/// Computes every bone's transform to model space.
pub(crate) fn world_frames(bones: &[Bone]) -> Vec<CoordinateFrame> {
    let mut frames: Vec<CoordinateFrame> = Vec::new();
    for bone in bones {
        let own = CoordinateFrame::of(bone);
        frames.push(bone.parent.map_or(own, |parent| own.inside(&frames[parent])));
    }
    frames
}

/// Encodes the file. Bones are numbered in order, so parents must come first.
pub(crate) fn write(bones: &[Bone]) -> Vec<u8> {
    let mut out = b"BON\0\0\0\0\0".to_vec();
    for value in [bones.len(), 0, bones.len(), 0] {
        put_u16(&mut out, value);
    }
    for (number, (bone, frame)) in bones.iter().zip(world_frames(bones)).enumerate() {
        for value in [number, 0, bone.parent.unwrap_or(0xFFFF), 0, number, 0] {
            put_u16(&mut out, value);
        }
        put_u32(&mut out, 0);
        let end = out.len() + 16;
        out.extend(bone.name.as_bytes());
        out.resize(end, 0);
        CoordinateFrame::of(bone).write(&mut out);
        frame.inverse().write(&mut out);
    }
    out
}
