//! Copies memory: all bytes, only changed pages, or single pieces.

use std::sync::Arc;

use bitvec::vec::BitVec;

use super::block::Block;
use super::changes::ChangeTracker;
use super::extra::ExtraRegions;
use super::vram::Vram;
use super::{LINE, Memory, PAGE};
use crate::ge::address::{Address, RAM_BASE};
use crate::ge::edram::Translation;
use crate::ge::never::OrNever;

/// A clone has its own versions. `clone_from` reuses the memory: if this was a clone of the same source before, it
/// copies only pages changed since, which makes repeated snapshots cheap.
impl Clone for Memory {
    fn clone(&self) -> Self {
        let mut copy = Self::with_ram_bytes(self.ram.len());
        copy.copy_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        if self.ram.len() == source.ram.len() && self.is_own() && source.is_own() {
            self.copy_from(source);
        } else {
            *self = source.clone();
        }
    }
}

impl Memory {
    /// Creates memory without any bytes, to be filled by [`Self::append_to_ram`].
    pub(crate) fn empty() -> Self {
        Self {
            ram: Arc::new(Block::zeroed(0)),
            ram_changes: Box::new(ChangeTracker::new(0, PAGE)),
            supplied_lines: BitVec::new(),
            vram: Box::new(Vram::absent()),
            scratchpad: Block::absent(),
            extra: ExtraRegions::default(),
            translation: Translation::default(),
            has_linear_views: false,
        }
    }

    /// Appends bytes to main RAM, and returns their address. Memory from [`Self::empty`] has no pages, so this
    /// records no changes.
    pub(crate) fn append_to_ram(&mut self, bytes: &[u8]) -> Address {
        let start = u32::try_from(self.ram.len()).or_never("main RAM has at most 64 MiB");
        Arc::make_mut(&mut self.ram).extend(bytes);
        Address::new(RAM_BASE).offset(start)
    }

    pub(crate) fn ram_size(&self) -> usize {
        self.ram.len()
    }

    /// Removes all bytes from main RAM, but keeps the allocation to fill it again.
    pub(crate) fn clear_ram(&mut self) {
        Arc::make_mut(&mut self.ram).clear();
    }

    /// Returns whether the engine owns all bytes and no other thread uses them, so that they can be overwritten in
    /// place.
    fn is_own(&self) -> bool {
        let is_unshared = Arc::strong_count(&self.ram) == 1;
        is_unshared && self.ram.is_owned() && self.vram.present().is_own() && self.scratchpad.is_owned()
    }

    /// Copies another memory into this memory. Main RAM must have the same size in both.
    fn copy_from(&mut self, source: &Self) {
        let ram = Arc::make_mut(&mut self.ram);
        self.ram_changes.copy_pages(ram, (&source.ram_changes, &source.ram), |page| {
            let start = page.saturating_mul(PAGE / LINE);
            let lines = start..start.saturating_add(PAGE / LINE);
            if let (Some(to), Some(from)) =
                (self.supplied_lines.get_mut(lines.clone()), source.supplied_lines.get(lines))
            {
                to.copy_from_bitslice(from);
            }
        });
        self.vram.present_mut().copy_from(source.vram.present());
        self.scratchpad.clone_from(&source.scratchpad);
        self.extra.clone_from(&source.extra);
        self.translation = source.translation;
        self.has_linear_views = source.has_linear_views;
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::memory::RamSize;

    #[test]
    fn reused_memory_equals_a_clone() {
        let [ram, later, vram, scratchpad] =
            [0x0880_0123, 0x0990_0000, 0x0401_2345, 0x0001_0040].map(Address::new);
        let mut source = Memory::default();
        for place in [ram, vram, scratchpad] {
            source.write(place, &[1, 2, 3]);
        }
        let mut reused = Memory::default();
        reused.write(later, &[9; 32]);
        reused.vram_mut().fill(7);
        for round in 0..4 {
            reused.clone_from(&source);
            let expected = source.clone();
            for page in 0..expected.page_count() {
                assert!(reused.copy_page(page) == expected.copy_page(page), "round {round}, page {page}");
            }
            let before = reused.version(later, 32);
            reused.write(later, &[round; 32]);
            assert_ne!(reused.version(later, 32), before, "round {round}: changes count");
            reused.write(ram, &[8]);
            reused.vram_part_mut(0x10_0000..0x10_0001).expect("it exists")[0] = 5;
            reused.write(scratchpad, &[4]);
            // The second round finds an unchanged source.
            if round > 0 {
                source.write(Address::new(0x0910_0000), &[round]);
            }
        }
        let mut small = Memory::new(RamSize::Small);
        small.clone_from(&source);
        assert_eq!(small.read_u32(ram), source.read_u32(ram), "main RAM of another size");
    }
}
