//! One pixel: everything that touched it, in order, with the reason of its colour.

pub mod history;
pub mod history_recorder;
pub mod target;
mod text;
mod verdict;
