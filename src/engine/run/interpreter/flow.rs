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

#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    pub(super) pc: Address,
    /// The offset register. It has 32 bits; only addresses computed from it are cut to 28.
    pub(super) offset: u32,
    pub(super) stack: ArrayVec<CallFrame, STACK_DEPTH>,
    pub(super) skip_finish: bool,
    pub(super) pause: bool,
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

impl Flow {
    pub(super) fn at(start: Address) -> Self {
        Self { pc: start.align_down(4), ..Self::default() }
    }

    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Computes an address relative to BASE and the offset register. These are added, not combined by OR.
    pub(super) const fn relative(&self, base: Base, argument: u32) -> Address {
        relative(self.offset, base, argument)
    }

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

    pub(super) const fn skip_next_finish(&mut self) {
        self.skip_finish = true;
    }

    pub(super) fn take_sync(&mut self) -> bool {
        std::mem::take(&mut self.skip_finish)
    }

    pub(super) const fn pause_at_finish(&mut self) {
        self.pause = true;
    }

    pub(super) fn take_pause(&mut self) -> bool {
        std::mem::take(&mut self.pause)
    }
}

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
