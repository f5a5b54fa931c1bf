//! The front end does everything that the caller's thread does with a draw before anybody fills pixels.
//!
//! It lowers each draw (`lowered_primitives`), or lets it wait until some thread lowers it (`lowering`,
//! `lowering_queue`). Then `submission` decodes the draw's state (`states`), chooses how to draw it (`own_target`),
//! charges its cost (`cost`, `pixel_budget`), and passes it to the dispatcher or to the reference.

use super::fast::DrawMode;
use crate::ge::registers::Registers;
use lowered_primitives::LoweredPrimitives;

#[doc(hidden)]
pub mod cost;
pub(crate) mod lowered_primitives;
mod lowering;
pub(crate) mod lowering_queue;
mod own_target;
pub(crate) mod pixel_budget;
pub(crate) mod sample_offset;
pub(crate) mod states;
mod submission;
mod wireframe;

/// A draw with its screen primitives, on its way from lowering to the dispatcher.
#[derive(Debug)]
pub(crate) struct LoweredDraw<'r> {
    pub(crate) registers: &'r Registers,
    pub(crate) mode: DrawMode,
    /// The draw's number in the run, by which the texture cache names it.
    pub(crate) number: u64,
    /// Whether it reads texels from memory, and not through the texture cache.
    pub(crate) uncached: bool,
    pub(crate) primitives: LoweredPrimitives,
}
