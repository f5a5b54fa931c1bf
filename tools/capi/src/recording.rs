//! Records an instance's draws as a frame dump that replays alone.

use pspge::Address;
use pspge::ge::capture::Display;
use pspge::ge::registers::texture::PixelFormat;
use pspge::recording::RecordingOptions;

pub(crate) use pspge::recording::HostRecorder;

use crate::border::{HostStruct, call, give, input, output, output_buffer, sized_or_default};
use crate::changes::with_memory;
use crate::instance::{Instance, Pspge};
use crate::status::{Failure, Status};
use crate::target::Target;

/// How to record. Set all bytes to 0, then `struct_size`, then the members that matter.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct RecordOptions {
    /// sizeof(pspge_record_options).
    pub struct_size: usize,
    /// How many frames to record, as pspge_record_frame counts them; 0 records until pspge_record_end.
    pub frames: u32,
    /// How many bytes of data the recording may have, to bound its memory if nobody ends it; 0 for 64 MiB, the most
    /// that a dump can have.
    pub max_bytes: u32,
    /// The program's id, such as "ULUS10336": nine characters, the others 0. All 0 for none.
    pub game_id: [u8; 16],
}

// SAFETY: integers, for which any bytes are valid values.
unsafe impl HostStruct for RecordOptions {
    const NAME: &'static str = "pspge_record_options";
}

impl RecordOptions {
    fn options(&self) -> Result<RecordingOptions, Failure> {
        let defaults = RecordingOptions::default();
        let (id, rest) = self.game_id.split_first_chunk::<9>().unwrap_or((&defaults.game_id, &[]));
        if rest.iter().any(|byte| *byte != 0) || !id.iter().all(|byte| *byte == 0 || byte.is_ascii_graphic())
        {
            return Err(Failure::BadArgument("game_id is not nine characters and zeros".to_owned()));
        }
        Ok(RecordingOptions {
            frames: self.frames,
            max_bytes: if self.max_bytes == 0 { defaults.max_bytes } else { self.max_bytes },
            game_id: if *id == [0; 9] { defaults.game_id } else { *id },
        })
    }
}

/// A finished recording's file.
#[derive(Debug)]
pub(crate) struct RecordedFile {
    bytes: Vec<u8>,
    /// Whether a replay draws the same as the instance did.
    is_exact: bool,
}

/// An instance's recording.
#[derive(Debug, Default)]
pub(crate) enum Recording {
    #[default]
    None,
    /// A recording is under way.
    Running(Box<HostRecorder>),
    /// It has ended, and the host has not fetched the dump yet.
    Finished(RecordedFile),
}

impl Recording {
    /// Returns the recorder, if a recording is under way.
    pub(crate) fn running(&mut self) -> Option<&mut HostRecorder> {
        match self {
            Self::Running(recorder) => Some(recorder),
            Self::None | Self::Finished(_) => None,
        }
    }
}

fn no_recording() -> Failure {
    Failure::BadArgument("no recording is under way".to_owned())
}

/// Begins to record draws, for a frame dump that replays alone: `pspge render` shows it, and leaves the same bytes
/// in VRAM. Commands are recorded with the memory they read, and between calls the host may change everything, as
/// ever. This completes pending draws and empties the texture cache, and until the recording ends
/// PSPGE_RUN_KEEP_PENDING has no effect. `options` may be null. A recording that has ended, but was not fetched, is
/// lost.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `options` is null, or points to a structure as its
/// `struct_size` says. During this call, nobody else uses memory given to the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_record_begin(instance: *const Pspge, options: *const RecordOptions) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let options: RecordOptions = unsafe { sized_or_default(options) }?;
        let options = options.options()?;
        if state.recording.running().is_some() {
            return Err(Failure::BadArgument("a recording is under way already".to_owned()));
        }
        let recorder = with_memory(state, |loan| {
            let Instance { memory, interpreter, raster, .. } = &mut **loan;
            Ok(HostRecorder::begin(memory, interpreter, raster, options))
        })?;
        state.recording = Recording::Running(Box::new(recorder));
        Ok(())
    })
}

