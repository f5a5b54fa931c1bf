//! Plays clips and key sets as animations. Source: [key sets](crate::reference::formats::mml2#key-sets) and
//! [clips](crate::reference::formats::mml2#clips).
//!
//! This assumes the same axis order as for the console's library function `RotMatrix`: a bone turns around z first,
//! then y, then x.

use std::sync::Arc;

use super::clips::{AnimationData, Frame, Pose};
use super::raw::field;
use crate::model::animation::Sampler;
use crate::model::matrix::{Affine, single, then};
use crate::model::{Animation, Skeleton};

/// Frame rate for all clips.
const FRAMES_PER_SECOND: f32 = 30.0;
/// Angle units per turn.
const TURN: f64 = 4096.0;

/// Data that all animations of a model share.
#[derive(Debug)]
struct PoseData {
    /// Each bone's offset from its parent, by the bone's number in the file.
    offsets: Vec<(u32, [f32; 3])>,
    /// Converts file space to model space, for bones without a parent.
    to_model: Affine,
    poses: Vec<Pose>,
}

/// Plays a single clip.
#[derive(Debug)]
struct ClipSampler {
    pose_data: Arc<PoseData>,
    keyframes: Vec<Keyframe>,
    /// Where this clip ends, in frames.
    end: u32,
    /// The frame to continue at after the end; `None` to stop there.
    loop_start: Option<u32>,
}

/// The pose from frame `start` on: `pose` itself, or part of the way to `next`.
#[derive(Clone, Copy, Debug)]
struct Keyframe {
    start: u32,
    pose: usize,
    next: usize,
    sixteenths: u8,
}

/// A rotation as a quaternion (x, y, z, w).
type Rotation = [f64; 4];

/// Creates a model's animations: its clips, then key sets that no clip plays.
pub(super) fn animations(
    animation: AnimationData,
    offsets: Vec<(u32, [f32; 3])>,
    to_model: Affine,
) -> Vec<Animation> {
    let AnimationData { sets, clips, poses, .. } = animation;
    let channels = poses.first().map_or(0, Vec::len);
    let pose_data = Arc::new(PoseData { offsets, to_model, poses });
    let animation = |name: String, frames: &[Frame], loop_start: Option<usize>| {
        let sampler = ClipSampler::new(Arc::clone(&pose_data), frames, loop_start);
        Animation {
            name: Some(name),
            frames: sampler.end,
            frames_per_second: Some(FRAMES_PER_SECOND),
            channels,
            keys: frames.len().saturating_mul(channels),
            sampler: Arc::new(sampler),
        }
    };
    let mut animations: Vec<Animation> = clips
        .iter()
        .map(|clip| animation(format!("clip:{}", clip.number), &clip.frames, clip.loop_start))
        .collect();
    // A key set without a clip has no timing, so each of its poses lasts a frame.
    for (number, set) in sets.iter().enumerate() {
        if !set.is_empty() && clips.iter().all(|clip| clip.set != number) {
            let frame = |pose: &usize| Frame { pose: *pose, ticks: 1, sixteenths: 0 };
            let frames: Vec<Frame> = set.iter().map(frame).collect();
            animations.push(animation(format!("keyset:{number}"), &frames, None));
        }
    }
    animations
}

impl ClipSampler {
    fn new(pose_data: Arc<PoseData>, frames: &[Frame], loop_frame: Option<usize>) -> Self {
        let mut keyframes = Vec::new();
        let mut end = 0u32;
        let mut loop_start = None;
        for (number, frame) in frames.iter().enumerate() {
            if loop_frame == Some(number) {
                loop_start = Some(end);
            }
            // This interpolates to the next frame with another pose. After the last, this is where the clip loops.
            let later = frames.iter().skip(number).find(|later| later.pose != frame.pose);
            let next = later.or_else(|| frames.get(loop_frame?)).unwrap_or(frame).pose;
            keyframes.push(Keyframe { start: end, pose: frame.pose, next, sixteenths: frame.sixteenths });
            // A frame without duration would never be visible.
            end = end.saturating_add(u32::from(frame.ticks.max(1)));
        }
        Self { pose_data, keyframes, end, loop_start }
    }

    /// Finds the keyframe for a time in frames. This rounds down, because the console shows only whole frames.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "floored and clamped to u32")]
    fn keyframe(&self, frame: f64) -> Option<&Keyframe> {
        let frame = if frame.is_finite() { frame.clamp(0.0, f64::from(u32::MAX)).floor() as u32 } else { 0 };
        let frame = match self.loop_start {
            // Past the end, this counts on from where the loop starts.
            Some(loop_start) if frame >= self.end => {
                let over = frame.saturating_sub(self.end);
                let length = self.end.saturating_sub(loop_start);
                loop_start.saturating_add(over.checked_rem(length).unwrap_or(0))
            }
            _ => frame,
        };
        let later = self.keyframes.partition_point(|keyframe| keyframe.start <= frame);
        self.keyframes.get(later.saturating_sub(1))
    }
}

