//! The machine to capture on: its memory and a file.

use core::ops::Range;

/// A console, or a stand-in for tests: memory to read, and a file to write.
pub trait Console {
    /// Why the file cannot be written.
    type Error;

    /// Reads memory from a 28-bit address on, past the data cache. The address is in VRAM or in [`Self::memory`].
    fn read(&self, address: u32, bytes: &mut [u8]);

    /// Writes to the file, at its end or wherever the last [`Self::seek`] went.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error>;

    /// Moves to an offset in the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn seek(&mut self, offset: u32) -> Result<(), Self::Error>;

    /// Which addresses of main memory the program may read. Models with 64 MiB have more, up to 0x0C000000.
    fn memory(&self) -> Range<u32> {
        0x0880_0000..0x0A00_0000
    }
}