/// Tells a recording that the screen shows a buffer from now on, which ends a frame. `*is_over`, unless it is null,
/// becomes 1 if nothing more is recorded, because all frames are there or the recording is too large; else 0.
/// Without such calls, a recording is a single frame, whose picture is the last colour buffer.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `shown` is null or valid for reads, `is_over` is null
/// or valid for writes. During this call, nobody else uses memory given to the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_record_frame(
    instance: *const Pspge,
    shown: *const Target,
    is_over: *mut u32,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let shown = unsafe { input("shown", shown, 1) }?.first().ok_or(Failure::NullPointer("shown"))?;
        let format = u8::try_from(shown.format).ok().filter(|number| *number < 4);
        let format = format
            .ok_or_else(|| Failure::BadArgument(format!("{} is not a format of pixels", shown.format)))?;
        let display = Display {
            address: Address::new(shown.address),
            stride: shown.stride,
            format: PixelFormat::from_number(format),
        };
        if state.recording.running().is_none() {
            return Err(no_recording());
        }
        let over = with_memory(state, |loan| {
            let Instance { memory, recording, .. } = &mut **loan;
            if !memory.is_mapped(display.address, 4) {
                return Err(Failure::BadArgument(format!("{} has no memory to show", display.address)));
            }
            Ok(recording.running().is_none_or(|recorder| {
                recorder.show(memory, display);
                recorder.is_over()
            }))
        })?;
        // SAFETY: as the caller ensures.
        unsafe { give("is_over", is_over, u32::from(over)) }
    })
}

/// Ends a recording and returns the dump's file. This sets `*size` to its byte count even if `capacity` is too small
/// (PSPGE_STATUS_BUFFER_TOO_SMALL): nothing is written then, and the next call returns the same file. Once returned,
/// it is gone. A recording that grew too large has no file (PSPGE_STATUS_NO_ANSWER). `*is_exact`, unless it is null,
/// becomes 1 if the file replays to the same bytes in VRAM; 0 if draws before the recording have left vertices or
/// attributes for its first draws that no list can repeat.
///
/// # Safety
/// `instance` is null, or was created and not yet destroyed. `bytes` is null or valid for writes of `capacity`
/// bytes, `size` and `is_exact` are null or valid for writes. During this call, nobody else uses memory given to the
/// instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pspge_record_end(
    instance: *const Pspge,
    bytes: *mut u8,
    capacity: usize,
    size: *mut usize,
    is_exact: *mut u32,
) -> Status {
    // SAFETY: as the caller ensures.
    call(unsafe { instance.as_ref() }, |state| {
        // SAFETY: as the caller ensures.
        let size = unsafe { output("size", size) }?;
        let file = match std::mem::take(&mut state.recording) {
            Recording::None => return Err(no_recording()),
            Recording::Running(recorder) => {
                let mut recorder = Some(recorder);
                let recording = with_memory(state, |loan| {
                    recorder.take().ok_or_else(no_recording)?.finish(&loan.memory).map_err(Failure::from)
                });
                // If memory cannot be lent now, the recording goes on.
                state.recording = recorder.map_or(Recording::None, Recording::Running);
                let recording = recording?;
                RecordedFile { bytes: recording.dump.to_bytes(), is_exact: recording.notes.is_empty() }
            }
            Recording::Finished(file) => file,
        };
        let needed = file.bytes.len();
        size.write(needed);
        // SAFETY: as the caller ensures.
        unsafe { give("is_exact", is_exact, u32::from(file.is_exact)) }?;
        // SAFETY: as the caller ensures. Bytes need not be initialised to be written.
        match unsafe { output_buffer("bytes", bytes, capacity, needed) } {
            Ok(target) => {
                for (byte, recorded) in target.iter_mut().zip(file.bytes) {
                    byte.write(recorded);
                }
                Ok(())
            }
            Err(failure) => {
                state.recording = Recording::Finished(file);
                Err(failure)
            }
        }
    })
}
