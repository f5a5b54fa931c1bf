//! Walks a list as the GE does, and stores the data its commands read.

use alloc::vec::Vec;

use crate::console::Console;
use crate::dump::{
    CLUT, CLUTADDR, DumpWriter, FRAMEBUF0, HAS_DATA, INDICES, TEXTURE0, TRANSFERSRC, VERTICES,
};
use crate::left_out::LeftOut;
use crate::vertex::{index_bytes, vertex_bytes};

/// A frame has at most this many commands, to end lists that jump in a circle.
const COMMANDS_MAX: u32 = 2_000_000;
/// How deep calls can nest.
const DEPTH: usize = 32;
/// Addresses have 28 bits.
const ADDRESS: u32 = 0x0FFF_FFFF;

/// A place to return to, with BASE for calls by a signal.
#[derive(Clone, Copy, Debug)]
struct Return {
    pc: u32,
    offset: u32,
    base: Option<u32>,
}

/// A list's state.
#[derive(Debug)]
pub(crate) struct Walker {
    /// Arguments by opcode.
    pub(crate) registers: [u32; 256],
    /// Whether a list has started and not yet ended.
    pub(crate) is_walking: bool,
    /// The last draw's framebuffer: address, width and format.
    pub(crate) target: [u32; 3],
    pc: u32,
    offset: u32,
    vertices: u32,
    indices: u32,
    commands: u32,
    skips_finish: bool,
    stack: Vec<Return>,
}

impl Walker {
    pub(crate) const fn new() -> Self {
        Self {
            registers: [0; 256],
            is_walking: false,
            target: [0; 3],
            pc: 0,
            offset: 0,
            vertices: 0,
            indices: 0,
            commands: 0,
            skips_finish: false,
            stack: Vec::new(),
        }
    }

    pub(crate) fn start(&mut self, list: u32) {
        self.pc = list & ADDRESS & !3;
        self.offset = 0;
        self.stack.clear();
        self.is_walking = true;
        self.skips_finish = false;
    }

    /// Follows the list to its end, or to the stall address if it is not 0.
    pub(crate) fn walk<C: Console>(&mut self, dump: &mut DumpWriter<C>, stall: u32) -> Result<(), C::Error> {
        let (stall, was_walking) = (stall & ADDRESS & !3, self.is_walking);
        while self.is_walking && !dump.is_full && self.pc != stall {
            if dump.bytes_at(self.pc) < 4 {
                self.end_list(dump, LeftOut::ListOutside);
                break;
            }
            if self.commands >= COMMANDS_MAX {
                self.end_list(dump, LeftOut::TooManyCommands);
                break;
            }
            self.commands += 1;
            self.command(dump)?;
        }
        // The word before `pc` is END. If it is beyond the stall address, the list has not waited there.
        if was_walking && !self.is_walking && stall != 0 && self.pc > stall {
            dump.leave_out(LeftOut::StallPassed);
        }
        Ok(())
    }

    /// Gives up on a list before its end.
    pub(crate) fn end_list<C: Console>(&mut self, dump: &mut DumpWriter<C>, left_out: LeftOut) {
        self.is_walking = false;
        dump.leave_out(left_out);
    }

    fn command<C: Console>(&mut self, dump: &mut DumpWriter<C>) -> Result<(), C::Error> {
        let at = self.pc;
        let word = dump.read32(at);
        let argument = word & 0xFF_FFFF;
        self.registers[(word >> 24) as usize] = argument;
        self.pc = at + 4;
        match word >> 24 {
            // VADDR and IADDR
            0x01 => self.vertices = self.relative(argument),
            0x02 => self.indices = self.relative(argument),
            // PRIM, BEZIER and SPLINE
            0x04 => self.draw(dump, word, argument & 0xFFFF)?,
            0x05 | 0x06 => self.draw(dump, word, (argument & 0xFF) * (argument >> 8 & 0xFF))?,
            // BBOX
            0x07 => self.advance(argument & 0xFFFF),
            // JUMP
            0x08 => self.pc = self.relative(argument & !3),
            // BJUMP skips objects outside the picture, so it makes no difference if they are drawn.
            0x09 => {}
            // CALL and RET
            0x0A => self.call(self.relative(argument & !3), None),
            0x0B => self.ret(),
            // END
            0x0C => self.end(dump, at, word),
            // SIGNAL, FINISH and BASE
            0x0E..=0x10 => {}
            // OFFSETADDR and ORIGIN
            0x13 => self.offset = argument << 8,
            0x14 => self.offset = at,
            // LOADCLUT
            0xC4 => self.palette(dump, word)?,
            // TRANSFERSTART
            0xEA => self.transfer(dump, word)?,
            // VAP draws a vertex held in registers.
            0xF7 => {
                dump.flush()?;
                if argument >> 21 & 1 != 0 || self.registers[0x1E] & 1 != 0 {
                    self.textures(dump)?;
                }
                dump.push_command(word)?;
                self.keep_target();
            }
            _ => dump.push_command(word)?,
        }
        Ok(())
    }

