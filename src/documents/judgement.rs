//! Describes how a renderer's picture for a case is judged.

use serde::{Deserialize, Serialize};

use super::events::draw_report::ArithmeticName;
use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};
use crate::compare::{AreaDifference, Difference, Measurement, PixelDifference, Region};
use crate::debug::EventNumber;
use crate::pipeline::texture::content_hash::ContentHash;

pub mod explain;

/// How a renderer's picture for a case is judged: whether it matches the reference, and if not, why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgementDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user could name it.
    pub input: String,
    /// The case, named by the input's path below the folder with all cases.
    pub case: String,
    /// The renderer's name.
    pub renderer: String,
    /// Which arithmetic pspge drew the picture with; null for another renderer.
    pub arithmetic: Option<ArithmeticName>,
    /// The judgement in a word.
    pub outcome: Outcome,
    /// The judgement as a sentence, for people; null for an exact picture that passes.
    pub message: Option<String>,
    /// Path to the reference picture.
    pub reference: Option<String>,
    /// Path to the reference depth buffer.
    pub depth_reference: Option<String>,
    /// How the picture differs from its reference; null if either does not exist.
    pub picture: Option<MatchFigures>,
    /// How the depth buffers differ.
    pub depth: Option<MatchFigures>,
    /// Checksums measured on a PSP, next to those from this run; empty if there are none.
    pub measurements: Vec<Measurement>,
    /// The expectation that applies; null if this case is expected to pass.
    pub expectation: Option<ExpectationInfo>,
    /// Why the case failed; null if it passed, or if reasons were not asked for.
    pub explanation: Option<Explanation>,
    /// Facts about the case, from the collection's manifest.
    pub facts: Vec<CaseFact>,
    /// The input file's hash; null if the file cannot be read.
    pub file_hash: Option<ContentHash>,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
}

impl Document for JudgementDocument {
    const NAME: &'static str = "judgement";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The judgement of a renderer's picture of one case";
}

/// The possible judgements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The picture is as required.
    Passed,
    /// The picture differs by more than allowed.
    Failed,
    /// There is no picture, or no readable reference.
    Error,
    /// The picture differs, as expected.
    ExpectedFailure,
    /// The picture is as required, although a failure is expected. This counts as a failure, so that outdated
    /// expectations are found.
    UnexpectedPass,
    /// There is no reference to compare with.
    WithoutReference,
    /// An expectation leaves this case out.
    Skipped,
}

impl Outcome {
    /// Returns whether this makes the run as a whole fail.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Error | Self::UnexpectedPass)
    }

    /// Returns the word for this outcome in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Error => "error",
            Self::ExpectedFailure => "expected-failure",
            Self::UnexpectedPass => "unexpected-pass",
            Self::WithoutReference => "without-reference",
            Self::Skipped => "skipped",
        }
    }
}

/// How closely two pictures match. Each tier includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MatchTier {
    /// All values are equal.
    Exact,
    /// No channel differs by more than this tier's limit.
    Near,
    /// Only edges and rounding differ: no area and no block of pixels.
    Area,
    /// More differs.
    Different,
}

/// How two pictures differ, to judge a renderer. Values are in steps of the deeper picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchFigures {
    /// The closest tier reached by the pictures.
    #[serde(rename = "match")]
    pub tier: MatchTier,
    /// Width of the compared part, in pixels.
    pub width: u32,
    /// Height of the compared part, in pixels.
    pub height: u32,
    /// How many pixels differ.
    pub differing_pixels: u64,
    /// The largest difference in any channel.
    pub largest_difference: u16,
    /// Mean squared error.
    pub mse: f64,
    /// Peak signal-to-noise ratio in decibels; null, which means infinity, if the pictures are identical.
    pub psnr: Option<f64>,
    /// Structural similarity, 1 if identical; null for pictures below 11x11 pixels.
    pub ssim: Option<f64>,
    /// How many pixels lie in areas that differ, without edges and single pixels.
    pub area_pixels: u64,
    /// How many blocks of 8x8 pixels have another mean.
    pub blocks: u64,
    /// How many blocks of 8x8 pixels there are in all.
    pub block_count: u64,
    /// For each channel, the mean of the picture's values minus the reference's.
    pub bias: Vec<f64>,
}

