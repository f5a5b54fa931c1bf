//! Measures how much of each colour buffer a run's draws may have reached.

use std::collections::HashMap;

use super::dump_extent::DumpBox;
use crate::ge::registers::Registers;
use crate::pipeline::framebuffer::ColorSurface;

/// How large the drawn colour buffers are, as far as scissor and region allowed. Registers hold no buffer height,
/// so only draws can tell it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetSizes {
    /// Maps offset in VRAM and row length to width and height.
    sizes: HashMap<(u32, u32), [u32; 2]>,
    /// The last draw's buffer and size, to skip repeated look-ups.
    last: Option<((u32, u32), [u32; 2])>,
}

impl TargetSizes {
    /// Returns width and height in pixels for the buffer at an offset in VRAM with a row length in pixels. `None`
    /// if no draw reached it.
    #[must_use]
    pub fn of(&self, address: u32, stride: u32) -> Option<[u32; 2]> {
        self.sizes.get(&(address, stride)).copied()
    }

    /// Adds a draw to this buffer, with the reach that the registers allow.
    pub(super) fn insert(&mut self, target: &ColorSurface, registers: &Registers) {
        let (key, size) = ((target.address, target.stride), DumpBox::reached(registers).end());
        // Most draws in a scene reach the same pixels, so this saves a look-up in the map.
        if self.last == Some((key, size)) {
            return;
        }
        let largest = self.sizes.entry(key).or_default();
        *largest = [largest[0].max(size[0]), largest[1].max(size[1])];
        self.last = Some((key, size));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::opcode::Opcode;

    #[test]
    fn buffers_grow_with_their_draws() {
        let mut sizes = TargetSizes::default();
        for (address, x, y) in [(0x1000, 9, 99), (0x1000, 19, 49), (0x2000, 7, 7)] {
            let registers = Registers::with([
                (Opcode::FRAMEBUFPTR, address),
                (Opcode::FRAMEBUFWIDTH, 64),
                (Opcode::SCISSOR2, x | y << 10),
                (Opcode::REGION2, 1023 | 1023 << 10),
            ]);
            sizes.insert(&ColorSurface::from_registers(&registers), &registers);
        }
        assert_eq!(sizes.of(0x1000, 64), Some([20, 100]), "the larger of each side");
        assert_eq!(sizes.of(0x2000, 64), Some([8, 8]), "another buffer");
        assert_eq!(sizes.of(0x1000, 128), None, "another row length");
    }
}
