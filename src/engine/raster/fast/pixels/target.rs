//! The target gives access to framebuffer rows, to load batches and to store them.

use crate::ge::registers::texture::PixelFormat;
use crate::raster::fast::batch::{Batch, LANES, PixelRun};

/// Rows of colour and depth.
#[derive(Debug)]
pub(crate) struct Target<'a> {
    /// Packed pixels from column 0 of the first row on.
    pub(crate) color: &'a mut [u8],
    /// Pixels per row.
    pub(crate) color_stride: usize,
    pub(crate) format: PixelFormat,
    /// Depths from column 0 of the first row on. Empty if depth is not used.
    pub(crate) depth: &'a mut [u16],
    /// Depths per row.
    pub(crate) depth_stride: usize,
    pub(crate) first_row: usize,
    /// The row after the last.
    pub(crate) end_row: usize,
}

impl<'a> Target<'a> {
    /// Splits off the rows from `row` on; `None` if there are none.
    pub(in crate::raster::fast) fn split_at_row(self, row: usize) -> (Self, Option<Self>) {
        if row >= self.end_row {
            return (self, None);
        }
        let Self { color, color_stride, format, depth, depth_stride, first_row, end_row } = self;
        let rows = row - first_row;
        let row_bytes = color_stride * pixel_bytes(format);
        // The last row may end before its stride.
        let (above, color) = color.split_at_mut((rows * row_bytes).min(color.len()));
        let (depth_above, depth) = depth.split_at_mut((rows * depth_stride).min(depth.len()));
        let below = Target { color, color_stride, format, depth, depth_stride, first_row: row, end_row };
        (Target { color: above, depth: depth_above, first_row, end_row: row, ..below }, Some(below))
    }

    /// Loads packed pixels for a batch.
    #[inline(always)]
    pub(super) fn load_color(&self, batch: &mut Batch) {
        match pixel_bytes(self.format) {
            4 => self.load_pixels::<4, { 4 * LANES }>(batch),
            _ => self.load_pixels::<2, { 2 * LANES }>(batch),
        }
    }

    /// Loads pixels for a batch. `GROUP` is a group's size in bytes.
    #[inline(always)]
    fn load_pixels<const SIZE: usize, const GROUP: usize>(&self, batch: &mut Batch) {
        for run in &batch.runs {
            let start = (run.y * self.color_stride + run.x) * SIZE;
            load_padded::<GROUP, _>(&mut batch.packed, run.lane * SIZE, self.color, start, run.count * SIZE);
        }
    }

    /// Stores a batch's packed pixels.
    #[inline(always)]
    pub(super) fn store_color(&mut self, batch: &Batch) {
        let size = pixel_bytes(self.format);
        for run in &batch.runs {
            let pixels = run_pixels_mut(self.color, run, self.color_stride, size);
            copy_common(pixels, &batch.packed[run.lane * size..]);
        }
    }

    /// Loads depths for the open segment.
    #[inline(always)]
    pub(super) fn load_depth(&self, batch: &mut Batch) {
        let (runs, depths) = batch.open_runs_and_depths();
        for run in runs {
            let start = run.y * self.depth_stride + run.x;
            load_padded::<LANES, _>(depths, run.lane, self.depth, start, run.count);
        }
    }

    /// Stores a batch's depths.
    #[inline(always)]
    pub(super) fn store_depth(&mut self, batch: &Batch) {
        for run in &batch.runs {
            copy_common(run_pixels_mut(self.depth, run, self.depth_stride, 1), &batch.old_z[run.lane..]);
        }
    }
}

/// Returns how many bytes a packed pixel has.
#[inline(always)]
pub(crate) fn pixel_bytes(format: PixelFormat) -> usize {
    if format == PixelFormat::ABGR8888 { 4 } else { 2 }
}

/// Copies as many values as both slices have.
#[inline(always)]
fn copy_common<T: Copy>(to: &mut [T], from: &[T]) {
    let count = to.len().min(from.len());
    to[..count].copy_from_slice(&from[..count]);
}

/// Copies `count` values. If both slices are long enough, this copies whole groups, because that is faster; later
/// runs overwrite the extra lanes. If a range is outside the slices, which never occurs, this copies nothing.
#[inline(always)]
fn load_padded<const GROUP: usize, T: Copy>(to: &mut [T], at: usize, from: &[T], start: usize, count: usize) {
    // Most runs are short, so this case comes first.
    if count <= GROUP
        && let (Some(to), Some(from)) = (to.get_mut(at..), from.get(start..))
        && let (Some(to), Some(from)) = (to.first_chunk_mut::<GROUP>(), from.first_chunk::<GROUP>())
    {
        *to = *from;
        return;
    }
    let padded = count.next_multiple_of(GROUP);
    if let (Some(to), Some(from)) = (to.get_mut(at..at + padded), from.get(start..start + padded)) {
        let ((to, _), (from, _)) = (to.as_chunks_mut::<GROUP>(), from.as_chunks::<GROUP>());
        for (to, from) in to.iter_mut().zip(from) {
            *to = *from;
        }
    } else if let (Some(to), Some(from)) = (to.get_mut(at..at + count), from.get(start..start + count)) {
        to.copy_from_slice(from);
    }
}

/// Finds the values for a run, with `size` values per pixel. Returns an empty slice if the run is outside the
/// target, which never occurs.
#[inline(always)]
fn run_pixels_mut<'t, T>(values: &'t mut [T], run: &PixelRun, stride: usize, size: usize) -> &'t mut [T] {
    let start = (run.y * stride + run.x) * size;
    values.get_mut(start..start + run.count * size).unwrap_or(&mut [])
}
