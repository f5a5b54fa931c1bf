//! The rows of the framebuffer that are drawn into, and how batches come from there and go back.

use super::batch::{Batch, Run};
use crate::registers::texture::PixelFormat;

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
    pub(super) first: usize,
    /// The row behind the last one.
    pub(super) end: usize,
}

impl Target<'_> {
    /// Reads the stored pixels under a batch.
    #[inline(always)]
    pub(super) fn load_color(&self, batch: &mut Batch) {
        let size = pixel_bytes(self.format);
        for run in &batch.runs {
            let pixels = side_by_side(self.color, run, self.color_stride, size);
            copy(&mut batch.stored[run.lane * size..], pixels);
        }
    }

    /// Writes a batch's pixels back.
    #[inline(always)]
    pub(super) fn store_color(&mut self, batch: &Batch) {
        let size = pixel_bytes(self.format);
        for run in &batch.runs {
            let pixels = side_by_side_mut(self.color, run, self.color_stride, size);
            copy(pixels, &batch.stored[run.lane * size..]);
        }
    }

    /// Reads the depths under a batch.
    #[inline(always)]
    pub(super) fn load_depth(&self, batch: &mut Batch) {
        for run in &batch.runs {
            copy(&mut batch.old_z[run.lane..], side_by_side(self.depth, run, self.depth_stride, 1));
        }
    }

    /// Writes a batch's depths back.
    #[inline(always)]
    pub(super) fn store_depth(&mut self, batch: &Batch) {
        for run in &batch.runs {
            copy(side_by_side_mut(self.depth, run, self.depth_stride, 1), &batch.old_z[run.lane..]);
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
fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    let count = to.len().min(from.len());
    to[..count].copy_from_slice(&from[..count]);
}

/// What a run covers, `size` values a pixel. Nothing where it lies outside, which it never does.
#[inline(always)]
fn side_by_side<'t, T>(values: &'t [T], run: &Run, stride: usize, size: usize) -> &'t [T] {
    let start = (run.y * stride + run.x) * size;
    values.get(start..start + run.count * size).unwrap_or(&[])
}

#[inline(always)]
fn side_by_side_mut<'t, T>(values: &'t mut [T], run: &Run, stride: usize, size: usize) -> &'t mut [T] {
    let start = (run.y * stride + run.x) * size;
    values.get_mut(start..start + run.count * size).unwrap_or(&mut [])
}
