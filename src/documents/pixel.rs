//! Describes a pixel's history.

use serde::{Deserialize, Serialize};

use super::events::draw::ImmediateVertexInfo;
use super::events::event::ActionName;
use super::schema_id::{Document, SchemaId};
use crate::debug::pixel::history::{HistoryCause, HistoryEntry, PixelHistory};
use crate::debug::pixel::target::PixelTarget;
use crate::debug::timeline::{EventKind, EventNumber};
use crate::ge::address::Address;
use crate::ge::capture::{Source, source_of};
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::primitive::Shape;
use crate::raster::WatchedFragment;
use crate::raster::fragment_record::FragmentRecord;

/// Every event that touched a pixel, to explain how it got its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PixelDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The pixel's column in the buffer.
    pub x: u32,
    /// The pixel's row in the buffer.
    pub y: u32,
    /// The pixel's address.
    pub address: Address,
    /// The buffer that holds this pixel.
    pub target: PixelTarget,
    /// How many draws this run has.
    pub draws: u64,
    /// How many events this run has: draws, block transfers and actions by the CPU.
    pub events: u64,
    /// The pixel before the first event.
    pub before: PixelBits,
    /// The pixel after the last event.
    pub after: PixelBits,
    /// The events that touched this pixel, in order: all, or those asked for.
    pub entries: Vec<PixelEntry>,
    /// Whether every event that touched this pixel was found; false if a limit ended the explanations.
    pub is_complete: bool,
    /// The last event to write this pixel; null if none did.
    pub writer: Option<EventNumber>,
    /// Why the pixel has its final value, as a sentence.
    pub verdict: String,
}

impl Document for PixelDocument {
    const NAME: &'static str = "pixel";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The history of a pixel";
}

/// A pixel's value in its buffer.
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
    /// Its event number.
    pub event: EventNumber,
    /// Tells which members apply.
    pub kind: PixelEntryKind,
    /// Address of the word with the command; for an action by the CPU, of the word at which the list waits.
    pub address: Address,
    /// This word's offset in its file; null if it comes from no file.
    pub file_offset: Option<u64>,
    /// How many commands ran before this event.
    pub command: u64,
    /// The draw's number; null for other events.
    pub draw: Option<u64>,
    /// The draw's primitive type; null for other events.
    pub primitive: Option<PrimitiveType>,
    /// How many vertices the draw has; null for other events.
    pub vertices: Option<u32>,
    /// The CPU's action; null for other events.
    pub action: Option<ActionName>,
    /// Where the copied bytes came from; null for draws and fills.
    pub from: Option<Address>,
    /// The pixel before this event.
    pub before: PixelBits,
    /// The pixel after this event.
    pub after: PixelBits,
    /// Whether this event wrote the pixel, be it with the same value.
    pub written: bool,
    /// A draw's fragments at this pixel, in order; empty for other events.
    pub fragments: Vec<FragmentInfo>,
    /// Special rules of the hardware that this draw's vertices meet, as sentences. Rules that apply to most draws
    /// are left out.
    pub rules: Vec<String>,
    /// What this event did to the pixel, as a sentence.
    pub verdict: String,
}

/// The kinds of events that touch pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PixelEntryKind {
    /// A draw.
    Draw,
    /// A block transfer.
    Transfer,
    /// An action by the CPU.
    Cpu,
}

/// A fragment at the pixel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FragmentInfo {
    /// Its primitive's number in the draw, from 0, in the list's order. A patch has the primitives of all its
    /// sub-patches in turn. Two triangles that single arithmetic merges to a rectangle have the first one's number.
    pub number: u32,
    /// The primitive's shape.
    pub shape: ShapeName,
    /// The primitive's vertices, in screen space.
    pub vertices: Vec<ImmediateVertexInfo>,
    /// The pixel before this fragment.
    pub before: PixelBits,
    /// The pixel after this fragment.
    pub after: PixelBits,
    /// What this fragment did, in a few words.
    pub verdict: String,
    /// Whether this pixel is in the draw's depth buffer rather than in its colour buffer.
    pub is_depth: bool,
    /// Every step from the interpolated values to the stored pixel.
    pub steps: FragmentRecord,
}

/// The shapes in which primitives are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ShapeName {
    /// A single pixel.
    Point,
    /// A line.
    Line,
    /// A triangle.
    Triangle,
    /// A rectangle between two opposite corners.
    Rectangle,
}

impl PixelDocument {
    /// Describes a history. `sources` are the parts of memory that come from files, to give commands their file
    /// offsets.
    #[must_use]
    pub fn new(input: &str, history: &PixelHistory, sources: &[Source]) -> Self {
        let [x, y] = history.position;
        let builder = Builder { history, sources };
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            x,
            y,
            address: history.address,
            target: history.target,
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

struct Builder<'a> {
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
                (PixelEntryKind::Cpu, Some(ActionName::from(action)), *from)
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
