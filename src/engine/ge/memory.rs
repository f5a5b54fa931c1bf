//! Emulated memory: main RAM, VRAM, the scratchpad, and regions that a host adds.
//!
//! # Invariants
//! [`Memory`] holds every byte, whether owned or lent by a [`host`]. Reads never panic: missing memory reads as
//! zero, and writes to it are dropped ([missing memory](crate::reference::ge::memory#missing-memory)). Memory also
//! records which main RAM lines were ever written ("supplied"), so that a capture can hold everything its list needs
//! and a trace can report missing data.

#![warn(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use bitvec::vec::BitVec;

use crate::ge::address::{
    Address, RAM_BASE, RAM_SIZE_MAX, Region, SCRATCHPAD_BASE, SCRATCHPAD_SIZE, VRAM_BASE, VRAM_SIZE, VramView,
};
use crate::ge::edram::{Translation, UNIT};
use crate::ge::never::OrNever;

mod block;
mod changes;
mod clone;
mod extra;
pub mod host;
#[doc(hidden)]
pub mod pages;
mod vram;

pub(crate) use block::Block;
use changes::ChangeTracker;
pub use changes::Version;
use extra::ExtraRegions;
pub(crate) use vram::{Vram, VramReturn};

/// How many bytes a main RAM page has. Changes are tracked by page, so that a clone copies only changed pages.
const PAGE: usize = 0x1_0000;
/// How many bytes a main RAM line has. Supply is recorded by line.
const LINE: usize = 16;

/// Reads and writes skip unmapped addresses up to the next multiple of this, to cross large gaps quickly.
const UNMAPPED_STEP: usize = 0x1000;

/// How many bytes all VRAM views take together. They follow each other without gaps.
const VRAM_VIEWS_SIZE: usize = 8 * VRAM_SIZE as usize;

/// How large main RAM is, which depends on the PSP model to emulate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RamSize {
    /// 32 MiB, as in the PSP-1000.
    Small,
    /// 64 MiB, as in all later models.
    #[default]
    Large,
}

impl RamSize {
    const fn bytes(self) -> u32 {
        match self {
            Self::Small => RAM_SIZE_MAX / 2,
            Self::Large => RAM_SIZE_MAX,
        }
    }
}

/// A point in VRAM's history, to ask later which bytes have changed since ([`Memory::vram_changes_since`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VramMark(u64);

/// Every byte in the Graphics Engine's reach. VRAM starts zeroed and counts as supplied.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{Address, Memory};
///
/// let mut memory = Memory::default();
/// memory.write(Address::new(0x0880_0000), &[1, 2, 3, 4]);
/// // The mirror outside the cache shows the same bytes.
/// assert_eq!(memory.read_u32(Address::new(0x4880_0000)), 0x0403_0201);
/// ```
pub struct Memory {
    /// Main RAM. The operating system commits a page when it is first touched, so unused pages cost no memory. While
    /// a rasterizer shares RAM with another thread, the first write would copy all RAM; sinks avoid this in
    /// `flush_for_write`.
    ram: Arc<Block>,
    ram_changes: Box<ChangeTracker>,
    /// A bit for each main RAM line, set if the line was ever written.
    supplied_lines: BitVec,
    vram: Box<Vram>,
    scratchpad: Block,
    extra: ExtraRegions,
    translation: Translation,
    /// Whether all views show VRAM in linear order, whatever the translation. A host may ask for this.
    has_linear_views: bool,
}

impl Memory {
    /// Creates zeroed memory with main RAM in this size.
    #[must_use]
    pub fn new(ram: RamSize) -> Self {
        Self::with_ram_bytes(ram.bytes() as usize)
    }

    fn with_ram_bytes(bytes: usize) -> Self {
        Self::with_ram(Block::zeroed(bytes), bytes)
    }

