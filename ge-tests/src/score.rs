//! Measures how far two pictures differ, for renderers that differ along edges.

use std::fmt;

use image::RgbImage;

/// Channels count as equal up to this difference.
const CHANNEL_TOLERANCE: u8 = 8;

/// Distances between two pictures. Smaller is nearer; 0 is equal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Mean squared error over all channels, 0 to 65025.
    pub mse: f64,
    /// Percentage of pixels with a channel off by more than 8.
    pub off8: f64,
    /// Percentage of pixels without a pixel within 8 in the other picture's 3×3 neighbourhood, for the worse
    /// direction. This measures missing, extra or wrong pixels, because edges moved by a pixel do not count.
    pub near8: f64,
    /// How many pixels are not equal.
    pub differing: usize,
}

impl Score {
    /// Compares two pictures with the same size.
    ///
    /// # Panics
    /// If the sizes differ.
    #[must_use]
    pub fn new(a: &RgbImage, b: &RgbImage) -> Self {
        assert_eq!(a.dimensions(), b.dimensions(), "pictures of the same size");
        let pairs = || a.pixels().zip(b.pixels());
        let pixels = (a.width() * a.height()).max(1);
        let squares: u64 = pairs()
            .flat_map(|(a, b)| a.0.into_iter().zip(b.0))
            .map(|(a, b)| u64::from(a.abs_diff(b)).pow(2))
            .sum();
        let percent = |count: usize| 100.0 * to_f64(count) / f64::from(pixels);
        Self {
            mse: to_f64(usize::try_from(squares).unwrap_or(usize::MAX)) / f64::from(pixels * 3),
            off8: percent(pairs().filter(|(a, b)| !is_close(a.0, b.0)).count()),
            near8: percent(count_unmatched(a, b).max(count_unmatched(b, a))),
            differing: pairs().filter(|(a, b)| a != b).count(),
        }
    }

    /// Returns whether each distance is at most as great as in `bound`.
    #[must_use]
    pub fn is_within(&self, bound: &Self) -> bool {
        self.mse <= bound.mse && self.off8 <= bound.off8 && self.near8 <= bound.near8
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mse, off8, near8, differing } = self;
        write!(f, "mse {mse:.4}, off8 {off8:.3} %, near8 {near8:.3} %, {differing} differing")
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of pixels are small")]
const fn to_f64(count: usize) -> f64 {
    count as f64
}

fn is_close(a: [u8; 3], b: [u8; 3]) -> bool {
    a.into_iter().zip(b).all(|(a, b)| a.abs_diff(b) <= CHANNEL_TOLERANCE)
}

/// Counts pixels in `a` without a close pixel in their neighbourhood in `b`.
fn count_unmatched(a: &RgbImage, b: &RgbImage) -> usize {
    let (width, height) = b.dimensions();
    let around = |at: u32, size: u32| at.saturating_sub(1)..(at + 2).min(size);
    a.enumerate_pixels()
        .filter(|&(x, y, pixel)| {
            let mut neighbours = around(y, height).flat_map(|y| around(x, width).map(move |x| (x, y)));
            !is_close(pixel.0, b.get_pixel(x, y).0)
                && !neighbours.any(|(x, y)| is_close(pixel.0, b.get_pixel(x, y).0))
        })
        .count()
}

/// Computes a picture's digest, to notice any change: FNV-1a over its size and bytes.
#[must_use]
pub fn fingerprint(picture: &RgbImage) -> u64 {
    let (width, height) = picture.dimensions();
    let size = [width, height].into_iter().flat_map(u32::to_le_bytes);
    size.chain(picture.as_raw().iter().copied())
        .fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    #[test]
    fn moved_edges_count_as_near() {
        let edge = |at| RgbImage::from_fn(16, 16, |x, _| Rgb(if x < at { [0; 3] } else { [255; 3] }));
        let score = Score::new(&edge(8), &edge(9));
        assert_eq!((score.near8, score.differing), (0.0, 16), "one column, next to a column of its colour");
        assert!((score.off8 - 6.25).abs() < 1e-9 && (score.mse - 65025.0 / 16.0).abs() < 1e-9, "{score}");
        let mut spot = edge(8);
        spot.put_pixel(2, 2, Rgb([255; 3]));
        let score = Score::new(&spot, &edge(8));
        assert!((score.near8 - 100.0 / 256.0).abs() < 1e-9, "an extra pixel: {score}");
        assert!(score.is_within(&score) && !score.is_within(&Score::default()), "bounds");
    }

    #[test]
    fn fingerprints_differ_by_size_and_are_stable() {
        let picture = RgbImage::new(4, 2);
        assert_ne!(fingerprint(&picture), fingerprint(&RgbImage::new(2, 4)), "sizes");
        assert_eq!(fingerprint(&picture), fingerprint(&picture.clone()), "equal pictures");
    }
}
