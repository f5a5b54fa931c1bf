//! Answers questions as JSON, in the same documents as the command pspge prints.

use std::ffi::c_char;

use pspge::debug::Shot;
use pspge::debug::pixel::target::TargetName;
use pspge::documents::PixelDocument;
use pspge::documents::hashes::ContentHashes;
use pspge::documents::note::NoteInfo;
use pspge::documents::state::State;
use pspge::ge::overrides::Overrides;
use pspge::ge::registers::texture::PixelFormat;
use pspge::{Address, Capture, Limits, RasterOptions};
use serde::Serialize;

use crate::border::{call, give_text, input};
use crate::changes::with_memory;
use crate::instance::Pspge;
use crate::status::{Failure, Status};
use crate::target::Target;

/// Notes on the last call, as in the command's documents.
#[derive(Debug, Serialize)]
struct Notes {
    notes: Vec<NoteInfo>,
    /// How many notes were dropped.
    dropped: u64,
}

/// Finds the buffer that a structure names.
fn target_name(target: &Target) -> Result<TargetName, Failure> {
    let Target { address, stride, format } = *target;
    let number = u8::try_from(format).ok().filter(|number| *number < 4);
    let number = number.ok_or_else(|| Failure::BadArgument(format!("{format} is not a format of pixels")))?;
    let shape = (stride > 0).then_some((stride, PixelFormat::from_number(number)));
    Ok(TargetName { address: Address::new(address), shape })
}

/// Returns the state for the next draw, by topic: the member `state` of the document `pspge.state`. Free the text by
/// pspge_free_string.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `json` is null or valid for writes. During this call,
/// nobody else uses memory given to the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_state_json(instance: *const Pspge, json: *mut *mut c_char) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let text = with_memory(state, |loan| {
            loan.flush();
            let hashes = &mut ContentHashes::new(&Limits::default());
            Ok(serde_json::to_string(&State::of(&loan.memory, loan.interpreter.registers(), hashes))?)
        })?;
        // SAFETY: as the caller ensures.
        unsafe { give_text("json", json, text) }
    })
}

/// Returns notes on the last call that executed commands: missing memory, ignored commands and the like. Free the
/// text by pspge_free_string.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `json` is null or valid for writes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_notes_json(instance: *const Pspge, json: *mut *mut c_char) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let notes = state.notes.iter().map(NoteInfo::of_run).collect();
        let text = serde_json::to_string(&Notes { notes, dropped: state.notes_dropped })?;
        // SAFETY: as the caller ensures.
        unsafe { give_text("json", json, text) }
    })
}

/// Explains a pixel's colour: runs the list at `address` on a copy of memory and registers, and returns everything
/// that touched this pixel, in order, as the document `pspge.pixel`. `target` is the colour buffer to look at; null
/// takes the last draw's. The instance does not change. The vertex pointer, the index pointer and unfinished
/// primitives left by earlier lists do not count. The command's limits bound this run. Free the text by
/// pspge_free_string.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `target` is null or valid for reads, `json` is null or
/// valid for writes. During this call, nobody else uses memory given to the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_pixel_json(
    instance: *const Pspge,
    address: u32,
    x: u32,
    y: u32,
    target: *const Target,
    json: *mut *mut c_char,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        let target = if target.is_null() {
            None
        } else {
            // SAFETY: as the caller ensures.
            unsafe { input("target", target, 1) }?.first().map(target_name).transpose()?
        };
        let capture = with_memory(state, |loan| {
            loan.flush();
            Ok(Capture {
                memory: loan.memory.clone(),
                registers: loan.interpreter.registers().clone(),
                start: Address::new(address),
                stall: None,
                sources: Vec::new(),
                events: Vec::new(),
                overrides: Overrides::default(),
            })
        })?;
        let raster = RasterOptions { arithmetic: state.options.arithmetic, ..RasterOptions::default() };
        let history = Shot::new(capture).with_raster(raster).history(target, [x, y])?;
        let text = serde_json::to_string(&PixelDocument::new("memory", &history, &[]))?;
        // SAFETY: as the caller ensures.
        unsafe { give_text("json", json, text) }
    })
}
