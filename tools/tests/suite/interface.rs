//! Tests of the command line itself: its help, messages, documents, batches and exit statuses.

mod action;
mod batch;
mod beginner;
mod command_line;
mod crash;
mod documents;
mod help;
mod ignored_options;
mod json_lines;
mod logging;
mod notes;
mod readme;
#[cfg(unix)]
mod terminal;
mod types;
mod wrong_inputs;
