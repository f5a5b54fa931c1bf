//! Runs other renderers, which draw a frame dump, and searches for the draw at which they go wrong.

pub(crate) mod command;
mod process;
pub(crate) mod screen;
pub(crate) mod search;
