//! Resets registers in the start state if they do not matter.

use super::trials::Trials;
use crate::debug::reduce::ddmin;
use crate::debug::trim::excerpt::Excerpt;
use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers, delta};

/// A part of the start state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    Register(Opcode),
    Matrix(Matrix),
    Palette,
}

/// Lists the parts with other values than after reset.
fn settings(registers: &Registers) -> Vec<Setting> {
    let written = Opcode::all()
        .filter(|opcode| delta::is_state(*opcode) && registers.argument(*opcode) != 0)
        .map(Setting::Register);
    let is_set = |matrix: &Matrix| registers.matrix(*matrix).iter().any(|element| element.to_bits() != 0);
    let matrices = Matrix::ALL.into_iter().filter(is_set).map(Setting::Matrix);
    let has_palette = registers.clut().iter().any(|byte| *byte != 0);
    written.chain(matrices).chain(has_palette.then_some(Setting::Palette)).collect()
}

/// Returns registers as after reset, except for these parts.
fn with_settings(all: &Registers, settings: &[Setting]) -> Registers {
    let mut registers = Registers::new();
    for setting in settings {
        match setting {
            Setting::Register(opcode) => registers.write(all.command(*opcode)),
            Setting::Matrix(matrix) => {
                registers.write(Command::new(matrix.number_opcode(), 0));
                for element in all.matrix(*matrix) {
                    registers.write(Command::new(matrix.data_opcode(), element.to_bits()));
                }
            }
            Setting::Palette => registers.clut_mut().copy_from_slice(all.clut()),
        }
    }
    // Uploads in the list must go on at the same elements, so the numbers stay.
    for matrix in Matrix::ALL {
        registers.write(all.command(matrix.number_opcode()));
    }
    registers
}

/// Resets all parts on which no kept pixel depends.
pub(super) fn reset(excerpt: &mut Excerpt, trials: &mut Trials<'_>) {
    let all = excerpt.registers.clone();
    let kept = ddmin::minimize(settings(&all), &mut |settings| {
        trials.holds(&Excerpt { registers: with_settings(&all, settings), ..excerpt.clone() })
    });
    excerpt.registers = with_settings(&all, &kept);
}

/// Lists registers that differ from those after reset, by command or as `matrix World` or `palette`.
pub(super) fn names(registers: &Registers) -> Vec<String> {
    let name = |setting| match setting {
        Setting::Register(opcode) => opcode.name().to_owned(),
        Setting::Matrix(matrix) => format!("matrix {matrix:?}"),
        Setting::Palette => "palette".to_owned(),
    };
    settings(registers).into_iter().map(name).collect()
}
