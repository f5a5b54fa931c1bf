//! MSH: the models of Parkan: Iron Strategy. A model is an NRes container whose entries are its streams, known by their
//! type numbers.
//!
//! `read` checks the streams, `lower` interleaves the vertices and writes a list for each slot, which the model's list
//! calls for every node that selects it; `animation` moves the nodes, `fields` keeps what does nothing here.
//! Source: the format document on NRes and MSH.

mod animation;
mod fields;
mod library;
mod lower;
mod material;
mod names;
mod problem;
mod raw;
mod read;
mod state;
mod surface;

pub(super) use library::{Item, ItemKind, Library, stem};
pub use problem::MshProblem;

use super::nres;
use crate::formats::core::cursor::View;
use crate::formats::core::error::FormatError;
use crate::formats::core::options::OpenOptions;
use crate::model::Model;
use raw::stream;

/// Whether these are the bytes of a container with all streams that a model needs.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let mut found = [false; stream::REQUIRED.len()];
    for type_id in nres::types_of(bytes) {
        for (required, found) in stream::REQUIRED.iter().zip(&mut found) {
            *found |= *required == type_id;
        }
    }
    found.iter().all(|found| *found)
}

/// Reads a model and makes it ready to be drawn, with what of the library belongs to it.
pub(super) fn open(
    file: View<'_>,
    name: &str,
    options: OpenOptions<'_>,
    library: &Library<'_>,
) -> Result<Model, FormatError> {
    let msh = read::read(file)?;
    lower::lower(&msh, name, options, library)
}

/// Whether a text is a table of material names.
pub(super) fn is_wear(view: View<'_>) -> bool {
    material::read_wear(view).is_ok()
}

/// What stands behind the last dot of a name.
pub(super) fn ending(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, ending)| ending)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
