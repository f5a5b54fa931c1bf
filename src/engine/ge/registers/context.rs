//! The saved context: all registers and matrices in 2048 bytes, as written by firmware and recorders.
//!
//! # Invariants
//! Saving and restoring preserves all saved registers, but not palette memory. Contexts from old recorders are read,
//! too, and firmware contexts with a LOADCLUT, which is not executed here. [`save_context`] saves the matrices for
//! drawing, as recorders do; `firmware_words` saves the CPU's copies. Source: [saved
//! context](crate::reference::ge::lists#saved-context) (hardware test `gpu/ge/context`).

use super::{Matrix, Registers};
use crate::ge::command::Command;
use crate::ge::float24::Float24;
use crate::ge::opcode::Opcode;

/// How many bytes a saved context has.
pub const CONTEXT_BYTES: u32 = 2048;
/// How many words a saved context has.
pub const CONTEXT_WORDS: usize = CONTEXT_BYTES as usize / 4;
/// Which word holds the first register. The words before hold list pointers.
pub(crate) const FIRST: usize = 17;
/// How many registers are saved.
const REGISTER_WORDS: usize = 209;
/// Which word holds END in current contexts. The word is later by 1 if the firmware adds a LOADCLUT after the
/// registers, because a palette can be loaded.
const END: usize = 384;

/// Returns whether a context comes from the firmware or from current recorders, which write an END. Old recorders
/// use another layout for matrices.
#[must_use]
pub fn is_current(bytes: &[u8]) -> bool {
    let end = Some(Command::new(Opcode::END, 0));
    command(bytes, END) == end || command(bytes, END + 1) == end && has_palette_load(bytes)
}

fn has_palette_load(bytes: &[u8]) -> bool {
    command(bytes, FIRST + REGISTER_WORDS).is_some_and(|word| word.opcode() == Opcode::LOADCLUT)
}

/// Returns the LOADCLUT to execute after restoring a firmware context, or `None` if it has none. In contexts from
/// old recorders, LOADCLUT is never executed.
pub(crate) fn palette_load(bytes: &[u8]) -> Option<Command> {
    command(bytes, FIRST + REGISTER_WORDS).filter(|_| has_palette_load(bytes) && is_current(bytes))
}

fn command(bytes: &[u8], number: usize) -> Option<Command> {
    let word = bytes.chunks_exact(4).nth(number)?.first_chunk()?;
    Some(Command::from_word(u32::from_le_bytes(*word)))
}

/// Restores registers from a saved context, starting from reset. Missing bytes count as 0. A context does not
/// include palette memory.
#[must_use]
pub fn restore_context(bytes: &[u8]) -> Registers {
    let mut registers = Registers::new();
    restore_into(&mut registers, bytes);
    registers
}

/// Works as [`restore_context`], but keeps palette memory and all registers that a context does not hold.
pub(crate) fn restore_into(registers: &mut Registers, bytes: &[u8]) {
    let word = |word: &[u8]| word.first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
    let mut words = bytes.chunks_exact(4).skip(FIRST).map(word);
    for opcode in saved_registers() {
        write(registers, opcode, words.next());
    }
    if is_current(bytes) {
        restore_matrices(registers, words.skip(usize::from(has_palette_load(bytes))));
    } else {
        restore_raw_matrices(registers, words);
    }
}

/// Restores the matrices from a current context: command words for numbers and elements, then the numbers.
fn restore_matrices(registers: &mut Registers, mut words: impl Iterator<Item = u32>) {
    for matrix in Matrix::ALL {
        write(registers, matrix.number_opcode(), words.next());
        for _ in 0..matrix.elements() {
            write(registers, matrix.data_opcode(), words.next());
        }
    }
    for matrix in Matrix::ALL {
        write(registers, matrix.number_opcode(), words.next());
    }
}

/// Restores the matrices from an old context, which has no END word: a palette word, which is not executed, the
/// numbers, and the elements as floats. Recorders omitted the palette word if the palette had no valid address.
fn restore_raw_matrices(registers: &mut Registers, words: impl Iterator<Item = u32>) {
    let mut words = words.peekable();
    words.next_if(|word| Command::from_word(*word).opcode() == Opcode::LOADCLUT);
    let numbers = Matrix::ALL.map(|matrix| (matrix.number_opcode(), words.next()));
    for matrix in Matrix::ALL {
        // Start at element 0, because the saved numbers are for later and come last.
        write(registers, matrix.number_opcode(), Some(0));
        for _ in 0..matrix.elements() {
            write(registers, matrix.data_opcode(), words.next().map(|float| float >> 8));
        }
    }
    for (opcode, number) in numbers {
        write(registers, opcode, number);
    }
}

