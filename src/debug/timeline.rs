//! Lists every draw, block transfer and CPU action in a run, in order: its timeline.
//!
//! # Invariants
//! An event's number depends only on the capture and the limits. It is the same for every sink, arithmetic,
//! engine and thread count.
//!
//! ```
//! use pspge::debug::timeline;
//! use pspge::{Arithmetic, Limits, NullSink};
//!
//! let list = "BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=POINTS count=1
//!             TRANSFERSTART BITS32 | FINISH | END | v: .s16 0 0 0";
//! let mut capture = pspge::asm::assemble(list)?.capture();
//! let (timeline, _) =
//!     timeline::record(&mut capture, Arithmetic::Hardware, &mut NullSink, &Limits::default());
//! let names: Vec<String> = timeline.events().iter().map(|event| event.to_string()).collect();
//! assert_eq!(names[0], "event 0, draw 0 at 0x0880000c: POINTS 1");
//! assert!(names[1].starts_with("event 1 at 0x08800010: block transfer of 1×1 pixels"));
//! # Ok::<(), pspge::asm::AssemblyError>(())
//! ```

use std::fmt;

use crate::ge::address::Address;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::geometry::patch::Patch;
use crate::run::interpreter::TransferShape;
use crate::run::replay::{self, Replayed};
use crate::run::sink::Sink;
#[doc(no_inline)]
pub use crate::run::watch::EventNumber;
use crate::run::watch::{EventPlace, Outcome, RunEvent, RunEventKind, Watch};

/// A draw, a block transfer, or an action by the CPU.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineEvent {
    /// The event's number.
    pub number: EventNumber,
    /// The address of the command's word; for an action, of the word at which the list waits.
    pub at: Address,
    /// How many commands ran before the event; for a draw or transfer, this is its command's number.
    pub command: u64,
    /// How many draws ran before the event; for a draw, this is its number.
    pub draw: u64,
    /// Which kind of event this is, with its operands.
    pub kind: EventKind,
}

/// The kinds of events, with their operands.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// PRIM, BEZIER, SPLINE, or the VAP completing an immediate primitive.
    Draw(DrawEvent),
    /// TRANSFERSTART.
    Transfer(TransferShape),
    /// An action by the CPU while the list waits.
    Cpu(CpuEvent),
}

/// A draw's operands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawEvent {
    /// The primitive type; for a continuation, the continued draw's type.
    pub primitive: PrimitiveType,
    /// How many vertices the command itself has; for a patch, how many control points.
    pub vertices: u32,
    /// Where the vertices come from.
    pub source: VertexSource,
}

/// Where a draw's vertices come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VertexSource {
    /// Vertices in memory: PRIM.
    Memory,
    /// Control points in memory: BEZIER and SPLINE.
    Patch(Patch),
    /// Registers: VAP.
    Registers,
}

/// An action by the CPU.
#[derive(Clone, Debug, PartialEq)]
pub struct CpuEvent {
    /// The action's position in [`Capture::events`].
    pub record: u32,
    /// The first byte and the length that the action may write; `None` if it writes no memory.
    pub written: Option<(Address, u32)>,
    /// The action as a sentence.
    pub text: String,
}

impl EventKind {
    /// Converts an event from a run, with its operands after all overrides.
    fn of(kind: &RunEventKind<'_>) -> Self {
        match kind {
            RunEventKind::Draw(draw) => Self::Draw(DrawEvent {
                primitive: draw.effective_primitive(),
                vertices: draw.count,
                source: draw.patch.map_or(VertexSource::Memory, VertexSource::Patch),
            }),
            RunEventKind::Immediate(draw) => Self::Draw(DrawEvent {
                primitive: draw.primitive,
                vertices: u32::try_from(draw.vertices.len()).unwrap_or(u32::MAX),
                source: VertexSource::Registers,
            }),
            RunEventKind::Transfer(registers) => Self::Transfer(TransferShape::of(registers)),
            RunEventKind::Cpu { record, event } => Self::Cpu(CpuEvent {
                record: *record,
                written: event.action.written(),
                text: event.action.to_string(),
            }),
        }
    }
}

