//! The difference between two pictures.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};
#[cfg(feature = "compare")]
use crate::compare::{self, Difference, Exceeded, PixelDifference, Region};

/// The difference between two pictures. Places are in pixels, values in steps of the deeper picture: 0 to 255, or 0 to
/// 65535 for 16 bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DifferenceDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The picture, or the input that was drawn, as the user named it.
    pub input: String,
    /// The other side of the comparison, as the user named it.
    pub reference: String,
    /// Whether all compared pixels are identical.
    pub identical: bool,
    /// Whether all bounds hold. Without any, this means that no pixel differs by more than the tolerance.
    pub equal: bool,
    /// The part that both pictures cover.
    pub common: Area,
    /// Bits of a sample at which the pictures were compared, those of the deeper one: 8 or 16.
    pub bits: u8,
    /// Bits of a sample of the picture. If they are fewer, its samples were widened.
    pub input_bits: u8,
    /// Bits of a sample of the reference.
    pub reference_bits: u8,
    /// Pixels that were compared: without those that a mask or a region leaves out.
    pub counted_pixels: u64,
    /// Pixels that differ.
    pub differing_pixels: u64,
    /// Pixels that differ by more than the tolerance.
    pub pixels_beyond_tolerance: u64,
    /// Mean squared error of the colours, without alpha.
    pub mse: f64,
    /// Peak signal-to-noise ratio of the colours in decibels; null, which means infinity, if they are identical.
    pub psnr: Option<f64>,
    /// Structural similarity of the colours, 1 if identical; null if it was not computed.
    pub ssim: Option<f64>,
    /// Largest difference of a channel.
    pub largest_difference: u16,
    /// The figures of each channel.
    pub channels: Vec<ChannelDifference>,
    /// The first pixel that differs: rows from the top, pixels from the left.
    pub first: Option<DifferingPixel>,
    /// The first pixel with the largest difference.
    pub largest: Option<DifferingPixel>,
    /// The smallest rectangle that contains all pixels that differ.
    pub bounding_box: Option<Area>,
    /// The pixels that were compared, by the largest difference of a channel.
    pub histogram: Vec<DifferenceBin>,
    /// The bounds that do not hold.
    pub exceeded: Vec<ExceededBound>,
    /// The picture files that were written.
    pub output: Vec<String>,
    /// Notes on the inputs and their runs.
    pub notes: Vec<NoteInfo>,
}

impl Document for DifferenceDocument {
    const NAME: &'static str = "difference";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The difference between two pictures";
}

#[cfg(feature = "compare")]
impl DifferenceDocument {
    /// Describes the difference between two named inputs, without output and notes.
    #[must_use]
    pub fn new(input: &str, reference: &str, difference: &Difference) -> Self {
        let pixel = |pixel: &PixelDifference| DifferingPixel {
            x: pixel.x,
            y: pixel.y,
            value: pixel.first.clone(),
            reference: pixel.second.clone(),
            difference: pixel.difference,
        };
        let [input_bits, reference_bits] = difference.bits_of_sides;
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            reference: reference.to_owned(),
            identical: difference.is_identical(),
            equal: difference.is_equal(),
            common: Area::new(difference.common),
            bits: difference.bits,
            input_bits,
            reference_bits,
            counted_pixels: difference.counted_pixels,
            differing_pixels: difference.differing_pixels,
            pixels_beyond_tolerance: difference.pixels_beyond_tolerance,
            mse: difference.mse,
            psnr: difference.psnr,
            ssim: difference.ssim,
            largest_difference: difference.largest_difference,
            channels: difference.by_channel.iter().map(ChannelDifference::new).collect(),
            first: difference.first.as_ref().map(pixel),
            largest: difference.largest.as_ref().map(pixel),
            bounding_box: difference.bounding_box.map(Area::new),
            histogram: difference.histogram.iter().map(DifferenceBin::new).collect(),
            exceeded: difference.exceeded.iter().map(ExceededBound::new).collect(),
            output: Vec::new(),
            notes: Vec::new(),
        }
    }
}

#[cfg(feature = "compare")]
impl ChannelDifference {
    fn new(channel: &compare::ChannelDifference) -> Self {
        Self {
            channel: channel.name.to_owned(),
            mse: channel.mse,
            psnr: channel.psnr,
            ssim: channel.ssim,
            mean: channel.mean,
            mean_signed: channel.mean_signed,
            largest_difference: channel.largest,
            differing_pixels: channel.differing_pixels,
            pixels_beyond_tolerance: channel.pixels_beyond_tolerance,
        }
    }
}

#[cfg(feature = "compare")]
impl DifferenceBin {
    const fn new(bin: &compare::HistogramBin) -> Self {
        Self { from: bin.from, to: bin.to, pixels: bin.pixels }
    }
}

#[cfg(feature = "compare")]
impl ExceededBound {
    fn new(exceeded: &Exceeded) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "pictures have far fewer than 2^52 pixels")]
        let (bound, found, allowed) = match *exceeded {
            Exceeded::Pixels { found, allowed } => ("pixels", found as f64, allowed as f64),
            Exceeded::Mse { found, allowed } => ("mse", found, allowed),
            Exceeded::Psnr { found, allowed } => ("psnr", found, allowed),
            Exceeded::Ssim { found, allowed } => ("ssim", found, allowed),
        };
        Self { bound: bound.to_owned(), found, allowed }
    }
}

#[cfg(feature = "compare")]
impl Area {
    const fn new(region: Region) -> Self {
        Self { x: region.x, y: region.y, width: region.width, height: region.height }
    }
}

/// The difference in one channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChannelDifference {
    /// The channel: `red`, `green`, `blue`, `alpha` or `grey`.
    pub channel: String,
    /// Mean squared error.
    pub mse: f64,
    /// Peak signal-to-noise ratio in decibels; null, which means infinity, if the channels are identical.
    pub psnr: Option<f64>,
    /// Structural similarity; null if it was not computed.
    pub ssim: Option<f64>,
    /// Mean of the absolute differences.
    pub mean: f64,
    /// Mean of the second picture's value minus the first's.
    pub mean_signed: f64,
    /// Largest difference.
    pub largest_difference: u16,
    /// Pixels that differ in this channel.
    pub differing_pixels: u64,
    /// Pixels that differ in this channel by more than its tolerance.
    pub pixels_beyond_tolerance: u64,
}

/// A pixel that differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DifferingPixel {
    /// Column.
    pub x: u32,
    /// Row.
    pub y: u32,
    /// The channels of the picture.
    pub value: Vec<u16>,
    /// The channels of the reference.
    pub reference: Vec<u16>,
    /// Largest difference of a channel.
    pub difference: u16,
}

/// The number of pixels whose largest difference of a channel is in a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DifferenceBin {
    /// Smallest difference of the range.
    pub from: u16,
    /// Largest difference of the range.
    pub to: u16,
    /// The number of pixels.
    pub pixels: u64,
}

/// A bound that does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExceededBound {
    /// The bounded figure: `pixels`, `mse`, `psnr` or `ssim`.
    pub bound: String,
    /// The figure that was found.
    pub found: f64,
    /// The largest, or for `psnr` and `ssim` the smallest, figure allowed.
    pub allowed: f64,
}

/// A rectangle of pixels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Area {
    /// Leftmost column.
    pub x: u32,
    /// Top row.
    pub y: u32,
    /// Number of columns.
    pub width: u32,
    /// Number of rows.
    pub height: u32,
}