/// Writes a saved word's argument to a register. A missing word counts as 0.
fn write(registers: &mut Registers, opcode: Opcode, word: Option<u32>) {
    registers.write(Command::new(opcode, Command::from_word(word.unwrap_or(0)).argument()));
}

/// Saves registers as a context, with 0 for the list pointers.
#[must_use]
pub fn save_context(registers: &Registers) -> Vec<u8> {
    let mut words = vec![0; FIRST];
    words.extend(saved_registers().map(|opcode| registers.command(opcode).word()));
    push_matrices(&mut words, registers, Registers::matrix);
    words.resize(CONTEXT_BYTES as usize / 4, 0);
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Returns the words from [`FIRST`] to END as the firmware writes them: with the CPU's matrix copies, and with a
/// LOADCLUT if the palette `is_loadable`.
pub(crate) fn firmware_words(registers: &Registers, is_loadable: bool) -> Vec<u32> {
    let mut words: Vec<u32> = saved_registers().map(|opcode| registers.command(opcode).word()).collect();
    words.extend(is_loadable.then(|| registers.command(Opcode::LOADCLUT).word()));
    push_matrices(&mut words, registers, Registers::visible_matrix);
    words
}

/// Appends matrices, their numbers and END, taking each matrix from `elements`.
fn push_matrices(
    words: &mut Vec<u32>,
    registers: &Registers,
    elements: fn(&Registers, Matrix) -> &[Float24],
) {
    for matrix in Matrix::ALL {
        words.push(Command::new(matrix.number_opcode(), 0).word());
        let elements = elements(registers, matrix).iter();
        words.extend(elements.map(|element| Command::new(matrix.data_opcode(), element.to_bits()).word()));
    }
    for matrix in Matrix::ALL {
        let mask = if matrix == Matrix::Bone { 0x7F } else { 0xF };
        let number = matrix.number_opcode();
        words.push(Command::new(number, registers.argument(number) & mask).word());
    }
    words.push(Command::new(Opcode::END, 0).word());
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

    /// An old context restores the same registers as a current context, with and without a palette word.
    #[test]
    fn restores_old_contexts() {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::ALPHATEST, 7));
        for (matrix, first) in
            Matrix::ALL.into_iter().zip([0x3F_0000, 0x40_0000, 0x41_0000, 0x42_0000, 0x43_0000])
        {
            registers.write(Command::new(matrix.number_opcode(), 0));
            for number in 0..u32::try_from(matrix.elements()).expect("few") {
                registers.write(Command::new(matrix.data_opcode(), first + number));
            }
            registers.write(Command::new(matrix.number_opcode(), 5));
        }
        let current = save_context(&registers);
        let restored = restore_context(&current);
        for palette in [Some(Command::new(Opcode::LOADCLUT, 0x20).word()), None] {
            let mut words: Vec<u32> = current[..(17 + 209) * 4]
                .chunks_exact(4)
                .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
                .collect();
            words.extend(palette);
            words.extend(Matrix::ALL.map(|matrix| Command::new(matrix.number_opcode(), 5).word()));
            let elements = Matrix::ALL.into_iter().flat_map(|matrix| registers.matrix(matrix).to_vec());
            words.extend(elements.map(|element| element.to_bits() << 8));
            assert_eq!(
                words.len() - usize::from(palette.is_some()),
                17 + 209 + 5 + 148,
                "words of an old context"
            );
            words.resize(512, 0);
            let old: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(restore_context(&old), restored, "palette word {palette:x?}");
        }
    }

    /// The firmware adds a LOADCLUT, which moves the matrices by a word.
    #[test]
    fn restores_contexts_with_a_palette_load() {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::WORLDMATRIXNUMBER, 3));
        registers.write(Command::new(Opcode::WORLDMATRIXDATA, 0x3F_8000));
        let saved = save_context(&registers);
        let (before, after) = saved.split_at((FIRST + REGISTER_WORDS) * 4);
        let load = Command::new(Opcode::LOADCLUT, 2).word().to_le_bytes();
        let with_load: Vec<u8> = [before, &load, after].concat();
        let restored = restore_context(&with_load[..2048]);
        assert_eq!(save_context(&restored), saved, "the same registers and matrices");
    }

    #[test]
    fn missing_bytes_of_context_are_zero() {
        assert_eq!(restore_context(&[]), restore_context(&[0; 2048]), "empty context");
    }
}
