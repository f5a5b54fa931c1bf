//! Code shared by all formats: reading bytes, errors, requests, descriptors, companion files, writing display
//! lists.
//!
//! # Invariants
//! No file here imports a format. Formats import these files; only the list of formats imports both.

mod archive;
pub mod content;
pub mod cursor;
pub mod descriptor;
pub mod drawables;
pub mod error;
pub mod euler;
pub mod files;
mod foreign;
pub mod geometry;
pub mod loader;
pub mod members;
mod near_miss;
pub mod open;
pub mod options;
pub mod problem;
pub mod registry;
pub mod request;
pub mod slice;
pub mod state_writer;
pub(super) mod strips;
pub mod suggest;
pub mod text;
