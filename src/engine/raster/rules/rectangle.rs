//! For a rectangle, this finds the pixels that it covers and the corners that define its texture coordinates.
//! Source: [coverage](crate::reference::ge::coverage#rectangles),
//! [planes](crate::reference::ge::interpolation#rectangle-planes) (hardware tests `primitives/rectangles`,
//! `filtering/*`).

use std::ops::Range;

use super::grid::{center_range, position};
use crate::ge::arithmetic::Arithmetic;
use crate::pipeline::primitive::ScreenVertex;

/// A rectangle's corner. Its texture coordinates may come from both vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Corner {
    /// Position in 1/16 pixel.
    pub position: [i64; 2],
    /// For s, t and q: the vertex that gives it, 0 or 1.
    pub sources: [usize; 3],
}

/// Returns the columns and rows that a rectangle covers. A centre on the left or upper side is inside. The hardware
/// also takes a column if its centre lies 1/16 pixel to the left of the rectangle. If the rectangle runs from bottom
/// left to top right, the same is true for a row 1/16 above.
#[must_use]
pub(crate) fn covered([a, b]: &[ScreenVertex; 2], arithmetic: Arithmetic) -> [Range<i64>; 2] {
    let (from, to) = (position(a), position(b));
    let slack = |axis: usize| match arithmetic {
        Arithmetic::Hardware => i64::from(axis == 0 || runs_up_right(from, to)),
        Arithmetic::Single => 0,
    };
    [0, 1].map(|axis| {
        let (first, end) = (from[axis].min(to[axis]), from[axis].max(to[axis]));
        // A rectangle without extent covers no pixels, so it gets no slack either.
        let slack = if first == end { 0 } else { slack(axis) };
        center_range(first - slack, first).start..center_range(first, end).end
    })
}

/// Returns the three corners that define the planes for s, t and q.
#[must_use]
pub(crate) fn corners([a, b]: &[ScreenVertex; 2]) -> [Corner; 3] {
    let (from, to) = (position(a), position(b));
    let (left, right) = (from[0].min(to[0]), from[0].max(to[0]));
    let (top, bottom) = (from[1].min(to[1]), from[1].max(to[1]));
    let rotated = rotates(from, to);
    let corner = |x: i64, y: i64| {
        let (of_x, of_y) = (usize::from(x != from[0]), usize::from(y != from[1]));
        let [s, t] = if rotated { [of_y, of_x] } else { [of_x, of_y] };
        Corner { position: [x, y], sources: [s, t, of_x] }
    };
    if runs_up_right(from, to) {
        [corner(left, bottom), corner(right, top), corner(right, bottom)]
    } else {
        [corner(left, top), corner(right, top), corner(left, bottom)]
    }
}

/// Returns whether s follows a rectangle's rows and t the columns, so that its image is rotated.
/// Source: [orientation](crate::reference::ge::interpolation#orientation).
#[must_use]
pub(crate) fn is_rotated([a, b]: &[ScreenVertex; 2]) -> bool {
    rotates(position(a), position(b))
}

/// Returns whether a diagonal runs between top right and bottom left.
fn rotates(from: [i64; 2], to: [i64; 2]) -> bool {
    (to[0] < from[0]) != (to[1] < from[1])
}

/// Returns whether a rectangle runs from bottom left to top right.
fn runs_up_right(from: [i64; 2], to: [i64; 2]) -> bool {
    from[0] < to[0] && from[1] > to[1]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertices(from: [i32; 2], to: [i32; 2]) -> [ScreenVertex; 2] {
        [from, to].map(|[x, y]| ScreenVertex { x, y, ..ScreenVertex::default() })
    }

    fn hardware(from: [i32; 2], to: [i32; 2]) -> [Range<i64>; 2] {
        covered(&vertices(from, to), Arithmetic::Hardware)
    }

    #[test]
    fn rectangles_are_half_open() {
        assert_eq!(hardware([8, 8], [40, 24]), [0..2, 0..1], "a centre on the end is outside");
        assert_eq!(hardware([40, 24], [8, 8]), [0..2, 0..1], "orientation does not matter");
        assert!(hardware([8, 8], [8, 40])[0].is_empty(), "no width");
    }

    #[test]
    fn left_edges_at_9_16_are_inside() {
        for (from, to, expected) in [
            ([9, 9], [40, 40], [0..2, 1..2]),
            ([40, 40], [9, 9], [0..2, 1..2]),
            ([40, 9], [9, 40], [0..2, 1..2]),
            ([9, 40], [40, 9], [0..2, 0..2]),
        ] {
            assert_eq!(hardware(from, to), expected, "{from:?} to {to:?}");
            assert_eq!(covered(&vertices(from, to), Arithmetic::Single), [1..2, 1..2], "emulators");
        }
    }

    /// [Rectangle planes](crate::reference::ge::interpolation#rectangle-planes).
    #[test]
    fn corners_take_coordinates_from_both_vertices() {
        let corner = |x, y, sources| Corner { position: [x, y], sources };
        for (from, to, expected) in [
            ([0, 0], [16, 32], [corner(0, 0, [0, 0, 0]), corner(16, 0, [1, 0, 1]), corner(0, 32, [0, 1, 0])]),
            ([16, 32], [0, 0], [corner(0, 0, [1, 1, 1]), corner(16, 0, [0, 1, 0]), corner(0, 32, [1, 0, 1])]),
            ([16, 0], [0, 32], [corner(0, 0, [0, 1, 1]), corner(16, 0, [0, 0, 0]), corner(0, 32, [1, 1, 1])]),
            (
                [0, 32],
                [16, 0],
                [corner(0, 32, [0, 0, 0]), corner(16, 0, [1, 1, 1]), corner(16, 32, [0, 1, 1])],
            ),
        ] {
            assert_eq!(corners(&vertices(from, to)), expected, "{from:?} to {to:?}");
        }
    }
}
