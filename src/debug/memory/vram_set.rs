//! A set of bytes in VRAM.

use std::ops::Range;

use bitvec::vec::BitVec;

use crate::ge::address::{Address, Region, VRAM_SIZE, VramView};
use crate::ge::edram::Translation;

/// A set of bytes in VRAM, by their offsets in linear order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VramSet {
    /// A bit for each block.
    blocks: BitVec,
    /// The logarithm of a block's size in bytes. If any byte is inserted, its whole block is in the set.
    shift: u32,
}

impl Default for VramSet {
    fn default() -> Self {
        Self::of_blocks(0)
    }
}

impl VramSet {
    /// Creates an empty set for blocks with `1 << shift` bytes.
    pub(crate) fn of_blocks(shift: u32) -> Self {
        Self { blocks: BitVec::repeat(false, (VRAM_SIZE >> shift) as usize), shift }
    }

    /// Adds the bytes at these addresses, as far as they are in VRAM.
    pub(crate) fn insert(&mut self, translation: Translation, start: Address, length: u32) {
        let Region::Vram(view, offset) = start.region() else { return };
        self.insert_view(translation, view, offset, length);
    }

    /// Adds `length` bytes from an offset in a view on. Offsets wrap at VRAM's end.
    pub(crate) fn insert_view(&mut self, translation: Translation, view: VramView, offset: u32, length: u32) {
        let length = length.min(VRAM_SIZE);
        translation.for_each_linear_range(view, offset, length, |bytes| self.insert_range(bytes));
    }

    /// Adds bytes in linear order, which wrap at VRAM's end.
    pub(crate) fn insert_linear(&mut self, offset: u32, length: u32) {
        let start = offset % VRAM_SIZE;
        let end = start.saturating_add(length.min(VRAM_SIZE));
        let mut fill = |range: Range<u32>| {
            let blocks = (range.start >> self.shift)..range.end.div_ceil(1 << self.shift);
            if let Some(blocks) = self.blocks.get_mut(blocks.start as usize..blocks.end as usize) {
                blocks.fill(true);
            }
        };
        fill(start..end.min(VRAM_SIZE));
        if end > VRAM_SIZE {
            fill(0..end.saturating_sub(VRAM_SIZE));
        }
    }

    /// Adds a byte range in linear order.
    pub(crate) fn insert_range(&mut self, bytes: Range<u32>) {
        self.insert_linear(bytes.start, bytes.end.saturating_sub(bytes.start));
    }

    /// Returns whether two sets share a block; both must use the same block size.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.blocks.as_raw_slice().iter().zip(other.blocks.as_raw_slice()).any(|(a, b)| a & b != 0)
    }

    /// Adds all blocks from another set with the same block size, word by word, because `bitvec` would take them bit
    /// by bit.
    pub(crate) fn extend(&mut self, other: &Self) {
        for (word, other) in self.blocks.as_raw_mut_slice().iter_mut().zip(other.blocks.as_raw_slice()) {
            *word |= other;
        }
    }

    /// Returns whether the set contains any of `length` bytes from an offset in linear order on.
    pub(crate) fn contains_any(&self, offset: u32, length: u32) -> bool {
        let end = offset.saturating_add(length).div_ceil(1 << self.shift);
        let blocks = self.blocks.get((offset >> self.shift) as usize..end as usize);
        blocks.is_some_and(|blocks| blocks.any())
    }

    pub(crate) fn count(&self) -> u64 {
        self.blocks.count_ones() as u64
    }

    /// Counts the set's blocks touched by a byte range in linear order.
    pub(crate) fn count_in(&self, bytes: Range<u32>) -> u64 {
        let end = bytes.end.div_ceil(1 << self.shift);
        let blocks = self.blocks.get((bytes.start >> self.shift) as usize..end as usize);
        blocks.map_or(0, |blocks| blocks.count_ones() as u64)
    }

    /// Counts the bytes of VRAM in the set that are not 0.
    pub(crate) fn count_nonzero(&self, vram: &[u8]) -> u64 {
        let bytes = self.parts().flat_map(|part| vram.get(part).unwrap_or_default());
        bytes.filter(|byte| **byte != 0).count() as u64
    }

    /// Fills VRAM with zeros, except for the bytes in the set.
    pub(crate) fn clear_others(&self, vram: &mut [u8]) {
        let before = vram.to_vec();
        vram.fill(0);
        for bytes in self.parts() {
            if let (Some(kept), Some(before)) = (vram.get_mut(bytes.clone()), before.get(bytes)) {
                kept.copy_from_slice(before);
            }
        }
    }

    /// Returns the bytes of each block in the set, in linear order.
    fn parts(&self) -> impl Iterator<Item = Range<usize>> {
        self.blocks.iter_ones().map(|number| number << self.shift..number.saturating_add(1) << self.shift)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts a set's bytes.
    fn bytes(set: &VramSet) -> usize {
        set.blocks.count_ones() << set.shift
    }

    #[test]
    fn blocks_are_inserted_whole() {
        let mut set = VramSet::of_blocks(8);
        set.insert_linear(0x1FF, 2);
        assert_eq!(
            (bytes(&set), set.contains_any(0x100, 1), set.contains_any(0x2FF, 1)),
            (512, true, true),
            "two blocks"
        );
        assert!(!set.contains_any(0x300, 1), "not the next one");
        set.insert_linear(0x400, 0);
        assert_eq!(bytes(&set), 512, "no bytes, no block");
        assert_eq!((set.count_in(0..VRAM_SIZE), set.count_in(0x1FF..0x200)), (2, 1), "its blocks");
        assert_eq!(
            (set.count_in(0..VRAM_SIZE + 1), set.contains_any(VRAM_SIZE, 1)),
            (0, false),
            "beyond VRAM"
        );
    }

    #[test]
    fn offsets_wrap_and_views_permute() {
        let mut set = VramSet::default();
        set.insert(Translation::default(), Address::vram(VRAM_SIZE - 2), 5);
        let mut found: Vec<u32> = (0..VRAM_SIZE).filter(|offset| set.contains_any(*offset, 1)).collect();
        assert_eq!(found, [0, 1, 2, VRAM_SIZE - 2, VRAM_SIZE - 1], "wrapped");
        let mut permuted = VramSet::default();
        permuted.insert(Translation::default(), Address::new(0x0460_0010), 64);
        found = (0..VRAM_SIZE).filter(|offset| permuted.contains_any(*offset, 1)).collect();
        let expected = (16..80).map(|offset| Translation::default().to_linear(VramView::Depth32, offset));
        let mut expected: Vec<u32> = expected.collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "the bytes that the view shows");
        assert!(!set.overlaps(&permuted), "apart");
        set.extend(&permuted);
        assert_eq!(bytes(&set), 69, "all of both");
        let mut vram = vec![7; VRAM_SIZE as usize];
        vram[1] = 0;
        assert_eq!(set.count_nonzero(&vram), 68, "one of them is zero");
        vram[1] = 7;
        set.clear_others(&mut vram);
        assert_eq!(vram.iter().filter(|byte| **byte == 7).count(), 69, "the others are zero");
    }
}
