//! Finds events by how users name them: a draw by its number, or any event as `event:N`.

use std::fmt;
use std::str::FromStr;

use pspge::debug::{EventNumber, NoSuchEvent, Session};
use pspge::ge::draw_set::DrawSet;

use crate::run;
use crate::terminal::failure::Failure;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EventName {
    /// A draw, by its number among the draws.
    Draw(u64),
    /// An event, by its number.
    Event(u32),
}

impl EventName {
    /// Finds the event's number in a run. Messages name it by `option`.
    ///
    /// # Errors
    /// If the run has no such event.
    pub(crate) fn find(self, input: &str, option: &str, run: &Session) -> Result<EventNumber, Failure> {
        let timeline = run.timeline();
        let no_event =
            |event| Failure::inapplicable(input, option, NoSuchEvent { event, count: timeline.len() });
        match self {
            Self::Event(number) => {
                let event = EventNumber(number);
                if event < run.end() { Ok(event) } else { Err(no_event(event)) }
            }
            Self::Draw(draw) => {
                run::check_draws(input, option, Some(&DrawSet::one(draw)), timeline.draws() as u64)?;
                timeline.event_of_draw(draw).map(|event| event.number).ok_or_else(|| no_event(run.end()))
            }
        }
    }
}

impl FromStr for EventName {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = match text.strip_prefix("event:") {
            Some(event) => event.parse().ok().map(Self::Event),
            None => text.strip_prefix("draw:").unwrap_or(text).parse().ok().map(Self::Draw),
        };
        name.ok_or("expected the number of a draw, such as 12, or of an event, such as event:30")
    }
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draw(draw) => write!(f, "{draw}"),
            Self::Event(event) => write!(f, "event:{event}"),
        }
    }
}
