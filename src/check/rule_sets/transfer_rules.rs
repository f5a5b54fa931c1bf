//! Rules on block transfers.

use crate::asm::text::describe;
use crate::check::finding::Place;
use crate::check::findings::Findings;
use crate::check::rows::ByteRows;
use crate::check::rule::Rule;
use crate::check::supply::{Supply, Unwritten};
use crate::ge::address::Address;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::surface::{
    TransferAddress, TransferPixelSize, TransferPosition, TransferStart, TransferWidth,
};

/// A transfer's source or destination, as rows of bytes.
#[derive(Clone, Copy, Debug)]
struct Side {
    start: Address,
    stride: u32,
    length: u32,
    count: u32,
}

impl Side {
    fn new(registers: &Registers, start: TransferStart, [address, width, position]: [Opcode; 3]) -> Self {
        let size = if start.pixel_size == TransferPixelSize::BITS16 { 2 } else { 4 };
        let low = registers.view::<TransferAddress>(address).address.0;
        let TransferWidth { width, high } = registers.view(width);
        let from: TransferPosition = registers.view(position);
        let extent: TransferPosition = registers.view(Opcode::TRANSFERSIZE);
        let stride = u32::from(width & 0x7F8);
        // A row length above 1024 acts as 0.
        let stride = if stride > 0x400 { 0 } else { stride };
        let pixels = u32::from(from.y).saturating_mul(stride).saturating_add(from.x.into());
        Self {
            start: Address::new(high.0 << 24 | low & 0xFF_FFF0).offset(pixels.saturating_mul(size)),
            stride: stride.saturating_mul(size),
            length: u32::from(extent.x).saturating_add(1).saturating_mul(size),
            count: u32::from(extent.y).saturating_add(1),
        }
    }

    fn rows(&self) -> Option<ByteRows> {
        ByteRows::new(self.start, self.stride, self.length, self.count)
    }

    fn for_each(&self, mut row: impl FnMut(Address, u32)) {
        for number in 0..self.count {
            row(self.start.offset(number.wrapping_mul(self.stride)), self.length);
        }
    }
}

/// Checks a block transfer before it runs. Returns the bytes that it writes.
pub(crate) fn check(
    registers: &Registers,
    memory: &Memory,
    supply: &mut Supply,
    place: &Place,
    findings: &mut Findings,
) -> Option<ByteRows> {
    let start: TransferStart = registers.get();
    let source = [Opcode::TRANSFERSRC, Opcode::TRANSFERSRCW, Opcode::TRANSFERSRCPOS];
    let target = [Opcode::TRANSFERDST, Opcode::TRANSFERDSTW, Opcode::TRANSFERDSTPOS];
    for [address, width, _] in [source, target] {
        let text = |opcode| describe(registers.command(opcode));
        if registers.view::<TransferAddress>(address).address.0 & 15 != 0 {
            let message =
                || format!("{} is not a multiple of 16: the transfer drops its lowest bits", text(address));
            findings.add(Rule::UnalignedAddress, [address.code().into(), 0], place, message);
        }
        let pixels = registers.view::<TransferWidth>(width).width;
        if pixels & 7 != 0 || pixels > 0x400 {
            let message =
                || format!("rows of a transfer need a multiple of 8 pixels up to 1024 ({})", text(width));
            findings.add(Rule::UnalignedWidth, [width.code().into(), pixels.into()], place, message);
        }
    }
    let [source, target] = [source, target].map(|opcodes| Side::new(registers, start, opcodes));
    let mut missing = Unwritten::default();
    source.for_each(|row, length| missing.add(supply.unwritten(memory, row, length)));
    if let Unwritten { bytes, first: Some(first) } = missing {
        let rule = if first.is_vram() { Rule::UnwrittenVram } else { Rule::UnwrittenTransfer };
        let from = source.start;
        let message =
            || format!("a block transfer from {from} reads {bytes} unwritten bytes, from {first} on");
        findings.add(rule, [from.get(), 1], place, message);
    }
    let overlaps = source.rows().zip(target.rows()).is_some_and(|(source, target)| source.overlaps(&target));
    // If the transfer goes to a lower address, each byte is read before it is written.
    if overlaps && target.start > source.start {
        let (from, to) = (source.start, target.start);
        let message = || format!("a block transfer from {from} to {to} writes bytes that it reads later");
        findings.add(Rule::TransferOverlap, [from.get(), to.get()], place, message);
    }
    // This follows the check of the source, because a transfer that overlaps itself must not count as its own
    // supply.
    target.for_each(|row, length| supply.mark(memory, row, length));
    target.rows()
}
