//! Aligns two pictures, and brings them to the same depth and channels.

use super::counted::Counted;
use super::error::CompareError;
use super::options::CompareOptions;
use super::picture::{Channels, Depth, Picture};
use super::region::Region;

/// Two aligned pictures, read at the same depth and with the same channels.
#[derive(Debug)]
pub(super) struct Pair<'p> {
    first: &'p Picture,
    second: &'p Picture,
    offset: [i32; 2],
    /// Knows which pixels count.
    pub(super) counted: Counted<'p>,
    pub(super) channels: Channels,
    /// The depth of the deeper picture.
    pub(super) depth: Depth,
}

impl<'p> Pair<'p> {
    pub(super) fn new(
        first: &'p Picture,
        second: &'p Picture,
        options: &'p CompareOptions,
    ) -> Result<Self, CompareError> {
        let sizes = [first.size(), second.size()];
        let is_aligned = options.offset.is_some() || !options.regions.is_empty();
        if sizes[0] != sizes[1] && !is_aligned {
            return Err(CompareError::SizesDiffer { first: sizes[0], second: sizes[1] });
        }
        let offset = options.offset.unwrap_or_default();
        let common = overlap(sizes, offset).ok_or(CompareError::NoOverlap { first: sizes[0], offset })?;
        let layouts = [first.channels(), second.channels()];
        let has_alpha = !options.ignore_alpha && layouts.iter().any(|channels| channels.has_alpha());
        Ok(Self {
            first,
            second,
            offset,
            counted: Counted::new(common, sizes[0], options)?,
            channels: Channels::new(layouts.iter().any(|channels| channels.has_color()), has_alpha),
            depth: first.depth().max(second.depth()),
        })
    }

    /// Returns a pixel's red, green, blue and alpha in both pictures, at the common depth. The place is in the first
    /// picture's pixels. Outside a picture, all are 0.
    pub(super) fn pixel(&self, x: u32, y: u32) -> [[u16; 4]; 2] {
        let moved = |at: u32, offset: i32| u32::try_from(i64::from(at) - i64::from(offset)).ok();
        let second = moved(x, self.offset[0]).zip(moved(y, self.offset[1]));
        let second = second.and_then(|(x, y)| self.second.pixel(x, y));
        let widen = |pixel: Option<[u16; 4]>, depth: Depth| {
            // This cannot overflow: only 8-bit samples have a factor other than 1.
            pixel.unwrap_or_default().map(|sample| sample.saturating_mul(depth.factor_to(self.depth)))
        };
        [widen(self.first.pixel(x, y), self.first.depth()), widen(second, self.second.depth())]
    }

    /// Returns the absolute differences in red, green, blue and alpha at a pixel; 0 for ignored channels and for
    /// pixels that do not count.
    pub(super) fn difference(&self, x: u32, y: u32) -> [u16; 4] {
        let mut difference = [0; 4];
        if self.counted.contains(x, y) {
            let [first, second] = self.pixel(x, y);
            for &channel in self.channels.indices() {
                difference[channel] = first[channel].abs_diff(second[channel]);
            }
        }
        difference
    }

    /// Lists the counted pixels: rows from the top, pixels from the left.
    pub(super) fn counted_pixels(&self) -> impl Iterator<Item = (u32, u32)> {
        self.counted.common.pixels().filter(|&(x, y)| self.counted.contains(x, y))
    }
}

/// Returns the part of the first picture covered by the second, if the second's upper left pixel is at `offset`.
fn overlap([first, second]: [[u32; 2]; 2], offset: [i32; 2]) -> Option<Region> {
    let range = |axis: usize| {
        let start = i64::from(offset[axis]).max(0);
        let end = (i64::from(offset[axis]) + i64::from(second[axis])).min(i64::from(first[axis]));
        let side = u32::try_from(end - start).ok().filter(|&side| side > 0)?;
        Some((u32::try_from(start).ok()?, side))
    };
    let ((x, width), (y, height)) = (range(0)?, range(1)?);
    Some(Region { x, y, width, height })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlaps_on_every_side() {
        let at = |offset| overlap([[10, 8], [4, 4]], offset).map(|region| region.to_string());
        assert_eq!(at([0, 0]).as_deref(), Some("0,0,4x4"), "at the corner");
        assert_eq!(at([-3, -1]).as_deref(), Some("0,0,1x3"), "left and above");
        assert_eq!(at([9, 6]).as_deref(), Some("9,6,1x2"), "right and below");
        for outside in [[-4, 0], [10, 0], [0, 8], [i32::MIN, 0], [0, i32::MAX]] {
            assert_eq!(at(outside), None, "{outside:?}");
        }
    }

    #[test]
    fn depth_and_channels_are_the_larger() {
        let grey = Picture::new([1, 1], Channels::GreyAlpha, Depth::Eight, vec![128, 255]).expect("grey");
        let color = Picture::new([1, 1], Channels::Rgb, Depth::Sixteen, vec![1, 2, 3]).expect("colour");
        let mut options = CompareOptions::default();
        let pair = Pair::new(&grey, &color, &options).expect("one size");
        assert_eq!((pair.channels, pair.depth), (Channels::Rgba, Depth::Sixteen), "of both");
        let expected = [[128 * 257, 128 * 257, 128 * 257, 65535], [1, 2, 3, 65535]];
        assert_eq!(pair.pixel(0, 0), expected, "8 bits widen; grey becomes colour; opaque without alpha");
        options.ignore_alpha = true;
        let pair = Pair::new(&grey, &color, &options).expect("one size");
        assert_eq!(pair.channels, Channels::Rgb, "alpha is ignored");
    }
}