    /// Joins an address from two registers, for bits 0 to 23 and for bits 24 to 27.
    pub(crate) fn address(&self, low: u8, high: u8) -> u32 {
        let [low, high] = [low, high].map(|register| self.registers[usize::from(register)]);
        low & 0xFF_FFF0 | high << 8 & 0x0F00_0000
    }

    /// Keeps a draw's framebuffer, because the dump shows the last.
    pub(crate) fn keep_target(&mut self) {
        self.target = [0x9C, 0x9D, 0xD2].map(|register: usize| self.registers[register]);
    }

    fn relative(&self, argument: u32) -> u32 {
        self.offset.wrapping_add(self.registers[0x10] << 8 & 0x0F00_0000 | argument) & ADDRESS
    }

    fn call(&mut self, target: u32, base: Option<u32>) {
        // Like the GE, this ignores a call if the stack is full.
        if self.stack.len() < DEPTH {
            self.stack.push(Return { pc: self.pc, offset: self.offset, base });
            self.pc = target;
        }
    }

    fn ret(&mut self) {
        if let Some(Return { pc, offset, base }) = self.stack.pop() {
            self.pc = pc;
            self.offset = offset;
            self.registers[0x10] = base.unwrap_or(self.registers[0x10]);
        }
    }

    /// Carries out an END, which belongs to the FINISH or SIGNAL before it.
    fn end<C: Console>(&mut self, dump: &mut DumpWriter<C>, at: u32, end: u32) {
        let signal_at = at.wrapping_sub(4);
        let before = if dump.bytes_at(signal_at) > 0 { dump.read32(signal_at) } else { 0 };
        let distance = ((before & 0xFFFF) << 16 | end & 0xFFFF) & !3;
        let target = |from: u32| from.wrapping_add(distance) & ADDRESS;
        let base = Some(self.registers[0x10]);
        match (before >> 24, before >> 16 & 0xFF) {
            (0x0F, _) if self.skips_finish => self.skips_finish = false,
            (0x0F, _) => self.is_walking = false,
            (0x0E, 0x08) => self.skips_finish = true,
            (0x0E, 0x10) => self.pc = target(0),
            (0x0E, 0x11) => self.call(target(0), base),
            (0x0E, 0x12) => self.ret(),
            (0x0E, 0x13) => self.pc = target(signal_at),
            (0x0E, 0x14) => self.call(target(signal_at), base),
            (0x0E, 0x15) => self.pc = target(self.offset),
            (0x0E, 0x16) => self.call(target(self.offset), base),
            (0x0E, 0x20..=0x3F) => dump.leave_out(LeftOut::AddressSignal),
            // Other signals call the program, and the list goes on.
            (0x0E, _) => {}
            _ => self.end_list(dump, LeftOut::OrphanEnd),
        }
    }

    /// Moves the pointers past a draw's vertices or indices.
    fn advance(&mut self, count: u32) {
        let vertex_type = self.registers[0x12];
        let (pointer, bytes) = match index_bytes(vertex_type) {
            0 => (&mut self.vertices, vertex_bytes(vertex_type)),
            bytes => (&mut self.indices, bytes),
        };
        *pointer = pointer.wrapping_add(count * bytes) & ADDRESS;
    }

    /// Stores the data for a draw, then the draw.
    fn draw<C: Console>(&mut self, dump: &mut DumpWriter<C>, word: u32, count: u32) -> Result<(), C::Error> {
        let vertex_type = self.registers[0x12];
        if count == 0 {
            return Ok(());
        }
        // The GE does not draw then, and leaves the pointers. The draw is left out, because a player would draw
        // earlier data.
        if dump.bytes_at(self.vertices) == 0 {
            dump.leave_out(LeftOut::Vertices);
            return Ok(());
        }
        dump.flush()?;
        // A clear is not textured, whatever the registers say.
        let clears = self.registers[0xD3] & 1 != 0;
        if !clears && (self.registers[0x1E] & 1 != 0 || vertex_type & 3 != 0) {
            self.textures(dump)?;
        }
        let vertices = match index_bytes(vertex_type) {
            0 => count.into(),
            bytes => self.indices(dump, count, bytes)?,
        };
        dump.push_memory(VERTICES, self.vertices, vertices * u64::from(vertex_bytes(vertex_type)))?;
        dump.push_command(word)?;
        self.keep_target();
        self.advance(count);
        Ok(())
    }

