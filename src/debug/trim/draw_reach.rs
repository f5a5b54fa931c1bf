//! Bounds the bytes in VRAM that a draw may touch, by its targets' pixels in the box around its primitives.
//!
//! This box costs less than the exact pixels (see [`crate::debug::passes`]). A dump with all its bytes also
//! shows what surrounds thin shapes.

use crate::debug::memory::vram_set::VramSet;
use crate::ge::edram::Translation;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::raster::pixel_rect::PixelRect;
use crate::raster::region::RegionTranslation;

/// Adds the bytes for the pixels in `around` that are inside scissor and region: those in the colour buffer and, if
/// the draw uses depth, those in the depth buffer.
pub(super) fn add_targets(
    around: &PixelRect,
    registers: &Registers,
    translation: Translation,
    set: &mut VramSet,
) {
    let color = ColorSurface::from_registers(registers);
    let depth = uses_depth(registers).then(|| DepthSurface::from_registers(registers));
    let region = RegionTranslation::from_registers(registers);
    let [columns, rows] = around.intersection(&PixelRect::scissor(registers)).in_buffer();
    for row in rows {
        region.for_each_run(row, columns.clone(), |row, columns| {
            color.for_each_range(row, columns.clone(), |bytes| set.insert_range(bytes));
            if let Some(depth) = &depth {
                depth.for_each_range(translation, row, columns, |bytes| set.insert_range(bytes));
            }
        });
    }
}

/// Returns whether a draw tests or writes depth.
fn uses_depth(registers: &Registers) -> bool {
    let clear: ClearMode = registers.get();
    if clear.enabled { clear.depth } else { registers.is_on(Opcode::ZTESTENABLE) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::VRAM_SIZE;

    fn bytes(settings: &[(Opcode, u32)], around: &PixelRect) -> Vec<u32> {
        let defaults = [
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPTR, 0x1000),
            (Opcode::SCISSOR2, 31 | 31 << 10),
            (Opcode::REGION2, 31 | 31 << 10),
        ];
        let registers = Registers::with(defaults.into_iter().chain(settings.iter().copied()));
        let mut set = VramSet::default();
        add_targets(around, &registers, Translation::default(), &mut set);
        (0..VRAM_SIZE).filter(|offset| set.contains_any(*offset, 1)).collect()
    }

    #[test]
    fn pixels_become_bytes_of_the_targets() {
        let around = PixelRect { x: 2..4, y: 1..3 };
        let expected = [0x1084, 0x1085, 0x1086, 0x1087, 0x1104, 0x1105, 0x1106, 0x1107];
        assert_eq!(bytes(&[], &around), expected, "16-bit colour");
        let expected = [0x1004..0x1008, 0x1084..0x1088].map(Vec::from_iter).concat();
        assert_eq!(bytes(&[(Opcode::REGION1, 1 << 10)], &around), expected, "moved up");
        let depth = [(Opcode::ZBUFWIDTH, 64), (Opcode::ZBUFPTR, 0x2000), (Opcode::ZTESTENABLE, 1)];
        assert_eq!(bytes(&depth, &around).len(), 16, "colour and depth");
        assert_eq!(bytes(&[], &PixelRect { x: -9..2, y: 30..40 }).len(), 8, "inside the scissor");
        assert!(bytes(&depth, &PixelRect::EMPTY).is_empty(), "no primitives");
    }
}
