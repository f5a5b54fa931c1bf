//! Rules on single commands: unknown ones, their arguments, and writes without effect.

use crate::asm::text::{describe, field_value};
use crate::check::finding::Place;
use crate::check::findings::Findings;
use crate::check::rule::Rule;
use crate::ge::command::Command;
use crate::ge::command_table::Class;
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;
use crate::ge::registers::field::FieldKind;
use crate::ge::registers::{Matrix, Registers};

pub(crate) fn check_argument(command: Command, place: &Place, findings: &mut Findings) {
    let (opcode, argument) = (command.opcode(), command.argument());
    let (info, code) = (opcode.info(), u32::from(opcode.code()));
    if info.class == Class::Unused {
        if argument != 0 {
            let message =
                || format!("the command 0x{code:02x} has no known effect, but the argument 0x{argument:06x}");
            findings.add(Rule::UnknownCommand, [code, 0], place, message);
        }
        return;
    }
    let unnamed = argument & info.unnamed_bits();
    // NOP ignores its argument on purpose, because programs leave marks there.
    if unnamed != 0 && !matches!(opcode, Opcode::NOP | Opcode::NOP_FF) {
        let message = || format!("no field of {} has the bits 0x{unnamed:06x}", describe(command));
        findings.add(Rule::UnnamedBits, [code, 0], place, message);
    }
    for field in info.fields {
        let bits = field.extract(argument);
        match field.kind {
            // The firmware carries out signals, so unknown signals have a rule for themselves.
            FieldKind::Named(names)
                if opcode != Opcode::SIGNAL && names.get(bits as usize).copied().flatten().is_none() =>
            {
                let message = || {
                    let (name, text) = (field.name, describe(command));
                    format!(
                        "the value {} of the field {name} has no known effect ({text})",
                        field_value(field, argument)
                    )
                };
                findings.add(Rule::UnknownCode, [code, bits], place, message);
            }
            FieldKind::Float if !Float24::from_bits(bits).to_f32().is_finite() => {
                let message = || format!("{} is not finite", describe(command));
                findings.add(Rule::FloatNotFinite, [code, 0], place, message);
            }
            _ => {}
        }
    }
}

/// Checks whether an element that a command writes is in its matrix.
pub(crate) fn check_matrix(command: Command, registers: &Registers, place: &Place, findings: &mut Findings) {
    let opcode = command.opcode();
    let Some(matrix) = Matrix::of_data_opcode(opcode) else { return };
    let (number, count) = (matrix.number_opcode(), matrix.elements());
    let index = registers.argument(number);
    if index as usize >= count {
        let message = || {
            let (data, number) = (opcode.info().name, number.info().name);
            format!(
                "{data} writes element {index} of {count}: {number} is missing before it, or there are too many data"
            )
        };
        findings.add(Rule::MatrixOverflow, [u32::from(opcode.code()), 0], place, message);
    }
}

/// Counts writes that repeat a register's value, and writes whose value is never used.
#[derive(Clone, Debug)]
pub(crate) struct WriteCounts {
    /// For each register, the number of uses before its last write, plus 1; 0 before the first write.
    written_at: [u64; 256],
    /// How many commands have used registers so far.
    uses: u64,
    /// How many writes of state there were.
    writes: u64,
    repeated: u64,
    first_repeated: Option<(Place, Command)>,
    overwritten: u64,
    first_overwritten: Option<(Place, Command, Command)>,
}

impl Default for WriteCounts {
    fn default() -> Self {
        Self {
            written_at: [0; 256],
            uses: 0,
            writes: 0,
            repeated: 0,
            first_repeated: None,
            overwritten: 0,
            first_overwritten: None,
        }
    }
}

impl WriteCounts {
    /// Counts a command before it runs.
    pub(crate) fn count(&mut self, command: Command, registers: &Registers, place: &Place) {
        let opcode = command.opcode();
        let uses_state = matches!(opcode, Opcode::LOADCLUT | Opcode::TRANSFERSTART | Opcode::VAP);
        match opcode.info().class {
            Class::Draw => self.uses = self.uses.saturating_add(1),
            _ if uses_state => self.uses = self.uses.saturating_add(1),
            Class::State => self.count_write(command, registers.command(opcode), place),
            _ => {}
        }
    }

    fn count_write(&mut self, command: Command, before: Command, place: &Place) {
        let now = self.uses.saturating_add(1);
        let Some(written_at) = self.written_at.get_mut(usize::from(command.opcode().code())) else { return };
        self.writes = self.writes.saturating_add(1);
        let was_written_at = std::mem::replace(written_at, now);
        if was_written_at == 0 {
            // The author cannot know the state before the list, so repeating it is no mistake.
            return;
        }
        if before == command {
            self.repeated = self.repeated.saturating_add(1);
            self.first_repeated.get_or_insert_with(|| (place.clone(), command));
        } else if was_written_at == now {
            self.overwritten = self.overwritten.saturating_add(1);
            self.first_overwritten.get_or_insert_with(|| (place.clone(), before, command));
        }
    }

    /// Forgets all writes, because the CPU has replaced the registers.
    pub(crate) const fn forget(&mut self) {
        self.written_at = [0; 256];
    }

    /// Reports how often values were repeated, and how often they were never used.
    pub(crate) fn report(&self, findings: &mut Findings) {
        if let Some((place, command)) = &self.first_repeated {
            let (count, all) = (self.repeated, self.writes);
            let first = describe(*command);
            let message =
                format!("{count} of {all} writes of state repeat the value of the register, first {first}");
            findings.add_counted(Rule::RepeatedWrite, place, count, message);
        }
        if let Some((place, before, after)) = &self.first_overwritten {
            let (count, all) = (self.overwritten, self.writes);
            let [before, after] = [before, after].map(|command| describe(*command));
            let message = format!(
                "{count} of {all} writes of state replace a value that was not used, first {before} by {after}"
            );
            findings.add_counted(Rule::OverwrittenWrite, place, count, message);
        }
    }
}
