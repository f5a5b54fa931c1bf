//! Lists the registers and matrices in which two runs differ at an event, with their last writers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::debug::Session;
use crate::documents::events::event_state::{MatrixName, WriterInfo, argument_text, is_compared};
use crate::documents::value::FieldValue;
use crate::ge::float::Float;
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

/// A register whose value differs between two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterDifference {
    /// Name of the command that writes the register.
    pub register: String,
    /// The argument in the first run.
    pub a: u32,
    /// The argument in the second run.
    pub b: u32,
    /// The fields that differ, by name.
    pub fields: BTreeMap<String, FieldDifference>,
    /// The argument in the first run as text.
    pub a_text: String,
    /// The argument in the second run as text.
    pub b_text: String,
    /// The last writer in the first run; null if a change that the user tries has set the value.
    pub a_writer: Option<WriterInfo>,
    /// The last writer in the second run.
    pub b_writer: Option<WriterInfo>,
}

/// A field whose value differs between two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldDifference {
    /// The value in the first run.
    pub a: FieldValue,
    /// The value in the second run.
    pub b: FieldValue,
}

/// A matrix with elements that differ between two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixDifference {
    /// The matrix.
    pub matrix: MatrixName,
    /// The elements in the first run, row by row; of the bone matrices, one after the other.
    pub a: Vec<Float>,
    /// The elements in the second run.
    pub b: Vec<Float>,
    /// The positions of the elements that differ.
    pub elements: Vec<u8>,
    /// The last writer of each of them in the first run; null if a change that the user tries has set it.
    pub a_writers: Vec<Option<WriterInfo>>,
    /// The last writers in the second run.
    pub b_writers: Vec<Option<WriterInfo>>,
}

/// A run and its registers at an event.
#[derive(Debug)]
pub(super) struct RegisterSide<'a> {
    /// The registers for the event, after applying the changes to try.
    pub(super) used: &'a Registers,
    /// The run before the event.
    pub(super) run: &'a Session,
}

impl RegisterSide<'_> {
    fn writer(&self, opcode: Opcode) -> Option<WriterInfo> {
        let is_own = self.used.argument(opcode) == self.run.registers().argument(opcode);
        is_own.then(|| WriterInfo::new(self.run.writers().register(opcode), self.run.sources()))
    }

    fn matrix_writer(&self, matrix: Matrix, element: usize) -> Option<WriterInfo> {
        let [used, own] =
            [self.used, self.run.registers()].map(|registers| registers.matrix(matrix).get(element));
        let writer = self.run.writers().matrix(matrix).get(element)?;
        (used == own).then(|| WriterInfo::new(*writer, self.run.sources()))
    }
}

/// Returns the registers with different arguments.
pub(super) fn registers([a, b]: &[RegisterSide<'_>; 2]) -> Vec<RegisterDifference> {
    let arguments = |opcode| [a, b].map(|side| side.used.argument(opcode));
    let difference = |opcode: Opcode| {
        let [of_a, of_b] = arguments(opcode);
        let differing =
            opcode.info().fields.iter().filter(|field| field.extract(of_a) != field.extract(of_b));
        let fields = differing.map(|field| {
            let [a, b] = [of_a, of_b].map(|argument| FieldValue::of(field, argument));
            (field.name.to_owned(), FieldDifference { a, b })
        });
        let [a_text, b_text] = [a, b].map(|side| argument_text(side.used.command(opcode)));
        RegisterDifference {
            register: opcode.name().to_owned(),
            a: of_a,
            b: of_b,
            fields: fields.collect(),
            a_text,
            b_text,
            a_writer: a.writer(opcode),
            b_writer: b.writer(opcode),
        }
    };
    let differs = |opcode: &Opcode| {
        let [a, b] = arguments(*opcode);
        a != b
    };
    Opcode::all().filter(|opcode| is_compared(*opcode)).filter(differs).map(difference).collect()
}

/// Returns the matrices with different elements.
pub(super) fn matrices([a, b]: &[RegisterSide<'_>; 2]) -> Vec<MatrixDifference> {
    let difference = |matrix: Matrix| {
        let [of_a, of_b] = [a, b].map(|side| side.used.matrix(matrix));
        let floats = |elements: &[Float24]| elements.iter().map(|element| Float::from(*element)).collect();
        let pairs = of_a.iter().zip(of_b).enumerate();
        let differing: Vec<usize> = pairs.filter(|(_, (a, b))| a != b).map(|(at, _)| at).collect();
        let writers =
            |side: &RegisterSide<'_>| differing.iter().map(|at| side.matrix_writer(matrix, *at)).collect();
        let difference = MatrixDifference {
            matrix: matrix.into(),
            a: floats(of_a),
            b: floats(of_b),
            elements: differing.iter().filter_map(|at| u8::try_from(*at).ok()).collect(),
            a_writers: writers(a),
            b_writers: writers(b),
        };
        (!differing.is_empty()).then_some(difference)
    };
    Matrix::ALL.into_iter().filter_map(difference).collect()
}
