//! Describes a reduced run.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::pixel::PixelBits;
use super::schema_id::{Document, SchemaId};
use crate::debug::pixel::target::PixelTarget;
use crate::debug::reduce::Reduced;
pub use crate::debug::reduce::ReducedCounts as RunSize;
use crate::debug::timeline::{EventNumber, TimelineEvent};
use crate::ge::color;

/// A run reduced to the part on which some pixels depend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReductionDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The file written.
    pub output: String,
    /// That file's size in bytes.
    pub output_bytes: u64,
    /// The buffer with the kept pixels.
    pub target: PixelTarget,
    /// How many pixels are kept; with another renderer, those in which it differed from pspge at first.
    pub pixels: u64,
    /// The first kept pixel's column.
    pub x: u32,
    /// The first kept pixel's row.
    pub y: u32,
    /// The first kept pixel's value in the whole run.
    pub value: PixelBits,
    /// The other renderer's fault, which this reduction keeps; null if the pixels keep their values instead.
    pub renderer: Option<RendererFaultReport>,
    /// The whole run's size.
    pub before: RunSize,
    /// The reduced run's size.
    pub after: RunSize,
    /// The remaining events, in order.
    pub events: Vec<RemainingEvent>,
    /// The registers that are not 0 at the start, by name, such as `VTYPE` or `matrix World`.
    pub start_registers: Vec<String>,
    /// How many trials the reduction took.
    pub trials: u32,
    /// Whether nothing more can be removed; false if the trials were used up first.
    pub is_minimal: bool,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
}

/// Another renderer's fault that the reduced run still shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RendererFaultReport {
    /// The command to run this renderer.
    pub command: String,
    /// How the renderer fails.
    pub kind: RendererFaultKind,
    /// The reduced run's fault, in a sentence.
    pub text: String,
    /// How many times the renderer was run.
    pub runs: u32,
    /// Whether two pictures from the same dump differed.
    pub is_unstable: bool,
    /// In how many kept pixels the reduced run's pictures still differ.
    pub pixels: u64,
    /// Column and row of the first differing pixel; null if the renderer leaves no picture.
    pub pixel: Option<[u32; 2]>,
    /// This pixel's red, green and blue as pspge draws it.
    pub own: Option<[u8; 3]>,
    /// This pixel's red, green and blue as the renderer draws it.
    pub other: Option<[u8; 3]>,
}

/// The ways in which another renderer can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum RendererFaultKind {
    /// Its picture differs.
    Picture,
    /// It ends with an error.
    Crashed,
    /// It takes too long.
    TimedOut,
    /// It writes no picture.
    NoPicture,
    /// Its picture cannot be read.
    BadPicture,
}

/// An event in the reduced run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemainingEvent {
    /// Its event number in the whole run.
    pub event: EventNumber,
    /// Its draw number in the whole run; null if this event is no draw.
    pub draw: Option<u64>,
    /// The event in the whole run, as a line of text.
    pub text: String,
}

impl From<&TimelineEvent> for RemainingEvent {
    fn from(event: &TimelineEvent) -> Self {
        Self { event: event.number, draw: event.draw_number(), text: event.to_string() }
    }
}

impl Document for ReductionDocument {
    const NAME: &'static str = "reduction";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The part of a run that some pixels depend on";
}

impl ReductionDocument {
    /// Describes a reduced run.
    #[must_use]
    pub fn new(input: &str, reduced: &Reduced) -> Self {
        let Reduced { kept, before, after, events, registers, trials, is_unfinished, .. } = reduced;
        let target = kept.target();
        let ([x, y], bits) = kept.first().unwrap_or_default();
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            output: String::new(),
            output_bytes: 0,
            target,
            pixels: kept.len() as u64,
            x,
            y,
            value: PixelBits { bits, color: color::decode(target.format, bits) },
            renderer: None,
            before: *before,
            after: *after,
            events: events.iter().map(RemainingEvent::from).collect(),
            start_registers: registers.clone(),
            trials: *trials,
            is_minimal: !is_unfinished,
            notes: Vec::new(),
        }
    }
}