    /// Stores indices. Returns how many vertices they reach.
    fn indices<C: Console>(&self, dump: &mut DumpWriter<C>, count: u32, bytes: u32) -> Result<u64, C::Error> {
        let (length, there) = (count * bytes, dump.bytes_at(self.indices));
        let mut vertices = 0;
        for at in (0..length.min(there)).step_by(bytes as usize) {
            let mut index = [0; 4];
            dump.console.read(self.indices + at, &mut index[..bytes as usize]);
            vertices = vertices.max(u64::from(u32::from_le_bytes(index)) + 1);
        }
        if length > there {
            dump.leave_out(LeftOut::Indices);
        }
        dump.push_memory(INDICES, self.indices, length.into())?;
        Ok(vertices)
    }

    /// Stores the texture's levels. Those in VRAM are only named, because a player has them.
    fn textures<C: Console>(&self, dump: &mut DumpWriter<C>) -> Result<(), C::Error> {
        const BITS: [u32; 16] = [16, 16, 16, 32, 4, 8, 16, 32, 4, 8, 8, 0, 0, 0, 0, 0];
        let texel = BITS[(self.registers[0xC3] & 15) as usize];
        let last = self.registers[0xC2] >> 16 & 7;
        for level in (0_u8..).take(last as usize + 1) {
            let address = self.address(0xA0 + level, 0xA8 + level);
            let [buffer, size] = [0xA8, 0xB8].map(|first| self.registers[first + usize::from(level)]);
            if is_vram(address) {
                dump.push_words(FRAMEBUF0 + level, &[address, buffer & 0xFFFF, HAS_DATA, 0])?;
            } else if dump.bytes_at(address) > 0 && texel > 0 {
                // Rows are as long as the buffer's or the texture's, whichever is longer, in whole blocks: 16 bytes
                // by 8 rows.
                let width = (1_u32 << (size & 15)).min(512).next_multiple_of(128 / texel).max(buffer & 0x7FF);
                let height = (1_u32 << (size >> 8 & 15)).min(512).next_multiple_of(8);
                let bits = u64::from(width) * u64::from(height) * u64::from(texel);
                dump.push_memory(TEXTURE0 + level, address, bits / 8)?;
            } else {
                dump.leave_out(LeftOut::Texture);
            }
        }
        Ok(())
    }

    /// Stores a palette, then its load. A player moves palettes from main memory elsewhere and changes the address
    /// registers, so a palette in VRAM needs its address set again.
    fn palette<C: Console>(&self, dump: &mut DumpWriter<C>, word: u32) -> Result<(), C::Error> {
        let address = self.address(0xB0, 0xB1);
        if is_vram(address) {
            dump.push_command(0xB100_0000 | self.registers[0xB1])?;
            dump.push_command(0xB000_0000 | self.registers[0xB0])?;
            dump.flush()?;
            dump.push_words(CLUTADDR, &[address, HAS_DATA])?;
            dump.push(CLUT, &[])?;
        } else if dump.bytes_at(address) > 0 {
            dump.flush()?;
            dump.push_memory(CLUT, address, u64::from(word & 0x3F) * 32)?;
        } else {
            dump.leave_out(LeftOut::Palette);
            return Ok(());
        }
        dump.push_command(word)
    }

    /// Stores a block transfer's source, then the transfer. Players move sources from main memory, too.
    fn transfer<C: Console>(&self, dump: &mut DumpWriter<C>, word: u32) -> Result<(), C::Error> {
        let [from, size, width] = [0xEB, 0xEE, 0xB3].map(|register: usize| self.registers[register]);
        let source = self.address(0xB2, 0xB3);
        let rows = (from >> 10 & 0x3FF) + (size >> 10 & 0x3FF);
        let columns = (from & 0x3FF) + (size & 0x3FF) + 1;
        let pixels = u64::from(rows * (width & 0x7F8) + columns);
        if !is_vram(self.address(0xB4, 0xB5)) {
            dump.leave_out(LeftOut::TransferToMemory);
            return Ok(());
        }
        if is_vram(source) {
            dump.push_command(0xB200_0000 | self.registers[0xB2])?;
            dump.push_command(0xB300_0000 | width)?;
        } else if dump.bytes_at(source) > 0 {
            dump.flush()?;
            dump.push_memory(TRANSFERSRC, source, pixels * if word & 1 != 0 { 4 } else { 2 })?;
        } else {
            dump.leave_out(LeftOut::TransferSource);
            return Ok(());
        }
        dump.push_command(word)
    }
}

const fn is_vram(address: u32) -> bool {
    address >= 0x0400_0000 && address < 0x0500_0000
}