    /// Creates zeroed memory around this main RAM. `bytes` is RAM's size, even if a host has not lent the bytes yet.
    fn with_ram(ram: Block, bytes: usize) -> Self {
        let bits = |count: usize| {
            let mut bits = BitVec::from_vec(vec![0; count.div_ceil(usize::BITS as usize)]);
            bits.truncate(count);
            bits
        };
        Self {
            ram: Arc::new(ram),
            ram_changes: Box::new(ChangeTracker::new(bytes, PAGE)),
            supplied_lines: bits(bytes / LINE),
            vram: Box::new(Vram::new()),
            scratchpad: Block::zeroed(SCRATCHPAD_SIZE as usize),
            extra: ExtraRegions::default(),
            translation: Translation::default(),
            has_linear_views: false,
        }
    }

    /// Returns the eDRAM address translation that reads and writes use: [`Translation::Linear`] if a host asked for
    /// linear views, otherwise the selected translation.
    #[must_use]
    pub const fn translation(&self) -> Translation {
        if self.has_linear_views { Translation::Linear } else { self.translation }
    }

    /// Returns the translation selected last, to answer the system call that asks for it. This translation has no
    /// effect if a host asked for linear views.
    #[must_use]
    pub const fn selected_translation(&self) -> Translation {
        self.translation
    }

    /// Selects the eDRAM address translation. Bytes in VRAM stay in place, but its views change.
    /// [`Translation::Linear`] is not selectable and changes nothing.
    pub const fn set_translation(&mut self, translation: Translation) {
        if !matches!(translation, Translation::Linear) {
            self.translation = translation;
        }
    }

    /// Returns VRAM in linear order, 2 MiB.
    #[must_use]
    pub fn vram(&self) -> &[u8] {
        self.vram.present().bytes()
    }

    /// Returns VRAM in linear order, 2 MiB, to draw into it. This marks all VRAM as changed. If a sink with several
    /// threads runs, flush it first ([`Sink::flush`](crate::run::sink::Sink::flush)), because the bytes may be lost
    /// otherwise.
    pub fn vram_mut(&mut self) -> &mut [u8] {
        self.vram.present_mut().bytes_mut(std::iter::once(0..VRAM_SIZE as usize))
    }

    /// Returns these VRAM bytes in linear order, to draw into them without marking the rest as changed. Returns
    /// `None` if any byte does not exist. Flush sinks first, as for [`Self::vram_mut`].
    pub fn vram_part_mut(&mut self, bytes: Range<usize>) -> Option<&mut [u8]> {
        self.vram.present_mut().bytes_mut([bytes.clone()]).get_mut(bytes)
    }

    /// Returns main RAM to read textures and vertices, and VRAM to draw into it.
    pub(crate) fn ram_and_vram_mut(&mut self) -> (&[u8], &mut Vram) {
        (&self.ram, self.vram.present_mut())
    }

    /// Shares main RAM with another thread. Drop the result before writing to RAM, because the write would have to
    /// copy RAM.
    pub(crate) fn shared_ram(&self) -> Arc<Block> {
        Arc::clone(&self.ram)
    }

    /// Returns the version for these VRAM bytes in linear order, or `None` if any does not exist.
    pub(crate) fn vram_version(&self, bytes: &Range<usize>) -> Option<Version> {
        self.vram.present().version(bytes)
    }

    /// Marks this point in VRAM's history, for [`Self::vram_changes_since`].
    #[must_use]
    pub fn mark_vram(&self) -> VramMark {
        VramMark(self.vram.present().change_count())
    }

    /// Returns the parts of linear VRAM that may have changed since this mark was made, in order. Draws count as
    /// changes only when they are completed, so flush sinks first.
    pub fn vram_changes_since(&self, mark: VramMark) -> impl Iterator<Item = Range<u32>> {
        self.vram.present().changes_since(mark.0)
    }

    pub(crate) fn vram_block(&self) -> &Vram {
        self.vram.present()
    }

    /// Exchanges VRAM for a placeholder, to let another thread draw into VRAM. Until VRAM is exchanged back, it
    /// reads as the placeholder, which keeps everything written to it.
    pub(crate) fn swap_vram(&mut self, vram: &mut Vram) {
        std::mem::swap(self.vram.present_mut(), vram);
    }

