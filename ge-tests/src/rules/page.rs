//! Writes the page: tables by area, rules that no data decide, and open points.

use std::fmt::Write as _;

use super::data::{Certainty, OpenPoint, Rule, RuleTable};
use super::sources::{CaseSize, Sources};

/// The line before the generated part.
const BEGIN: &str = "<!-- generated from ge-tests/cases/rules.toml -->";
/// The line after the generated part.
const END: &str = "<!-- end of the generated part -->";

/// Returns the page with a new generated part; `None` if the marker lines are missing.
#[must_use]
pub fn updated(page: &str, table: &RuleTable, sources: &Sources) -> Option<String> {
    let (front, rest) = page.split_once(BEGIN)?;
    let (_, back) = rest.split_once(END)?;
    Some(format!("{front}{BEGIN}\n\n{}\n{END}{back}", generated(table, sources)))
}

/// Returns the generated part.
fn generated(table: &RuleTable, sources: &Sources) -> String {
    let mut out = String::new();
    let count = |certainty| table.rules.iter().filter(|rule| rule.certainty == certainty).count();
    let _ = writeln!(
        out,
        "{} rules: {} verified, {} by published values, {} drawn alike, {} stated by the replay tool, {} not decided here.",
        table.rules.len(),
        count(Certainty::Verified),
        count(Certainty::Values),
        count(Certainty::Alike),
        count(Certainty::Tool),
        count(Certainty::Undecided)
    );
    let mut area = "";
    for rule in &table.rules {
        if rule.area != area {
            area = &rule.area;
            let _ = write!(
                out,
                "\n## {area}\n\n| rule | experiments | tested by | result | certainty |\n|---|---|---|---|---|\n"
            );
        }
        let _ = writeln!(out, "{}", row(rule, sources));
    }
    out += "\n## Rules that no data here decide\n\n";
    for rule in table.rules.iter().filter(|rule| rule.certainty == Certainty::Undecided) {
        let _ = writeln!(out, "* {}{}", link(&rule.rule, &rule.at), remark(&rule.note));
    }
    out += "\n## Open points\n\n";
    for OpenPoint { point, at, note } in &table.open_points {
        let _ = writeln!(out, "* {}{}", link(point, at), remark(note));
    }
    out
}

/// Writes a row.
fn row(rule: &Rule, sources: &Sources) -> String {
    let Rule { rule: name, at, experiments, certainty, note, .. } = rule;
    let cell = |text: String| if text.is_empty() { "–".to_owned() } else { text };
    let note = if note.is_empty() { String::new() } else { format!(": {note}") };
    format!(
        "| {} | {} | {} | {} | {}{note} |",
        link(name, at),
        cell(experiments.clone()),
        cell(tests(rule)),
        cell(results(rule, sources)),
        certainty.name()
    )
}

/// Lists a rule's tests.
fn tests(rule: &Rule) -> String {
    let names = |kind: &'static str, names: &[String]| {
        names.iter().map(move |name| format!("{kind}`{name}`")).collect::<Vec<_>>()
    };
    let measured: Vec<String> = rule.measured.iter().map(|start| format!("{start}…")).collect();
    let scenes =
        if rule.scenes.is_empty() { None } else { Some(format!("scenes {}", rule.scenes.join(" "))) };
    [
        names("", &rule.cases),
        names("frame ", &rule.pictures),
        names("measured ", &measured),
        scenes.into_iter().collect(),
        names("game frame ", &rule.frames),
        names("unit ", &rule.unit),
    ]
    .concat()
    .join(", ")
}

/// Counts results from a rule's tests.
fn results(rule: &Rule, sources: &Sources) -> String {
    let mut sum = CaseSize::default();
    for size in rule.cases.iter().filter_map(|case| sources.cases.get(case)) {
        sum.rows += size.rows;
        sum.failing_rows += size.failing_rows;
        sum.pictures += size.pictures;
        sum.failing_pictures += size.failing_pictures;
    }
    let mut parts = Vec::new();
    if sum.rows > 0 {
        parts.push(format!("{} of {} rows", sum.rows - sum.failing_rows, sum.rows));
    }
    if sum.pictures > 0 {
        let exact = sum.pictures - sum.failing_pictures;
        parts.push(format!("{exact} of {}", plural(sum.pictures, "picture")));
    }
    if !rule.pictures.is_empty() {
        let wrong: usize = rule.pictures.iter().filter_map(|name| sources.pictures.get(name)).sum();
        parts.push(format!("{} in {}", plural_wrong(wrong), plural(rule.pictures.len(), "frame")));
    }
    let jobs = sources.measured.iter();
    let jobs = jobs.filter(|name| rule.measured.iter().any(|start| name.starts_with(start))).count();
    if jobs > 0 {
        parts.push(format!("{jobs} of {}", plural(jobs, "job")));
    }
    if !rule.scenes.is_empty() {
        parts.push(plural(rule.scenes.len(), "scene"));
    }
    if !rule.frames.is_empty() {
        parts.push(format!("0 wrong pixels in {}", plural(rule.frames.len(), "game frame")));
    }
    if !rule.unit.is_empty() {
        parts.push(plural(rule.unit.len(), "unit test"));
    }
    parts.join("; ")
}

fn plural(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn plural_wrong(count: usize) -> String {
    format!("{count} wrong pixel{}", if count == 1 { "" } else { "s" })
}

/// Returns a link to a heading in the reference.
fn link(text: &str, at: &str) -> String {
    format!("[{text}](crate::reference::ge::{at})")
}

fn remark(note: &str) -> String {
    if note.is_empty() { String::new() } else { format!(" ({note})") }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn rows_count_results() {
        let rule = "[[rule]]\narea = \"A\"\nrule = \"B\"\nat = \"numbers#sums\"\ncases = [\"e/f\"]\nmeasured = [\"g::h\"]\n\
                    scenes = [\"24\", \"33-0\"]\n\
                    certainty = \"undecided\"\nnote = \"n\"\n[[open]]\npoint = \"P\"\nat = \"numbers#products\"\n";
        let table: RuleTable = toml::from_str(rule).expect("a table");
        let size = CaseSize { rows: 5, failing_rows: 1, pictures: 1, failing_pictures: 0 };
        let sources = Sources {
            cases: BTreeMap::from([("e/f".to_owned(), size)]),
            pictures: BTreeMap::new(),
            measured: vec!["g::h1".to_owned(), "g::h2".to_owned(), "g::i".to_owned()],
            scenes: BTreeSet::new(),
            frames: BTreeSet::new(),
            unit_tests: BTreeSet::new(),
        };
        assert_eq!(
            row(&table.rules[0], &sources),
            "| [B](crate::reference::ge::numbers#sums) | – | `e/f`, measured `g::h…`, scenes 24 33-0 | 4 of 5 rows; \
             1 of 1 picture; 2 of 2 jobs; 2 scenes | **not decided here**: n |",
            "row"
        );
        let page = format!("front\n{BEGIN}\nold\n{END}\nback\n");
        let page = updated(&page, &table, &sources).expect("markers");
        assert!(page.starts_with("front\n") && page.ends_with(&format!("{END}\nback\n")), "{page}");
        assert!(page.contains("* [P](crate::reference::ge::numbers#products)\n"), "{page}");
        assert_eq!(updated("no markers", &table, &sources), None, "markers are missing");
    }
}
