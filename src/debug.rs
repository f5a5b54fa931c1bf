//! The debugger's core: the events of a run.
//!
//! # Invariants
//! Looking at a run does not change it: every value shown is the one that the run itself computes.

pub mod timeline;
