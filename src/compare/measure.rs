//! Measures a difference: a single pass over the pixels sums everything up.

use super::bounds::{BoundedFigure, Exceeded};
use super::channel::Channel;
use super::difference::{ChannelDifference, Difference, PixelDifference};
use super::error::CompareError;
use super::histogram;
use super::options::CompareOptions;
use super::pair::Pair;
use super::picture::{Depth, Picture};
use super::region::Region;
use super::ssim;

/// A channel's sums over the counted pixels.
#[derive(Clone, Copy, Debug, Default)]
struct ChannelSums {
    squares: u128,
    absolute: u64,
    signed: i64,
    largest: u16,
    differing: u64,
    beyond: u64,
}

/// The sums over all channels and counted pixels.
#[derive(Debug)]
struct Sums {
    channels: [ChannelSums; 4],
    counted: u64,
    differing: u64,
    beyond: u64,
    first: Option<(u32, u32)>,
    largest: Option<(u32, u32)>,
    largest_difference: u16,
    bounding_box: Option<Region>,
    histogram: Vec<u64>,
}

/// Compares two pictures.
///
/// # Errors
/// [`CompareError::SizesDiffer`] if the sizes differ and the options have neither region nor offset;
/// [`CompareError::NoOverlap`], [`CompareError::RegionOutside`] and [`CompareError::MaskSize`] if the options do not
/// fit the pictures; [`CompareError::NothingCounts`] if no pixel is left; [`CompareError::TooSmallForSsim`] if the
/// structural similarity is bounded, but cannot be computed.
pub fn pictures(
    first: &Picture,
    second: &Picture,
    options: &CompareOptions,
) -> Result<Difference, CompareError> {
    let pair = Pair::new(first, second, options)?;
    let tolerance = options.tolerance.unwrap_or_default().0;
    let sums = sum(&pair, tolerance);
    let area = sums.counted_area(&pair).ok_or(CompareError::NothingCounts)?;
    let channels = pair.channels.each().iter().zip(pair.channels.indices());
    let by_channel: Vec<ChannelDifference> = channels
        .map(|(&channel, &index)| {
            let ssim = ssim::channel(&pair, area, index);
            sums.channels[index].difference(channel, sums.counted, pair.depth, ssim)
        })
        .collect();
    let colors: Vec<&ChannelDifference> =
        by_channel.iter().filter(|figures| figures.channel != Channel::Alpha).collect();
    // Colours have the indices below 3. Alpha has its own figures, so it stays out here.
    let squares = pair.channels.indices().iter().filter(|&&channel| channel < 3);
    let squares: u128 = squares.map(|&channel| sums.channels[channel].squares).sum();
    let mse = ratio(squares, u128::from(sums.counted) * colors.len() as u128);
    let similarities: Option<Vec<f64>> = colors.iter().map(|channel| channel.ssim).collect();
    let ssim = similarities.map(|each| ssim::round_down(each.iter().sum::<f64>() / each.len().max(1) as f64));
    let mut difference = Difference {
        common: pair.counted.common,
        bits: pair.depth.bits(),
        bits_of_sides: [first, second].map(|picture| picture.depth().bits()),
        channels: pair.channels,
        counted_pixels: sums.counted,
        differing_pixels: sums.differing,
        pixels_beyond_tolerance: sums.beyond,
        mse,
        psnr: psnr(mse, pair.depth),
        ssim,
        largest_difference: sums.largest_difference,
        by_channel,
        first: sums.first.map(|place| pixel(&pair, place)),
        largest: sums.largest.map(|place| pixel(&pair, place)),
        bounding_box: sums.bounding_box,
        histogram: histogram::bins(pair.depth, &sums.histogram),
        exceeded: Vec::new(),
    };
    difference.exceeded = exceeded(&difference, options)?;
    Ok(difference)
}

/// Lists the pixels that differ beyond the tolerance, by column and row in the first picture: rows from the top,
/// pixels from the left.
///
/// # Errors
/// If the options do not fit the pictures, as for [`pictures`].
///
/// ```
/// use pspge::compare::{self, CompareOptions, Picture};
/// use pspge::image::{Rgb, RgbImage};
///
/// let mut image = RgbImage::new(4, 4);
/// let first = Picture::from_image(image.clone())?;
/// image.put_pixel(3, 1, Rgb([9, 0, 0]));
/// let second = Picture::from_image(image)?;
/// assert_eq!(compare::differing_pixels(&first, &second, &CompareOptions::default())?, [[3, 1]]);
/// # Ok::<(), compare::CompareError>(())
/// ```
pub fn differing_pixels(
    first: &Picture,
    second: &Picture,
    options: &CompareOptions,
) -> Result<Vec<[u32; 2]>, CompareError> {
    let pair = Pair::new(first, second, options)?;
    let tolerance = options.tolerance.unwrap_or_default().0;
    let is_beyond = |&(x, y): &(u32, u32)| {
        let differences = pair.difference(x, y).into_iter().zip(tolerance);
        differences.into_iter().any(|(difference, tolerance)| difference > tolerance)
    };
    Ok(pair.counted_pixels().filter(is_beyond).map(|(x, y)| [x, y]).collect())
}