impl Sampler for ClipSampler {
    fn sample(&self, skeleton: &Skeleton, frame: f64) -> Vec<Affine> {
        let Some(keyframe) = self.keyframe(frame) else { return skeleton.rest() };
        let (Some(pose), Some(next)) =
            (self.pose_data.poses.get(keyframe.pose), self.pose_data.poses.get(keyframe.next))
        else {
            return skeleton.rest();
        };
        let factor = f64::from(keyframe.sixteenths) / 16.0;
        let root = lerp(root_offset(pose), root_offset(next), factor);
        let bones = skeleton.bones().iter().map(|bone| {
            let offset =
                self.pose_data.offsets.iter().find(|(id, _)| *id == bone.id).map(|(_, offset)| *offset);
            let Some(mut offset) = offset else { return bone.local };
            let word = |pose: &Pose| pose.get(bone_word(bone.id)).copied().unwrap_or(0);
            let rotation = nlerp(rotation(word(pose)), rotation(word(next)), factor);
            // Only the root moves. All other bones keep their offset from the parent.
            if bone.id == 0 {
                for (offset, moved) in offset.iter_mut().zip(root) {
                    *offset += single(moved);
                }
            }
            let local = matrix(rotation, offset);
            if bone.parent.is_none() { then(&local, &self.pose_data.to_model) } else { local }
        });
        bones.collect()
    }
}

/// Returns where a bone's word is in a pose. The root position precedes the rotations.
fn bone_word(id: u32) -> usize {
    usize::try_from(id).unwrap_or(usize::MAX).saturating_add(1)
}

/// Decodes three signed fields. The two highest bits tell how far to shift them left.
fn fields(word: u32) -> [f64; 3] {
    [0, 1, 2].map(|number| f64::from(i32::from(field(word, number)) << (word >> 30)))
}

fn root_offset(pose: &Pose) -> [f64; 3] {
    pose.first().map_or([0.0; 3], |word| fields(*word))
}

fn lerp(from: [f64; 3], to: [f64; 3], factor: f64) -> [f64; 3] {
    let mut out = from;
    for (out, to) in out.iter_mut().zip(to) {
        *out += (to - *out) * factor;
    }
    out
}

/// Decodes a rotation around z, then y, then x.
fn rotation(word: u32) -> Rotation {
    let [x, y, z] = fields(word).map(half_sin_cos);
    let x = [x.0, 0.0, 0.0, x.1];
    let y = [0.0, y.0, 0.0, y.1];
    let z = [0.0, 0.0, z.0, z.1];
    product(product(x, y), z)
}

/// Returns the sine and cosine for half an angle.
fn half_sin_cos(angle: f64) -> (f64, f64) {
    libm::sincos(angle / TURN * std::f64::consts::PI)
}

/// Multiplies two quaternions. The result rotates by `second` first, then by `first`.
fn product(first: Rotation, second: Rotation) -> Rotation {
    let [ax, ay, az, aw] = first;
    let [bx, by, bz, bw] = second;
    [
        ((aw * bx + ax * bw) + ay * bz) - az * by,
        ((aw * by - ax * bz) + ay * bw) + az * bx,
        ((aw * bz + ax * by) - ay * bx) + az * bw,
        ((aw * bw - ax * bx) - ay * by) - az * bz,
    ]
}

/// Interpolates between two rotations along the shorter way, by normalised linear interpolation.
fn nlerp(from: Rotation, to: Rotation, factor: f64) -> Rotation {
    if factor == 0.0 {
        return from;
    }
    let dot = from.iter().zip(to).fold(0.0, |sum, (from, to)| sum + from * to);
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let mut out = from;
    for (out, to) in out.iter_mut().zip(to) {
        *out += (to * sign - *out) * factor;
    }
    let length = out.iter().fold(0.0, |sum, part| sum + part * part).sqrt();
    if length > 0.0 { out.map(|part| part / length) } else { from }
}

fn matrix([x, y, z, w]: Rotation, offset: [f32; 3]) -> Affine {
    let [tx, ty, tz] = offset;
    [
        single(1.0 - 2.0 * (y * y + z * z)),
        single(2.0 * (x * y + w * z)),
        single(2.0 * (x * z - w * y)),
        single(2.0 * (x * y - w * z)),
        single(1.0 - 2.0 * (x * x + z * z)),
        single(2.0 * (y * z + w * x)),
        single(2.0 * (x * z + w * y)),
        single(2.0 * (y * z - w * x)),
        single(1.0 - 2.0 * (x * x + y * y)),
        tx,
        ty,
        tz,
    ]
}
