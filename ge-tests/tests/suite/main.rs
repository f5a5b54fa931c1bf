//! The tests for the engine, its readers and its tools. They are in a single program, because it links only once, and
//! its tests keep all cores busy.
//!
//! To run the tests of a file, filter by its name: `cargo test -p ge-tests --test suite sameness` runs `sameness.rs`.

mod assembly;
mod damage;
mod debugger;
mod drawing;
mod formats;
mod output;
mod versions;