fn sum(pair: &Pair<'_>, tolerance: [u16; 4]) -> Sums {
    let mut sums = Sums {
        channels: [ChannelSums::default(); 4],
        counted: 0,
        differing: 0,
        beyond: 0,
        first: None,
        largest: None,
        largest_difference: 0,
        bounding_box: None,
        histogram: vec![0; histogram::bin_count(pair.depth)],
    };
    for (x, y) in pair.counted_pixels() {
        let [first, second] = pair.pixel(x, y);
        let (mut largest, mut is_beyond) = (0, false);
        for &channel in pair.channels.indices() {
            let difference = first[channel].abs_diff(second[channel]);
            let is_channel_beyond = difference > tolerance[channel];
            // Sums are integers, so they are exact and do not depend on the pixels' order.
            let sums = &mut sums.channels[channel];
            sums.squares += u128::from(difference).pow(2);
            sums.absolute += u64::from(difference);
            sums.signed += i64::from(second[channel]) - i64::from(first[channel]);
            sums.largest = sums.largest.max(difference);
            sums.differing += u64::from(difference > 0);
            sums.beyond += u64::from(is_channel_beyond);
            largest = largest.max(difference);
            is_beyond |= is_channel_beyond;
        }
        sums.counted += 1;
        sums.beyond += u64::from(is_beyond);
        if let Some(pixels) = sums.histogram.get_mut(histogram::bin(largest)) {
            *pixels += 1;
        }
        if largest > 0 {
            sums.differing += 1;
            sums.first.get_or_insert((x, y));
            sums.bounding_box = Some(Region::grown_to(sums.bounding_box, x, y));
        }
        if largest > sums.largest_difference {
            sums.largest_difference = largest;
            sums.largest = Some((x, y));
        }
    }
    sums
}

impl Sums {
    /// Returns the box around the counted pixels, or `None` if none counts.
    fn counted_area(&self, pair: &Pair<'_>) -> Option<Region> {
        // Usually all pixels count, so there is no need to visit them again.
        if self.counted == pair.counted.common.pixel_count() {
            return Some(pair.counted.common);
        }
        pair.counted_pixels().fold(None, |known, (x, y)| Some(Region::grown_to(known, x, y)))
    }
}

impl ChannelSums {
    fn difference(
        &self,
        channel: Channel,
        counted: u64,
        depth: Depth,
        ssim: Option<f64>,
    ) -> ChannelDifference {
        let mean = |sum: u128| ratio(sum, u128::from(counted));
        let mse = mean(self.squares);
        ChannelDifference {
            channel,
            mse,
            psnr: psnr(mse, depth),
            ssim,
            mean: mean(self.absolute.into()),
            mean_signed: if self.signed < 0 { -1.0 } else { 1.0 } * mean(self.signed.unsigned_abs().into()),
            largest_difference: self.largest,
            differing_pixels: self.differing,
            pixels_beyond_tolerance: self.beyond,
        }
    }
}

fn ratio(sum: u128, count: u128) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "each is rounded once; 53 bits are more than are shown")]
    let ratio = sum as f64 / count.max(1) as f64;
    ratio
}

/// Returns the peak signal-to-noise ratio in decibels, or `None` for identical pictures.
fn psnr(mse: f64, depth: Depth) -> Option<f64> {
    let peak = f64::from(depth.max_value());
    (mse > 0.0).then(|| 10.0 * libm::log10(peak * peak / mse))
}

/// Returns a pixel's values in both pictures.
pub(super) fn pixel(pair: &Pair<'_>, (x, y): (u32, u32)) -> PixelDifference {
    let [first, second] = pair
        .pixel(x, y)
        .map(|pixel| pair.channels.indices().iter().map(|&channel| pixel[channel]).collect::<Vec<u16>>());
    let difference = pair.difference(x, y).into_iter().max().unwrap_or(0);
    PixelDifference { x, y, first, second, difference }
}

