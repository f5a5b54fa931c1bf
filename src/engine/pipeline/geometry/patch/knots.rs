//! B-spline knots.
//! Source: [splines](crate::reference::ge::curves#splines).

use crate::ge::registers::vertex::SplineEdge;

/// A B-spline's knots. Their spacing is 1, and they repeat at a clamped end. [`SplineEdge`] calls clamped ends
/// closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Knots {
    /// How many control points there are, at least 4.
    pub(super) points: u32,
    /// Which ends are clamped.
    pub(super) edge: SplineEdge,
}

impl Knots {
    /// Returns knot `number` out of `points` + 4. The spline runs from knot 3 to knot `points`.
    pub(super) fn knot(self, number: u32) -> i32 {
        let first = number.cast_signed() - 3;
        let last = self.points.cast_signed() - 3;
        match self.edge {
            SplineEdge::CLOSE_START => first.max(0),
            SplineEdge::CLOSE_END => first.min(last),
            SplineEdge::CLOSE => first.clamp(0, last),
            _ => first,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clamped_ends_repeat_their_knot() {
        let knots = |edge| (0..9).map(|number| Knots { points: 5, edge }.knot(number)).collect::<Vec<_>>();
        assert_eq!(knots(SplineEdge::OPEN), [-3, -2, -1, 0, 1, 2, 3, 4, 5], "spaced by 1");
        assert_eq!(knots(SplineEdge::CLOSE_START), [0, 0, 0, 0, 1, 2, 3, 4, 5], "clamped at the start");
        assert_eq!(knots(SplineEdge::CLOSE_END), [-3, -2, -1, 0, 1, 2, 2, 2, 2], "clamped at the end");
        assert_eq!(knots(SplineEdge::CLOSE), [0, 0, 0, 0, 1, 2, 2, 2, 2], "clamped at both");
    }
}
