//! PMP: maps in Birth by Sleep. A map places instances of its models. Source:
//! [PMP map](crate::reference::formats::bbs#pmp-map).

mod lower;
mod problem;
mod raw;
mod read;

pub(super) use lower::lower;
pub use problem::PmpProblem;
pub(super) use raw::MAGIC;
pub(super) use read::read;

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
