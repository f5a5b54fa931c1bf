//! Leaves out differences on which any two rasterizers disagree: edges a pixel apart, and filters with different
//! rounding.
//!
//! Two tests look for the other differences, each with its own aim:
//! * *Areas*: a pixel is unlike if a channel lies outside the range of the 3x3 pixels around it in the other
//!   picture, widened by a tolerance, in either direction. It counts if at least five of the 3x3 pixels around it
//!   are unlike: edges and single pixels drop out, surfaces stay.
//! * *Blocks*: a block of 8x8 pixels counts if its mean differs. This finds surfaces that are slightly too dark or
//!   bright.
//!
//! The thresholds are those of the public collection of frame dumps with pictures from a PSP, so that figures can be
//! compared with the published ones.

use super::error::CompareError;
use super::options::CompareOptions;
use super::pair::Pair;
use super::picture::Picture;
use super::region::Region;

/// How far an 8-bit channel may lie outside the range in the other picture.
const TOLERANCE: u16 = 12;
/// How many of 3x3 pixels must be unlike for the middle to count, if it is unlike, too.
const LEAST_UNLIKE: usize = 5;
/// Block width and height in pixels.
const BLOCK: u32 = 8;
/// How far an 8-bit channel's mean may differ in a block.
const BLOCK_TOLERANCE: i64 = 8;

/// The difference beyond edges and rounding.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AreaDifference {
    /// How many pixels belong to areas that differ.
    pub pixels: u64,
    /// How many blocks of 8x8 pixels differ in their mean.
    pub blocks: u64,
    /// How many blocks there are.
    pub block_count: u64,
    /// For each channel, the mean of the second picture's value minus the first's.
    pub bias: Vec<f64>,
}

impl AreaDifference {
    /// Returns true if no pixel and no block counts.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        self.pixels == 0 && self.blocks == 0
    }
}

/// Measures the difference beyond edges and rounding. Tolerance and bounds in the options have no effect, and
/// excluded pixels are taken as equal.
///
/// # Errors
/// As [`pictures`](super::pictures) about sizes, regions and masks.
///
/// ```
/// use pspge::compare::{self, CompareOptions, Picture};
/// use pspge::image::{Rgb, RgbImage};
///
/// let first = RgbImage::new(32, 32);
/// let mut second = first.clone();
/// second.put_pixel(3, 5, Rgb([255, 255, 255]));
/// let picture = |image: &RgbImage| Picture::from_image(image.clone());
/// let options = CompareOptions::default();
/// let difference = compare::areas(&picture(&first)?, &picture(&second)?, &options)?;
/// assert!(difference.is_none(), "a single pixel is no area");
/// # Ok::<(), compare::CompareError>(())
/// ```
pub fn areas(
    first: &Picture,
    second: &Picture,
    options: &CompareOptions,
) -> Result<AreaDifference, CompareError> {
    let planes = Planes::new(&Pair::new(first, second, options)?);
    let unlike = planes.unlike();
    let pixels = planes.places().filter(|&(x, y)| {
        let is_unlike = |(x, y)| unlike.get(planes.index(x, y)).is_some_and(|unlike| *unlike);
        is_unlike((x, y)) && planes.around(x, y).filter(|place| is_unlike(*place)).count() >= LEAST_UNLIKE
    });
    let pixels = pixels.count() as u64;
    let blocks = planes.blocks();
    Ok(AreaDifference {
        pixels,
        blocks: blocks.iter().filter(|differs| **differs).count() as u64,
        block_count: blocks.len() as u64,
        bias: planes.bias(),
    })
}

/// Both pictures' samples, channel by channel.
struct Planes {
    width: u32,
    height: u32,
    /// How many steps in the pictures make an 8-bit step.
    step: u16,
    channels: Vec<[Vec<u16>; 2]>,
}

impl Planes {
    fn new(pair: &Pair<'_>) -> Self {
        let Region { width, height, .. } = pair.counted.common;
        let count = width as usize * height as usize;
        let plane = || Vec::with_capacity(count);
        let mut channels: Vec<_> = pair.channels.indices().iter().map(|_| [plane(), plane()]).collect();
        for (x, y) in pair.counted.common.pixels() {
            let counts = pair.counted.contains(x, y);
            let [a, b] = pair.pixel(x, y);
            for (planes, &channel) in channels.iter_mut().zip(pair.channels.indices()) {
                let [first, second] = planes;
                first.push(a[channel]);
                // A pixel that does not count becomes equal in both, so that it cannot make its neighbours differ.
                second.push(if counts { b[channel] } else { a[channel] });
            }
        }
        let step = pair.depth.max_value() / u16::from(u8::MAX);
        Self { width, height, step, channels }
    }

