//! Copies the registers that describe a draw, to find out later whether they changed.

use super::{MATRIX_ELEMENTS, Registers};
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;

/// The first register in the state. Earlier registers control the list and start draws.
const FIRST: usize = Opcode::VTYPE.code() as usize;
const COUNT: usize = 256 - FIRST;

/// A copy of all registers and matrices that may describe a draw. This leaves out vertex and index addresses, list
/// flow and palette memory.
#[derive(Clone)]
pub struct DrawState {
    words: [u32; COUNT],
    matrices: [Float24; MATRIX_ELEMENTS],
}

impl DrawState {
    /// Copies this state from the registers.
    pub fn of(registers: &Registers) -> Self {
        Self { words: *words(registers), matrices: registers.matrices }
    }

    /// Returns whether the registers still have this state.
    pub fn is_of(&self, registers: &Registers) -> bool {
        // Do not use `==` here: it would compare element by element, with a branch for each.
        let pairs = self.matrices.iter().zip(&registers.matrices);
        self.words == *words(registers)
            && pairs.fold(0, |difference, (a, b)| difference | (a.to_bits() ^ b.to_bits())) == 0
    }
}

impl std::fmt::Debug for DrawState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DrawState").finish_non_exhaustive()
    }
}

fn words(registers: &Registers) -> &[u32; COUNT] {
    registers.words.last_chunk().unwrap_or(&[0; COUNT])
}
