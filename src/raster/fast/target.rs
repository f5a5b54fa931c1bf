//! The rows of the framebuffer that are drawn into, and how batches come from there and go back.

use super::batch::{Batch, Run, SIZE, groups, groups_mut};
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
    /// Reads the stored bits under a batch.
    #[inline(always)]
    pub(super) fn load_color(&self, batch: &mut Batch) {
        if self.format == PixelFormat::ABGR8888 {
            let (pixels, _) = self.color.as_chunks::<4>();
            for run in &batch.runs {
                let pixels = side_by_side(pixels, run, self.color_stride);
                for (bits, pixel) in batch.bits[run.lane..].iter_mut().zip(pixels) {
                    *bits = u32::from_le_bytes(*pixel);
                }
            }
        } else {
            let (pixels, _) = self.color.as_chunks::<2>();
            for run in &batch.runs {
                let pixels = side_by_side(pixels, run, self.color_stride);
                for (bits, pixel) in batch.bits[run.lane..].iter_mut().zip(pixels) {
                    *bits = u32::from(u16::from_le_bytes(*pixel));
                }
            }
        }
    }

    /// Writes a batch's bits back.
    #[inline(always)]
    pub(super) fn store_color(&mut self, batch: &Batch) {
        if self.format == PixelFormat::ABGR8888 {
            let (pixels, _) = self.color.as_chunks_mut::<4>();
            for run in &batch.runs {
                let pixels = side_by_side_mut(pixels, run, self.color_stride);
                for (bits, pixel) in batch.bits[run.lane..].iter().zip(pixels) {
                    *pixel = bits.to_le_bytes();
                }
            }
        } else {
            let (pixels, _) = self.color.as_chunks_mut::<2>();
            for run in &batch.runs {
                let pixels = side_by_side_mut(pixels, run, self.color_stride);
                for (bits, pixel) in batch.bits[run.lane..].iter().zip(pixels) {
                    let [low, high, ..] = bits.to_le_bytes();
                    *pixel = [low, high];
                }
            }
        }
    }

    /// Reads the depths under a batch.
    #[inline(always)]
    pub(super) fn load_depth(&self, batch: &mut Batch) {
        for run in &batch.runs {
            let depths = side_by_side(self.depth, run, self.depth_stride);
            for (old, depth) in batch.old_z[run.lane..].iter_mut().zip(depths) {
                *old = *depth;
            }
        }
    }

    /// Writes the depths of fragments that are alive; the others keep what [`Self::load_depth`] found.
    #[inline(always)]
    pub(super) fn store_depth(&mut self, batch: &mut Batch) {
        let count = batch.groups();
        let values = groups(&batch.z, count).iter().zip(groups(&batch.alive, count));
        for (old, (z, alive)) in groups_mut(&mut batch.old_z[..SIZE], count).iter_mut().zip(values) {
            for lane in 0..old.len() {
                old[lane] = z[lane] & alive[lane] | old[lane] & !alive[lane];
            }
        }
        for run in &batch.runs {
            let depths = side_by_side_mut(self.depth, run, self.depth_stride);
            for (depth, z) in depths.iter_mut().zip(&batch.old_z[run.lane..]) {
                *depth = *z;
            }
        }
    }
}

/// What a run covers. Nothing where it lies outside, which it never does.
#[inline(always)]
fn side_by_side<'t, T>(values: &'t [T], run: &Run, stride: usize) -> &'t [T] {
    let start = run.y * stride + run.x;
    values.get(start..start + run.count).unwrap_or(&[])
}

#[inline(always)]
fn side_by_side_mut<'t, T>(values: &'t mut [T], run: &Run, stride: usize) -> &'t mut [T] {
    let start = run.y * stride + run.x;
    values.get_mut(start..start + run.count).unwrap_or(&mut [])
}
