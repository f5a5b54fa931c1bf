//! How vertices stand to the view, and what becomes of primitives for it. Source: `ge-reference.md` §5.4.

use bitflags::bitflags;

use super::ClipVertex;
use super::clip::{in_front, is_beyond};
use super::viewport::{Projected, Viewport};
use crate::arithmetic::Real;

/// Where a vertex stands, before anything else is known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// Column in 1/16 pixel, after OFFSETX was subtracted. Any number outside the screen space.
    pub x: i32,
    /// Row in 1/16 pixel, after OFFSETY was subtracted. Any number outside the screen space.
    pub y: i32,
    /// Depth, 0 to 65535.
    pub z: u16,
    /// 1/w.
    pub reciprocal_w: f32,
    /// How it stands to the view.
    pub standing: Standing,
}

bitflags! {
    /// How a vertex stands to the view.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Standing: u8 {
        /// z < −w.
        const BEHIND = 1 << 0;
        /// z > w.
        const BEYOND = 1 << 1;
        /// w ≤ 0.
        const BEHIND_EYE = 1 << 2;
        /// w = 0.
        const AT_EYE = 1 << 3;
        /// Outside the 4096×4096 screen space.
        const OUTSIDE_SCREEN = 1 << 4;
        /// The same, and not [`Self::BEHIND`].
        const OUTSIDE_IN_FRONT = 1 << 5;
        /// [`Projected::outside_depth`].
        const OUTSIDE_DEPTH = 1 << 6;
    }
}

impl Standing {
    /// Where a vertex stands.
    #[must_use]
    pub fn of<R: Real>(vertex: &ClipVertex<R>, projected: &Projected) -> Self {
        let (behind, w) = (!in_front(vertex), vertex.position[3]);
        let mut standing = Self::empty();
        standing.set(Self::BEHIND, behind);
        standing.set(Self::BEYOND, is_beyond(vertex));
        standing.set(Self::BEHIND_EYE, w <= R::ZERO);
        standing.set(Self::AT_EYE, w == R::ZERO);
        standing.set(Self::OUTSIDE_SCREEN, projected.outside_screen);
        standing.set(Self::OUTSIDE_IN_FRONT, projected.outside_screen && !behind);
        standing.set(Self::OUTSIDE_DEPTH, projected.outside_depth);
        standing
    }
}

/// Decides over the primitives of a draw.
#[derive(Clone, Copy, Debug)]
pub struct Judge {
    /// Dropped where all vertices have one of these in common.
    dropped_by_all: Standing,
    /// Dropped where one vertex has one of these.
    dropped_by_one: Standing,
    /// Cut where one vertex has this, and left where it is not dropped.
    clipped_by_one: Standing,
    through: bool,
}

impl Judge {
    /// A judge of triangles and lines, which are `clippable`, or of others.
    #[must_use]
    pub fn new<R: Real>(viewport: &Viewport<R>, clippable: bool) -> Self {
        let out_of_sight = Standing::BEHIND | Standing::BEHIND_EYE;
        let (dropped_by_all, dropped_by_one, clipped_by_one) = match (viewport.clamps_depth(), clippable) {
            // Vertices that will be cut off need not lie on the screen.
            (true, true) => (out_of_sight | Standing::BEYOND, Standing::OUTSIDE_IN_FRONT, Standing::BEHIND),
            // Rectangles are never cut: the depth of a corner behind the plane is clamped.
            (true, false) => (out_of_sight | Standing::BEYOND, Standing::OUTSIDE_SCREEN, Standing::empty()),
            (false, _) => {
                let one = Standing::BEHIND | Standing::OUTSIDE_SCREEN | Standing::OUTSIDE_DEPTH;
                (out_of_sight, one, Standing::empty())
            }
        };
        Self { dropped_by_all, dropped_by_one, clipped_by_one, through: viewport.is_through() }
    }

    /// What becomes of the primitive whose vertices stand so.
    #[inline]
    #[must_use]
    pub fn verdict(&self, vertices: impl IntoIterator<Item = Standing>) -> Verdict {
        if self.through {
            return Verdict::Drawn;
        }
        let (all, one) = vertices
            .into_iter()
            .fold((Standing::all(), Standing::empty()), |(all, one), vertex| (all & vertex, one | vertex));
        if all.intersects(self.dropped_by_all) || one.intersects(self.dropped_by_one) {
            Verdict::Dropped
        } else if one.intersects(self.clipped_by_one) {
            Verdict::Clipped
        } else if one.contains(Standing::AT_EYE) {
            Verdict::Dropped
        } else {
            Verdict::Drawn
        }
    }
}

/// What becomes of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Drawn as it is.
    Drawn,
    /// To be cut at the near plane first.
    Clipped,
    /// Not drawn.
    Dropped,
}
