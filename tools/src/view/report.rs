//! Writes the inspector as a single file that opens from disk: page, engine and input.

use super::page::{self, BrowserEngine};
use crate::terminal::failure::Failure;

/// Returns whether this program was built with the engine for browsers.
pub(crate) fn is_available() -> bool {
    BrowserEngine::of_program().is_some()
}

/// Returns the page with an input's files, or without any. It opens at the place that `at` names.
///
/// # Errors
/// If the program was built without the engine for browsers, or if the input cannot be compressed.
pub(crate) fn write(
    files: &[(String, Vec<u8>)],
    member: Option<&str>,
    at: Option<&str>,
) -> Result<String, Failure> {
    let engine = BrowserEngine::of_program().ok_or_else(|| {
        Failure::usage(
            "the page as one file needs the engine for browsers, without which this program was built: run \
             `cargo dev web` in its source, and build it again",
        )
    })?;
    page::single_file(&engine, files, member, at)
        .map_err(|error| Failure::usage(format_args!("the page cannot be written: {error}")))
}