    /// Returns the version for `length` bytes from `address` on, to tell later whether data derived from them are
    /// stale. Returns `None` if any byte is outside main RAM and VRAM's linear view.
    #[must_use]
    pub fn version(&self, address: Address, length: usize) -> Option<Version> {
        let bytes = |offset: u32| offset as usize..(offset as usize).saturating_add(length);
        match address.region() {
            Region::Ram(offset) => {
                self.ram.get(bytes(offset))?;
                self.ram_changes.version(&bytes(offset))
            }
            Region::Vram(VramView::Linear, offset) => self.vram.present().version(&bytes(offset)),
            _ => None,
        }
    }

    /// Borrows `length` bytes from `address` on, to read them without a copy. Returns `None` if any byte is unmapped
    /// or if a permuted VRAM view scatters them.
    #[must_use]
    pub fn slice(&self, address: Address, length: usize) -> Option<&[u8]> {
        let (bytes, start) = match address.region() {
            Region::Ram(offset) => (&self.ram[..], offset as usize),
            Region::Vram(VramView::Linear, offset) => (self.vram.present().bytes(), offset as usize),
            Region::Scratchpad(offset) => (&self.scratchpad[..], offset as usize),
            Region::Vram(..) => return None,
            Region::Unmapped => self.extra.find(address)?,
        };
        bytes.get(start..)?.get(..length)
    }

    /// Works as [`Self::slice`], but also returns bytes that a permuted VRAM view keeps together.
    fn piece(&self, address: Address, length: usize) -> Option<&[u8]> {
        match address.region() {
            Region::Vram(view, offset) if length <= left_in_unit(offset) => {
                let start = self.translation().to_linear(view, offset) as usize;
                self.vram.present().bytes().get(start..)?.get(..length)
            }
            _ => self.slice(address, length),
        }
    }

    /// Returns whether [`Self::slice`] would return these bytes. This also works while another thread has VRAM,
    /// because it never touches VRAM's bytes.
    pub(crate) fn is_contiguous(&self, address: Address, length: usize) -> bool {
        match address.region() {
            Region::Vram(VramView::Linear, offset) => {
                (offset as usize).saturating_add(length) <= VRAM_SIZE as usize
            }
            _ => self.slice(address, length).is_some(),
        }
    }

    /// Returns whether memory exists for all `length` bytes from `address` on.
    #[must_use]
    pub fn is_mapped(&self, address: Address, length: u32) -> bool {
        let Some(last) = length.checked_sub(1) else { return true };
        let (start, size) = match address.region() {
            Region::Ram(_) => (RAM_BASE, self.ram.len()),
            // The views follow each other without gaps. A host may not have lent the bytes yet.
            Region::Vram(..) if self.vram.present().bytes().is_empty() => return false,
            Region::Vram(..) => (VRAM_BASE, VRAM_VIEWS_SIZE),
            Region::Scratchpad(_) => (SCRATCHPAD_BASE, self.scratchpad.len()),
            Region::Unmapped => return self.extra.contains(address, length),
        };
        u64::from(address.get().wrapping_sub(start)).saturating_add(u64::from(last)) < size as u64
    }

    /// Fetches the little-endian word at `address`, or returns `None` if any of its bytes is unmapped.
    #[inline]
    pub(crate) fn word(&self, address: Address) -> Option<u32> {
        // Nearly all list words are in main RAM, so this path skips the general lookup.
        if let Region::Ram(offset) = address.region()
            && let Some(bytes) = self.ram.get(offset as usize..).and_then(<[u8]>::first_chunk)
        {
            return Some(u32::from_le_bytes(*bytes));
        }
        self.is_mapped(address, 4).then(|| self.read_u32(address))
    }

    /// Returns whether the main RAM line at `address` was ever written. All other memory counts as supplied, and so
    /// does a host's memory.
    #[must_use]
    pub fn is_supplied(&self, address: Address) -> bool {
        match address.region() {
            Region::Ram(offset) => self.supplied_lines.get(offset as usize / LINE).is_some_and(|bit| *bit),
            Region::Vram(..) | Region::Scratchpad(_) => true,
            Region::Unmapped => self.extra.find(address).is_some(),
        }
    }