/// Returns the bounds that are broken. A bound of NaN never holds.
fn exceeded(difference: &Difference, options: &CompareOptions) -> Result<Vec<Exceeded>, CompareError> {
    let bounds = &options.bounds;
    let alpha = difference.by_channel.iter().find(|figures| figures.channel == Channel::Alpha);
    let mut exceeded = Vec::new();
    let mut exceed = |bound, found, allowed| exceeded.push(Exceeded { bound, found, allowed });
    let has_other_bounds = bounds.max_mse.is_some() || bounds.min_psnr.is_some() || bounds.min_ssim.is_some();
    let allowed = match bounds.max_pixels {
        Some(bound) => Some(bound.of(difference.counted_pixels)),
        None => (options.tolerance.is_some() || !has_other_bounds).then_some(0),
    };
    let found = difference.pixels_beyond_tolerance;
    if let Some(allowed) = allowed.filter(|&allowed| found > allowed) {
        #[expect(clippy::cast_precision_loss, reason = "pictures have far fewer than 2^52 pixels")]
        exceed(BoundedFigure::Pixels, found as f64, allowed as f64);
    }
    if let Some(allowed) = bounds.max_mse {
        let found = alpha.map_or(difference.mse, |alpha| alpha.mse.max(difference.mse));
        // `found > allowed` would let NaN pass.
        let holds = found <= allowed;
        if !holds {
            exceed(BoundedFigure::Mse, found, allowed);
        }
    }
    if let Some(allowed) = bounds.min_psnr {
        let found = [difference.psnr, alpha.and_then(|alpha| alpha.psnr)];
        let found = found.into_iter().flatten().reduce(f64::min);
        // Identical pictures have no finite ratio and satisfy every bound.
        let holds = found.is_none_or(|found| found >= allowed);
        if let Some(found) = found.filter(|_| !holds) {
            exceed(BoundedFigure::Psnr, found, allowed);
        }
    }
    if let Some(allowed) = bounds.min_ssim {
        let found = difference.ssim.ok_or(CompareError::TooSmallForSsim { least: ssim::WINDOW })?;
        let found = alpha.and_then(|alpha| alpha.ssim).map_or(found, |alpha| alpha.min(found));
        let holds = found >= allowed;
        if !holds {
            exceed(BoundedFigure::Ssim, found, allowed);
        }
    }
    Ok(exceeded)
}

#[cfg(test)]
mod tests {
    use super::super::bounds::{Bounds, PixelBound};
    use super::super::picture::Channels;
    use super::super::tolerance::Tolerance;
    use super::*;

    fn picture(size: [u32; 2], channels: Channels, depth: Depth, samples: &[u16]) -> Picture {
        Picture::new(size, channels, depth, samples.to_vec()).expect("a picture")
    }

    fn compare(first: &Picture, second: &Picture) -> Difference {
        pictures(first, second, &CompareOptions::default()).expect("comparable")
    }

    #[test]
    fn identical_pictures_have_no_ratio() {
        let grey = picture([12, 12], Channels::Grey, Depth::Eight, &[7; 144]);
        let difference = compare(&grey, &grey);
        assert!(difference.is_identical() && difference.is_equal(), "identical");
        assert_eq!(
            (difference.mse, difference.psnr, difference.ssim),
            (0.0, None, Some(1.0)),
            "the best figures"
        );
        assert_eq!(
            (difference.first, difference.largest, difference.bounding_box),
            (None, None, None),
            "no place"
        );
    }

    #[test]
    fn figures_of_two_pixels() {
        let first = picture([3, 1], Channels::Rgb, Depth::Eight, &[0, 0, 0, 10, 20, 30, 5, 5, 5]);
        let second = picture([3, 1], Channels::Rgb, Depth::Eight, &[0, 0, 0, 13, 20, 24, 5, 4, 5]);
        let difference = compare(&first, &second);
        assert_eq!((difference.counted_pixels, difference.differing_pixels), (3, 2), "pixels");
        assert_eq!(difference.mse, (9.0 + 36.0 + 1.0) / 9.0, "three channels of three pixels");
        let psnr = 10.0 * (255.0_f64 * 255.0 / (46.0 / 9.0)).log10();
        assert!((difference.psnr.expect("finite") - psnr).abs() < 1e-12, "{:?}", difference.psnr);
        assert_eq!(difference.ssim, None, "too small");
        assert_eq!(difference.bounding_box.map(|region| region.to_string()).as_deref(), Some("1,0,2x1"));
        let largest = difference.largest.expect("different");
        assert_eq!(
            (largest.x, largest.y, largest.difference),
            (1, 0, 6),
            "the place of the largest difference"
        );
        assert_eq!((largest.first, largest.second), (vec![10, 20, 30], vec![13, 20, 24]), "its values");
        let blue = &difference.by_channel[2];
        assert_eq!(
            (blue.channel, blue.mse, blue.mean, blue.mean_signed),
            (Channel::Blue, 12.0, 2.0, -2.0),
            "of one channel"
        );
        assert_eq!((blue.largest_difference, blue.differing_pixels), (6, 1), "of one channel");
        let bins: Vec<_> =
            difference.histogram.iter().filter(|bin| bin.pixels > 0).map(|bin| bin.from).collect();
        assert_eq!(bins, [0, 1, 5], "one pixel each of 0, 1 and 6");
    }

