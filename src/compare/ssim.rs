//! Computes the structural similarity (SSIM, Wang and others, 2004) for a channel.
//!
//! A window in which all pixels are equal has the similarity 1, and most windows in most pictures are equal. The
//! work is therefore divided into tiles, to skip those without a difference.

use iqa::{Image, SsimOptions};
#[cfg(feature = "threads")]
use rayon::prelude::*;

use super::pair::Pair;
use super::picture::Depth;
use super::region::Region;

/// Window width and height in pixels.
pub(super) const WINDOW: u32 = 11;
/// Pixels between a window's edge and its centre.
const MARGIN: u32 = WINDOW / 2;
/// The largest tile width and height, in windows.
const TILE: u32 = 32;

/// How many windows were measured, and the sum of their similarities.
#[derive(Clone, Copy, Debug, Default)]
struct Similarity {
    sum: f64,
    windows: u64,
}

/// Returns the mean similarity over all windows in an area whose centre counts; `None` without any. Pixels that do
/// not count are taken as equal.
pub(super) fn channel(pair: &Pair<'_>, area: Region, channel: usize) -> Option<f64> {
    let across = (area.width + 1).checked_sub(WINDOW)?;
    let down = (area.height + 1).checked_sub(WINDOW)?;
    // A tile is described by its windows' centres.
    let centres = Region { x: area.x + MARGIN, y: area.y + MARGIN, width: across, height: down };
    let mut tiles = Vec::new();
    for y in (0..down).step_by(TILE as usize) {
        for x in (0..across).step_by(TILE as usize) {
            let (width, height) = (TILE.min(across - x), TILE.min(down - y));
            tiles.push(Region { x: centres.x + x, y: centres.y + y, width, height });
        }
    }
    let measure = |&tile: &Region| measure(pair, tile, channel);
    #[cfg(feature = "threads")]
    let similarities: Vec<Similarity> = tiles.par_iter().map(measure).collect();
    #[cfg(not(feature = "threads"))]
    let similarities: Vec<Similarity> = tiles.iter().map(measure).collect();
    // This adds in the order of the tiles, whichever thread measured them, because rounding depends on the order.
    let all = similarities.into_iter().fold(Similarity::default(), |all, tile| Similarity {
        sum: all.sum + tile.sum,
        windows: all.windows + tile.windows,
    });
    #[expect(clippy::cast_precision_loss, reason = "pictures have far fewer than 2^52 pixels")]
    let mean = (all.windows > 0).then(|| round_down(all.sum / all.windows as f64));
    mean
}

/// Rounds down to billionths, because the last digits depend on the machine's exponential function.
pub(super) fn round_down(similarity: f64) -> f64 {
    (similarity * 1e9).floor() / 1e9
}

/// Measures the windows with these centres, as far as they count.
fn measure(pair: &Pair<'_>, centres: Region, channel: usize) -> Similarity {
    let windows = centres.pixels().filter(|&(x, y)| pair.counted.contains(x, y)).count() as u64;
    if windows == 0 {
        return Similarity::default();
    }
    let area = covered(centres);
    if area.pixels().all(|(x, y)| pair.difference(x, y)[channel] == 0) {
        #[expect(clippy::cast_precision_loss, reason = "a tile has few windows")]
        return Similarity { sum: windows as f64, windows };
    }
    if windows == centres.pixel_count() {
        #[expect(clippy::cast_precision_loss, reason = "a tile has few windows")]
        return Similarity { sum: mean(pair, area, channel) * windows as f64, windows };
    }
    // Only some windows count, so each is measured separately.
    let counted = centres.pixels().filter(|&(x, y)| pair.counted.contains(x, y));
    let windows_one_by_one = counted.map(|(x, y)| covered(Region { x, y, width: 1, height: 1 }));
    let sum = windows_one_by_one.map(|window| mean(pair, window, channel)).sum();
    Similarity { sum, windows }
}

/// Returns the pixels in all windows with these centres.
fn covered(centres: Region) -> Region {
    Region {
        x: centres.x - MARGIN,
        y: centres.y - MARGIN,
        width: centres.width + 2 * MARGIN,
        height: centres.height + 2 * MARGIN,
    }
}

