//! Values between vertices, as the hardware computes them: planes whose gradients are floored. For emulators' rules the
//! gradients are finer.
//!
//! # Invariants
//! All arithmetic is exact in integers, apart from the reciprocal of the area, which is cut to 16 significant bits, and
//! two floors: of each gradient, to 1/1024 per pixel, and of the value. There is no overflow: products stay below 2^90.
//! Source: `ge-reference.md` §7.2 (hardware test `triangle/triangle`); the reciprocal comes from the pictures of
//! `primitives/bezier` and `primitives/spline`, where gradients of exactly 24 and 8 a pixel come out a little smaller. At
//! least 16 bits are needed, and an exact quotient leaves 104 pixels wrong. That alpha, secondary colour, depth and fog
//! follow the rule that red, green and blue follow is assumed, and so is the rule for lines.

use super::coverage::{Line, PIXEL, Triangle, center};

/// Gradients are multiples of 1/1024 per pixel.
const GRADIENT: i128 = 1024;
/// From gradient times 1/16 pixel to value.
const SHIFT: u32 = 14;
/// The same where emulators' rules apply, so fine that no picture shows it.
const FINE_SHIFT: u32 = 24;

/// A value over the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// The value where the plane starts, shifted.
    base: i128,
    /// Where that is for a pixel sampled at its centre, in 1/16 pixel.
    origin: [i64; 2],
    /// Change per 1/16 pixel to the right and down, shifted.
    gradient: [i128; 2],
    /// How far values are shifted to the left.
    shift: u32,
}

impl Plane {
    /// The same value everywhere.
    #[must_use]
    pub const fn constant(value: i64) -> Self {
        Self { base: value as i128, origin: [0; 2], gradient: [0; 2], shift: 0 }
    }

    /// The plane through the values at the triangle's vertices. The value is exact at the first vertex as given;
    /// whether hardware starts there or at the topmost one is not known. Emulators' values may be `rounded` to the
    /// nearest instead of floored.
    #[must_use]
    pub fn triangle(triangle: &Triangle, values: [i64; 3], rounded: bool) -> Self {
        let [a, b, c] = triangle.positions;
        let (ab, ac) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        let (to_b, to_c) = (i128::from(values[1] - values[0]), i128::from(values[2] - values[0]));
        let area = i128::from(triangle.doubled_area);
        let right = to_b * i128::from(ac[1]) - to_c * i128::from(ab[1]);
        let down = to_c * i128::from(ab[0]) - to_b * i128::from(ac[0]);
        // What the sample is off the centre, the start is off the vertex.
        let origin = a.map(|at| at + PIXEL / 2 - triangle.sample);
        if triangle.is_hardware() {
            let (reciprocal, shift) = reciprocal(area.abs());
            let per_area =
                |rise: i128| (rise * area.signum() * i128::from(PIXEL) * GRADIENT * reciprocal) >> shift;
            let gradient = [right, down].map(per_area);
            return Self { base: i128::from(values[0]) << SHIFT, origin, gradient, shift: SHIFT };
        }
        let half = if rounded { 1 << (FINE_SHIFT - 1) } else { 0 };
        let gradient =
            [right, down].map(|rise| ((rise * area.signum()) << FINE_SHIFT).div_euclid(area.abs()));
        Self { base: (i128::from(values[0]) << FINE_SHIFT) + half, origin, gradient, shift: FINE_SHIFT }
    }

    /// The values along a line, from its first vertex as given to its second.
    #[must_use]
    pub fn line(line: &Line, mut values: [i64; 2]) -> Self {
        if line.reversed {
            values.reverse();
        }
        let length = i128::from(line.major[1] - line.major[0]).max(1);
        let rise = i128::from(values[1] - values[0]) * i128::from(PIXEL) * GRADIENT;
        let along = rise.div_euclid(length);
        let (origin, gradient) = if line.steep {
            ([line.minor[0], line.major[0]], [0, along])
        } else {
            ([line.major[0], line.minor[0]], [along, 0])
        };
        Self { base: i128::from(values[0]) << SHIFT, origin, gradient, shift: SHIFT }
    }

    /// The value at a pixel's centre, floored and limited to `low` to `high`.
    #[must_use]
    pub fn at(&self, x: u32, y: u32, low: i64, high: i64) -> i64 {
        let right = i128::from(center(i64::from(x)) - self.origin[0]);
        let down = i128::from(center(i64::from(y)) - self.origin[1]);
        let value = (self.base + self.gradient[0] * right + self.gradient[1] * down) >> self.shift;
        i64::try_from(value.clamp(i128::from(low), i128::from(high))).unwrap_or(low)
    }
}

