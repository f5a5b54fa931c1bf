//! MSH: models in Parkan: Iron Strategy. A model is an NRes container whose entries are its streams, identified by
//! type numbers.
//!
//! `read` validates the streams. `lower` interleaves the vertices and writes a list for each slot; the model's list
//! calls it for every node that selects the slot. `animation` moves the nodes, and `fields` keeps data that pspge
//! does not use. Source: [Parkan formats](crate::reference::formats::parkan).

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
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::options::OpenOptions;
use crate::model::Model;
use raw::stream;

/// Recognises a model: a container with all required streams.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    let mut found = [false; stream::REQUIRED.len()];
    for type_id in nres::types_of(bytes) {
        for (required, found) in stream::REQUIRED.iter().zip(&mut found) {
            *found |= *required == type_id;
        }
    }
    found.iter().all(|found| *found)
}

/// Parses a model and makes it ready to draw. This looks up its materials and textures in the library.
pub(super) fn open(
    file: View<'_>,
    name: &str,
    options: OpenOptions<'_>,
    library: &Library<'_>,
) -> Result<Model, FormatError> {
    let msh = read::read(file)?;
    lower::lower(&msh, name, options, library)
}

/// Recognises a WEAR table: it must parse without damage.
pub(super) fn is_wear(view: View<'_>) -> bool {
    let mut warnings = Warnings::default();
    material::read_wear(view, &mut warnings).is_ok() && warnings.as_slice().is_empty()
}

/// Returns everything after the last dot in a name.
pub(super) fn ending(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, ending)| ending)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "tests may panic")]
mod tests;
