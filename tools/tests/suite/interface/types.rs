//! Finds the JSON types of members in documents.

use std::collections::BTreeMap;

use serde_json::Value;

/// Checks that each member has a single JSON type in all of these documents, because a table needs this. Returns the
/// members' types by their paths.
///
/// # Panics
/// If a member has several types.
pub(crate) fn assert_one_type_each(command: &str, documents: &[Value]) -> BTreeMap<String, &'static str> {
    let mut types = BTreeMap::new();
    documents.iter().for_each(|document| collect("", document, &mut types));
    let mut single = BTreeMap::new();
    for (path, kinds) in types {
        // A GE command's fields depend on the command.
        let is_free = path.contains(".fields.");
        assert!(kinds.len() == 1 || is_free, "{command}: {path} has several types: {kinds:?}");
        single.extend(kinds.into_keys().next().map(|kind| (path, kind)));
    }
    single
}

/// Adds the JSON types of all members to `types`, by their paths. Elements in a list share a path.
fn collect<'a>(
    path: &str,
    value: &'a Value,
    types: &mut BTreeMap<String, BTreeMap<&'static str, &'a Value>>,
) {
    let kind = match value {
        // A missing value may have any type.
        Value::Null => return,
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "whole number",
        Value::String(_) => "text",
        Value::Array(list) => {
            list.iter().for_each(|element| collect(&format!("{path}[]"), element, types));
            "list"
        }
        Value::Object(object) => {
            object.iter().for_each(|(name, member)| collect(&format!("{path}.{name}"), member, types));
            "object"
        }
    };
    types.entry(path.to_owned()).or_default().entry(kind).or_insert(value);
}