    /// Reads the byte at `address`, or 0 if this address is unmapped.
    #[must_use]
    pub fn read_u8(&self, address: Address) -> u8 {
        let byte = match address.region() {
            Region::Ram(offset) => self.ram.get(offset as usize),
            Region::Vram(view, offset) => {
                self.vram.present().bytes().get(self.translation().to_linear(view, offset) as usize)
            }
            Region::Scratchpad(offset) => self.scratchpad.get(offset as usize),
            Region::Unmapped => self.extra.find(address).and_then(|(bytes, start)| bytes.get(start)),
        };
        byte.copied().unwrap_or(0)
    }

    /// Reads a little-endian 16-bit value at any alignment.
    #[must_use]
    pub fn read_u16(&self, address: Address) -> u16 {
        u16::from_le_bytes(self.read_array(address))
    }

    /// Reads a little-endian 32-bit value at any alignment.
    #[must_use]
    pub fn read_u32(&self, address: Address) -> u32 {
        u32::from_le_bytes(self.read_array(address))
    }

    /// Reads `N` bytes from `address` on. Unmapped bytes read as 0.
    #[must_use]
    pub fn read_array<const N: usize>(&self, address: Address) -> [u8; N] {
        if let Some(bytes) = self.piece(address, N).and_then(<[u8]>::first_chunk) {
            return *bytes;
        }
        let mut out = [0; N];
        self.read(address, &mut out);
        out
    }

    /// Fills `out` with the bytes from `address` on. Unmapped bytes read as 0.
    pub fn read(&self, address: Address, out: &mut [u8]) {
        let mut at = address;
        let mut rest = out;
        while !rest.is_empty() {
            let length = self.contiguous(at, rest.len());
            let (chunk, tail) = rest.split_at_mut(length);
            match self.piece(at, length) {
                Some(bytes) => chunk.copy_from_slice(bytes),
                None => chunk.fill(self.read_u8(at)),
            }
            at = at.offset(u32::try_from(length).unwrap_or(u32::MAX));
            rest = tail;
        }
    }

    /// Writes a byte, or drops it if the address is unmapped.
    pub fn write_u8(&mut self, address: Address, value: u8) {
        self.write(address, &[value]);
    }

