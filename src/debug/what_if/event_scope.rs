//! Finds the draws, transfers and CPU actions named by a set of events.

use crate::debug::session::NoSuchEvent;
use crate::debug::timeline::{EventKind, EventNumber, Timeline};
use crate::ge::address::Address;
use crate::ge::capture::{Action, Capture};
use crate::ge::draw_set::DrawSet;
use crate::ge::event_set::EventSet;
use crate::ge::overrides::Scope;

/// The members of a set of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EventScope {
    /// The draws and transfers.
    pub scope: Scope,
    /// Actions by the CPU, by their position in [`Capture::events`].
    pub actions: Vec<u32>,
}

impl EventScope {
    /// Finds a set's members in a run's events. An open range such as `event:12-` ends with the run.
    ///
    /// # Errors
    /// [`NoSuchEvent`] if the set has an event that the run does not have. For draws this is no error.
    pub(crate) fn new(set: &EventSet, timeline: &Timeline) -> Result<Self, NoSuchEvent> {
        let Some(events) = set.events() else {
            return Ok(Self {
                scope: Scope { draws: set.draws().cloned(), transfers: None },
                actions: Vec::new(),
            });
        };
        if let Some(missing) = events.missing(timeline.len() as u64) {
            let event = EventNumber(u32::try_from(missing.min()).unwrap_or(u32::MAX));
            return Err(NoSuchEvent { event, count: timeline.len() });
        }
        let mut draws = set.draws().cloned();
        let mut transfers = None;
        let mut actions = Vec::new();
        let mut transfer = 0_u64;
        for event in timeline.events() {
            let is_member = events.contains(event.number.0.into());
            match &event.kind {
                EventKind::Draw(_) if is_member => add(&mut draws, event.draw),
                EventKind::Cpu(cpu) if is_member => actions.push(cpu.record),
                EventKind::Transfer(_) => {
                    if is_member {
                        add(&mut transfers, transfer);
                    }
                    transfer = transfer.saturating_add(1);
                }
                EventKind::Draw(_) | EventKind::Cpu(_) => {}
            }
        }
        Ok(Self { scope: Scope { draws, transfers }, actions })
    }

    /// Takes these actions by the CPU out of a capture. They are emptied but stay in their places, so that all
    /// numbers stay.
    pub(crate) fn skip_actions(&self, capture: &mut Capture) {
        for position in &self.actions {
            if let Some(event) = capture.events.get_mut(*position as usize) {
                event.action = Action::Fill { to: Address::vram(0), value: 0, length: 0 };
            }
        }
    }
}

/// Adds a number to a set.
fn add(set: &mut Option<DrawSet>, number: u64) {
    match set {
        Some(set) => set.insert(number),
        None => *set = Some(DrawSet::one(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::debug::timeline;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::capture::Event;
    use crate::ge::limits::Limits;
    use crate::run::sink::NullSink;

    fn found(text: &str) -> Result<EventScope, NoSuchEvent> {
        let list =
            "BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=POINTS count=2
            TRANSFERSIZE x=15 y=3 | TRANSFERSTART 1 | PRIM primitive=POINTS count=1 | TRANSFERSTART 1
            FINISH | END | v: .s16 0 0 0 0 0 0";
        let mut capture = assemble(list).expect("a program").capture();
        let fill = Action::Fill { to: Address::vram(64), value: 1, length: 4 };
        capture.events = vec![Event { at: capture.start, action: fill }];
        let (timeline, _) =
            timeline::record(&mut capture, Arithmetic::Hardware, &mut NullSink, &Limits::default());
        assert_eq!(timeline.len(), 5, "action, draw, transfer, draw, transfer");
        EventScope::new(&text.parse().expect("a set"), &timeline)
    }

    #[test]
    fn events_are_sorted_by_kind() {
        let set = |text: &str| text.parse::<DrawSet>().ok();
        for (text, draws, transfers, actions) in [
            ("1", "1", "", vec![]),
            ("event:0-4", "0-1", "0-1", vec![0]),
            ("1,event:4,event:1", "0-1", "1", vec![]),
            ("event:2-", "1", "0-1", vec![]),
            ("9", "9", "", vec![]),
        ] {
            let scope = Scope { draws: set(draws), transfers: set(transfers) };
            assert_eq!(found(text), Ok(EventScope { scope, actions }), "{text}");
        }
        let beyond = found("event:3-5").expect_err("five events");
        assert_eq!(beyond, NoSuchEvent { event: EventNumber(5), count: 5 }, "beyond the end");
    }
}
