//! A primitive's bounding box inside the scissor. Batches count columns and rows from its upper left.

use std::ops::Range;

/// A bounding box for the pixels that a primitive may cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct PixelBounds {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl PixelBounds {
    /// Creates the box for these columns and rows. Returns `None` if it is empty.
    #[inline]
    pub(super) fn new(x: &Range<i64>, y: &Range<i64>) -> Option<Self> {
        if x.is_empty() || y.is_empty() {
            return None;
        }
        let (left, top) = (u32::try_from(x.start).ok()?, u32::try_from(y.start).ok()?);
        let (width, height) = (u32::try_from(x.end - x.start).ok()?, u32::try_from(y.end - y.start).ok()?);
        Some(Self { x: left, y: top, width, height })
    }
}
