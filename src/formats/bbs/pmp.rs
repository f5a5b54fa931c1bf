//! PMP: the maps of Birth by Sleep: models, and where instances of them stand. Source: the format document on Birth
//! by Sleep models, §3.

mod lower;
mod problem;
mod raw;
mod read;

pub(super) use lower::lower;
pub use problem::PmpProblem;
pub(super) use read::read;

/// Whether these are the first bytes of a map.
pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&raw::MAGIC)
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
