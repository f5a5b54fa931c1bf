//! Accepts a run's results: failures become expectations, and passes end theirs.

use std::path::Path;

use pspge::documents::judgement::{JudgementDocument, MatchFigures, Outcome};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::expectations::Expectations;
use crate::input::files;
use crate::output;
use crate::terminal::failure::Failure;

/// The kind for new expectations, until a person classifies them.
const KIND: &str = "unclassified";

/// How many entries changed in a file of expectations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Blessed {
    pub(super) added: usize,
    pub(super) changed: usize,
    pub(super) removed: usize,
    /// Judgements that no expectation can make pass: errors, and passes where a pattern expects a failure.
    pub(super) left: usize,
}

/// Writes expectations for all failures in a run, and removes those for cases that pass. Comments, order and other
/// entries stay.
///
/// # Errors
/// If the file cannot be read or written.
pub(super) fn bless(
    path: &Path,
    expectations: &Expectations,
    judgements: &[JudgementDocument],
    reason: Option<&str>,
) -> Result<Blessed, Failure> {
    let text = if path.is_file() { files::read(path)? } else { Vec::new() };
    let name = path.display().to_string();
    let mut document: DocumentMut = String::from_utf8_lossy(&text)
        .parse()
        .map_err(|error| Failure::input(&name, "expectations", None, error))?;
    let blessed = edit(&mut document, expectations, judgements, reason)
        .ok_or_else(|| Failure::input(&name, "expectations", None, "expect is no list of tables"))?;
    // `output::replace` may overwrite this file, although the command has read it as an input.
    let bytes = document.to_string().into_bytes();
    output::replace(path, &bytes)?;
    Ok(blessed)
}

fn edit(
    document: &mut DocumentMut,
    expectations: &Expectations,
    judgements: &[JudgementDocument],
    reason: Option<&str>,
) -> Option<Blessed> {
    let mut blessed = Blessed::default();
    let entries = document.entry("expect").or_insert(Item::ArrayOfTables(ArrayOfTables::new()));
    let entries = entries.as_array_of_tables_mut()?;
    for judgement in judgements {
        let (case, renderer) = (&judgement.case, &judgement.renderer);
        let position = entries.iter().position(|entry| {
            let is = |key: &str, name: &str| entry.get(key).and_then(Item::as_str) == Some(name);
            is("case", case) && is("renderer", renderer)
        });
        match (judgement.outcome, position) {
            (Outcome::Failed, Some(position)) => {
                if let Some(entry) = entries.get_mut(position) {
                    write_figures(entry, judgement);
                    if let Some(reason) = reason {
                        entry.insert("reason", value(reason));
                    }
                }
                blessed.changed += 1;
            }
            (Outcome::Failed, None) => {
                let mut entry = Table::new();
                entry.insert("case", value(case.as_str()));
                entry.insert("renderer", value(renderer.as_str()));
                entry.insert("kind", value(KIND));
                entry.insert("reason", value(reason.unwrap_or("accepted as it is")));
                write_figures(&mut entry, judgement);
                entries.push(entry);
                blessed.added += 1;
            }
            (Outcome::UnexpectedPass, Some(position)) => {
                entries.remove(position);
                blessed.removed += 1;
            }
            // The expectation is about several cases, and others may still need it, so it stays for the user to
            // change.
            (Outcome::UnexpectedPass, None) => {
                debug_assert!(
                    !expectations.entries.iter().any(|entry| entry.is_only_for(case, renderer)),
                    "an entry for one case is found by its names"
                );
                blessed.left += 1;
            }
            // An error has no figures to accept.
            (Outcome::Error, _) => blessed.left += 1,
            _ => {}
        }
    }
    Some(blessed)
}

/// Writes how much a judgement differs, as the difference to allow from now on.
fn write_figures(entry: &mut Table, judgement: &JudgementDocument) {
    const BOUNDS: [&str; 6] = ["match", "mse", "pixels", "largest", "depth_pixels", "depth_largest"];
    for bound in BOUNDS {
        entry.remove(bound);
    }
    let mut write = |figures: &Option<MatchFigures>, pixels: &str, largest: &str| {
        if let Some(figures) = figures {
            entry.insert(pixels, value(i64::try_from(figures.differing_pixels).unwrap_or(i64::MAX)));
            entry.insert(largest, value(i64::from(figures.largest_difference)));
        }
    };
    write(&judgement.picture, "pixels", "largest");
    write(&judgement.depth, "depth_pixels", "depth_largest");
}
