//! Finds the commands to turn a register state into another.

use crate::ge::command::Command;
use crate::ge::command_table::Class;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

/// Returns whether a command only writes its register: it neither acts at once nor steers the list, so only later
/// commands notice it.
pub fn is_state(opcode: Opcode) -> bool {
    match opcode.info().class {
        Class::State => true,
        Class::Immediate => opcode != Opcode::VAP,
        Class::Flow | Class::Draw | Class::Matrix | Class::Load | Class::Unused => false,
    }
}

/// Returns commands to turn the registers `from` into `to`, except for pointers, list flow and palette memory.
pub fn commands(from: &Registers, to: &Registers) -> Vec<Command> {
    let differs = |opcode: &Opcode| from.argument(*opcode) != to.argument(*opcode);
    let mut commands: Vec<Command> = Opcode::all()
        .filter(|opcode| is_state(*opcode))
        .filter(differs)
        .map(|opcode| to.command(opcode))
        .collect();
    for matrix in Matrix::ALL {
        let number = to.argument(matrix.number_opcode());
        let mut index = from.argument(matrix.number_opcode());
        let elements = from.matrix(matrix).iter().zip(to.matrix(matrix));
        for (position, (before, after)) in (0..).zip(elements) {
            if before != after {
                // Data commands count up by themselves, so a run of changes needs its number only once.
                if index != position {
                    commands.push(Command::new(matrix.number_opcode(), position));
                }
                commands.push(Command::new(matrix.data_opcode(), after.to_bits()));
                index = position.wrapping_add(1);
            }
        }
        if index != number {
            commands.push(Command::new(matrix.number_opcode(), number));
        }
    }
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_lead_to_the_state() {
        let from =
            Registers::with([(Opcode::FOGENABLE, 1), (Opcode::WORLDMATRIXNUMBER, 4), (Opcode::BASE, 9)]);
        let to = Registers::with([
            (Opcode::ALPHATEST, 7),
            (Opcode::VSCX, 3),
            (Opcode::WORLDMATRIXNUMBER, 1),
            (Opcode::WORLDMATRIXDATA, 0x3F_0000),
            (Opcode::WORLDMATRIXDATA, 0x40_0000),
            (Opcode::PRIM, 3),
            (Opcode::BONEMATRIXNUMBER, 200),
        ]);
        let mut state = from.clone();
        let commands = commands(&from, &to);
        commands.iter().for_each(|command| state.write(*command));
        assert_eq!(commands.len(), 3 + 3 + 1, "no more than needed: {commands:?}");
        for opcode in Opcode::all().filter(|opcode| is_state(*opcode)) {
            assert_eq!(state.argument(opcode), to.argument(opcode), "{opcode}");
        }
        for matrix in Matrix::ALL {
            assert_eq!(state.matrix(matrix), to.matrix(matrix), "{matrix:?}");
            let number = matrix.number_opcode();
            assert_eq!(state.argument(number), to.argument(number), "index of {matrix:?}");
        }
    }
}
