//! Describes the result of assembling a text.

use serde::{Deserialize, Serialize};

use crate::asm::Assembly;
use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::address::Address;

/// The places of the parts of an assembled program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssemblyDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The text as the user named it.
    pub input: String,
    /// Address of the first byte.
    pub base: Address,
    /// Address of the first command to execute.
    pub entry: Address,
    /// Address at which the program holds the list back (`.stall`); null if it sends the whole list.
    pub stall: Option<Address>,
    /// Number of bytes, without the gaps between segments.
    pub bytes: u64,
    /// The segments, in order of their addresses.
    pub segments: Vec<AssembledSegment>,
    /// The labels, in alphabetical order.
    pub labels: Vec<AssembledLabel>,
    /// The constants, in alphabetical order.
    pub constants: Vec<AssembledConstant>,
    /// Names of the included files, in the order of their first use.
    pub files: Vec<String>,
}

impl Document for AssemblyDocument {
    const NAME: &'static str = "assembly";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The places of the parts of an assembled program";
}

/// Consecutive bytes of a program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssembledSegment {
    /// Address of the first byte.
    pub address: Address,
    /// Number of bytes.
    pub bytes: u64,
}

/// A label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssembledLabel {
    /// Its name.
    pub name: String,
    /// Its address.
    pub address: Address,
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssembledConstant {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: i64,
}

impl AssemblyDocument {
    /// Describes a program.
    #[must_use]
    pub fn new(input: &str, assembly: &Assembly) -> Self {
        let program = &assembly.program;
        let segments: Vec<AssembledSegment> = program
            .segments
            .iter()
            .map(|segment| AssembledSegment { address: segment.address, bytes: segment.bytes.len() as u64 })
            .collect();
        let labels = program.symbols.iter();
        let constants = assembly.constants.iter();
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            base: program.base(),
            entry: program.entry,
            stall: program.stall,
            bytes: segments.iter().map(|segment| segment.bytes).sum(),
            segments,
            labels: labels.map(|(name, at)| AssembledLabel { name: name.clone(), address: *at }).collect(),
            constants: constants
                .map(|(name, value)| AssembledConstant { name: name.clone(), value: *value })
                .collect(),
            files: assembly.files.clone(),
        }
    }
}