    #[test]
    fn black_and_white_have_a_ratio_of_zero() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let uniform = |value| picture([2, 2], Channels::Grey, depth, &[value; 4]);
            let difference = compare(&uniform(0), &uniform(depth.max_value()));
            assert_eq!(difference.psnr, Some(0.0), "{depth:?}");
        }
    }

    #[test]
    fn sixteen_bits_are_compared_in_full() {
        let first = picture([1, 1], Channels::Grey, Depth::Sixteen, &[30000]);
        let second = picture([1, 1], Channels::Grey, Depth::Sixteen, &[30100]);
        let difference = compare(&first, &second);
        assert_eq!((difference.bits, difference.largest_difference, difference.mse), (16, 100, 10_000.0));
        assert!(!difference.is_equal(), "100 steps of depth are a difference");
    }

    #[test]
    fn eight_bits_widen_to_sixteen() {
        let narrow = picture([2, 1], Channels::Grey, Depth::Eight, &[255, 1]);
        let wide = picture([2, 1], Channels::Grey, Depth::Sixteen, &[65535, 258]);
        let difference = compare(&narrow, &wide);
        assert_eq!((difference.bits, difference.differing_pixels, difference.largest_difference), (16, 1, 1));
    }

    #[test]
    fn alpha_counts_unless_it_is_ignored() {
        let opaque = picture([1, 1], Channels::Rgb, Depth::Eight, &[1, 2, 3]);
        let clear = picture([1, 1], Channels::Rgba, Depth::Eight, &[1, 2, 3, 55]);
        let difference = compare(&opaque, &clear);
        assert_eq!((difference.mse, difference.differing_pixels), (0.0, 1), "the colours are equal");
        let alpha = &difference.by_channel[3];
        assert_eq!((alpha.channel, alpha.largest_difference), (Channel::Alpha, 200));
        let mut options = CompareOptions {
            bounds: Bounds { max_mse: Some(1.0), ..Bounds::default() },
            ..Default::default()
        };
        let bounded = pictures(&opaque, &clear, &options).expect("comparable");
        assert_eq!(
            bounded.exceeded,
            [Exceeded { bound: BoundedFigure::Mse, found: 40_000.0, allowed: 1.0 }],
            "alpha is bounded, too"
        );
        options.ignore_alpha = true;
        let ignored = pictures(&opaque, &clear, &options).expect("comparable");
        assert!(ignored.is_identical(), "without alpha");
        assert_eq!(ignored.by_channel.len(), 3, "without alpha");
    }

    #[test]
    fn a_tolerance_is_per_channel() {
        let first = picture([2, 1], Channels::Rgb, Depth::Eight, &[0; 6]);
        let second = picture([2, 1], Channels::Rgb, Depth::Eight, &[3, 0, 0, 0, 0, 3]);
        let within = |tolerance| {
            let options =
                CompareOptions { tolerance: Some(Tolerance(tolerance)), ..CompareOptions::default() };
            let difference = pictures(&first, &second, &options).expect("comparable");
            (difference.pixels_beyond_tolerance, difference.is_equal())
        };
        assert_eq!(within([3, 0, 3, 0]), (0, true), "both");
        assert_eq!(within([3, 0, 2, 0]), (1, false), "red alone");
        assert_eq!(within([2; 4]), (2, false), "none");
    }

    #[test]
    fn every_bound_has_to_hold() {
        let first = picture([4, 1], Channels::Grey, Depth::Eight, &[0; 4]);
        let second = picture([4, 1], Channels::Grey, Depth::Eight, &[0, 0, 0, 2]);
        let exceeded = |bounds, tolerance: Option<Tolerance>| {
            let options = CompareOptions { bounds, tolerance, ..CompareOptions::default() };
            pictures(&first, &second, &options).expect("comparable").exceeded
        };
        let none = Bounds::default();
        let pixels = Exceeded { bound: BoundedFigure::Pixels, found: 1.0, allowed: 0.0 };
        assert_eq!(exceeded(none, None), [pixels], "without bounds, every pixel has to be equal");
        assert_eq!(exceeded(Bounds { max_mse: Some(1.0), ..none }, None), [], "the error alone decides");
        let tight = Bounds { max_mse: Some(0.5), ..none };
        assert_eq!(
            exceeded(tight, None),
            [Exceeded { bound: BoundedFigure::Mse, found: 1.0, allowed: 0.5 }],
            "it is 1"
        );
        let tolerant = Some(Tolerance([1; 4]));
        assert_eq!(exceeded(Bounds { max_mse: Some(1.0), ..none }, tolerant), [pixels], "the tolerance, too");
        assert_eq!(exceeded(Bounds { max_pixels: Some(PixelBound::Percent(25.0)), ..none }, None), []);
        assert_eq!(exceeded(Bounds { max_pixels: Some(PixelBound::Percent(24.0)), ..none }, None), [pixels]);
        assert_eq!(exceeded(Bounds { min_psnr: Some(48.13), ..none }, None), [], "it is 48.1308 dB");
        let psnr = exceeded(Bounds { min_psnr: Some(48.14), ..none }, None);
        assert!(
            matches!(psnr[..], [Exceeded { bound: BoundedFigure::Psnr, allowed: 48.14, .. }]),
            "{psnr:?}"
        );
        let nan = Bounds { max_mse: Some(f64::NAN), ..none };
        assert!(!exceeded(nan, None).is_empty(), "NaN never holds");
        let options =
            CompareOptions { bounds: Bounds { min_ssim: Some(0.5), ..none }, ..CompareOptions::default() };
        assert_eq!(
            pictures(&first, &second, &options),
            Err(CompareError::TooSmallForSsim { least: 11 }),
            "4x1"
        );
    }

    #[test]
    fn structural_similarity_is_bounded() {
        let uniform = |value| picture([11, 11], Channels::Grey, Depth::Eight, &[value; 121]);
        let exceeded = |allowed| {
            let bounds = Bounds { min_ssim: Some(allowed), ..Bounds::default() };
            let options = CompareOptions { bounds, ..CompareOptions::default() };
            pictures(&uniform(100), &uniform(120), &options).expect("comparable").exceeded
        };
        assert_eq!(exceeded(0.98), [], "it is 0.9836");
        assert!(
            matches!(exceeded(0.99)[..], [Exceeded { bound: BoundedFigure::Ssim, allowed: 0.99, .. }]),
            "it is 0.9836"
        );
    }

    #[test]
    fn parts_of_pictures_of_different_sizes() {
        let first = picture([3, 2], Channels::Grey, Depth::Eight, &[1, 2, 3, 4, 5, 6]);
        let second = picture([2, 2], Channels::Grey, Depth::Eight, &[2, 3, 5, 7]);
        let error = pictures(&first, &second, &CompareOptions::default()).expect_err("two sizes");
        assert_eq!(error.to_string(), "the sizes differ: 3x2 and 2x2");
        let moved = |offset| {
            let options = CompareOptions { offset: Some(offset), ..CompareOptions::default() };
            pictures(&first, &second, &options)
        };
        let difference = moved([1, 0]).expect("overlaps");
        assert_eq!((difference.counted_pixels, difference.differing_pixels), (4, 1), "6 and 7 differ");
        assert_eq!(difference.first.map(|pixel| (pixel.x, pixel.y)), Some((2, 1)), "in pixels of the first");
        assert_eq!(moved([3, 0]), Err(CompareError::NoOverlap { first: [3, 2], offset: [3, 0] }), "outside");
        let region: Region = "1,1,1x1".parse().expect("a region");
        let options = CompareOptions { regions: vec![region], ..CompareOptions::default() };
        let difference = pictures(&first, &second, &options).expect("inside both");
        assert_eq!((difference.counted_pixels, difference.largest_difference), (1, 2), "5 and 7");
    }

    #[test]
    fn nothing_to_compare_is_an_error() {
        let grey = picture([2, 1], Channels::Grey, Depth::Eight, &[0, 0]);
        let options = CompareOptions { mask: Some(grey.clone()), ..CompareOptions::default() };
        assert_eq!(pictures(&grey, &grey, &options), Err(CompareError::NothingCounts), "a black mask");
    }
}
