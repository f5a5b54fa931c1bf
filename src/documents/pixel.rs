//! Describes a pixel's history.

use serde::{Deserialize, Serialize};

use super::events::draw::ImmediateVertexInfo;
use super::events::event::{ActionName, EventDocument};
use super::schema_id::{Document, SchemaId};
use crate::debug::pixel::history::{HistoryCause, HistoryEntry, PixelHistory};
use crate::debug::pixel::target::PixelTarget;
use crate::debug::timeline::{EventKind, EventNumber};
use crate::ge::address::Address;
use crate::ge::capture::{Event, Source, source_of};
use crate::ge::registers::texture::PixelFormat;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::primitive::Shape;
use crate::raster::WatchedFragment;
use crate::raster::fragment_record::FragmentRecord;

/// Every event that touched a pixel, with the reasons for its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PixelDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// Column in the buffer.
    pub x: u32,
    /// Row in the buffer.
    pub y: u32,
    /// Address of the pixel.
    pub address: Address,
    /// The buffer.
    pub target: TargetInfo,
    /// Number of draws of the run.
    pub draws: u64,
    /// Number of events of the run: draws, block transfers and actions of the CPU.
    pub events: u64,
    /// The pixel before the first event.
    pub before: PixelBits,
    /// The pixel after the last event.
    pub after: PixelBits,
    /// The events that touched the pixel, in order: all, or those that were asked for.
    pub entries: Vec<PixelEntry>,
    /// Whether every event that touched the pixel was found; false if a limit ended the explanations.
    pub is_complete: bool,
    /// The last event that wrote the pixel; null if none did.
    pub writer: Option<EventNumber>,
    /// The reason for the value at the end, as a sentence.
    pub verdict: String,
}

impl Document for PixelDocument {
    const NAME: &'static str = "pixel";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The history of a pixel";
}

/// A buffer of pixels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetInfo {
    /// Address of the upper left pixel.
    pub address: Address,
    /// Pixels from one row to the next.
    pub stride: u32,
    /// Format of the pixels.
    pub format: PixelFormat,
}

impl From<PixelTarget> for TargetInfo {
    fn from(PixelTarget { address, stride, format }: PixelTarget) -> Self {
        Self { address, stride, format }
    }
}

/// The value of a pixel in its buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PixelBits {
    /// The stored bits, 16 or 32.
    pub bits: u32,
    /// Red, green, blue, alpha.
    pub color: [u8; 4],
}

/// An event that touched the pixel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PixelEntry {
    /// Number of the event.
    pub event: EventNumber,
    /// The kind of event.
    pub kind: PixelEntryKind,
    /// Address of the command's word; of an action of the CPU, of the word that the list waits at.
    pub address: Address,
    /// Offset of that word in its file; null if it comes from no file.
    pub file_offset: Option<u64>,
    /// Number of commands executed before the event.
    pub command: u64,
    /// Number of the draw; null for other events.
    pub draw: Option<u64>,
    /// The primitive type of the draw; null for other events.
    pub primitive: Option<PrimitiveType>,
    /// Number of vertices of the draw; null for other events.
    pub vertices: Option<u32>,
    /// The action of the CPU; null for other events.
    pub action: Option<ActionName>,
    /// Address of the copied bytes; null for draws and fills.
    pub from: Option<Address>,
    /// The pixel before the event.
    pub before: PixelBits,
    /// The pixel after the event.
    pub after: PixelBits,
    /// Whether the event wrote the pixel, be it with the same value.
    pub written: bool,
    /// The fragments of a draw at the pixel, in order; empty for other events.
    pub fragments: Vec<FragmentInfo>,
    /// Rules of the hardware that the vertices of a draw meet and that apply to few draws, as sentences.
    pub rules: Vec<String>,
    /// The effect of the event as a sentence.
    pub verdict: String,
}

/// The kind of an event that touches a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PixelEntryKind {
    /// A draw.
    Draw,
    /// A block transfer.
    Transfer,
    /// An action of the CPU.
    Cpu,
}

