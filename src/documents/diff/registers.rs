//! Lists the registers and matrices in which two runs differ at an event, with their last writers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::debug::Session;
use crate::documents::events::event_state::{
    MatrixName, WriterInfo, argument_text, differing_fields, differing_matrices, differing_registers,
};
use crate::documents::value::FieldValue;
use crate::ge::command::Command;
use crate::ge::float::Float;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

/// A register whose value differs between two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterDifference {
    /// The command to write this register, by name.
    pub register: String,
    /// Its argument in the first run.
    pub a: u32,
    /// Its argument in the second run.
    pub b: u32,
    /// The fields that differ, by name.
    pub fields: BTreeMap<String, FieldDifference>,
    /// The first run's argument as text.
    pub a_text: String,
    /// The second run's argument as text.
    pub b_text: String,
    /// The last command to write it in the first run; null if its value comes from a change that the user tries.
    pub a_writer: Option<WriterInfo>,
    /// The last command to write it in the second run; null as for the first.
    pub b_writer: Option<WriterInfo>,
}

/// A field whose value differs between two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FieldDifference {
    /// Its value in the first run.
    pub a: FieldValue,
    /// Its value in the second run.
    pub b: FieldValue,
}

/// A matrix whose elements differ between two runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatrixDifference {
    /// Which matrix this is.
    pub matrix: MatrixName,
    /// Its elements in the first run, row by row; for bones, all matrices in turn.
    pub a: Vec<Float>,
    /// Its elements in the second run.
    pub b: Vec<Float>,
    /// Which elements differ, by their position.
    pub elements: Vec<u8>,
    /// For each of these elements, the last command to write it in the first run; null if a change that the user
    /// tries has set it.
    pub a_writers: Vec<Option<WriterInfo>>,
    /// The same in the second run.
    pub b_writers: Vec<Option<WriterInfo>>,
}

/// A run and its registers at an event.
#[derive(Debug)]
pub(super) struct RegisterSide<'a> {
    /// The event's registers, after applying the changes to try.
    pub(super) used: &'a Registers,
    /// The run, just before this event.
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

pub(super) fn registers([a, b]: &[RegisterSide<'_>; 2]) -> Vec<RegisterDifference> {
    let difference = |(opcode, arguments): (Opcode, [u32; 2])| {
        let [of_a, of_b] = arguments;
        let [a_text, b_text] = arguments.map(|argument| argument_text(Command::new(opcode, argument)));
        RegisterDifference {
            register: opcode.name().to_owned(),
            a: of_a,
            b: of_b,
            fields: differing_fields(opcode, arguments, |[a, b]| FieldDifference { a, b }),
            a_text,
            b_text,
            a_writer: a.writer(opcode),
            b_writer: b.writer(opcode),
        }
    };
    differing_registers([a.used, b.used]).map(difference).collect()
}

pub(super) fn matrices([a, b]: &[RegisterSide<'_>; 2]) -> Vec<MatrixDifference> {
    let difference = |(matrix, [of_a, of_b], elements): (Matrix, [Vec<Float>; 2], Vec<u8>)| {
        let writers = |side: &RegisterSide<'_>| {
            elements.iter().map(|at| side.matrix_writer(matrix, usize::from(*at))).collect()
        };
        let (a_writers, b_writers) = (writers(a), writers(b));
        MatrixDifference { matrix: matrix.into(), a: of_a, b: of_b, elements, a_writers, b_writers }
    };
    differing_matrices([a.used, b.used]).map(difference).collect()
}
