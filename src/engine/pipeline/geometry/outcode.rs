//! Tells on which sides a vertex is outside the view volume and the screen.
//! Source: [clipping](crate::reference::ge::clipping#summary-of-range-tests).

use bitflags::bitflags;

use crate::ge::arithmetic::{Arithmetic, Real};

bitflags! {
    /// The range tests that a vertex fails. This is as wide as a single, so that both take the same lanes.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Outcode: u32 {
        /// −x > w.
        const LEFT = 1 << 0;
        /// x > w.
        const RIGHT = 1 << 1;
        /// y > w.
        const TOP = 1 << 2;
        /// −y > w.
        const BOTTOM = 1 << 3;
        /// −z > w: outside the near plane.
        const NEAR = 1 << 4;
        /// z > w: outside the far plane.
        const FAR = 1 << 5;
        /// w ≤ 0.
        const W_NOT_POSITIVE = 1 << 6;
        /// Outside the 4096×4096 screen space. This includes every vertex with w = 0, because 1/0 is
        /// infinite.
        const OUTSIDE_SCREEN = 1 << 7;
        /// Outside the screen space and not [`Self::NEAR`].
        const OUTSIDE_SCREEN_IN_FRONT = 1 << 8;
        /// Depth outside 16 bits before clamping. In single arithmetic also |z/w| > 1.
        const OUTSIDE_DEPTH = 1 << 9;

        /// The six sides of the view volume.
        const SIDES = Self::LEFT.bits() | Self::RIGHT.bits() | Self::TOP.bits() | Self::BOTTOM.bits()
            | Self::NEAR.bits() | Self::FAR.bits();
    }
}

/// The largest |z/w| that is inside in single arithmetic: a step of a 16-bit significand above 1.
const MAX_NDC_Z: f32 = 1.0 + 1.0 / 32768.0;

impl Outcode {
    /// Computes a vertex's outcode, given its position in clip space, its depth before clamping, and whether it is
    /// outside the screen space.
    ///
    /// Comparisons with NaN are false, except that NaN as z or w is outside the near plane.
    #[inline(always)]
    #[must_use]
    pub(super) fn new<R: Real>(clip: [R; 4], depth: f32, is_outside_screen: bool) -> Self {
        let [x, y, z, w] = clip;
        let is_in_front = is_inside_near(z, w);
        let edge = slackened(w);
        let is_outside_depth = !(0.0..65536.0).contains(&depth) | is_ndc_z_outside(z, w);
        Self::LEFT.only_if(-x > edge)
            | Self::RIGHT.only_if(x > edge)
            | Self::TOP.only_if(y > edge)
            | Self::BOTTOM.only_if(-y > edge)
            | Self::NEAR.only_if(!is_in_front)
            | Self::FAR.only_if(z > edge)
            | Self::W_NOT_POSITIVE.only_if(w <= R::ZERO)
            | Self::OUTSIDE_SCREEN.only_if(is_outside_screen)
            | Self::OUTSIDE_SCREEN_IN_FRONT.only_if(is_outside_screen & is_in_front)
            | Self::OUTSIDE_DEPTH.only_if(is_outside_depth)
    }

    #[inline(always)]
    const fn only_if(self, is_set: bool) -> Self {
        if is_set { self } else { Self::empty() }
    }
}

/// Whether z ≥ −w. A vertex with NaN is outside.
#[inline(always)]
pub(super) fn is_inside_near<R: Real>(z: R, w: R) -> bool {
    z >= -slackened(w)
}

/// Returns w, or a slightly larger number in single arithmetic. The hardware gives its sides no slack.
/// Source: [sides](crate::reference::ge::clipping#sides).
#[inline(always)]
fn slackened<R: Real>(w: R) -> R {
    match R::ARITHMETIC {
        Arithmetic::Hardware => w,
        Arithmetic::Single => w * R::SLACK,
    }
}

/// Whether |z/w| is outside 0..1 in single arithmetic. The hardware has no such test.
/// Source: [depth clamp off](crate::reference::ge::clipping#depth-clamp-off).
#[inline(always)]
fn is_ndc_z_outside<R: Real>(z: R, w: R) -> bool {
    match R::ARITHMETIC {
        Arithmetic::Hardware => false,
        Arithmetic::Single => (z * w.reciprocal()).to_f32().abs() > MAX_NDC_Z,
    }
}
