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
