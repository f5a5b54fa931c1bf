//! Bands are groups of rows that threads can fill independently.

use super::pixels::target::Target;

/// How many bands each of two threads gets. Several are needed to keep both busy to the end.
const BANDS_PER_THREAD: usize = 3;
/// How many bands each of more threads gets, because they would wait longer for the last band otherwise.
const BANDS_PER_THREAD_OF_MANY: usize = 6;
/// The smallest height that is worth a band.
const MIN_ROWS: usize = 8;

/// Rows of the target, for a single thread to fill.
#[derive(Debug)]
pub(super) struct Band<'t> {
    pub(super) target: Target<'t>,
    /// How many draws have filled their pixels in these rows already.
    pub(super) filled_draws: usize,
    /// How many pixels passed all tests. `None` until this band is filled.
    pub(super) passed: Option<u64>,
}

/// Picks the band height. If `requested` is 0, this aims at about `parts` bands, or at [`BANDS_PER_THREAD`] or
/// [`BANDS_PER_THREAD_OF_MANY`] for each of several threads if that is more. Rounding and [`MIN_ROWS`] can lead to
/// fewer.
pub(super) fn band_height(rows: usize, requested: u32, threads: usize, parts: usize) -> usize {
    let per_thread = if threads > 2 { BANDS_PER_THREAD_OF_MANY } else { BANDS_PER_THREAD };
    match requested as usize {
        0 if threads <= 1 => rows.div_ceil(parts.max(1)),
        0 => rows.div_ceil((threads * per_thread).max(parts)).max(MIN_ROWS),
        requested => requested,
    }
}

/// Draws whose first rows are filled already, because a stop came in the middle of their pass.
#[derive(Clone, Copy, Debug)]
pub(in crate::raster) struct BegunDraws {
    pub(in crate::raster) count: usize,
    /// The row at which to continue.
    pub(in crate::raster) next_row: usize,
}

impl BegunDraws {
    /// Returns the draws left after the first `filled`, or `None` if none is.
    pub(in crate::raster) fn after(self, filled: usize) -> Option<Self> {
        (self.count > filled).then(|| Self { count: self.count - filled, ..self })
    }
}

/// Splits a target's rows into bands. If draws are begun, a band ends where they go on, so that each band leaves out
/// all or none.
pub(super) fn split_bands(target: Target<'_>, height: usize, begun: Option<BegunDraws>) -> Vec<Band<'_>> {
    let mut bands = Vec::new();
    let mut rest = Some(target);
    while let Some(target) = rest {
        let begun = begun.filter(|begun| target.first_row < begun.next_row);
        let filled_draws = begun.map_or(0, |begun| begun.count);
        let end = target.first_row + height.max(1);
        let (target, below) = target.split_at_row(begun.map_or(end, |begun| end.min(begun.next_row)));
        bands.push(Band { target, filled_draws, passed: None });
        rest = below;
    }
    bands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::registers::texture::PixelFormat;

    #[test]
    fn bands_end_where_begun_draws_go_on() {
        let (mut color, mut depth) = ([0; 2 * (7 * 8 + 4)], [0; 7 * 16 + 4]);
        let mut split = |height, begun| {
            let target = Target {
                color: &mut color,
                color_stride: 8,
                format: PixelFormat::ABGR5551,
                depth: &mut depth,
                depth_stride: 16,
                first_row: 10,
                end_row: 18,
            };
            let bands = split_bands(target, height, begun);
            bands
                .iter()
                .map(|Band { target, filled_draws, .. }| {
                    let rows = target.first_row..target.end_row;
                    (rows, target.color.len() / 16, target.depth.len() / 16, *filled_draws)
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(
            split(3, None),
            [(10..13, 3, 3, 0), (13..16, 3, 3, 0), (16..18, 1, 1, 0)],
            "a short last row"
        );
        assert_eq!(split(0, None).len(), 8, "at least a row each");
        let begun = Some(BegunDraws { count: 5, next_row: 14 });
        assert_eq!(
            split(3, begun),
            [(10..13, 3, 3, 5), (13..14, 1, 1, 5), (14..17, 3, 3, 0), (17..18, 0, 0, 0)],
            "no band holds both filled rows and others"
        );
    }
}
