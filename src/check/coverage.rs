//! Counts the pixels under primitives, ignoring tests and writes.

use super::subject::Subject;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::raster::cost;
use crate::raster::coverage::for_each_pixel;
use crate::raster::pixel_rect::PixelRect;

/// Counts covered pixels, until a limit stops it.
#[derive(Clone, Debug)]
pub(super) struct CoverageCounter {
    budget: Budget,
}

impl CoverageCounter {
    /// Creates a counter for up to [`Limits::pixels`].
    pub(super) fn new(limits: &Limits) -> Self {
        Self { budget: Budget::new(limits, Limit::Pixels) }
    }

    /// Counts a draw's pixels inside an area.
    ///
    /// # Errors
    /// Returns the limit if the count reaches it.
    pub(super) fn count(
        &mut self,
        subject: Subject<'_>,
        memory: &Memory,
        arithmetic: Arithmetic,
        area: &PixelRect,
    ) -> Result<u64, LimitHit> {
        let mut pixels = 0_u64;
        let mut result = Ok(());
        subject.to_screen(memory, arithmetic, &mut |primitive| {
            result = result.and_then(|()| self.budget.spend(cost::of_primitive(primitive, area, 1)));
            if result.is_ok() {
                let count = &mut |_, _| pixels = pixels.saturating_add(1);
                for_each_pixel(&primitive.shape, primitive.arithmetic, area, count);
            }
        });
        result.map(|()| pixels)
    }
}
