//! Holds state between two commands that is neither in registers nor in memory.

use crate::pipeline::draw::CarriedState;
use crate::run::interpreter::ImmediateAssembler;

/// Everything that draws leave for the next draws.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carried {
    /// For draws with vertices in memory.
    pub(crate) draws: CarriedState,
    /// For immediate vertices.
    pub(crate) immediate: ImmediateAssembler,
}
