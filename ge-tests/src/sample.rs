//! The bundled sample model, opened.

use std::fs;
use std::path::PathBuf;

use pspge::formats::{self, Content, Request};
use pspge::model::Model;

/// Where the sample's files are.
#[must_use]
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tools/sample")
}

/// A file of the sample as a model.
///
/// # Panics
/// Where the file is missing or is no model.
#[must_use]
pub fn open(name: &str) -> Model {
    let path = folder().join(name);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let opened = formats::open(&Request::new(name, &bytes)).unwrap_or_else(|error| panic!("{name}: {error}"));
    match opened.content {
        Content::Model(model) => *model,
        other => panic!("{name}: not a model but {other:?}"),
    }
}
