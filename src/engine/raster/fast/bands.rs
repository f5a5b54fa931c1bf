//! Bands are groups of rows that threads can fill independently.

use super::pixels::target::Target;
use crate::ge::color;

/// Bands per thread. Several are needed to keep all threads busy to the end.
const BANDS_PER_THREAD: usize = 3;
/// The smallest height that is worth a band.
const MIN_ROWS: usize = 8;

/// Rows of the target.
#[derive(Debug)]
pub(super) struct Band<'t> {
    pub(super) target: Target<'t>,
    /// Number of pixels that passed all tests. `None` until the band is filled.
    pub(super) passed: Option<u64>,
}

/// Picks the height for bands. If `requested` is 0, this aims at about `parts` bands, or at
/// [`BANDS_PER_THREAD`] for each of several threads if that is more. Rounding and [`MIN_ROWS`] can lead to
/// fewer.
pub(super) fn band_height(rows: usize, requested: u32, threads: usize, parts: usize) -> usize {
    match requested as usize {
        0 if threads <= 1 => rows.div_ceil(parts.max(1)),
        0 => rows.div_ceil((threads * BANDS_PER_THREAD).max(parts)).max(MIN_ROWS),
        requested => requested,
    }
}

/// Splits the rows of a target into bands.
pub(super) fn split_bands(target: Target<'_>, height: usize) -> Vec<Band<'_>> {
    let height = height.max(1);
    let count = (target.end_row - target.first_row).div_ceil(height).max(1);
    let Target {
        mut color,
        color_stride,
        format,
        mut depth,
        depth_stride,
        first_row: mut first,
        end_row: end,
    } = target;
    let row_bytes = color_stride * color::bytes(format) as usize;
    let mut bands = Vec::with_capacity(count);
    for number in 0..count {
        // The last band takes all that is left, because the last row may end before its stride.
        let band_end = if number + 1 == count { end } else { first + height };
        let last = band_end == end;
        let (own_color, color_below) =
            color.split_at_mut(if last { color.len() } else { (height * row_bytes).min(color.len()) });
        let (own_depth, depth_below) =
            depth.split_at_mut(if last { depth.len() } else { (height * depth_stride).min(depth.len()) });
        let target = Target {
            color: own_color,
            color_stride,
            format,
            depth: own_depth,
            depth_stride,
            first_row: first,
            end_row: band_end,
        };
        bands.push(Band { target, passed: None });
        (color, depth, first) = (color_below, depth_below, band_end);
    }
    bands
}
