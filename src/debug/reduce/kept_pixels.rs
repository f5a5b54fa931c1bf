//! Keeps pixels with their values, to check each trial in a reduction.

use crate::debug::pixel::target::{PixelBytes, PixelTarget, PixelTargetError};
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;

/// Pixels in a buffer, each with the bits it must have.
#[derive(Clone, Debug)]
pub struct KeptPixels {
    target: PixelTarget,
    pixels: Vec<KeptPixel>,
    /// How VRAM is translated after the run.
    translation: Translation,
}

/// A pixel with its bits.
#[derive(Clone, Copy, Debug)]
struct KeptPixel {
    position: [u32; 2],
    bytes: PixelBytes,
    bits: u32,
}

impl KeptPixels {
    /// Reads pixels' bits, by column and row.
    ///
    /// # Errors
    /// If the buffer has no such pixel.
    pub(super) fn read(
        target: PixelTarget,
        positions: &[[u32; 2]],
        memory: &Memory,
    ) -> Result<Self, PixelTargetError> {
        let read = |position: &[u32; 2]| {
            let bytes = PixelBytes::new(target, *position, memory)?;
            Ok(KeptPixel { position: *position, bytes, bits: bytes.read(memory) })
        };
        let pixels = positions.iter().map(read).collect::<Result<_, _>>()?;
        Ok(Self { target, pixels, translation: memory.translation() })
    }

    /// Reads pixels' bits, by column and row. Leaves out positions at which the buffer has no pixel.
    pub(super) fn read_existing(target: PixelTarget, positions: &[[u32; 2]], memory: &Memory) -> Self {
        let read = |position: &[u32; 2]| {
            let bytes = PixelBytes::new(target, *position, memory).ok()?;
            Some(KeptPixel { position: *position, bytes, bits: bytes.read(memory) })
        };
        let pixels = positions.iter().filter_map(read).collect();
        Self { target, pixels, translation: memory.translation() }
    }

    /// Returns the buffer that holds these pixels.
    #[must_use]
    pub const fn target(&self) -> PixelTarget {
        self.target
    }

    /// Counts the pixels.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.pixels.len()
    }

    /// Returns whether there are no pixels.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.pixels.is_empty()
    }

    /// Returns column, row and bits for the first pixel; `None` if there are no pixels.
    #[must_use]
    pub fn first(&self) -> Option<([u32; 2], u32)> {
        self.pixels.first().map(|pixel| (pixel.position, pixel.bits))
    }

    /// Returns the first pixel whose bits in memory have changed; `None` if all are kept.
    #[must_use]
    pub fn first_lost(&self, memory: &Memory) -> Option<[u32; 2]> {
        let lost = |pixel: &&KeptPixel| pixel.bytes.read(memory) != pixel.bits;
        self.pixels.iter().find(lost).map(|pixel| pixel.position)
    }

    pub(super) const fn translation(&self) -> Translation {
        self.translation
    }

    /// Lists each pixel by first byte and length.
    pub(super) fn ranges(&self) -> impl Iterator<Item = (crate::ge::address::Address, u32)> {
        self.pixels.iter().map(|pixel| (pixel.bytes.address, pixel.bytes.length))
    }
}
