//! Describes a GE command, with the same facts as its reference.

use serde::{Deserialize, Serialize};

use super::schema_id::{Document, SchemaId};
use crate::asm::reference::{FieldReference, describe};
use crate::ge::command_table::{Class, Evidence};
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::FieldKind;

/// A GE command with its fields, to look it up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpcodeDocument {
    /// Tells programs how to read this document: its kind and version.
    pub schema: SchemaId<Self>,
    /// The command as the user named it.
    pub input: String,
    /// The command's code, 0 to 255.
    pub code: u8,
    /// The command's name.
    pub name: String,
    /// Which kind of effect it has.
    pub class: ClassName,
    /// Its effect, in a sentence.
    pub description: String,
    /// Whether a saved context includes its register.
    pub context_saved: bool,
    /// Which kind of evidence there is for its effect.
    pub evidence: EvidenceKind,
    /// The evidence: a hardware test in the public suite, or a section in the reference, as `page#section`.
    pub source: String,
    /// The argument's fields, from the lowest bit up.
    pub fields: Vec<FieldDescription>,
    /// A mask with the argument's bits not covered by any field.
    pub unnamed_bits: u32,
    /// Argument and effect as the reference page states them; empty for unused commands.
    pub details: String,
    /// The command to set its register as after reset, as assembly text.
    pub reset: String,
    /// A line of assembly text to show how the command is used.
    pub example: String,
    /// Where to read more: sections in the reference, each as the file and the heading in the repository.
    pub sections: Vec<String>,
}

impl Document for OpcodeDocument {
    const NAME: &'static str = "opcode";
    const VERSION: u32 = 1;
    const TITLE: &'static str = "The reference of a command of the GE";
}

/// The kinds of effects.
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
    /// Sets state for the next draw to use.
    State,
    /// Moves data at once.
    Load,
    /// Sets or emits a vertex given in registers.
    Immediate,
    /// Has no known effect.
    Unused,
}

/// The kinds of evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EvidenceKind {
    /// A test that ran on the hardware.
    Hardware,
    /// A section in the GE reference.
    Document,
}

/// A field in a command's argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldDescription {
    /// Its name, in traces and for the assembler.
    pub name: String,
    /// Its lowest bit.
    pub low: u8,
    /// Its highest bit, inclusive.
    pub high: u8,
    /// How its bits are read.
    pub kind: FieldKindName,
    /// Its meaning, in a sentence.
    pub description: String,
    /// The values with names; empty unless the kind is `named`.
    pub values: Vec<NamedValue>,
    /// Whether assembly text must state it.
    pub required: bool,
}

/// How a field's bits are read.
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
    /// A single bit.
    Flag,
    /// A float: the upper 24 bits of an IEEE single.
    Float,
    /// A colour, red in the lowest bits.
    Color,
    /// A number with names for some values.
    Named,
}

/// A field's value with a name.
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
