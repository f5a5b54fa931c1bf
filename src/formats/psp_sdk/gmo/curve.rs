//! Reads and evaluates animation curves.
//! Source: [GMO curves](crate::reference::formats::psp_sdk#gmo-curves).
//!
//! # Invariants
//! A [`Curve`] has at least 1 key, and its key times never decrease. Arithmetic is in doubles, with `libm`.

use zerocopy::little_endian::{F32, U16};

use super::chunk::Chunk;
use super::problem::GmoProblem;
use crate::formats::core::error::{FormatError, Warnings};

/// The most dimensions a curve may have, because no channel has more than a matrix.
const DIMENSIONS_MAX: u32 = 16;

/// How to compute values between keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interpolation {
    Constant,
    Linear,
    /// A Bezier curve with evenly spaced times.
    Hermite,
    /// A Bezier curve with its own times.
    Cubic,
    /// Along the arc between quaternions.
    Spherical,
}

/// How a curve continues before its first key and after its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extrapolation {
    Hold,
    Cycle,
    Shuttle,
}

/// Keys with values in several dimensions, to evaluate at any frame.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) interpolation: Interpolation,
    pub(super) is_half: bool,
    before: Extrapolation,
    after: Extrapolation,
    pub(super) dimensions: usize,
    /// How many numbers each key has: the time, then the values with their handles.
    stride: usize,
    numbers: Vec<f32>,
}

/// Converts a half float to a single, exactly.
fn half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1F), u32::from(bits & 0x3FF));
    match (exponent, fraction) {
        (0, 0) => f32::from_bits(sign),
        (0, fraction) => {
            // A denormal: the fraction counts units of 2^-24.
            #[expect(clippy::cast_precision_loss, reason = "ten bits")]
            let value = fraction as f32 / 16_777_216.0;
            f32::from_bits(value.to_bits() | sign)
        }
        (0x1F, fraction) => f32::from_bits(sign | 0x7F80_0000 | fraction << 13),
        // The exponent's bias grows from 15 to 127, so it moves by 112.
        _ => f32::from_bits(sign | exponent.wrapping_add(112) << 23 | fraction << 13),
    }
}

/// Reads a curve. Keys missing from the data are left out.
pub(super) fn read(chunk: &Chunk<'_>, warnings: &mut Warnings) -> Result<Curve, FormatError> {
    let [format, dimensions, keys] = [chunk.word(0)?, chunk.word(1)?, chunk.word(2)?];
    let interpolation = match format & 15 {
        0 => Interpolation::Constant,
        1 => Interpolation::Linear,
        2 => Interpolation::Hermite,
        3 => Interpolation::Cubic,
        4 => Interpolation::Spherical,
        kind => {
            warnings.push(chunk.args.error(0, GmoProblem::Interpolation(kind)));
            Interpolation::Linear
        }
    };
    if dimensions == 0
        || dimensions > DIMENSIONS_MAX
        || (interpolation == Interpolation::Spherical && dimensions != 4)
    {
        return Err(chunk.args.error(4, GmoProblem::Dimensions(dimensions)));
    }
    let per_value = match interpolation {
        Interpolation::Hermite => 3,
        Interpolation::Cubic => 5,
        _ => 1,
    };
    let stride = u64::from(dimensions).saturating_mul(per_value).saturating_add(1);
    let is_half = format & 0x80 != 0;
    let count = stride.saturating_mul(keys.into());
    let numbers: Vec<f32> = if is_half {
        chunk.data.array_prefix::<U16>(0, count).iter().map(|bits| half(bits.get())).collect()
    } else {
        chunk.data.array_prefix::<F32>(0, count).iter().map(|number| number.get()).collect()
    };
    let stride = usize::try_from(stride).unwrap_or(usize::MAX);
    let stored = numbers.len().checked_div(stride).unwrap_or(0);
    if stored == 0 {
        return Err(chunk.error(GmoProblem::NoKeys));
    }
    if stored < keys as usize {
        let problem = GmoProblem::Cut { what: "keys", stated: keys.into(), actual: stored as u64 };
        warnings.push(chunk.args.error(8, problem));
    }
    let extrapolation = |shift: u32| match format.wrapping_shr(shift) & 15 {
        1 => Extrapolation::Cycle,
        2 => Extrapolation::Shuttle,
        _ => Extrapolation::Hold,
    };
    let mut curve = Curve {
        interpolation,
        is_half,
        before: extrapolation(8),
        after: extrapolation(12),
        dimensions: dimensions as usize,
        stride,
        numbers,
    };
    curve.numbers.truncate(stored.saturating_mul(stride));
    curve.order(chunk, warnings);
    Ok(curve)
}

