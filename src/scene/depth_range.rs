//! Finds the range of drawn depths, to stretch depth pictures over all greys.

use std::fmt;

use image::{ImageBuffer, Luma};

/// A depth buffer as a picture.
pub(crate) type DepthImage = ImageBuffer<Luma<u16>, Vec<u16>>;

/// The smallest and the largest drawn depth.
///
/// ```
/// use pspge::scene::depth_range::DepthRange;
///
/// let range = DepthRange::of([500, 100, 300]).expect("some depths");
/// assert_eq!((range.low, range.high), (100, 500));
/// assert_eq!([0, 100, 300, 500, 900].map(|depth| range.normalized(depth)), [0, 0, 32768, 65535, 65535]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DepthRange {
    /// The smallest depth.
    pub low: u16,
    /// The largest depth.
    pub high: u16,
}

impl DepthRange {
    /// Returns the range around these depths; `None` without depths.
    #[must_use]
    pub fn of(depths: impl IntoIterator<Item = u16>) -> Option<Self> {
        depths.into_iter().map(|depth| Self { low: depth, high: depth }).reduce(Self::union)
    }

    /// Returns the range around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Maps this range to 0 to 65535, to use all greys. Depths outside become the nearer end. A range with a single
    /// depth maps this to 65535.
    #[must_use]
    pub fn normalized(self, depth: u16) -> u16 {
        let (width, above) = (u32::from(self.high - self.low.min(self.high)), depth.saturating_sub(self.low));
        if width == 0 {
            return if depth >= self.low { u16::MAX } else { 0 };
        }
        // This is at most 65535 × 65535 + 32767, which fits.
        let scaled = (u32::from(above) * u32::from(u16::MAX) + width / 2) / width;
        u16::try_from(scaled).unwrap_or(u16::MAX)
    }

    /// Maps all depths in a picture.
    pub fn normalize(self, picture: &mut DepthImage) {
        for Luma([depth]) in picture.pixels_mut() {
            *depth = self.normalized(*depth);
        }
    }
}

impl fmt::Display for DepthRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_map_to_all_values() {
        let all = DepthRange { low: 0, high: u16::MAX };
        for depth in [0, 1, 100, 65534, 65535] {
            assert_eq!(all.normalized(depth), depth, "the whole range stays");
        }
        let narrow = DepthRange { low: 65534, high: 65535 };
        assert_eq!([0, 65534, 65535].map(|depth| narrow.normalized(depth)), [0, 0, 65535], "two values");
        let one = DepthRange { low: 7, high: 7 };
        assert_eq!([6, 7, 8].map(|depth| one.normalized(depth)), [0, 65535, 65535], "one value");
        assert_eq!(DepthRange::of([]), None, "no depth");
    }

    #[test]
    fn pictures_are_stretched() {
        let mut picture = DepthImage::from_raw(3, 1, vec![10, 20, 30]).expect("three pixels");
        DepthRange { low: 20, high: 30 }.normalize(&mut picture);
        assert_eq!(picture.into_raw(), [0, 0, 65535], "stretched");
    }
}
