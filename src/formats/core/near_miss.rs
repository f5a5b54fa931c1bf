//! Explains why no format recognises a file: it may be cut off, damaged, or from another program.

use super::descriptor::Format;
use super::error::FormatError;
use super::foreign;
use super::problem::Problem;
use super::slice::FileSlice;

/// Picks the most helpful error for an unrecognised slice.
pub(super) fn explain(slice: FileSlice<'_>, formats: &[Format]) -> FormatError {
    let bytes = slice.bytes;
    if bytes.is_empty() {
        return slice.error(Problem::Empty);
    }
    // A file shorter than a magic, and equal to its beginning, was cut off.
    let is_start = |format: &&Format| format.descriptor().magic.starts_with(bytes);
    let begun: Vec<&'static str> = formats.iter().filter(is_start).map(|format| format.name()).collect();
    if !begun.is_empty() {
        return slice.error(Problem::MagicCut { bytes: bytes.len() as u64, formats: begun });
    }
    if let Some(name) = foreign::identify(bytes) {
        return slice.error(Problem::Foreign(name));
    }
    let near_miss = formats.iter().find_map(|format| {
        let descriptor = format.descriptor();
        let error = (descriptor.looks_like)(slice.view(descriptor.name))?;
        let (format, title) = (descriptor.name, descriptor.title);
        let kind = Problem::LooksLike { format, title, problem: Box::new(error.kind) };
        Some(FormatError { kind, ..error })
    });
    near_miss.unwrap_or_else(|| slice.error(Problem::Unknown))
}
