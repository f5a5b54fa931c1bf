//! REGION1 moves the picture in memory. This is the region translation.
//!
//! # Invariants
//! Scissor, coverage, interpolation and dither use the position on the screen. Only the bytes to read and write are
//! those at the translated position.
//! Source: [region translation](crate::reference::ge::coverage#region-translation).

use std::ops::Range;

use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::Corner;
use crate::pipeline::framebuffer::COORDINATES;

/// Converts screen positions to positions in the colour and depth buffers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RegionTranslation {
    /// The region's left edge, to subtract from columns. It is rounded up to a multiple of 4.
    left: u32,
    /// The region's upper edge, to subtract from rows.
    top: u32,
    /// Number to XOR with translated columns. 3 reverses each aligned group of four columns.
    column_flip: u32,
}

impl RegionTranslation {
    /// Reads the translation from REGION1.
    #[must_use]
    pub fn from_registers(registers: &Registers) -> Self {
        let corner: Corner = registers.view(Opcode::REGION1);
        let left = u32::from(corner.x);
        let column_flip = if left.is_multiple_of(2) { 0 } else { 3 };
        Self { left: left.next_multiple_of(4), top: u32::from(corner.y), column_flip }
    }

    /// Returns whether every position stays, because REGION1 is 0.
    #[must_use]
    pub(crate) fn is_identity(&self) -> bool {
        *self == Self::default()
    }

    /// Returns where a screen pixel lies in the buffers. Rounding may lead to columns left of the buffer. These wrap
    /// modulo 1024 (assumed), because the surfaces drop the upper bits.
    #[must_use]
    pub(crate) const fn apply(&self, x: u32, y: u32) -> [u32; 2] {
        [x.wrapping_sub(self.left) ^ self.column_flip, y.wrapping_sub(self.top)]
    }

    /// Passes the pixels in the buffers to `visit` that belong to part of a screen row.
    pub fn for_each_run(&self, row: u32, columns: Range<u32>, mut visit: impl FnMut(u32, Range<u32>)) {
        if self.is_identity() {
            return visit(row, columns);
        }
        // Flipped columns are not in order, so each is passed alone.
        for column in columns {
            let [column, row] = self.apply(column, row).map(|at| at % COORDINATES);
            visit(row, column..column + 1);
        }
    }

    /// Returns the screen column, 0 to 1023, that [`Self::apply`] moves to a column in the buffers.
    #[must_use]
    pub(crate) const fn column_on_screen(&self, column: u32) -> u32 {
        (column ^ self.column_flip).wrapping_add(self.left) % COORDINATES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(left: u32) -> Vec<i32> {
        let region = RegionTranslation::from_registers(&Registers::with([(Opcode::REGION1, left | 3 << 10)]));
        (8..16).map(|x| region.apply(x, 5)[0].cast_signed()).collect()
    }

    #[test]
    fn columns_move_by_multiples_of_four() {
        assert_eq!(columns(0), [8, 9, 10, 11, 12, 13, 14, 15], "no translation");
        assert_eq!(columns(8), [0, 1, 2, 3, 4, 5, 6, 7], "a multiple of 4");
        assert_eq!(columns(6), [0, 1, 2, 3, 4, 5, 6, 7], "rounded up to 8");
        assert_eq!(columns(5), [3, 2, 1, 0, 7, 6, 5, 4], "odd: groups are reversed");
        assert_eq!(columns(10), [-4, -3, -2, -1, 0, 1, 2, 3], "left of the buffer");
    }

    #[test]
    fn runs_have_the_pixels_of_the_buffers() {
        let runs = |left: u32| {
            let corner = Registers::with([(Opcode::REGION1, left | 1 << 10)]);
            let region = RegionTranslation::from_registers(&corner);
            let mut runs = Vec::new();
            region.for_each_run(5, 8..11, |row, columns| runs.push((row, columns)));
            runs
        };
        assert_eq!(runs(8), [(4, 0..1), (4, 1..2), (4, 2..3)], "moved");
        assert_eq!(runs(10), [(4, 1020..1021), (4, 1021..1022), (4, 1022..1023)], "left of the buffer");
        let mut unmoved = Vec::new();
        RegionTranslation::default().for_each_run(5, 8..11, |row, columns| unmoved.push((row, columns)));
        assert_eq!(unmoved, [(5, 8..11)], "one run");
    }

    #[test]
    fn rows_move_exactly() {
        let region = RegionTranslation::from_registers(&Registers::with([(Opcode::REGION1, 3 << 10)]));
        assert_eq!(region.apply(7, 5), [7, 2], "up by 3");
        assert!(!region.is_identity(), "rows move");
        assert!(RegionTranslation::from_registers(&Registers::new()).is_identity(), "REGION1 is 0");
    }
}
