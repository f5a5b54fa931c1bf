//! Describes how calls ended.

use std::ffi::{CStr, c_char};

use pspge::ge::memory::host::HostMemoryError;
use pspge::run::interpreter::SavedStateError;

/// How a call ended.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Success.
    Ok = 0,
    /// A pointer is null that must not be.
    NullPointer = 1,
    /// A number is outside its range, or a flag is unknown.
    BadArgument = 2,
    /// This version does not know the size given in a structure.
    BadStructSize = 3,
    /// The host's memory does not fit the machine.
    BadMemory = 4,
    /// A buffer is too small. The needed size is returned.
    BufferTooSmall = 5,
    /// Saved state is damaged, or of another version.
    BadState = 6,
    /// Another call is at work on this instance, or this is a callback.
    Busy = 7,
    /// The library has failed. This instance can only be destroyed.
    Panic = 8,
    /// The question has no answer, for example on a pixel outside its buffer.
    NoAnswer = 9,
}

/// A failed call: its status and a sentence.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("{0} is a null pointer")]
    NullPointer(&'static str),
    #[error("{0}")]
    BadArgument(String),
    #[error("{name} has {size} bytes, which this version of the library does not know")]
    BadStructSize { name: &'static str, size: usize },
    #[error(transparent)]
    Memory(#[from] HostMemoryError),
    #[error("the buffer has {given} bytes, but {needed} are needed")]
    BufferTooSmall { given: usize, needed: usize },
    #[error("the saved state cannot be read: {0}")]
    UnreadableState(String),
    #[error(transparent)]
    State(#[from] SavedStateError),
    #[cfg(feature = "record")]
    #[error(transparent)]
    Recording(#[from] pspge::recording::RecordingError),
    #[cfg(feature = "json")]
    #[error(transparent)]
    Pixel(#[from] pspge::debug::pixel::target::PixelTargetError),
    #[cfg(feature = "json")]
    #[error("the answer cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl Failure {
    pub(crate) const fn status(&self) -> Status {
        match self {
            Self::NullPointer(_) => Status::NullPointer,
            Self::BadArgument(_) => Status::BadArgument,
            Self::BadStructSize { .. } => Status::BadStructSize,
            Self::Memory(_) => Status::BadMemory,
            Self::BufferTooSmall { .. } => Status::BufferTooSmall,
            Self::UnreadableState(_) | Self::State(_) => Status::BadState,
            #[cfg(feature = "record")]
            Self::Recording(_) => Status::NoAnswer,
            #[cfg(feature = "json")]
            Self::Pixel(_) | Self::Json(_) => Status::NoAnswer,
        }
    }
}

/// Returns a sentence for a status, without details. The text lives as long as the library.
#[unsafe(no_mangle)]
pub extern "C" fn pspge_status_text(status: u32) -> *const c_char {
    let text: &'static CStr = match status {
        0 => c"success",
        1 => c"a pointer is null that must not be",
        2 => c"a number is outside its range, or a flag is unknown",
        3 => c"a structure has a size that this version does not know",
        4 => c"the host's memory does not fit the machine",
        5 => c"a buffer is too small",
        6 => c"saved state is damaged, or of another version",
        7 => c"another call is at work on this instance",
        8 => c"the library has failed; the instance can only be destroyed",
        9 => c"the question has no answer",
        _ => c"not a status of this version",
    };
    text.as_ptr()
}
