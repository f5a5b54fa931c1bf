//! For each position in a draw's buffers: how many fragments it got, and the pixel's fate.

use super::fragment_counts::PixelFate;
use crate::pipeline::framebuffer::COORDINATES;

/// How many positions a buffer has.
const POSITIONS: usize = (COORDINATES * COORDINATES) as usize;

/// The pixels that a draw touched.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct DrawnPixels {
    fragments: Vec<u32>,
    fates: Vec<PixelFate>,
}

/// A rectangle of pixels. Both corners belong to it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PixelBounds {
    /// Column and row of the upper left pixel.
    pub first: [u32; 2],
    /// Column and row of the lower right pixel.
    pub last: [u32; 2],
}

impl Default for DrawnPixels {
    /// Begins with all pixels untouched.
    fn default() -> Self {
        Self { fragments: vec![0; POSITIONS], fates: vec![PixelFate::Untouched; POSITIONS] }
    }
}

impl DrawnPixels {
    /// Adds a fragment. Positions wrap modulo 1024, as in the buffers.
    pub(crate) fn add(&mut self, [x, y]: [u32; 2], fate: PixelFate) {
        let index = index([x % COORDINATES, y % COORDINATES]);
        if let (Some(count), Some(known)) = (self.fragments.get_mut(index), self.fates.get_mut(index)) {
            *count = count.saturating_add(1);
            *known = fate.max(*known);
        }
    }

    /// Returns the fate of the pixel at a position in the draw's buffers.
    #[must_use]
    pub fn fate(&self, position: [u32; 2]) -> PixelFate {
        let is_inside = position.iter().all(|coordinate| *coordinate < COORDINATES);
        let fate = self.fates.get(index(position)).filter(|_| is_inside);
        fate.copied().unwrap_or_default()
    }

    /// Iterates over the touched pixels. Each comes with column and row, how many fragments it got, and its fate.
    pub fn touched(&self) -> impl Iterator<Item = ([u32; 2], u32, PixelFate)> {
        let all = (0..).zip(self.fragments.iter().zip(&self.fates));
        all.filter(|(_, (count, _))| **count > 0).map(|(index, (count, fate)): (u32, _)| {
            ([index % COORDINATES, index / COORDINATES], *count, *fate)
        })
    }

    /// Returns the smallest rectangle around the touched pixels, or around written pixels only; `None` if there are
    /// none.
    #[must_use]
    pub fn bounds(&self, written_only: bool) -> Option<PixelBounds> {
        let touched = self.touched().filter(|(_, _, fate)| !written_only || *fate == PixelFate::Written);
        touched.map(|(at, _, _)| PixelBounds { first: at, last: at }).reduce(PixelBounds::union)
    }

    /// Returns the largest fragment count at a pixel, and how many pixels are touched.
    #[must_use]
    pub fn overdraw(&self) -> (u32, u64) {
        let counts = self.fragments.iter().filter(|count| **count > 0);
        counts.fold((0, 0), |(largest, pixels), count| (largest.max(*count), pixels + 1))
    }
}

impl PixelBounds {
    /// Returns the smallest rectangle around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let [left, top] = [0, 1].map(|axis| self.first[axis].min(other.first[axis]));
        let [right, bottom] = [0, 1].map(|axis| self.last[axis].max(other.last[axis]));
        Self { first: [left, top], last: [right, bottom] }
    }

    /// Returns how many columns and rows this rectangle has.
    #[must_use]
    pub fn size(self) -> [u32; 2] {
        [0, 1].map(|axis| self.last[axis].saturating_sub(self.first[axis]).saturating_add(1))
    }
}

impl std::fmt::Display for PixelBounds {
    /// Writes `10,20 to 29,39 (20x20 pixels)`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ([left, top], [right, bottom], [width, height]) = (self.first, self.last, self.size());
        write!(f, "{left},{top} to {right},{bottom} ({width}x{height} pixels)")
    }
}

const fn index([x, y]: [u32; 2]) -> usize {
    (y * COORDINATES + x) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_keep_the_farthest_fate() {
        let mut pixels = DrawnPixels::default();
        assert_eq!((pixels.bounds(false), pixels.overdraw()), (None, (0, 0)), "untouched");
        for (at, fate) in
            [([3, 4], PixelFate::Written), ([3, 4], PixelFate::Depth), ([9, 2], PixelFate::Alpha)]
        {
            pixels.add(at, fate);
        }
        pixels.add([1024 + 5, 6], PixelFate::Depth);
        assert_eq!(pixels.fate([3, 4]), PixelFate::Written, "a later failure changes nothing");
        assert_eq!(pixels.fate([5, 6]), PixelFate::Depth, "positions wrap");
        assert_eq!(pixels.fate([1024, 0]), PixelFate::Untouched, "outside");
        assert_eq!(pixels.overdraw(), (2, 3), "two fragments at one of three pixels");
        let bounds = pixels.bounds(false).expect("touched");
        assert_eq!(bounds.to_string(), "3,2 to 9,6 (7x5 pixels)", "around all");
        let written = PixelBounds { first: [3, 4], last: [3, 4] };
        assert_eq!(pixels.bounds(true), Some(written), "around the written one");
    }
}
