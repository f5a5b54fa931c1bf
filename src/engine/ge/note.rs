//! Notes on a run, to report events that its draws do not show.

use std::fmt;

use crate::ge::address::Address;
use crate::ge::limits::{Limit, LimitHit};
use crate::ge::registers::flow::SignalBehavior;

/// Something that readers of a trace should know, because the picture alone does not explain it.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Address, Interpreter, Limits, Memory, Note, NullObserver, NullSink, Registers};
///
/// // A list at an address without memory.
/// let mut interpreter = Interpreter::new(Registers::new(), pspge::Arithmetic::Hardware);
/// let (memory, start) = (&mut Memory::default(), Address::new(0x0000_1000));
/// let report = interpreter.run(memory, start, &mut NullSink, &mut NullObserver, &Limits::default());
/// let note: &Note = &report.notes[0];
/// println!("{note}");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Address of the command that caused it.
    pub at: Address,
    /// How many commands were executed before.
    pub command: u64,
    /// How many draws were executed before.
    pub draw: u64,
    /// The event.
    pub kind: NoteKind,
}

/// Says which event happened, for a [`Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoteKind {
    /// A limit was reached, which ended the run.
    Limit(LimitHit),
    /// The list ran into unmapped memory, which ended the run.
    ListUnmapped,
    /// A jump or call goes to unmapped memory.
    TargetUnmapped(Address),
    /// A draw's vertices are unmapped; the draw was skipped.
    VerticesUnmapped(Address),
    /// The vertices for a draw or box test begin in mapped memory but end in unmapped memory. The missing bytes read
    /// as 0.
    VerticesCut(Address),
    /// A draw's vertices begin in main memory to which no input and no command ever wrote.
    VerticesUnwritten(Address),
    /// A draw's indices are not all mapped. The missing indices read as 0.
    IndicesUnmapped(Address),
    /// An index selects an unmapped vertex, which reads as 0.
    IndexUnmapped(u32),
    /// Texels that a draw may sample are unmapped. They read as 0.
    TextureUnmapped {
        /// The mip level.
        level: u8,
        /// Address of the level's first texel.
        address: Address,
    },
    /// A draw's texture begins in main memory to which no input and no command ever wrote.
    TextureUnwritten {
        /// The mip level.
        level: u8,
        /// Address of the level's first texel.
        address: Address,
    },
    /// The palette is unmapped; its entries read as 0.
    ClutUnmapped(Address),
    /// The palette begins in main memory to which no input and no command ever wrote.
    ClutUnwritten(Address),
    /// A block transfer reads or writes unmapped memory. The hardware hangs; here the transfer is skipped.
    TransferUnmapped,
    /// A block transfer's lines begin in mapped memory but end in unmapped memory. The missing bytes read as 0, and
    /// writes there are lost.
    TransferCut,
    /// A call was ignored because the stack was full.
    StackFull,
    /// A return was ignored because the stack was empty.
    StackEmpty,
    /// An END was ignored because neither FINISH nor SIGNAL precedes it. The hardware stops there and hangs.
    OrphanEnd,
    /// A signal for the program, with its value.
    Signal(SignalBehavior, u16),
    /// A signal sets a texture or palette address. The firmware does this by changing the list; no program is known
    /// to use it.
    AddressSignal(SignalBehavior),
    /// A signal unknown to the firmware; the run ended, because the hardware hangs.
    UnknownSignal(SignalBehavior),
    /// A patch has these divisions along u and v; the run ended, because more than 64 hang the hardware.
    PatchHang([u8; 2]),
    /// A replay ended at a FINISH because a signal had asked for a pause. Later commands did not run.
    Paused,
    /// Recorded textures were not copied over pixels drawn by the replay, because the record is older.
    KeptDrawn {
        /// How many recorded copies this affected.
        copies: u32,
        /// How many bytes these copies left out.
        bytes: u64,
    },
}

/// How serious a note is, to tell facts from problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// A fact about the input. Nothing is missing because of it.
    Information,
    /// Something is missing, guessed or contradictory, so the result may be wrong.
    Problem,
}

impl Severity {
    /// Returns this severity's stable name, for programs that read documents.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Information => "information",
            Self::Problem => "problem",
        }
    }
}

impl NoteKind {
    /// An example for each kind, to let programs test that they handle all kinds.
    pub const EXAMPLES: [Self; 23] = {
        let address = Address::new(0x0500_0000);
        let hit = LimitHit { limit: Limit::Commands, value: 1_000_000 };
        [
            Self::Limit(hit),
            Self::ListUnmapped,
            Self::TargetUnmapped(address),
            Self::VerticesUnmapped(address),
            Self::VerticesCut(address),
            Self::VerticesUnwritten(address),
            Self::IndicesUnmapped(address),
            Self::IndexUnmapped(0xFFFF),
            Self::TextureUnmapped { level: 0, address },
            Self::TextureUnwritten { level: 0, address },
            Self::ClutUnmapped(address),
            Self::ClutUnwritten(address),
            Self::TransferUnmapped,
            Self::TransferCut,
            Self::StackFull,
            Self::StackEmpty,
            Self::OrphanEnd,
            Self::Signal(SignalBehavior::HANDLER_SUSPEND, 1),
            Self::AddressSignal(SignalBehavior::from_number(0x20)),
            Self::UnknownSignal(SignalBehavior::from_number(0x7F)),
            Self::PatchHang([65, 1]),
            Self::Paused,
            Self::KeptDrawn { copies: 1, bytes: 16 },
        ]
    };

