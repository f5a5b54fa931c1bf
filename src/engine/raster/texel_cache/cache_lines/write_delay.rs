//! Pixels take time to reach memory. A primitive that samples its own target sees this, so its lines must be loaded
//! without the pixels on their way.
//!
//! # Invariants
//! Pixels count in the order of the walk, whether they pass their tests or not. A block is an aligned group of 16
//! bytes in the target. Depth is written at once.
//! Source: [self-sampling](crate::reference::ge::textures#self-sampling).

use std::ops::Range;

use crate::ge::address::VRAM_SIZE;
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::TextureFilter;
use crate::pipeline::framebuffer::ColorSurface;
use crate::raster::rules::pixel;

/// How many bytes reach memory together.
const BLOCK: u32 = 16;
/// How many bytes a group of blocks has. Rows between the ends of a group wait longer if they are short.
const GROUP: u32 = 64;
/// How many groups a short row can span at most.
const SHORT_GROUPS: u32 = 4;

/// A primitive's pixels that memory already shows but lines must not show yet.
#[derive(Clone, Debug)]
pub(crate) struct WriteDelay {
    surface: ColorSurface,
    /// How many pixels are drawn between the beginning of the next block and the moment at which this block is seen.
    pixels: u64,
    /// Blocks on their way, sorted by their first pixel.
    blocks: Vec<Block>,
    /// The current pixel's number.
    pixel: u64,
    row: Option<Row>,
    /// The primitive's first row, whose first block is never hidden again.
    first_row: Option<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    number: u32,
    /// Whether this row is short, so that its ends have to wait for pixels in the next row.
    is_short: bool,
}

/// A block with written pixels.
#[derive(Clone, Debug)]
struct Block {
    number: u32,
    row: u32,
    /// Whether this block is the first in a short row other than the primitive's first row.
    is_first: bool,
    /// From which pixel on it is seen; `None` while its last pixel may still come.
    seen_from: Option<u64>,
    /// Offsets in VRAM, with the bits stored there before each write.
    before: Vec<(u32, u32)>,
}

/// Bits that [`WriteDelay::hide`] has replaced for a moment.
pub(crate) struct Shown {
    surface: ColorSurface,
    bits: Vec<(u32, u32)>,
}

impl WriteDelay {
    /// Begins a primitive.
    pub(crate) fn new(registers: &Registers) -> Self {
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

    /// Begins a row, in which the primitive covers `columns`.
    pub(crate) fn begin_row(&mut self, registers: &Registers, y: u32, columns: &Range<u32>) {
        if self.row.is_some_and(|row| row.number == y) {
            return;
        }
        let size = color::bytes(self.surface.format);
        let start = self.offset(registers, columns.start, y);
        let end = start + (columns.end - columns.start) * size;
        let groups = end.div_ceil(GROUP) - start / GROUP;
        // A row that neither begins nor ends with a group, and spans few groups, is short.
        let is_short = !start.is_multiple_of(GROUP) && !end.is_multiple_of(GROUP) && groups <= SHORT_GROUPS;
        let (pixel, wait) = (self.pixel, u64::from(BLOCK / size).max(self.pixels));
        let was_short = self.row.is_some_and(|row| row.is_short);
        let delay = self.pixels;
        // The last block of the previous row is complete now, so its wait begins.
        if let Some(last) = self.blocks.last_mut().filter(|last| last.seen_from.is_none()) {
            last.seen_from = Some(pixel + if was_short { wait } else { delay });
        }
        // The first pixel of this row hides the first block of the short row before once more.
        for first in self.blocks.iter_mut().filter(|block| block.is_first) {
            first.seen_from = first.seen_from.map(|seen| seen.max(pixel + 1));
        }
        self.first_row.get_or_insert(y);
        self.row = Some(Row { number: y, is_short });
    }

    /// Prepares to write a pixel: forgets the blocks seen by now, and keeps the pixel's earlier bits.
    pub(crate) fn begin_pixel(&mut self, memory: &Memory, registers: &Registers, x: u32, y: u32) {
        let pixel = self.pixel;
        // A row's first block is kept even if it is seen, because the first pixel of the next row may hide it again.
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

    pub(crate) const fn end_pixel(&mut self) {
        self.pixel += 1;
    }

    /// Puts memory into the state from which lines are loaded. Returns the bits to show again afterwards.
    pub(crate) fn hide(&self, memory: &mut Memory) -> Shown {
        let mut bits = Vec::new();
        let pixel = self.pixel;
        // Later writes are undone first, so that the oldest bits remain where pixels overlap.
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
    /// Writes the hidden bits again.
    pub(crate) fn show(self, memory: &mut Memory) {
        for (offset, bits) in self.bits.into_iter().rev() {
            write(memory, &self.surface, offset, bits);
        }
    }
}

/// Reads the bits stored for the pixel at a VRAM offset.
fn read(memory: &Memory, surface: &ColorSurface, offset: u32) -> u32 {
    at(surface, offset).read_bits(memory, 0, 0)
}

/// Replaces the bits stored for the pixel at a VRAM offset.
fn write(memory: &mut Memory, surface: &ColorSurface, offset: u32, bits: u32) {
    at(surface, offset).write_bits(memory, 0, 0, bits);
}

/// Returns a surface whose first pixel is at a VRAM offset, so that (0, 0) addresses this pixel.
const fn at(surface: &ColorSurface, offset: u32) -> ColorSurface {
    ColorSurface { address: offset % VRAM_SIZE, ..*surface }
}
