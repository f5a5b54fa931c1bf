//! Models the hardware's copy buffer for block transfers, which matters for rows that overlap themselves.
//!
//! # Invariants
//! If a row has no overlap, the result is the same as without this buffer.
//! Source: [overlapping transfers](crate::reference::ge::transfers#overlapping-transfers).

use crate::ge::address::{Address, Region, VramView};
use crate::ge::memory::Memory;

/// How many bytes a slot has, and an aligned block of memory.
const BLOCK: u32 = 16;
/// How many slots there are. The hardware reads this many blocks before it writes any of their bytes.
const SLOTS: u32 = 4;

type Block = [u8; BLOCK as usize];

/// A buffer slot. It holds bytes on their way to a block in the target.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The block's address.
    block: Option<Address>,
    bytes: Block,
    /// Which bytes were given for this block, so that the others stay in memory.
    given: [bool; BLOCK as usize],
    /// Which bytes were given for this block or an earlier block in the row, so that they can show when read.
    known: [bool; BLOCK as usize],
}

impl Slot {
    /// Places a byte for a block. If the slot has another block, this first writes that block to memory. But its
    /// bytes stay in the slot.
    fn put(&mut self, memory: &mut Memory, block: Address, offset: usize, byte: u8) {
        if self.block != Some(block) {
            self.write(memory);
            self.block = Some(block);
            self.given = [false; BLOCK as usize];
        }
        let Self { bytes, given, known, .. } = self;
        if let (Some(place), Some(given), Some(known)) =
            (bytes.get_mut(offset), given.get_mut(offset), known.get_mut(offset))
        {
            (*place, *given, *known) = (byte, true, true);
        }
    }

    /// Writes the bytes given for the block.
    fn write(&self, memory: &mut Memory) {
        let Some(block) = self.block else { return };
        if self.given == [true; BLOCK as usize] {
            memory.write(block, &self.bytes);
            return;
        }
        let bytes = (0..).zip(self.bytes).zip(self.given);
        for ((offset, byte), _) in bytes.filter(|(_, given)| *given) {
            memory.write_u8(block.offset(offset), byte);
        }
    }

    /// Replaces a block's bytes if this slot holds it. A byte that no block in the row was given stays as in memory
    /// (assumed).
    fn show(&self, block: Address, bytes: &mut Block) {
        if self.block != Some(block) {
            return;
        }
        let shown = bytes.iter_mut().zip(self.bytes).zip(self.known);
        for ((shown, byte), _) in shown.filter(|(_, known)| *known) {
            *shown = byte;
        }
    }
}

/// Copies a row with `length` bytes. `source` and `target` return the addresses for its bytes.
pub(super) fn copy_row(
    memory: &mut Memory,
    source: impl Fn(u32) -> Address,
    target: impl Fn(u32) -> Address,
    length: u32,
) {
    let mut slots = [Slot::default(); SLOTS as usize];
    let mut blocks = [Block::default(); SLOTS as usize];
    // Blocks are read whole, so the first may begin with bytes before the row.
    let (mut next, mut skipped) = (0, source(0).get() % BLOCK);
    while next < length {
        // How many bytes of these blocks to use, up to the row's end. This includes the skipped bytes.
        let used = (BLOCK * SLOTS).min(length.saturating_sub(next).saturating_add(skipped));
        for (start, bytes) in (0..used).step_by(BLOCK as usize).zip(&mut blocks) {
            let block = block_of(source(next.saturating_add(start.saturating_sub(skipped))));
            memory.read(block, bytes);
            // A block still in its slot is not in memory yet, so the slot's bytes replace those just read.
            if let Some(slot) = slots.get(slot_of(block)) {
                slot.show(block, bytes);
            }
        }
        for byte in blocks.as_flattened().iter().take(used as usize).skip(skipped as usize) {
            let to = target(next);
            let block = block_of(to);
            if let Some(slot) = slots.get_mut(slot_of(block)) {
                slot.put(memory, block, (to.get() % BLOCK) as usize, *byte);
            }
            next = next.saturating_add(1);
        }
        skipped = 0;
    }
    for slot in slots {
        slot.write(memory);
    }
}

/// Returns the block that holds a byte. Both linear views of VRAM have the same blocks (assumed).
fn block_of(address: Address) -> Address {
    let address = match address.region() {
        Region::Vram(VramView::Linear, offset) => Address::vram(offset),
        _ => address,
    };
    address.align_down(BLOCK)
}

