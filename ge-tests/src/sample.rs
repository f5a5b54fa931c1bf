//! The bundled samples.

use std::path::PathBuf;

use pspge::formats::Request;
use pspge::model::Model;

use crate::input;

/// Returns the folder of the samples.
#[must_use]
pub fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tools/sample")
}

/// Reads a sample.
///
/// # Panics
/// If there is no such sample.
#[must_use]
pub fn read(name: &str) -> Vec<u8> {
    input::read(&folder().join(name))
}

/// Opens a sample as a model.
///
/// # Panics
/// If the sample is missing or is not a model.
#[must_use]
pub fn open(name: &str) -> Model {
    input::model(&Request::new(name, &read(name)))
}
