//! Animates the nodes of an MSH model (streams 8 and 19). Source:
//! [animation keys](crate::reference::formats::parkan#animation-keys),
//! [rotation matrix](crate::reference::formats::parkan#rotation-matrix).
//!
//! # Invariants
//! The game computes on an x87 that rounds to 24 bits, so sums and products are IEEE singles. Its sines and arc
//! cosines are more precise, and are rounded when they are stored. Results are neither normalised nor clamped.

use super::raw::{self, NONE};
use super::read::{Msh, Nodes};
use crate::formats::core::options::ParseOptions;
use crate::formats::parkan::options::STANDARD_ROTATION;
use crate::model::matrix::{Affine, IDENTITY, single};
use crate::model::{Sampler, Skeleton};

/// A model's animation data, copied to outlive its file: tracks, keys and frame map.
#[derive(Clone, Debug)]
pub(super) struct Tracks {
    nodes: Vec<Track>,
    keys: Vec<Key>,
    map: Vec<u16>,
    frames: u32,
    /// Whether quaternions rotate in the usual direction, not in the game's.
    standard_rotation: bool,
}

/// How to animate a node.
#[derive(Clone, Copy, Debug)]
struct Track {
    /// Where this node's words start in the frame map; `None` if it does not move.
    map_start: Option<usize>,
    fallback: usize,
}

/// A pose, and its time in frames.
#[derive(Clone, Copy, Debug)]
struct Key {
    time: f32,
    pose: Pose,
}

/// Where a node is relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pose {
    position: [f32; 3],
    /// A quaternion as w, x, y, z.
    rotation: [f32; 4],
}

impl Tracks {
    pub(super) fn of(msh: &Msh<'_>, options: ParseOptions<'_>) -> Self {
        let nodes = match &msh.nodes {
            Nodes::Known(table) => &*table.items,
            Nodes::Short(_) => &[],
        };
        let track = |node: &raw::Node| Track {
            map_start: Some(node.map_start.get()).filter(|&start| start != NONE).map(usize::from),
            fallback: node.fallback_key.get().into(),
        };
        Self {
            nodes: nodes.iter().map(track).collect(),
            keys: msh.keys.as_ref().map_or(&[][..], |keys| &keys.items).iter().map(Key::of).collect(),
            map: msh.map.iter().map(|word| word.get()).collect(),
            frames: msh.frames,
            standard_rotation: options.has(STANDARD_ROTATION),
        }
    }

    pub(super) fn moving(&self) -> usize {
        self.nodes.iter().filter(|track| track.map_start.is_some()).count()
    }

    /// Computes local matrices for all nodes at rest. The fallback key is the rest pose.
    pub(super) fn rest(&self) -> Vec<Affine> {
        let pose = |track: &Track| self.keys.get(track.fallback).map(|key| key.pose);
        self.nodes.iter().map(|track| self.matrix(pose(track))).collect()
    }

    fn matrix(&self, pose: Option<Pose>) -> Affine {
        pose.map_or(IDENTITY, |pose| pose.matrix(self.standard_rotation))
    }

    /// Samples a node's pose at a time in frames, which may be outside the animation.
    fn pose(&self, track: Track, time: f32) -> Option<Pose> {
        let fallback = self.keys.get(track.fallback)?.pose;
        let frame = frame_at(time);
        let Some(start) = track.map_start.filter(|_| frame < self.frames) else { return Some(fallback) };
        // The map names the key before each frame. Without a usable key, the fallback applies.
        let word = start.checked_add(usize::try_from(frame).ok()?).and_then(|index| self.map.get(index));
        let Some(number) = word.copied().map(usize::from).filter(|&number| number < track.fallback) else {
            return Some(fallback);
        };
        let first = self.keys.get(number)?;
        let second = self.keys.get(number.saturating_add(1))?;
        if time == first.time {
            return Some(first.pose);
        }
        if time == second.time {
            return Some(second.pose);
        }
        let alpha = (time - first.time) / (second.time - first.time);
        // Two keys have the same time. No known program writes this, and it leaves nothing to interpolate.
        Some(if alpha.is_finite() { first.pose.interpolate(&second.pose, alpha) } else { first.pose })
    }
}

impl Sampler for Tracks {
    #[expect(clippy::cast_possible_truncation, reason = "the game's times are singles")]
    fn sample(&self, _: &Skeleton, frame: f64) -> Vec<Affine> {
        let time = frame as f32;
        self.nodes.iter().map(|&track| self.matrix(self.pose(track, time))).collect()
    }
}

/// Converts a time to a frame as FISTP does: `time - 0.5`, rounded to the nearest integer, ties to even. If the
/// result does not fit into 64 bits, FISTP stores the "integer indefinite", whose lower half is 0.
fn frame_at(time: f32) -> u32 {
    let rounded = (time - 0.5).round_ties_even();
    // This is 2^63.
    const LIMIT: f32 = 9_223_372_036_854_775_808.0;
    let fits = (-LIMIT..LIMIT).contains(&rounded);
    #[expect(clippy::cast_possible_truncation, reason = "checked")]
    let stored = if fits { rounded as i64 } else { i64::MIN };
    let [a, b, c, d, ..] = stored.to_le_bytes();
    u32::from_le_bytes([a, b, c, d])
}

