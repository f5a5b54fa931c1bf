//! The bounding box of a primitive inside the scissor.

use std::ops::Range;

/// Bounding box of the pixels that a primitive may cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct PixelBounds {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl PixelBounds {
    /// Creates the box of these columns and rows. Returns `None` if it is empty.
    pub(super) fn new(x: &Range<i64>, y: &Range<i64>) -> Option<Self> {
        let [left, right, top, bottom] = [x.start, x.end, y.start, y.end].map(u32::try_from);
        let (left, top) = (left.ok()?, top.ok()?);
        let (width, height) = (right.ok()?.checked_sub(left)?, bottom.ok()?.checked_sub(top)?);
        (width > 0 && height > 0).then_some(Self { x: left, y: top, width, height })
    }
}
