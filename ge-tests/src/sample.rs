//! Reads the bundled samples for tests.

use std::path::PathBuf;

use pspge::formats::Request;
use pspge::model::Model;

use crate::input;

/// Returns the samples' folder.
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

/// Splits a sample into two files, as Monster Hunter Portable 3rd does for monsters: header and tables, and mesh
/// data.
///
/// # Panics
/// If the sample is missing or is no such model.
#[must_use]
pub fn split_model() -> [Vec<u8>; 2] {
    let mut first = read("lampwing-102.pmo");
    let offset: [u8; 4] = first[0x34..0x38].try_into().expect("four bytes");
    let second = first.split_off(u32::from_le_bytes(offset) as usize);
    [first, second]
}

/// Opens a sample as a model.
///
/// # Panics
/// If the sample is missing or is not a model.
#[must_use]
pub fn open(name: &str) -> Model {
    input::model(&Request::new(name, &read(name)))
}
