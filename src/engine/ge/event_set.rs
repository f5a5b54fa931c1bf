//! Parses and prints sets of draws and other events, as users write them: `603`, `40-57`, `event:12-20`, or a list
//! of these.
//!
//! Numbers without a prefix are draws; see [`draw_set`](super::draw_set). Draws, block transfers and the CPU's
//! actions are also numbered together, as events; `pspge state --events` shows these numbers.
//!
//! ```
//! # extern crate pspge_engine as pspge;
//! use pspge::ge::event_set::EventSet;
//!
//! let set: EventSet = "40-57,603,event:12".parse()?;
//! assert!(set.draws().is_some_and(|draws| draws.contains(603)));
//! assert!(set.events().is_some_and(|events| events.contains(12)));
//! assert_eq!(set.to_string(), "40-57,603,event:12");
//! # Ok::<(), pspge::ge::draw_set::DrawSetError>(())
//! ```

use std::fmt;
use std::str::FromStr;

use super::draw_set::{DrawSet, DrawSetError};

/// The prefix to mark event numbers.
const EVENT: &str = "event:";

/// A set of draw numbers and event numbers, never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EventSet {
    draws: Option<DrawSet>,
    events: Option<DrawSet>,
}

impl EventSet {
    /// Creates a set from draws, without other events.
    #[must_use]
    pub const fn of_draws(draws: DrawSet) -> Self {
        Self { draws: Some(draws), events: None }
    }

    /// Returns this set's draw numbers, or `None` if it has only event numbers.
    #[must_use]
    pub const fn draws(&self) -> Option<&DrawSet> {
        self.draws.as_ref()
    }

    /// Returns this set's event numbers, or `None` if it has only draw numbers.
    #[must_use]
    pub const fn events(&self) -> Option<&DrawSet> {
        self.events.as_ref()
    }
}

impl FromStr for EventSet {
    type Err = DrawSetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (mut draws, mut events) = (Vec::new(), Vec::new());
        for part in text.split(',').map(str::trim) {
            match part.strip_prefix(EVENT) {
                Some(part) => events.push(part),
                None => draws.push(part),
            }
        }
        // Each kind joins its parts again, for [`DrawSet`] to parse and merge them.
        let set = |parts: Vec<&str>| (!parts.is_empty()).then(|| parts.join(",").parse()).transpose();
        Ok(Self { draws: set(draws)?, events: set(events)? })
    }
}

impl fmt::Display for EventSet {
    /// Formats this set as a list that parses to the same set.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(draws) = &self.draws {
            write!(f, "{draws}")?;
        }
        let Some(events) = &self.events else { return Ok(()) };
        if self.draws.is_some() {
            f.write_str(",")?;
        }
        // The prefix applies to a single part, so it has to follow every comma.
        write!(f, "{EVENT}{}", events.to_string().replace(',', &format!(",{EVENT}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_parse_and_print() {
        for (text, printed) in
            [("7", "7"), ("event:7", "event:7"), ("event:7-9, 3, event:11-,1-2", "1-3,event:7-9,event:11-")]
        {
            let set: EventSet = text.parse().expect("a set");
            assert_eq!(set.to_string(), printed, "{text}");
            assert_eq!(printed.parse(), Ok(set), "{printed} reads back");
        }
    }

    #[test]
    fn wrong_texts_are_refused() {
        for (text, error) in [
            ("", DrawSetError::Empty),
            ("event:", DrawSetError::Empty),
            ("7,event:x", DrawSetError::NotANumber("x".to_owned())),
            ("event:9-7", DrawSetError::Reversed { first: 9, last: 7 }),
            ("draw:7", DrawSetError::NotANumber("draw:7".to_owned())),
        ] {
            assert_eq!(text.parse::<EventSet>(), Err(error), "{text}");
        }
    }
}
