//! PMO: the models of Birth by Sleep. Source: the format document on Birth by Sleep models, §1.

pub(super) mod list;
pub(super) mod look;
mod lower;
mod problem;
pub(super) mod raw;
pub(super) mod read;
pub(super) mod textures;
mod vertex;

pub(super) use lower::{Motion, lower};
pub use problem::BbsPmoProblem;
pub(super) use read::{Pmo, read};

/// Whether these are the first bytes of a model, of any version.
pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&raw::MAGIC)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests;
