//! The raster grid divides each pixel into sixteenths on both axes.
//! Source: [sample grid](crate::reference::ge::coverage#sample-grid).

use std::ops::Range;

use crate::pipeline::primitive::ScreenVertex;

/// Position units per pixel.
pub(crate) const PIXEL: i64 = 16;
/// Largest position, in 1/16 pixel.
const POSITION_END: i64 = 1 << 24;

/// Reads a vertex position in 1/16 pixel.
#[must_use]
pub(crate) fn position(vertex: &ScreenVertex) -> [i64; 2] {
    [vertex.x, vertex.y].map(|at| i64::from(at).clamp(-POSITION_END, POSITION_END))
}

/// Computes a pixel's centre, in 1/16 pixel.
#[must_use]
pub(crate) const fn center(pixel: i64) -> i64 {
    pixel * PIXEL + PIXEL / 2
}

/// Finds the pixels whose centres lie in `[first, end)`.
pub(crate) const fn center_range(first: i64, end: i64) -> Range<i64> {
    // Adding 7 rounds up, because centres are at 8/16.
    (first + 7) >> 4..(end + 7) >> 4
}

pub(crate) fn intersect(range: &Range<i64>, limits: &Range<i64>) -> Range<i64> {
    range.start.max(limits.start)..range.end.min(limits.end)
}
