//! Reads and writes registers, matrices and palette memory.

use pspge::ge::float24::Float24;
use pspge::ge::registers::{CLUT_BYTES, Matrix};
use pspge::{Command, Opcode};

use crate::border::{call, input, output, output_slice};
use crate::instance::Pspge;
use crate::status::{Failure, Status};

/// Eight bone matrices, 96 elements.
pub const MATRIX_BONE: u32 = 0;
/// Model to world, 12 elements.
pub const MATRIX_WORLD: u32 = 1;
/// World to view, 12 elements.
pub const MATRIX_VIEW: u32 = 2;
/// View to clip space, 16 elements.
pub const MATRIX_PROJECTION: u32 = 3;
/// Texture matrix, 12 elements.
pub const MATRIX_TEXTURE: u32 = 4;

/// Finds a matrix by its number.
fn matrix_of(number: u32) -> Result<Matrix, Failure> {
    let matrix = usize::try_from(number).ok().and_then(|number| Matrix::ALL.get(number));
    matrix.copied().ok_or_else(|| Failure::BadArgument(format!("{number} is not a matrix")))
}

/// Checks that a host passes all elements of a matrix.
fn check_count(matrix: Matrix, count: usize) -> Result<(), Failure> {
    if count == matrix.elements() {
        return Ok(());
    }
    Err(Failure::BadArgument(format!("the matrix has {} elements, not {count}", matrix.elements())))
}

/// Writes a command word to its register, or matrix data to its matrix, without executing the command; see
/// pspge_execute for that.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_write_register(instance: *const Pspge, word: u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        state.interpreter.registers_mut().write(Command::from_word(word));
        Ok(())
    })
}

/// Returns the last words written to all 256 registers, by opcode.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `words` is null or valid for writes of 256 words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_get_registers(instance: *const Pspge, words: *mut u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures. Integers may be written over bytes that are not initialised.
        let words = unsafe { output("words", words.cast::<[u32; 256]>()) }?;
        let mut all = [0; 256];
        for (word, opcode) in all.iter_mut().zip(Opcode::all()) {
            *word = state.interpreter.registers().command(opcode).word();
        }
        words.write(all);
        Ok(())
    })
}

/// Replaces all registers by words in opcode order. Matrices and palette memory stay, and so do the vertex pointer,
/// the index pointer and the offset register (pspge_set_flow).
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `words` is null or valid for reads of 256 words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_registers(instance: *const Pspge, words: *const u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let words = unsafe { input("words", words, 256) }?;
        for (opcode, word) in Opcode::all().zip(words) {
            if Command::from_word(*word).opcode() != opcode {
                let text = format!("word 0x{word:08x} is not one of opcode 0x{:02x}", opcode.code());
                return Err(Failure::BadArgument(text));
            }
        }
        state.interpreter.registers_mut().set_words(words);
        Ok(())
    })
}

/// Returns a matrix's elements (PSPGE_MATRIX numbers) as the CPU reads them, 24 bits each.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `elements` is null or valid for writes of `count`
/// words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_get_matrix(
    instance: *const Pspge,
    matrix: u32,
    elements: *mut u32,
    count: usize,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let matrix = matrix_of(matrix)?;
        check_count(matrix, count)?;
        // SAFETY: as the caller ensures. Words need not be initialised to be written.
        let elements = unsafe { output_slice("elements", elements, count) }?;
        for (element, value) in elements.iter_mut().zip(state.interpreter.registers().visible_matrix(matrix))
        {
            element.write(value.to_bits());
        }
        Ok(())
    })
}

/// Sets a matrix's elements, for drawing and for the CPU to read. The number register stays.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `elements` is null or valid for reads of `count` words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_matrix(
    instance: *const Pspge,
    matrix: u32,
    elements: *const u32,
    count: usize,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let matrix = matrix_of(matrix)?;
        check_count(matrix, count)?;
        // SAFETY: as the caller ensures.
        let elements = unsafe { input("elements", elements, count) }?;
        if let Some(bits) = elements.iter().find(|bits| **bits > 0xFF_FFFF) {
            return Err(Failure::BadArgument(format!("element 0x{bits:08x} has more than 24 bits")));
        }
        for (index, bits) in elements.iter().enumerate() {
            state.interpreter.registers_mut().set_matrix_element(matrix, index, Float24::from_bits(*bits));
        }
        Ok(())
    })
}

/// Returns palette memory, 1024 bytes.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for writes of 1024 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_get_palette(instance: *const Pspge, bytes: *mut u8) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let bytes = unsafe { output("bytes", bytes.cast::<[u8; CLUT_BYTES]>()) }?;
        bytes.write(*state.interpreter.registers().clut());
        Ok(())
    })
}

/// Replaces palette memory, 1024 bytes.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for reads of 1024 bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_set_palette(instance: *const Pspge, bytes: *const u8) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let bytes = unsafe { input("bytes", bytes, CLUT_BYTES) }?;
        state.interpreter.registers_mut().clut_mut().copy_from_slice(bytes);
        Ok(())
    })
}
