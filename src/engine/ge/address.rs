//! Addresses as the Graphics Engine sees them, and the memory each reaches.
//!
//! # Invariants
//! An [`Address`] is always canonical: 28 bits, without the CPU's segment bits. All masking happens here, so that
//! other code can simply compare addresses. Source: [address space](crate::reference::ge::memory#address-space),
//! [mirrors](crate::reference::ge::memory#mirrors).

use std::fmt;

/// The address bits that the Graphics Engine reads. It ignores the segment bits above.
const ADDRESS_MASK: u32 = 0x0FFF_FFFF;

/// The first byte in main RAM.
pub const RAM_BASE: u32 = 0x0800_0000;
/// The first byte in main RAM that user programs may use.
#[doc(hidden)]
pub const USER_RAM_BASE: u32 = 0x0880_0000;
/// The first byte in VRAM's linear view.
pub const VRAM_BASE: u32 = 0x0400_0000;
/// The first byte after VRAM's last view.
const VRAM_END: u32 = 0x0500_0000;
/// How large VRAM is, in bytes (2 MiB).
pub const VRAM_SIZE: u32 = 0x0020_0000;
/// The first byte in the scratchpad.
#[doc(hidden)]
pub const SCRATCHPAD_BASE: u32 = 0x0001_0000;
/// How large the scratchpad is, in bytes (16 KiB).
#[doc(hidden)]
pub const SCRATCHPAD_SIZE: u32 = 0x4000;
/// The largest main RAM in any model, in bytes (64 MiB).
pub const RAM_SIZE_MAX: u32 = 0x0400_0000;

/// A canonical 28-bit address. The CPU's uncached and kernel mirrors map to the same address, so comparing addresses
/// tells whether they mean the same byte. Only VRAM has several views.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::Address;
///
/// let start = Address::vram(0x1000);
/// assert_eq!(start.offset(16), Address::new(0x0400_1010));
/// assert!(start.is_vram());
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(from = "u32", into = "u32")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Address(u32);

/// A byte order for VRAM, because the eDRAM controller shows the same 2 MiB in several orders.
///
/// Source: [VRAM views](crate::reference::ge::memory#vram-views) (hardware test `ge/edramswizzle`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VramView {
    /// `0x04000000` and `0x04400000`: bytes in order.
    Linear,
    /// `0x04200000`: the permuted order called m1, to store depth for 16-bit targets.
    Depth16,
    /// `0x04600000`: the permuted order called m3, to store depth for 32-bit targets.
    Depth32,
}

/// The memory at an address, with the offset to find the byte there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The CPU's scratchpad; the offset is below [`SCRATCHPAD_SIZE`].
    Scratchpad(u32),
    /// VRAM through a view; the offset is below [`VRAM_SIZE`] and counts in that view.
    Vram(VramView, u32),
    /// Main RAM; the offset is below [`RAM_SIZE_MAX`]. Ask the memory image whether RAM is this large.
    Ram(u32),
    /// No memory.
    Unmapped,
}

impl Address {
    /// Creates an address, dropping the segment bits 28–31.
    #[must_use]
    pub const fn new(raw: u32) -> Self {
        Self(raw & ADDRESS_MASK)
    }

    /// Creates the address for byte `offset` in VRAM's linear view. Offsets wrap at 2 MiB.
    #[must_use]
    pub const fn vram(offset: u32) -> Self {
        Self(VRAM_BASE | (offset & (VRAM_SIZE - 1)))
    }

    /// Returns this address as a number with 28 bits.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// Returns the address `bytes` bytes further on, wrapping at 28 bits.
    #[must_use]
    pub const fn offset(self, bytes: u32) -> Self {
        Self::new(self.0.wrapping_add(bytes))
    }

    /// Rounds this address down to a multiple of `alignment`, a power of two.
    #[must_use]
    pub const fn align_down(self, alignment: u32) -> Self {
        debug_assert!(alignment.is_power_of_two(), "alignments are powers of two");
        Self(self.0 & !(alignment - 1))
    }

    /// Finds the memory at this address.
    #[must_use]
    pub const fn region(self) -> Region {
        let address = self.0;
        if address >= RAM_BASE && address < RAM_BASE + RAM_SIZE_MAX {
            Region::Ram(address - RAM_BASE)
        } else if address >= VRAM_BASE && address < VRAM_END {
            let offset = address & (VRAM_SIZE - 1);
            let view = match (address >> 21) & 3 {
                1 => VramView::Depth16,
                3 => VramView::Depth32,
                _ => VramView::Linear,
            };
            Region::Vram(view, offset)
        } else if address >= SCRATCHPAD_BASE && address < SCRATCHPAD_BASE + SCRATCHPAD_SIZE {
            Region::Scratchpad(address - SCRATCHPAD_BASE)
        } else {
            Region::Unmapped
        }
    }

    /// Returns whether this address is in VRAM, through any view.
    #[must_use]
    pub const fn is_vram(self) -> bool {
        matches!(self.region(), Region::Vram(..))
    }
}

impl From<u32> for Address {
    fn from(raw: u32) -> Self {
        Self::new(raw)
    }
}

impl From<Address> for u32 {
    fn from(address: Address) -> Self {
        address.0
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:08x}", self.0)
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segment_bits_are_dropped() {
        for raw in [0x0880_1234, 0x4880_1234, 0x8880_1234, 0xA880_1234] {
            assert_eq!(Address::new(raw).region(), Region::Ram(0x0080_1234), "{raw:#x}");
        }
    }

    #[test]
    fn vram_repeats_its_four_views() {
        use VramView::{Depth16, Depth32, Linear};
        for (raw, view) in [
            (0x0400_0010, Linear),
            (0x0420_0010, Depth16),
            (0x0440_0010, Linear),
            (0x0460_0010, Depth32),
            (0x0480_0010, Linear),
            (0x04E0_0010, Depth32),
        ] {
            assert_eq!(Address::new(raw).region(), Region::Vram(view, 0x10), "{raw:#x}");
        }
        assert_eq!(Address::new(0x0500_0000).region(), Region::Unmapped, "VRAM ends at 0x05000000");
    }

    #[test]
    fn regions_end_at_their_sizes() {
        assert_eq!(Address::new(0x0001_0000).region(), Region::Scratchpad(0), "first scratchpad byte");
        assert_eq!(Address::new(0x0001_4000).region(), Region::Unmapped, "after the scratchpad");
        assert_eq!(Address::new(0x0C00_0000).region(), Region::Unmapped, "after the largest RAM");
        assert_eq!(Address::new(0x0FFF_FFFC).offset(8), Address::new(4), "addresses wrap at 28 bits");
    }
}
