//! The clip test: decides by outcodes whether a primitive is drawn, clipped at the near plane, or dropped.
//! Source: [range tests](crate::reference::ge::clipping#summary-of-range-tests).

use super::outcode::Outcode;
use super::viewport::Viewport;
use crate::ge::arithmetic::Real;

/// The clip test for the primitives of one draw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipTest {
    /// Drops a primitive if all vertices share one of these.
    drop_if_all: Outcode,
    /// Drops a primitive if any vertex has one of these.
    drop_if_any: Outcode,
    /// Clips a primitive if any vertex has this and the primitive is not dropped.
    clip_if_any: Outcode,
    through: bool,
}

impl ClipTest {
    /// Creates the test. `clippable` is true for triangles and lines.
    #[must_use]
    pub(crate) fn new<R: Real>(viewport: &Viewport<R>, clippable: bool) -> Self {
        let invisible = Outcode::NEAR | Outcode::W_NOT_POSITIVE;
        let (drop_if_all, drop_if_any, clip_if_any) = match (viewport.clamps_depth(), clippable) {
            // A vertex outside the screen does no harm if clipping removes it.
            (true, true) => (invisible | Outcode::FAR, Outcode::OUTSIDE_SCREEN_IN_FRONT, Outcode::NEAR),
            // Rectangles are never clipped; the depth of a corner in front of the near plane is clamped.
            (true, false) => (invisible | Outcode::FAR, Outcode::OUTSIDE_SCREEN, Outcode::empty()),
            (false, _) => {
                let any = Outcode::NEAR | Outcode::OUTSIDE_SCREEN | Outcode::OUTSIDE_DEPTH;
                (invisible, any, Outcode::empty())
            }
        };
        Self { drop_if_all, drop_if_any, clip_if_any, through: viewport.is_through() }
    }

    /// Classifies a primitive by the outcodes of its vertices.
    #[inline]
    #[must_use]
    pub(crate) fn classify(&self, outcodes: impl IntoIterator<Item = Outcode>) -> ClipResult {
        if self.through {
            return ClipResult::Accepted;
        }
        let (all, any) = outcodes
            .into_iter()
            .fold((Outcode::all(), Outcode::empty()), |(all, any), outcode| (all & outcode, any | outcode));
        if all.intersects(self.drop_if_all) || any.intersects(self.drop_if_any) {
            ClipResult::Dropped
        } else if any.intersects(self.clip_if_any) {
            ClipResult::NeedsClipping
        } else if any.contains(Outcode::W_ZERO) {
            ClipResult::Dropped
        } else {
            ClipResult::Accepted
        }
    }
}

/// The result of a clip test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClipResult {
    /// Drawn unchanged.
    Accepted,
    /// Drawn after clipping at the near plane.
    NeedsClipping,
    /// Not drawn.
    Dropped,
}

#[cfg(test)]
mod tests {
    use super::super::clip_vertex::ClipVertex;
    use super::*;

    fn vertex(position: [f32; 4]) -> ClipVertex<f32> {
        ClipVertex { position, ..ClipVertex::default() }
    }

    /// Games need this: some never write the depth of one corner of a rectangle.
    #[test]
    fn does_not_clip_rectangles() {
        let mut registers = crate::ge::registers::Registers::new();
        registers.write(crate::ge::command::Command::new(crate::ge::opcode::Opcode::DEPTHCLAMPENABLE, 1));
        let viewport = Viewport::<f32>::new(&registers);
        let corners = [vertex([0.0, 0.0, 0.0, 1.0]), vertex([0.0, 0.0, -9e37, 1.0])];
        let outcodes = corners.map(|corner| viewport.project(&corner).outcode(&corner));
        let classify = |clippable| ClipTest::new(&viewport, clippable).classify(outcodes);
        assert_eq!(classify(false), ClipResult::Accepted, "a rectangle's depth is clamped");
        assert_eq!(classify(true), ClipResult::NeedsClipping, "a line is clipped");
    }
}
