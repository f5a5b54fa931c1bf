//! Planes interpolate depth, colours, fog, and the integers for texture coordinates. With
//! [`Arithmetic::Single`](crate::ge::arithmetic::Arithmetic::Single) gradients are finer.
//!
//! # Invariants
//! All arithmetic is exact in integers except for the setup reciprocal and two floors: gradients are floored to
//! 1/2^14 per 1/16 pixel, and values to integers. Products stay below 2^90, so nothing overflows.
//! Source: [planes](crate::reference::ge::interpolation#planes) (hardware tests `triangle/triangle`,
//! `primitives/bezier`, `primitives/spline`, exp36), [lines](crate::reference::ge::interpolation#lines).

use super::coverage::Triangle;
use super::grid::{PIXEL, center};
use super::line::Line;
use super::setup_reciprocal::{SHIFT, SetupReciprocal};
use super::single::line::OrderedLine;

/// Fraction bits for single arithmetic, finer than any picture shows.
const FINE_SHIFT: u32 = 24;

/// If gradients are below this bound and values below [`SMALL_BASE`], sums over [`SIZE_MAX`] pixels are sure to fit
/// in 64 bits.
const SMALL_GRADIENT: u64 = 1 << 34;
const SMALL_BASE: u128 = 1 << 60;
const SIZE_MAX: u32 = 1 << 14;

/// A value that is linear on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plane {
    /// The value at the origin, shifted.
    base: i128,
    /// Origin in 1/16 pixel, for pixels sampled at their centre.
    origin: [i64; 2],
    /// Change per 1/16 pixel to the right and down, shifted.
    gradient: [i128; 2],
    /// How many fraction bits values have.
    shift: u32,
}

impl Plane {
    /// Creates a plane with the same value everywhere.
    #[must_use]
    pub(crate) const fn constant(value: i64) -> Self {
        Self { base: value as i128, origin: [0; 2], gradient: [0; 2], shift: 0 }
    }

    /// Computes the plane through the values at a triangle's vertices. It is exact at its [`anchor`]. With
    /// `rounded`, single arithmetic rounds values to nearest instead of flooring them.
    #[must_use]
    pub(crate) fn triangle(triangle: &Triangle, values: [i64; 3], rounded: bool) -> Self {
        Gradients::new(triangle).plane(values, rounded)
    }

    /// Computes the plane along a line. It is exact at the first vertex, and its gradient follows the major axis
    /// only.
    #[must_use]
    pub(crate) fn line(line: &Line, values: [i64; 2]) -> Self {
        let along = line.reciprocal().gradient(values[1] - values[0]) * i128::from(line.direction());
        let (origin, gradient) = if line.steep {
            ([line.minor[0], line.major[0]], [0, along])
        } else {
            ([line.major[0], line.minor[0]], [along, 0])
        };
        Self { base: i128::from(values[0]) << SHIFT, origin, gradient, shift: SHIFT }
    }

    /// Computes the plane along a line with single arithmetic. This uses exact quotients and starts at the end that
    /// comes first on the major axis.
    #[must_use]
    pub(crate) fn emulated_line(line: &OrderedLine, mut values: [i64; 2]) -> Self {
        if line.reversed {
            values.reverse();
        }
        let length = i128::from(line.major[1] - line.major[0]).max(1);
        let along = (i128::from(values[1] - values[0]) << SHIFT).div_euclid(length);
        let (origin, gradient) = if line.steep {
            ([line.minor[0], line.major[0]], [0, along])
        } else {
            ([line.major[0], line.minor[0]], [along, 0])
        };
        Self { base: i128::from(values[0]) << SHIFT, origin, gradient, shift: SHIFT }
    }

    /// Returns the change from a pixel to the next on the right and below, in the units of the value.
    #[expect(clippy::cast_precision_loss, reason = "24 bits are enough for a level of detail")]
    #[must_use]
    pub(crate) fn change_per_pixel(&self) -> [f64; 2] {
        let per_pixel = PIXEL as f64 / (1_u64 << self.shift) as f64;
        self.gradient.map(|gradient| gradient as f64 * per_pixel)
    }

