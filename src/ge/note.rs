//! Notes: events of a run that its draws do not show.

use std::fmt;

use crate::ge::address::Address;
use crate::ge::limits::LimitHit;
use crate::ge::registers::flow::SignalBehavior;

/// An event that a reader of the trace should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Address of the command that caused it.
    pub at: Address,
    /// Number of commands executed before it.
    pub command: u64,
    /// The event.
    pub kind: NoteKind,
}

/// The event of a [`Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// A limit was reached; the run ended.
    Limit(LimitHit),
    /// The list ran into unmapped memory; the run ended.
    ListUnmapped,
    /// The target of a jump or call is unmapped.
    TargetUnmapped(Address),
    /// The vertices of a draw are unmapped; the draw was skipped.
    VerticesUnmapped(Address),
    /// The palette is unmapped; its entries read as 0.
    ClutUnmapped(Address),
    /// A block transfer reads or writes unmapped memory. The hardware hangs; here the transfer is skipped.
    TransferUnmapped,
    /// A call was ignored because the stack was full.
    StackFull,
    /// A return was ignored because the stack was empty.
    StackEmpty,
    /// An END was ignored because neither FINISH nor SIGNAL precedes it.
    OrphanEnd,
    /// A signal for the program, with its value.
    Signal(SignalBehavior, u16),
    /// A signal that the firmware does not know; the run ended, because the hardware hangs.
    UnknownSignal(SignalBehavior),
}

impl Note {
    /// Returns the limit that was reached, if this is the event.
    #[must_use]
    pub const fn limit_hit(&self) -> Option<LimitHit> {
        match self.kind {
            NoteKind::Limit(hit) => Some(hit),
            _ => None,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.kind)
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limit(hit) => write!(f, "{hit}"),
            Self::ListUnmapped => f.write_str("the list ran into unmapped memory"),
            Self::TargetUnmapped(target) => write!(f, "the target {target} is unmapped"),
            Self::VerticesUnmapped(vertices) => {
                write!(f, "the vertices at {vertices} are unmapped: draw skipped")
            }
            Self::ClutUnmapped(source) => {
                write!(f, "the palette at {source} is unmapped: its entries read as 0")
            }
            Self::TransferUnmapped => f.write_str("block transfer from or to unmapped memory: skipped"),
            Self::StackFull => f.write_str("call with a full stack: ignored"),
            Self::StackEmpty => f.write_str("return with an empty stack: ignored"),
            Self::OrphanEnd => f.write_str("END without a preceding FINISH or SIGNAL: ignored"),
            Self::Signal(behavior, id) => write!(f, "signal {behavior} {id:#06x}"),
            Self::UnknownSignal(behavior) => write!(f, "unknown signal {behavior}: the hardware hangs here"),
        }
    }
}
