//! Decides which pixels count.

use super::error::CompareError;
use super::options::CompareOptions;
use super::picture::Picture;
use super::region::Region;

/// Knows which pixels count: those inside a region and shown by the mask.
#[derive(Debug)]
pub(super) struct Counted<'o> {
    /// The part covered by both pictures.
    pub(super) common: Region,
    regions: &'o [Region],
    mask: Option<&'o Picture>,
}

impl<'o> Counted<'o> {
    /// Checks that regions and mask fit the part covered by both pictures.
    pub(super) fn new(
        common: Region,
        first: [u32; 2],
        options: &'o CompareOptions,
    ) -> Result<Self, CompareError> {
        if let Some(&region) = options.regions.iter().find(|region| !region.is_inside(&common)) {
            return Err(CompareError::RegionOutside { region, common });
        }
        let mask = options.mask.as_ref();
        if let Some(mask) = mask.filter(|mask| mask.size() != first) {
            return Err(CompareError::MaskSize { mask: mask.size(), first });
        }
        Ok(Self { common, regions: &options.regions, mask })
    }

    /// Returns true if the pixel counts.
    pub(super) fn contains(&self, x: u32, y: u32) -> bool {
        let in_region = self.regions.is_empty() || self.regions.iter().any(|region| region.contains(x, y));
        in_region && self.common.contains(x, y) && self.mask.is_none_or(|mask| is_shown(mask, x, y))
    }
}

/// Returns true if the mask is closer to white than to black at this pixel, and closer to opaque than to
/// transparent.
fn is_shown(mask: &Picture, x: u32, y: u32) -> bool {
    let half = mask.depth().max_value() / 2;
    mask.pixel(x, y).is_some_and(|pixel| pixel.iter().all(|&sample| sample > half))
}

#[cfg(test)]
mod tests {
    use super::super::picture::{Channels, Depth};
    use super::*;

    #[test]
    fn regions_and_mask_both_have_to_allow_a_pixel() {
        let samples = vec![0, 255, 127, 128];
        let mask = Picture::new([4, 1], Channels::Grey, Depth::Eight, samples).expect("a mask");
        let regions = ["0,0,2x1", "3,0,1x1"].map(|text| text.parse().expect("a region")).to_vec();
        let options = CompareOptions { mask: Some(mask), regions, ..CompareOptions::default() };
        let counted = Counted::new("0,0,4x1".parse().expect("a region"), [4, 1], &options).expect("they fit");
        let counts = [0, 1, 2, 3, 4].map(|x| counted.contains(x, 0));
        assert_eq!(
            counts,
            [false, true, false, true, false],
            "black, white, outside the regions, light grey, outside"
        );
    }

    #[test]
    fn transparent_white_does_not_count() {
        let samples = vec![255, 255, 255, 127, 255, 255, 255, 128];
        let mask = Picture::new([2, 1], Channels::Rgba, Depth::Eight, samples).expect("a mask");
        assert_eq!([0, 1].map(|x| is_shown(&mask, x, 0)), [false, true], "alpha decides, too");
    }

    #[test]
    fn regions_outside_and_masks_of_another_size_are_errors() {
        let common: Region = "0,0,4x4".parse().expect("a region");
        let region: Region = "1,1,4x1".parse().expect("a region");
        let options = CompareOptions { regions: vec![region], ..CompareOptions::default() };
        let error = Counted::new(common, [4, 4], &options).expect_err("reaches outside");
        assert_eq!(error, CompareError::RegionOutside { region, common });
        let mask = Picture::new([4, 3], Channels::Grey, Depth::Eight, vec![255; 12]).expect("a mask");
        let options = CompareOptions { mask: Some(mask), ..CompareOptions::default() };
        let error = Counted::new(common, [4, 4], &options).expect_err("too few rows");
        assert_eq!(error.to_string(), "the mask is 4x3, but the first picture is 4x4");
    }
}
