//! The bytes of VRAM that a draw may touch: the pixels of its targets inside the box around its primitives.

use std::ops::Range;

use super::vram_set::VramSet;
use crate::ge::address::VRAM_SIZE;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::color;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::texture::TextureMode;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::{ColorSurface, DepthSurface};
use crate::pipeline::primitive::ScreenPrimitive;
use crate::pipeline::texture::{MAX_LEVEL, Texture};
use crate::raster::coverage::ScissorRect;
use crate::raster::region::RegionTranslation;

/// Pixels around the vertices that a primitive may reach: half the width of a line, and rounding.
const MARGIN: i64 = 2;
/// Units of a screen position in a pixel.
const SUBPIXELS: i64 = 16;

/// A box of pixels on the screen; empty if a range is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReachBox {
    columns: Range<i64>,
    rows: Range<i64>,
}

impl ReachBox {
    /// Each range ends before it starts, so that the first pixel sets both.
    const EMPTY: Self = Self {
        columns: Range { start: i64::MAX, end: i64::MIN },
        rows: Range { start: i64::MAX, end: i64::MIN },
    };

    /// Returns the pixels that a draw may reach, inside scissor and region.
    pub(super) fn of_draw(memory: &Memory, draw: &Draw<'_>, arithmetic: Arithmetic) -> Self {
        let mut reach = Self::EMPTY;
        draw.to_screen(memory, arithmetic, &mut |primitive| reach.add(primitive));
        reach.inside_scissor(draw.registers)
    }

    /// Returns the pixels that an immediate primitive may reach, inside scissor and region.
    pub(super) fn of_immediate(draw: &ImmediateDraw<'_>, arithmetic: Arithmetic) -> Self {
        let mut reach = Self::EMPTY;
        if let Some(primitive) = draw.to_screen(arithmetic) {
            reach.add(&primitive);
        }
        reach.inside_scissor(draw.registers)
    }

    fn add(&mut self, primitive: &ScreenPrimitive) {
        let extend = |range: &mut Range<i64>, position: i32| {
            let pixel = i64::from(position).div_euclid(SUBPIXELS);
            range.start = range.start.min(pixel.saturating_sub(MARGIN));
            range.end = range.end.max(pixel.saturating_add(MARGIN).saturating_add(1));
        };
        for vertex in primitive.vertices() {
            extend(&mut self.columns, vertex.x);
            extend(&mut self.rows, vertex.y);
        }
    }

    fn inside_scissor(self, registers: &Registers) -> Self {
        let scissor = ScissorRect::from_registers(registers);
        let common = |a: Range<i64>, b: Range<i64>| a.start.max(b.start)..a.end.min(b.end);
        Self { columns: common(self.columns, scissor.x), rows: common(self.rows, scissor.y) }
    }

    /// Adds the bytes of the pixels in the colour buffer, and in the depth buffer if the draw uses it.
    pub(super) fn add_targets(&self, registers: &Registers, translation: Translation, set: &mut VramSet) {
        let color = ColorSurface::from_registers(registers);
        let depth = uses_depth(registers).then(|| DepthSurface::from_registers(registers));
        let region = RegionTranslation::from_registers(registers);
        let bytes = color::bytes(color.format);
        for row in self.rows.clone() {
            // The region keeps aligned groups of four columns together.
            for (column, count) in groups(&self.columns, region.is_identity()) {
                let screen = [column, row].map(|position| u32::try_from(position).unwrap_or(0));
                let [x, y] = if region.is_identity() { screen } else { region.apply(screen[0], screen[1]) };
                let x = if region.is_identity() { x } else { x & !3 };
                set.insert_linear(color.offset(x, y), count.saturating_mul(bytes));
                if let Some(depth) = &depth {
                    let value = (y % 1024).saturating_mul(depth.stride).saturating_add(x % 1024);
                    let offset = depth.address.saturating_add(value.saturating_mul(2)) % VRAM_SIZE;
                    set.insert_view(translation, depth.view, offset, count.saturating_mul(2));
                }
            }
        }
    }
}

/// Divides columns into runs of neighbours: one if nothing moves them, else groups of four.
fn groups(columns: &Range<i64>, is_one: bool) -> impl Iterator<Item = (i64, u32)> + use<> {
    let length = |range: Range<i64>| u32::try_from(range.end.saturating_sub(range.start)).unwrap_or(0);
    let Range { start, end } = columns.clone();
    let step = if is_one { usize::try_from(end.saturating_sub(start)).unwrap_or(0).max(1) } else { 4 };
    let first = if is_one { start } else { start & !3 };
    (first..end).step_by(step).map(move |column| (column, if is_one { length(start..end) } else { 4 }))
}

/// Returns whether a draw tests or writes depth.
pub(super) fn uses_depth(registers: &Registers) -> bool {
    let clear: ClearMode = registers.get();
    if clear.enabled { clear.depth } else { registers.is_on(Opcode::ZTESTENABLE) }
}

/// Returns the mip levels that a draw with these registers may sample; none if it draws without texture.
pub(super) fn sampled_levels(registers: &Registers) -> impl Iterator<Item = Texture> + use<'_> {
    let is_textured = registers.is_on(Opcode::TEXENABLE) && !registers.get::<ClearMode>().enabled;
    let last = registers.get::<TextureMode>().max_level.min(MAX_LEVEL);
    (0..=last).filter(move |_| is_textured).map(|level| Texture::from_registers(registers, level))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(registers: &Registers, reach: &ReachBox) -> Vec<u32> {
        let mut set = VramSet::default();
        reach.add_targets(registers, Translation::default(), &mut set);
        (0..VRAM_SIZE).filter(|offset| set.contains_any(*offset, 1)).collect()
    }

    #[test]
    fn pixels_become_bytes_of_the_targets() {
        let registers = Registers::with([(Opcode::FRAMEBUFWIDTH, 64), (Opcode::FRAMEBUFPTR, 0x1000)]);
        let reach = ReachBox { columns: 2..4, rows: 1..3 };
        let expected = [0x1084, 0x1085, 0x1086, 0x1087, 0x1104, 0x1105, 0x1106, 0x1107];
        assert_eq!(bytes(&registers, &reach), expected, "16-bit colour");
        let moved = Registers::with([
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPTR, 0x1000),
            (Opcode::REGION1, 1 << 10),
        ]);
        assert_eq!(bytes(&moved, &reach), [0x1000..0x1008, 0x1080..0x1088].map(Vec::from_iter).concat());
        let depth = Registers::with([
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::ZBUFWIDTH, 64),
            (Opcode::ZBUFPTR, 0x2000),
            (Opcode::ZTESTENABLE, 1),
        ]);
        assert_eq!(bytes(&depth, &reach).len(), 16, "colour and depth");
    }
}
