//! Memory as the debugger sees it: the last writer of each byte, sets of bytes, free ranges, and memory as a picture.

pub mod byte_writers;
pub(crate) mod free_ram;
pub mod image;
pub(crate) mod texel_bytes;
pub(crate) mod vram_set;
pub mod written_bytes;
