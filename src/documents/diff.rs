//! Describes the first difference between two runs.

use serde::{Deserialize, Serialize};

use super::events::timeline::EventInfo;
use super::note::NoteInfo;
use super::pixel::{PixelDocument, TargetInfo};
use super::schema_id::{Document, SchemaId};
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

/// The first event at which two runs differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DiffDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The first input as the user named it.
    pub input: String,
    /// The first run: its input, and its options as the user wrote them.
    pub a: String,
    /// The second run; of another renderer, its command.
    pub b: String,
    /// Whether the runs, or the events that were chosen, differ.
    pub is_different: bool,
    /// Number of the first event that differs; null if none does, or if two events were chosen.
    pub event: Option<EventNumber>,
    /// Number of its draw; null for other events.
    pub draw: Option<u64>,
    /// The event in the first run; null if that run has ended.
    pub a_event: Option<EventInfo>,
    /// The event in the second run; null if that run has ended, or for another renderer.
    pub b_event: Option<EventInfo>,
    /// Whether the event is a draw that an option of the first run leaves out.
    pub a_is_left_out: bool,
    /// The same in the second run.
    pub b_is_left_out: bool,
    /// Whether the events are of another kind, draw another number of vertices, or copy between other places.
    pub is_other_event: bool,
    /// Number of bytes of memory that differ after the event, and that it changed in one of the runs; null for another
    /// renderer, and for events that were chosen.
    pub byte_count: Option<u64>,
    /// Number of these bytes that differed before the event, too; null as the number before.
    pub earlier_count: Option<u64>,
    /// The first of these bytes. VRAM has the addresses of its linear view.
    pub bytes: Vec<ByteRange>,
    /// The registers that differ at the event, or between the events that were chosen.
    pub registers: Vec<RegisterDifference>,
    /// The matrices with elements that differ.
    pub matrices: Vec<MatrixDifference>,
    /// Number of other values that differ in the descriptions of the event.
    pub value_count: u64,
    /// The first of these values: of the state, the vertices, the primitives and the fragments.
    pub values: Vec<ValueDifference>,
    /// The pixels that the event leaves different; null if none are known.
    pub pixels: Option<DifferentPixels>,
    /// The history of the first of these pixels in the first run, up to the event.
    pub a_pixel: Option<Box<PixelDocument>>,
    /// Its history in the second run; null for another renderer.
    pub b_pixel: Option<Box<PixelDocument>>,
    /// The picture that was written; null if none was.
    pub output: Option<String>,
    /// Notes on the inputs and the runs.
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
    /// Address of the first byte.
    pub address: Address,
    /// Number of bytes.
    pub length: u32,
}

/// Pixels that differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DifferentPixels {
    /// The buffer of the pixels.
    pub buffer: DifferentBuffer,
    /// The colour buffer of the first run, whose columns and rows these are; null for pictures of another renderer.
    pub target: Option<TargetInfo>,
    /// Number of pixels.
    pub count: u64,
    /// The smallest rectangle around them.
    pub bounds: PixelBounds,
    /// Column and row of the first one, row by row.
    pub first: [u32; 2],
    /// The first one in the first run. The colour of a depth is null.
    pub a: DifferentPixel,
    /// The first one in the second run.
    pub b: DifferentPixel,
}

/// The buffer of pixels that differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum DifferentBuffer {
    /// The colour buffer, with alpha or stencil.
    Color,
    /// The depth buffer.
    Depth,
    /// The pictures of two renderers.
    Picture,
}

/// The value of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DifferentPixel {
    /// The stored bits, 16 or 32; null in pictures.
    pub bits: Option<u32>,
    /// Red, green, blue and alpha; null for depths.
    pub color: Option<[u8; 4]>,
}
