//! Explains a pixel: everything that touched it, in order, with the reason for its colour.

pub mod history;
pub mod history_recorder;
pub mod target;
mod text;
mod verdict;
