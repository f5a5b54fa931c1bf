//! Code shared by all formats: reading bytes, errors, requests, descriptors, companion files, writing display
//! lists.
//!
//! # Invariants
//! No file here imports a format. Formats import these files; only the list of formats imports both.

mod archive;
#[doc(hidden)]
pub mod content;
pub mod cursor;
#[doc(hidden)]
pub mod descriptor;
#[doc(hidden)]
pub mod drawables;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod euler;
#[doc(hidden)]
pub mod files;
mod foreign;
#[doc(hidden)]
pub mod geometry;
pub mod loader;
#[doc(hidden)]
pub mod members;
mod near_miss;
#[doc(hidden)]
pub mod open;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod problem;
#[doc(hidden)]
pub mod registry;
#[doc(hidden)]
pub mod request;
#[doc(hidden)]
pub mod slice;
pub mod state_writer;
pub(super) mod strips;
#[doc(hidden)]
pub mod suggest;
#[doc(hidden)]
pub mod text;