/// A key: its time, then its values with their handles.
type Key<'a> = (f64, &'a [f32]);

impl Curve {
    /// Sorts the keys by time, for the binary search in [`Self::at`].
    fn order(&mut self, chunk: &Chunk<'_>, warnings: &mut Warnings) {
        let rows = || self.numbers.chunks_exact(self.stride.max(1));
        let times = || rows().filter_map(<[f32]>::first);
        let is_ordered = times().zip(times().skip(1)).all(|(one, next)| one < next);
        if is_ordered && times().all(|time| time.is_finite()) {
            return;
        }
        warnings.push(chunk.error(GmoProblem::KeyOrder));
        let mut sorted: Vec<&[f32]> =
            rows().filter(|row| row.first().is_some_and(|time| time.is_finite())).collect();
        sorted
            .sort_by(|one, other| f32::total_cmp(one.first().unwrap_or(&0.0), other.first().unwrap_or(&0.0)));
        let numbers: Vec<f32> = sorted.concat();
        // If no key has a usable time, the first holds.
        if numbers.is_empty() {
            self.numbers.truncate(self.stride);
            if let Some(time) = self.numbers.first_mut() {
                *time = 0.0;
            }
        } else {
            self.numbers = numbers;
        }
    }

    pub(super) fn keys(&self) -> usize {
        self.numbers.len().checked_div(self.stride).unwrap_or(0)
    }

