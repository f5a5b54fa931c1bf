//! Other renderers: programs that draw a frame dump, and the search for the draw at which they go wrong.

pub(crate) mod command;
mod process;
pub(crate) mod screen;
pub(crate) mod search;
