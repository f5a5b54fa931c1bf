//! Draws lines by the diamond-exit rule, and computes how much antialiased lines cover.
//!
//! This code uses a line's own axes: it is longer along the major axis, and the minor axis is the other. Positions
//! are in 1/16 pixel.
//! Source: [diamond exit](crate::reference::ge::coverage#diamond-exit), [antialiased
//! lines](crate::reference::ge::coverage#antialiased-lines) (hardware tests `primitives/lines`,
//! `primitives/linestrip`, exp72).

use std::ops::Range;

use super::grid::{center, position};
use super::setup_reciprocal::{SHIFT, SetupReciprocal};
use crate::pipeline::primitive::ScreenVertex;

/// How far a pixel's diamond reaches from its centre to its corners.
const DIAMOND: i64 = 8;

/// A line from its first to its second vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Whether the major axis is y. This is also so if both deltas are equal.
    pub steep: bool,
    /// Positions of start and end on the major axis.
    pub major: [i64; 2],
    /// Positions of start and end on the minor axis.
    pub minor: [i64; 2],
}

impl Line {
    /// Creates a line from vertex `a` to vertex `b`.
    #[must_use]
    pub(crate) fn new([a, b]: &[ScreenVertex; 2]) -> Self {
        let ([ax, ay], [bx, by]) = (position(a), position(b));
        let steep = (bx - ax).abs() <= (by - ay).abs();
        let (major, minor) = if steep { ([ay, by], [ax, bx]) } else { ([ax, bx], [ay, by]) };
        Self { steep, major, minor }
    }

    /// Returns the pixels on the major axis at which a lit pixel may be.
    #[must_use]
    pub(crate) fn range(&self) -> Range<i64> {
        let [start, end] = self.major;
        start.min(end) >> 4..(start.max(end) >> 4) + 1
    }

    /// Finds the lit pixel on the minor axis at pixel `major` of the major axis, if there is one.
    ///
    /// The slope is at most 1. So if the line reaches a diamond, it does so at the diamond's centre on the major
    /// axis. Only at its start may the line be past this centre already.
    #[must_use]
    pub(crate) fn minor(&self, major: i64) -> Option<i64> {
        let ([start, end], center) = (self.major, center(major));
        if start == end {
            return None;
        }
        let passes_center = (start.min(end)..=start.max(end)).contains(&center);
        let minor = if passes_center { self.minor_at(center) >> 4 } else { self.minor[0] >> 4 };
        // A diamond counts when the line leaves it, so the pixel that holds the end is not lit.
        let reaches = passes_center || is_in_diamond([start, self.minor[0]], [major, minor]);
        (reaches && !is_in_diamond([end, self.minor[1]], [major, minor])).then_some(minor)
    }

    /// Returns the position on the minor axis for a position on the major axis, floored.
    const fn minor_at(&self, at: i64) -> i64 {
        let [start, end] = self.major;
        let length = (end - start).abs();
        let walk = self.walk(at);
        self.minor[0] + (walk * (self.minor[1] - self.minor[0])).div_euclid(length)
    }

    /// Returns how far a position on the major axis is from the start, in the line's direction.
    const fn walk(&self, at: i64) -> i64 {
        (at - self.major[0]) * self.direction()
    }

    /// Returns 1 if this line runs to the right or down along its major axis, else −1.
    #[must_use]
    pub(crate) const fn direction(&self) -> i64 {
        if self.major[1] < self.major[0] { -1 } else { 1 }
    }

    /// Returns the reciprocal of the length along the major axis.
    #[must_use]
    pub(crate) fn reciprocal(&self) -> SetupReciprocal {
        SetupReciprocal::new(self.major[0].abs_diff(self.major[1]))
    }

    /// Computes the alpha at a pixel of an antialiased line, which replaces that of the vertices. It is 128 on the
    /// line and falls by 1 for each 1/256 pixel across.
    #[must_use]
    pub(crate) fn antialiased_alpha(&self, x: u32, y: u32) -> u8 {
        let [x, y] = [x, y].map(|at| center(i64::from(at)));
        let (along, across) = if self.steep { (y, x) } else { (x, y) };
        // The distance is in 1/256 pixel. The slope is in the same units for each 1/16 pixel along the line.
        let slope = self.reciprocal().gradient(-16 * (self.minor[1] - self.minor[0]));
        let from_start = i128::from(16 * (across - self.minor[0])) << SHIFT;
        let distance = (from_start + slope * i128::from(self.walk(along))) >> SHIFT;
        u8::try_from((128 - distance.abs()).max(0)).unwrap_or(0)
    }
}

