//! Where the list goes: the program counter, the offset register and the call stack.
//! Source: `ge-reference.md` §3.1, §3.3, §3.4.

use arrayvec::ArrayVec;

use crate::ge::address::Address;
use crate::ge::command::Command;
use crate::ge::registers::flow::Base;

/// Calls that the stack holds. The hardware's depth is not documented; emulators use this one
/// (`ge-reference.md` §3.3, assumed).
const STACK_DEPTH: usize = 32;

/// List flow.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    pub(super) pc: Address,
    /// The offset register; addresses are cut to 28 bits only when they are used.
    pub(super) offset: u32,
    stack: ArrayVec<StackFrame, STACK_DEPTH>,
    skip_finish: bool,
    pause: bool,
}

#[derive(Clone, Copy, Debug)]
struct StackFrame {
    pc: Address,
    offset: u32,
    /// Calls by signal restore BASE as well.
    base: Option<Command>,
}

impl Flow {
    pub(super) fn at(start: Address) -> Self {
        Self { pc: start.align_down(4), ..Self::default() }
    }

    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// An address relative to BASE and the offset register. The parts are added, not joined.
    pub(super) const fn relative(&self, base: Base, argument: u32) -> Address {
        Address::new(self.offset.wrapping_add(base.high.0 << 24 | argument))
    }

    /// Pushes where to go on, and jumps. False where the stack is full: the call is ignored.
    pub(super) fn call(&mut self, target: Address, base: Option<Command>) -> bool {
        let frame = StackFrame { pc: self.pc, offset: self.offset, base };
        let pushed = self.stack.try_push(frame).is_ok();
        if pushed {
            self.pc = target;
        }
        pushed
    }

    /// Goes back, giving the BASE to restore. `None` where the stack is empty: the return is ignored.
    pub(super) fn ret(&mut self) -> Option<Option<Command>> {
        let frame = self.stack.pop()?;
        self.pc = frame.pc;
        self.offset = frame.offset;
        Some(frame.base)
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

/// The address in a SIGNAL and the END behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct SignalTarget {
    /// The signal's 16 bits: the upper half.
    pub(super) value: u16,
    /// The lower half.
    pub(super) end_value: u32,
    /// Where the SIGNAL stands.
    pub(super) at: Address,
}

impl SignalTarget {
    fn bits(self) -> u32 {
        (u32::from(self.value) << 16 | self.end_value) & !3
    }

    pub(super) fn absolute(self) -> Address {
        Address::new(self.bits())
    }

    pub(super) fn relative_to_signal(self) -> Address {
        Address::new(self.at.get().wrapping_add(self.bits()))
    }

    pub(super) fn relative_to(self, offset: u32) -> Address {
        Address::new(offset.wrapping_add(self.bits()))
    }
}