impl TimelineEvent {
    /// Returns the draw number if the event is a draw.
    #[must_use]
    pub const fn draw_number(&self) -> Option<u64> {
        if matches!(self.kind, EventKind::Draw(_)) { Some(self.draw) } else { None }
    }
}

impl fmt::Display for TimelineEvent {
    /// Formats as `event 7, draw 3 at 0x08800010: TRIANGLES 12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, at, draw, kind, .. } = self;
        match kind {
            EventKind::Draw(event) => write!(f, "event {number}, draw {draw} at {at}: {event}"),
            EventKind::Transfer(shape) => write!(f, "event {number} at {at}: block transfer of {shape}"),
            EventKind::Cpu(event) => write!(f, "event {number} at {at}: CPU, {}", event.text),
        }
    }
}

impl fmt::Display for DrawEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.source {
            VertexSource::Memory => write!(f, "{} {}", self.primitive, self.vertices),
            VertexSource::Patch(patch) => write!(f, "{patch} as {}", self.primitive),
            VertexSource::Registers => write!(f, "{} {}, immediate", self.primitive, self.vertices),
        }
    }
}

/// A run's events, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    events: Vec<TimelineEvent>,
    /// For each draw, its event's number.
    draws: Vec<EventNumber>,
}

impl Timeline {
    /// Returns all events, by number.
    #[must_use]
    pub fn events(&self) -> &[TimelineEvent] {
        &self.events
    }

    /// Returns the event with this number, or `None` if the run has fewer.
    #[must_use]
    pub fn get(&self, number: EventNumber) -> Option<&TimelineEvent> {
        self.events.get(number.index())
    }

    /// Returns a draw's event, or `None` if the run has fewer draws.
    #[must_use]
    pub fn event_of_draw(&self, draw: u64) -> Option<&TimelineEvent> {
        self.get(*self.draws.get(usize::try_from(draw).ok()?)?)
    }

    /// Counts the events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns whether the run has no events.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }

    /// Counts the draws.
    #[must_use]
    pub fn draws(&self) -> usize {
        self.draws.len()
    }

    /// Returns the number after the last event's, which stands for the run's end.
    #[must_use]
    pub fn end(&self) -> EventNumber {
        EventNumber(u32::try_from(self.len()).unwrap_or(u32::MAX))
    }
}

/// Runs a capture to its end and records its events. The run ends early if they exceed [`Limits::memory`].
#[doc(hidden)]
pub fn record(
    capture: &mut Capture,
    arithmetic: Arithmetic,
    sink: &mut impl Sink,
    limits: &Limits,
) -> (Timeline, Replayed) {
    let mut recorder = TimelineRecorder::new(limits);
    let replayed = replay::run(capture, arithmetic, sink, &mut recorder, limits);
    (recorder.finish(), replayed)
}

/// Records events while it watches a run.
#[derive(Debug)]
pub(crate) struct TimelineRecorder {
    timeline: Timeline,
    budget: Budget,
}

impl TimelineRecorder {
    /// Creates an empty recorder, which keeps at most [`Limits::memory`] bytes.
    #[must_use]
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { timeline: Timeline::default(), budget: Budget::new(limits, Limit::Memory) }
    }

    /// Returns the number for the next event to be recorded.
    #[must_use]
    pub(crate) fn next(&self) -> EventNumber {
        self.timeline.end()
    }

    /// Returns the recorded events.
    #[must_use]
    pub(crate) fn finish(self) -> Timeline {
        self.timeline
    }
}

