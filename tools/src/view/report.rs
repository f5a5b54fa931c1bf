//! Writes the inspector as a single file to open from disk: page, engine and input.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::page::{self, BrowserEngine};
use crate::terminal::failure::Failure;

/// Whether this program was built with the engine for browsers.
pub(crate) fn is_available() -> bool {
    BrowserEngine::of_program().is_some()
}

/// Returns the page with an input's files, or without any. It opens at the place `at` in the shown member.
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
    let at = at.map(|at| with_member(at, member));
    page::single_file(&engine, files, member, at.as_deref())
        .map_err(|error| Failure::usage(format_args!("the page cannot be written: {error}")))
}

/// Adds the shown member's path to a place, as addresses write it. Without a member, the place is in the container
/// itself.
fn with_member(at: &str, member: Option<&str>) -> String {
    match member {
        None => at.to_owned(),
        Some(member) => format!("{at}&member={}", utf8_percent_encode(member, NON_ALPHANUMERIC)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_the_member() {
        assert_eq!(with_member("#lod=1", None), "#lod=1", "none");
        assert_eq!(with_member("#lod=1", Some("a&b/é")), "#lod=1&member=a%26b%2F%C3%A9", "encoded");
    }
}
