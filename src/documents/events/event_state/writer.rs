//! Describes a register's last writer.

use serde::{Deserialize, Serialize};

use crate::debug::session::writers::Writer;
use crate::ge::address::Address;
use crate::ge::capture::{Source, source_of};

/// A register's last writer, to trace a wrong value back to its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WriterInfo {
    /// Tells which members apply.
    pub kind: WriterKind,
    /// The command's number in this run, from 0; null for other writers.
    pub command: Option<u64>,
    /// Address of the command's word; null for other writers.
    pub address: Option<Address>,
    /// This word's offset in its file; null if it comes from no file.
    pub file_offset: Option<u64>,
    /// The number of the CPU's action among all of them, from 0; null for other writers.
    pub record: Option<u32>,
}

/// The kinds of writers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum WriterKind {
    /// None: the register still has its value from the run's start.
    Start,
    /// A command in the list.
    Command,
    /// An action by the CPU.
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
