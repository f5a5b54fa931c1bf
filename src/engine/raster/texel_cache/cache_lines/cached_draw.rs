//! Passes texels through the texture cache to draws by the reference.

use super::lines::{CacheLines, CachedTexels};
use super::pixel_walk::PixelWalk;
use super::write_delay::WriteDelay;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::texture::content_hash;
use crate::raster::rules::pixel_rect::PixelRect;

/// Tells a draw where to fetch its texels.
#[derive(Debug)]
pub(crate) enum TexelAccess<'a> {
    /// From memory at the moment of each pixel, as emulators do.
    Live,
    Cached(CachedDraw<'a>),
}

/// A draw that goes through the texture cache.
#[derive(Debug)]
pub(crate) struct CachedDraw<'a> {
    lines: &'a mut CacheLines,
    /// The draw's number, to tell its own lines from older lines.
    number: u64,
}

/// Gives a pixel access to the cache.
pub(crate) struct PixelLines<'a> {
    lines: &'a mut CacheLines,
    delay: Option<&'a WriteDelay>,
    number: u64,
}

impl PixelLines<'_> {
    /// Returns the source for this pixel's texels.
    pub(crate) fn texels<'m>(&'m mut self, memory: &'m mut Memory) -> CachedTexels<'m> {
        let Self { lines, delay, number } = self;
        CachedTexels { lines, memory, delay: *delay, draw: *number }
    }
}

impl<'a> CachedDraw<'a> {
    pub(crate) const fn new(lines: &'a mut CacheLines, number: u64) -> Self {
        Self { lines, number }
    }

    /// Passes a primitive's pixels to `draw` in the hardware's drawing order. If the primitive samples its own
    /// target, this also delays its pixels, because its texels must see them only when memory gets them.
    pub(crate) fn draw(
        &mut self,
        memory: &mut Memory,
        registers: &Registers,
        primitive: &ScreenPrimitive,
        scissor: &PixelRect,
        mut draw: impl FnMut(&mut Memory, &mut PixelLines<'_>, [u32; 2]),
    ) {
        let Self { lines, number } = self;
        let walk = PixelWalk::new(primitive, scissor);
        // Only a texture in VRAM can overlap the target, so all others need no delay.
        let samples_vram = content_hash::levels(registers).any(|level| level.address.is_vram());
        let mut delay = samples_vram.then(|| WriteDelay::new(registers));
        for (y, columns, pixels) in walk.rows() {
            if let Some(delay) = &mut delay {
                delay.begin_row(registers, y, columns);
            }
            for x in pixels {
                if let Some(delay) = &mut delay {
                    delay.begin_pixel(memory, registers, x, y);
                }
                let mut lines = PixelLines { lines, delay: delay.as_ref(), number: *number };
                draw(memory, &mut lines, [x, y]);
                if let Some(delay) = &mut delay {
                    delay.end_pixel();
                }
            }
        }
    }
}
