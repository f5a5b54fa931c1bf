//! Tests of questions about a run: its notes, events, draws, pixels and writers, and changes to it.

mod check;
mod debug_session;
mod dependencies;
mod documents;
mod draw_report;
mod first_difference;
mod inspector;
mod notes;
mod pixel_history;
mod reduce;
mod trim;
mod what_if;
mod what_if_answers;
