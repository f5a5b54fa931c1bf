//! Lowered draws are filled here, at once or by other threads.
//!
//! With a single thread each draw is filled when it arrives. With several, draws wait in the `queue`. To let the front end
//! go on meanwhile, `handover` lends engine and VRAM to helpers (`threads`), which fill queued draws in a `fill_job`.
//! `vram_mirror` takes the place of VRAM as long as it is lent.

pub(crate) mod fill_job;
mod handover;
pub(crate) mod loan;
pub(crate) mod queue;
pub(crate) mod threads;
pub(crate) mod vram_mirror;
