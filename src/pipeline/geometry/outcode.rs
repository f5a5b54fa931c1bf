//! How vertices stand to the view, and what becomes of primitives for it. Source: `ge-reference.md` §5.4.

use bitflags::bitflags;

use super::clip_vertex::ClipVertex;
use crate::ge::arithmetic::Real;

/// Where a vertex stands, before anything else is known of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScreenPosition {
    /// Column in 1/16 pixel, after OFFSETX was subtracted. Any number outside the screen space.
    pub x: i32,
    /// Row in 1/16 pixel, after OFFSETY was subtracted. Any number outside the screen space.
    pub y: i32,
    /// Depth, 0 to 65535.
    pub z: u16,
    /// 1/w.
    pub reciprocal_w: f32,
    /// How it stands to the view.
    pub outcode: Outcode,
}

bitflags! {
    /// How a vertex stands to the view.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Outcode: u8 {
        /// z < −w.
        const NEAR = 1 << 0;
        /// z > w.
        const FAR = 1 << 1;
        /// w ≤ 0.
        const W_NOT_POSITIVE = 1 << 2;
        /// w = 0.
        const W_ZERO = 1 << 3;
        /// Outside the 4096×4096 screen space.
        const OUTSIDE_SCREEN = 1 << 4;
        /// The same, and not [`Self::BEHIND`].
        const OUTSIDE_SCREEN_IN_FRONT = 1 << 5;
        /// Depth outside 16 bits, or |z/w| > 1, before clamping.
        const OUTSIDE_DEPTH = 1 << 6;
    }
}

/// Whether z ≥ −w. NaN is behind.
pub(super) fn is_inside_near<R: Real>(vertex: &ClipVertex<R>) -> bool {
    vertex.position[2] >= -(vertex.position[3] * R::SLACK)
}

/// Whether z > w.
pub(super) fn is_outside_far<R: Real>(vertex: &ClipVertex<R>) -> bool {
    vertex.position[2] > vertex.position[3] * R::SLACK
}
