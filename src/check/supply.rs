//! Records which bytes were supplied, by the input, a transfer, the CPU or a draw.
//!
//! Memory itself records this for main RAM, but there VRAM always counts as supplied. So this module keeps a
//! separate record: a line of VRAM is supplied if it is not zero at the start, or if it is written later.

use std::collections::HashSet;
use std::ops::Range;

use bitvec::vec::BitVec;

use super::texels::TexelBox;
use crate::ge::address::{Address, Region, VRAM_SIZE};
use crate::ge::edram::UNIT;
use crate::ge::limits::{Budget, Limit, LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::WrittenSurfaces;
use crate::pipeline::texture::Texture;
use crate::raster::pixel_rect::PixelRect;

/// Bytes in a line.
const LINE: u32 = 16;

/// Bytes never written before a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Unwritten {
    /// How many there are.
    pub bytes: u64,
    /// The first such byte's address.
    pub first: Option<Address>,
}

impl Unwritten {
    /// Adds the bytes found in another range.
    pub(super) fn add(&mut self, other: Self) {
        self.bytes = self.bytes.saturating_add(other.bytes);
        self.first = self.first.or(other.first);
    }
}

/// Records which bytes were supplied.
#[derive(Clone, Debug)]
pub(super) struct Supply {
    /// A bit for each line of VRAM.
    vram: BitVec<u32>,
    budget: Budget,
    /// Textures whose sampled bytes are all supplied, to skip them next time.
    complete: HashSet<(Address, u32, u8, bool, TexelBox)>,
    /// The last draw's buffers and area.
    last: Option<(WrittenSurfaces, PixelRect)>,
}

impl Supply {
    /// Creates the record for memory before the first command. The search for missing bytes may read as many lines
    /// as [`Limits::decoded_bytes`] allows.
    pub(super) fn new(memory: &Memory, limits: &Limits) -> Self {
        let lines = memory.vram().chunks(LINE as usize);
        Self {
            vram: lines.map(|line| line.iter().any(|byte| *byte != 0)).collect(),
            budget: Budget::new(limits, Limit::DecodedBytes),
            complete: HashSet::new(),
            last: None,
        }
    }

    /// Returns the limit if it has ended the search for missing bytes.
    pub(super) fn limit_hit(&self) -> Option<LimitHit> {
        self.budget.limit_hit()
    }

    /// Counts unwritten bytes in a range, but only where memory exists.
    pub(super) fn unwritten(&mut self, memory: &Memory, start: Address, length: u32) -> Unwritten {
        let mut found = Unwritten::default();
        if self.budget.spend(u64::from(length / LINE).saturating_add(1)).is_err() {
            return found;
        }
        let end = u64::from(start.get()).saturating_add(length.into());
        let mut at = start.get();
        while u64::from(at) < end {
            let next = u64::from(at & !(LINE - 1)).saturating_add(LINE.into()).min(end);
            let next = u32::try_from(next).unwrap_or(u32::MAX);
            let address = Address::new(at);
            if !self.is_supplied(memory, address) {
                found.add(Unwritten { bytes: u64::from(next.saturating_sub(at)), first: Some(address) });
            }
            at = next;
        }
        found
    }

    /// Counts unwritten bytes in these texels.
    pub(super) fn unwritten_texels(
        &mut self,
        memory: &Memory,
        texture: &Texture,
        texels: TexelBox,
    ) -> Unwritten {
        let key = (texture.address, texture.row_bytes, texture.format.number(), texture.swizzled, texels);
        let mut found = Unwritten::default();
        // Supplied bytes stay supplied, so a complete texture need not be searched again.
        if !self.complete.contains(&key) {
            texels
                .for_each_run(texture, &mut |start, length| found.add(self.unwritten(memory, start, length)));
            if found.bytes == 0 {
                self.complete.insert(key);
            }
        }
        found
    }

    fn is_supplied(&self, memory: &Memory, address: Address) -> bool {
        match address.region() {
            Region::Vram(view, offset) => {
                let linear = memory.translation().to_linear(view, offset);
                self.vram.get((linear / LINE) as usize).is_none_or(|bit| *bit)
            }
            Region::Ram(_) => memory.is_supplied(address) || !memory.is_mapped(address, 1),
            Region::Scratchpad(_) | Region::Unmapped => true,
        }
    }

