//! Registers for list flow and addressing. Source: [commands](crate::reference::ge::commands#flow-and-drawing),
//! [display lists](crate::reference::ge::lists).

use super::field::{Hex, codes, register};
use crate::ge::opcode::Opcode;

codes! {
    /// What a SIGNAL does at the following END. Source: [SIGNAL](crate::reference::ge::lists#signal).
    SignalBehavior: 8 bits {
        /// Run the signal callback and suspend the list until it returns.
        HANDLER_SUSPEND = 0x01,
        /// Run the signal callback while the list goes on.
        HANDLER_CONTINUE = 0x02,
        /// Pause at the next FINISH.
        HANDLER_PAUSE = 0x03,
        /// Skip the next FINISH and END pair.
        SYNC = 0x08,
        /// Jump to an absolute address.
        JUMP = 0x10,
        /// Call an absolute address; pushes BASE as well.
        CALL = 0x11,
        /// Return from a signal call; restores BASE as well.
        RET = 0x12,
        /// Jump relative to the SIGNAL word.
        RELATIVE_JUMP = 0x13,
        /// Call relative to the SIGNAL word.
        RELATIVE_CALL = 0x14,
        /// Jump relative to the offset register.
        OFFSET_JUMP = 0x15,
        /// Call relative to the offset register.
        OFFSET_CALL = 0x16,
        /// Debugger breakpoint, ignored on retail machines.
        BREAK1 = 0xF0,
        /// Debugger breakpoint, ignored on retail machines.
        BREAK2 = 0xFF,
    }
}

register! {
    /// An argument whose bits have no effect.
    NoArgument {}
}

register! {
    /// An address relative to BASE and the offset register: VADDR, IADDR.
    RelativeAddress {
        /// The address's low 24 bits, before adding the offset.
        address: Hex = 0..=23,
    }
}

register! {
    /// The target for JUMP, BJUMP and CALL, relative to BASE and the offset register.
    JumpTarget {
        /// The target's low 24 bits; the lowest two are ignored.
        address: Hex = 0..=23,
    }
}

register! {
    /// Upper bits for relative addresses.
    Base = BASE {
        /// Address bits 24–27.
        high: Hex = 16..=19,
    }
}

register! {
    /// The offset register, in units of 256 bytes.
    OffsetAddress = OFFSETADDR {
        /// The offset's bits 8–31.
        offset: Hex = 0..=23,
    }
}

register! {
    /// A signal for the following END to carry out.
    Signal = SIGNAL {
        /// The effect to have at END.
        behavior: SignalBehavior = 16..=23,
        /// The signal's id, or the upper half of an address.
        value: u16 = 0..=15,
    }
}

register! {
    /// Ends drawing.
    Finish = FINISH {
        /// The argument for the finish callback.
        id: u16 = 0..=15,
    }
}

register! {
    /// Ends the list, or is the second half of a SIGNAL. Source: [END](crate::reference::ge::lists#end).
    End = END {
        /// The lower half of a SIGNAL's address.
        value: u16 = 0..=15,
    }
}

/// Returns whether an opcode steers the list or sets a pointer. Recordings leave these commands out, because they
/// flatten control flow and pointers. Source: [registers](crate::reference::ge::frame_dumps#registers).
#[must_use]
#[doc(hidden)]
pub fn is_flow(opcode: Opcode) -> bool {
    use Opcode as O;
    [O::VADDR, O::IADDR, O::JUMP, O::BJUMP, O::CALL, O::RET, O::END, O::SIGNAL, O::FINISH, O::BASE]
        .into_iter()
        .chain([O::OFFSETADDR, O::ORIGIN, O::BBOX])
        .any(|flow| flow == opcode)
}
