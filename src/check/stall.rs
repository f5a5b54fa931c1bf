//! Follows a list past its stall address.

use super::finding::Place;
use super::findings::{Findings, SAME};
use super::rule::Rule;
use crate::ge::address::Address;
use crate::ge::opcode::Opcode;
use crate::run::sink::Step;

/// Where a list is, seen from its stall address. The hardware waits only before a command whose address equals it.
///
/// Source: [stall addresses](crate::reference::ge::list_queue#stall-addresses).
#[derive(Clone, Debug, Default)]
pub(super) struct StallWatch {
    stall: Option<Address>,
    /// The command before the current one.
    last: Option<(Place, Opcode)>,
    /// The last command to lead from before the stall address to behind it; the first command, if it is behind.
    passed: Option<Place>,
}

impl StallWatch {
    /// Creates the state before the first command.
    pub(super) fn new(stall: Option<Address>) -> Self {
        Self { stall, ..Self::default() }
    }

    /// Follows the list to its next command. Returns false if it never executes this command, because it waits.
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

    /// Checks a list that has ended. Behind its stall address it has used words that the program may still write.
    pub(super) fn finish(&self, findings: &mut Findings) {
        let (Some(stall), Some((end, _)), Some(passed)) = (self.stall, &self.last, &self.passed) else {
            return;
        };
        if end.address > Some(stall) {
            let message =
                || format!("from here on the list is behind its stall address {stall}, where it never waits");
            findings.add(Rule::StallPassed, SAME, passed, message);
        }
    }
}
