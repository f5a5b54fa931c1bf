//! Describes the events in a run.

use serde::{Deserialize, Serialize};

use super::event::ActionName;
use crate::debug::Session;
use crate::debug::timeline::{DrawEvent, EventKind, EventNumber, TimelineEvent, VertexSource};
use crate::documents::note::NoteInfo;
use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::address::Address;
use crate::ge::capture::{Event, Source, source_of};
use crate::ge::registers::vertex::PrimitiveType;
use crate::run::interpreter::TransferShape;

/// All events in a run, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimelineDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The input as the user named it.
    pub input: String,
    /// The events.
    pub events: Vec<EventInfo>,
    /// Notes on the input and its run.
    pub notes: Vec<NoteInfo>,
}

impl Document for TimelineDocument {
    const NAME: &'static str = "timeline";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The draws, block transfers and actions of the CPU of a run";
}

impl TimelineDocument {
    /// Describes all events in a session.
    #[must_use]
    pub fn new(input: &str, session: &Session) -> Self {
        let events = session.timeline().events().iter().map(|event| EventInfo::new(session, event)).collect();
        let notes = NoteInfo::of_report(&session.replayed().report);
        Self { schema: SchemaId::new(), input: input.to_owned(), events, notes }
    }
}

/// An event in a run. Members that its kind does not have are null.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EventInfo {
    /// The event's number, from 0.
    pub event: EventNumber,
    /// The kind of event.
    pub kind: EventKindName,
    /// The draw's number, from 0.
    pub draw: Option<u64>,
    /// How many commands ran before this event, which is the number of its own command if it has one.
    pub command: u64,
    /// Address of the command; for an action, of the word at which the list waits.
    pub address: Address,
    /// This word's offset in its file; null if it comes from no file.
    pub file_offset: Option<u64>,
    /// The draw's primitive type.
    pub primitive: Option<PrimitiveType>,
    /// How many vertices the draw has, or control points for a patch.
    pub vertices: Option<u32>,
    /// The block transfer's operands.
    pub transfer: Option<TransferInfo>,
    /// The number of this action by the CPU among all of them, from 0.
    pub record: Option<u32>,
    /// The kind of action.
    pub action: Option<ActionName>,
    /// Address of the first byte that this action by the CPU may write.
    pub written: Option<Address>,
    /// How many bytes this action by the CPU may write.
    pub written_bytes: Option<u32>,
    /// The event as a line of text.
    pub text: String,
}

/// The kinds of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EventKindName {
    /// Vertices in memory: PRIM.
    Draw,
    /// Control points in memory: BEZIER and SPLINE.
    Patch,
    /// Vertices in registers: VAP.
    Immediate,
    /// A block transfer.
    Transfer,
    /// An action by the CPU.
    #[default]
    Cpu,
}

/// A block transfer's operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TransferInfo {
    /// Address of the first pixel read.
    pub source: Address,
    /// How far apart source rows start, in bytes.
    pub source_stride: u32,
    /// Address of the first pixel written.
    pub target: Address,
    /// How far apart target rows start, in bytes.
    pub target_stride: u32,
    /// How many pixels a row has.
    pub width: u32,
    /// How many rows are copied.
    pub height: u32,
    /// Bytes per pixel.
    pub pixel_size: u32,
}

impl EventInfo {
    /// Describes an event in a session.
    #[must_use]
    pub fn new(session: &Session, event: &TimelineEvent) -> Self {
        Self::of_event(session.sources(), session.records(), event)
    }

    /// Describes an event. `sources` are the parts of memory that come from files, and `records` all CPU
    /// actions.
    pub(crate) fn of_event(sources: &[Source], records: &[Event], event: &TimelineEvent) -> Self {
        let empty = Self {
            event: event.number,
            draw: event.draw_number(),
            command: event.command,
            address: event.at,
            file_offset: source_of(sources, event.at).map(|(_, offset)| offset),
            text: event.to_string(),
            ..Self::default()
        };
        match &event.kind {
            EventKind::Draw(DrawEvent { primitive, vertices, source }) => Self {
                kind: match source {
                    VertexSource::Memory => EventKindName::Draw,
                    VertexSource::Patch(_) => EventKindName::Patch,
                    VertexSource::Registers => EventKindName::Immediate,
                },
                primitive: Some(*primitive),
                vertices: Some(*vertices),
                ..empty
            },
            EventKind::Transfer(shape) => {
                Self { kind: EventKindName::Transfer, transfer: Some((*shape).into()), ..empty }
            }
            EventKind::Cpu(cpu) => {
                let record = records.get(cpu.record as usize);
                Self {
                    kind: EventKindName::Cpu,
                    record: Some(cpu.record),
                    action: record.map(|record| ActionName::from(&record.action)),
                    written: cpu.written.map(|(start, _)| start),
                    written_bytes: cpu.written.map(|(_, length)| length),
                    ..empty
                }
            }
        }
    }
}

impl From<TransferShape> for TransferInfo {
    fn from(shape: TransferShape) -> Self {
        let TransferShape { source, source_stride, target, target_stride, width, height, pixel_size } = shape;
        Self { source, source_stride, target, target_stride, width, height, pixel_size }
    }
}