/// Returns whether a point lies in a pixel's diamond. On the border, points count only before the centre on the
/// minor axis. Both arrays hold the major axis first.
fn is_in_diamond([along, across]: [i64; 2], pixel: [i64; 2]) -> bool {
    let [center_along, center_across] = pixel.map(center);
    let distance = (along - center_along).abs() + (across - center_across).abs();
    distance < DIAMOND || (distance == DIAMOND && across < center_across)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(from: [i32; 2], to: [i32; 2]) -> Line {
        Line::new(&[from, to].map(|[x, y]| ScreenVertex { x, y, ..ScreenVertex::default() }))
    }

    /// Returns the lit pixels as (x, y).
    fn lit(from: [i32; 2], to: [i32; 2]) -> Vec<(i64, i64)> {
        let line = line(from, to);
        let pixel = |major: i64| line.minor(major).map(|minor| (major, minor));
        line.range().filter_map(pixel).map(|(a, b)| if line.steep { (b, a) } else { (a, b) }).collect()
    }

    /// The [line examples](crate::reference::ge::coverage#line-examples).
    #[test]
    fn lines_exit_diamonds() {
        type Example = ([i32; 4], &'static [(i64, i64)]);
        let examples: [Example; 9] = [
            ([224, 0, 256, 0], &[(14, 0), (15, 0)]),
            ([384, 0, 352, 0], &[(22, 0), (23, 0)]),
            ([8, 8, 40, 8], &[(0, 0), (1, 0)]),
            ([40, 8, 8, 8], &[(1, 0), (2, 0)]),
            ([8, 0, 24, 0], &[(0, 0)]),
            ([9, 0, 23, 0], &[]),
            ([4, 8, 12, 8], &[]),
            ([8, 8, 24, 24], &[(0, 0)]),
            ([24, 24, 8, 8], &[(1, 1)]),
        ];
        for ([x0, y0, x1, y1], expected) in examples {
            assert_eq!(lit([x0, y0], [x1, y1]), expected, "({x0}, {y0}) to ({x1}, {y1})");
        }
        assert_eq!(lit([8, 8], [8, 8]), [], "no length");
        assert_eq!(lit([0, 48], [0, 16]), [(0, 1), (0, 2)], "upwards");
    }

    /// The steps of lines over 1000 pixels, between pixel corners as integer coordinates are.
    #[test]
    fn slow_lines_step_evenly() {
        for (dy, steps) in [(1, vec![]), (2, vec![500]), (3, vec![333, 667])] {
            let covered = lit([0, 0], [1000 * 16, dy * 16]);
            assert_eq!(covered.len(), 1000, "dy = {dy}: one pixel per column");
            let stepped: Vec<i64> =
                covered.windows(2).filter(|pair| pair[0].1 != pair[1].1).map(|pair| pair[1].0).collect();
            assert_eq!(stepped, steps, "dy = {dy}: columns that step");
        }
    }

    /// The examples of `reference/ge/coverage.md#antialiased-lines`.
    #[test]
    fn antialiased_lines_have_measured_alpha() {
        for ([x0, y0, x1, y1], (x, y), expected) in [
            ([5832, 1205, 6108, 1039], (364, 75), 80),
            ([2470, 191, 2544, 154], (158, 9), 31),
            ([2470, 191, 2544, 154], (156, 10), 31),
            ([328, 240, 198, 171], (13, 11), 73),
            ([7310, 112, 7502, 157], (461, 8), 22),
            ([5529, 766, 5559, 569], (347, 37), 37),
            ([4038, 929, 4232, 1136], (253, 59), 71),
            ([2801, 1456, 2632, 1657], (172, 94), 31),
            ([1616, 2013, 1699, 1796], (101, 124), 127),
            ([2279, 2535, 2310, 2229], (144, 141), 40),
            ([7629, 2356, 7550, 2350], (474, 147), 20),
            ([6299, 2652, 6609, 2836], (403, 171), 109),
            ([4407, 3243, 4531, 3239], (275, 202), 80),
        ] {
            let line = line([x0, y0], [x1, y1]);
            assert_eq!(line.antialiased_alpha(x, y), expected, "({x0}, {y0}) to ({x1}, {y1}) at ({x}, {y})");
            let (major, minor) = if line.steep { (y, x) } else { (x, y) };
            assert_eq!(line.minor(major.into()), Some(minor.into()), "the pixel is lit");
        }
    }
}