/// Selects a block's slot by address bits 4 and 5.
const fn slot_of(block: Address) -> usize {
    (block.get() / BLOCK % SLOTS) as usize
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;

    const START: u32 = 0x0400_0000;

    /// Copies `length` bytes by `distance` in the bytes 0, 1, 2, ... and returns all.
    fn copied(from: u32, distance: u32, length: u32) -> Vec<u8> {
        let mut memory = Memory::default();
        let before: Vec<u8> = (0..=255).collect();
        memory.write(Address::new(START), &before);
        let address = |at: u32| Address::new(START + from + at);
        copy_row(&mut memory, address, |at| address(at + distance), length);
        memory.vram()[..256].to_vec()
    }

    /// The same by an independent model: each slot has its block's number, the bytes it shows, and the offsets of
    /// those to write.
    fn modelled(from: usize, distance: usize, length: usize) -> Vec<u8> {
        let mut memory: Vec<u8> = (0..=255).collect();
        let mut owner = [usize::MAX; 4];
        let mut seen: [Vec<Option<u8>>; 4] = std::array::from_fn(|_| vec![None; 16]);
        let mut unwritten: [Vec<usize>; 4] = Default::default();
        let group_of = |at: usize| (at / 16 - from / 16) / 4;
        let mut at = from;
        while at < from + length {
            let end = (at + 1..from + length).find(|next| group_of(*next) != group_of(at));
            let group = at..end.unwrap_or(from + length);
            let read: Vec<u8> = group
                .clone()
                .map(|at| {
                    let shown = seen[at / 16 % 4][at % 16].filter(|_| owner[at / 16 % 4] == at / 16);
                    shown.unwrap_or(memory[at])
                })
                .collect();
            for (to, byte) in group.clone().map(|at| at + distance).zip(read) {
                let slot = to / 16 % 4;
                if owner[slot] != to / 16 {
                    for offset in unwritten[slot].drain(..) {
                        memory[owner[slot] * 16 + offset] = seen[slot][offset].expect("it was given");
                    }
                    owner[slot] = to / 16;
                }
                seen[slot][to % 16] = Some(byte);
                unwritten[slot].push(to % 16);
            }
            at = group.end;
        }
        for slot in 0..4 {
            for offset in unwritten[slot].drain(..) {
                memory[owner[slot] * 16 + offset] = seen[slot][offset].expect("it was given");
            }
        }
        memory
    }

    fn counted(ranges: &[std::ops::Range<u8>]) -> Vec<u8> {
        ranges.iter().flat_map(Clone::clone).collect()
    }

    #[test]
    fn short_rows_are_read_before_they_are_written() {
        for distance in [4, 16, 20, 48] {
            let found = copied(0, distance, 64);
            assert!(found[distance as usize..].iter().copied().take(64).eq(0..64), "by {distance}");
        }
    }

    #[test]
    fn four_blocks_repeat() {
        // The second group of source blocks is in the slots, as the first group left it.
        assert_eq!(copied(0, 64, 128)[..192], counted(&[0..64, 0..64, 0..64]), "64 bytes apart");
        assert_eq!(copied(0, 80, 128)[80..208], counted(&[0..64, 64..80, 0..48]), "80 bytes apart");
    }

    /// A slot shows its earlier block's bytes.
    #[test]
    fn slots_keep_bytes_of_earlier_blocks() {
        // Bytes 0..64 go to 24..88. The slot of block 5, at 80, is given 56..64 there; its upper half still has the
        // bytes 0..8 of block 1. So blocks 4 and 5 are read back as 40..56, 56..64 and 0..8.
        let found = copied(0, 24, 128);
        assert!(found[24..88].iter().copied().eq(0..64), "the first group");
        assert_eq!(found[88..120], counted(&[40..56, 56..64, 0..8]), "the second group begins");
        // The group's other two blocks are not in the slots: they are as before.
        assert!(found[120..152].iter().copied().eq(96..128), "the second group ends");
    }

    #[test]
    fn copies_match_the_model() {
        for from in 0..20 {
            for distance in (1..90).step_by(3).chain([16, 32, 48, 64, 80, 96]) {
                for length in [1, 2, 15, 30, 64, 66, 90, 126, 140] {
                    let found = copied(from, distance, length);
                    let expected = modelled(from as usize, distance as usize, length as usize);
                    assert_eq!(found, expected, "{length} bytes from {from} by {distance}");
                }
            }
        }
    }

    #[test]
    fn rows_without_overlap_are_plain_copies() {
        for (from, distance, length) in [(0, 128, 128), (12, 60, 60), (8, 100, 100), (3, 130, 120)] {
            let found = copied(from, distance, length);
            let expected = from..from + length;
            let target = (from + distance) as usize;
            let copied = found[target..].iter().take(length as usize).map(|byte| u32::from(*byte));
            assert!(copied.eq(expected), "{length} bytes from {from} by {distance}");
        }
    }
}
