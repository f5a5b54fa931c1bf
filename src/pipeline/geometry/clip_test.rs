//! The clip test: whether a primitive is drawn, clipped against the near plane, or dropped, by its outcodes.

use arrayvec::ArrayVec;

use super::clip::Polygon;
use super::clip_vertex::ClipVertex;
use super::outcode::Standing;
use super::viewport::Viewport;
use crate::ge::arithmetic::Real;
use crate::pipeline::primitive::ScreenVertex;

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

/// Which way a primitive goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Fate<R> {
    /// Drawn with these vertices.
    Drawn(ArrayVec<ScreenVertex, 3>),
    /// To be cut at the near plane first.
    Clipped(Polygon<R>),
    /// Not drawn.
    Dropped,
}

/// Decides what becomes of a primitive of up to three vertices. `clippable` is set for triangles and lines.
#[must_use]
pub fn decide<R: Real>(viewport: &Viewport<R>, vertices: &[ClipVertex<R>], clippable: bool) -> Fate<R> {
    let projected: ArrayVec<_, 3> = vertices.iter().take(3).map(|vertex| viewport.project(vertex)).collect();
    let standings = vertices.iter().zip(&projected).map(|(vertex, projected)| projected.outcode(vertex));
    match Judge::new(viewport, clippable).verdict(standings) {
        Verdict::Drawn => Fate::Drawn(projected.iter().map(|projected| projected.vertex).collect()),
        Verdict::Clipped => Fate::Clipped(vertices.iter().copied().collect()),
        Verdict::Dropped => Fate::Dropped,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(position: [f32; 4]) -> ClipVertex<f32> {
        ClipVertex { position, ..ClipVertex::default() }
    }

    /// As games need it that leave the depth of one corner to chance.
    #[test]
    fn rectangles_keep_a_corner_behind() {
        let mut registers = crate::ge::registers::Registers::new();
        registers.write(crate::ge::command::Command::new(crate::ge::opcode::Opcode::DEPTHCLAMPENABLE, 1));
        let viewport = Viewport::<f32>::new(&registers);
        let corners = [vertex([0.0, 0.0, 0.0, 1.0]), vertex([0.0, 0.0, -9e37, 1.0])];
        assert!(matches!(decide(&viewport, &corners, false), Fate::Drawn(_)), "clamped instead");
        assert!(matches!(decide(&viewport, &corners, true), Fate::Clipped(_)), "lines are cut");
    }
}