    /// Moves the origin to a pixel, so that values can be found by steps. Returns `None` if sums over `width`
    /// columns and `height` rows might not fit in 64 bits.
    #[expect(clippy::cast_possible_truncation, reason = "small bases fit")]
    #[must_use]
    pub(crate) fn ramp(&self, x: u32, y: u32, width: u32, height: u32) -> Option<LinearRamp> {
        let [Ok(right), Ok(down)] = self.gradient.map(i64::try_from) else { return None };
        let (from_x, from_y) = (center(i64::from(x)) - self.origin[0], center(i64::from(y)) - self.origin[1]);
        let small = right.unsigned_abs().max(down.unsigned_abs()) < SMALL_GRADIENT
            && self.base.unsigned_abs() < SMALL_BASE
            && width.max(height) <= SIZE_MAX;
        if small {
            // Distances have at most 26 bits, so products have at most 61 and need no checks.
            let start = self.base as i64 + right * from_x + down * from_y;
            return Some(LinearRamp { start, right: right * PIXEL, down: down * PIXEL, shift: self.shift });
        }
        let across = right.checked_mul(from_x)?;
        let along = down.checked_mul(from_y)?;
        let start = i64::try_from(self.base).ok()?.checked_add(across)?.checked_add(along)?;
        let (right, down) = (right.checked_mul(PIXEL)?, down.checked_mul(PIXEL)?);
        // All intermediate sums are within the sum of the magnitudes, so checking this is enough.
        let across = right.checked_mul(i64::from(width))?.checked_abs()?;
        let along = down.checked_mul(i64::from(height))?.checked_abs()?;
        start.checked_abs()?.checked_add(across)?.checked_add(along)?;
        Some(LinearRamp { start, right, down, shift: self.shift })
    }

    /// Evaluates the plane at a pixel's centre, floored and clamped to `low..=high`.
    #[must_use]
    pub(crate) fn at(&self, x: u32, y: u32, low: i64, high: i64) -> i64 {
        let value = self.floored_at(x, y);
        i64::try_from(value.clamp(i128::from(low), i128::from(high))).unwrap_or(low)
    }

    /// Evaluates the plane at a pixel's centre, floored. The result saturates at 64 bits.
    #[must_use]
    pub(crate) fn unclamped_at(&self, x: u32, y: u32) -> i64 {
        self.at(x, y, i64::MIN, i64::MAX)
    }

    fn floored_at(&self, x: u32, y: u32) -> i128 {
        let right = i128::from(center(i64::from(x)) - self.origin[0]);
        let down = i128::from(center(i64::from(y)) - self.origin[1]);
        (self.base + self.gradient[0] * right + self.gradient[1] * down) >> self.shift
    }
}

/// A triangle's data that all its planes share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gradients {
    /// The vertex at which planes are exact.
    anchor: usize,
    /// Origin in 1/16 pixel, for pixels sampled at their centre.
    origin: [i64; 2],
    /// Edge from vertex 0 to vertex 1, in 1/16 pixel.
    ab: [i64; 2],
    /// Edge from vertex 0 to vertex 2, in 1/16 pixel.
    ac: [i64; 2],
    rule: GradientRule,
}

/// The numbers from which the hardware computes planes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HardwareGradients {
    /// The vertex at which planes are exact.
    pub anchor: usize,
    /// Its position, in 1/16 pixel.
    pub origin: [i64; 2],
    /// Edge from vertex 0 to vertex 1, in 1/16 pixel.
    pub ab: [i64; 2],
    /// Edge from vertex 0 to vertex 2, in 1/16 pixel.
    pub ac: [i64; 2],
    /// To get gradients, value differences times edges are multiplied by this factor, shifted right and floored.
    pub factor: i64,
    /// How many bits to shift right.
    pub shift: u32,
}

/// Tells how to compute a gradient from value differences times edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GradientRule {
    /// Hardware: multiplies by the reciprocal area, with the area's sign, then shifts right.
    Reciprocal { factor: i64, shift: u32 },
    /// Single arithmetic: divides by the area.
    Quotient { area: i64 },
}

/// Finds the vertex at which a triangle's planes are exact. This is the leftmost vertex, or the rightmost if the
/// rasterizer walks to the left. If there are two such vertices, it is the upper of them.
/// Source: [anchor vertex](crate::reference::ge::interpolation#anchor-vertex).
#[must_use]
pub(crate) fn anchor(positions: &[[i64; 2]; 3]) -> usize {
    let direction = if walks_left(positions) { -1 } else { 1 };
    // Positions have 26 bits, so a single number can hold column and row. Comparing these compares columns first,
    // then rows.
    let [a, b, c] = positions.map(|[x, y]| ((direction * x) << 32) + y);
    let (first, of_first) = if b < a { (1, b) } else { (0, a) };
    if c < of_first { 2 } else { first }
}

