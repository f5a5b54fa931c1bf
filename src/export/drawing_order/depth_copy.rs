//! Copies a depth buffer, to test fragments as the rasterizer does. Without this copy, the rasterizer would have to
//! write its own copies back to memory before every draw.

use std::ops::Range;

use crate::ge::address::{Address, Region, VRAM_SIZE};
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::{ClearMode, Corner, DepthTest};
use crate::pipeline::framebuffer::{COORDINATES, ColorSurface, DepthSurface};

/// Views of VRAM move bytes only within aligned blocks this large.
const BLOCK: u32 = VRAM_SIZE / 32;

/// Follows the depth buffer from draw to draw.
#[derive(Clone, Debug, Default)]
pub(super) struct DepthCopy {
    surface: Option<DepthSurface>,
    /// The rows read so far, with the changes that fragments made since.
    rows: Vec<Option<Box<[u16]>>>,
}

/// How a draw tests and writes depth.
#[derive(Clone, Copy, Debug)]
pub(super) struct DepthRule {
    test: Option<DepthTest>,
    writes: bool,
}

impl DepthRule {
    pub(super) fn new(registers: &Registers) -> Self {
        let clear: ClearMode = registers.get();
        if clear.enabled {
            return Self { test: None, writes: clear.depth };
        }
        let tests = registers.is_on(Opcode::ZTESTENABLE);
        Self {
            test: tests.then(|| registers.get()),
            writes: tests && !registers.is_on(Opcode::ZWRITEDISABLE),
        }
    }
}

impl DepthRule {
    /// Returns whether fragments that pass change the buffer.
    pub(super) const fn writes(self) -> bool {
        self.writes
    }
}

impl DepthCopy {
    /// Call this before each draw. `flush` must bring memory up to date, so that this can read another buffer.
    pub(super) fn select(
        &mut self,
        registers: &Registers,
        memory: &mut Memory,
        flush: impl FnOnce(&mut Memory),
    ) {
        let surface = DepthSurface::from_registers(registers);
        if self.surface != Some(surface) {
            flush(memory);
            self.rows.clear();
            self.surface = Some(surface);
        }
    }

    /// Tests a depth at a position in the buffer, and writes it if it passes. Returns whether it passes.
    pub(super) fn draw(&mut self, memory: &Memory, rule: DepthRule, [x, y]: [u32; 2], z: u16) -> bool {
        let Some(surface) = self.surface else { return true };
        if rule.test.is_none() && !rule.writes {
            return true;
        }
        let (column, row) = (x % COORDINATES, y % COORDINATES);
        if self.rows.len() <= row as usize {
            self.rows.resize(row as usize + 1, None);
        }
        let Some(slot) = self.rows.get_mut(row as usize) else { return true };
        let depths = slot.get_or_insert_with(|| {
            (0..COORDINATES).map(|column| surface.read(memory, column, row)).collect()
        });
        let Some(depth) = depths.get_mut(column as usize) else { return true };
        let passes = rule.test.is_none_or(|test| test.function.passes(z, *depth));
        if passes && rule.writes {
            *depth = z;
        }
        passes
    }

    /// Drops the copy, because the buffer may change without it.
    pub(super) fn drop_copy(&mut self) {
        self.surface = None;
    }

    /// Drops the copy if a write to these bytes may change the buffer.
    pub(super) fn drop_if_written(&mut self, start: Address, length: u32) {
        let Region::Vram(_, offset) = start.region() else { return };
        if self.shares_block(offset..offset.saturating_add(length)) {
            self.drop_copy();
        }
    }

    /// Drops the copy if a draw may write colours into the buffer.
    pub(super) fn drop_if_drawn(&mut self, registers: &Registers) {
        let surface = ColorSurface::from_registers(registers);
        let last: Corner = registers.view(Opcode::SCISSOR2);
        let pixels = (u32::from(last.y) + 1).saturating_mul(surface.stride);
        let bytes = pixels.saturating_mul(color::bytes(surface.format));
        if self.shares_block(surface.address..surface.address.saturating_add(bytes)) {
            self.drop_copy();
        }
    }

    fn shares_block(&self, bytes: Range<u32>) -> bool {
        let Some(surface) = self.surface else { return false };
        let rows = u32::try_from(self.rows.len()).unwrap_or(COORDINATES);
        let end = surface.address.saturating_add(rows.saturating_mul(surface.stride).saturating_mul(2));
        // A view may move a byte anywhere within its block, so this compares whole blocks.
        let (first, last) = (surface.address / BLOCK, end.div_ceil(BLOCK));
        // A range beyond the end of VRAM wraps.
        bytes.end > VRAM_SIZE
            || end > VRAM_SIZE
            || bytes.start / BLOCK < last && first < bytes.end.div_ceil(BLOCK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::registers::pixel::Comparison;

    fn registers(settings: &[(Opcode, u32)]) -> Registers {
        let defaults = [
            (Opcode::ZBUFPTR, 0x11_0000),
            (Opcode::ZBUFWIDTH, 512),
            (Opcode::FRAMEBUFWIDTH, 512),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::SCISSOR2, 479 | 271 << 10),
        ];
        Registers::with(defaults.into_iter().chain(settings.iter().copied()))
    }

    const TESTED: [(Opcode, u32); 2] = [(Opcode::ZTESTENABLE, 1), (Opcode::ZTEST, 7)];

    #[test]
    fn fragments_test_what_earlier_ones_wrote() {
        let (registers, mut memory) = (registers(&TESTED), Memory::default());
        DepthSurface::from_registers(&registers).write(&mut memory, 3, 4, 100);
        let rule = DepthRule::new(&registers);
        assert_eq!(rule.test.map(|test| test.function), Some(Comparison::GREATER_EQUAL), "a plain rule");
        let mut copy = DepthCopy::default();
        let mut flushes = 0;
        copy.select(&registers, &mut memory, |_| flushes += 1);
        let results = [99, 100, 200, 150].map(|z| copy.draw(&memory, rule, [3, 4], z));
        assert_eq!(results, [false, true, true, false], "against 100, then 200");
        copy.select(&registers, &mut memory, |_| flushes += 1);
        assert!(!copy.draw(&memory, rule, [3, 4], 150), "the copy stays");
        assert_eq!(flushes, 1, "memory is read once");
    }

    #[test]
    fn changes_from_outside_drop_the_copy() {
        let (registers, mut memory) = (registers(&TESTED), Memory::default());
        let mut copy = DepthCopy::default();
        let mut select = |copy: &mut DepthCopy| {
            let mut is_flushed = false;
            copy.select(&registers, &mut memory, |_| is_flushed = true);
            copy.draw(&memory, DepthRule::new(&registers), [0, 271], 5);
            is_flushed
        };
        assert!(select(&mut copy), "new");
        copy.drop_if_written(Address::new(0x0890_0000), 0x1000);
        copy.drop_if_written(Address::vram(0x0F_FFF0), 16);
        copy.drop_if_drawn(&registers);
        assert!(!select(&mut copy), "other memory, and a colour buffer elsewhere");
        copy.drop_if_written(Address::vram(0x0F_FFF0), 0x1_0020);
        assert!(select(&mut copy), "a copy into the buffer");
        let over = Registers::with([(Opcode::FRAMEBUFPTR, 0x11_0000), (Opcode::FRAMEBUFWIDTH, 512)]);
        copy.drop_if_drawn(&over);
        assert!(select(&mut copy), "colours drawn into the buffer");
    }
}
