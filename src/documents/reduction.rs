//! Describes a reduced run.

use serde::{Deserialize, Serialize};

use super::note::NoteInfo;
use super::pixel::{PixelBits, TargetInfo};
use super::schema_id::{Document, SchemaId};
use crate::debug::reduce::{Reduced, ReducedCounts};
use crate::debug::timeline::{EventNumber, TimelineEvent};
use crate::ge::color;

/// The part of a run that some pixels depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReductionDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The file that was written.
    pub output: String,
    /// Bytes of that file.
    pub output_bytes: u64,
    /// The buffer of the kept pixels.
    pub target: TargetInfo,
    /// Number of kept pixels; with another renderer, those in which it differed from pspge at first.
    pub pixels: u64,
    /// Column of the first kept pixel.
    pub x: u32,
    /// Row of the first kept pixel.
    pub y: u32,
    /// Value of the first kept pixel in the whole run.
    pub value: PixelBits,
    /// The kept fault of another renderer; null if the pixels keep their values.
    pub renderer: Option<RendererFaultReport>,
    /// The size of the whole run.
    pub before: RunSize,
    /// The size of the part that is left.
    pub after: RunSize,
    /// The events of the run that are left, in order.
    pub events: Vec<RemainingEvent>,
    /// The registers that are not 0 at the start, by name, such as `VTYPE` or `matrix World`.
    pub start_registers: Vec<String>,
    /// Number of trials.
    pub trials: u32,
    /// Whether nothing more can be removed; false if the trials were used up before.
    pub is_minimal: bool,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
}

/// A fault of another renderer that the reduced run still has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RendererFaultReport {
    /// The command that runs the renderer.
    pub command: String,
    /// What the renderer does wrongly.
    pub kind: RendererFaultKind,
    /// The fault of the reduced run in a sentence.
    pub text: String,
    /// How many times the renderer was run.
    pub runs: u32,
    /// Whether two pictures of the same dump differed.
    pub is_unstable: bool,
    /// Number of kept pixels in which the pictures of the reduced run still differ.
    pub pixels: u64,
    /// Column and row of the first of them; null if the renderer leaves no picture.
    pub pixel: Option<[u32; 2]>,
    /// Red, green and blue of this pixel as pspge draws it.
    pub own: Option<[u8; 3]>,
    /// Red, green and blue of this pixel as the renderer draws it.
    pub other: Option<[u8; 3]>,
}

/// What another renderer does wrongly.
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
    /// It writes a picture that cannot be read.
    BadPicture,
}

/// An event that is left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemainingEvent {
    /// Number of the event in the whole run.
    pub event: EventNumber,
    /// Number of the draw in the whole run; null if the event is no draw.
    pub draw: Option<u64>,
    /// The event of the whole run as a line of text.
    pub text: String,
}

impl From<&TimelineEvent> for RemainingEvent {
    fn from(event: &TimelineEvent) -> Self {
        Self { event: event.number, draw: event.draw_number(), text: event.to_string() }
    }
}

/// The size of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunSize {
    /// Number of draws.
    pub draws: u64,
    /// Number of block transfers.
    pub transfers: u64,
    /// Number of actions of the CPU that change memory or its translation.
    pub actions: u64,
    /// Number of commands; after a reduction, without pointers and list flow.
    pub commands: u64,
    /// Number of registers that are not 0 at the start; each matrix and the palette count as one.
    pub registers: u64,
    /// Bytes that are not 0 among those that the run reads or may write.
    pub bytes: u64,
}

impl From<ReducedCounts> for RunSize {
    fn from(counts: ReducedCounts) -> Self {
        let ReducedCounts { draws, transfers, actions, commands, registers, bytes } = counts;
        Self { draws, transfers, actions, commands, registers, bytes }
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
            target: TargetInfo { address: target.address, stride: target.stride, format: target.format },
            pixels: kept.len() as u64,
            x,
            y,
            value: PixelBits { bits, color: color::decode(target.format, bits) },
            renderer: None,
            before: (*before).into(),
            after: (*after).into(),
            events: events.iter().map(RemainingEvent::from).collect(),
            start_registers: registers.clone(),
            trials: *trials,
            is_minimal: !is_unfinished,
            notes: Vec::new(),
        }
    }
}
