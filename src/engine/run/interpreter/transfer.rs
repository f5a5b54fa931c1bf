//! Block transfers: rectangles of pixels copied within memory.
//!
//! # Invariants
//! All writes go through [`Memory`]. Rows are copied from top to bottom, and each sees the writes of earlier rows.

use std::fmt;

use crate::ge::address::{Address, Region, VRAM_BASE, VramView};
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::surface::{
    TransferAddress, TransferPixelSize, TransferPosition, TransferStart, TransferWidth,
};

mod slots;

/// How much of a block transfer took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transferred {
    /// All of it.
    Whole,
    /// All bytes except unmapped ones.
    Cut,
    /// None of it.
    Skipped,
}

/// A block transfer's registers, decoded.
struct Block {
    source: TransferSide,
    target: TransferSide,
    pixel_size: u32,
    width: u32,
    height: u32,
}

impl Block {
    fn new(registers: &Registers) -> Self {
        let size: TransferPosition = registers.view(Opcode::TRANSFERSIZE);
        let pixel_size = match registers.get::<TransferStart>().pixel_size {
            TransferPixelSize::BITS16 => 2,
            _ => 4,
        };
        Self {
            source: TransferSide::new(
                registers,
                Opcode::TRANSFERSRC,
                Opcode::TRANSFERSRCW,
                Opcode::TRANSFERSRCPOS,
            ),
            target: TransferSide::new(
                registers,
                Opcode::TRANSFERDST,
                Opcode::TRANSFERDSTW,
                Opcode::TRANSFERDSTPOS,
            ),
            pixel_size,
            width: u32::from(size.x).saturating_add(1),
            height: u32::from(size.y).saturating_add(1),
        }
    }

    const fn line_bytes(&self) -> u32 {
        self.width.saturating_mul(self.pixel_size)
    }

    /// Whether byte `into_line` exists in all lines on a side.
    fn exists(&self, side: &TransferSide, into_line: u32, memory: &Memory) -> bool {
        let at = |line: u32| side.at(side.line(line, self.pixel_size).wrapping_add(into_line));
        (0..self.height).all(|line| memory.is_mapped(at(line), 1))
    }
}

/// A block transfer's operands, resolved to addresses and sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TransferShape {
    /// Where the first pixel to read is.
    pub source: Address,
    /// How far the source's rows lie apart, in bytes.
    pub source_stride: u32,
    /// Where the first pixel to write is.
    pub target: Address,
    /// How far the target's rows lie apart, in bytes.
    pub target_stride: u32,
    /// How many pixels a row has, 1 to 1024.
    pub width: u32,
    /// How many rows there are, 1 to 1024.
    pub height: u32,
    /// How many bytes a pixel has: 2 or 4.
    pub pixel_size: u32,
}

impl TransferShape {
    /// Returns how many pixels move.
    #[must_use]
    pub const fn pixels(&self) -> u64 {
        // This cannot overflow, because both are at most 1024.
        (self.width as u64).saturating_mul(self.height as u64)
    }

    /// Returns the operands in the registers, TRANSFERSTART included.
    #[must_use]
    pub fn of(registers: &Registers) -> Self {
        let Block { source, target, pixel_size, width, height } = Block::new(registers);
        let first = |side: &TransferSide| side.at(side.line(0, pixel_size));
        let stride = |side: &TransferSide| side.stride.saturating_mul(pixel_size);
        Self {
            source: first(&source),
            source_stride: stride(&source),
            target: first(&target),
            target_stride: stride(&target),
            width,
            height,
            pixel_size,
        }
    }
}

impl fmt::Display for TransferShape {
    /// Formats as `8×4 pixels of 4 bytes from 0x04000000 to 0x04088000`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, target, width, height, pixel_size, .. } = self;
        write!(f, "{width}×{height} pixels of {pixel_size} bytes from {source} to {target}")
    }
}

