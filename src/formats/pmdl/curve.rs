//! Actions: animate bones along cubic Bezier curves through keys.
//!
//! # Invariants
//! Sampling gives the same bits on all platforms, because the order of operations is fixed and this uses no platform
//! maths library. Source: [actions](crate::reference::formats::pmdl#actions),
//! [pose](crate::reference::formats::pmdl#pose).

use std::collections::HashMap;

use crate::model::matrix::{Affine, IDENTITY, single};
use crate::model::{Animation, Sampler, Skeleton};

/// The PSP's screen rate, in frames per second, to convert times with. The file has times in seconds and no frame
/// rate.
pub(super) const FRAME_RATE: f32 = 60.0;
/// How closely to search for a time on a curve, in seconds.
const TIME_TOLERANCE: f64 = 1e-6;
/// Bisect no more often than this, because it exhausts a double's precision.
const BISECTIONS: u32 = 60;

/// An animation of the skeleton.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Action {
    pub(super) name: String,
    /// Length in seconds.
    pub(super) duration: f32,
    pub(super) tracks: Vec<Track>,
}

/// How to animate a single bone.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Track {
    pub(super) bone: u32,
    /// X, y, z.
    pub(super) scale: Option<[Curve; 3]>,
    /// W, x, y, z of a quaternion.
    pub(super) rotation: Option<[Curve; 4]>,
    /// X, y, z.
    pub(super) location: Option<[Curve; 3]>,
}

/// A number as a function of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Curve {
    keys: Vec<Key>,
}

/// A point on a curve with its handles, each as time and value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Key {
    pub(super) left: [f32; 2],
    pub(super) point: [f32; 2],
    pub(super) right: [f32; 2],
}

impl Key {
    pub(super) const fn time(&self) -> f32 {
        let [time, _] = self.point;
        time
    }

    fn value(&self) -> f64 {
        let [_, value] = self.point;
        value.into()
    }
}

impl Curve {
    pub(super) const fn empty() -> Self {
        Self { keys: Vec::new() }
    }

    pub(super) const fn new(keys: Vec<Key>) -> Self {
        Self { keys }
    }

    /// Evaluates the curve at a time in seconds; `None` without keys.
    fn at(&self, time: f64) -> Option<f64> {
        let next = self.keys.partition_point(|key| f64::from(key.time()) < time);
        let previous = next.checked_sub(1).and_then(|previous| self.keys.get(previous));
        match (previous, self.keys.get(next)) {
            (Some(from), Some(to)) => Some(interpolate(from, to, time)),
            (Some(key), None) | (None, Some(key)) => Some(key.value()),
            (None, None) => None,
        }
    }
}

/// Evaluates the curve at a time between two keys.
fn interpolate(from: &Key, to: &Key, time: f64) -> f64 {
    let points = [from.point, from.right, to.left, to.point];
    let times = points.map(|[time, _]| f64::from(time));
    let values = points.map(|[_, value]| f64::from(value));
    // Time itself runs along a Bezier curve, so this bisects for the parameter at which it is `time`.
    let (mut low, mut high) = (0.0, 1.0);
    let mut parameter = 0.5;
    for _ in 0..BISECTIONS {
        let found = bezier(times, parameter);
        if (found - time).abs() <= TIME_TOLERANCE {
            break;
        }
        if found > time {
            high = parameter;
        } else {
            low = parameter;
        }
        parameter = (low + high) / 2.0;
    }
    bezier(values, parameter)
}

fn bezier([a, b, c, d]: [f64; 4], parameter: f64) -> f64 {
    let inverse = 1.0 - parameter;
    ((inverse * inverse * inverse * a + 3.0 * (inverse * inverse * parameter) * b)
        + 3.0 * (inverse * parameter * parameter) * c)
        + parameter * parameter * parameter * d
}

impl Action {
    /// Lists all curves, even if they have no keys.
    pub(super) fn curves(&self) -> impl Iterator<Item = &Curve> {
        self.tracks.iter().flat_map(|track| {
            let [scale, rotation, location] = [
                track.scale.as_ref().map_or(&[][..], <[Curve; 3]>::as_slice),
                track.rotation.as_ref().map_or(&[][..], <[Curve; 4]>::as_slice),
                track.location.as_ref().map_or(&[][..], <[Curve; 3]>::as_slice),
            ];
            scale.iter().chain(rotation).chain(location)
        })
    }

    pub(super) fn keys(&self) -> usize {
        self.curves().map(|curve| curve.keys.len()).fold(0, usize::saturating_add)
    }

    /// Converts this action to an animation in frames.
    pub(super) fn animation(self) -> Animation {
        // The frame at time 0 counts, too.
        let steps = libm::floorf(self.duration * FRAME_RATE);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 216000")]
        let frames = (steps as u32).saturating_add(1);
        Animation {
            name: Some(self.name.clone()),
            frames,
            frames_per_second: Some(FRAME_RATE),
            channels: self.curves().count(),
            keys: self.keys(),
            sampler: std::sync::Arc::new(self),
        }
    }
}

