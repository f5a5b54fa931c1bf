//! Translates between VRAM's byte orders, because the eDRAM controller shows the same 2 MiB in several orders.
//!
//! Source: [VRAM views](crate::reference::ge::memory#vram-views); the formulas hold for all 2 MiB in the hardware test
//! `ge/edramswizzle`.

use std::ops::Range;

use crate::ge::address::{VRAM_SIZE, VramView};

/// How many bytes all views keep together, because the permutations move only aligned units with this size.
#[doc(hidden)]
pub const UNIT: u32 = 32;

/// The permutation that a program selects by `sceGeEdramSetAddrTranslation`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Translation {
    /// Mode 0: no row interleaving.
    None,
    /// Mode `0x200`.
    Width512,
    /// Mode `0x400`, the default after power-up.
    #[default]
    Width1024,
    /// Mode `0x800`.
    Width2048,
    /// Mode `0x1000`.
    Width4096,
    /// Not a mode of the machine: all views show the same order, for hosts that map VRAM pages at the addresses of
    /// its views. See [`HostLayout::linear_views`](crate::ge::memory::host::HostLayout::linear_views).
    Linear,
}

impl Translation {
    /// Finds the translation for a mode number, or returns `None` if the system call refuses this number.
    #[must_use]
    pub const fn from_mode(mode: u32) -> Option<Self> {
        match mode {
            0 => Some(Self::None),
            0x200 => Some(Self::Width512),
            0x400 => Some(Self::Width1024),
            0x800 => Some(Self::Width2048),
            0x1000 => Some(Self::Width4096),
            _ => None,
        }
    }

    /// Returns this translation's mode number, as the system call takes it.
    #[must_use]
    pub const fn mode(self) -> u32 {
        match self {
            Self::None | Self::Linear => 0,
            Self::Width512 => 0x200,
            Self::Width1024 => 0x400,
            Self::Width2048 => 0x800,
            Self::Width4096 => 0x1000,
        }
    }

    /// Converts an offset in `view` to the same byte's linear offset.
    #[must_use]
    pub const fn to_linear(self, view: VramView, offset: u32) -> u32 {
        let offset = offset & (VRAM_SIZE - 1);
        match view {
            VramView::Linear => offset,
            // The m1 permutations are their own inverse.
            VramView::Depth16 => self.permuted(offset),
            VramView::Depth32 => self.depth_to_linear(offset),
        }
    }

    /// Converts a linear offset to the same byte's offset in `view`.
    #[must_use]
    pub const fn from_linear(self, view: VramView, offset: u32) -> u32 {
        let offset = offset & (VRAM_SIZE - 1);
        match view {
            VramView::Linear => offset,
            VramView::Depth16 => self.permuted(offset),
            VramView::Depth32 => self.linear_to_depth(offset),
        }
    }

    /// Visits `length` bytes from `offset` on in `view`, as ranges of linear offsets, to find the bytes that a
    /// buffer in this view occupies. Offsets wrap at VRAM's end. If `length` exceeds VRAM, this visits each byte
    /// once.
    #[doc(hidden)]
    pub fn for_each_linear_range(
        self,
        view: VramView,
        offset: u32,
        length: u32,
        mut visit: impl FnMut(Range<u32>),
    ) {
        // Permuted views scatter memory, but keep units together.
        let step = if view == VramView::Linear { VRAM_SIZE } else { UNIT };
        let mut at = offset;
        let end = offset.saturating_add(length.min(VRAM_SIZE));
        while at < end {
            let count = (step - at % step).min(end - at);
            let start = self.to_linear(view, at);
            visit(start..start.saturating_add(count));
            at = at.saturating_add(count);
        }
    }

    /// Flips bits to convert between linear and m1 offsets. The same flips convert back.
    const fn permuted(self, i: u32) -> u32 {
        match self {
            Self::Linear => i,
            Self::None => i ^ 0x600,
            _ => i ^ ((self.mode() << 3) | 0x40),
        }
    }

