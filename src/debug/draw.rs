//! Explains a draw: its vertices at each stage, the fate of its primitives, and the counts of its pixels.

pub mod applied_rules;
#[doc(hidden)]
pub mod primitive_fate;
#[doc(hidden)]
pub mod report;
