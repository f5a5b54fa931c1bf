//! Finds the worst part of a difference, by joining blocks with pixels that differ.

use std::ops::Range;

use super::difference::PixelDifference;
use super::error::CompareError;
use super::measure::pixel;
use super::options::CompareOptions;
use super::pair::Pair;
use super::picture::Picture;
use super::region::Region;

/// Block width and height. Pixels in neighbouring blocks belong together.
const BLOCK: u32 = 8;

/// The worst part of a difference, to explain it or to show it enlarged.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WorstRegion {
    /// The smallest rectangle around the differing pixels.
    pub region: Region,
    /// How many pixels in it differ by more than the tolerance.
    pub pixels: u64,
    /// The first pixel in it with the largest difference.
    pub worst: PixelDifference,
    /// All pixels in the pictures that differ by more than the tolerance: row, and columns.
    pub differing: Vec<(u32, Range<u32>)>,
}

/// Connected blocks, or a single block.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// The sum over the largest difference at each pixel.
    sum: u64,
    pixels: u64,
    region: Option<Region>,
    worst: Option<(u16, (u32, u32))>,
}

/// Finds the part with the largest sum of differences, and the first if several are equal. Returns `None` if no
/// pixel differs by more than the tolerance.
///
/// # Errors
/// As [`pictures`](super::pictures) about sizes, regions and masks.
pub fn worst_region(
    first: &Picture,
    second: &Picture,
    options: &CompareOptions,
) -> Result<Option<WorstRegion>, CompareError> {
    let pair = Pair::new(first, second, options)?;
    let tolerance = options.tolerance.unwrap_or_default().0;
    let common = pair.counted.common;
    let across = common.width.div_ceil(BLOCK);
    let block = |x: u32, y: u32| ((y - common.y) / BLOCK * across + (x - common.x) / BLOCK) as usize;
    let mut blocks = vec![Part::default(); (across * common.height.div_ceil(BLOCK)) as usize];
    let mut differing: Vec<(u32, Range<u32>)> = Vec::new();
    for (x, y) in pair.counted_pixels() {
        let channels = pair.difference(x, y);
        let difference = channels.into_iter().max().unwrap_or(0);
        if channels.iter().zip(tolerance).all(|(difference, tolerance)| *difference <= tolerance) {
            continue;
        }
        if let Some(part) = blocks.get_mut(block(x, y)) {
            part.add(x, y, difference);
        }
        // Pixels come in reading order, so a differing pixel often continues the last run.
        match differing.last_mut() {
            Some((row, columns)) if *row == y && columns.end == x => columns.end = x + 1,
            _ => differing.push((y, x..x + 1)),
        }
    }
    let worst = connected(&blocks, across).into_iter().reduce(|a, b| if b.sum > a.sum { b } else { a });
    Ok(worst.and_then(|Part { pixels, region, worst, .. }| {
        let (_, place) = worst?;
        Some(WorstRegion { region: region?, pixels, worst: pixel(&pair, place), differing })
    }))
}

impl Part {
    fn add(&mut self, x: u32, y: u32, difference: u16) {
        self.sum += u64::from(difference);
        self.pixels += 1;
        self.region = Some(Region::grown_to(self.region, x, y));
        if self.worst.is_none_or(|(worst, _)| difference > worst) {
            self.worst = Some((difference, (x, y)));
        }
    }

    fn join(&mut self, other: &Self) {
        self.sum += other.sum;
        self.pixels += other.pixels;
        if let Some(Region { x, y, width, height }) = other.region {
            let grown = Region::grown_to(self.region, x, y);
            self.region = Some(Region::grown_to(Some(grown), x + width - 1, y + height - 1));
        }
        // This keeps the first pixel in reading order, whichever block it is in.
        let order = |(difference, (x, y)): (u16, (u32, u32))| (u16::MAX - difference, y, x);
        self.worst = self.worst.into_iter().chain(other.worst).min_by_key(|worst| order(*worst));
    }
}

/// Joins differing blocks with their neighbours, also across corners.
fn connected(blocks: &[Part], across: u32) -> Vec<Part> {
    let across = across as usize;
    let mut is_taken: Vec<bool> = blocks.iter().map(|block| block.pixels == 0).collect();
    let mut parts = Vec::new();
    for start in 0..blocks.len() {
        if is_taken.get(start).is_none_or(|taken| *taken) {
            continue;
        }
        // A list of blocks to visit replaces recursion, which could go too deep in a large picture. A block counts
        // as taken as soon as it is on the list, so that it is joined only once.
        let (mut part, mut waiting) = (Part::default(), vec![start]);
        if let Some(taken) = is_taken.get_mut(start) {
            *taken = true;
        }
        while let Some(index) = waiting.pop() {
            if let Some(block) = blocks.get(index) {
                part.join(block);
            }
            let (x, y) = (index % across, index / across);
            for row in y.saturating_sub(1)..=y + 1 {
                for column in x.saturating_sub(1)..=(x + 1).min(across - 1) {
                    let neighbour = row * across + column;
                    if let Some(taken) = is_taken.get_mut(neighbour).filter(|taken| !**taken) {
                        *taken = true;
                        waiting.push(neighbour);
                    }
                }
            }
        }
        parts.push(part);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::super::picture::{Channels, Depth};
    use super::super::tolerance::Tolerance;
    use super::*;

    fn picture(pixels: &[(u32, u32, u16)]) -> Picture {
        let mut samples = vec![0; 64 * 48];
        for (x, y, value) in pixels {
            samples[(y * 64 + x) as usize] = *value;
        }
        Picture::new([64, 48], Channels::Grey, Depth::Eight, samples).expect("a picture")
    }

    #[test]
    fn neighbouring_blocks_are_one_region() {
        let black = picture(&[]);
        // Three blocks in a diagonal, and a brighter pixel far away.
        let other = picture(&[(7, 7, 90), (8, 8, 90), (23, 20, 80), (60, 40, 200)]);
        let options = CompareOptions::default();
        let worst = worst_region(&black, &other, &options).expect("comparable").expect("different");
        assert_eq!((worst.region.to_string().as_str(), worst.pixels), ("7,7,17x14", 3), "the largest sum");
        assert_eq!((worst.worst.x, worst.worst.y, worst.worst.difference), (7, 7, 90), "the first of two");
        let runs = [(7, 7..8), (8, 8..9), (20, 23..24), (40, 60..61)];
        assert_eq!(worst.differing, runs, "all pixels");
    }

    #[test]
    fn pixels_within_the_tolerance_do_not_count() {
        let options = CompareOptions { tolerance: Some(Tolerance([100; 4])), ..CompareOptions::default() };
        let [black, other] = [picture(&[]), picture(&[(7, 7, 90), (8, 7, 90), (60, 40, 101)])];
        let worst = worst_region(&black, &other, &options).expect("comparable").expect("different");
        assert_eq!((worst.region.to_string().as_str(), worst.pixels), ("60,40,1x1", 1), "beyond it");
        assert_eq!(worst_region(&black, &black, &options), Ok(None), "equal");
    }
}
