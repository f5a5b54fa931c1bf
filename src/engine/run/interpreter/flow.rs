//! List flow: the program counter, the offset register and the call stack.
//!
//! Source: [relative addresses](crate::reference::ge::lists#relative-addresses), [jumps and
//! calls](crate::reference::ge::lists#jumps-and-calls), [SIGNAL](crate::reference::ge::lists#signal).

use arrayvec::ArrayVec;

use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::flow::{Base, SignalBehavior};

/// How deep the call stack is. This is PPSSPP's depth, because the hardware's is open.
/// Source: `reference/ge/lists.md#jumps-and-calls`.
#[doc(hidden)]
pub const STACK_DEPTH: usize = 32;

/// Everything that list flow depends on, apart from registers and memory, for hosts to save it, show it, or act as the
/// firmware themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FlowState {
    /// The next word's address.
    pub pc: Address,
    /// The stall address. Lists stop before the word at this address.
    pub stall: Option<Address>,
    /// The offset register. It has 32 bits; only addresses computed from it are cut to 28.
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

/// An entry on the call stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CallFrame {
    /// The address to return to.
    pub pc: Address,
    /// The offset register before this call.
    pub offset: u32,
    /// The argument of BASE before this call. Only calls by signal have it, because no other call restores BASE.
    pub base: Option<u32>,
}

impl FlowState {
    /// Pushes the return state and jumps. Returns false if the stack is full, and then ignores this call.
    pub(super) fn call(&mut self, target: Address, base: Option<Command>) -> bool {
        let frame = CallFrame { pc: self.pc, offset: self.offset, base: base.map(Command::argument) };
        let pushed = self.stack.try_push(frame).is_ok();
        if pushed {
            self.pc = target;
        }
        pushed
    }

    /// Returns from a call, with the BASE to restore. `None` if the stack is empty; this then ignores the return.
    pub(super) fn ret(&mut self) -> Option<Option<Command>> {
        let frame = self.stack.pop()?;
        self.pc = frame.pc;
        self.offset = frame.offset;
        Some(frame.base.map(|argument| Command::new(Opcode::BASE, argument)))
    }
}

/// Computes an address relative to BASE and the offset register. These are added, not combined by OR.
pub(super) const fn relative(offset: u32, base: Base, argument: u32) -> Address {
    Address::new(offset.wrapping_add(base.high.0 << 24 | argument))
}

/// A jump or call signal's target, made from a SIGNAL and the END after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SignalTarget {
    /// SIGNAL's argument: the upper 16 bits.
    pub(crate) value: u16,
    /// END's argument: the lower 16 bits.
    pub(crate) end_value: u32,
    /// The SIGNAL word's address.
    pub(crate) at: Address,
}

impl SignalTarget {
    fn bits(self) -> u32 {
        (u32::from(self.value) << 16 | self.end_value) & !3
    }

    pub(crate) fn absolute(self) -> Address {
        Address::new(self.bits())
    }

    pub(crate) fn relative_to_signal(self) -> Address {
        Address::new(self.at.get().wrapping_add(self.bits()))
    }

    pub(crate) fn relative_to(self, offset: u32) -> Address {
        Address::new(offset.wrapping_add(self.bits()))
    }

    /// Returns the two words that the firmware writes over SIGNAL and END, to set a texture or palette address
    /// relative to the SIGNAL word or the offset register. `None` for other signals.
    pub(crate) fn relocation(
        self,
        behavior: SignalBehavior,
        end: Command,
        offset: u32,
    ) -> Option<[Command; 2]> {
        let number = behavior.number();
        let base = if number & 8 == 0 { self.at.get() } else { offset };
        let address = base.wrapping_add(u32::from(self.value) << 16 | self.end_value);
        let high = (address >> 24 & 0xF) << 16;
        let (low, upper, width) = match number {
            0x20..=0x2F => {
                let level = number & 7;
                (Opcode::TEXADDR0.plus(level), Opcode::TEXBUFWIDTH0.plus(level), end.argument() >> 16)
            }
            0x30 | 0x38 => (Opcode::CLUTADDR, Opcode::CLUTADDRUPPER, 0),
            _ => return None,
        };
        Some([Command::new(low, address), Command::new(upper, high | width)])
    }
}
