//! Calculates with the same results on every machine. For this it uses the four operations and the square root, which
//! are exact for `f64` everywhere, and avoids the platform's sine, which is not.

use std::ops::{Add, Mul, Sub};

/// A point, a direction, or a colour with red, green and blue from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Vec3 {
    /// Towards the model's left; red.
    pub(crate) x: f64,
    /// Up; green.
    pub(crate) y: f64,
    /// Forwards; blue.
    pub(crate) z: f64,
}

/// Creates a vector from its components.
pub(crate) const fn vec3(x: f64, y: f64, z: f64) -> Vec3 {
    Vec3 { x, y, z }
}

/// Creates a colour from its bytes.
pub(crate) fn rgb(red: u8, green: u8, blue: u8) -> Vec3 {
    vec3(f64::from(red), f64::from(green), f64::from(blue)) * (1.0 / 255.0)
}

impl Vec3 {
    pub(crate) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    pub(crate) fn cross(self, other: Self) -> Self {
        vec3(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }

    pub(crate) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// Computes the vector with length 1, or +y if this vector is zero.
    pub(crate) fn unit(self) -> Self {
        let length = self.length();
        if length > 1e-12 { self * (1.0 / length) } else { vec3(0.0, 1.0, 0.0) }
    }

    /// Multiplies by component, for a colour under a coloured light.
    pub(crate) fn tint(self, other: Self) -> Self {
        vec3(self.x * other.x, self.y * other.y, self.z * other.z)
    }

    /// Mirrors this vector to the model's other side.
    pub(crate) fn mirrored(self) -> Self {
        vec3(-self.x, self.y, self.z)
    }
}

impl Add for Vec3 {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        vec3(self.x + other.x, self.y + other.y, self.z + other.z)
    }
}

impl Sub for Vec3 {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        vec3(self.x - other.x, self.y - other.y, self.z - other.z)
    }
}

impl Mul<f64> for Vec3 {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        vec3(self.x * factor, self.y * factor, self.z * factor)
    }
}

/// Interpolates linearly from a vector to another; `amount` is clamped to 0 to 1.
pub(crate) fn mix(from: Vec3, to: Vec3, amount: f64) -> Vec3 {
    from + (to - from) * amount.clamp(0.0, 1.0)
}

/// Computes 0 below `low`, 1 above `high`, and a smooth step between. Falls if `low` is greater than `high`.
pub(crate) fn smooth(low: f64, high: f64, value: f64) -> f64 {
    let part = ((value - low) / (high - low)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// Computes the sine for an angle in turns, by its Taylor series over a quarter turn.
pub(crate) fn sin(turns: f64) -> f64 {
    let wrapped = turns - (turns + 0.5).floor();
    let folded = if wrapped > 0.25 {
        0.5 - wrapped
    } else if wrapped < -0.25 {
        -0.5 - wrapped
    } else {
        wrapped
    };
    let angle = folded * std::f64::consts::TAU;
    let square = angle * angle;
    let mut term = angle;
    let mut sum = angle;
    for step in 1..8 {
        let order = f64::from(2 * step);
        term = term * (-square) / (order * (order + 1.0));
        sum += term;
    }
    sum
}

/// Computes the cosine for an angle in turns.
pub(crate) fn cos(turns: f64) -> f64 {
    sin(turns + 0.25)
}

/// Computes the nearest integer, halves rounded up.
#[expect(clippy::cast_possible_truncation, reason = "clamped to the type's range")]
pub(crate) fn round(value: f64) -> i32 {
    (value + 0.5).floor().clamp(f64::from(i32::MIN), f64::from(i32::MAX)) as i32
}

/// Converts a value from 0 to 1 to the nearest byte.
pub(crate) fn byte(value: f64) -> u8 {
    u8::try_from(round(value.clamp(0.0, 1.0) * 255.0)).unwrap_or(u8::MAX)
}

/// Computes a pseudo-random value from 0 to 1 for a lattice point.
pub(crate) fn hash(x: i32, y: i32, seed: u32) -> f64 {
    let mut bits =
        x.cast_unsigned().wrapping_mul(0x9E37_79B1) ^ y.cast_unsigned().wrapping_mul(0x85EB_CA77) ^ seed;
    for shift in [15, 13, 16] {
        bits = (bits ^ (bits >> shift)).wrapping_mul(0x2C1B_3C6D);
    }
    f64::from(bits >> 8) / f64::from(1 << 24)
}

/// Computes smooth noise from 0 to 1, with a lattice point per unit.
pub(crate) fn noise(x: f64, y: f64, seed: u32) -> f64 {
    let (left, top) = (round(x - 0.5), round(y - 0.5));
    let (right, down) = (smooth(0.0, 1.0, x - f64::from(left)), smooth(0.0, 1.0, y - f64::from(top)));
    let row = |y: i32| {
        let (first, second) = (hash(left, y, seed), hash(left + 1, y, seed));
        first + (second - first) * right
    };
    let (above, below) = (row(top), row(top + 1));
    above + (below - above) * down
}

/// Computes cellular noise: the distance from the cell's border, and a random value for the cell.
pub(crate) fn cells(x: f64, y: f64, seed: u32) -> (f64, f64) {
    let (column, row) = (round(x - 0.5), round(y - 0.5));
    let mut nearest = (f64::MAX, 0.0);
    let mut second = f64::MAX;
    for near_row in row - 1..=row + 1 {
        // To look like scales, alternate rows are shifted by half a cell.
        let shift = if near_row % 2 == 0 { 0.25 } else { 0.75 };
        for near_column in column - 2..=column + 1 {
            let right = f64::from(near_column) + shift + 0.2 * hash(near_column, near_row, seed) - x;
            let down = f64::from(near_row) + 0.5 + 0.2 * hash(near_column, near_row, seed ^ 1) - y;
            let distance = (right * right + down * down).sqrt();
            if distance < nearest.0 {
                second = nearest.0;
                nearest = (distance, hash(near_column, near_row, seed ^ 2));
            } else {
                second = second.min(distance);
            }
        }
    }
    (second - nearest.0, nearest.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sine_matches_known_values() {
        for (turns, expected) in
            [(0.0, 0.0), (0.25, 1.0), (1.0 / 12.0, 0.5), (0.5, 0.0), (-0.25, -1.0), (7.25, 1.0)]
        {
            assert!((sin(turns) - expected).abs() < 1e-9, "sin({turns} turns) is {}", sin(turns));
        }
    }

    #[test]
    fn noise_stays_in_range() {
        for step in 0..200 {
            let at = f64::from(step) * 0.37 - 20.0;
            assert!((0.0..=1.0).contains(&noise(at, -at, 5)), "noise at {at}");
        }
    }
}