    fn places(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let Self { width, height, .. } = *self;
        (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
    }

    const fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// Lists the 3x3 pixels around a place. At the border, pixels are repeated to make nine.
    fn around(&self, x: u32, y: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let side = |at: u32, length: u32| {
            [at.saturating_sub(1), at, at.saturating_add(1).min(length.saturating_sub(1))]
        };
        let columns = side(x, self.width);
        side(y, self.height).into_iter().flat_map(move |y| columns.into_iter().map(move |x| (x, y)))
    }

    /// Tells for each pixel whether the pictures are unlike there.
    fn unlike(&self) -> Vec<bool> {
        let mut unlike = vec![false; self.width as usize * self.height as usize];
        let tolerance = TOLERANCE.saturating_mul(self.step);
        for [first, second] in &self.channels {
            let ranges = [self.ranges(first), self.ranges(second)];
            let is_outside = |sample: u16, (least, largest): (u16, u16)| {
                sample < least.saturating_sub(tolerance) || sample > largest.saturating_add(tolerance)
            };
            let [of_first, of_second] = &ranges;
            let pixels = first.iter().zip(of_second).zip(second.iter().zip(of_first));
            for (unlike, ((a, range_b), (b, range_a))) in unlike.iter_mut().zip(pixels) {
                *unlike |= is_outside(*a, *range_b) || is_outside(*b, *range_a);
            }
        }
        unlike
    }

    /// Finds the least and the largest sample in the 3x3 pixels around each. Rows are done first and columns from
    /// their results, to read fewer samples.
    fn ranges(&self, plane: &[u16]) -> Vec<(u16, u16)> {
        let width = self.width as usize;
        let join = |a: (u16, u16), b: (u16, u16)| (a.0.min(b.0), a.1.max(b.1));
        let mut of_rows = Vec::with_capacity(plane.len());
        for row in plane.chunks(width) {
            let at = |x: usize| row.get(x.min(width - 1)).map_or((0, 0), |sample| (*sample, *sample));
            // Both neighbours join the pixel itself. Past the border this repeats the last sample, which changes
            // nothing.
            of_rows.extend((0..width).map(|x| join(join(at(x.saturating_sub(1)), at(x)), at(x + 1))));
        }
        let last = self.height.saturating_sub(1) as usize;
        let at = |x: usize, y: usize| of_rows.get(y.min(last) * width + x).copied().unwrap_or_default();
        let range = |index: usize| {
            let (x, y) = (index % width, index / width);
            join(join(at(x, y.saturating_sub(1)), at(x, y)), at(x, y + 1))
        };
        (0..plane.len()).map(range).collect()
    }

    /// Tells for each block whether a mean differs. Blocks at the right and lower border may be smaller.
    fn blocks(&self) -> Vec<bool> {
        let across = self.width.div_ceil(BLOCK);
        let count = across as usize * self.height.div_ceil(BLOCK) as usize;
        let mut sums = vec![(0_i64, 0_i64); count];
        let mut differs = vec![false; count];
        let block = |x: u32, y: u32| (y / BLOCK) as usize * across as usize + (x / BLOCK) as usize;
        for [first, second] in &self.channels {
            sums.fill((0, 0));
            for ((x, y), (a, b)) in self.places().zip(first.iter().zip(second)) {
                if let Some((sum, pixels)) = sums.get_mut(block(x, y)) {
                    *sum += i64::from(*b) - i64::from(*a);
                    *pixels += 1;
                }
            }
            let tolerance = BLOCK_TOLERANCE * i64::from(self.step);
            // This compares sums instead of means, to stay exact.
            for (differs, (sum, pixels)) in differs.iter_mut().zip(&sums) {
                *differs |= sum.abs() > tolerance * pixels;
            }
        }
        differs
    }

    fn bias(&self) -> Vec<f64> {
        let mean = |[first, second]: &[Vec<u16>; 2]| {
            let sum: i64 = first.iter().zip(second).map(|(a, b)| i64::from(*b) - i64::from(*a)).sum();
            #[expect(clippy::cast_precision_loss, reason = "pictures have far fewer than 2^36 pixels")]
            let mean = sum as f64 / first.len().max(1) as f64;
            mean
        };
        self.channels.iter().map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::picture::{Channels, Depth};
    use super::*;

    const SIDE: u32 = 32;

    /// A grey picture with 32x32 pixels.
    fn picture(depth: Depth, value: impl Fn(u32, u32) -> u16) -> Picture {
        let samples = (0..SIDE * SIDE).map(|index| value(index % SIDE, index / SIDE)).collect();
        Picture::new([SIDE, SIDE], Channels::Grey, depth, samples).expect("a picture")
    }

    fn compare(first: &Picture, second: &Picture) -> AreaDifference {
        areas(first, second, &CompareOptions::default()).expect("comparable")
    }

    #[test]
    fn a_moved_edge_is_no_area() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let edge = |at: u32| picture(depth, move |x, _| if x < at { 0 } else { depth.max_value() });
            let one = compare(&edge(8), &edge(9));
            assert_eq!(one.pixels, 0, "by a pixel, {depth:?}");
            assert_eq!(compare(&edge(8), &edge(11)).pixels, 3 * u64::from(SIDE), "by three, {depth:?}");
        }
    }

    #[test]
    fn a_missing_surface_is_an_area() {
        let black = picture(Depth::Eight, |_, _| 0);
        let square =
            picture(Depth::Eight, |x, y| if (8..16).contains(&x) && (8..16).contains(&y) { 200 } else { 0 });
        let difference = compare(&black, &square);
        // No pixel drops out for its neighbourhood in the other picture, because black has no bright pixel anywhere.
        // Only the corners do: they have only four unlike pixels around them.
        assert_eq!((difference.pixels, difference.blocks, difference.block_count), (60, 1, 16), "the square");
        assert_eq!(difference.bias, [200.0 * 64.0 / 1024.0], "brighter");
        assert_eq!(compare(&square, &black).pixels, 60, "in both directions");
    }

    #[test]
    fn a_slightly_darker_surface_is_found_by_blocks_alone() {
        let first = picture(Depth::Eight, |_, _| 100);
        let second = picture(Depth::Eight, |x, _| if x < 8 { 91 } else { 92 });
        let difference = compare(&first, &second);
        assert_eq!(
            (difference.pixels, difference.blocks),
            (0, 4),
            "more than 8 in the first column of blocks"
        );
    }
}