    /// Converts a linear offset to an m3 offset. For mode 2^k, bit k+3 flips, bits 7 to k−1 move down by one, bit 6
    /// moves to bit 5, inverted, and bit 5 to bit k−1.
    const fn linear_to_depth(self, i: u32) -> u32 {
        let mode = self.mode();
        if mode == 0 {
            return self.unrotated_depth(i);
        }
        let flipped = i ^ (mode << 3);
        let rotated = mode - 0x20;
        let high = (i & (mode - 0x80)) >> 1;
        (flipped & !rotated) | high | ((!i & 0x40) >> 1) | (((i & 0x20) >> 5) * (mode >> 1))
    }

    /// Undoes [`Self::linear_to_depth`].
    const fn depth_to_linear(self, o: u32) -> u32 {
        let mode = self.mode();
        if mode == 0 {
            return self.unrotated_depth(o);
        }
        let flipped = o ^ (mode << 3);
        let rotated = mode - 0x20;
        let high = (o & ((mode >> 1) - 0x40)) << 1;
        let low = if o & (mode >> 1) != 0 { 0x20 } else { 0 };
        (flipped & !rotated) | high | ((!o & 0x20) << 1) | low
    }

    /// Flips bits 9 and 10 in mode 0 if they are equal. They stay equal, so the same converts back.
    const fn unrotated_depth(self, i: u32) -> u32 {
        if matches!(self, Self::None) && matches!(i & 0x600, 0 | 0x600) { i ^ 0x600 } else { i }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Translation; 5] = [
        Translation::None,
        Translation::Width512,
        Translation::Width1024,
        Translation::Width2048,
        Translation::Width4096,
    ];

    #[test]
    fn views_are_permutations() {
        for translation in ALL {
            for view in [VramView::Linear, VramView::Depth16, VramView::Depth32] {
                for offset in (0..VRAM_SIZE).step_by(16) {
                    let shown = translation.from_linear(view, offset);
                    assert!(shown < VRAM_SIZE, "{translation:?} {view:?} {offset:#x} leaves VRAM");
                    assert_eq!(
                        translation.to_linear(view, shown),
                        offset,
                        "{translation:?} {view:?} {offset:#x}"
                    );
                }
            }
        }
    }

    /// The formulas from [VRAM views](crate::reference::ge::memory#vram-views), which hardware test `ge/edramswizzle`
    /// confirms for every byte.
    #[test]
    fn views_match_the_reference_table() {
        let depth_view = |i: u32, flip: u32, middle: u32, up: u32| {
            let kept = (i ^ flip) & !(middle | middle >> 1 | 0x60);
            kept | ((i & middle) >> 1) | ((!i & 0x40) >> 1) | ((i & 0x20) << up)
        };
        for i in (0..VRAM_SIZE).step_by(4) {
            let mode_0 = if matches!(i & 0x600, 0 | 0x600) { i ^ 0x600 } else { i };
            for (translation, permuted, depth) in [
                (Translation::None, i ^ 0x600, mode_0),
                (Translation::Width512, i ^ 0x1040, depth_view(i, 0x1000, 0x180, 3)),
                (Translation::Width1024, i ^ 0x2040, depth_view(i, 0x2000, 0x380, 4)),
                (Translation::Width2048, i ^ 0x4040, depth_view(i, 0x4000, 0x780, 5)),
                (Translation::Width4096, i ^ 0x8040, depth_view(i, 0x8000, 0xF80, 6)),
            ] {
                assert_eq!(translation.from_linear(VramView::Linear, i), i, "{translation:?} {i:#x}");
                assert_eq!(
                    translation.from_linear(VramView::Depth16, i),
                    permuted,
                    "{translation:?} m1 of {i:#x}"
                );
                assert_eq!(
                    translation.from_linear(VramView::Depth32, i),
                    depth,
                    "{translation:?} m3 of {i:#x}"
                );
            }
        }
    }

    #[test]
    fn modes_round_trip() {
        for translation in ALL {
            assert_eq!(Translation::from_mode(translation.mode()), Some(translation), "{translation:?}");
        }
        assert_eq!(Translation::from_mode(0x300), None, "the system call refuses other numbers");
    }
}
