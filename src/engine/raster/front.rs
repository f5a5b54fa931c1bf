//! The front end: what the caller's thread does with a draw before anybody fills pixels.
//!
//! It lowers each draw (`lowered_primitives`), or lets it wait until some thread lowers it (`lowering`, `lowering_queue`).
//! Then it charges the draw's cost (`cost`, `pixel_budget`) and traces it (`submission`). `own_target` decides how a draw
//! that samples its own target is drawn.

pub mod cost;
pub(crate) mod lowered_primitives;
pub(crate) mod lowering;
pub(crate) mod lowering_queue;
pub(crate) mod own_target;
pub(crate) mod pixel_budget;
pub(crate) mod sample_offset;
pub(crate) mod submission;
pub(crate) mod wireframe;
