//! Captures a frame.

use core::fmt;

use crate::console::Console;
use crate::dump::{CLUT, DumpWriter, INIT, MEMCPYDATA, MEMCPYDEST};
use crate::left_out::LeftOut;
use crate::list::Walker;

/// How many words a saved context has. From word 17 on, 209 of these are registers.
const CONTEXT_WORDS: usize = 512;
const CONTEXT_FIRST: usize = 17;
const CONTEXT_END: usize = 226;
const VRAM: u32 = 0x0400_0000;
const VRAM_BYTES: u32 = 0x20_0000;
/// VRAM is searched for zeros in pieces of this size, to leave them out.
const VRAM_CHUNK: u32 = 4096;

/// A frame being captured.
pub struct Capture<C> {
    dump: DumpWriter<C>,
    walker: Walker,
}

impl<C: Console> Capture<C> {
    /// Starts a capture, while the GE is idle. `context` comes from `sceGeSaveContext`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn start(console: C, context: &[u32; CONTEXT_WORDS]) -> Result<Self, C::Error> {
        let mut capture = Self { dump: DumpWriter::new(console)?, walker: Walker::new() };
        capture.push_context(context)?;
        capture.push_vram()?;
        Ok(capture)
    }

    /// Follows a list from its start to its end, or to the stall address if it is not 0.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn list(&mut self, list: u32, stall: u32) -> Result<(), C::Error> {
        if self.walker.is_walking {
            self.walker.end_list(&mut self.dump, LeftOut::TwoLists);
        }
        self.walker.start(list);
        self.resume(stall)
    }

    /// Goes on where the last list stalled.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn resume(&mut self, stall: u32) -> Result<(), C::Error> {
        self.walker.walk(&mut self.dump, stall)
    }

    /// Tells the capture that the CPU has written to VRAM since the frame's start.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn vram(&mut self, address: u32, bytes: u32) -> Result<(), C::Error> {
        self.dump.flush()?;
        self.push_copy(address & 0x0FFF_FFFF, bytes)
    }

    /// Completes the file, to show the last draw's framebuffer. Returns the console, and why the dump is not whole
    /// if something was left out.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<(C, Option<LeftOut>), C::Error> {
        if self.walker.is_walking && !self.dump.is_full {
            self.walker.end_list(&mut self.dump, LeftOut::UnfinishedList);
        }
        let [address, width, format] = self.walker.target;
        self.dump.finish([VRAM | address & 0x1F_FFF0, width & 0x7FC, format & 3])
    }

    /// Stores the registers and the palette. The kernel's context looks like the record, except that it may hold a
    /// command to load the palette. A context in a dump has none, so the palette becomes a record.
    fn push_context(&mut self, context: &[u32; CONTEXT_WORDS]) -> Result<(), C::Error> {
        let mut words = *context;
        let load = words[CONTEXT_END];
        let has_load = load >> 24 == 0xC4;
        if has_load {
            words.copy_within(CONTEXT_END + 1.., CONTEXT_END);
        }
        // The last list's pointers mean nothing to this frame.
        words[..CONTEXT_FIRST].fill(0);
        for word in &words[CONTEXT_FIRST..CONTEXT_END] {
            self.walker.registers[(word >> 24) as usize] = word & 0xFF_FFFF;
        }
        self.walker.keep_target();
        self.dump.push_words(INIT, &words)?;
        let address = self.walker.address(0xB0, 0xB1);
        let bytes = ((load & 0x3F) * 32).min(1024).min(self.dump.bytes_at(address));
        if has_load && bytes > 0 {
            let mut palette = [0; 1024];
            self.dump.console.read(address, &mut palette[..bytes as usize]);
            self.dump.push(CLUT, &palette)?;
        }
        // Players take texture widths from commands, not from the context.
        for opcode in 0xA8..=0xAF_u8 {
            let argument = self.walker.registers[usize::from(opcode)];
            if argument != 0 {
                self.dump.push_command(u32::from(opcode) << 24 | argument)?;
            }
        }
        Ok(())
    }

    /// Stores all of VRAM but zeros, because a player starts with zeros.
    fn push_vram(&mut self) -> Result<(), C::Error> {
        let mut start = 0;
        for at in (0..=VRAM_BYTES).step_by(VRAM_CHUNK as usize) {
            let mut chunk = [0; VRAM_CHUNK as usize];
            if at < VRAM_BYTES {
                self.dump.console.read(VRAM + at, &mut chunk);
            }
            if chunk.iter().all(|byte| *byte == 0) {
                if start < at {
                    self.push_copy(VRAM + start, at - start)?;
                }
                start = at + VRAM_CHUNK;
            }
        }
        Ok(())
    }

    /// Stores a range of VRAM as if the CPU had copied it there.
    fn push_copy(&mut self, address: u32, bytes: u32) -> Result<(), C::Error> {
        self.dump.push_words(MEMCPYDEST, &[address])?;
        self.dump.push_memory(MEMCPYDATA, address, bytes.into())
    }
}

impl<C> fmt::Debug for Capture<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Capture").field("is_in_list", &self.walker.is_walking).finish_non_exhaustive()
    }
}
