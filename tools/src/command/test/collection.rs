//! Reads the manifest for a collection of frame dumps: `manifest.json`, a list with an entry for each dump.

use std::collections::BTreeMap;
use std::path::Path;

use pspge::documents::judgement::CaseFact;
use serde::Deserialize;
use serde_json::Value;

use crate::input::files;
use crate::terminal::failure::Failure;

/// The file's name.
const NAME: &str = "manifest.json";

/// A manifest's entries, found by a dump's name without its extension.
#[derive(Debug, Default)]
pub(super) struct Collection {
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    /// Facts for people.
    pub(super) facts: Vec<CaseFact>,
    /// Whether a real PSP's picture exists; `None` if the manifest does not say.
    pub(super) has_picture: Option<bool>,
    /// Whether a real PSP's depth buffer exists; `None` as above.
    pub(super) has_depth: Option<bool>,
}

/// An entry as written in the file. Members not named here become facts.
#[derive(Deserialize)]
struct Written {
    name: String,
    #[serde(rename = "pspReference")]
    has_picture: Option<bool>,
    #[serde(rename = "pspDepth")]
    has_depth: Option<bool>,
    #[serde(flatten)]
    others: serde_json::Map<String, Value>,
}

impl Collection {
    /// Reads a folder's manifest. This has no entries if the folder has none, or if its `manifest.json` is of
    /// another kind.
    ///
    /// # Errors
    /// If a manifest cannot be read or is no JSON.
    pub(super) fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(NAME);
        if !path.is_file() {
            return Ok(Self::default());
        }
        let bytes = files::read(&path)?;
        let value: Value =
            serde_json::from_slice(&bytes).map_err(|error| json_failure(&path, &bytes, &error))?;
        Ok(Self::of_value(value))
    }

    fn of_value(value: Value) -> Self {
        let Value::Array(values) = value else { return Self::default() };
        let written = values.into_iter().filter_map(|value| serde_json::from_value::<Written>(value).ok());
        let entries = written.map(|Written { name, has_picture, has_depth, others }| {
            let facts = others.iter().flat_map(|(name, value)| facts(name, value)).collect();
            (name, Entry { facts, has_picture, has_depth })
        });
        Self { entries: entries.collect() }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Entry> {
        self.entries.get(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}

/// Turns a member into facts: a value gives a single fact, a list gives a fact for each element, and null gives
/// none.
fn facts(name: &str, value: &Value) -> Vec<CaseFact> {
    let fact = |value: String| CaseFact { name: name.to_owned(), value };
    match value {
        Value::Null => Vec::new(),
        Value::String(text) => vec![fact(text.clone())],
        Value::Array(values) => values.iter().flat_map(|value| facts(name, value)).collect(),
        value => vec![fact(value.to_string())],
    }
}

/// Describes a file that is no JSON, or has unexpected members, with the fault's offset.
pub(super) fn json_failure(path: &Path, bytes: &[u8], error: &serde_json::Error) -> Failure {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
    let offset = lines.map(<[u8]>::len).sum::<usize>().saturating_add(error.column().saturating_sub(1));
    let text = error.to_string();
    // The offset already tells the place, so the message leaves out line and column.
    let problem = text.split(" at line ").next().unwrap_or(&text);
    Failure::input(&path.display().to_string(), "not-json", offset as u64, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_become_facts() {
        let manifest = serde_json::json!([
            {"name": "a", "issue": 5, "gameId": null, "pspReference": true, "pspDepth": false, "notes": ["x", "y"]},
            {"title": "an entry without a name"}
        ]);
        let collection = Collection::of_value(manifest);
        let entry = collection.get("a").expect("an entry");
        let facts: Vec<_> =
            entry.facts.iter().map(|fact| (fact.name.as_str(), fact.value.as_str())).collect();
        assert_eq!(facts, [("issue", "5"), ("notes", "x"), ("notes", "y")], "without null");
        assert_eq!((entry.has_picture, entry.has_depth), (Some(true), Some(false)), "references");
        assert_eq!(collection.names().collect::<Vec<_>>(), ["a"], "the others are no dumps");
        assert_eq!(Collection::of_value(serde_json::json!({"name": "x"})).names().count(), 0, "another kind");
    }
}
