//! What can be wrong with a frame dump.

use std::fmt;

use thiserror::Error;

use super::dump::{OLDEST_VERSION, RecordKind, VERSION};
use crate::formats::core::error::FormatProblem;

/// What can be wrong with a dump. Records stand in a compressed block; the error's offset is that block's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PpdmpProblem {
    /// A version that is not known.
    #[error("version {0}; versions {OLDEST_VERSION} to {VERSION} can be read")]
    Version(u32),
    /// A block is declared larger than any that makes sense.
    #[error("the {block} are said to have {size} bytes; {limit} are the most")]
    TooLarge {
        /// Which block.
        block: Block,
        /// Its declared size.
        size: u64,
        /// The largest.
        limit: u64,
    },
    /// A block does not decompress.
    #[error("the {block} do not decompress: {reason}")]
    Compression {
        /// Which block.
        block: Block,
        /// What the decompressor says.
        reason: String,
    },
    /// A block decompresses to another size than declared.
    #[error("the {block} decompress to {found} bytes, not {declared}")]
    Length {
        /// Which block.
        block: Block,
        /// The declared size.
        declared: u64,
        /// The size found; one more than declared where it is larger.
        found: u64,
    },
    /// A record is wrong.
    #[error("record {record}: {problem}")]
    Record {
        /// Its number, from 0.
        record: usize,
        /// What is wrong with it.
        problem: RecordProblem,
    },
}

impl FormatProblem for PpdmpProblem {}

/// The two compressed blocks of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// The records.
    Records,
    /// The payload.
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

/// What can be wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RecordProblem {
    /// A kind that is not known.
    #[error("type {0} is unknown")]
    RecordKind(u8),
    /// It points outside the payload.
    #[error("{length} bytes at 0x{start:x} do not lie in the payload of {payload} bytes")]
    Outside {
        /// Its first byte.
        start: u32,
        /// Its length.
        length: u32,
        /// The payload's length.
        payload: u32,
    },
    /// It is too short for its kind.
    #[error("{kind} has {length} bytes and needs {needed}")]
    Short {
        /// Its kind.
        kind: RecordKind,
        /// Its length.
        length: u32,
        /// The least length.
        needed: u32,
    },
    /// An eDRAM address translation that the machine refuses.
    #[error("eDRAM translation 0x{0:x} does not exist")]
    Translation(u32),
    /// A pixel format that no display has.
    #[error("display format {0} does not exist")]
    DisplayFormat(u32),
    /// Everything together is more than the machine's memory holds.
    #[error("the commands and data up to here do not fit into the machine's memory")]
    OutOfMemory,
    /// Everything together has the CPU write more than any recording does.
    #[error("the CPU writes more than {0} bytes up to here")]
    TooMuchWork(u64),
}
