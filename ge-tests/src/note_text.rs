//! Formats notes.

use pspge::model::FileNote;

/// Formats each note, in order.
#[must_use]
pub fn texts(notes: &[FileNote]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}
