//! Planes of integers in 32-bit lanes, for texture coordinates.

use fearless_simd::i32x8;

use super::plane_lanes::NarrowRamps;
use crate::ge::arithmetic::simd::prelude::*;
use crate::raster::rules::setup_reciprocal::SHIFT;

/// A plane of integers. Its sums fit in 32 bits at covered pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct IntegerRamp {
    start: i32,
    pub(super) right: i32,
    pub(super) down: i32,
    shift: u32,
}

impl IntegerRamp {
    /// Takes a single ramp out of four.
    #[inline(always)]
    pub(super) const fn new(ramps: &NarrowRamps, number: usize) -> Self {
        let NarrowRamps { start, right, down } = ramps;
        Self { start: start[number], right: right[number], down: down[number], shift: SHIFT }
    }

    /// Creates a plane with the same integer everywhere.
    pub(super) const fn constant(integer: i32) -> Self {
        Self { start: integer, right: 0, down: 0, shift: 0 }
    }

    /// Computes the integer at a pixel, relative to the bounds. Columns and rows have 10 bits. Sums may wrap at
    /// pixels not covered.
    pub(super) const fn value(&self, x: u32, y: u32) -> i32 {
        let across = self.right.wrapping_mul(x.cast_signed());
        let along = self.down.wrapping_mul(y.cast_signed());
        self.start.wrapping_add(across).wrapping_add(along) >> self.shift
    }

    /// Computes the integers at eight pixels, relative to the bounds.
    #[inline(always)]
    pub(super) fn at<S: Simd>(&self, x: i32x8<S>, y: i32x8<S>) -> i32x8<S> {
        (x * self.right + y * self.down + self.start) >> self.shift
    }
}
