//! Checks the table of measured rules: every test it names must exist, and the reference page must be up to date.
//!
//! After you change `cases/rules.toml`, a case or `cases/tests.tsv`, run this test with `INSTA_UPDATE=always` to
//! rewrite the page.

use std::fs;
use std::path::Path;

use ge_tests::rules::data::RuleTable;
use ge_tests::rules::sources::Sources;
use ge_tests::rules::{self, page};
use ge_tests::{input, snapshot};

/// The page to show the table.
const PAGE: &str = "src/engine/reference/ge/rules.md";

fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn table() -> RuleTable {
    let path = workspace().join("ge-tests/cases/rules.toml");
    RuleTable::read(&path).unwrap_or_else(|error| panic!("{error:#}"))
}

fn sources() -> Sources {
    Sources::read(workspace()).unwrap_or_else(|error| panic!("{error:#}"))
}

#[test]
fn rules_name_existing_tests() {
    let found = rules::problems(&table(), &sources());
    assert!(found.is_empty(), "{} problems of cases/rules.toml:\n  {}", found.len(), found.join("\n  "));
}

#[test]
fn every_probe_of_the_reference_belongs_to_a_rule() {
    let table = table();
    for path in input::entries(&workspace().join("src/engine/reference/ge")) {
        if path.ends_with(Path::new(PAGE).file_name().expect("a name")) {
            continue;
        }
        let text = String::from_utf8(input::read(&path)).expect("pages are text");
        let unnamed = rules::unnamed_probes(&table, &text);
        assert!(unnamed.is_empty(), "{}: cases/rules.toml lacks probes {unnamed:?}", path.display());
    }
}

#[test]
fn page_is_up_to_date() {
    let path = workspace().join(PAGE);
    let page = String::from_utf8(input::read(&path)).expect("the page is text");
    let updated = page::updated(&page, &table(), &sources()).expect("the page has its marker lines");
    if updated != page && snapshot::accepts_changes() {
        fs::write(&path, &updated).expect("the page can be written");
        return;
    }
    let line = page.lines().zip(updated.lines()).find(|(old, new)| old != new);
    assert!(updated == page, "{PAGE} is stale, for example {line:#?}; INSTA_UPDATE=always rewrites it");
}