impl Key {
    fn of(raw: &raw::Key) -> Self {
        let [x, y, z, w] = raw.rotation.map(|part| f32::from(part.get()) / 32767.0);
        let position = raw.position.map(|coordinate| coordinate.get());
        Self { time: raw.time.get(), pose: Pose { position, rotation: [w, x, y, z] } }
    }
}

impl Pose {
    /// Interpolates to another pose. This extrapolates if `alpha` is outside 0 to 1.
    fn interpolate(&self, other: &Self, alpha: f32) -> Self {
        let [x, y, z] = self.position;
        let [to_x, to_y, to_z] = other.position;
        let line = |from: f32, to: f32| from + (to - from) * alpha;
        let position = [line(x, to_x), line(y, to_y), line(z, to_z)];
        Self { position, rotation: slerp(self.rotation, other.rotation, alpha) }
    }

    /// Converts this pose to a matrix. The game's rotation is the transpose of the usual rotation.
    fn matrix(&self, standard_rotation: bool) -> Affine {
        let [w, x, y, z] = self.rotation;
        // Negating w inverts the rotation, which transposes its matrix.
        let w = if standard_rotation { -w } else { w };
        let [tx, ty, tz] = self.position;
        [
            1.0 - 2.0 * (y * y + z * z),
            2.0 * (x * y - w * z),
            2.0 * (x * z + w * y),
            2.0 * (x * y + w * z),
            1.0 - 2.0 * (x * x + z * z),
            2.0 * (y * z - w * x),
            2.0 * (x * z - w * y),
            2.0 * (y * z + w * x),
            1.0 - 2.0 * (x * x + y * y),
            tx,
            ty,
            tz,
        ]
    }
}

/// Interpolates rotations spherically along the shorter arc. As in the game, this does not normalise the result.
fn slerp(from: [f32; 4], to: [f32; 4], alpha: f32) -> [f32; 4] {
    let ([a, b, c, d], [e, f, g, h]) = (from, to);
    let signed = ((a * e + b * f) + c * g) + d * h;
    let (dot, sign) = if signed < 0.0 { (-signed, -1.0) } else { (signed, 1.0) };
    let (w0, w1) = if 1.0 - dot <= 1e-5 {
        (1.0 - alpha, alpha)
    } else {
        let theta = libm::acos(dot.into());
        let angle = f64::from(single(f64::from(alpha) * theta));
        let w1 = single(libm::sin(angle) / libm::sin(theta));
        (single(libm::cos(angle)) - w1 * dot, w1)
    };
    let mix = |from: f32, to: f32| w0 * from + w1 * (sign * to);
    [mix(a, e), mix(b, f), mix(c, g), mix(d, h)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples from the reference, and extreme times as on an x87.
    #[test]
    fn rounds_frames_as_fistp() {
        for (time, frame) in [
            (0.0, 0),
            (1.0, 0),
            (2.0, 2),
            (3.0, 2),
            (1.2, 1),
            (4.0, 4),
            (5.0, 4),
            (5.000_001, 5),
            (-0.25, u32::MAX),
            (-0.000_1, u32::MAX),
            (1e10, 0x540B_E400),
            (1e30, 0),
            (f32::NAN, 0),
        ] {
            assert_eq!(frame_at(time), frame, "time {time}");
        }
    }

    #[test]
    fn slerp_takes_shorter_arc_without_normalising() {
        let half = libm::sqrtf(0.5);
        let quarter = slerp([1.0, 0.0, 0.0, 0.0], [-half, 0.0, 0.0, -half], 0.5);
        let eighth = [0.923_879_5, 0.0, 0.0, 0.382_683_43];
        for (found, expected) in quarter.iter().zip(eighth) {
            assert!((found - expected).abs() < 1e-6, "{quarter:?}");
        }
        // The directions are nearly the same, so this is linear and not normalised.
        let straight = slerp([0.5, 0.0, 0.0, 0.0], [2.0, 0.0, 0.0, 0.5], 0.5);
        assert_eq!(straight, [1.25, 0.0, 0.0, 0.25], "weights of a half each");
    }

    #[test]
    fn game_matrix_rotates_in_opposite_direction() {
        let half = libm::sqrtf(0.5);
        let pose = Pose { position: [5.0, 6.0, 7.0], rotation: [half, 0.0, 0.0, half] };
        let game = pose.matrix(false);
        let standard = pose.matrix(true);
        // Where the x axis goes.
        assert!((game[1] + 1.0).abs() < 1e-6 && (standard[1] - 1.0).abs() < 1e-6, "{game:?} {standard:?}");
        assert_eq!((&game[9..], &standard[9..]), (&[5.0, 6.0, 7.0][..], &[5.0, 6.0, 7.0][..]), "translation");
    }
}
