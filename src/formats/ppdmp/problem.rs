//! Errors in frame dumps.

use std::fmt;

use thiserror::Error;

use super::dump::{OLDEST_VERSION, RecordKind, VERSION};
use crate::formats::core::problem::{FormatProblem, Refusal};

/// An error in a dump. Records are compressed, so an error in a record is located at their block.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PpdmpProblem {
    /// The version is not supported.
    #[error("version {0}; versions {OLDEST_VERSION} to {VERSION} can be read")]
    Version(u32),
    /// A block's declared size exceeds the limit.
    #[error("the declared size of the {block} is {size} bytes; the limit is {limit}")]
    TooLarge {
        /// The block.
        block: Block,
        /// Declared size in bytes.
        size: u64,
        /// Largest size in bytes.
        limit: u64,
    },
    /// A block cannot be decompressed.
    #[error("the {block} do not decompress: {reason}")]
    Compression {
        /// The block.
        block: Block,
        /// The decompressor's message.
        reason: String,
    },
    /// A block does not decompress to its declared size.
    #[error("the {block} decompress to {found} bytes, not {declared}")]
    Length {
        /// The block.
        block: Block,
        /// Declared size in bytes.
        declared: u64,
        /// Actual size in bytes.
        found: u64,
    },
    /// A record is invalid.
    #[error("record {record}: {problem}")]
    Record {
        /// The record's number, from 0.
        record: usize,
        /// The error in this record.
        problem: RecordProblem,
    },
}

impl FormatProblem for PpdmpProblem {
    // With a part missing, a frame would look like a wrong picture from the renderer. So nothing is left out.
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Version", "the records of later versions are not known"),
        Refusal::new("TooLarge", "a limit that the user can raise"),
        Refusal::new("Compression", "the commands of the frame cannot be unpacked"),
        Refusal::new("Length", "commands or data of the frame are missing"),
        Refusal::new("Record", "a part of the frame would be missing without a trace in the picture"),
    ];

    fn code(&self) -> &'static str {
        match self {
            Self::Version(_) => "unsupported-version",
            Self::TooLarge { .. } => "too-large",
            Self::Record { problem: RecordProblem::OutOfMemory, .. } => "out-of-memory",
            Self::Record { problem: RecordProblem::TooMuchWork(_), .. } => "too-much-work",
            _ => "damaged",
        }
    }
}

/// A dump's compressed block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// The records.
    Records,
    /// The payload bytes.
    Payload,
}

impl fmt::Display for Block {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Records => "records",
            Self::Payload => "payload bytes",
        })
    }
}

/// An error in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RecordProblem {
    /// The type is unknown.
    #[error("type {0} is unknown")]
    RecordKind(u8),
    /// The data is outside the payload.
    #[error("{length} bytes at 0x{start:x} do not lie in the payload of {payload} bytes")]
    Outside {
        /// Offset to the first byte.
        start: u32,
        /// Length in bytes.
        length: u32,
        /// The payload's length in bytes.
        payload: u32,
    },
    /// The record is too short for its kind.
    #[error("{kind} has {length} bytes and needs {needed}")]
    Short {
        /// The record's kind.
        kind: RecordKind,
        /// Length in bytes.
        length: u32,
        /// Minimum length in bytes.
        needed: u32,
    },
    /// The eDRAM address translation mode does not exist.
    #[error("eDRAM translation 0x{0:x} does not exist")]
    Translation(u32),
    /// The display format does not exist.
    #[error("display format {0} does not exist")]
    DisplayFormat(u32),
    /// The list up to this record does not fit into memory.
    #[error("the commands and data up to here do not fit into the machine's memory")]
    OutOfMemory,
    /// The CPU writes up to this record exceed the limit.
    #[error("the CPU writes more than {0} bytes up to here")]
    TooMuchWork(u64),
}
