//! Finds free main RAM for the commands and data added by an excerpt.

use crate::ge::address::{Address, RAM_BASE};
use crate::ge::memory::Memory;

/// Bytes per page in main RAM.
const PAGE: u32 = 0x1_0000;
/// To this each piece is aligned, because texture and palette addresses have no lower bits.
const ALIGNMENT: u32 = 16;

/// Main RAM never written before, to take piece by piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FreeRam {
    next: Address,
    /// How many bytes are free from `next` on.
    left: u32,
}

impl FreeRam {
    /// Finds the largest run of pages never written. This leaves out its first page, because textures may be read
    /// beyond their bytes.
    pub(crate) fn find(memory: &Memory) -> Self {
        let address = |page: usize| Address::new(RAM_BASE).offset(page_offset(page));
        let mut best = 0..0_usize;
        let mut start = 0;
        for page in 0..memory.page_count() {
            if page_offset(page) >= crate::ge::address::RAM_SIZE_MAX {
                break;
            }
            if memory.is_page_written(page) || !memory.is_mapped(address(page), PAGE) {
                start = page.saturating_add(1);
            } else if page.saturating_add(1).saturating_sub(start) > best.len() {
                best = start..page.saturating_add(1);
            }
        }
        let bytes = page_offset(best.len()).saturating_sub(PAGE);
        Self { next: address(best.start).offset(PAGE), left: bytes }
    }

    /// Takes bytes, starting at a multiple of 16. Returns `None` if too few are left.
    pub(crate) fn take(&mut self, bytes: u32) -> Option<Address> {
        let bytes = bytes.checked_next_multiple_of(ALIGNMENT)?;
        self.left = self.left.checked_sub(bytes)?;
        let taken = self.next;
        self.next = taken.offset(bytes);
        Some(taken)
    }
}

fn page_offset(page: usize) -> u32 {
    u32::try_from(page).unwrap_or(u32::MAX).saturating_mul(PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_apart_from_written_pages() {
        let mut memory = Memory::default();
        memory.write_u8(Address::new(0x0800_0000), 1);
        memory.write_u8(Address::new(0x0A12_3456), 1);
        let mut free = FreeRam::find(&memory);
        // The run before the second byte is larger.
        let first = free.take(5).expect("room");
        assert_eq!(first, Address::new(0x0802_0000), "after a gap of a page");
        assert_eq!(free.take(16), Some(first.offset(16)), "aligned");
        assert_eq!(free.take(0x0400_0000), None, "too large");
        let all = free.take(0x0A12_0000 - 0x0802_0000 - 32);
        assert_eq!(all, Some(first.offset(32)), "up to the next written page");
        assert_eq!(free.take(1), None, "nothing is left");
    }
}
