//! The VRAM mirror: bytes of VRAM that the front end can read while another thread draws into the real ones.
//!
//! It holds copies of the pages that the front end has read before, such as those of palettes.

use std::ops::Range;

use crate::ge::address::VRAM_SIZE;
use crate::ge::memory::{Memory, Version, Vram};

/// Bytes of a page.
const PAGE: usize = 0x4000;
const PAGES: usize = VRAM_SIZE as usize / PAGE;

/// Copies of pages of VRAM, which take the place of VRAM while it is lent to another thread.
#[derive(Debug, Default)]
pub(super) struct VramMirror {
    /// `None` while VRAM is lent, and before the first time.
    placeholder: Option<Vram>,
    pages: MirrorPages,
}

/// The states of all pages.
#[derive(Debug)]
struct MirrorPages([MirrorPage; PAGES]);

impl Default for MirrorPages {
    fn default() -> Self {
        Self([MirrorPage::default(); PAGES])
    }
}

/// The state of a page.
#[derive(Clone, Copy, Debug, Default)]
struct MirrorPage {
    /// The front end read it while VRAM was lent, and may do so again.
    is_wanted: bool,
    /// The version of the copied bytes, if they are those of VRAM.
    version: Option<Version>,
}

impl VramMirror {
    /// Takes VRAM and puts copies of pages in its place, except pages that `may_change` until it is back.
    pub(super) fn lend(&mut self, memory: &mut Memory, may_change: impl Fn(&Range<usize>) -> bool) -> Vram {
        let mut vram = self.placeholder.take().unwrap_or_else(Vram::placeholder);
        for (number, page) in self.pages.0.iter_mut().enumerate().filter(|(_, page)| page.is_wanted) {
            let bytes = number * PAGE..(number + 1) * PAGE;
            let version = memory.vram_version(&bytes).filter(|_| !may_change(&bytes));
            if version.is_some() && version != page.version {
                vram.mirror(bytes, memory.vram());
            }
            page.version = version;
        }
        memory.swap_vram(&mut vram);
        vram
    }

    /// Returns VRAM to its place.
    pub(super) fn give_back(&mut self, memory: &mut Memory, mut vram: Vram) {
        memory.swap_vram(&mut vram);
        self.placeholder = Some(vram);
    }

    /// Checks whether bytes can be read while VRAM is lent. If not, their pages are copied from the next time on.
    pub(super) fn can_read(&mut self, bytes: &Range<usize>) -> bool {
        let pages = bytes.start / PAGE..bytes.end.div_ceil(PAGE).min(PAGES);
        let mut are_valid = bytes.end <= VRAM_SIZE as usize;
        for page in self.pages.0.get_mut(pages).unwrap_or(&mut []) {
            page.is_wanted = true;
            are_valid &= page.version.is_some();
        }
        are_valid
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
        let vram = mirror.lend(&mut memory, unchanging);
        assert!(!mirror.can_read(&bytes), "not wanted before");
        mirror.give_back(&mut memory, vram);
        let vram = mirror.lend(&mut memory, unchanging);
        assert!(mirror.can_read(&bytes), "copied");
        assert!(!mirror.can_read(&(0x3FFF..0x4001)), "the second page is not copied");
        let before = (memory.read_u32(palette), memory.version(palette, 4));
        assert_eq!(before.0, 0x0403_0201, "the copy");
        mirror.give_back(&mut memory, vram);
        memory.write(palette, &[5]);
        memory.write(target, &[6]);
        let vram = mirror.lend(&mut memory, unchanging);
        assert_eq!(memory.read_u32(palette), 0x0403_0205, "copied again");
        assert_ne!(memory.version(palette, 4), before.1, "other bytes have another version");
        mirror.give_back(&mut memory, vram);
        let vram = mirror.lend(&mut memory, |page| page.contains(&0x1000));
        assert!(!mirror.can_read(&bytes), "another thread may change it");
        mirror.give_back(&mut memory, vram);
        assert_eq!((memory.read_u8(palette), memory.read_u8(target)), (5, 6), "VRAM is back");
    }
}
