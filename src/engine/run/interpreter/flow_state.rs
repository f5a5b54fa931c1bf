//! List flow as plain data, for hosts to save it, show it, or act as the firmware themselves.

use arrayvec::ArrayVec;

use super::flow::{CallFrame, STACK_DEPTH};
use crate::ge::address::Address;

/// Everything that list flow depends on, apart from registers and memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FlowState {
    /// The next word's address.
    pub pc: Address,
    /// The stall address. Lists stop before the word at this address.
    pub stall: Option<Address>,
    /// The offset register, with 32 bits.
    pub offset: u32,
    /// The vertex pointer.
    pub vertices: Address,
    /// The index pointer.
    pub indices: Address,
    /// The last BBOX's result. BJUMP jumps if this is false.
    pub box_visible: bool,
    /// The call stack. Its last entry is the innermost call.
    pub stack: ArrayVec<CallFrame, STACK_DEPTH>,
    /// Whether a signal asked to ignore the next FINISH.
    pub skip_finish: bool,
    /// Whether a signal asked to pause at the next FINISH.
    pub pause_at_finish: bool,
}
