//! Texture coordinates for rectangles. Each depends on a single axis, so they can be computed once per column and
//! row.

use super::batch::Batch;
use super::pixel_bounds::PixelBounds;

/// Coordinates for a rectangle's columns and rows. This keeps their memory for reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct RectangleTable {
    columns: Vec<f64>,
    rows: Vec<f64>,
}

impl RectangleTable {
    /// Computes the coordinates for all columns and rows. `at` returns s and t at a pixel. If `rotated`, s depends
    /// on the row.
    pub(super) fn fill(&mut self, at: impl Fn(u32, u32) -> [f64; 2], bounds: PixelBounds, rotated: bool) {
        let column = |x: u32| at(bounds.x + x, bounds.y)[usize::from(rotated)];
        let row = |y: u32| at(bounds.x, bounds.y + y)[usize::from(!rotated)];
        self.columns.clear();
        self.columns.extend((0..bounds.width).map(column));
        self.rows.clear();
        self.rows.extend((0..bounds.height).map(row));
    }

    pub(super) fn columns(&self) -> &[f64] {
        &self.columns
    }

    pub(super) fn rows(&self) -> &[f64] {
        &self.rows
    }

    /// Copies coordinates to the open segment.
    pub(super) fn copy(&self, batch: &mut Batch, rotated: bool) {
        let first = batch.open_run();
        let Batch { runs, x, y, s, t, .. } = batch;
        let (along, across) = if rotated { (t, s) } else { (s, t) };
        for run in &runs[first..] {
            let lanes = run.lane..run.lane + run.count;
            let column = usize::try_from(x[run.lane]).unwrap_or(0);
            if let Some(columns) = self.columns.get(column..column + run.count) {
                along[lanes.clone()].copy_from_slice(columns);
            }
            let row = usize::try_from(y[run.lane]).unwrap_or(0);
            across[lanes].fill(self.rows.get(row).copied().unwrap_or(0.0));
        }
    }
}
