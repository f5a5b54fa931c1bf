//! Follows a list past its stall address.

use super::finding::Place;
use super::findings::{Findings, SAME};
use super::rule::Rule;
use crate::ge::address::Address;
use crate::ge::opcode::Opcode;
use crate::run::sink::Step;

/// Tells whether a list has passed its stall address. The hardware waits only before a command at this very address.
///
/// Source: [stall addresses](crate::reference::ge::list_queue#stall-addresses).
#[derive(Clone, Debug, Default)]
pub(super) struct StallWatch {
    stall: Option<Address>,
    /// The command before the current one, with its place.
    last: Option<(Place, Opcode)>,
    /// The last command to lead the list past its stall address, or its first command if the list starts after it.
    passed: Option<Place>,
}

impl StallWatch {
    /// Creates the state before the first command.
    pub(super) fn new(stall: Option<Address>) -> Self {
        Self { stall, ..Self::default() }
    }

    /// Follows the list to its next command. Returns false if the list waits before this command forever.
    pub(super) fn follow(&mut self, step: &Step<'_>, place: &Place, findings: &mut Findings) -> bool {
        let Some(stall) = self.stall else { return true };
        let last = self.last.replace((place.clone(), step.command.opcode()));
        let is_before = last.as_ref().is_none_or(|(last, _)| last.address < Some(stall));
        let (last, opcode) = last.unwrap_or_else(|| (place.clone(), Opcode::NOP));
        // The kernel ends a list that waits between FINISH and its END.
        if step.at == stall && opcode != Opcode::FINISH {
            let message = || format!("the list waits at its stall address {stall} and never ends");
            findings.add(Rule::StallReached, SAME, &last, message);
            return false;
        }
        if is_before && step.at > stall {
            self.passed = Some(last);
        }
        true
    }

    /// Checks a list that has ended. After its stall address it has used words that the program may still write.
    pub(super) fn finish(&self, findings: &mut Findings) {
        let (Some(stall), Some((end, _)), Some(passed)) = (self.stall, &self.last, &self.passed) else {
            return;
        };
        if end.address > Some(stall) {
            let message = || format!("here the list passes its stall address {stall} without waiting there");
            findings.add(Rule::StallPassed, SAME, passed, message);
        }
    }
}