    fn key(&self, number: usize) -> Option<Key<'_>> {
        let start = number.saturating_mul(self.stride);
        let (time, values) = self.numbers.get(start..start.saturating_add(self.stride))?.split_first()?;
        Some(((*time).into(), values))
    }

    /// Returns the times of the first and last key.
    pub(super) fn range(&self) -> [f64; 2] {
        let time = |number: usize| self.key(number).map_or(0.0, |(time, _)| time);
        [time(0), time(self.keys().saturating_sub(1))]
    }

    /// Moves a frame outside the keys into their range.
    fn inside(&self, frame: f64) -> f64 {
        let [first, last] = self.range();
        let length = last - first;
        let how = match frame {
            frame if frame < first => self.before,
            frame if frame > last => self.after,
            _ => return if frame.is_nan() { first } else { frame },
        };
        if how == Extrapolation::Hold || length <= 0.0 || !frame.is_finite() {
            return frame.clamp(first, last);
        }
        let turns = (frame - first) / length;
        let part = turns - libm::floor(turns);
        // A shuttle goes back every other turn.
        let is_back = how == Extrapolation::Shuttle && libm::floor(turns).rem_euclid(2.0) >= 1.0;
        first + length * if is_back { 1.0 - part } else { part }
    }

    /// Evaluates all dimensions at a frame.
    pub(super) fn at(&self, frame: f64) -> Vec<f64> {
        let frame = self.inside(frame);
        // Search for how many keys are not later than this frame.
        let (mut low, mut high) = (0, self.keys());
        while low < high {
            let middle = low.midpoint(high);
            if self.key(middle).is_some_and(|(time, _)| time <= frame) {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        let Some(one) = self.key(low.saturating_sub(1)) else { return vec![0.0; self.dimensions] };
        let next = self.key(low).filter(|_| low > 0 && self.interpolation != Interpolation::Constant);
        match next {
            Some(next) if next.0 > one.0 => self.between(one, next, frame),
            _ => (0..self.dimensions).map(|dimension| self.value(one, dimension, 0)).collect(),
        }
    }

    /// Returns a number in a key's value: 0 is the value itself, others are its handles.
    fn value(&self, (_, values): Key<'_>, dimension: usize, number: usize) -> f64 {
        let per_value = self.stride.saturating_sub(1).checked_div(self.dimensions).unwrap_or(1);
        let at = dimension.saturating_mul(per_value).saturating_add(number);
        values.get(at).copied().unwrap_or(0.0).into()
    }

    fn between(&self, one: Key<'_>, next: Key<'_>, frame: f64) -> Vec<f64> {
        let length = next.0 - one.0;
        let part = (frame - one.0) / length;
        let value = |dimension: usize| {
            let number = |key: Key<'_>, number: usize| self.value(key, dimension, number);
            let (from, to) = (number(one, 0), number(next, 0));
            match self.interpolation {
                Interpolation::Hermite => {
                    // A key's numbers: the value, the handle before it, the handle after it.
                    bezier([from, from + number(one, 2), to + number(next, 1), to], part)
                }
                Interpolation::Cubic => {
                    // A key's numbers: the value, then time and height of the handle before it, and of the handle
                    // after it.
                    let times = [0.0, number(one, 3) / length, 1.0 + number(next, 1) / length, 1.0];
                    let heights = [from, from + number(one, 4), to + number(next, 2), to];
                    bezier(heights, parameter_at(times, part))
                }
                _ => from + (to - from) * part,
            }
        };
        if self.interpolation == Interpolation::Spherical {
            let quaternion = |key: Key<'_>| [0, 1, 2, 3].map(|dimension| self.value(key, dimension, 0));
            return slerp(quaternion(one), quaternion(next), part).to_vec();
        }
        (0..self.dimensions).map(value).collect()
    }
}

/// Evaluates a cubic Bezier curve at `t`, from 0 to 1.
fn bezier([a, b, c, d]: [f64; 4], t: f64) -> f64 {
    let s = 1.0 - t;
    (s * s * s * a + 3.0 * s * s * t * b) + (3.0 * s * t * t * c + t * t * t * d)
}

/// Finds the parameter at which times between 0 and 1 reach `time`. Handles are clamped so that time never goes
/// back.
fn parameter_at([_, b, c, _]: [f64; 4], time: f64) -> f64 {
    let clamp = |time: f64| if time.is_nan() { 0.0 } else { time.clamp(0.0, 1.0) };
    let times = [0.0, clamp(b), clamp(c), 1.0];
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    // Times never decrease, so halving the interval finds the parameter; 60 steps reach the last bit.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if bezier(times, middle) < time {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Interpolates quaternions along the shorter arc.
fn slerp(one: [f64; 4], other: [f64; 4], part: f64) -> [f64; 4] {
    let dot: f64 = one.iter().zip(other).map(|(one, other)| one * other).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let dot = dot.abs();
    // Near quaternions are interpolated linearly, as in the PSP's own program.
    let (from, to) = if dot >= 0.998 {
        (1.0 - part, part)
    } else {
        let angle = libm::acos(dot.min(1.0));
        let sine = libm::sin(angle);
        (libm::sin((1.0 - part) * angle) / sine, libm::sin(part * angle) / sine)
    };
    let mut mixed = [0.0; 4];
    for (mixed, (one, other)) in mixed.iter_mut().zip(one.into_iter().zip(other)) {
        *mixed = one * from + other * to * sign;
    }
    let length = libm::sqrt(mixed.iter().map(|value| value * value).sum());
    if length > 0.0 { mixed.map(|value| value / length) } else { mixed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_exact() {
        for (bits, value) in [
            (0x3C00, 1.0),
            (0xC000, -2.0),
            (0x0001, 5.960_464_5e-8),
            (0x7BFF, 65504.0),
            (0x3555, 0.333_251_95),
        ] {
            assert_eq!(half(bits), value, "{bits:#x}");
        }
        assert!(half(0x7C00).is_infinite() && half(0x7E00).is_nan(), "no numbers");
        assert_eq!(half(0x8000).to_bits(), 0x8000_0000, "negative zero");
    }

    #[test]
    fn bezier_times_are_inverted() {
        for b in [0.0, 0.3, 1.0] {
            for c in [0.0, 0.6, 1.0] {
                for step in 0..=20 {
                    let t = f64::from(step) / 20.0;
                    let time = bezier([0.0, b, c, 1.0], t);
                    let found = bezier([0.0, b, c, 1.0], parameter_at([0.0, b, c, 1.0], time));
                    assert!((found - time).abs() < 1e-12, "{b} {c} {t}: {found} for {time}");
                }
            }
        }
    }

    #[test]
    fn slerp_takes_the_shorter_arc() {
        let turned = |degrees: f64| {
            let half = degrees.to_radians() / 2.0;
            [0.0, 0.0, libm::sin(half), libm::cos(half)]
        };
        let middle = slerp(turned(0.0), turned(90.0).map(|value| -value), 0.5);
        for (found, expected) in middle.into_iter().zip(turned(45.0)) {
            assert!((found - expected).abs() < 1e-12, "{middle:?}");
        }
    }
}
