//! Counts pixels by how much they differ.

use super::picture::Depth;

/// How many pixels have a largest difference in this range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistogramBin {
    /// The smallest difference in this range.
    pub from: u16,
    /// The largest difference in this range.
    pub to: u16,
    /// How many pixels there are.
    pub pixels: u64,
}

/// Returns how many bins a depth has: for 0, 1, 2, 3 to 4, 5 to 8, and so on.
pub(super) const fn bin_count(depth: Depth) -> usize {
    depth.bits() as usize + 2
}

/// Returns the bin in which to count a difference.
pub(super) const fn bin(difference: u16) -> usize {
    match difference {
        0 => 0,
        // Each bin ends at a power of two, so this counts the bits that the difference less 1 has.
        _ => (u16::BITS - (difference - 1).leading_zeros()) as usize + 1,
    }
}

/// Adds each bin's range to its count.
pub(super) fn bins(depth: Depth, pixels: &[u64]) -> Vec<HistogramBin> {
    // Bin 0 holds 0, bin 1 holds 1, and bin b holds up to 2^(b-1).
    let end = |bin: usize| 1_u32.checked_shl(u32::try_from(bin).unwrap_or(u32::MAX)).unwrap_or(u32::MAX) >> 1;
    let clipped = |value: u32| u16::try_from(value).unwrap_or(u16::MAX).min(depth.max_value());
    let bin = |(bin, &pixels): (usize, &u64)| HistogramBin {
        from: clipped(bin.checked_sub(1).map_or(0, |below| end(below) + 1)),
        to: clipped(end(bin)),
        pixels,
    };
    pixels.iter().enumerate().map(bin).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_in_the_range_of_its_bin() {
        for depth in [Depth::Eight, Depth::Sixteen] {
            let bins = bins(depth, &vec![0; bin_count(depth)]);
            for difference in 0..=depth.max_value() {
                let range = bins[bin(difference)];
                assert!((range.from..=range.to).contains(&difference), "{difference} in {range:?}");
            }
            assert_eq!(
                bins.last().map(|bin| bin.to),
                Some(depth.max_value()),
                "the last bin reaches the end"
            );
        }
        let ranges: Vec<_> = bins(Depth::Eight, &[0; 10]).iter().map(|bin| (bin.from, bin.to)).collect();
        let expected =
            [(0, 0), (1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 64), (65, 128), (129, 255)];
        assert_eq!(ranges, expected, "powers of two");
    }
}
