//! Collects findings and counts repeated ones.
//!
//! # Invariants
//! Memory is bounded, because each rule keeps a limited number of causes. All further causes share a finding.

use std::collections::BTreeMap;

use super::finding::{Finding, Place};
use super::rule::Rule;
use crate::ge::capture::Source;

/// Tells apart the causes of findings. Findings with the same rule and cause are counted together.
pub(super) type Cause = [u32; 2];

/// Why a draw covers no pixel: rule, cause and message.
pub(super) type Reason = (Rule, Cause, String);

/// The cause to use if a single finding for the rule is enough.
pub(super) const SAME: Cause = [0; 2];

/// Collects a finding for each rule and cause.
#[derive(Clone, Debug)]
pub(super) struct Findings {
    causes_max: usize,
    causes: BTreeMap<Rule, BTreeMap<Cause, Finding>>,
    /// A finding per rule to count all causes beyond the maximum.
    others: BTreeMap<Rule, Finding>,
}

impl Findings {
    /// Creates an empty collector that keeps up to `causes_max` causes per rule apart.
    pub(super) const fn new(causes_max: usize) -> Self {
        Self { causes_max, causes: BTreeMap::new(), others: BTreeMap::new() }
    }

    /// Adds an occurrence. `message` is called only if its text is needed.
    pub(super) fn add(&mut self, rule: Rule, cause: Cause, place: &Place, message: impl FnOnce() -> String) {
        let causes = self.causes.entry(rule).or_default();
        if let Some(known) = causes.get_mut(&cause) {
            known.count = known.count.saturating_add(1);
            return;
        }
        let finding = |message| Finding {
            rule,
            severity: rule.severity(),
            message,
            place: place.clone(),
            count: 1,
            pixels: None,
        };
        if causes.len() < self.causes_max {
            causes.insert(cause, finding(message()));
            return;
        }
        match self.others.get_mut(&rule) {
            Some(known) => known.count = known.count.saturating_add(1),
            None => {
                let text = format!("{}; so do others, which are only counted", message());
                self.others.insert(rule, finding(text));
            }
        }
    }

    /// Adds a finding to stand for several occurrences.
    pub(super) fn add_counted(&mut self, rule: Rule, place: &Place, count: u64, message: String) {
        if count > 0 {
            self.add(rule, SAME, place, || message);
            let known = self.causes.get_mut(&rule).and_then(|causes| causes.get_mut(&SAME));
            if let Some(known) = known {
                known.count = count;
            }
        }
    }

    /// Returns the findings in the order of their commands, and looks up their places in files.
    pub(super) fn finish(self, sources: &[Source]) -> Vec<Finding> {
        let causes = self.causes.into_values().flat_map(BTreeMap::into_values);
        let mut findings: Vec<Finding> = causes.chain(self.others.into_values()).collect();
        for finding in &mut findings {
            finding.place.locate(sources);
        }
        findings.sort_by_key(|finding| (finding.place.command, finding.place.draw, finding.rule));
        findings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_causes_are_counted_and_many_causes_share_a_finding() {
        let mut findings = Findings::new(2);
        for (command, cause) in (0..).zip([3, 1, 3, 2, 4]) {
            let place = Place { command: Some(command), ..Place::default() };
            findings.add(Rule::UnnamedBits, [cause, 0], &place, || format!("cause {cause}"));
        }
        let found: Vec<(String, u64)> =
            findings.finish(&[]).into_iter().map(|finding| (finding.message, finding.count)).collect();
        let expected = [("cause 3", 2), ("cause 1", 1), ("cause 2; so do others, which are only counted", 2)];
        assert_eq!(found, expected.map(|(text, count)| (text.to_owned(), count)), "first place and count");
    }
}
