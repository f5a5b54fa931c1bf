//! Describes how a renderer's picture for a case is judged.

use serde::{Deserialize, Serialize};

use super::events::draw_report::ArithmeticName;
use super::note::NoteInfo;
use super::schema_id::{Document, SchemaId};
use crate::compare::{AreaDifference, Difference, Measurement, PixelDifference, Region};
use crate::debug::EventNumber;
use crate::pipeline::texture::content_hash::ContentHash;

pub mod explain;

/// The judgement of a renderer's picture of one case: whether it matches the reference, and if not, why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgementDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user could name it.
    pub input: String,
    /// The case: the path of the input below the folder of cases.
    pub case: String,
    /// Name of the renderer.
    pub renderer: String,
    /// The arithmetic by which pspge drew the picture; null for another renderer.
    pub arithmetic: Option<ArithmeticName>,
    /// The judgement.
    pub outcome: Outcome,
    /// The judgement as a sentence; null for an exact picture that passes.
    pub message: Option<String>,
    /// Path of the reference picture.
    pub reference: Option<String>,
    /// Path of the reference depth buffer.
    pub depth_reference: Option<String>,
    /// The difference between the picture and the reference; null if there is no picture, or no reference.
    pub picture: Option<MatchFigures>,
    /// The difference between the depth buffers.
    pub depth: Option<MatchFigures>,
    /// Results that a PSP gave as checksums, next to those of the run; empty if there are none.
    pub measurements: Vec<Measurement>,
    /// The expectation that applies; null if the case is expected to pass.
    pub expectation: Option<ExpectationInfo>,
    /// The reason for a failure; null if the case passed, or if reasons were not asked for.
    pub explanation: Option<Explanation>,
    /// Facts about the case, from the manifest of the collection.
    pub facts: Vec<CaseFact>,
    /// Hash of the input file; null if it cannot be read.
    pub file_hash: Option<ContentHash>,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
}

impl Document for JudgementDocument {
    const NAME: &'static str = "judgement";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The judgement of a renderer's picture of one case";
}

/// A judgement.
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
    /// The picture is as required, although a failure is expected. Counts as a failure.
    UnexpectedPass,
    /// There is no reference to compare with.
    WithoutReference,
    /// An expectation leaves the case out.
    Skipped,
}

impl Outcome {
    /// Returns whether this makes the run as a whole fail.
    #[must_use]
    pub const fn is_failure(self) -> bool {
        matches!(self, Self::Failed | Self::Error | Self::UnexpectedPass)
    }

    /// Returns the word for use in documents.
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
    /// No channel differs by more than the limit of this tier.
    Near,
    /// Only edges and rounding differ: no area and no block of pixels.
    Area,
    /// More differs.
    Different,
}

/// The difference between two pictures, for a judgement. Values are in steps of the deeper picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchFigures {
    /// The closest tier.
    #[serde(rename = "match")]
    pub tier: MatchTier,
    /// Width in pixels of the compared part.
    pub width: u32,
    /// Height in pixels of the compared part.
    pub height: u32,
    /// Pixels that differ.
    pub differing_pixels: u64,
    /// Largest difference of a channel.
    pub largest_difference: u16,
    /// Mean squared error.
    pub mse: f64,
    /// Peak signal-to-noise ratio in decibels; null, which means infinity, if the pictures are identical.
    pub psnr: Option<f64>,
    /// Structural similarity, 1 if identical; null for pictures below 11x11 pixels.
    pub ssim: Option<f64>,
    /// Pixels in areas that differ, without edges and single pixels.
    pub area_pixels: u64,
    /// Blocks of 8x8 pixels whose mean differs.
    pub blocks: u64,
    /// All blocks of 8x8 pixels.
    pub block_count: u64,
    /// Mean of the picture's value minus the reference's, for each channel.
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

    /// Describes a difference between a picture and its reference. `near` is the largest difference in a
    /// channel that still belongs to the tier of this name, in steps of the deeper picture.
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

/// The expectation that a case fails.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExpectationInfo {
    /// The kind of cause, in the words of the person who wrote it.
    pub kind: String,
    /// The cause.
    pub reason: String,
    /// The difference that is allowed, as text.
    pub allows: String,
}

/// A fact about a case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseFact {
    /// The name, such as `issue` or `game`.
    pub name: String,
    /// The value.
    pub value: String,
}

/// The reason for a difference, as far as pspge's own run of the input tells it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Explanation {
    /// The buffer that differs.
    pub buffer: JudgedBuffer,
    /// The worst connected region of pixels that differ.
    pub region: Region,
    /// Its pixels that differ.
    pub region_pixels: u64,
    /// The worst pixel of the region.
    pub pixel: PixelDifference,
    /// The first event that covers a pixel of the region; null if none does.
    pub first_event: Option<SuspectEvent>,
    /// The events whose pixels are most nearly those that differ, best first.
    pub suspects: Vec<SuspectEvent>,
    /// The history of the worst pixel in pspge's run; null if the input has none.
    pub history: Option<HistorySummary>,
    /// The first draw after which the renderer's picture differs from pspge's; null if it was not looked for or not found.
    pub divergence: Option<Divergence>,
    /// Everything that makes the explanation incomplete.
    pub notes: Vec<String>,
}

/// A buffer that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum JudgedBuffer {
    /// The colours that the screen shows.
    Color,
    /// The depth buffer.
    Depth,
}

/// An event that may be the cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SuspectEvent {
    /// Number of the event.
    pub event: EventNumber,
    /// Number of the draw; null for other events.
    pub draw: Option<u64>,
    /// The event as a sentence.
    pub text: String,
    /// Pixels of the buffer that it covers.
    pub covered: u64,
    /// Pixels that differ among them.
    pub covered_differing: u64,
}

/// The history of a pixel, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistorySummary {
    /// The reason for its value, as a sentence.
    pub verdict: String,
    /// The whole history, a line each.
    pub lines: Vec<String>,
}

/// The first draw after which pictures differ, found by a binary search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Divergence {
    /// Number of the draw.
    pub draw: u64,
    /// Number of its event.
    pub event: Option<EventNumber>,
    /// The draw as a sentence.
    pub text: String,
    /// Runs of the renderer that the search took.
    pub runs: u32,
    /// Whether pspge's own picture of the whole case equals the reference, so that the renderer is at fault.
    pub is_own_exact: bool,
}