    /// Returns this kind's stable name, for programs that read documents.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Limit(_) => "limit",
            Self::ListUnmapped => "list-unmapped",
            Self::TargetUnmapped(_) => "target-unmapped",
            Self::VerticesUnmapped(_) => "vertices-unmapped",
            Self::VerticesCut(_) => "vertices-cut",
            Self::VerticesUnwritten(_) => "vertices-unwritten",
            Self::IndicesUnmapped(_) => "indices-unmapped",
            Self::IndexUnmapped(_) => "index-unmapped",
            Self::TextureUnmapped { .. } => "texture-unmapped",
            Self::TextureUnwritten { .. } => "texture-unwritten",
            Self::ClutUnmapped(_) => "clut-unmapped",
            Self::ClutUnwritten(_) => "clut-unwritten",
            Self::TransferUnmapped => "transfer-unmapped",
            Self::TransferCut => "transfer-cut",
            Self::StackFull => "stack-full",
            Self::StackEmpty => "stack-empty",
            Self::OrphanEnd => "orphan-end",
            Self::Signal(..) => "signal",
            Self::AddressSignal(_) => "address-signal",
            Self::UnknownSignal(_) => "unknown-signal",
            Self::PatchHang(_) => "patch-hang",
            Self::Paused => "paused",
            Self::KeptDrawn { .. } => "kept-drawn",
        }
    }

    /// Returns how serious notes of this kind are.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        match self {
            Self::Signal(..) | Self::KeptDrawn { .. } => Severity::Information,
            _ => Severity::Problem,
        }
    }
}

impl Note {
    /// Returns the limit, if this note says that a limit was reached.
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
            Self::VerticesCut(vertices) => {
                write!(f, "the vertices at {vertices} reach unmapped memory: missing bytes read as 0")
            }
            Self::VerticesUnwritten(vertices) => {
                write!(f, "the vertices at {vertices} are in memory that was never written: they read as 0")
            }
            Self::IndicesUnmapped(indices) => {
                write!(f, "the indices at {indices} reach unmapped memory: missing ones read as 0")
            }
            Self::IndexUnmapped(index) => write!(f, "vertex {index} is unmapped: it reads as 0"),
            Self::TextureUnmapped { level, address } => {
                write!(
                    f,
                    "texture level {level} at {address} reaches unmapped memory: texels there read as 0"
                )
            }
            Self::TextureUnwritten { level, address } => write!(
                f,
                "texture level {level} at {address} is in memory that was never written: its texels read as 0"
            ),
            Self::ClutUnmapped(source) => {
                write!(f, "the palette at {source} is unmapped: its entries read as 0")
            }
            Self::ClutUnwritten(source) => {
                write!(
                    f,
                    "the palette at {source} is in memory that was never written: its entries read as 0"
                )
            }
            Self::TransferUnmapped => f.write_str("block transfer from or to unmapped memory: skipped"),
            Self::TransferCut => f.write_str(
                "block transfer reaches unmapped memory: missing bytes read as 0, writes are lost",
            ),
            Self::StackFull => f.write_str("call with a full stack: ignored"),
            Self::StackEmpty => f.write_str("return with an empty stack: ignored"),
            Self::OrphanEnd => {
                f.write_str("END without a preceding FINISH or SIGNAL: ignored, but the hardware hangs here")
            }
            Self::Signal(behavior, id) => write!(f, "signal {behavior} {id:#06x}"),
            Self::AddressSignal(behavior) => {
                write!(f, "signal {behavior} replaces itself in the list by an address")
            }
            Self::PatchHang([u, v]) => {
                write!(f, "the patch is divided {u} by {v} times: more than 64 hang the hardware here")
            }
            Self::Paused => f.write_str("the list pauses at this FINISH: commands after it did not run"),
            Self::KeptDrawn { copies, bytes } => {
                write!(f, "{copies} recorded copies left out {bytes} bytes that the replay had drawn itself")
            }
            Self::UnknownSignal(behavior) => write!(f, "unknown signal {behavior}: the hardware hangs here"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn examples_have_codes_of_their_own_and_texts() {
        let codes: HashSet<&str> = NoteKind::EXAMPLES.iter().map(NoteKind::code).collect();
        assert_eq!(codes.len(), NoteKind::EXAMPLES.len(), "one example of each kind");
        for example in NoteKind::EXAMPLES {
            let text = example.to_string();
            assert!(text.len() > 10 && text.lines().count() == 1, "{}: {text}", example.code());
        }
    }
}
