//! Block transfers.
//!
//! # Invariants
//! All writes go through [`Memory`].

use crate::ge::address::Address;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::surface::{
    TransferAddress, TransferPixelSize, TransferPosition, TransferStart, TransferWidth,
};

/// Copies a block of pixels. Returns false and copies nothing if a line starts in missing memory.
///
/// Source: [block transfer](crate::reference::ge::transfers#block-transfer) (hardware tests
/// `commands/blocktransfer`, `transfer/*`).
pub(super) fn transfer(registers: &Registers, memory: &mut Memory) -> bool {
    let pixel_size = match registers.get::<TransferStart>().pixel_size {
        TransferPixelSize::BITS16 => 2,
        _ => 4,
    };
    let source =
        TransferSide::new(registers, Opcode::TRANSFERSRC, Opcode::TRANSFERSRCW, Opcode::TRANSFERSRCPOS);
    let target =
        TransferSide::new(registers, Opcode::TRANSFERDST, Opcode::TRANSFERDSTW, Opcode::TRANSFERDSTPOS);
    let size: TransferPosition = registers.view(Opcode::TRANSFERSIZE);
    let (width, height) = (u32::from(size.x).saturating_add(1), u32::from(size.y).saturating_add(1));
    let line_bytes = width.saturating_mul(pixel_size);
    let lines = 0..height;
    let exists = |side: &TransferSide| {
        lines.clone().all(|line| memory.is_mapped(TransferSide::wrap(side.line(line, pixel_size)), 1))
    };
    if !exists(&source) || !exists(&target) {
        return false;
    }
    for line in lines {
        copy_line(memory, source.line(line, pixel_size), target.line(line, pixel_size), line_bytes);
    }
    true
}

/// Counts the pixels that a transfer moves.
pub(super) fn pixels(registers: &Registers) -> u64 {
    let size: TransferPosition = registers.view(Opcode::TRANSFERSIZE);
    u64::from(size.x).saturating_add(1).saturating_mul(u64::from(size.y).saturating_add(1))
}

/// Bytes that are read before they are written, which approximates the copy buffer of the hardware.
/// Source: `reference/ge/transfers.md#overlapping-transfers` (hardware test `transfer/overlap`).
const COPY_UNIT: u32 = 64;

fn copy_line(memory: &mut Memory, source: u32, target: u32, bytes: u32) {
    let mut unit = [0; COPY_UNIT as usize];
    let mut done = 0;
    while done < bytes {
        let length = COPY_UNIT.min(bytes.saturating_sub(done));
        let Some(block) = unit.get_mut(..length as usize) else { return };
        let (from, to) = (source.wrapping_add(done), target.wrapping_add(done));
        if TransferSide::is_contiguous(from, length) {
            memory.read(TransferSide::wrap(from), block);
        } else {
            for (at, byte) in (0..).zip(block.iter_mut()) {
                *byte = memory.read_u8(TransferSide::wrap(from.wrapping_add(at)));
            }
        }
        if TransferSide::is_contiguous(to, length) {
            memory.write(TransferSide::wrap(to), block);
        } else {
            for (at, byte) in (0..).zip(block.iter()) {
                memory.write_u8(TransferSide::wrap(to.wrapping_add(at)), *byte);
            }
        }
        done = done.saturating_add(length);
    }
}

/// The source or destination of a transfer.
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
        let stride = u32::from(width.width) & 0x7F8;
        Self {
            base: width.high.0 << 24 | address.address.0 & 0x00FF_FFF0,
            stride: if stride > 0x400 { 0 } else { stride },
            x: u32::from(position.x),
            y: u32::from(position.y),
        }
    }

    fn line(&self, line: u32, pixel_size: u32) -> u32 {
        // No overflow: line, stride and x have about ten bits each.
        let pixels = self.y.wrapping_add(line).wrapping_mul(self.stride).wrapping_add(self.x);
        self.base.wrapping_add(pixels.wrapping_mul(pixel_size))
    }

    /// Tells whether `length` bytes (at most [`COPY_UNIT`]) from `raw` are still contiguous after wrapping.
    fn is_contiguous(raw: u32, length: u32) -> bool {
        let last = length.saturating_sub(1);
        match raw.checked_add(last) {
            Some(end) => Self::wrap(end).get() == Self::wrap(raw).get().wrapping_add(last),
            None => false,
        }
    }

    /// Wraps addresses after the end of VRAM to its start.
    /// Source: `reference/ge/transfers.md#ends-of-vram` (hardware test `transfer/invalid`).
    fn wrap(raw: u32) -> Address {
        let address = Address::new(raw);
        if address.get() >> 24 == 0x04 { Address::new(address.get() & !0x0080_0000) } else { address }
    }
}
