//! A host program, such as an emulator or a recompiler, has its own RAM and VRAM, which the engine can use in place.
//!
//! [`Memory::for_host`] creates a memory without bytes. The host lends them with [`Memory::lend`] and takes them
//! back with [`Memory::end_loan`], both without copying. In between, nobody else may use the bytes; `&'static mut`
//! says so. A host that cannot promise this for its whole run, such as a host in C, makes a loan for each call.
//!
//! The engine uses page versions to notice changes. It cannot see changes made before a loan, so the host must name
//! the changed bytes ([`Memory::note_change`], [`Memory::note_all_changed`]).

use std::sync::Arc;

use super::extra::{ExtraRegion, ExtraRegions};
use super::{Block, Memory, PAGE};
use crate::ge::address::{Address, RAM_SIZE_MAX, Region, SCRATCHPAD_SIZE, VRAM_SIZE};

/// Extra regions start and end at multiples of this.
pub(crate) const REGION_STEP: usize = 0x1000;

/// Tells which memory a host provides, to create memory for it ([`Memory::for_host`]).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HostLayout {
    /// How many bytes main RAM has, a multiple of 64 KiB up to 64 MiB, or `None` to let the engine provide 64 MiB.
    pub ram: Option<usize>,
    /// Whether the host provides VRAM, 2 MiB.
    pub vram: bool,
    /// Whether the host provides the scratchpad, 16 KiB.
    pub scratchpad: bool,
    /// Further regions as start and size in bytes, at addresses that have no memory on a PSP.
    pub extra: Vec<(Address, usize)>,
    /// Whether all VRAM views show its bytes in linear order, as PPSSPP does, instead of the order from the address
    /// translation. This stores the depth buffer linearly, too.
    pub linear_views: bool,
}

/// The bytes to lend, with the sizes from the [`HostLayout`]. A part is `None` if the engine provides it.
#[derive(Debug, Default)]
pub struct HostMemory {
    /// Main RAM.
    pub ram: Option<&'static mut [u8]>,
    /// VRAM in linear order.
    pub vram: Option<&'static mut [u8]>,
    /// The scratchpad.
    pub scratchpad: Option<&'static mut [u8]>,
    /// The bytes for all extra regions, in the layout's order.
    pub extra: Vec<&'static mut [u8]>,
}

/// The reason why a layout or a loan cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HostMemoryError {
    /// Main RAM does not have an allowed size.
    #[error("main RAM must have 1 to 1024 times 64 KiB, but has {0} bytes")]
    RamSize(usize),
    /// An extra region has no bytes, or its start or size is not a multiple of 4 KiB.
    #[error("the extra region of {size} bytes at {start} must start and end at multiples of 4 KiB")]
    RegionAlignment {
        /// Where the region starts.
        start: Address,
        /// Its size in bytes.
        size: usize,
    },
    /// An extra region shares addresses with other memory, or goes beyond the 28-bit address space.
    #[error("the extra region of {size} bytes at {start} overlaps other memory")]
    RegionOverlap {
        /// Where the region starts.
        start: Address,
        /// Its size in bytes.
        size: usize,
    },
    /// Bytes are missing, not part of the layout, or have another size.
    #[error("the lent {0} does not have the size that the layout gives")]
    Lent(&'static str),
    /// Another loan, or a sink before its flush, still uses this memory.
    #[error("the memory is in use")]
    InUse,
}

impl Memory {
    /// Creates memory for a host. The layout says which bytes the host will lend; until then they do not exist. All
    /// lent bytes count as supplied.
    ///
    /// # Errors
    /// Fails if no memory can have this layout.
    pub fn for_host(layout: &HostLayout) -> Result<Self, HostMemoryError> {
        let mut extra = ExtraRegions::default();
        for (number, (start, size)) in layout.extra.iter().enumerate() {
            check_region(*start, *size, layout.extra.get(..number).unwrap_or_default())?;
            extra.0.push(ExtraRegion { start: *start, size: *size, bytes: Block::absent() });
        }
        let mut memory = match layout.ram {
            None => Self::default(),
            Some(size) => {
                if size == 0 || size > RAM_SIZE_MAX as usize || !size.is_multiple_of(PAGE) {
                    return Err(HostMemoryError::RamSize(size));
                }
                let mut memory = Self::with_ram(Block::absent(), size);
                // The host writes its RAM unseen, so this must not report any line as missing.
                memory.supplied_lines.fill(true);
                memory.ram_changes.mark(&(0..size));
                memory
            }
        };
        memory.extra = extra;
        memory.has_linear_views = layout.linear_views;
        if layout.vram
            && let Some(block) = memory.vram.block_mut()
        {
            *block = Block::absent();
            memory.vram.mark(&(0..VRAM_SIZE as usize));
        }
        if layout.scratchpad {
            memory.scratchpad = Block::absent();
        }
        Ok(memory)
    }

