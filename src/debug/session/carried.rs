//! The state between two commands that is neither in registers nor in memory.

use crate::pipeline::draw::CarriedState;
use crate::run::interpreter::ImmediateAssembler;

/// The state that draws hand on to the next ones.
#[derive(Clone, Debug, Default)]
pub(crate) struct Carried {
    /// That of draws with vertices in memory.
    pub(crate) draws: CarriedState,
    /// That of immediate vertices.
    pub(crate) immediate: ImmediateAssembler,
}
