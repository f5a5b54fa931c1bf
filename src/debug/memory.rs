//! Looks at memory for the debugger: each byte's last writer, byte sets, free ranges, and memory as a picture.

#[doc(hidden)]
pub mod byte_writers;
pub(crate) mod free_ram;
#[doc(hidden)]
pub mod image;
pub(crate) mod texel_bytes;
pub(crate) mod vram_set;
#[doc(hidden)]
pub mod written_bytes;