/// Returns whether the rasterizer walks along rows from right to left. For this, the long edge from the top to the
/// bottom vertex must be on the right side, and no edge may be horizontal.
#[must_use]
pub(crate) fn walks_left(positions: &[[i64; 2]; 3]) -> bool {
    // Positions have 26 bits, so a single number can hold row and column. Sorting these sorts by rows first, then
    // columns.
    let [a, b, c] = positions.map(|[x, y]| (y << 32) + x);
    let (upper, lower) = (a.min(b), a.max(b));
    let [top, middle, bottom] = [upper.min(c), upper.max(lower.min(c)), lower.max(c)].map(|key| {
        // The lower half is the column. Its sign has borrowed from the row, so the row is taken after subtracting
        // it.
        let [low @ .., _, _, _, _] = key.to_le_bytes();
        let x = i64::from(i32::from_le_bytes(low));
        [x, (key - x) >> 32]
    });
    let side = (bottom[0] - top[0]) * (middle[1] - top[1]) - (bottom[1] - top[1]) * (middle[0] - top[0]);
    side > 0 && top[1] != middle[1] && middle[1] != bottom[1]
}

impl Gradients {
    /// Sets up a triangle's gradients.
    #[must_use]
    pub(crate) fn new(triangle: &Triangle) -> Self {
        if triangle.is_hardware() {
            return Self::hardware(triangle.positions);
        }
        let [a, b, c] = triangle.positions;
        Self {
            anchor: 0,
            // The sample is not at the centre here. Moving the origin by the difference makes up for this, because
            // planes are evaluated at centres.
            origin: a.map(|at| at + PIXEL / 2 - triangle.sample_offset),
            ab: [b[0] - a[0], b[1] - a[1]],
            ac: [c[0] - a[0], c[1] - a[1]],
            rule: GradientRule::Quotient { area: triangle.doubled_area },
        }
    }

    /// Sets up the hardware's gradients through three points, in 1/16 pixel. If all are on the same line, planes
    /// have no meaning.
    #[must_use]
    pub(crate) fn hardware(positions: [[i64; 2]; 3]) -> Self {
        let [a, b, c] = positions;
        let (ab, ac) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
        let area = ab[0] * ac[1] - ab[1] * ac[0];
        let SetupReciprocal { value, shift } = SetupReciprocal::new(area.unsigned_abs());
        let anchor = anchor(&positions);
        // The reciprocal has 16 fraction bits. This shift leaves `SHIFT` of them.
        let rule = GradientRule::Reciprocal { factor: area.signum() * value, shift: shift - SHIFT };
        Self { anchor, origin: positions[anchor], ab, ac, rule }
    }

    /// Returns the numbers from which the hardware computes planes; `None` in single arithmetic.
    #[inline]
    #[must_use]
    pub(crate) const fn hardware_parts(&self) -> Option<HardwareGradients> {
        let Self { anchor, origin, ab, ac, .. } = *self;
        match self.rule {
            GradientRule::Reciprocal { factor, shift } => {
                Some(HardwareGradients { anchor, origin, ab, ac, factor, shift })
            }
            GradientRule::Quotient { .. } => None,
        }
    }

    /// Computes the plane through the values at the triangle's vertices. See [`Plane::triangle`].
    #[must_use]
    pub(crate) fn plane(&self, values: [i64; 3], rounded: bool) -> Plane {
        /// Differences below this bound fit in 64-bit products, because edges have at most 26 bits.
        const SMALL: u64 = 1 << 36;
        let Self { origin, ab, ac, anchor, .. } = *self;
        let (to_b, to_c) = (values[1] - values[0], values[2] - values[0]);
        let gradient = if to_b == 0 && to_c == 0 {
            [0; 2]
        } else if to_b.unsigned_abs() < SMALL && to_c.unsigned_abs() < SMALL {
            let right = to_b * ac[1] - to_c * ab[1];
            let down = to_c * ab[0] - to_b * ac[0];
            [right, down].map(|rise| self.gradient(rise.into()))
        } else {
            let [ab, ac] = [ab, ac].map(|side| side.map(i128::from));
            let (to_b, to_c) = (i128::from(to_b), i128::from(to_c));
            [to_b * ac[1] - to_c * ab[1], to_c * ab[0] - to_b * ac[0]].map(|rise| self.gradient(rise))
        };
        let base = i128::from(values[anchor]);
        match self.rule {
            GradientRule::Reciprocal { .. } => Plane { base: base << SHIFT, origin, gradient, shift: SHIFT },
            GradientRule::Quotient { .. } => {
                let half = if rounded { 1 << (FINE_SHIFT - 1) } else { 0 };
                Plane { base: (base << FINE_SHIFT) + half, origin, gradient, shift: FINE_SHIFT }
            }
        }
    }

    fn gradient(&self, rise: i128) -> i128 {
        match self.rule {
            GradientRule::Reciprocal { factor, shift } => (rise * i128::from(factor)) >> shift,
            GradientRule::Quotient { area } => {
                let rise = (rise * i128::from(area.signum())) << FINE_SHIFT;
                match i64::try_from(rise) {
                    Ok(rise) => rise.div_euclid(area.abs()).into(),
                    Err(_) => rise.div_euclid(area.abs().into()),
                }
            }
        }
    }
}