/// Returns the bytes that a transfer reads, as first address and length, then those it writes. `None` if their
/// addresses wrap.
pub(super) fn ranges(registers: &Registers) -> Option<[(Address, u32); 2]> {
    let block = Block::new(registers);
    let range = |side: &TransferSide| {
        let first = side.line(0, block.pixel_size);
        let last = side.line(block.height.saturating_sub(1), block.pixel_size);
        let length = last.checked_sub(first)?.checked_add(block.line_bytes())?;
        side.is_contiguous(first, length).then(|| (side.at(first), length))
    };
    Some([range(&block.source)?, range(&block.target)?])
}

/// Returns which byte a transfer copies to `address`, to trace a pixel back. If rows overlap, the last such row
/// counts. `None` if it writes no byte there.
#[doc(hidden)]
#[must_use]
pub fn copied_from(registers: &Registers, address: Address) -> Option<Address> {
    let block = Block::new(registers);
    let Block { source, target, pixel_size, height, .. } = block;
    let bytes = block.line_bytes();
    (0..height).rev().find_map(|line| {
        let start = target.line(line, pixel_size);
        let into_line = if target.is_contiguous(start, bytes) {
            let into_line = address.get().wrapping_sub(target.at(start).get());
            (into_line < bytes).then_some(into_line)
        } else {
            (0..bytes).find(|into_line| target.at(start.wrapping_add(*into_line)) == address)
        };
        Some(source.at(source.line(line, pixel_size).wrapping_add(into_line?)))
    })
}

/// Copies a block of pixels, unless a line starts in missing memory.
///
/// Source: [block transfer](crate::reference::ge::transfers#block-transfer) (hardware tests
/// `commands/blocktransfer`, `transfer/*`).
pub(super) fn transfer(registers: &Registers, memory: &mut Memory) -> Transferred {
    let block = Block::new(registers);
    let Block { source, target, pixel_size, height, .. } = block;
    let line_bytes = block.line_bytes();
    let lines = 0..height;
    if !block.exists(&source, 0, memory) || !block.exists(&target, 0, memory) {
        return Transferred::Skipped;
    }
    let last = line_bytes.saturating_sub(1);
    let is_whole = block.exists(&source, last, memory) && block.exists(&target, last, memory);
    for line in lines {
        let starts = [source.line(line, pixel_size), target.line(line, pixel_size)];
        copy_row(memory, &source, &target, starts, line_bytes);
    }
    if is_whole { Transferred::Whole } else { Transferred::Cut }
}

/// How many bytes always stay together, because all addresses in a transfer are multiples of two.
const PIECE: u32 = 2;

/// Passes a transfer's pieces on in order. Each comes with the address to read from, the address to write to, and
/// its length. A transfer that does not take place has no pieces.
#[doc(hidden)]
pub fn for_each_piece(registers: &Registers, memory: &Memory, mut visit: impl FnMut(Address, Address, u32)) {
    let block = Block::new(registers);
    let Block { source, target, pixel_size, height, .. } = &block;
    if !block.exists(source, 0, memory) || !block.exists(target, 0, memory) {
        return;
    }
    let bytes = block.line_bytes();
    for line in 0..*height {
        let [from, to] = [source, target].map(|side| side.line(line, *pixel_size));
        let is_whole = source.is_contiguous(from, bytes) && target.is_contiguous(to, bytes);
        let step = if is_whole { bytes } else { PIECE };
        let mut at = 0;
        while at < bytes {
            visit(source.at(from.wrapping_add(at)), target.at(to.wrapping_add(at)), step);
            at = at.saturating_add(step);
        }
    }
}

/// How many bytes to copy at a time in a row without overlap.
const PLAIN_UNIT: u32 = 256;

/// Copies a row from `from` in the source to `to` in the target, as memory is now.
fn copy_row(
    memory: &mut Memory,
    source: &TransferSide,
    target: &TransferSide,
    [from, to]: [u32; 2],
    bytes: u32,
) {
    if overlaps_itself(source, target, [from, to], bytes) {
        slots::copy_row(
            memory,
            |at| source.at(from.wrapping_add(at)),
            |at| target.at(to.wrapping_add(at)),
            bytes,
        );
        return;
    }
    let mut unit = [0; PLAIN_UNIT as usize];
    let mut done = 0;
    while done < bytes {
        let length = PLAIN_UNIT.min(bytes.saturating_sub(done));
        let Some(block) = unit.get_mut(..length as usize) else { return };
        memory.read(source.at(from.wrapping_add(done)), block);
        memory.write(target.at(to.wrapping_add(done)), block);
        done = done.saturating_add(length);
    }
}

