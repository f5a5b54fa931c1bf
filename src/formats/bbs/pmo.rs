//! PMO: models in Birth by Sleep. Source: [PMO header](crate::reference::formats::bbs#pmo-header) and the sections
//! after it.

pub(super) mod list;
mod lower;
mod problem;
pub(super) mod raw;
pub(super) mod read;
pub(super) mod section;
pub(super) mod section_state;
pub(super) mod textures;
mod vertex;

pub(super) use lower::{Motion, lower};
pub use problem::BbsPmoProblem;
pub(super) use raw::MAGIC;
pub(super) use read::{Pmo, read};

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test may panic")]
mod tests;