/// A plane relative to a pixel, to step through a row. The value `x` columns to the right and `y` rows below is
/// `(start + x × right + y × down) >> shift`. It remains to clamp this.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinearRamp {
    /// The sum at the pixel.
    pub start: i64,
    /// Step to the next pixel on the right.
    pub right: i64,
    /// Step to the next pixel below.
    pub down: i64,
    /// The right shift that turns a sum into its value.
    pub shift: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::pipeline::primitive::ScreenVertex;

    fn vertex(x: i32, y: i32) -> ScreenVertex {
        ScreenVertex { x: x * 16, y: y * 16, ..ScreenVertex::default() }
    }

    fn triangle(positions: [(i32, i32); 3]) -> Triangle {
        Triangle::new(&positions.map(|(x, y)| vertex(x, y)), Arithmetic::Hardware).expect("it has an area")
    }

    #[test]
    fn gradients_are_floored() {
        // 45 over 1.875 pixels is 24 per pixel, but 1/900 is cut.
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
        // 255 over 100 pixels is 2.55 per pixel: 2611.2/1024, floored to 2611.
        let plane = Plane::triangle(&triangle([(0, 0), (100, 0), (0, 100)]), [0, 255, 0], false);
        assert_eq!(plane.gradient, [2611, 0], "to the right");
        assert_eq!(plane.at(98, 0, 0, 255), (2611 * (98 * 16 + 8)) >> 14, "formula");
        let plane = Plane::triangle(&triangle([(0, 0), (100, 0), (0, 100)]), [255, 0, 255], false);
        assert_eq!(plane.gradient, [-2612, 0], "floored towards minus infinity");
        assert_eq!(plane.at(0, 0, 0, 255), 253, "255 - 1.275 is 253.7");
    }

    #[test]
    fn single_arithmetic_rounds_and_samples_at_7_16() {
        let corners = [(0, 0), (16, 0), (0, 16)].map(|(x, y)| vertex(x, y));
        let emulated = Triangle::new(&corners, Arithmetic::Single).expect("it has an area");
        let at = |rounded| Plane::triangle(&emulated, [0, 32, 0], rounded).at(3, 0, 0, 255);
        assert_eq!((at(false), at(true)), (6, 7), "2 × 3 7/16 is 6 7/8");
    }

    #[test]
    fn planes_ignore_winding() {
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
            sample_offset: 8,
        };
        let limit = i64::from(i32::MAX);
        let plane = Plane::triangle(&thin, [-limit, limit, -limit], false);
        assert!((-limit..=limit).contains(&plane.at(1023, 1023, -limit, limit)), "no overflow");
    }

    /// [Lines](crate::reference::ge::interpolation#lines).
    #[test]
    fn line_planes_start_at_the_first_vertex() {
        let ends = [vertex(0, 0), vertex(100, 3)];
        let forth = Plane::line(&Line::new(&ends), [0, 200]);
        // 2 per pixel, and the reciprocal of 1600 is slightly too small.
        assert_eq!((forth.gradient, forth.at(49, 1, 0, 255)), ([2047, 0], 98), "to the right");
        let back = Plane::line(&Line::new(&[ends[1], ends[0]]), [200, 0]);
        assert_eq!((back.gradient, back.at(49, 1, 0, 255)), ([2048, 0], 99), "floored in its own direction");
        let emulated =
            |ends: [ScreenVertex; 2], values| Plane::emulated_line(&OrderedLine::new(&ends), values);
        let same = emulated(ends, [0, 200]) == emulated([ends[1], ends[0]], [200, 0]);
        assert!(same, "with emulators the direction does not matter");
    }

    /// [Anchor vertex](crate::reference::ge::interpolation#anchor-vertex).
    #[test]
    fn planes_are_exact_at_their_anchor() {
        for (positions, expected) in [
            ([[0, 0], [160, 80], [0, 160]], 0),
            ([[160, 0], [0, 80], [160, 160]], 0),
            ([[0, 80], [160, 160], [170, 0]], 2),
            ([[160, 0], [0, 0], [160, 160]], 1),
            ([[160, 160], [0, 160], [160, 0]], 1),
        ] {
            assert_eq!(anchor(&positions), expected, "{positions:?}");
        }
        let corners = [vertex(30, 1), vertex(2, 17), vertex(31, 40)];
        let triangle = Triangle::new(&corners, Arithmetic::Hardware).expect("it has an area");
        let plane = Plane::triangle(&triangle, [10, 20, 77], false);
        assert_eq!((plane.base >> SHIFT, plane.origin), (77, [31 * 16, 40 * 16]), "the rightmost vertex");
    }
}
