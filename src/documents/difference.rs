//! Describes the difference between two pictures.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};
use crate::compare::{ChannelDifference, Difference, Exceeded, HistogramBin, PixelDifference, Region};

/// How two pictures differ. Places are in pixels, values in steps of the deeper picture: 0 to 255, or 0 to 65535 for
/// 16 bits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DifferenceDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The picture, or the input that was drawn, as the user named it.
    pub input: String,
    /// The comparison's other side, as the user named it.
    pub reference: String,
    /// Whether all compared pixels are identical.
    pub identical: bool,
    /// Whether all bounds hold. Without any, this means that no pixel differs by more than the tolerance.
    pub equal: bool,
    /// The part covered by both pictures.
    pub common: Region,
    /// Bits per sample in this comparison, as in the deeper picture: 8 or 16.
    pub bits: u8,
    /// Bits per sample in the picture. If this is less than `bits`, its samples were widened.
    pub input_bits: u8,
    /// Bits per sample in the reference.
    pub reference_bits: u8,
    /// How many pixels were compared, without those left out by a mask or a region.
    pub counted_pixels: u64,
    /// How many pixels differ.
    pub differing_pixels: u64,
    /// How many pixels differ by more than the tolerance.
    pub pixels_beyond_tolerance: u64,
    /// Mean squared error of the colours, without alpha.
    pub mse: f64,
    /// Peak signal-to-noise ratio for colours, in decibels; null, which means infinity, if they are identical.
    pub psnr: Option<f64>,
    /// Structural similarity for colours, 1 if identical; null if it was not computed.
    pub ssim: Option<f64>,
    /// The largest difference in any channel.
    pub largest_difference: u16,
    /// The figures for each channel.
    pub channels: Vec<ChannelDifference>,
    /// The first pixel that differs, searching rows from the top, and each from the left.
    pub first: Option<PixelDifference>,
    /// The first pixel with the largest difference.
    pub largest: Option<PixelDifference>,
    /// The smallest rectangle around all pixels that differ.
    pub bounding_box: Option<Region>,
    /// How many compared pixels fall into each range of the largest difference in a channel.
    pub histogram: Vec<HistogramBin>,
    /// The bounds that do not hold.
    pub exceeded: Vec<Exceeded>,
    /// The picture files written.
    pub output: Vec<String>,
    /// Notes on the inputs and their runs.
    pub notes: Vec<NoteInfo>,
}

impl Document for DifferenceDocument {
    const NAME: &'static str = "difference";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The difference between two pictures";
}

impl DifferenceDocument {
    /// Describes how two named inputs differ, without output and notes.
    #[must_use]
    pub fn new(input: &str, reference: &str, difference: &Difference) -> Self {
        let [input_bits, reference_bits] = difference.bits_of_sides;
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            reference: reference.to_owned(),
            identical: difference.is_identical(),
            equal: difference.is_equal(),
            common: difference.common,
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
            channels: difference.by_channel.clone(),
            first: difference.first.clone(),
            largest: difference.largest.clone(),
            bounding_box: difference.bounding_box,
            histogram: difference.histogram.clone(),
            exceeded: difference.exceeded.clone(),
            output: Vec::new(),
            notes: Vec::new(),
        }
    }
}
