//! Describes how a text was assembled.

use serde::{Deserialize, Serialize};

use crate::asm::Assembly;
use crate::documents::schema_id::{Document, SchemaId};
use crate::ge::address::Address;

/// Where each part of an assembled program lies, to load or debug it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssemblyDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The text as the user named it.
    pub input: String,
    /// The first byte's address.
    pub base: Address,
    /// Where execution starts.
    pub entry: Address,
    /// Where the program holds the list back (`.stall`); null if it sends the whole list.
    pub stall: Option<Address>,
    /// How many bytes it has, without the gaps between segments.
    pub bytes: u64,
    /// The segments, in order of address.
    pub segments: Vec<AssembledSegment>,
    /// The labels, in alphabetical order.
    pub labels: Vec<AssembledLabel>,
    /// The constants, in alphabetical order.
    pub constants: Vec<AssembledConstant>,
    /// The included files, in the order of their first use.
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
    /// The first byte's address.
    pub address: Address,
    /// How many bytes it has.
    pub bytes: u64,
}

/// A label in the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AssembledLabel {
    /// Its name.
    pub name: String,
    /// Its address.
    pub address: Address,
}

/// A constant in the text.
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
