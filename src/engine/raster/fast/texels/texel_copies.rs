//! Copies of texels serve textures that cannot be read in place.
//!
//! # Invariants
//! A copy is shared only as long as its source in memory has not changed.

use std::ops::Range;
use std::sync::Arc;

use arrayvec::ArrayVec;

use crate::ge::address::Address;
use crate::ge::edram::Translation;
use crate::ge::memory::{Memory, Version};

const MAX_COPIES: usize = 4;

/// The latest copies of textures in permuted views of VRAM. Games draw such textures in strips, so many draws can
/// share a copy.
#[derive(Debug, Default)]
pub(crate) struct TexelCopies {
    kept: ArrayVec<KeptCopy, MAX_COPIES>,
    next_victim: usize,
}

#[derive(Debug)]
struct KeptCopy {
    address: Address,
    translation: Translation,
    /// The version of the linear VRAM bytes from which this copy was read.
    version: Version,
    bytes: Arc<Vec<u8>>,
}

impl TexelCopies {
    /// Copies `length` bytes from `address` on. `vram` contains all bytes of linear VRAM among them. If it is empty,
    /// this does not keep the copy, because there is no version to check it by.
    pub(crate) fn copy(
        &mut self,
        memory: &Memory,
        address: Address,
        length: usize,
        vram: &Range<usize>,
    ) -> Arc<Vec<u8>> {
        let translation = memory.translation();
        let version = memory.vram_version(vram).filter(|_| !vram.is_empty() && address.is_vram());
        let is_same = |kept: &&KeptCopy| {
            Some(kept.version) == version
                && (kept.address, kept.translation, kept.bytes.len()) == (address, translation, length)
        };
        if let Some(kept) = self.kept.iter().find(is_same) {
            return Arc::clone(&kept.bytes);
        }
        let mut bytes = vec![0; length];
        memory.read(address, &mut bytes);
        let bytes = Arc::new(bytes);
        if let Some(version) = version {
            let copy = KeptCopy { address, translation, version, bytes: Arc::clone(&bytes) };
            if let Err(full) = self.kept.try_push(copy) {
                self.kept[self.next_victim] = full.element();
                self.next_victim = (self.next_victim + 1) % MAX_COPIES;
            }
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_shared_until_a_byte_changes() {
        let (mut memory, mut copies) = (Memory::default(), TexelCopies::default());
        let depth = Address::new(0x0460_0000);
        memory.write(depth, &[1, 2, 3]);
        let block = 0..0x4000;
        let first = copies.copy(&memory, depth, 64, &block);
        assert_eq!(first[..4], [1, 2, 3, 0], "in the order of the view");
        assert!(Arc::ptr_eq(&first, &copies.copy(&memory, depth, 64, &block)), "nothing changed");
        assert!(!Arc::ptr_eq(&first, &copies.copy(&memory, depth, 32, &block)), "another length");
        memory.write(Address::vram(0x8000), &[9]);
        assert!(Arc::ptr_eq(&first, &copies.copy(&memory, depth, 64, &block)), "another block changed");
        memory.write(depth.offset(1), &[7]);
        assert_eq!(copies.copy(&memory, depth, 64, &block)[..4], [1, 7, 3, 0], "copied again");
        memory.set_translation(Translation::None);
        assert_eq!(copies.copy(&memory, depth, 64, &block)[..4], [0; 4], "other bytes in the same view");
        for address in (0..9).map(|block| depth.offset(block * 0x100)) {
            copies.copy(&memory, address, 8, &block);
        }
        assert_eq!(copies.kept.len(), MAX_COPIES, "only the last ones are kept");
        let main = Address::new(0x0880_0000);
        memory.write(main, &[5]);
        assert_eq!(copies.copy(&memory, main, 4, &(0..0))[..], [5, 0, 0, 0], "main RAM");
        memory.write(main, &[6]);
        assert_eq!(copies.copy(&memory, main, 4, &(0..0))[..], [6, 0, 0, 0], "is not kept");
    }
}
