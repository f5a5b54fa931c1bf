//! Checks the reference's measured rules against the data behind them (`cases/rules.toml`), and writes them as a
//! table for the reference page `rules.md`.

pub mod data;
pub mod page;
pub mod sources;

use std::collections::BTreeSet;

use self::data::{Certainty, RuleTable};
use self::sources::Sources;

/// Lists contradictions in the table, for the test to report: names that do not exist, and certainties without data.
#[must_use]
pub fn problems(table: &RuleTable, sources: &Sources) -> Vec<String> {
    let mut found = Vec::new();
    let mut names = BTreeSet::new();
    for rule in &table.rules {
        let name = &rule.rule;
        let mut missing = |kind: &str, item: &str| found.push(format!("{name}: no {kind} `{item}`"));
        for case in rule.cases.iter().filter(|case| !sources.cases.contains_key(*case)) {
            missing("case", case);
        }
        for picture in rule.pictures.iter().filter(|picture| !sources.pictures.contains_key(*picture)) {
            missing("recorded frame", picture);
        }
        for start in rule.measured.iter().filter(|start| sources.measured_jobs(start) == 0) {
            missing("measured job", start);
        }
        for scene in rule.scenes.iter().filter(|scene| !sources.scenes.contains(*scene)) {
            missing("scene", scene);
        }
        for frame in rule.frames.iter().filter(|frame| !sources.frames.contains(*frame)) {
            missing("game frame", frame);
        }
        for unit in rule.unit.iter().filter(|unit| !sources.unit_tests.contains(*unit)) {
            missing("unit test", unit);
        }
        let has_data =
            [&rule.cases, &rule.pictures, &rule.measured, &rule.scenes].iter().any(|names| !names.is_empty());
        if rule.certainty == Certainty::Verified && !has_data {
            found.push(format!("{name}: verified, but no data are named"));
        }
        if rule.certainty == Certainty::Alike && rule.frames.is_empty() {
            found.push(format!("{name}: drawn alike, but no game frame is named"));
        }
        if rule.certainty == Certainty::Values && rule.unit.is_empty() {
            found.push(format!("{name}: published values, but no unit test is named"));
        }
        if !names.insert(name) {
            found.push(format!("{name}: twice"));
        }
    }
    found
}

/// Lists probes cited in a reference text, but not named by any rule.
#[must_use]
pub fn unnamed_probes(table: &RuleTable, text: &str) -> BTreeSet<u32> {
    let rules = table.rules.iter().map(|rule| rule.experiments.as_str());
    let named = rules.chain(table.unassigned.iter().map(|probe| probe.experiments.as_str()));
    let named: BTreeSet<u32> = named.flat_map(probes).collect();
    probes(text).difference(&named).copied().collect()
}

/// Finds probe numbers in a text: `exp15`, and ranges such as `exp38 to exp41`.
fn probes(text: &str) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut last = None;
    for part in text.split("exp").skip(1) {
        let length = part.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, rest) = part.split_at(length);
        let Ok(number) = digits.parse::<u32>() else {
            last = None;
            continue;
        };
        found.extend(last.unwrap_or(number)..=number);
        let is_range = rest.split_whitespace().eq(["to"]);
        last = is_range.then_some(number);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_probes_are_expanded() {
        let text = "exp3 and exp38 to exp41, exp7\nto exp9; expected, exponent 5";
        assert_eq!(probes(text), BTreeSet::from([3, 7, 8, 9, 38, 39, 40, 41]), "numbers");
    }
}