impl<S> Watch<S> for TimelineRecorder {
    fn after(&mut self, _: &mut S, _: &mut Memory, event: &RunEvent<'_>, _: Outcome) {
        let EventPlace { number, at, command, draw } = event.place;
        let kind = EventKind::of(&event.kind);
        let text = if let EventKind::Cpu(event) = &kind { event.text.len() } else { 0 };
        let bytes = (size_of::<TimelineEvent>() + size_of::<EventNumber>()).saturating_add(text);
        // If an event finds no room, the run ends, but the CPU may still act after it.
        if number == self.timeline.end() && self.budget.spend(bytes as u64).is_ok() {
            if matches!(kind, EventKind::Draw(_)) {
                self.timeline.draws.push(number);
            }
            self.timeline.events.push(TimelineEvent { number, at, command, draw, kind });
        }
    }

    fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::ge::capture::{Action, Event};
    use crate::run::sink::NullSink;

    /// A list with all kinds of events; the CPU acts before its first word and before the transfer.
    fn capture() -> Capture {
        let list = "BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=POINTS count=2\n\
            TRANSFERSIZE x=15 y=3\n\
            transfer: TRANSFERSTART 1\n\
            IADDR 0 | PRIM primitive=POINTS count=0 | BEZIER u_count=4 v_count=4\n\
            VAP primitive=POINTS | FINISH | END | v: .s16 0 0 0 0 0 0";
        let mut capture = assemble(list).expect("a program").capture();
        let transfer = capture.start.offset(5 * 4);
        let fill =
            |at, length| Event { at, action: Action::Fill { to: Address::vram(64), value: 1, length } };
        capture.events = vec![fill(capture.start, 4), fill(transfer, 8), fill(transfer, 12)];
        capture
    }

    fn recorded(limits: &Limits) -> (Timeline, Replayed) {
        record(&mut capture(), Arithmetic::Hardware, &mut NullSink, limits)
    }

    #[test]
    fn all_kinds_of_events_have_numbers() {
        let (timeline, _) = recorded(&Limits::default());
        let lines: Vec<String> = timeline.events().iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "event 0 at 0x08800000: CPU, fill 4 bytes at 0x04000040 with 0x01",
                "event 1, draw 0 at 0x0880000c: POINTS 2",
                "event 2 at 0x08800014: CPU, fill 8 bytes at 0x04000040 with 0x01",
                "event 3 at 0x08800014: CPU, fill 12 bytes at 0x04000040 with 0x01",
                "event 4 at 0x08800014: block transfer of 16×4 pixels of 4 bytes from 0x00000000 to 0x00000000",
                "event 5, draw 1 at 0x08800020: Bezier patch 4x4 as TRIANGLE_STRIP",
                "event 6, draw 2 at 0x08800024: POINTS 1, immediate",
            ],
            "each with its place; a draw of no vertices is no event"
        );
        let places: Vec<_> = timeline.events().iter().map(|event| (event.command, event.draw)).collect();
        assert_eq!(places, [(0, 0), (3, 0), (5, 1), (5, 1), (5, 1), (8, 1), (9, 2)], "executed before each");
        let draws: Vec<_> =
            (0..4).map(|draw| timeline.event_of_draw(draw).map(|event| event.number.0)).collect();
        assert_eq!(draws, [Some(1), Some(5), Some(6), None], "events of draws");
        let records: Vec<_> = timeline
            .events()
            .iter()
            .filter_map(|event| match &event.kind {
                EventKind::Cpu(cpu) => Some((cpu.record, cpu.written)),
                _ => None,
            })
            .collect();
        let to = Address::vram(64);
        assert_eq!(records, [(0, Some((to, 4))), (1, Some((to, 8))), (2, Some((to, 12)))], "actions");
    }

    #[test]
    fn memory_is_limited() {
        let one = (size_of::<TimelineEvent>() + size_of::<EventNumber>() + 64) as u64;
        let (timeline, replayed) = recorded(&Limits::default().with(Limit::Memory, one));
        assert_eq!(timeline.len(), 1, "room for one event");
        assert!(replayed.report.notes.iter().any(|note| note.limit_hit().is_some()), "the limit is noted");
    }
}
