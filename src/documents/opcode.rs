//! Describes a command of the GE, as its reference does.

use serde::{Deserialize, Serialize};

use super::schema_id::{Document, SchemaId};
use crate::asm::reference::{FieldReference, describe};
use crate::ge::command_table::{Class, Evidence};
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::FieldKind;

/// A command of the GE with its fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpcodeDocument {
    /// The kind of this document.
    pub schema: SchemaId<Self>,
    /// The command as the user named it.
    pub input: String,
    /// Number of the command, 0 to 255.
    pub code: u8,
    /// Name of the command.
    pub name: String,
    /// The kind of its effect.
    pub class: ClassName,
    /// Its effect, in one sentence.
    pub description: String,
    /// Whether the register is part of a saved context.
    pub context_saved: bool,
    /// Where the evidence for its effect comes from.
    pub evidence: EvidenceKind,
    /// The hardware test of the public suite, or the section of the reference, as `page#section`.
    pub source: String,
    /// The fields of its argument, from the lowest bit up.
    pub fields: Vec<FieldDescription>,
    /// Bits of the argument that no field covers.
    pub unnamed_bits: u32,
    /// Argument and effect as the reference page states them; empty for unused commands.
    pub details: String,
    /// The command with the value that its register has after reset, as assembly text.
    pub reset: String,
    /// A line of assembly text that uses the command.
    pub example: String,
    /// Sections of the reference, each as the file and the heading in the repository.
    pub sections: Vec<String>,
}

impl Document for OpcodeDocument {
    const NAME: &'static str = "opcode";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The reference of a command of the GE";
}

/// The kind of a command's effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ClassName {
    /// Controls the flow of the list or its addressing.
    Flow,
    /// Draws or tests vertices at once.
    Draw,
    /// Writes a matrix memory.
    Matrix,
    /// Sets state that the next draw uses.
    State,
    /// Moves data at once.
    Load,
    /// Sets or emits a vertex given in registers.
    Immediate,
    /// Has no known effect.
    Unused,
}

/// Where evidence comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// A test that ran on the hardware.
    Hardware,
    /// A section of the GE reference.
    Document,
}

/// A field of an argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldDescription {
    /// Its name, as traces print it and the assembler takes it.
    pub name: String,
    /// Its lowest bit.
    pub low: u8,
    /// Its highest bit, inclusive.
    pub high: u8,
    /// How its bits are read.
    pub kind: FieldKindName,
    /// Its meaning, in one sentence.
    pub description: String,
    /// Its named values; empty for fields of other kinds than `named`.
    pub values: Vec<NamedValue>,
    /// Whether assembly text must state it.
    pub required: bool,
}

/// How the bits of a field are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum FieldKindName {
    /// An unsigned number.
    Unsigned,
    /// A two's-complement number.
    Signed,
    /// An address or a mask.
    Hexadecimal,
    /// One bit.
    Flag,
    /// A float: the upper 24 bits of an IEEE single.
    Float,
    /// A colour, red in the lowest bits.
    Color,
    /// A number of which some values have names.
    Named,
}

/// A named value of a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NamedValue {
    /// The number.
    pub value: u32,
    /// The name.
    pub name: String,
}

impl OpcodeDocument {
    /// Describes a command. `input` is its name or number as the user gave it.
    #[must_use]
    pub fn new(input: &str, opcode: Opcode) -> Self {
        let (info, reference) = (opcode.info(), describe(opcode));
        let (evidence, source) = match info.evidence {
            Evidence::Hardware(test) => (EvidenceKind::Hardware, test),
            Evidence::Document(section) => (EvidenceKind::Document, section),
        };
        Self {
            schema: SchemaId::new(),
            input: input.to_owned(),
            code: opcode.code(),
            name: info.name.to_owned(),
            class: info.class.into(),
            description: info.doc.to_owned(),
            context_saved: opcode.is_context_saved(),
            evidence,
            source: source.to_owned(),
            fields: reference.fields.iter().map(FieldDescription::from).collect(),
            unnamed_bits: info.unnamed_bits(),
            sections: reference.sections.iter().map(ToString::to_string).collect(),
            details: reference.details,
            reset: reference.reset,
            example: reference.example,
        }
    }
}

impl From<Class> for ClassName {
    fn from(class: Class) -> Self {
        match class {
            Class::Flow => Self::Flow,
            Class::Draw => Self::Draw,
            Class::Matrix => Self::Matrix,
            Class::State => Self::State,
            Class::Load => Self::Load,
            Class::Immediate => Self::Immediate,
            Class::Unused => Self::Unused,
        }
    }
}

impl From<&FieldReference> for FieldDescription {
    fn from(reference: &FieldReference) -> Self {
        let field = &reference.info;
        let kind = match field.kind {
            FieldKind::Unsigned => FieldKindName::Unsigned,
            FieldKind::Signed => FieldKindName::Signed,
            FieldKind::Hexadecimal => FieldKindName::Hexadecimal,
            FieldKind::Flag => FieldKindName::Flag,
            FieldKind::Float => FieldKindName::Float,
            FieldKind::Color => FieldKindName::Color,
            FieldKind::Named(_) => FieldKindName::Named,
        };
        let codes = reference.codes.iter();
        let values = codes.map(|(value, name)| NamedValue { value: *value, name: (*name).to_owned() });
        Self {
            name: field.name.to_owned(),
            low: field.low,
            high: field.high,
            kind,
            description: field.doc.to_owned(),
            values: values.collect(),
            required: reference.is_required,
        }
    }
}
