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

/// A register whose value differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterChange {
    /// Name of the command that writes the register.
    pub register: String,
    /// The argument before.
    pub before: u32,
    /// The argument now.
    pub after: u32,
    /// The fields that differ, by name.
    pub fields: BTreeMap<String, FieldChange>,
    /// The last writer.
    pub writer: WriterInfo,
    /// The change as text.
    pub text: String,
}

/// A field whose value differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldChange {
    /// The value before.
    pub before: FieldValue,
    /// The value now.
    pub after: FieldValue,
}

/// A matrix with elements that differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixChange {
    /// The matrix.
    pub matrix: MatrixName,
    /// The elements before, row by row; of the bone matrices, one after the other.
    pub before: Vec<Float>,
    /// The elements now.
    pub after: Vec<Float>,
    /// The positions of the elements that differ.
    pub elements: Vec<u8>,
    /// The last writer of each of them.
    pub writers: Vec<WriterInfo>,
}

/// The name of a matrix memory.
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
    /// Returns the name as documents use it.
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

/// Returns whether to compare a register. Commands that act at once hold no state, and matrices have their
/// own list.
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

/// Returns the registers with different arguments.
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

/// Returns the matrices with different elements.
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
