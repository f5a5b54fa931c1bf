//! What a run has to say beyond its draws.

use std::fmt;

use crate::ge::address::Address;
use crate::ge::limits::LimitHit;
use crate::ge::registers::flow::SignalBehavior;

/// Something a reader of the trace should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Address of the command it is about.
    pub at: Address,
    /// How many commands were executed before it.
    pub command: u64,
    /// What happened.
    pub kind: NoteKind,
}

/// What a [`Note`] can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// A limit was reached; the run ended.
    Limit(LimitHit),
    /// The list ran into memory that does not exist.
    ListUnmapped,
    /// A jump or call leads to memory that does not exist.
    TargetUnmapped(Address),
    /// A draw whose vertices do not exist; nothing was drawn.
    VerticesUnmapped(Address),
    /// A palette that does not exist; its entries became 0.
    ClutUnmapped(Address),
    /// A block transfer from or to memory that does not exist; the hardware hangs, here it is left out.
    TransferUnmapped,
    /// A call with the stack full; it was ignored.
    StackFull,
    /// A return with the stack empty; it was ignored.
    StackEmpty,
    /// END without FINISH or SIGNAL in front of it; it was ignored.
    OrphanEnd,
    /// A signal for the program.
    Signal(SignalBehavior, u16),
    /// A signal that the firmware does not know.
    UnknownSignal(SignalBehavior),
}

impl Note {
    /// The limit that was reached, where the note says so.
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
            Self::ListUnmapped => f.write_str("the list ran into memory that does not exist"),
            Self::TargetUnmapped(target) => write!(f, "the target {target} does not exist"),
            Self::VerticesUnmapped(vertices) => {
                write!(f, "the vertices at {vertices} do not exist: nothing drawn")
            }
            Self::ClutUnmapped(source) => {
                write!(f, "the palette at {source} does not exist: entries read as 0")
            }
            Self::TransferUnmapped => f.write_str("block transfer with memory that does not exist: left out"),
            Self::StackFull => f.write_str("call with a full stack: ignored"),
            Self::StackEmpty => f.write_str("return with an empty stack: ignored"),
            Self::OrphanEnd => f.write_str("END without FINISH or SIGNAL in front of it: ignored"),
            Self::Signal(behavior, id) => write!(f, "signal {behavior} {id:#06x}"),
            Self::UnknownSignal(behavior) => write!(f, "unknown signal {behavior}: the hardware hangs here"),
        }
    }
}
