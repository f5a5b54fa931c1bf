//! A host can add memory regions that a PSP does not have, for example to hold generated vertices.

use super::block::Block;
use crate::ge::address::Address;

/// A region at addresses that have no memory on a PSP.
#[derive(Clone, Debug)]
pub(super) struct ExtraRegion {
    pub(super) start: Address,
    /// Size in bytes, from the layout. This is known even before the bytes are lent.
    pub(super) size: usize,
    pub(super) bytes: Block,
}

/// All extra regions. Every look-up tries the PSP's own memory first, so lists that need no such region pay nothing.
#[derive(Clone, Debug, Default)]
pub(super) struct ExtraRegions(pub(super) Vec<ExtraRegion>);

impl ExtraRegions {
    /// Finds the region at this address, and returns its bytes with the address's offset in them.
    pub(super) fn find(&self, address: Address) -> Option<(&[u8], usize)> {
        self.0.iter().find_map(|region| Some((&*region.bytes, offset_in(region, address)?)))
    }

    /// Works as [`Self::find`], to write the bytes.
    pub(super) fn find_mut(&mut self, address: Address) -> Option<(&mut [u8], usize)> {
        self.0.iter_mut().find_map(|region| {
            let offset = offset_in(region, address)?;
            Some((&mut *region.bytes, offset))
        })
    }

    /// Returns how many bytes follow from an address to its region's end.
    pub(super) fn left_in_region(&self, address: Address) -> Option<usize> {
        self.find(address).map(|(bytes, offset)| bytes.len().saturating_sub(offset))
    }

    /// Returns whether a single region holds all `length` bytes from an address on.
    pub(super) fn contains(&self, address: Address, length: u32) -> bool {
        self.left_in_region(address).is_some_and(|left| length as usize <= left)
    }
}

/// Returns an address's offset in a region's bytes, or `None` if it is outside or the bytes are not lent.
fn offset_in(region: &ExtraRegion, address: Address) -> Option<usize> {
    let offset = address.get().checked_sub(region.start.get())? as usize;
    (offset < region.bytes.len()).then_some(offset)
}