/// A fragment at the pixel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FragmentInfo {
    /// Number of its primitive in the draw, from 0, in the order of the list. A patch has the primitives of all its
    /// sub-patches, one after the other. Two triangles that single arithmetic merges to a rectangle have the number of
    /// the first.
    pub number: u32,
    /// The shape of the primitive.
    pub shape: ShapeName,
    /// The vertices of the primitive, in screen space.
    pub vertices: Vec<ImmediateVertexInfo>,
    /// The pixel before the fragment.
    pub before: PixelBits,
    /// The pixel after the fragment.
    pub after: PixelBits,
    /// The effect of the fragment in a few words.
    pub verdict: String,
    /// Whether the pixel is in the draw's depth buffer rather than in its colour buffer.
    pub is_depth: bool,
    /// All steps from the interpolated values to the stored pixel.
    pub steps: FragmentRecord,
}

/// The shape of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ShapeName {
    /// One pixel.
    Point,
    /// A line.
    Line,
    /// A triangle.
    Triangle,
    /// A rectangle between two opposite corners.
    Rectangle,
}

impl PixelDocument {
    /// Describes a history. `sources` are the parts of memory that come from files.
    #[must_use]
    pub fn new(input: &str, history: &PixelHistory, sources: &[Source]) -> Self {
        let [x, y] = history.position;
        let builder = Builder { input, history, sources };
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            x,
            y,
            address: history.address,
            target: history.target.into(),
            draws: history.draws,
            events: history.events,
            before: builder.value(history.first),
            after: builder.value(history.last),
            entries: history.shown_entries().map(|entry| builder.entry(entry)).collect(),
            is_complete: history.limit_hit.is_none(),
            writer: history.last_writer().map(|entry| entry.event.number),
            verdict: history.verdict(),
        }
    }
}

/// Builds the parts of a document.
struct Builder<'a> {
    input: &'a str,
    history: &'a PixelHistory,
    sources: &'a [Source],
}

impl Builder<'_> {
    fn value(&self, bits: u32) -> PixelBits {
        PixelBits { bits, color: self.history.color(bits) }
    }

    fn entry(&self, entry: &HistoryEntry) -> PixelEntry {
        let event = &entry.event;
        let draw = match &event.kind {
            EventKind::Draw(draw) => Some(draw),
            EventKind::Transfer(_) | EventKind::Cpu(_) => None,
        };
        let (kind, action, from) = match &entry.cause {
            HistoryCause::Draw(_) => (PixelEntryKind::Draw, None, None),
            HistoryCause::Transfer { from, .. } => (PixelEntryKind::Transfer, None, Some(*from)),
            HistoryCause::Cpu { action, from, .. } => {
                let event = Event { at: event.at, action: action.clone() };
                (PixelEntryKind::Cpu, Some(EventDocument::new(self.input, &event).action), *from)
            }
        };
        PixelEntry {
            event: event.number,
            kind,
            address: event.at,
            file_offset: source_of(self.sources, event.at).map(|(_, offset)| offset),
            command: event.command,
            draw: event.draw_number(),
            primitive: draw.map(|draw| draw.primitive),
            vertices: draw.map(|draw| draw.vertices),
            action,
            from,
            before: self.value(entry.before),
            after: self.value(entry.after),
            written: entry.wrote(),
            fragments: entry.fragments().iter().map(|fragment| self.fragment(fragment)).collect(),
            rules: entry.rules.iter().map(ToString::to_string).collect(),
            verdict: self.history.verdict_of(entry),
        }
    }

    fn fragment(&self, fragment: &WatchedFragment) -> FragmentInfo {
        FragmentInfo {
            number: fragment.number,
            shape: match fragment.primitive.shape {
                Shape::Point(_) => ShapeName::Point,
                Shape::Line(_) => ShapeName::Line,
                Shape::Triangle(_) => ShapeName::Triangle,
                Shape::Rectangle(_) => ShapeName::Rectangle,
            },
            vertices: fragment.primitive.vertices().iter().map(ImmediateVertexInfo::from).collect(),
            before: self.value(fragment.before),
            after: self.value(fragment.after),
            verdict: self.history.verdict_of_fragment(fragment),
            is_depth: fragment.is_depth,
            steps: fragment.record.clone(),
        }
    }
}
