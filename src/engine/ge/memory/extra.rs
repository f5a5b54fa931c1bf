//! A host can add regions of memory that a PSP does not have, for example for vertices that it generates.

use super::block::Block;
use crate::ge::address::Address;

/// A region at addresses without memory on a PSP.
#[derive(Clone, Debug)]
struct ExtraRegion {
    start: Address,
    /// Size in bytes. It is known even before the bytes are lent.
    size: usize,
    bytes: Block,
}

/// All extra regions. Every look-up tries the PSP's own memory first, so lists without such regions pay
/// nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct ExtraRegions(Vec<ExtraRegion>);

impl ExtraRegions {
    /// Adds a region whose bytes are not lent yet. It must not overlap any other memory.
    pub(super) fn add(&mut self, start: Address, size: usize) {
        self.0.push(ExtraRegion { start, size, bytes: Block::absent() });
    }

    /// Returns how many regions there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns where a region starts.
    pub(super) fn start(&self, number: usize) -> Option<Address> {
        self.0.get(number).map(|region| region.start)
    }

    /// Returns the number of the region at this start.
    pub(super) fn number_at(&self, start: Address) -> Option<usize> {
        self.0.iter().position(|region| region.start == start)
    }

    /// Returns the sizes of all regions, in the order of adding them.
    pub(super) fn sizes(&self) -> impl Iterator<Item = usize> {
        self.0.iter().map(|region| region.size)
    }

    /// Returns the blocks for all regions.
    pub(super) fn blocks_mut(&mut self) -> impl Iterator<Item = &mut Block> {
        self.0.iter_mut().map(|region| &mut region.bytes)
    }

    /// Returns a region's bytes.
    pub(super) fn bytes(&self, number: usize) -> Option<&[u8]> {
        self.0.get(number).map(|region| &*region.bytes)
    }

    /// Returns a region's bytes for writing.
    pub(super) fn bytes_mut(&mut self, number: usize) -> Option<&mut [u8]> {
        self.0.get_mut(number).map(|region| &mut *region.bytes)
    }

    /// Returns the bytes of the region at this address, and the offset of the address in them.
    pub(super) fn find(&self, address: Address) -> Option<(&[u8], usize)> {
        self.0.iter().find_map(|region| Some((&*region.bytes, offset_in(region, address)?)))
    }

    /// Like [`Self::find`], for writing.
    pub(super) fn find_mut(&mut self, address: Address) -> Option<(&mut [u8], usize)> {
        self.0.iter_mut().find_map(|region| {
            let offset = offset_in(region, address)?;
            Some((&mut *region.bytes, offset))
        })
    }

    /// Returns how many bytes follow from an address to the end of its region.
    pub(super) fn left_in_region(&self, address: Address) -> Option<usize> {
        self.find(address).map(|(bytes, offset)| bytes.len().saturating_sub(offset))
    }

    /// Returns whether a single region holds all `length` bytes from an address on.
    pub(super) fn contains(&self, address: Address, length: u32) -> bool {
        self.left_in_region(address).is_some_and(|left| length as usize <= left)
    }
}

/// Returns the offset of an address in a region's bytes, or `None` if it is outside or the bytes are not
/// lent.
fn offset_in(region: &ExtraRegion, address: Address) -> Option<usize> {
    let offset = address.get().checked_sub(region.start.get())? as usize;
    (offset < region.bytes.len()).then_some(offset)
}
