//! Describes the first difference between two runs.

use serde::{Deserialize, Serialize};

use super::events::timeline::EventInfo;
use super::note::NoteInfo;
use super::pixel::PixelDocument;
use super::schema_id::{Document, SchemaId};
use crate::debug::pixel::target::PixelTarget;
use crate::debug::timeline::EventNumber;
use crate::ge::address::Address;
use crate::raster::PixelBounds;

pub mod comparison;
#[cfg(feature = "compare")]
mod pictures;
mod registers;
mod values;

pub use registers::{FieldDifference, MatrixDifference, RegisterDifference};
pub use values::ValueDifference;

/// The first event at which two runs differ, with everything known about the difference.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiffDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The first input as the user named it.
    pub input: String,
    /// The first run: its input, and its options as the user wrote them.
    pub a: String,
    /// The second run; for another renderer, its command.
    pub b: String,
    /// Whether the runs, or the two chosen events, differ.
    pub is_different: bool,
    /// The first event that differs; null if none does, or if two events were chosen.
    pub event: Option<EventNumber>,
    /// Its draw number; null for other events.
    pub draw: Option<u64>,
    /// This event in the first run; null if that run has ended.
    pub a_event: Option<EventInfo>,
    /// This event in the second run; null if that run has ended, or for another renderer.
    pub b_event: Option<EventInfo>,
    /// Whether this event is a draw left out by an option for the first run.
    pub a_is_left_out: bool,
    /// The same for the second run.
    pub b_is_left_out: bool,
    /// Whether the two runs' events are of different kinds, draw different numbers of vertices, or copy between
    /// other places.
    pub is_other_event: bool,
    /// How many bytes differ in memory after this event that it changed in either run; null for another renderer,
    /// and for chosen events.
    pub byte_count: Option<u64>,
    /// How many of these bytes already differed before this event; null if the count above is.
    pub earlier_count: Option<u64>,
    /// The first of these bytes. VRAM has its linear view's addresses.
    pub bytes: Vec<ByteRange>,
    /// The registers that differ at this event, or between the two chosen events.
    pub registers: Vec<RegisterDifference>,
    /// The matrices with differing elements.
    pub matrices: Vec<MatrixDifference>,
    /// How many other values differ in the event's descriptions.
    pub value_count: u64,
    /// The first of these values, from the state, the vertices, the primitives and the fragments.
    pub values: Vec<ValueDifference>,
    /// The pixels that differ after this event; null if none are known.
    pub pixels: Option<DifferentPixels>,
    /// The first such pixel's history in the first run, up to this event.
    pub a_pixel: Option<Box<PixelDocument>>,
    /// Its history in the second run; null for another renderer.
    pub b_pixel: Option<Box<PixelDocument>>,
    /// The picture written; null if none was.
    pub output: Option<String>,
    /// Notes on the inputs and their runs.
    pub notes: Vec<NoteInfo>,
    /// The result as a sentence.
    pub text: String,
}

impl Document for DiffDocument {
    const NAME: &'static str = "diff";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The first difference of two runs";
}

/// Neighbouring bytes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ByteRange {
    /// The first byte's address.
    pub address: Address,
    /// How many bytes there are.
    pub length: u32,
}

/// Pixels that differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DifferentPixels {
    /// Which buffer holds these pixels.
    pub buffer: DifferentBuffer,
    /// The first run's colour buffer, in which these columns and rows are counted; null for pictures from another
    /// renderer.
    pub target: Option<PixelTarget>,
    /// How many pixels differ.
    pub count: u64,
    /// The smallest rectangle around them.
    pub bounds: PixelBounds,
    /// Column and row of the first pixel, going row by row.
    pub first: [u32; 2],
    /// This first pixel in the first run. A depth has no colour, so that is null.
    pub a: DifferentPixel,
    /// The same pixel in the second run.
    pub b: DifferentPixel,
}

/// The buffers whose pixels can differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DifferentBuffer {
    /// The colour buffer, with alpha or stencil.
    Color,
    /// The depth buffer.
    Depth,
    /// The two renderers' pictures.
    Picture,
}

/// A pixel's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DifferentPixel {
    /// The stored bits, 16 or 32; null in pictures.
    pub bits: Option<u32>,
    /// Red, green, blue and alpha; null for depths.
    pub color: Option<[u8; 4]>,
}