/// Returns the mean similarity over all windows in an area.
fn mean(pair: &Pair<'_>, area: Region, channel: usize) -> f64 {
    let mut samples = [Vec::new(), Vec::new()];
    for (x, y) in area.pixels() {
        let [first, second] = pair.pixel(x, y).map(|pixel| pixel[channel]);
        samples[0].push(first);
        samples[1].push(if pair.counted.contains(x, y) { second } else { first });
    }
    let similarity = match pair.depth {
        Depth::Eight => {
            let [first, second] = samples.map(|samples| {
                let bytes =
                    samples.into_iter().map(|sample| u8::try_from(sample).unwrap_or(u8::MAX)).collect();
                Image::gray8(area.width, area.height, bytes)
            });
            first.and_then(|first| iqa::ssim(&first, &second?, SsimOptions::default()))
        }
        Depth::Sixteen => {
            let [first, second] = samples.map(|samples| Image::gray16(area.width, area.height, samples));
            first.and_then(|first| iqa::ssim(&first, &second?, SsimOptions::default()))
        }
    };
    // Both sizes are equal and at least as large as a window, so no error is possible.
    similarity.unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::super::options::CompareOptions;
    use super::super::picture::{Channels, Picture};
    use super::*;

    const SIZE: [u32; 2] = [50, 40];

    /// Returns two patterns as grey pictures, multiplied by `factor`.
    fn patterns(depth: Depth, factor: u16) -> [Picture; 2] {
        let picture = |sample: &dyn Fn(u32, u32) -> u32| {
            let samples = pixels(SIZE).map(|(x, y)| u16::try_from(sample(x, y)).expect("small")).collect();
            Picture::new(SIZE, Channels::Grey, depth, samples).expect("a picture")
        };
        let first = |x: u32, y: u32| (x * 37 + y * 59) % 251;
        let second = |x: u32, y: u32| (first(x, y) + x * y % 17).min(255);
        // At 16 bits, the low byte differs, too.
        let low = |add: u32| if factor > 1 { add } else { 0 };
        let wide = u32::from(factor);
        [picture(&|x, y| first(x, y) * wide + low(x)), picture(&|x, y| second(x, y) * wide + low(y))]
    }

    fn pixels([width, height]: [u32; 2]) -> impl Iterator<Item = (u32, u32)> {
        Region { x: 0, y: 0, width, height }.pixels()
    }

    fn similarity([first, second]: &[Picture; 2], options: &CompareOptions, area: &str) -> Option<f64> {
        let pair = Pair::new(first, second, options).expect("comparable");
        channel(&pair, area.parse().expect("a region"), 0)
    }

    #[track_caller]
    fn assert_near(found: Option<f64>, expected: f64) {
        let found = found.expect("large enough");
        assert!((found - expected).abs() < 2e-9, "{found} is not {expected}");
    }

    // The expected values come from an independent program, which computes variances as mean squares minus squared
    // means.

    #[test]
    fn equals_an_independent_program_at_both_depths() {
        let options = CompareOptions::default();
        assert_near(similarity(&patterns(Depth::Eight, 1), &options, "0,0,50x40"), 0.995_906_312_434_839_6);
        assert_near(
            similarity(&patterns(Depth::Sixteen, 256), &options, "0,0,50x40"),
            0.995_918_279_909_496_2,
        );
    }

    #[test]
    fn a_region_is_a_picture_of_its_own() {
        let region = "3,4,20x15";
        let regions = vec![region.parse().expect("a region")];
        let options = CompareOptions { regions, ..CompareOptions::default() };
        assert_near(similarity(&patterns(Depth::Eight, 1), &options, region), 0.995_958_013_943_189_3);
    }

    #[test]
    fn windows_count_by_their_centre_and_pixels_without_count_are_equal() {
        let shown = |(x, y): (u32, u32)| if (x / 8 + y / 8).is_multiple_of(2) { 255 } else { 0 };
        let samples = pixels(SIZE).map(shown).collect();
        let mask = Picture::new(SIZE, Channels::Grey, Depth::Eight, samples).expect("a mask");
        let options = CompareOptions { mask: Some(mask), ..CompareOptions::default() };
        assert_near(similarity(&patterns(Depth::Eight, 1), &options, "0,0,50x40"), 0.996_222_948_523_831_1);
    }

    #[test]
    fn uniform_pictures_follow_the_formula() {
        let uniform = |value: u16| {
            Picture::new([11, 11], Channels::Grey, Depth::Eight, vec![value; 121]).expect("a picture")
        };
        let c1 = (0.01_f64 * 255.0).powi(2);
        let expected = (2.0 * 100.0 * 120.0 + c1) / (100.0 * 100.0 + 120.0 * 120.0 + c1);
        let found = similarity(&[uniform(100), uniform(120)], &CompareOptions::default(), "0,0,11x11");
        assert_near(found, expected);
    }

    #[test]
    fn skipped_tiles_do_not_change_the_mean() {
        let [first, _] = patterns(Depth::Eight, 1);
        let mut samples = first.samples().to_vec();
        samples[40 + 33 * 50] ^= 64;
        let second = Picture::new(SIZE, Channels::Grey, Depth::Eight, samples).expect("a picture");
        let options = CompareOptions::default();
        let pair = Pair::new(&first, &second, &options).expect("comparable");
        let area = Region { x: 0, y: 0, width: 50, height: 40 };
        let tiled = channel(&pair, area, 0);
        assert_near(tiled, mean(&pair, area, 0));
        assert!(tiled < Some(1.0), "one pixel differs");
    }

    #[test]
    fn small_pictures_have_no_similarity() {
        let options = CompareOptions::default();
        let pair = patterns(Depth::Eight, 1);
        assert_eq!(similarity(&pair, &options, "0,0,10x40"), None, "too narrow");
        assert_eq!(similarity(&pair, &options, "0,0,50x10"), None, "too low");
    }
}
