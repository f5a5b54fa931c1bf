//! The saved context: all registers and matrices in 2048 bytes, as written by firmware and recorders.
//!
//! # Invariants
//! Saving and restoring preserves all registers, but not palette memory. Source: [saved
//! context](crate::reference::ge::lists#saved-context) (hardware test `gpu/ge/context`).

use crate::ge::command::Command;
use crate::ge::opcode::Opcode;
use crate::ge::registers::{Matrix, Registers};

/// Size of a saved context in bytes.
pub const CONTEXT_BYTES: u32 = 2048;
/// Number of the word of the first register.
const FIRST: usize = 17;

/// Restores the registers from a saved context. Missing bytes count as 0. Palette memory is not included.
#[must_use]
pub fn restore_context(bytes: &[u8]) -> Registers {
    let mut registers = Registers::new();
    let mut words = bytes.chunks_exact(4).skip(FIRST).map(|word| {
        let word = word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        Command::from_word(word).argument()
    });
    for opcode in saved_registers() {
        registers.write(Command::new(opcode, words.next().unwrap_or(0)));
    }
    for matrix in Matrix::ALL {
        registers.write(Command::new(matrix.number_opcode(), words.next().unwrap_or(0)));
        for _ in 0..matrix.elements() {
            registers.write(Command::new(matrix.data_opcode(), words.next().unwrap_or(0)));
        }
    }
    for matrix in Matrix::ALL {
        registers.write(Command::new(matrix.number_opcode(), words.next().unwrap_or(0)));
    }
    registers
}

/// Saves the registers as a context, with list pointers of 0.
#[must_use]
pub fn save_context(registers: &Registers) -> Vec<u8> {
    let mut words = vec![0; FIRST];
    words.extend(saved_registers().map(|opcode| registers.command(opcode).word()));
    for matrix in Matrix::ALL {
        words.push(Command::new(matrix.number_opcode(), 0).word());
        let elements = registers.matrix(matrix).iter();
        words.extend(elements.map(|element| Command::new(matrix.data_opcode(), element.to_bits()).word()));
    }
    for matrix in Matrix::ALL {
        let mask = if matrix == Matrix::Bone { 0x7F } else { 0xF };
        let number = matrix.number_opcode();
        words.push(Command::new(number, registers.argument(number) & mask).word());
    }
    words.push(Command::new(Opcode::END, 0).word());
    words.resize(CONTEXT_BYTES as usize / 4, 0);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn saved_registers() -> impl Iterator<Item = Opcode> {
    Opcode::all().filter(|opcode| opcode.is_context_saved())
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "tests may panic")]
mod tests {
    use super::*;

    #[test]
    fn saves_words_at_documented_positions() {
        let mut registers = Registers::new();
        for (opcode, argument) in [
            (Opcode::VTYPE, 0x80_0001),
            (Opcode::WORLDMATRIXNUMBER, 3),
            (Opcode::WORLDMATRIXDATA, 0x3F_8000),
            (Opcode::ALPHATEST, 7),
        ] {
            registers.write(Command::new(opcode, argument));
        }
        let bytes = save_context(&registers);
        let words: Vec<u32> = bytes
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
            .collect();
        assert_eq!(words.len(), 512, "2048 bytes");
        assert_eq!(words[17 + 4], 0x1280_0001, "NOP, VADDR, IADDR, BASE, VTYPE");
        assert_eq!(words[226], 0x2A00_0000, "bones after 209 registers");
        assert_eq!(words[226 + 97 + 1 + 3], 0x3B3F_8000, "world element 3");
        assert_eq!(
            words[379..385],
            [0x2A00_0000, 0x3A00_0004, 0x3C00_0000, 0x3E00_0000, 0x4000_0000, 0x0C00_0000],
            "the end"
        );
        let restored = restore_context(&bytes);
        assert_eq!(restored.argument(Opcode::ALPHATEST), 7, "a register");
        assert_eq!(save_context(&restored), bytes, "round trip");
        assert_eq!(restored.matrix(Matrix::World), registers.matrix(Matrix::World), "a matrix");
    }

    #[test]
    fn missing_bytes_of_context_are_zero() {
        assert_eq!(restore_context(&[]), restore_context(&[0; 2048]), "empty context");
    }
}
