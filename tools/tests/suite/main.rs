//! The command's tests, in a single program: it links once, and its tests keep all cores busy.
//!
//! To filter by file, use its name: `cargo test -p pspge-tools --test suite render` runs the tests in `render.rs`.

mod action;
mod alternatives;
mod archives;
mod assembly;
mod batch;
mod beginner;
mod capture;
mod check;
mod command_line;
mod compare;
mod crash;
mod diff;
mod documents;
mod draw;
mod export;
mod export_counts;
mod help;
mod ignored_options;
mod import_model;
mod import_textures;
mod info;
mod json_lines;
mod logging;
mod notes;
mod pack;
mod passes;
mod pixel;
mod readme;
mod render;
mod state;
mod support;
mod table;
#[cfg(unix)]
mod terminal;
mod test;
mod texture_pack;
mod textures;
mod trim;
mod types;
mod view;
mod what_if;
mod wrong_inputs;
