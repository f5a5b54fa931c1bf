//! Divides memory into pages, so that checkpoints can share unchanged pages.
//!
//! Page numbers run through main RAM, VRAM in linear order, the scratchpad, and a host's extra regions. The
//! scratchpad and each extra region are a single page.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bitvec::vec::BitVec;

use super::changes::Version;
use super::{LINE, Memory, PAGE, vram};
use crate::ge::address::{Address, RAM_BASE, Region, SCRATCHPAD_BASE, VRAM_BASE, VRAM_SIZE};
use crate::ge::never::OrNever;

const VRAM_PAGES: usize = VRAM_SIZE as usize / vram::PAGE;

/// A copy of a page, to restore it later.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PageCopy {
    bytes: Box<[u8]>,
    /// Which lines were ever written, for main RAM. Empty for other pages, which have no such record.
    supplied: BitVec,
}

impl PageCopy {
    /// Returns the page's bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns how many bytes this copy takes, to bound a checkpoint's memory.
    pub fn size(&self) -> usize {
        self.bytes.len().saturating_add(self.supplied.len() / 8)
    }
}

impl fmt::Debug for PageCopy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PageCopy").field("bytes", &self.bytes.len()).finish_non_exhaustive()
    }
}

/// Where a page is: its byte range in main RAM or VRAM, or its extra region's number.
enum Place {
    Ram(Range<usize>),
    Vram(Range<usize>),
    Scratchpad,
    Extra(usize),
}

#[doc(hidden)]
impl Memory {
    /// Returns how many pages there are.
    pub fn page_count(&self) -> usize {
        self.scratchpad_page().saturating_add(1).saturating_add(self.extra.0.len())
    }

    /// Returns the address of a page's first byte. In VRAM this is an address in the linear view.
    pub fn page_address(&self, page: usize) -> Address {
        let at = |base: u32, bytes: Range<usize>| {
            Address::new(base).offset(u32::try_from(bytes.start).unwrap_or(u32::MAX))
        };
        match self.place(page) {
            Place::Ram(bytes) => at(RAM_BASE, bytes),
            Place::Vram(bytes) => at(VRAM_BASE, bytes),
            Place::Scratchpad => Address::new(SCRATCHPAD_BASE),
            Place::Extra(number) => {
                let region = self.extra.0.get(number);
                region.map(|region| region.start).or_never("a page is in a region that exists")
            }
        }
    }

    /// Finds the page that starts at this address, as the inverse of [`Self::page_address`]. Returns `None` if no
    /// page starts there.
    pub fn page_at(&self, start: Address) -> Option<usize> {
        let page = match start.region() {
            Region::Ram(offset) => (offset as usize / PAGE).min(self.ram_pages()),
            Region::Vram(_, offset) => self.ram_pages().saturating_add(offset as usize / vram::PAGE),
            Region::Scratchpad(_) => self.scratchpad_page(),
            Region::Unmapped => {
                let number = self.extra.0.iter().position(|region| region.start == start)?;
                self.scratchpad_page().saturating_add(1).saturating_add(number)
            }
        };
        // The address may be inside a page, so this checks that the page starts there.
        (self.page_address(page) == start).then_some(page)
    }

    /// Returns a page's version, or `None` for the scratchpad and extra regions, because their changes are not
    /// tracked.
    pub fn page_version(&self, page: usize) -> Option<Version> {
        match self.place(page) {
            Place::Ram(bytes) => self.ram_changes.version(&bytes),
            Place::Vram(bytes) => self.vram.present().version(&bytes),
            Place::Scratchpad | Place::Extra(_) => None,
        }
    }

    /// Returns whether a page may hold anything but zeros. Checkpoints let all unwritten pages share a copy.
    pub fn is_page_written(&self, page: usize) -> bool {
        match self.place(page) {
            Place::Ram(_) => self.ram_changes.is_changed(page),
            Place::Vram(_) | Place::Scratchpad | Place::Extra(_) => true,
        }
    }

    /// Copies a page. Another thread must not have VRAM meanwhile, because its bytes are then not here.
    pub fn copy_page(&self, page: usize) -> PageCopy {
        let place = self.place(page);
        let supplied = match &place {
            Place::Ram(bytes) => self.supplied_lines.get(lines(bytes)).map(|bits| bits.to_bitvec()),
            Place::Vram(_) | Place::Scratchpad | Place::Extra(_) => None,
        };
        let bytes = self.bytes_at(place).or_never("a page is inside its memory").into();
        PageCopy { bytes, supplied: supplied.unwrap_or_default() }
    }