    /// Marks bytes written by a transfer or the CPU. Main RAM keeps its own record.
    pub(super) fn mark(&mut self, memory: &Memory, start: Address, length: u32) {
        let Region::Vram(view, offset) = start.region() else { return };
        let length = length.min(VRAM_SIZE);
        let mut at = offset;
        let end = offset.saturating_add(length);
        // The view permutes units, so each unit is translated separately.
        while at < end {
            let next = (at & !(UNIT - 1)).saturating_add(UNIT).min(end);
            let linear = memory.translation().to_linear(view, at);
            self.mark_linear(linear, next.saturating_sub(at));
            at = next;
        }
    }

    /// Marks bytes in linear VRAM. Offsets wrap at its end.
    fn mark_linear(&mut self, start: u32, length: u32) {
        if length == 0 {
            return;
        }
        let (first, last) = (start / LINE, start.saturating_add(length).saturating_sub(1) / LINE);
        let lines = VRAM_SIZE / LINE;
        for line in first..=last.min(first.saturating_add(lines)) {
            if let Some(mut bit) = self.vram.get_mut((line % lines) as usize) {
                *bit = true;
            }
        }
    }

    fn mark_range(&mut self, bytes: Range<u32>) {
        self.mark_linear(bytes.start, bytes.end.saturating_sub(bytes.start));
    }

    /// Marks all bytes within a draw's reach: this area in each buffer written.
    pub(super) fn mark_drawn(&mut self, memory: &Memory, registers: &Registers, area: &PixelRect) {
        let surfaces = WrittenSurfaces::from_registers(registers);
        let drawn = (surfaces, area.clone());
        // Most draws in a scene reach the same pixels as the last, so there is nothing new to mark.
        if self.last.as_ref() == Some(&drawn) {
            return;
        }
        let [x, y] = area.in_buffer();
        let width = x.end.saturating_sub(x.start);
        let work = u64::from(width / 8).saturating_add(1).saturating_mul(y.len() as u64);
        if self.budget.spend(work).is_err() {
            // From here on everything counts as supplied, to avoid false findings.
            self.vram.fill(true);
            return;
        }
        for row in y {
            if let Some(surface) = &surfaces.color {
                surface.for_each_range(row, x.clone(), |bytes| self.mark_range(bytes));
            }
            if let Some(surface) = &surfaces.depth {
                surface.for_each_range(memory.translation(), row, x.clone(), |bytes| self.mark_range(bytes));
            }
        }
        self.last = Some(drawn);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;

    #[test]
    fn knows_what_was_written() {
        let mut memory = Memory::default();
        let ram = Address::new(0x0890_0000);
        memory.write(ram, &[0; 20]);
        memory.write(Address::vram(0x1000), &[1]);
        let mut supply = Supply::new(&memory, &Limits::default());
        let unwritten = |supply: &mut Supply, memory: &Memory, start, length| {
            let Unwritten { bytes, first } = supply.unwritten(memory, start, length);
            (bytes, first)
        };
        assert_eq!(unwritten(&mut supply, &memory, ram, 32), (0, None), "whole lines are supplied");
        assert_eq!(unwritten(&mut supply, &memory, ram, 40), (8, Some(ram.offset(32))), "after them");
        assert_eq!(
            unwritten(&mut supply, &memory, Address::vram(0x1000), 17).0,
            1,
            "the second line is zero"
        );
        supply.mark(&memory, Address::vram(0x1010), 1);
        assert_eq!(unwritten(&mut supply, &memory, Address::vram(0x1000), 32).0, 0, "marked");
        assert_eq!(
            unwritten(&mut supply, &memory, Address::new(0), 64).0,
            0,
            "missing memory does not count"
        );
    }

    #[test]
    fn draws_supply_their_area() {
        let memory = Memory::default();
        let mut supply = Supply::new(&memory, &Limits::default());
        let registers = Registers::with([
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::ZBUFPTR, 0x10_0000),
            (Opcode::ZBUFWIDTH, 64),
            (Opcode::ZTESTENABLE, 1),
        ]);
        supply.mark_drawn(&memory, &registers, &PixelRect { x: 0..64, y: 1..3 });
        assert_eq!(supply.unwritten(&memory, Address::vram(0), 256).bytes, 256, "row 0 of colour");
        assert_eq!(supply.unwritten(&memory, Address::vram(256), 512).bytes, 0, "rows 1 and 2");
        let depth = Address::new(0x0470_0000);
        assert_eq!(supply.unwritten(&memory, depth.offset(128), 256).bytes, 0, "depth, through its view");
        assert_eq!(supply.unwritten(&memory, depth, 128).bytes, 128, "row 0 of depth");
    }
}
