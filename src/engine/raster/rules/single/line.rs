//! Emulators draw a line with the pixels between its ends, in the same way for both directions.

use std::ops::Range;

use crate::pipeline::primitive::ScreenVertex;
use crate::raster::rules::grid::{center, center_range, position};

/// A line with its ends ordered along the major axis, which is the longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OrderedLine {
    /// Whether the major axis is y. This is also so if both deltas are equal.
    pub steep: bool,
    /// Whether the ends were exchanged.
    pub reversed: bool,
    /// Positions of the ends on the major axis, in 1/16 pixel.
    pub major: [i64; 2],
    /// Positions of the ends on the minor axis, in 1/16 pixel.
    pub minor: [i64; 2],
}

impl OrderedLine {
    /// Creates a line from vertex `a` to vertex `b`.
    #[must_use]
    pub(crate) fn new([a, b]: &[ScreenVertex; 2]) -> Self {
        let ([ax, ay], [bx, by]) = (position(a), position(b));
        let steep = (bx - ax).abs() <= (by - ay).abs();
        let (major, minor) = if steep { ([ay, by], [ax, bx]) } else { ([ax, bx], [ay, by]) };
        let reversed = major[0] > major[1];
        let order = |[first, second]: [i64; 2]| if reversed { [second, first] } else { [first, second] };
        Self { steep, reversed, major: order(major), minor: order(minor) }
    }

    /// Returns the pixels on the major axis whose centres lie between the ends, both inclusive. A line without
    /// length covers no pixels.
    #[must_use]
    pub(crate) fn range(&self) -> Range<i64> {
        let [first, last] = self.major;
        center_range(first, last + i64::from(first < last))
    }

    /// Computes the weights for the first and the second end at the centre of pixel `major`. They add up to the
    /// length along the major axis.
    #[must_use]
    pub(crate) const fn weights(&self, major: i64) -> [i64; 2] {
        let center = center(major);
        [self.major[1] - center, center - self.major[0]]
    }

    /// Computes the pixel on the minor axis for the centre of pixel `major`.
    pub(crate) fn minor(&self, major: i64) -> i64 {
        let [_, passed] = self.weights(major);
        let rise = passed * (self.minor[1] - self.minor[0]);
        (self.minor[0] + rise.div_euclid((self.major[1] - self.major[0]).max(1))) >> 4
    }
}