impl Sampler for Action {
    fn sample(&self, skeleton: &Skeleton, frame: f64) -> Vec<Affine> {
        let time = (frame / f64::from(FRAME_RATE)).clamp(0.0, self.duration.into());
        let mut tracks: HashMap<u32, &Track> = HashMap::new();
        for track in &self.tracks {
            // If a bone has several tracks, the first counts.
            tracks.entry(track.bone).or_insert(track);
        }
        let local = |bone: &crate::model::Bone| match tracks.get(&bone.id) {
            Some(track) => track.local(&bone.local, bone.parent.is_none(), time),
            None => bone.local,
        };
        skeleton.bones().iter().map(local).collect()
    }
}

impl Track {
    /// Computes this bone's matrix relative to its parent: rotation, then translation, then scale along the parent's
    /// axes.
    fn local(&self, rest: &Affine, is_root: bool, time: f64) -> Affine {
        let [.., x, y, z] = rest.map(f64::from);
        let [mut x, mut y, mut z] = [x, y, z];
        // The runtime moves only roots.
        if let (Some([dx, dy, dz]), true) = (&self.location, is_root) {
            let by = |curve: &Curve| curve.at(time).unwrap_or(0.0);
            [x, y, z] = [x + by(dx), y + by(dy), z + by(dz)];
        }
        let scale = match &self.scale {
            Some(curves) => curves.each_ref().map(|curve| curve.at(time).unwrap_or(1.0)),
            None => [1.0; 3],
        };
        let axes = match &self.rotation {
            Some([w, x, y, z]) => axes([
                w.at(time).unwrap_or(1.0),
                x.at(time).unwrap_or(0.0),
                y.at(time).unwrap_or(0.0),
                z.at(time).unwrap_or(0.0),
            ]),
            None => axes([1.0, 0.0, 0.0, 0.0]),
        };
        let [a, b, c] = axes;
        let mut out = IDENTITY;
        // Scale comes last and along the parent's axes. So this multiplies x, y and z in every column, and in the
        // translation.
        let columns = [a, b, c, [x, y, z]];
        for (element, (value, factor)) in
            out.iter_mut().zip(columns.into_iter().flatten().zip(scale.into_iter().cycle()))
        {
            *element = single(value * factor);
        }
        out
    }
}

/// Computes where a rotation takes the axes. This is the identity if the quaternion is 0 or not finite.
fn axes([w, x, y, z]: [f64; 4]) -> [[f64; 3]; 3] {
    let square = ((w * w + x * x) + y * y) + z * z;
    if square == 0.0 || !square.is_finite() {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    let s = 2.0 / square;
    [
        [1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)],
        [s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)],
        [s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(left: [f32; 2], point: [f32; 2], right: [f32; 2]) -> Key {
        Key { left, point, right }
    }

    #[test]
    fn curves_are_constant_outside_and_bezier_between_keys() {
        let curve = Curve::new(vec![
            key([-1.0, 0.0], [0.0, 0.0], [1.0, 0.0]),
            key([0.0, 8.0], [1.0, 8.0], [2.0, 8.0]),
        ]);
        for (time, expected) in [(-3.0, 0.0), (0.0, 0.0), (1.0, 8.0), (7.0, 8.0), (0.5, 4.0)] {
            let found = curve.at(time).expect("there are keys");
            assert!((found - expected).abs() < 1e-4, "{time}: {found} for {expected}");
        }
        // The handles cross: time (1-s)²s·3 + s³, value 8(3s²-2s³). At s = 1/4: time 0.4375, value 1.25.
        let found = curve.at(0.4375).expect("there are keys");
        assert!((found - 1.25).abs() < 1e-4, "a quarter of the way: {found}");
        assert_eq!(Curve::empty().at(0.0), None, "nothing");
        let one = Curve::new(vec![key([0.0, 1.0], [5.0, 2.0], [6.0, 3.0])]);
        assert_eq!((one.at(0.0), one.at(9.0)), (Some(2.0), Some(2.0)), "one key is a constant");
    }

    #[test]
    fn evaluates_curves_whose_handles_go_back_in_time() {
        let curve = Curve::new(vec![
            key([0.0, 0.0], [0.0, 1.0], [-9e30, 5.0]),
            key([9e30, -5.0], [1.0, 2.0], [1.0, 2.0]),
        ]);
        assert!(curve.at(0.3).is_some_and(f64::is_finite), "some value");
    }

    #[test]
    fn normalises_quaternions() {
        // Half a right angle around x, as a quaternion three times too long.
        let turned = axes([3.0, 3.0, 0.0, 0.0]);
        assert_eq!(turned, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]], "y to z, z to -y");
        assert_eq!(axes([0.0; 4])[0], [1.0, 0.0, 0.0], "none at all does nothing");
    }
}
