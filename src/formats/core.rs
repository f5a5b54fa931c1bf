//! Code shared by all formats: reading bytes, errors, requests, descriptors, companion files, writing display
//! lists.
//!
//! # Invariants
//! No file here imports a format. Formats import these files; only the list of formats imports both.

mod companions;
pub mod content;
pub mod cursor;
pub mod descriptor;
pub mod error;
pub mod files;
pub mod loader;
pub mod members;
pub mod open;
pub mod options;
pub mod registry;
pub mod request;
pub mod slice;
pub mod state_writer;
