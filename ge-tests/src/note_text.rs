//! The texts of notes.

use pspge::model::FileNote;

/// Returns the texts of notes, in their order.
#[must_use]
pub fn texts(notes: &[FileNote]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}
