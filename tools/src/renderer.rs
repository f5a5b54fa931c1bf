//! Runs other renderers to draw a frame dump, and searches for the draw where they go wrong.

pub(crate) mod command;
mod process;
pub(crate) mod screen;
pub(crate) mod search;
