//! Describes the last writer of a register.

use serde::{Deserialize, Serialize};

use crate::debug::session::writers::Writer;
use crate::ge::address::Address;
use crate::ge::capture::{Source, source_of};

/// The last writer of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WriterInfo {
    /// The kind of writer.
    pub kind: WriterKind,
    /// Number of the command in the run, from 0; null for other writers.
    pub command: Option<u64>,
    /// Address of the word of the command; null for other writers.
    pub address: Option<Address>,
    /// Offset of the word in its file; null if it comes from no file.
    pub file_offset: Option<u64>,
    /// Number of the action of the CPU among all of them, from 0; null for other writers.
    pub record: Option<u32>,
}

/// The kind of a writer of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WriterKind {
    /// The value is that of the start of the run.
    Start,
    /// A command of the list.
    Command,
    /// An action of the CPU.
    Cpu,
}

impl WriterInfo {
    /// Describes a writer. `sources` are the parts of memory that come from files.
    #[must_use]
    pub fn new(writer: Writer, sources: &[Source]) -> Self {
        let empty =
            Self { kind: WriterKind::Start, command: None, address: None, file_offset: None, record: None };
        match writer {
            Writer::Start => empty,
            Writer::Command { number, at } => Self {
                kind: WriterKind::Command,
                command: Some(number),
                address: Some(at),
                file_offset: source_of(sources, at).map(|(_, offset)| offset),
                record: None,
            },
            Writer::Record(record) => Self { kind: WriterKind::Cpu, record: Some(record), ..empty },
        }
    }
}
