//! Saves contexts like the hardware, and an instance's full state.
//!
//! # Format of saved states
//! A state starts with the bytes `pspge`, two zeros and the format number, which is 2. Sections follow: a name in
//! four bytes, the byte count as a 32-bit little-endian number, and the bytes, encoded as
//! [postcard](https://postcard.jamesmunns.com/wire-format).
//!
//! | section | contents |
//! | --- | --- |
//! | `MACH` | registers, matrices, palette memory, list flow, and what draws hand on ([`SavedState`]) |
//! | `QUEU` | the queue of `pspge_queue_call` ([`Queue`]) |
//! | `FLAG` | a byte: 0, or 1 and 2 for a list that hangs at a signal and at a patch |
//! | `EDRA` | the mode of the eDRAM address translation |
//!
//! `MACH` must be there; if another section is missing, its contents stay as after power-on. A section named in
//! lower case may be skipped by libraries that do not know it; any other unknown name is an error. Format 1, of
//! version 0.1, has no sections: the contents of `MACH` follow its number, and the rest stays as it is.
//!
//! A section's types never change. A later version that has more to save adds a section for it, and the test
//! `states_of_earlier_versions_are_restored` keeps a state of each version.

use pspge::Ending;
use pspge::ge::edram::Translation;
use pspge::ge::registers::context::CONTEXT_WORDS as WORDS;
use pspge::queue::Queue;
use pspge::run::interpreter::{FlowState, SavedState};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::border::{call, input, output, output_slice};
use crate::changes::{report_changes, with_memory};
use crate::instance::{Instance, Pspge};
use crate::loan::Pending;
use crate::status::{Failure, Status};

/// How many words a saved context has.
pub const CONTEXT_WORDS: usize = 512;

const _: () = assert!(CONTEXT_WORDS == WORDS, "a context has 2048 bytes");

/// A saved state starts with these bytes, followed by its format number.
const STATE_MAGIC: [u8; 7] = *b"pspge\0\0";
/// The format written by this version.
const FORMAT: u8 = 2;
/// Refuses saved states with more bytes, to bound the work for damaged ones; real states have less than 40 KiB.
const STATE_MAX: usize = 1 << 17;
/// Bytes before a section's contents.
const SECTION_HEADER: usize = 8;

/// Saves the context as sceGeSaveContext does: list flow, most registers and the matrices as the CPU sees them, in
/// 512 words. Words not written by the firmware stay as they are: 10 to 16 and those after END. END is word 384, or
/// 385 if the palette address points to memory, because LOADCLUT is then among the registers. Palette memory is not
/// saved.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `words` is null or valid for writes of 512 words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_save_context(instance: *const Pspge, words: *mut u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures. Words need not be initialised to be written.
        let words = unsafe { output_slice("words", words, CONTEXT_WORDS) }?;
        for (first, part) in state.interpreter.context_parts() {
            for (word, value) in words.iter_mut().skip(first).zip(part) {
                word.write(value);
            }
        }
        Ok(())
    })
}

/// Restores a context saved by pspge_save_context, the firmware or a recorder, as sceGeRestoreContext does:
/// registers missing from it stay, a LOADCLUT in it loads the palette, and the texture cache is empty afterwards.
/// The vertex pointer, the index pointer, the offset register and the last BBOX result come from the context; the
/// list's other flow stays.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `words` is null or valid for reads of 512 words. During
/// this call, nobody else uses memory given to the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_restore_context(instance: *const Pspge, words: *const u32) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let given = unsafe { input("words", words, CONTEXT_WORDS) }?;
        let mut words = [0; WORDS];
        words.copy_from_slice(given);
        report_changes(state, Pending::DrawOn, |loan, _| {
            let Instance { memory, interpreter, raster, .. } = &mut **loan;
            let FlowState { vertices, indices, offset, box_visible, .. } =
                interpreter.restore_registers(&words, memory, raster);
            let flow = interpreter.flow_state();
            interpreter.set_flow_state(&FlowState { vertices, indices, offset, box_visible, ..flow });
        })
    })
}

fn push_section(saved: &mut Vec<u8>, name: [u8; 4], contents: &impl Serialize) -> Result<(), Failure> {
    let bytes = postcard::to_stdvec(contents).map_err(|error| Failure::UnreadableState(error.to_string()))?;
    let size = u32::try_from(bytes.len()).map_err(|error| Failure::UnreadableState(error.to_string()))?;
    saved.extend(name);
    saved.extend(size.to_le_bytes());
    saved.extend(bytes);
    Ok(())
}

