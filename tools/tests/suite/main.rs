//! The command's tests, in a single program: it links once, and its tests keep all cores busy.
//!
//! To filter by file, use its name: `cargo test -p pspge-tools --test suite render` runs the tests in `render.rs`.

mod debugger;
mod interface;
mod models;
mod pictures;
mod support;
