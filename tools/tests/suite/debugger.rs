//! Tests of commands that take a frame apart.

mod capture;
mod check;
mod diff;
mod draw;
mod passes;
mod pixel;
mod state;
mod trim;
mod view;
mod what_if;
