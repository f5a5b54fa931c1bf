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

/// Returns the compared registers whose arguments differ, with both arguments.
pub(crate) fn differing_registers(sides: [&Registers; 2]) -> impl Iterator<Item = (Opcode, [u32; 2])> {
    let arguments = move |opcode| (opcode, sides.map(|registers| registers.argument(opcode)));
    Opcode::all().filter(|opcode| is_compared(*opcode)).map(arguments).filter(|(_, [a, b])| a != b)
}

/// Returns the fields that differ between two arguments of a command, by name.
pub(crate) fn differing_fields<T>(
    opcode: Opcode,
    arguments: [u32; 2],
    describe: fn([FieldValue; 2]) -> T,
) -> BTreeMap<String, T> {
    let fields = opcode.info().fields.iter();
    let differing = fields.filter(|field| {
        let [a, b] = arguments.map(|argument| field.extract(argument));
        a != b
    });
    let value = |field| describe(arguments.map(|argument| FieldValue::of(field, argument)));
    differing.map(|field| (field.name.to_owned(), value(field))).collect()
}

/// Returns the matrices with differing elements: the elements of both, and the positions that differ.
pub(crate) fn differing_matrices(
    sides: [&Registers; 2],
) -> impl Iterator<Item = (Matrix, [Vec<Float>; 2], Vec<u8>)> {
    Matrix::ALL.into_iter().filter_map(move |matrix| {
        let [a, b] = sides.map(|registers| registers.matrix(matrix));
        let differing = (0..).zip(a.iter().zip(b)).filter(|(_, (a, b))| a != b);
        let elements: Vec<u8> = differing.map(|(at, _)| at).collect();
        let floats = |elements: &[Float24]| elements.iter().map(|element| Float::from(*element)).collect();
        (!elements.is_empty()).then(|| (matrix, [a, b].map(floats), elements))
    })
}

pub(super) fn registers(
    before: &Registers,
    after: &Registers,
    writers: &Writers,
    sources: &[Source],
) -> Vec<RegisterChange> {
    let change = |(opcode, arguments): (Opcode, [u32; 2])| {
        let [before, after] = arguments;
        let [from, to] = arguments.map(|argument| argument_text(Command::new(opcode, argument)));
        RegisterChange {
            register: opcode.name().to_owned(),
            before,
            after,
            fields: differing_fields(opcode, arguments, |[before, after]| FieldChange { before, after }),
            writer: WriterInfo::new(writers.register(opcode), sources),
            text: format!("{opcode} {from} -> {to}"),
        }
    };
    differing_registers([before, after]).map(change).collect()
}

pub(super) fn matrices(
    before: &Registers,
    after: &Registers,
    writers: &Writers,
    sources: &[Source],
) -> Vec<MatrixChange> {
    let change = |(matrix, [before, after], elements): (Matrix, [Vec<Float>; 2], Vec<u8>)| {
        let all = writers.matrix(matrix);
        let writer = |at: &u8| all.get(usize::from(*at)).copied().or_never("each element has a writer");
        let writers = elements.iter().map(|at| WriterInfo::new(writer(at), sources)).collect();
        MatrixChange { matrix: matrix.into(), before, after, elements, writers }
    };
    differing_matrices([before, after]).map(change).collect()
}
