//! The rows of the framebuffer that are drawn into, and how batches come from there and go back.

use super::batch::{Batch, LANES, PixelRun};
use crate::ge::registers::texture::PixelFormat;

/// Rows of colour and depth.
#[derive(Debug)]
pub(super) struct Target<'a> {
    /// Stored pixels, from column 0 of the first row on.
    pub(super) color: &'a mut [u8],
    /// Pixels from row to row.
    pub(super) color_stride: usize,
    pub(super) format: PixelFormat,
    /// Depths, from column 0 of the first row on; empty where no depth is used.
    pub(super) depth: &'a mut [u16],
    /// Depths from row to row.
    pub(super) depth_stride: usize,
    /// The first row.
    pub(super) first_row: usize,
    /// The row behind the last one.
    pub(super) end_row: usize,
}

impl Target<'_> {
    /// Reads the stored pixels under a batch.
    #[inline(always)]
    pub(super) fn load_color(&self, batch: &mut Batch) {
        let size = pixel_bytes(self.format);
        for run in &batch.runs {
            let start = (run.y * self.color_stride + run.x) * size;
            load_padded(&mut batch.packed, run.lane * size, self.color, start, run.count * size);
        }
    }

    /// Writes a batch's pixels back.
    #[inline(always)]
    pub(super) fn store_color(&mut self, batch: &Batch) {
        let size = pixel_bytes(self.format);
        for run in &batch.runs {
            let pixels = run_pixels_mut(self.color, run, self.color_stride, size);
            copy_common(pixels, &batch.packed[run.lane * size..]);
        }
    }

    /// Reads the depths under a batch.
    #[inline(always)]
    pub(super) fn load_depth(&self, batch: &mut Batch) {
        for run in &batch.runs {
            let start = run.y * self.depth_stride + run.x;
            load_padded(&mut batch.old_z, run.lane, self.depth, start, run.count);
        }
    }

    /// Writes a batch's depths back.
    #[inline(always)]
    pub(super) fn store_depth(&mut self, batch: &Batch) {
        for run in &batch.runs {
            copy_common(run_pixels_mut(self.depth, run, self.depth_stride, 1), &batch.old_z[run.lane..]);
        }
    }
}

/// Bytes of a stored pixel.
#[inline(always)]
pub(super) fn pixel_bytes(format: PixelFormat) -> usize {
    if format == PixelFormat::ABGR8888 { 4 } else { 2 }
}

/// Copies what both have.
#[inline(always)]
fn copy_common<T: Copy>(to: &mut [T], from: &[T]) {
    let count = to.len().min(from.len());
    to[..count].copy_from_slice(&from[..count]);
}

/// Copies `count` values and some more where both have them: whole vectors are faster. What is behind them in a batch is
/// still to come. Nothing is read outside, though no run ever lies there.
#[inline(always)]
fn load_padded<T: Copy>(to: &mut [T], at: usize, from: &[T], start: usize, count: usize) {
    let padded = count.next_multiple_of(LANES);
    if let (Some(to), Some(from)) = (to.get_mut(at..at + padded), from.get(start..start + padded)) {
        let ((to, _), (from, _)) = (to.as_chunks_mut::<LANES>(), from.as_chunks::<LANES>());
        for (to, from) in to.iter_mut().zip(from) {
            *to = *from;
        }
    } else if let (Some(to), Some(from)) = (to.get_mut(at..at + count), from.get(start..start + count)) {
        to.copy_from_slice(from);
    }
}

/// What a run covers, `size` values a pixel. Nothing where it lies outside, which it never does.
#[inline(always)]
fn run_pixels_mut<'t, T>(values: &'t mut [T], run: &PixelRun, stride: usize, size: usize) -> &'t mut [T] {
    let start = (run.y * stride + run.x) * size;
    values.get_mut(start..start + run.count * size).unwrap_or(&mut [])
}
