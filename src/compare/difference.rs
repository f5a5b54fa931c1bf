//! The figures that describe a difference.

use super::bounds::Exceeded;
use super::channel::Channel;
use super::histogram::HistogramBin;
use super::picture::Channels;
use super::region::Region;

/// How two pictures differ. Places are in the first picture's pixels, values in steps of the deeper picture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The part covered by both pictures.
    pub common: Region,
    /// Bits per sample, as compared: 8 or 16.
    pub bits: u8,
    /// Bits per sample in the first and in the second picture.
    pub bits_of_sides: [u8; 2],
    /// Which channels were compared.
    pub channels: Channels,
    /// How many pixels count.
    pub counted_pixels: u64,
    /// How many pixels differ in any channel.
    pub differing_pixels: u64,
    /// How many pixels differ in any channel by more than its tolerance.
    pub pixels_beyond_tolerance: u64,
    /// Mean squared error over the colours, without alpha.
    pub mse: f64,
    /// Peak signal-to-noise ratio over the colours in decibels; `None`, which means infinity, if they are identical.
    pub psnr: Option<f64>,
    /// Structural similarity over the colours, 1 if identical; `None` if no window of 11x11 pixels fits.
    ///
    /// This is the mean over the colours and over all windows inside the bounding box around the counted pixels. A
    /// window is used if its centre counts; other pixels in it are taken as equal. Billionths are rounded down.
    pub ssim: Option<f64>,
    /// The largest difference in any channel.
    pub largest_difference: u16,
    /// The figures for each channel.
    pub by_channel: Vec<ChannelDifference>,
    /// The first pixel that differs, searching rows from the top, and each from the left.
    pub first: Option<PixelDifference>,
    /// The first pixel with the largest difference.
    pub largest: Option<PixelDifference>,
    /// The smallest rectangle around all pixels that differ.
    pub bounding_box: Option<Region>,
    /// How many counted pixels fall into each range of the largest difference in a channel.
    pub histogram: Vec<HistogramBin>,
    /// The bounds that do not hold.
    pub exceeded: Vec<Exceeded>,
}

impl Difference {
    /// Returns true if all counted pixels are identical.
    #[must_use]
    pub const fn is_identical(&self) -> bool {
        self.differing_pixels == 0
    }

    /// Returns true if all bounds hold. Use this to decide whether a test passes.
    #[must_use]
    pub const fn is_equal(&self) -> bool {
        self.exceeded.is_empty()
    }
}

/// How a channel differs.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ChannelDifference {
    /// Which channel this is.
    pub channel: Channel,
    /// Mean squared error.
    pub mse: f64,
    /// Peak signal-to-noise ratio in decibels. Identical channels have none: it would be infinite.
    pub psnr: Option<f64>,
    /// Structural similarity, 1 if identical. Pictures without a window of 11x11 pixels have none.
    pub ssim: Option<f64>,
    /// The mean absolute difference.
    pub mean: f64,
    /// The mean of the second picture's values minus the first's.
    pub mean_signed: f64,
    /// The largest difference.
    pub largest_difference: u16,
    /// How many pixels differ in this channel.
    pub differing_pixels: u64,
    /// How many pixels differ in this channel by more than its tolerance.
    pub pixels_beyond_tolerance: u64,
}

/// How a pixel differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PixelDifference {
    /// The pixel's column.
    pub x: u32,
    /// The pixel's row.
    pub y: u32,
    /// The first picture's values, in the order of the channels.
    #[cfg_attr(feature = "serde", serde(rename = "value"))]
    pub first: Vec<u16>,
    /// The values in the second picture, the reference.
    #[cfg_attr(feature = "serde", serde(rename = "reference"))]
    pub second: Vec<u16>,
    /// The largest difference in any channel.
    pub difference: u16,
}
