//! Remembers each register's last writer: a command in the list, or an action by the CPU.

use std::fmt;

use crate::ge::address::Address;
use crate::ge::capture::Action;
use crate::ge::command::Command;
use crate::ge::never::OrNever;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{MATRIX_ELEMENTS, Matrix};
use crate::run::sink::Step;
use crate::run::watch::{RunEvent, RunEventKind};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Writer {
    /// The capture's start state.
    #[default]
    Start,
    /// A command in the list.
    Command {
        /// The command's number in the run, from 0.
        number: u64,
        /// Its word's address.
        at: Address,
    },
    /// An action by the CPU: its position in [`Capture::events`](crate::ge::capture::Capture::events).
    Record(u32),
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => f.write_str("start"),
            Self::Command { number, at } => write!(f, "command {number} at {at}"),
            Self::Record(record) => write!(f, "CPU record {record}"),
        }
    }
}

/// The last writers for all registers, all matrix elements, and palette memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writers {
    registers: [Writer; 256],
    /// By matrix, ordered like [`Matrix::ALL`].
    elements: [Writer; MATRIX_ELEMENTS],
    palette: Writer,
    /// The command before, if it may restore BASE, with BASE's word before it. Only the next step shows whether it
    /// did.
    restores_base: Option<(Writer, Command)>,
}

impl Default for Writers {
    fn default() -> Self {
        Self {
            registers: [Writer::Start; 256],
            elements: [Writer::Start; MATRIX_ELEMENTS],
            palette: Writer::Start,
            restores_base: None,
        }
    }
}

impl Writers {
    /// Returns a register's last writer.
    #[must_use]
    pub fn register(&self, opcode: Opcode) -> Writer {
        self.registers.get(usize::from(opcode.code())).copied().or_never("each register has a writer")
    }

    /// Returns the last writers for a matrix's elements.
    #[must_use]
    pub fn matrix(&self, matrix: Matrix) -> &[Writer] {
        self.elements.get(matrix.range()).or_never("each element has a writer")
    }

    /// Returns the last writer for palette memory.
    #[must_use]
    pub const fn palette(&self) -> Writer {
        self.palette
    }

    /// Notes a command's writes. Call this for each command, before it is executed.
    pub(super) fn command(&mut self, step: &Step<'_>) {
        let writer = Writer::Command { number: step.number, at: step.at };
        let base = step.registers.command(Opcode::BASE);
        if let Some((restorer, before)) = self.restores_base.take()
            && before != base
        {
            self.set_register(Opcode::BASE, restorer);
        }
        let opcode = step.command.opcode();
        self.set_register(opcode, writer);
        match opcode {
            // A return from a call by signal restores BASE.
            Opcode::RET | Opcode::END => self.restores_base = Some((writer, base)),
            Opcode::LOADCLUT if step.command.argument() & 0x3F != 0 => self.palette = writer,
            _ => {}
        }
        if let Some(matrix) = Matrix::of_data_opcode(opcode) {
            // Writing an element also advances the index, so this has a new writer too.
            let index = step.registers.argument(matrix.number_opcode()) as usize;
            self.set_register(matrix.number_opcode(), writer);
            let element = self.elements.get_mut(matrix.start().saturating_add(index));
            if let Some(element) = element.filter(|_| index < matrix.elements()) {
                *element = writer;
            }
        }
    }

    /// Notes an event's writes. Call this for each event, before it takes place.
    pub(super) fn event(&mut self, event: &RunEvent<'_>) {
        let RunEventKind::Cpu { record, event } = event.kind else { return };
        let writer = Writer::Record(record);
        match event.action {
            Action::Restore(_) => {
                *self = Self {
                    registers: [writer; 256],
                    elements: [writer; MATRIX_ELEMENTS],
                    palette: writer,
                    restores_base: None,
                };
            }
            Action::LoadPalette { .. } => self.palette = writer,
            _ => {}
        }
    }

    fn set_register(&mut self, opcode: Opcode, writer: Writer) {
        if let Some(register) = self.registers.get_mut(usize::from(opcode.code())) {
            *register = writer;
        }
    }
}
