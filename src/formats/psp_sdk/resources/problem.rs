//! Errors and warnings for RCO and PTF files.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::model::FileNoteKind;

/// An error or a warning in a PSP firmware container: RCO or PTF.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ResourceProblem {
    /// This is no such container: the magic is wrong.
    #[error("not a container of this format")]
    Magic,
    /// The wanted member's compression is not known.
    #[error("compression {0} is not known")]
    Compression(u16),
    /// The wanted member has no bytes of its own.
    #[error("the container lists it, but has no bytes that can be read for it")]
    NoBytes,
    /// A stream is damaged from its first bytes on, so nothing can be unpacked.
    #[error("its compressed data are damaged: {0}")]
    Stream(String),
    /// A problem in a member's unpacked data.
    #[error("in its unpacked data, at {offset:#x}: {problem}")]
    Unpacked {
        /// Offset in the unpacked data.
        offset: u64,
        /// The problem.
        problem: Box<Problem>,
    },
    /// Changed textures cannot be written to a compressed member.
    #[error("members of RCO and PTF files that are compressed cannot be replaced yet")]
    NotReplaced,
    /// A stream ends early. Always a note.
    #[error("its compressed data are damaged after {kept} bytes, which are used: {reason}")]
    StreamCut {
        /// Bytes unpacked before the damage.
        kept: u64,
        /// Why the rest cannot be unpacked.
        reason: String,
    },
    /// A stream unpacks to another size than stated. Always a note.
    #[error("the container says {stated} bytes, and {actual} are unpacked")]
    Size {
        /// The stated size in bytes.
        stated: u64,
        /// The actual size in bytes.
        actual: u64,
    },
    /// A member reaches past the end. Always a note.
    #[error("member \"{name}\" with {length} bytes is not inside the file; {kept} bytes are")]
    Outside {
        /// The member's name.
        name: String,
        /// Its length in bytes.
        length: u64,
        /// How many bytes are inside the file.
        kept: u64,
    },
    /// The tables cannot be unpacked. Always a note.
    #[error("the tables of the members have compression {0}, which is not known")]
    Tables(u32),
    /// A table ends early. Always a note.
    #[error("the table of {table} says {stated} entries, {actual} are there")]
    Entries {
        /// The kind of entries in this table.
        table: &'static str,
        /// How many entries the table states.
        stated: u32,
        /// How many entries are in the file.
        actual: usize,
    },
    /// A member cannot be read. Always a note.
    #[error("member \"{name}\" is left out: {reason}")]
    LeftOut {
        /// The member's name.
        name: String,
        /// Why it cannot be read.
        reason: String,
    },
}

impl FormatProblem for ResourceProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a container and is none"),
        Refusal::new("Compression", "the member that is wanted is compressed in a way that is not read"),
        Refusal::new("NoBytes", "the member that is wanted has no bytes"),
        Refusal::new("Stream", "nothing of the member that is wanted can be unpacked"),
        Refusal::new("Unpacked", "the member that is wanted cannot be read"),
        Refusal::new("NotReplaced", "compressed members are read only"),
    ];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Unpacked { problem, .. } => problem.note_kind(),
            Self::StreamCut { .. } | Self::Outside { .. } => FileNoteKind::Incomplete,
            Self::Size { .. } | Self::Entries { .. } => FileNoteKind::Mismatch,
            _ => FileNoteKind::LeftOut,
        }
    }
}
