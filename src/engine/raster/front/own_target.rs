//! Draws that may sample their own target.
//!
//! The reference can draw them, but slowly. If primitives are sure to sample no byte that any of them writes, the
//! fast engine can sample a copy instead.
//! Source: [self-sampling](crate::reference::ge::textures#self-sampling).

use super::cost;
use super::lowered_primitives::LoweredPrimitives;
use crate::ge::edram::Translation;
use crate::raster::fast::PipelineState;

/// Tells how the fast engine draws primitives that may sample their target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CopyPlan {
    /// Cost in pixels to copy the texels that this draw needs.
    pub(crate) cost: u64,
}

impl CopyPlan {
    /// Plans a draw whose cost is known. Returns `None` if the reference must draw it or draws it faster.
    pub(crate) fn new(
        state: &mut PipelineState,
        lowered: &LoweredPrimitives,
        translation: Translation,
    ) -> Option<Self> {
        // Otherwise a pixel may sample bytes that earlier pixels wrote, which a copy cannot show.
        if !state.samples_apart(lowered.primitives(), translation) {
            return None;
        }
        // Levels that cannot be read in place are copied in any case, and slowly. The others are copied only for
        // this draw.
        let slow = state.copied_bytes();
        state.require_copies();
        let fast = state.copied_bytes().saturating_sub(slow);
        let cost = cost::of_texel_copy(slow).saturating_add(cost::of_target_copy(fast));
        (cost <= cost::by_reference(lowered.cost())).then_some(Self { cost })
    }
}

#[cfg(test)]
mod tests {
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::memory::Memory;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::ge::registers::transform::ShadeMode;
    use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
    use crate::raster::front::cost::{REFERENCE_FACTOR, SETUP};
    use crate::raster::{RasterOptions, Rasterizer};

    /// How many bytes the texture takes: 64 × 64 texels, too many for the hardware's texture cache.
    const BYTES: u64 = 64 * 64 * 4;
    const PIXELS: u64 = 8 * 8;

    /// Draws 8 × 8 texels from row `first` on to the upper left of a target, from a texture at `address`. Returns
    /// the cost.
    fn cost(address: u32, high: u32, first: f32, arithmetic: Arithmetic) -> u64 {
        let registers = Registers::with([
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::FRAMEBUFPIXFORMAT, 3),
            (Opcode::SCISSOR2, 63 | 63 << 10),
            (Opcode::REGION2, 63 | 63 << 10),
            (Opcode::TEXENABLE, 1),
            (Opcode::TEXADDR0, address),
            (Opcode::TEXBUFWIDTH0, high << 16 | 64),
            (Opcode::TEXSIZE0, 6 | 6 << 8),
            (Opcode::TEXWRAP, 0x101),
            (Opcode::TEXFORMAT, 3),
            (Opcode::TEXFUNC, 3),
        ]);
        let corner = |at: i32, column, row| ScreenVertex {
            x: at * 16,
            y: at * 16,
            texture: [column, row, 1.0],
            reciprocal_w: 1.0,
            ..ScreenVertex::default()
        };
        let primitive = ScreenPrimitive {
            shape: Shape::Rectangle([corner(0, 0.0, first), corner(8, 8.0, first + 8.0)]),
            shade: ShadeMode::FLAT,
            provoking: 1,
            through: true,
            arithmetic,
        };
        let mut rasterizer = Rasterizer::new(RasterOptions { arithmetic, ..RasterOptions::default() });
        rasterizer.primitive(&mut Memory::default(), &registers, &primitive);
        rasterizer.cost()
    }

    #[test]
    fn copies_are_charged_once() {
        let drawn = PIXELS + SETUP;
        let hardware = Arithmetic::Hardware;
        assert_eq!(cost(0x10_0000, 4, 0.0, hardware), drawn, "another buffer is not copied");
        assert_eq!(cost(0, 4, 32.0, hardware), drawn + BYTES / 64, "pixels that it does not draw");
        assert_eq!(cost(0x70_0000, 4, 0.0, hardware), drawn + BYTES / 8, "a permuted view of other pixels");
    }

    #[test]
    fn reference_needs_no_copies() {
        let drawn = PIXELS * REFERENCE_FACTOR + SETUP;
        for (arithmetic, address, row) in [
            (Arithmetic::Single, 0, 0.0),
            (Arithmetic::Hardware, 0, 0.0),
            (Arithmetic::Hardware, 0x60_0000, 0.0),
        ] {
            assert_eq!(cost(address, 4, row, arithmetic), drawn, "{arithmetic:?}: its own pixels, in order");
        }
    }
}
