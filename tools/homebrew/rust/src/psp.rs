//! The console itself: its memory, and a file on the memory stick or, over PSPLINK, on the PC.

use core::ffi::CStr;
use core::fmt;

use psp::sys::{
    GeContext, IoOpenFlags, IoWhence, SceUid, sceGeDrawSync, sceGeSaveContext, sceIoClose, sceIoLseek32,
    sceIoOpen, sceIoWrite,
};

use crate::console::Console;
use crate::frame::Capture;

/// Why a frame cannot be captured, with the kernel's error number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The GE is busy, so its registers cannot be read.
    Busy(i32),
    /// The file cannot be created.
    Create(i32),
    /// The file cannot be written; the memory stick may be full.
    Write(i32),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (text, error) = match *self {
            Self::Busy(error) => ("the GE is busy, so its registers cannot be read", error),
            Self::Create(error) => ("the file cannot be created", error),
            Self::Write(error) => ("the file cannot be written; is the memory stick full?", error),
        };
        write!(f, "{text} (0x{error:08x})")
    }
}

/// A console with an open file, which dropping this closes.
#[derive(Debug)]
pub struct Psp {
    file: SceUid,
}

/// Starts a dump in a file such as `ms0:/frame.ppdmp`, or `host0:/frame.ppdmp` over PSPLINK. This waits until the GE
/// is idle.
///
/// # Errors
/// If the registers cannot be read, or the file cannot be written.
pub fn start(path: &CStr) -> Result<Capture<Psp>, Failure> {
    let mut context = GeContext { context: [0; 512] };
    // SAFETY: Waiting has no requirement.
    unsafe { sceGeDrawSync(0) };
    // SAFETY: The context is valid for writes.
    let saved = unsafe { sceGeSaveContext(&mut context) };
    if saved < 0 {
        return Err(Failure::Busy(saved));
    }
    let flags = IoOpenFlags::WR_ONLY | IoOpenFlags::CREAT | IoOpenFlags::TRUNC;
    // SAFETY: The path ends in a zero.
    let file = unsafe { sceIoOpen(path.as_ptr().cast(), flags, 0o777) };
    if file.0 < 0 {
        return Err(Failure::Create(file.0));
    }
    Capture::start(Psp { file }, &context.context)
}

impl Console for Psp {
    type Error = Failure;

    fn read(&self, address: u32, bytes: &mut [u8]) {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let memory = self.memory();
        let is_inside = |start: u32, end: u32| address >= start && end.saturating_sub(address) >= length;
        // Any other address is left alone, because a wrong address must not crash the console.
        if is_inside(0x0400_0000, 0x0480_0000) || is_inside(memory.start, memory.end) {
            // Bit 0x40000000 reads past the data cache.
            let from = (0x4000_0000 | address) as usize as *const u8;
            // SAFETY: VRAM and user memory are mapped there, and the destination is as long.
            unsafe { from.copy_to_nonoverlapping(bytes.as_mut_ptr(), bytes.len()) };
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        // SAFETY: The bytes are valid for reads.
        let written = unsafe { sceIoWrite(self.file, bytes.as_ptr().cast(), bytes.len()) };
        if usize::try_from(written) == Ok(bytes.len()) { Ok(()) } else { Err(Failure::Write(written)) }
    }

    fn seek(&mut self, offset: u32) -> Result<(), Failure> {
        let offset = i32::try_from(offset).unwrap_or(i32::MAX);
        // SAFETY: Seeking has no requirement.
        let at = unsafe { sceIoLseek32(self.file, offset, IoWhence::Set) };
        if at == offset { Ok(()) } else { Err(Failure::Write(at)) }
    }
}

impl Drop for Psp {
    fn drop(&mut self) {
        // SAFETY: Nobody else has the file.
        unsafe { sceIoClose(self.file) };
    }
}
