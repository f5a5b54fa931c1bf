//! Finds the columns at which a segment's fragments take q for the level of detail. This is
//! [`crate::raster::rules::lod_spans`] for whole rows.

use crate::ge::arithmetic::simd::prelude::*;
use crate::raster::fast::batch::Batch;
use crate::raster::fast::pixel_bounds::PixelBounds;
use crate::raster::fast::span::{RowSpans, Spans};
use crate::raster::rules::coverage::Triangle;
use crate::raster::rules::interpolate::walks_left;
use crate::raster::rules::lod_spans::preferred;

/// Columns outside the bounds that may belong to the span of a column inside.
const MARGIN: u32 = 3;

/// A triangle's spans.
#[derive(Clone, Copy, Debug)]
pub(super) struct LodProbe {
    spans: Spans,
    /// The first column of the bounds.
    first_column: i32,
    walks_left: bool,
}

impl LodProbe {
    /// Creates a triangle's spans. The bounds hold its pixels inside the scissor.
    pub(crate) fn new(triangle: &Triangle, bounds: PixelBounds) -> Self {
        // The scissor does not cut spans, so the row is computed a little wider than the bounds.
        let margin = MARGIN.min(bounds.x);
        let PixelBounds { x, y, width, height } = bounds;
        let wide = PixelBounds { x: x - margin, y, width: margin + width + MARGIN, height };
        Self {
            spans: Spans::new(&triangle.edge_stepper(wide.x, y), wide),
            first_column: bounds.x.cast_signed(),
            walks_left: walks_left(&triangle.positions),
        }
    }

    /// Writes the column for each fragment in the open segment to its lane, relative to the bounds.
    #[inline(always)]
    pub(crate) fn columns<S: Simd>(&self, simd: S, batch: &Batch, out: &mut [i32]) {
        let margin = MARGIN.cast_signed().min(self.first_column);
        let mut row = (i32::MIN, [0; 2]);
        for run in batch.open_runs() {
            if row.0 != run.row {
                let RowSpans { first: [first, ..], end: [end, ..] } =
                    self.spans.rows(simd, run.row.cast_unsigned());
                let [first, end] = [first, end].map(|at| at.cast_signed() - margin);
                row = (run.row, [first, end - 1]);
            }
            let [first, last] = row.1;
            for (column, out) in (run.column..).zip(out.iter_mut().skip(run.lane).take(run.count)) {
                let span = (self.first_column + column) & !3;
                let preferred = preferred(span.cast_unsigned(), self.walks_left).cast_signed();
                let at = (preferred - self.first_column).max(first).min(last);
                // The span of a pixel that a coarse edge adds may hold no other pixel. Such a pixel takes its own q.
                *out = if (self.first_column + at) & !3 == span { at } else { column };
            }
        }
    }
}
