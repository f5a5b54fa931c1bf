//! Draws that may sample their own target.
//!
//! The reference can draw them, but slowly. If each primitive samples the target as it was before the primitive,
//! the fast engine can sample a copy.
//! Source: [self-sampling](crate::reference::ge::textures#self-sampling).

use super::cost;
use super::fast::PipelineState;
use super::lowered_primitives::LoweredPrimitives;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::edram::Translation;

/// How the fast engine draws primitives that may sample their target.
#[derive(Clone, Copy, Debug)]
pub(super) struct CopyPlan {
    /// Number of consecutive primitives that share a copy of the texture.
    pub(super) primitives: usize,
    /// Cost of all copies, in pixels.
    pub(super) cost: u64,
}

impl CopyPlan {
    /// Plans a draw whose cost is known. Returns `None` if the reference must draw it, or draws it faster.
    pub(super) fn new(
        state: &mut PipelineState,
        lowered: &LoweredPrimitives,
        translation: Translation,
    ) -> Option<Self> {
        let primitives = lowered.primitives();
        let is_apart = state.samples_apart(primitives, translation);
        // In single arithmetic, each pixel sees those before it.
        if !is_apart && lowered.arithmetic() == Some(Arithmetic::Single) {
            return None;
        }
        state.require_copies();
        let (shared, copies) = if is_apart { (primitives.len().max(1), 1) } else { (1, primitives.len()) };
        let cost = cost::of_copies(state.copied_bytes(), copies);
        (cost <= cost::by_reference(lowered.cost())).then_some(Self { primitives: shared, cost })
    }
}