    /// Puts a host's bytes in their places, to use them until [`Self::end_loan`].
    ///
    /// # Errors
    /// Fails if the bytes do not fit the layout, or if this memory is in use. Nothing is lent then.
    pub fn lend(&mut self, host: HostMemory) -> Result<(), HostMemoryError> {
        let ram_size = self.ram_changes.page_count().saturating_mul(PAGE);
        // All checks come before the first change, so that an error leaves everything unchanged.
        let ram = Arc::get_mut(&mut self.ram).ok_or(HostMemoryError::InUse)?;
        let vram = self.vram.present_mut().block_mut().ok_or(HostMemoryError::InUse)?;
        check_lent("main RAM", ram, host.ram.as_deref(), ram_size)?;
        check_lent("VRAM", vram, host.vram.as_deref(), VRAM_SIZE as usize)?;
        check_lent("scratchpad", &self.scratchpad, host.scratchpad.as_deref(), SCRATCHPAD_SIZE as usize)?;
        let sizes = self.extra.0.iter().map(|region| region.size);
        if !sizes.eq(host.extra.iter().map(|bytes| bytes.len())) {
            return Err(HostMemoryError::Lent("extra region"));
        }
        for (block, bytes) in [(ram, host.ram), (vram, host.vram), (&mut self.scratchpad, host.scratchpad)] {
            if let Some(bytes) = bytes {
                *block = Block::Lent(bytes);
            }
        }
        for (region, bytes) in self.extra.0.iter_mut().zip(host.extra) {
            region.bytes = Block::Lent(bytes);
        }
        Ok(())
    }

    /// Gives the bytes back to the host. Flush all sinks first, because they may still draw into the bytes.
    ///
    /// # Errors
    /// Fails with [`HostMemoryError::InUse`] if a sink still draws. The loan then goes on.
    pub fn end_loan(&mut self) -> Result<HostMemory, HostMemoryError> {
        let ram = Arc::get_mut(&mut self.ram).ok_or(HostMemoryError::InUse)?;
        let vram = self.vram.present_mut().block_mut().ok_or(HostMemoryError::InUse)?;
        Ok(HostMemory {
            ram: ram.take_lent(),
            vram: vram.take_lent(),
            scratchpad: self.scratchpad.take_lent(),
            extra: self.extra.0.iter_mut().filter_map(|region| region.bytes.take_lent()).collect(),
        })
    }

    /// Returns whether a sink still draws in the background, so that [`Self::end_loan`] would fail.
    #[must_use]
    pub fn is_in_use(&self) -> bool {
        Arc::strong_count(&self.ram) > 1 || self.vram.present().is_placeholder()
    }

    /// Returns whether some writes to VRAM are still waiting, because a sink that draws in the background must give
    /// VRAM back first.
    #[must_use]
    pub fn has_late_writes(&self) -> bool {
        !self.vram.present().late_writes().is_empty()
    }

    /// Records that the host may have changed these bytes, so that data derived from them are computed again.
    pub fn note_change(&mut self, address: Address, length: u32) {
        let mut at = address;
        let mut left = length as usize;
        while left > 0 {
            let count = self.contiguous(at, left);
            self.mark_changed(at, count);
            at = at.offset(u32::try_from(count).unwrap_or(u32::MAX));
            left = left.saturating_sub(count);
        }
    }

    /// Records that the host may have changed any byte in main RAM and VRAM.
    pub fn note_all_changed(&mut self) {
        self.ram_changes.mark(&(0..self.ram_changes.page_count().saturating_mul(PAGE)));
        self.vram.present_mut().mark(&(0..VRAM_SIZE as usize));
    }
}

