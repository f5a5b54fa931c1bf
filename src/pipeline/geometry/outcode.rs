//! Outcodes: on which sides of the view volume and the screen a vertex lies outside.
//! Source: [clipping](crate::reference::ge::clipping#summary-of-range-tests).

use bitflags::bitflags;

use super::clip_vertex::ClipVertex;
use crate::ge::arithmetic::Real;

/// The screen position of a vertex, computed before its attributes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ScreenPosition {
    /// Column in 1/16 pixel, with OFFSETX already subtracted. Undefined if outside the screen space.
    pub x: i32,
    /// Row in 1/16 pixel, with OFFSETY already subtracted. Undefined if outside the screen space.
    pub y: i32,
    /// Depth, 0 to 65535.
    pub z: u16,
    /// 1/w.
    pub reciprocal_w: f32,
    /// The outcode.
    pub outcode: Outcode,
}

bitflags! {
    /// The range tests that a vertex fails.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Outcode: u8 {
        /// z < −w: outside the near plane.
        const NEAR = 1 << 0;
        /// z > w: outside the far plane.
        const FAR = 1 << 1;
        /// w ≤ 0.
        const W_NOT_POSITIVE = 1 << 2;
        /// w = 0.
        const W_ZERO = 1 << 3;
        /// Outside the 4096×4096 screen space.
        const OUTSIDE_SCREEN = 1 << 4;
        /// Outside the screen space and not [`Self::NEAR`].
        const OUTSIDE_SCREEN_IN_FRONT = 1 << 5;
        /// Depth outside 16 bits, or |z/w| > 1, before clamping.
        const OUTSIDE_DEPTH = 1 << 6;
    }
}

/// Tests whether z ≥ −w. A vertex with NaN is outside.
pub(super) fn is_inside_near<R: Real>(vertex: &ClipVertex<R>) -> bool {
    vertex.position[2] >= -(vertex.position[3] * R::SLACK)
}

/// Tests whether z > w.
pub(super) fn is_outside_far<R: Real>(vertex: &ClipVertex<R>) -> bool {
    vertex.position[2] > vertex.position[3] * R::SLACK
}
