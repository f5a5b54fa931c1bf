//! Writes a PSP program's frame as a frame dump, a file to open in pspge or PPSSPP.
//!
//! Start a [`Capture`] before the frame's first list, while the GE is idle. Hand it each list before its memory is
//! used again, and finish it at the end of the frame. On the console, `psp::start` does the first, with a path such
//! as `ms0:/frame.ppdmp`:
//!
//! ```ignore
//! let mut capture = pspge_capture::psp::start(c"ms0:/frame.ppdmp")?;
//! sceGuStart(GuContextType::Direct, list);
//! // ...
//! sceGuFinish();
//! capture.list(list as u32, 0)?;
//! sceGuSync(GuSyncMode::Finish, GuSyncBehavior::Wait);
//! let left_out = capture.finish()?;
//! ```
//!
//! # How it works
//!
//! A frame dump holds commands in the order of execution, and before each draw the data to draw it with. To get
//! these, a capture walks a list as the GE does, through its jumps and calls, and copies vertices, indices, textures
//! and palettes. Memory is read past the data cache, as the GE reads it: data that the program forgot to write back
//! look the same in the dump as on the console. VRAM is copied whole at the start. From then on a player draws
//! everything in it, so it is not read again; if the CPU writes to VRAM during the frame, call [`Capture::vram`].
//!
//! The C header beside this package writes the same file, byte for byte. A capture takes half a megabyte of memory.
#![no_std]

extern crate alloc;

mod console;
mod dump;
mod frame;
mod left_out;
mod list;
#[cfg(any(target_os = "psp", pspge_stand_in))]
pub mod psp;
mod vertex;

pub use console::Console;
pub use frame::Capture;
pub use left_out::LeftOut;