/// Checks that an extra region overlaps neither the PSP's memory nor the regions before it.
fn check_region(start: Address, size: usize, before: &[(Address, usize)]) -> Result<(), HostMemoryError> {
    let first = start.get() as usize;
    if size == 0 || !first.is_multiple_of(REGION_STEP) || !size.is_multiple_of(REGION_STEP) {
        return Err(HostMemoryError::RegionAlignment { start, size });
    }
    let end = first.saturating_add(size);
    // The PSP's memory consists of whole steps, so it is enough to look at each step once.
    let is_free = |step: usize| {
        u32::try_from(step).is_ok_and(|step| {
            let address = Address::new(step);
            address.get() == step && address.region() == Region::Unmapped
        })
    };
    let is_apart = |other: &(Address, usize)| {
        let other_start = other.0.get() as usize;
        end <= other_start || other_start.saturating_add(other.1) <= first
    };
    let last_step = end.saturating_sub(REGION_STEP);
    // Look at the last step first, because this stops at once if a region exceeds the address space.
    if !is_free(last_step) || !(first..end).step_by(REGION_STEP).all(is_free) || !before.iter().all(is_apart)
    {
        return Err(HostMemoryError::RegionOverlap { start, size });
    }
    Ok(())
}

/// Checks that a host lends bytes exactly if this block lacks them, and that they have the right size.
fn check_lent(
    name: &'static str,
    block: &Block,
    bytes: Option<&[u8]>,
    size: usize,
) -> Result<(), HostMemoryError> {
    match (block, bytes) {
        (Block::Owned(_), None) => Ok(()),
        (Block::Lent(present), Some(_)) if !present.is_empty() => Err(HostMemoryError::InUse),
        (Block::Lent(_), Some(bytes)) if bytes.len() == size => Ok(()),
        _ => Err(HostMemoryError::Lent(name)),
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ge::edram::Translation;

    const EXTRA: Address = Address::new(0x0C00_0000);

    fn leak(size: usize) -> &'static mut [u8] {
        Box::leak(vec![0; size].into_boxed_slice())
    }

    fn layout() -> HostLayout {
        HostLayout {
            ram: Some(0x1_0000),
            vram: true,
            scratchpad: true,
            extra: vec![(EXTRA, 0x2000)],
            linear_views: false,
        }
    }

    fn bytes() -> HostMemory {
        HostMemory {
            ram: Some(leak(0x1_0000)),
            vram: Some(leak(VRAM_SIZE as usize)),
            scratchpad: Some(leak(SCRATCHPAD_SIZE as usize)),
            extra: vec![leak(0x2000)],
        }
    }

    #[test]
    fn lent_bytes_are_used_in_place() {
        let mut memory = Memory::for_host(&layout()).expect("a possible layout");
        let places =
            [Address::new(0x0800_0010), Address::vram(0x20), Address::new(0x0001_0030), EXTRA.offset(0x1FFC)];
        for place in places {
            assert!(!memory.is_mapped(place, 4), "{place} before the loan");
        }
        let mut host = bytes();
        if let Some(ram) = &mut host.ram {
            ram[0x10] = 7;
        }
        memory.lend(host).expect("bytes as in the layout");
        assert_eq!(memory.read_u8(places[0]), 7, "a byte of the host");
        for place in places {
            assert!(memory.is_mapped(place, 4) && memory.is_supplied(place), "{place}");
            memory.write_u32(place, 0x0403_0201);
            assert_eq!(memory.read_u32(place), 0x0403_0201, "{place}");
            assert_eq!(memory.clone().read_u32(place), 0x0403_0201, "a copy at {place}");
        }
        assert!(!memory.is_mapped(EXTRA.offset(0x1FFC), 5), "the end of the extra region");
        assert!(!memory.is_mapped(Address::new(0x0801_0000), 1), "the end of RAM");
        assert_eq!(memory.lend(bytes()), Err(HostMemoryError::InUse), "lent already");
        let HostMemory { ram, vram, scratchpad, extra } = memory.end_loan().expect("nothing draws");
        let first = |bytes: Option<&'static mut [u8]>, at: usize| bytes.map(|bytes| bytes[at]);
        let written = [first(ram, 0x10), first(vram, 0x20), first(scratchpad, 0x30), Some(extra[0][0x1FFC])];
        assert_eq!(written, [Some(1); 4], "the host sees the writes");
        assert!(!memory.is_mapped(places[0], 1), "after the loan");
    }

    #[test]
    fn linear_views_do_not_depend_on_the_translation() {
        let layout = HostLayout { linear_views: true, ..HostLayout::default() };
        let mut memory = Memory::for_host(&layout).expect("a possible layout");
        memory.set_translation(Translation::Width512);
        memory.write_u32(Address::vram(0x40), 7);
        for view in [0x0420_0040, 0x0440_0040, 0x0460_0040] {
            assert_eq!(memory.read_u32(Address::new(view)), 7, "{view:x}");
            assert_eq!(memory.clone().read_u32(Address::new(view)), 7, "a copy at {view:x}");
        }
        memory.set_translation(memory.translation());
        assert_eq!(memory.selected_translation(), Translation::Width512, "still selected");
    }

    #[test]
    fn changes_since_a_mark_are_pages() {
        let mut memory = Memory::default();
        memory.write_u32(Address::vram(0x1_0000), 1);
        let mark = memory.mark_vram();
        assert_eq!(memory.vram_changes_since(mark).count(), 0, "nothing yet");
        memory.write_u32(Address::vram(0x7FFE), 0x0101_0101);
        let changes: Vec<_> = memory.vram_changes_since(mark).collect();
        assert_eq!(changes, [0x4000..0x8000, 0x8000..0xC000], "two pages");
    }

    #[test]
    fn shared_memory_cannot_be_returned() {
        let mut memory = Memory::for_host(&layout()).expect("a possible layout");
        memory.lend(bytes()).expect("bytes as in the layout");
        let shared = memory.shared_ram();
        assert_eq!(memory.end_loan().err(), Some(HostMemoryError::InUse), "RAM is shared");
        assert!(memory.is_in_use(), "RAM is shared");
        drop(shared);
        assert!(!memory.is_in_use(), "it is no longer shared");
        let mut vram = super::super::Vram::placeholder();
        memory.swap_vram(&mut vram);
        assert_eq!(memory.end_loan().err(), Some(HostMemoryError::InUse), "VRAM is with another thread");
        memory.swap_vram(&mut vram);
        assert!(memory.end_loan().is_ok(), "everything is back");
    }

    #[test]
    fn changes_of_the_host_have_other_versions() {
        let mut memory = Memory::for_host(&layout()).expect("a possible layout");
        memory.lend(bytes()).expect("bytes as in the layout");
        let versions = |memory: &Memory| {
            [Address::new(0x0800_0000), Address::vram(0), Address::vram(0x4000)]
                .map(|at| memory.version(at, 16))
        };
        let before = versions(&memory);
        memory.note_change(Address::vram(0x3FFF), 1);
        let after = versions(&memory);
        let differ: Vec<bool> = before.iter().zip(after).map(|(before, after)| *before != after).collect();
        assert_eq!(differ, [false, true, false], "one page of VRAM");
        memory.note_all_changed();
        let last = versions(&memory);
        assert!(after.iter().zip(last).all(|(before, after)| *before != after), "{last:?}");
    }

    #[test]
    fn impossible_layouts_and_loans_are_errors() {
        let with = |extra: &[(Address, usize)]| {
            Memory::for_host(&HostLayout { extra: extra.to_vec(), ..HostLayout::default() }).err()
        };
        let overlap = |start, size| Some(HostMemoryError::RegionOverlap { start, size });
        for (start, size) in
            [(0x0400_0000, 0x1000), (0x0BFF_F000, 0x2000), (0x0001_3000, 0x1000), (0x0FFF_F000, 0x2000)]
        {
            let start = Address::new(start);
            assert_eq!(with(&[(start, size)]), overlap(start, size), "{start}");
        }
        assert_eq!(with(&[(EXTRA, usize::MAX & !0xFFF)]), overlap(EXTRA, usize::MAX & !0xFFF), "huge");
        let second = EXTRA.offset(0x1000);
        assert_eq!(with(&[(EXTRA, 0x2000), (second, 0x1000)]), overlap(second, 0x1000), "one another");
        for (start, size) in [(EXTRA.offset(4), 0x1000), (EXTRA, 0x1001), (EXTRA, 0)] {
            let error = Some(HostMemoryError::RegionAlignment { start, size });
            assert_eq!(with(&[(start, size)]), error, "{start}");
        }
        for size in [0, 0x8000, 0x400_0001, 0x401_0000] {
            let layout = HostLayout { ram: Some(size), ..HostLayout::default() };
            assert_eq!(Memory::for_host(&layout).err(), Some(HostMemoryError::RamSize(size)), "{size}");
        }
        let mut memory = Memory::for_host(&layout()).expect("a possible layout");
        let small = HostMemory { vram: Some(leak(16)), ..bytes() };
        assert_eq!(memory.lend(small), Err(HostMemoryError::Lent("VRAM")), "too small");
        let missing = HostMemory { scratchpad: None, ..bytes() };
        assert_eq!(memory.lend(missing), Err(HostMemoryError::Lent("scratchpad")), "missing");
        let more = HostMemory { extra: Vec::new(), ..bytes() };
        assert_eq!(memory.lend(more), Err(HostMemoryError::Lent("extra region")), "missing region");
        assert_eq!(Memory::default().lend(bytes()), Err(HostMemoryError::Lent("main RAM")), "not a host's");
    }
}