    /// Writes a page back. This counts as a change.
    pub fn restore_page(&mut self, page: usize, copy: &PageCopy) {
        let target = match self.place(page) {
            Place::Ram(bytes) => {
                self.ram_changes.mark(&bytes);
                if let Some(supplied) = self.supplied_lines.get_mut(lines(&bytes))
                    && supplied.len() == copy.supplied.len()
                {
                    supplied.copy_from_bitslice(&copy.supplied);
                }
                Arc::make_mut(&mut self.ram).get_mut(bytes)
            }
            Place::Vram(bytes) => self.vram.present_mut().bytes_mut([bytes.clone()]).get_mut(bytes),
            Place::Scratchpad => Some(&mut self.scratchpad[..]),
            Place::Extra(number) => self.extra.0.get_mut(number).map(|region| &mut *region.bytes),
        };
        if let Some(target) = target
            && target.len() == copy.bytes.len()
        {
            target.copy_from_slice(&copy.bytes);
        }
    }

    /// Returns whether a page holds exactly these bytes.
    pub fn is_page_equal(&self, page: usize, copy: &PageCopy) -> bool {
        let bytes = self.bytes_at(self.place(page));
        bytes == Some(&copy.bytes)
    }

    fn bytes_at(&self, place: Place) -> Option<&[u8]> {
        match place {
            Place::Ram(bytes) => self.ram.get(bytes),
            Place::Vram(bytes) => self.vram.present().bytes().get(bytes),
            Place::Scratchpad => Some(&self.scratchpad[..]),
            Place::Extra(number) => self.extra.0.get(number).map(|region| &*region.bytes),
        }
    }

    fn ram_pages(&self) -> usize {
        self.ram.len() / PAGE
    }

    fn scratchpad_page(&self) -> usize {
        self.ram_pages().saturating_add(VRAM_PAGES)
    }

    fn place(&self, page: usize) -> Place {
        let ram_pages = self.ram_pages();
        let bytes = |page: usize, size: usize| {
            let start = page.saturating_mul(size);
            start..start.saturating_add(size)
        };
        match page.checked_sub(ram_pages) {
            None => Place::Ram(bytes(page, PAGE)),
            Some(page) if page < VRAM_PAGES => Place::Vram(bytes(page, vram::PAGE)),
            Some(VRAM_PAGES) => Place::Scratchpad,
            Some(page) => Place::Extra(page.saturating_sub(VRAM_PAGES).saturating_sub(1)),
        }
    }
}

/// Converts a main RAM byte range to line numbers.
const fn lines(bytes: &Range<usize>) -> Range<usize> {
    bytes.start / LINE..bytes.end / LINE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_addresses() {
        let memory = Memory::default();
        for page in [
            0,
            1,
            memory.ram_pages() - 1,
            memory.ram_pages(),
            memory.page_count() - 2,
            memory.page_count() - 1,
        ] {
            let start = memory.page_address(page);
            assert!(memory.is_mapped(start, 4), "page {page} at {start}");
            assert_eq!(memory.page_at(start), Some(page), "page {page} at {start}");
            assert_eq!(memory.page_at(start.offset(4)), None, "inside page {page}");
        }
        assert_eq!(memory.page_at(Address::new(0)), None, "no memory");
    }

    #[test]
    fn restored_pages_are_as_copied() {
        let mut memory = Memory::default();
        let places = [Address::new(0x0880_0000), Address::vram(0x1F_FFF0), Address::new(0x0001_0000)];
        let copies: Vec<PageCopy> = (0..memory.page_count()).map(|page| memory.copy_page(page)).collect();
        let versions: Vec<_> = (0..copies.len()).map(|page| memory.page_version(page)).collect();
        for place in places {
            memory.write(place, &[1; 16]);
        }
        // Writing equal bytes changes only the supply.
        memory.write(Address::new(0x0890_0000), &[0; 4]);
        let differs = |(page, version): &(usize, &Option<Version>)| memory.page_version(*page) != **version;
        let changed: Vec<usize> = versions.iter().enumerate().filter(differs).map(|(page, _)| page).collect();
        assert_eq!(changed, [128, 144, 1024 + 127], "the scratchpad has no versions");
        for (page, copy) in copies.iter().enumerate() {
            memory.restore_page(page, copy);
            assert_eq!(memory.copy_page(page), *copy, "page {page}");
        }
        for place in places {
            assert_eq!(memory.read_u32(place), 0, "{place} is as before");
        }
        assert!(!memory.is_supplied(Address::new(0x0890_0000)), "supply is restored");
    }
}