    /// Writes `bytes` from `address` on, but drops those at unmapped addresses. A contiguous run that memory already
    /// holds does not count as a change, so that derived data stay valid.
    pub fn write(&mut self, address: Address, bytes: &[u8]) {
        let mut at = address;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (chunk, tail) = rest.split_at(self.contiguous(at, rest.len()));
            let next = at.offset(u32::try_from(chunk.len()).unwrap_or(u32::MAX));
            if let Region::Vram(view, offset) = at.region()
                && self.vram.present_mut().is_placeholder()
            {
                // The placeholder's bytes may differ from VRAM's, so this cannot tell whether the write changes any.
                // The comparison is made when VRAM is back.
                self.vram.write_late(self.translation().to_linear(view, offset) as usize, chunk);
                (at, rest) = (next, tail);
                continue;
            }
            // A page's state includes which lines are supplied, so a first write counts as a change even if the
            // bytes stay equal.
            let is_change =
                self.piece(at, chunk.len()) != Some(chunk) || !self.is_supplied_whole(at, chunk.len());
            if is_change {
                self.mark_changed(at, chunk.len());
            }
            // Outside VRAM the bytes are written in any case, to record supply in main RAM.
            if (is_change || !at.is_vram())
                && let Some(bytes) = self.bytes_mut(at, chunk.len())
            {
                bytes.copy_from_slice(chunk);
            }
            (at, rest) = (next, tail);
        }
    }

    /// Copies `length` bytes. All bytes are read before any is written, so the ranges may overlap.
    pub fn copy(&mut self, from: Address, to: Address, length: usize) {
        let mut bytes = vec![0; length];
        self.read(from, &mut bytes);
        self.write(to, &bytes);
    }

    /// Writes `value` to `length` bytes from `address` on, but drops those at unmapped addresses.
    pub fn fill(&mut self, address: Address, value: u8, length: u32) {
        let block = [value; 256];
        let mut at = address;
        let mut left = length;
        while left > 0 {
            let count = left.min(256);
            self.write(at, block.get(..count as usize).or_never("a part fits into the block"));
            at = at.offset(count);
            left = left.saturating_sub(count);
        }
    }

    /// Borrows `length` contiguous bytes to write them, and marks them as supplied.
    fn bytes_mut(&mut self, address: Address, length: usize) -> Option<&mut [u8]> {
        let (bytes, start) = match address.region() {
            Region::Ram(offset) => {
                let start = offset as usize;
                let end = start.saturating_add(length);
                self.supplied_lines.get_mut(start / LINE..end.div_ceil(LINE))?.fill(true);
                (&mut Arc::make_mut(&mut self.ram)[..], start)
            }
            Region::Vram(view, offset) => {
                let start = self.translation().to_linear(view, offset) as usize;
                (self.vram.present_mut().bytes_mut([]), start)
            }
            Region::Scratchpad(offset) => (&mut self.scratchpad[..], offset as usize),
            Region::Unmapped => self.extra.find_mut(address)?,
        };
        bytes.get_mut(start..)?.get_mut(..length)
    }

    /// Returns whether all lines in these `length` contiguous bytes were ever written. Memory without this record
    /// counts as written.
    fn is_supplied_whole(&self, address: Address, length: usize) -> bool {
        let Region::Ram(offset) = address.region() else { return true };
        let start = offset as usize;
        let lines = start / LINE..start.saturating_add(length).div_ceil(LINE);
        self.supplied_lines.get(lines).is_some_and(|lines| lines.all())
    }

    /// Records a change to `length` contiguous bytes.
    fn mark_changed(&mut self, address: Address, length: usize) {
        match address.region() {
            Region::Ram(offset) => {
                let start = offset as usize;
                self.ram_changes.mark(&(start..start.saturating_add(length)));
            }
            Region::Vram(view, offset) => {
                let start = self.translation().to_linear(view, offset) as usize;
                self.vram.present_mut().mark(&(start..start.saturating_add(length)));
            }
            Region::Scratchpad(_) | Region::Unmapped => {}
        }
    }

    /// Returns how many bytes, up to `length`, are contiguous and in address order from `address` on. This is at
    /// least 1, so that loops advance.
    fn contiguous(&self, address: Address, length: usize) -> usize {
        let end = match address.region() {
            Region::Ram(offset) => self.ram.len().saturating_sub(offset as usize).max(1),
            Region::Vram(VramView::Linear, offset) => VRAM_SIZE.saturating_sub(offset) as usize,
            Region::Scratchpad(offset) => SCRATCHPAD_SIZE.saturating_sub(offset) as usize,
            Region::Vram(_, offset) => left_in_unit(offset),
            // All memory starts and ends at a multiple of this step, so this skips no mapped byte.
            Region::Unmapped => self
                .extra
                .left_in_region(address)
                .unwrap_or(UNMAPPED_STEP.saturating_sub(address.get() as usize % UNMAPPED_STEP)),
        };
        length.min(end)
    }

    /// Writes a little-endian 32-bit value.
    pub fn write_u32(&mut self, address: Address, value: u32) {
        self.write(address, &value.to_le_bytes());
    }
}

/// Returns how many bytes follow from a VRAM view's offset to the end of its unit.
const fn left_in_unit(offset: u32) -> usize {
    // This cannot overflow, because the remainder is below the unit.
    UNIT.wrapping_sub(offset % UNIT) as usize
}

impl Default for Memory {
    fn default() -> Self {
        Self::new(RamSize::default())
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pages_in_use =
            (0..self.ram_changes.page_count()).filter(|page| self.ram_changes.is_changed(*page)).count();
        f.debug_struct("Memory")
            .field("ram_bytes", &self.ram.len())
            .field("ram_bytes_in_use", &pages_in_use.saturating_mul(PAGE))
            .field("translation", &self.translation)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
