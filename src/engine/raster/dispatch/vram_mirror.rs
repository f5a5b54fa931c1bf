//! The VRAM mirror lets the front end read and write VRAM bytes while another thread draws into the real VRAM.
//!
//! It holds copies of pages that the front end has read before, such as those with palettes. It also keeps the bytes
//! written since VRAM was lent, and writes them to VRAM when this is back.

use std::ops::Range;

use crate::ge::address::VRAM_SIZE;
use crate::ge::memory::{Memory, Version, Vram, VramReturn};

/// Bytes in a page.
const PAGE: usize = 0x4000;
const PAGES: usize = VRAM_SIZE as usize / PAGE;
/// How many ranges may be written while VRAM is lent, before it is fetched back.
const MAX_LATE_WRITES: usize = 4096;

/// Copies of VRAM pages, to stand in for VRAM while another thread has it.
#[derive(Debug, Default)]
pub(crate) struct VramMirror {
    /// `None` while VRAM is lent, and before the first time.
    placeholder: Option<Vram>,
    pages: MirrorPages,
}

#[derive(Debug)]
struct MirrorPages([MirrorPage; PAGES]);

impl Default for MirrorPages {
    fn default() -> Self {
        Self([MirrorPage::default(); PAGES])
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct MirrorPage {
    /// Whether the front end read this page while VRAM was lent, because it may do so again.
    is_wanted: bool,
    /// The version of the copied bytes, if VRAM still has the same.
    version: Option<Version>,
}

impl VramMirror {
    /// Takes VRAM and puts copies of pages in its place. This leaves out pages that `may_change` until VRAM is back.
    /// Also returns where to leave VRAM if it cannot be given back.
    pub(crate) fn lend(
        &mut self,
        memory: &mut Memory,
        may_change: impl Fn(&Range<usize>) -> bool,
    ) -> (Vram, VramReturn) {
        let mut vram = self.placeholder.take().unwrap_or_else(Vram::placeholder);
        for (number, page) in self.pages.0.iter_mut().enumerate().filter(|(_, page)| page.is_wanted) {
            let bytes = number * PAGE..(number + 1) * PAGE;
            // An equal version means that the copy already has these bytes.
            let version = memory.vram_version(&bytes).filter(|_| !may_change(&bytes));
            if version.is_some() && version != page.version {
                vram.mirror(bytes, memory.vram());
            }
            page.version = version;
        }
        let place = vram.place();
        memory.swap_vram(&mut vram);
        (vram, place)
    }

    /// Puts VRAM back in its place, without the bytes written meanwhile.
    pub(super) fn give_back(&mut self, memory: &mut Memory, mut vram: Vram) {
        memory.swap_vram(&mut vram);
        self.placeholder = Some(vram);
    }

    /// Returns the ranges written while VRAM was lent, in order. For this, VRAM must be back.
    pub(super) fn late_writes(&self) -> &[Range<usize>] {
        self.placeholder.as_ref().map_or(&[], Vram::late_writes)
    }

    /// Writes to VRAM the bytes written while it was lent. For this, it must be back.
    pub(super) fn write_late(&mut self, memory: &mut Memory) {
        if let Some(placeholder) = &mut self.placeholder {
            memory.ram_and_vram_mut().1.add_late_writes(placeholder);
        }
    }

    /// Checks whether these bytes can be read while VRAM is lent. If not, this asks for their pages, to have them
    /// copied from the next time on.
    pub(crate) fn request_read(&mut self, memory: &Memory, bytes: &Range<usize>) -> bool {
        let late_writes = memory.vram_block().late_writes();
        // A late write's bytes are up to date here even if their page was not copied.
        if late_writes.iter().any(|range| range.start <= bytes.start && bytes.end <= range.end) {
            return true;
        }
        let pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE).min(PAGES);
        let mut are_valid = bytes.end <= VRAM_SIZE as usize;
        for page in self.pages.0.get_mut(pages).unwrap_or(&mut []) {
            page.is_wanted = true;
            are_valid &= page.version.is_some();
        }
        are_valid
    }

    /// Checks whether there is room for another late write.
    pub(super) fn has_room(memory: &Memory) -> bool {
        memory.vram_block().late_writes().len() < MAX_LATE_WRITES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;

    #[test]
    fn pages_are_copied_once_they_were_wanted() {
        let (mut memory, mut mirror) = (Memory::default(), VramMirror::default());
        let (palette, target) = (Address::vram(0x1000), Address::vram(0x8000));
        memory.write(palette, &[1, 2, 3, 4]);
        let bytes = 0x1000..0x1004;
        let unchanging = |_: &Range<usize>| false;
        let (vram, _) = mirror.lend(&mut memory, unchanging);
        assert!(!mirror.request_read(&memory, &bytes), "not wanted before");
        mirror.give_back(&mut memory, vram);
        let (vram, _) = mirror.lend(&mut memory, unchanging);
        assert!(mirror.request_read(&memory, &bytes), "copied");
        assert!(!mirror.request_read(&memory, &(0x3FFF..0x4001)), "the second page is not copied");
        let before = (memory.read_u32(palette), memory.version(palette, 4));
        assert_eq!(before.0, 0x0403_0201, "the copy");
        mirror.give_back(&mut memory, vram);
        memory.write(palette, &[5]);
        memory.write(target, &[6]);
        let (vram, _) = mirror.lend(&mut memory, unchanging);
        assert_eq!(memory.read_u32(palette), 0x0403_0205, "copied again");
        assert_ne!(memory.version(palette, 4), before.1, "other bytes have another version");
        mirror.give_back(&mut memory, vram);
        let (vram, _) = mirror.lend(&mut memory, |page| page.contains(&0x1000));
        assert!(!mirror.request_read(&memory, &bytes), "another thread may change it");
        mirror.give_back(&mut memory, vram);
        assert_eq!((memory.read_u8(palette), memory.read_u8(target)), (5, 6), "VRAM is back");
    }

    #[test]
    fn late_writes_reach_vram_after_its_draws() {
        let (mut memory, mut mirror) = (Memory::default(), VramMirror::default());
        let texture = Address::vram(0x1_0010);
        memory.write(texture, &[1; 8]);
        let (mut vram, _) = mirror.lend(&mut memory, |_| false);
        memory.write(texture.offset(2), &[2, 2]);
        memory.write(texture.offset(4), &[0]);
        assert!(mirror.request_read(&memory, &(0x1_0012..0x1_0015)), "the bytes written, in two steps");
        assert!(!mirror.request_read(&memory, &(0x1_0011..0x1_0015)), "one byte before them");
        assert_eq!(memory.read_array(texture.offset(2)), [2, 2, 0], "read at once");
        // A draw in the job fills its pixels.
        vram.bytes_mut(std::iter::once(0x1_0010..0x1_0016))[0x1_0010..0x1_0016].fill(7);
        mirror.give_back(&mut memory, vram);
        assert_eq!(memory.read_array(texture), [7, 7, 7, 7, 7, 7, 1, 1], "as the draw left it");
        mirror.write_late(&mut memory);
        assert_eq!(memory.read_array(texture), [7, 7, 2, 2, 0, 7, 1, 1], "no other byte changes");
        let version = memory.version(texture, 8);
        let (vram, _) = mirror.lend(&mut memory, |_| false);
        memory.write(texture.offset(2), &[2]);
        mirror.give_back(&mut memory, vram);
        mirror.write_late(&mut memory);
        assert_eq!(memory.version(texture, 8), version, "an equal byte is no change");
    }
}