fn write_state(state: &Instance) -> Result<Vec<u8>, Failure> {
    let mut saved = STATE_MAGIC.to_vec();
    saved.push(FORMAT);
    let hang = match state.hang {
        Some(Ending::HungAtPatch) => 2_u8,
        Some(_) => 1,
        None => 0,
    };
    push_section(&mut saved, *b"MACH", &state.interpreter.save())?;
    push_section(&mut saved, *b"QUEU", &state.queue)?;
    push_section(&mut saved, *b"FLAG", &hang)?;
    push_section(&mut saved, *b"EDRA", &state.memory.selected_translation().mode())?;
    Ok(saved)
}

/// A saved state's contents.
#[derive(Debug)]
struct Contents {
    machine: SavedState,
    /// Everything that format 1 lacks.
    rest: Option<Rest>,
}

/// Everything that format 2 holds besides the machine.
#[derive(Debug, Default)]
struct Rest {
    queue: Queue,
    hang: Option<Ending>,
    translation: Translation,
}

fn unreadable(text: &str) -> Failure {
    Failure::UnreadableState(text.to_owned())
}

/// Decodes a section's contents.
fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Failure> {
    let (value, rest) = postcard::take_from_bytes(bytes).map_err(|error| unreadable(&error.to_string()))?;
    if rest.is_empty() { Ok(value) } else { Err(unreadable("bytes follow it")) }
}

/// Reads a state in any format so far.
fn read_state(bytes: &[u8]) -> Result<Contents, Failure> {
    if bytes.len() > STATE_MAX {
        return Err(unreadable("it is larger than any saved state"));
    }
    let after_magic =
        bytes.strip_prefix(&STATE_MAGIC).ok_or_else(|| unreadable("it is not a saved state"))?;
    match after_magic.split_first().ok_or_else(|| unreadable("it is cut off"))? {
        (1, machine) => Ok(Contents { machine: decode(machine)?, rest: None }),
        (2, sections) => read_sections(sections),
        (format, _) => Err(unreadable(&format!("it has format {format}, of a later version"))),
    }
}

fn read_sections(mut bytes: &[u8]) -> Result<Contents, Failure> {
    let mut machine = None;
    let mut rest = Rest::default();
    while !bytes.is_empty() {
        let cut_off = || unreadable("it is cut off");
        let (header, after) = bytes.split_first_chunk::<SECTION_HEADER>().ok_or_else(cut_off)?;
        let [n0, n1, n2, n3, s0, s1, s2, s3] = *header;
        let (name, size) = ([n0, n1, n2, n3], u32::from_le_bytes([s0, s1, s2, s3]) as usize);
        let (contents, next) = after.split_at_checked(size).ok_or_else(cut_off)?;
        match &name {
            b"MACH" => machine = Some(decode(contents)?),
            b"QUEU" => rest.queue = decode(contents)?,
            b"FLAG" => {
                rest.hang = match decode::<u8>(contents)? {
                    0 => None,
                    1 => Some(Ending::Hung),
                    2 => Some(Ending::HungAtPatch),
                    _ => return Err(unreadable("it hangs for an unknown reason")),
                }
            }
            b"EDRA" => {
                let mode = decode(contents)?;
                let translation = Translation::from_mode(mode);
                rest.translation = translation.ok_or_else(|| unreadable("it has no mode of eDRAM"))?;
            }
            name if name.iter().all(u8::is_ascii_lowercase) => {}
            _ => return Err(unreadable("it has a part of a later version")),
        }
        bytes = next;
    }
    let machine = machine.ok_or_else(|| unreadable("it has no registers"))?;
    Ok(Contents { machine, rest: Some(rest) })
}

/// Saves all state that lists depend on, besides memory and the texture cache: registers, matrices, palette memory,
/// list flow, leftovers that draws hand on to later draws, the queue and the eDRAM translation. Call pspge_flush and
/// save your memory, too. The bytes are the same on every machine, and later versions of this library read them.
/// This sets `*size` to their number even if `capacity` is too small (PSPGE_STATUS_BUFFER_TOO_SMALL); nothing is
/// written then.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for writes of `capacity`
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
        let saved = write_state(state)?;
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

/// Restores a state saved by pspge_save_state of this or an earlier version. This completes pending draws first. If
/// the bytes are damaged, the state stays as it is (PSPGE_STATUS_BAD_STATE).
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for reads of `size` bytes.
/// During this call, nobody else uses memory given to the instance.
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
        let Contents { machine, rest } = read_state(bytes)?;
        with_memory(state, |loan| {
            loan.flush();
            Ok(())
        })?;
        state.interpreter.restore(&machine)?;
        (state.hang, state.was_asked) = (None, false);
        if let Some(Rest { queue, hang, translation }) = rest {
            (state.queue, state.hang) = (queue, hang);
            state.memory.set_translation(translation);
        }
        Ok(())
    })
}
