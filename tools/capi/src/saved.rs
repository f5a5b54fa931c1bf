//! Saves contexts like the hardware, and an instance's full state.

use pspge::Address;
use pspge::ge::registers::context::{CONTEXT_BYTES, restore_context, save_context};
use pspge::run::interpreter::{FlowState, SavedState};

use crate::border::{call, input, output, output_slice};
use crate::instance::Pspge;
use crate::status::{Failure, Status};

/// Words of a saved context.
pub const CONTEXT_WORDS: usize = 512;

const _: () = assert!(CONTEXT_WORDS * 4 == CONTEXT_BYTES as usize, "a context has 2048 bytes");

/// These context words hold the vertex pointer, the index pointer and the offset register.
const POINTER_WORDS: [usize; 3] = [5, 6, 7];

/// A saved state starts with these bytes: a name, and the version of its layout.
const STATE_MAGIC: [u8; 8] = *b"pspge\0\0\x01";
/// Refuses saved states with more bytes; real states have less than 20 KiB.
const STATE_MAX: usize = 1 << 16;

/// Saves the context in the layout of sceGeSaveContext: 512 words with most registers, the matrices, the vertex and index
/// pointer and the offset register. Palette memory and the rest are not part of it.
///
/// # Safety
/// `instance` is null, or an instance that was created and not destroyed. `words` is null or valid for writes of 512 words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_save_context(instance: *const Pspge, words: *mut u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let words = unsafe { output("words", words.cast::<[u32; CONTEXT_WORDS]>()) }?;
        let mut context = [0; CONTEXT_WORDS];
        let saved = save_context(state.interpreter.registers());
        for (word, bytes) in context.iter_mut().zip(saved.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let flow = state.interpreter.flow_state();
        for (word, value) in
            POINTER_WORDS.into_iter().zip([flow.vertices.get(), flow.indices.get(), flow.offset])
        {
            context[word] = value;
        }
        words.write(context);
        Ok(())
    })
}

/// Restores a context that pspge_save_context, the firmware or a recorder has saved. Registers that it does not hold are 0
/// after it; palette memory stays.
///
/// # Safety
/// `instance` is null, or an instance that was created and not destroyed. `words` is null or valid for reads of 512 words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_restore_context(instance: *const Pspge, words: *const u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let words = unsafe { input("words", words, CONTEXT_WORDS) }?;
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut registers = restore_context(&bytes);
        registers.clut_mut().copy_from_slice(state.interpreter.registers().clut());
        *state.interpreter.registers_mut() = registers;
        let [vertices, indices, offset] = POINTER_WORDS.map(|word| words[word]);
        let flow = FlowState {
            vertices: Address::new(vertices),
            indices: Address::new(indices),
            offset,
            ..state.interpreter.flow_state()
        };
        state.interpreter.set_flow_state(&flow);
        Ok(())
    })
}

/// Saves all state that lists depend on, besides memory, the eDRAM translation and the texture cache: registers, matrices,
/// palette memory, list flow, and what draws hand on to later draws. The bytes do not depend on the machine. `*size` becomes
/// their number, also if `capacity` is too small (PSPGE_STATUS_BUFFER_TOO_SMALL); nothing is written then.
///
/// # Safety
/// `instance` is null, or an instance that was created and not destroyed. `bytes` is null or valid for writes of `capacity`
/// bytes, `size` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_save_state(
    instance: *const Pspge,
    bytes: *mut u8,
    capacity: usize,
    size: *mut usize,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let size = unsafe { output("size", size) }?;
        let mut saved = STATE_MAGIC.to_vec();
        let rest = postcard::to_stdvec(&state.interpreter.save())
            .map_err(|error| Failure::UnreadableState(error.to_string()))?;
        saved.extend(rest);
        size.write(saved.len());
        // SAFETY: as the caller ensures. Bytes need not be initialised to be written.
        let bytes = unsafe { output_slice("bytes", bytes, capacity) }
            .or_else(|failure| if capacity == 0 { Ok(&mut [][..]) } else { Err(failure) })?;
        let (given, needed) = (bytes.len(), saved.len());
        let target = bytes.get_mut(..needed).ok_or(Failure::BufferTooSmall { given, needed })?;
        for (byte, saved) in target.iter_mut().zip(saved) {
            byte.write(saved);
        }
        Ok(())
    })
}

/// Restores state that pspge_save_state has saved. If the bytes are damaged, the state stays as it is
/// (PSPGE_STATUS_BAD_STATE).
///
/// # Safety
/// `instance` is null, or an instance that was created and not destroyed. `bytes` is null or valid for reads of `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_restore_state(
    instance: *const Pspge,
    bytes: *const u8,
    size: usize,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let bytes = unsafe { input("bytes", bytes, size) }?;
        let unreadable = |text: &str| Failure::UnreadableState(text.to_owned());
        if size > STATE_MAX {
            return Err(unreadable("it is larger than any saved state"));
        }
        let (magic, rest) =
            bytes.split_at_checked(STATE_MAGIC.len()).ok_or_else(|| unreadable("it is cut off"))?;
        if magic != STATE_MAGIC {
            return Err(unreadable("it is not a saved state of this version"));
        }
        let (saved, rest) = postcard::take_from_bytes::<SavedState>(rest)
            .map_err(|error| Failure::UnreadableState(error.to_string()))?;
        if !rest.is_empty() {
            return Err(unreadable("bytes follow it"));
        }
        state.interpreter.restore(&saved)?;
        Ok(())
    })
}
