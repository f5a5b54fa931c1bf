//! Addresses as the Graphics Engine sees them, and what lies behind them.
//!
//! # Invariants
//! An [`Address`] is always canonical: 28 bits, with the CPU's segment bits gone. All masking of
//! addresses happens here. Source: `ge-reference.md` §1.1.

use std::fmt;

/// Bits of an address that the Graphics Engine looks at.
const ADDRESS_MASK: u32 = 0x0FFF_FFFF;

/// First byte of main RAM.
pub const RAM_BASE: u32 = 0x0800_0000;
/// First byte of main RAM that user programs may use.
pub const USER_RAM_BASE: u32 = 0x0880_0000;
/// First byte of the linear view of VRAM.
pub const VRAM_BASE: u32 = 0x0400_0000;
/// First byte after the last view of VRAM.
const VRAM_END: u32 = 0x0500_0000;
/// Size of VRAM in bytes (2 MiB).
pub const VRAM_SIZE: u32 = 0x0020_0000;
/// First byte of the scratchpad.
pub const SCRATCHPAD_BASE: u32 = 0x0001_0000;
/// Size of the scratchpad in bytes (16 KiB).
pub const SCRATCHPAD_SIZE: u32 = 0x4000;
/// Largest main RAM that any model has (64 MiB).
pub const RAM_SIZE_MAX: u32 = 0x0400_0000;

/// A canonical 28-bit address. Uncached and kernel mirrors of the CPU collapse onto it.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(u32);

/// How VRAM is looked at: the eDRAM controller shows the same 2 MiB in four orders.
/// Source: `ge-reference.md` §1.2 (hardware test `ge/edramswizzle`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VramView {
    /// `0x04000000` and `0x04400000`: bytes in order.
    Linear,
    /// `0x04200000`: the permuted order called m1.
    Permuted,
    /// `0x04600000`: the order in which depth is stored, called m3.
    Depth,
}

/// What an address points into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The CPU's scratchpad; the offset is below [`SCRATCHPAD_SIZE`].
    Scratchpad(u32),
    /// VRAM through one of its views; the offset is below [`VRAM_SIZE`] and counts in that view.
    Vram(VramView, u32),
    /// Main RAM; the offset is below [`RAM_SIZE_MAX`]. Whether RAM is that large is the memory's business.
    Ram(u32),
    /// Nothing.
    Unmapped,
}

impl Address {
    /// The address without segment bits (28–31).
    #[must_use]
    pub const fn new(raw: u32) -> Self {
        Self(raw & ADDRESS_MASK)
    }

    /// Offset `offset` of VRAM in its linear view. Offsets wrap at 2 MiB.
    #[must_use]
    pub const fn vram(offset: u32) -> Self {
        Self(VRAM_BASE | (offset & (VRAM_SIZE - 1)))
    }

    /// The 28 bits as a number.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The address `bytes` further on, wrapping inside 28 bits.
    #[must_use]
    pub const fn offset(self, bytes: u32) -> Self {
        Self::new(self.0.wrapping_add(bytes))
    }

    /// The address with its low bits cleared to a multiple of `alignment`, a power of two.
    #[must_use]
    pub const fn align_down(self, alignment: u32) -> Self {
        debug_assert!(alignment.is_power_of_two(), "alignments are powers of two");
        Self(self.0 & !(alignment - 1))
    }

    /// What the address points into.
    #[must_use]
    pub const fn region(self) -> Region {
        let address = self.0;
        if address >= RAM_BASE && address < RAM_BASE + RAM_SIZE_MAX {
            Region::Ram(address - RAM_BASE)
        } else if address >= VRAM_BASE && address < VRAM_END {
            let offset = address & (VRAM_SIZE - 1);
            let view = match (address >> 21) & 3 {
                1 => VramView::Permuted,
                3 => VramView::Depth,
                _ => VramView::Linear,
            };
            Region::Vram(view, offset)
        } else if address >= SCRATCHPAD_BASE && address < SCRATCHPAD_BASE + SCRATCHPAD_SIZE {
            Region::Scratchpad(address - SCRATCHPAD_BASE)
        } else {
            Region::Unmapped
        }
    }

    /// Whether the address lies in any view of VRAM.
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
        use VramView::{Depth, Linear, Permuted};
        for (raw, view) in [
            (0x0400_0010, Linear),
            (0x0420_0010, Permuted),
            (0x0440_0010, Linear),
            (0x0460_0010, Depth),
            (0x0480_0010, Linear),
            (0x04E0_0010, Depth),
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
