//! Lists the registers and matrices in which two moments of a run differ.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::writer::WriterInfo;
use crate::asm::text::describe_argument;
use crate::debug::session::writers::Writers;
use crate::documents::value::FieldValue;
use crate::ge::capture::Source;
use crate::ge::command::Command;
use crate::ge::command_table::Class;
use crate::ge::float::Float;
use crate::ge::float24::Float24;
use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

/// A register with a changed value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterChange {
    /// The command to write this register, by name.
    pub register: String,
    /// Its argument before.
    pub before: u32,
    /// Its argument now.
    pub after: u32,
    /// The changed fields, by name.
    pub fields: BTreeMap<String, FieldChange>,
    /// The command or action that wrote it last.
    pub writer: WriterInfo,
    /// The change as text.
    pub text: String,
}

/// A field with a changed value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldChange {
    /// The value before.
    pub before: FieldValue,
    /// The value now.
    pub after: FieldValue,
}

/// A matrix with changed elements.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixChange {
    /// Which matrix this is.
    pub matrix: MatrixName,
    /// Its elements before, row by row; for bones, all matrices in turn.
    pub before: Vec<Float>,
    /// Its elements now.
    pub after: Vec<Float>,
    /// Which elements have changed, by their position.
    pub elements: Vec<u8>,
    /// The last writer for each of these elements.
    pub writers: Vec<WriterInfo>,
}

/// The matrix memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MatrixName {
    /// The eight bone matrices.
    Bones,
    /// Model space to world space.
    World,
    /// World space to view space.
    View,
    /// View space to clip space.
    Projection,
    /// The texture matrix.
    Texture,
}

impl MatrixName {
    /// Returns this matrix's name, as in documents.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bones => "bones",
            Self::World => "world",
            Self::View => "view",
            Self::Projection => "projection",
            Self::Texture => "texture",
        }
    }
}

impl From<Matrix> for MatrixName {
    fn from(matrix: Matrix) -> Self {
        match matrix {
            Matrix::Bone => Self::Bones,
            Matrix::World => Self::World,
            Matrix::View => Self::View,
            Matrix::Projection => Self::Projection,
            Matrix::Texture => Self::Texture,
        }
    }
}

/// Returns whether to compare a register. Commands that act at once hold no state, and matrices have a list for
/// themselves.
pub(crate) fn is_compared(opcode: Opcode) -> bool {
    match opcode.info().class {
        Class::State | Class::Load | Class::Immediate => true,
        Class::Flow => {
            matches!(opcode, Opcode::VADDR | Opcode::IADDR | Opcode::BASE | Opcode::OFFSETADDR)
        }
        Class::Draw | Class::Matrix | Class::Unused => false,
    }
}

/// Returns a command's argument as text, or 0 if all its fields are 0.
pub(crate) fn argument_text(command: Command) -> String {
    let text = describe_argument(command).to_string();
    if text.is_empty() { "0".to_owned() } else { text }
}

pub(super) fn registers(
    before: &Registers,
    after: &Registers,
    writers: &Writers,
    sources: &[Source],
) -> Vec<RegisterChange> {
    let differs = |opcode: &Opcode| before.argument(*opcode) != after.argument(*opcode);
    let change = |opcode: Opcode| {
        let [old, new] = [before, after].map(|registers| registers.argument(opcode));
        let fields = opcode.info().fields.iter().filter(|field| field.extract(old) != field.extract(new));
        let values = fields.map(|field| FieldChange {
            before: FieldValue::of(field, old),
            after: FieldValue::of(field, new),
        });
        let names = opcode.info().fields.iter().filter(|field| field.extract(old) != field.extract(new));
        let [from, to] = [before, after].map(|registers| argument_text(registers.command(opcode)));
        RegisterChange {
            register: opcode.name().to_owned(),
            before: old,
            after: new,
            fields: names.map(|field| field.name.to_owned()).zip(values).collect(),
            writer: WriterInfo::new(writers.register(opcode), sources),
            text: format!("{opcode} {from} -> {to}"),
        }
    };
    Opcode::all().filter(|opcode| is_compared(*opcode)).filter(differs).map(change).collect()
}

pub(super) fn matrices(
    before: &Registers,
    after: &Registers,
    writers: &Writers,
    sources: &[Source],
) -> Vec<MatrixChange> {
    let change = |matrix: Matrix| {
        let [old, new] = [before, after].map(|registers| registers.matrix(matrix));
        let floats = |elements: &[Float24]| elements.iter().map(|element| Float::from(*element)).collect();
        let differing =
            || old.iter().zip(new).enumerate().filter(|(_, (old, new))| old != new).map(|(at, _)| at);
        let writer =
            |at: usize| writers.matrix(matrix).get(at).copied().or_never("each element has a writer");
        let change = MatrixChange {
            matrix: matrix.into(),
            before: floats(old),
            after: floats(new),
            elements: differing().filter_map(|at| u8::try_from(at).ok()).collect(),
            writers: differing().map(|at| WriterInfo::new(writer(at), sources)).collect(),
        };
        (!change.elements.is_empty()).then_some(change)
    };
    Matrix::ALL.into_iter().filter_map(change).collect()
}
