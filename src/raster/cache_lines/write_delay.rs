//! The time that pixels take to reach memory, as far as a primitive sees it that samples its own target.
//!
//! # Invariants
//! Pixels count in the order of the walk, whether they pass their tests or not. Blocks are aligned groups of 16 bytes of
//! the target; depth is written at once.
//! Source: [self-sampling](crate::reference::ge::textures#self-sampling).

use std::ops::Range;

use crate::ge::address::VRAM_SIZE;
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::TextureFilter;
use crate::pipeline::framebuffer::ColorSurface;
use crate::raster::pixel;

/// Bytes that reach memory together.
const BLOCK: u32 = 16;
/// Bytes of a group of blocks. Short rows between the ends of groups wait longer.
const GROUP: u32 = 64;
/// Groups that a short row spans at most.
const SHORT_GROUPS: u32 = 4;

/// The pixels of a primitive that memory shows and lines do not.
#[derive(Clone, Debug)]
pub(in crate::raster) struct WriteDelay {
    surface: ColorSurface,
    /// Pixels from the beginning of the next block until a block is seen.
    pixels: u64,
    /// Blocks that wait, in the order of their first pixel.
    blocks: Vec<Block>,
    /// The number of the pixel that is drawn.
    pixel: u64,
    row: Option<Row>,
    /// The primitive's first row.
    first_row: Option<u32>,
}

/// The row that is drawn.
#[derive(Clone, Copy, Debug)]
struct Row {
    number: u32,
    /// Whether the row is short, so that its ends wait for pixels of the next row.
    is_short: bool,
}

/// A block with written pixels.
#[derive(Clone, Debug)]
struct Block {
    number: u32,
    row: u32,
    /// Whether it is the first of a short row other than the primitive's first.
    is_first: bool,
    /// The number of the pixel from which on it is seen.
    seen_from: Option<u64>,
    /// Offsets in VRAM and stored bits before each write.
    before: Vec<(u32, u32)>,
}

/// Bits that [`WriteDelay::hide`] has replaced.
pub(in crate::raster) struct Shown {
    surface: ColorSurface,
    bits: Vec<(u32, u32)>,
}

impl WriteDelay {
    /// Begins a primitive.
    pub(in crate::raster) fn new(registers: &Registers) -> Self {
        let filter: TextureFilter = registers.get();
        let is_linear = filter.magnify_linear || filter.minification.is_linear();
        Self {
            surface: ColorSurface::from_registers(registers),
            pixels: if is_linear { 4 } else { 1 },
            blocks: Vec::new(),
            pixel: 0,
            row: None,
            first_row: None,
        }
    }

    /// Begins a row, in the columns that the primitive covers.
    pub(in crate::raster) fn begin_row(&mut self, registers: &Registers, y: u32, columns: &Range<u32>) {
        if self.row.is_some_and(|row| row.number == y) {
            return;
        }
        let size = color::bytes(self.surface.format);
        let start = self.offset(registers, columns.start, y);
        let end = start + (columns.end - columns.start) * size;
        let groups = end.div_ceil(GROUP) - start / GROUP;
        let is_short = start % GROUP != 0 && end % GROUP != 0 && groups <= SHORT_GROUPS;
        let (pixel, wait) = (self.pixel, u64::from(BLOCK / size).max(self.pixels));
        let was_short = self.row.is_some_and(|row| row.is_short);
        let delay = self.pixels;
        // The last block of the row before.
        if let Some(last) = self.blocks.last_mut().filter(|last| last.seen_from.is_none()) {
            last.seen_from = Some(pixel + if was_short { wait } else { delay });
        }
        for first in self.blocks.iter_mut().filter(|block| block.is_first) {
            first.seen_from = first.seen_from.map(|seen| seen.max(pixel + 1));
        }
        self.first_row.get_or_insert(y);
        self.row = Some(Row { number: y, is_short });
    }

    /// Begins a pixel that is about to be written: forgets the blocks that are seen, and keeps the pixel's bits.
    pub(in crate::raster) fn begin_pixel(&mut self, memory: &Memory, registers: &Registers, x: u32, y: u32) {
        let pixel = self.pixel;
        // The first block of a row may be hidden again by the first pixel of the next.
        self.blocks.retain(|block| {
            block.seen_from.is_none_or(|seen| seen > pixel) || block.is_first && block.row == y
        });
        let offset = self.offset(registers, x, y);
        let before = (offset, read(memory, &self.surface, offset));
        let number = offset / BLOCK;
        let delay = self.pixels;
        match self.blocks.last_mut().filter(|last| last.seen_from.is_none()) {
            Some(block) if block.number == number => return block.before.push(before),
            Some(last) => last.seen_from = Some(pixel + delay),
            None => {}
        }
        let is_first = self.blocks.last().is_none_or(|last| last.row != y);
        let can_hide = self.row.is_some_and(|row| row.is_short) && self.first_row != Some(y);
        let is_first = is_first && can_hide;
        self.blocks.push(Block { number, row: y, is_first, seen_from: None, before: vec![before] });
    }

    /// Ends the pixel.
    pub(in crate::raster) const fn end_pixel(&mut self) {
        self.pixel += 1;
    }

    /// Makes memory what lines are loaded from. Returns what to show again afterwards.
    pub(in crate::raster) fn hide(&self, memory: &mut Memory) -> Shown {
        let mut bits = Vec::new();
        let pixel = self.pixel;
        for block in self.blocks.iter().rev().filter(|block| block.seen_from.is_none_or(|seen| seen > pixel))
        {
            for &(offset, before) in block.before.iter().rev() {
                bits.push((offset, read(memory, &self.surface, offset)));
                write(memory, &self.surface, offset, before);
            }
        }
        Shown { surface: self.surface, bits }
    }

    fn offset(&self, registers: &Registers, x: u32, y: u32) -> u32 {
        let [column, row] = pixel::position(registers, [x, y]);
        self.surface.offset(column, row)
    }
}

impl Shown {
    /// Writes the bits again.
    pub(in crate::raster) fn show(self, memory: &mut Memory) {
        for (offset, bits) in self.bits.into_iter().rev() {
            write(memory, &self.surface, offset, bits);
        }
    }
}

/// Reads the stored bits of the pixel at an offset in VRAM.
fn read(memory: &Memory, surface: &ColorSurface, offset: u32) -> u32 {
    at(surface, offset).read_bits(memory, 0, 0)
}

/// Replaces the stored bits of the pixel at an offset in VRAM.
fn write(memory: &mut Memory, surface: &ColorSurface, offset: u32, bits: u32) {
    at(surface, offset).write_bits(memory, 0, 0, bits);
}

/// Returns a surface that begins with the pixel at an offset in VRAM.
const fn at(surface: &ColorSurface, offset: u32) -> ColorSurface {
    ColorSurface { address: offset % VRAM_SIZE, ..*surface }
}
