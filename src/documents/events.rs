//! Documents on a run's events, and the state at each.

pub mod command;
pub mod draw;
pub mod draw_list;
pub mod draw_report;
pub mod end;
pub mod event;
pub mod event_state;
pub(crate) mod shown_draw;
pub mod state;
pub mod timeline;