/// Whether a row may write bytes that it reads later. If its addresses wrap, it counts too.
fn overlaps_itself(source: &TransferSide, target: &TransferSide, [from, to]: [u32; 2], bytes: u32) -> bool {
    if !source.is_contiguous(from, bytes) || !target.is_contiguous(to, bytes) {
        return true;
    }
    let follows = |from: u32, to: u32| from < to && to < from.saturating_add(bytes);
    match (source.at(from).region(), target.at(to).region()) {
        (Region::Ram(from), Region::Ram(to))
        | (Region::Scratchpad(from), Region::Scratchpad(to))
        | (Region::Vram(VramView::Linear, from), Region::Vram(VramView::Linear, to)) => follows(from, to),
        // Different views show the same bytes in other orders, so any two ranges may overlap.
        (Region::Vram(..), Region::Vram(..)) => true,
        _ => false,
    }
}

/// A block transfer's source or target.
#[derive(Clone, Copy, Debug)]
struct TransferSide {
    base: u32,
    stride: u32,
    x: u32,
    y: u32,
}

impl TransferSide {
    fn new(registers: &Registers, address: Opcode, width: Opcode, position: Opcode) -> Self {
        let address: TransferAddress = registers.view(address);
        let width: TransferWidth = registers.view(width);
        let position: TransferPosition = registers.view(position);
        // Strides are multiples of 8 pixels, and any above 0x400 counts as 0: `reference/ge/transfers.md`.
        let stride = u32::from(width.width) & 0x7F8;
        Self {
            base: width.high.0 << 24 | address.address.0 & 0x00FF_FFF0,
            stride: if stride > 0x400 { 0 } else { stride },
            x: u32::from(position.x),
            y: u32::from(position.y),
        }
    }

    fn line(&self, line: u32, pixel_size: u32) -> u32 {
        // Wrapping is enough, because line, stride and x have about ten bits each and cannot overflow.
        let pixels = self.y.wrapping_add(line).wrapping_mul(self.stride).wrapping_add(self.x);
        self.base.wrapping_add(pixels.wrapping_mul(pixel_size))
    }

    /// Whether the addresses for `length` bytes from `raw` on only rise.
    fn is_contiguous(&self, raw: u32, length: u32) -> bool {
        let last = length.saturating_sub(1);
        match raw.checked_add(last) {
            Some(end) => self.at(end).get() == self.at(raw).get().wrapping_add(last),
            None => false,
        }
    }

    /// Returns the address for byte `raw` on this side. After VRAM's end, this drops bit 0x00800000, so that the
    /// side continues in the mirror.
    /// Source: `reference/ge/transfers.md#ends-of-vram` (hardware test `transfer/invalid`).
    fn at(&self, raw: u32) -> Address {
        let address = Address::new(raw);
        if Address::new(self.base).is_vram() || address.is_vram() {
            Address::new(VRAM_BASE | address.get() & VRAM_MIRROR_MASK)
        } else {
            address
        }
    }
}

