//! Explains a draw: its vertices at each stage, its primitives' fate, and how many pixels it has.

pub mod applied_rules;
#[doc(hidden)]
pub mod primitive_fate;
#[doc(hidden)]
pub mod report;
