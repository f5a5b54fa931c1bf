//! Checks documents against their JSON Schemas.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use pspge::documents::registry;
use serde_json::Value;

/// Parses and checks a command's output: a document, or a document in each line.
///
/// # Panics
/// If a document is not JSON, or does not match the schema it names.
#[must_use]
pub fn checked(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).expect("text");
    // A single document may be indented, so try the whole text first.
    let documents: Vec<Value> = match serde_json::from_str(text) {
        Ok(document) => vec![document],
        Err(_) => text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
            .collect(),
    };
    documents.iter().for_each(check);
    documents
}

/// Checks a document against the schema it names. This refuses members without an entry in the schema, too.
///
/// # Panics
/// If it names no known schema, or does not match it.
pub fn check(document: &Value) {
    static VALIDATORS: OnceLock<BTreeMap<String, jsonschema::Validator>> = OnceLock::new();
    let validators = VALIDATORS.get_or_init(|| {
        let validator = |kind: &registry::SchemaInfo| {
            let mut schema = kind.schema().to_value();
            refuse_unknown_members(&mut schema);
            let validator = jsonschema::draft202012::new(&schema);
            (kind.id(), validator.unwrap_or_else(|error| panic!("{}: {error}", kind.name)))
        };
        registry::schemas().iter().map(validator).collect()
    });
    let id = document["schema"].as_str().unwrap_or_default();
    let validator = validators.get(id).unwrap_or_else(|| panic!("no schema {id:?}: {document}"));
    let errors: Vec<String> =
        validator.iter_errors(document).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{id}: {errors:#?}\n{document}");
    assert!(document.get("input").is_some(), "{id}: the input is named");
}

/// Makes a schema refuse members without an entry. Programs have to ignore such members, but this version writes
/// none.
fn refuse_unknown_members(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.contains_key("properties") && !object.contains_key("additionalProperties") {
                object.insert("additionalProperties".into(), false.into());
            }
            object.values_mut().for_each(refuse_unknown_members);
        }
        Value::Array(list) => list.iter_mut().for_each(refuse_unknown_members),
        _ => {}
    }
}