/// The address bits that select a byte in VRAM's four views. After these, the views repeat.
const VRAM_MIRROR_MASK: u32 = 0x007F_FFFF;

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    /// Copies rows of `[width, height]` pixels of 4 bytes between two addresses, with a stride of 64 pixels.
    fn copied(memory: &mut Memory, from: u32, to: u32, [width, height]: [u32; 2], positions: [u32; 2]) {
        let registers = Registers::with([
            (Opcode::TRANSFERSRC, from & 0xFF_FFFF),
            (Opcode::TRANSFERSRCW, (from >> 8 & 0xFF_0000) | 64),
            (Opcode::TRANSFERDST, to & 0xFF_FFFF),
            (Opcode::TRANSFERDSTW, (to >> 8 & 0xFF_0000) | 64),
            (Opcode::TRANSFERSRCPOS, positions[0]),
            (Opcode::TRANSFERDSTPOS, positions[1]),
            (Opcode::TRANSFERSIZE, (width - 1) | (height - 1) << 10),
            (Opcode::TRANSFERSTART, 1),
        ]);
        assert_eq!(transfer(&registers, memory), Transferred::Whole, "both sides exist");
    }

    /// Returns memory with the pixels 0, 1, 2, ... from `start` on.
    fn numbered(start: u32, count: u32) -> Memory {
        let mut memory = Memory::default();
        (0..count).for_each(|pixel| memory.write_u32(Address::new(start + pixel * 4), pixel));
        memory
    }

    fn pixels(memory: &Memory, start: u32, count: u32) -> Vec<u32> {
        (0..count).map(|pixel| memory.read_u32(Address::new(start + pixel * 4))).collect()
    }

    #[test]
    fn rows_see_earlier_rows() {
        let mut memory = numbered(0x0400_0000, 256);
        // Every row is copied one row down, so the first row reaches all.
        copied(&mut memory, 0x0400_0000, 0x0400_0000, [8, 3], [0, 1 << 10]);
        for row in 1..4 {
            assert_eq!(
                pixels(&memory, 0x0400_0000 + row * 256, 9)[..8],
                [0, 1, 2, 3, 4, 5, 6, 7],
                "row {row}"
            );
        }
    }

    #[test]
    fn rows_move_to_the_left() {
        for (start, shift) in [(0x0400_0000, 1), (0x0880_0000, 5), (0x0400_0000, 40)] {
            let mut memory = numbered(start, 128);
            copied(&mut memory, start, start, [60, 1], [shift, 0]);
            let expected: Vec<u32> = (shift..shift + 60).chain(60..128).collect();
            assert_eq!(pixels(&memory, start, 128), expected, "by {shift} at {start:#x}");
        }
    }

    /// Both linear views are the same memory.
    #[test]
    fn mirrors_overlap() {
        let (mut memory, mut mirror) = (numbered(0x0400_0000, 64), numbered(0x0400_0000, 64));
        copied(&mut memory, 0x0400_0000, 0x0400_0000, [40, 1], [0, 16]);
        copied(&mut mirror, 0x0440_0000, 0x0400_0000, [40, 1], [0, 16]);
        assert_eq!(pixels(&memory, 0x0400_0000, 64), pixels(&mirror, 0x0400_0000, 64), "the same picture");
        let expected: Vec<u32> = (0..16).chain(0..16).chain(0..16).chain(0..8).chain(56..64).collect();
        assert_eq!(pixels(&memory, 0x0400_0000, 64), expected, "64 bytes repeat");
    }

    /// After VRAM's end a transfer goes on at its start: `reference/ge/transfers.md#ends-of-vram`.
    #[test]
    fn transfers_go_on_in_the_mirror_of_vram() {
        for end in [0x0480_0000, 0x0500_0000] {
            let mut memory = numbered(0x0880_0000, 32);
            copied(&mut memory, 0x0880_0000, end - 0x20, [16, 1], [0, 0]);
            // The last view is m3, the first is linear.
            assert_eq!(pixels(&memory, 0x0480_0000 - 0x20, 8), [0, 1, 2, 3, 4, 5, 6, 7], "before {end:#x}");
            assert_eq!(pixels(&memory, 0x0400_0000, 9), [8, 9, 10, 11, 12, 13, 14, 15, 0], "after {end:#x}");
            let mut memory = numbered(0x0400_0000, 8);
            copied(&mut memory, end - 0x20, 0x0880_0000, [16, 1], [0, 0]);
            assert_eq!(pixels(&memory, 0x0880_0020, 8), [0, 1, 2, 3, 4, 5, 6, 7], "read after {end:#x}");
        }
    }
}