impl MatchFigures {
    /// Returns the figures for two identical pictures with this number of channels.
    #[must_use]
    pub fn identical([width, height]: [u32; 2], channels: usize) -> Self {
        Self {
            tier: MatchTier::Exact,
            width,
            height,
            differing_pixels: 0,
            largest_difference: 0,
            mse: 0.0,
            psnr: None,
            ssim: (width.min(height) >= 11).then_some(1.0),
            area_pixels: 0,
            blocks: 0,
            block_count: u64::from(width.div_ceil(8)) * u64::from(height.div_ceil(8)),
            bias: vec![0.0; channels],
        }
    }

    /// Describes how a picture differs from its reference. `near` is the largest difference in a channel that still
    /// belongs to the tier of this name, in steps of the deeper picture.
    #[must_use]
    pub fn new(difference: &Difference, areas: &AreaDifference, near: u16) -> Self {
        let tier = if difference.is_identical() {
            MatchTier::Exact
        } else if difference.largest_difference <= near {
            MatchTier::Near
        } else if areas.is_none() {
            MatchTier::Area
        } else {
            MatchTier::Different
        };
        Self {
            tier,
            width: difference.common.width,
            height: difference.common.height,
            differing_pixels: difference.differing_pixels,
            largest_difference: difference.largest_difference,
            mse: difference.mse,
            psnr: difference.psnr,
            ssim: difference.ssim,
            area_pixels: areas.pixels,
            blocks: areas.blocks,
            block_count: areas.block_count,
            bias: areas.bias.clone(),
        }
    }
}

/// An expectation: this case is known to fail.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExpectationInfo {
    /// The kind of cause, in the words of the person who wrote it.
    pub kind: String,
    /// Why the case is expected to fail.
    pub reason: String,
    /// How much difference this allows, as text.
    pub allows: String,
}

/// A fact about a case, to group and filter results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseFact {
    /// The name, such as `issue` or `game`.
    pub name: String,
    /// The value.
    pub value: String,
}

/// Why a picture differs, as far as pspge's own run of this input tells.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// Which buffer differs.
    pub buffer: JudgedBuffer,
    /// The worst connected region of differing pixels.
    pub region: Region,
    /// How many pixels in this region differ.
    pub region_pixels: u64,
    /// The region's worst pixel.
    pub pixel: PixelDifference,
    /// The first event to cover a pixel in this region; null if none does.
    pub first_event: Option<SuspectEvent>,
    /// The events whose pixels fit the differing pixels best, best first.
    pub suspects: Vec<SuspectEvent>,
    /// The worst pixel's history in pspge's run; null if the input has none.
    pub history: Option<HistorySummary>,
    /// The first draw after which the renderer's picture differs from pspge's; null if this was not searched for or
    /// not found.
    pub divergence: Option<Divergence>,
    /// Tells why this explanation is incomplete, if it is.
    pub notes: Vec<String>,
}

/// The buffers to compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum JudgedBuffer {
    /// The colours shown on the screen.
    Color,
    /// The depth buffer.
    Depth,
}

/// An event suspected to be the cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuspectEvent {
    /// Its event number.
    pub event: EventNumber,
    /// Its draw number; null for other events.
    pub draw: Option<u64>,
    /// The event as a sentence.
    pub text: String,
    /// How many of the buffer's pixels it covers.
    pub covered: u64,
    /// How many of these pixels differ.
    pub covered_differing: u64,
}

/// A pixel's history, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistorySummary {
    /// Why the pixel has its value, as a sentence.
    pub verdict: String,
    /// The whole history as lines of text.
    pub lines: Vec<String>,
}

/// The first draw after which two renderers' pictures differ, found by a binary search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Divergence {
    /// The draw's number.
    pub draw: u64,
    /// The draw's event number.
    pub event: Option<EventNumber>,
    /// The draw as a sentence.
    pub text: String,
    /// How many times the search ran the renderer.
    pub runs: u32,
    /// Whether pspge's own picture of the whole case equals the reference, which puts the renderer at fault.
    pub is_own_exact: bool,
}