/// 1 / `area`, cut to the transform unit's 16 significant bits, times a power of two, and that power.
fn reciprocal(area: i128) -> (i128, u32) {
    let area = area.max(1);
    let shift = i128::BITS - area.leading_zeros() + 15;
    ((1 << shift) / area, shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::Arithmetic;
    use crate::primitive::ScreenVertex;

    fn vertex(x: i32, y: i32) -> ScreenVertex {
        ScreenVertex { x: x * 16, y: y * 16, ..ScreenVertex::default() }
    }

    fn triangle(positions: [(i32, i32); 3]) -> Triangle {
        Triangle::new(&positions.map(|(x, y)| vertex(x, y)), Arithmetic::Hardware).expect("it has an area")
    }

    #[test]
    fn gradients_are_floored() {
        // 45 over 1.875 pixels are 24 a pixel, but 1/900 is cut off.
        let at = |x, y| ScreenVertex { x, y, ..ScreenVertex::default() };
        let quad = [at(0, 0), at(0, 30), at(30, 0)];
        let plane = Plane::triangle(
            &Triangle::new(&quad, Arithmetic::Hardware).expect("it has an area"),
            [0, 45, 0],
            false,
        );
        assert_eq!(
            (plane.gradient[1], plane.at(0, 0, 0, 255)),
            (24 * 1024 - 1, 11),
            "`primitives/bezier`, row 10"
        );
        // 255 over 100 pixels are 2.55 a pixel: 2611.2/1024, floored to 2611.
        let plane = Plane::triangle(&triangle([(0, 0), (100, 0), (0, 100)]), [0, 255, 0], false);
        assert_eq!(plane.gradient, [2611, 0], "to the right");
        assert_eq!(plane.at(98, 0, 0, 255), (2611 * (98 * 16 + 8)) >> 14, "formula");
        let plane = Plane::triangle(&triangle([(0, 0), (100, 0), (0, 100)]), [255, 0, 255], false);
        assert_eq!(plane.gradient, [-2612, 0], "floored towards minus infinity");
        assert_eq!(plane.at(0, 0, 0, 255), 253, "255 - 1.275 is 253.7");
    }

    #[test]
    fn emulators_round_and_sample_elsewhere() {
        let corners = [(0, 0), (16, 0), (0, 16)].map(|(x, y)| vertex(x, y));
        let emulated = Triangle::new(&corners, Arithmetic::Single).expect("it has an area");
        let at = |rounded| Plane::triangle(&emulated, [0, 32, 0], rounded).at(3, 0, 0, 255);
        assert_eq!((at(false), at(true)), (6, 7), "2 × 3 7/16 is 6 7/8");
    }

    #[test]
    fn winding_does_not_matter() {
        let a = Plane::triangle(&triangle([(3, 4), (90, 7), (11, 61)]), [10, 200, 77], false);
        let b = Plane::triangle(&triangle([(3, 4), (11, 61), (90, 7)]), [10, 77, 200], false);
        assert_eq!(a, b, "same first vertex, same plane");
    }

    #[test]
    fn values_stay_in_range() {
        let plane = Plane::triangle(&triangle([(0, 0), (1, 0), (0, 1)]), [0, 255, 255], false);
        assert_eq!(plane.at(500, 500, 0, 255), 255, "far outside");
        let thin = Triangle {
            positions: [[-(1 << 24), 0], [1 << 24, 1], [(1 << 24) - 1, 1]],
            doubled_area: 1,
            sample: 8,
        };
        let limit = i64::from(i32::MAX);
        let plane = Plane::triangle(&thin, [-limit, limit, -limit], false);
        assert!((-limit..=limit).contains(&plane.at(1023, 1023, -limit, limit)), "no overflow");
    }

    #[test]
    fn lines_go_both_ways() {
        let forth = Line::new(&[vertex(0, 0), vertex(100, 3)]);
        let back = Line::new(&[vertex(100, 3), vertex(0, 0)]);
        let plane = Plane::line(&forth, [0, 200]);
        assert_eq!(plane, Plane::line(&back, [200, 0]), "direction does not matter");
        assert_eq!(plane.at(49, 1, 0, 255), 99, "2 a pixel, at the centre");
    }
}
