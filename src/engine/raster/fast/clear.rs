//! Fills rectangles in clear mode with rows of equal pixels. This has its own code because a third of all pixels in
//! recorded frames are clears.

use super::batch::LANES;
use super::lanes::{U16Lanes, load};
use super::pixel_bounds::PixelBounds;
use super::pixels::framebuffer_word::{dither_and_clamp, encode, splat, store_pixels};
use super::pixels::pixel_state::PixelState;
use super::pixels::target::{Target, pixel_bytes};
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::pixel::ClearMode;

/// Packed pixels for a vector's lanes, in consecutive columns. Formats with two bytes use half of it.
type PixelPattern = [u8; 4 * LANES];

/// Fills a rectangle inside the target with a single colour and depth. Returns how many pixels passed all tests; in
/// clear mode this is only the depth range.
#[inline(always)]
pub(super) fn clear_rectangle<S: Simd>(
    simd: S,
    state: &PixelState,
    clear: ClearMode,
    bounds: PixelBounds,
    (color, z): ([u8; 4], u16),
    target: &mut Target<'_>,
) -> u64 {
    if state.depth_range.is_some_and(|[low, high]| z < low || z > high) {
        return 0;
    }
    // Dithering repeats every four rows, so four patterns are enough.
    let patterns = [0, 1, 2, 3].map(|row| color_pattern(simd, state, color, [bounds.x, row]));
    let protected = protected_pattern(simd, state);
    let is_masked = protected.iter().any(|byte| *byte != 0);
    let (left, width) = (bounds.x as usize, bounds.width as usize);
    let size = pixel_bytes(target.format);
    for row in bounds.y as usize..(bounds.y + bounds.height) as usize {
        let Some(target_row) = row.checked_sub(target.first_row) else { continue };
        if clear.depth {
            let start = target_row * target.depth_stride + left;
            target.depth.get_mut(start..start + width).unwrap_or_default().fill(z);
        }
        if state.protected_bits != u32::MAX {
            let start = (target_row * target.color_stride + left) * size;
            let pixels = target.color.get_mut(start..start + width * size).unwrap_or_default();
            let pattern = &patterns[row & 3][..size * LANES];
            for pixels in pixels.chunks_mut(size * LANES) {
                if is_masked {
                    for ((pixel, new), protected) in pixels.iter_mut().zip(pattern).zip(&protected) {
                        *pixel = *pixel & protected | new & !protected;
                    }
                } else {
                    pixels.copy_from_slice(&pattern[..pixels.len()]);
                }
            }
        }
    }
    u64::from(bounds.width) * u64::from(bounds.height)
}

/// Packs a colour for the columns from `x` on in row `y`. Dithering makes it depend on the position.
#[inline(always)]
fn color_pattern<S: Simd>(simd: S, state: &PixelState, color: [u8; 4], [x, y]: [u32; 2]) -> PixelPattern {
    let mut color = color.map(|byte| U16Lanes::splat(simd, byte.into()));
    let offsets = state
        .dither
        .as_ref()
        .and_then(|matrix| matrix[(y & 3) as usize].get((x & 3) as usize..)?.first_chunk::<LANES>());
    if let Some(offsets) = offsets {
        color = dither_and_clamp(simd, color, Some(load(simd, offsets)));
    }
    let mut pattern = [0; 4 * LANES];
    store_pixels(encode(simd, color, state.color.format), &mut pattern, state.color.format);
    pattern
}

/// Repeats a packed pixel's protected bits.
#[inline(always)]
fn protected_pattern<S: Simd>(simd: S, state: &PixelState) -> PixelPattern {
    let mut pattern = [0; 4 * LANES];
    store_pixels(splat(simd, state.protected_bits), &mut pattern, state.color.format);
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::arithmetic::simd::portable;
    use crate::ge::memory::Memory;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::ge::registers::transform::ShadeMode;
    use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
    use crate::raster::fast::pixels::pixel_state::DrawMode;
    use crate::raster::rules::reference;
    use crate::raster::texel_cache::cache_lines::TexelAccess;

    const STRIDE: u32 = 64;
    const ROWS: u32 = 12;

    /// Clears a rectangle by the reference and by rows, over the same noise, and compares all pixels.
    fn assert_same(settings: &[(Opcode, u32)]) {
        let defaults = [
            (Opcode::FRAMEBUFWIDTH, 64),
            (Opcode::ZBUFPTR, 0x10_0000),
            (Opcode::ZBUFWIDTH, 64),
            (Opcode::SCISSOR2, 63 | (ROWS - 1) << 10),
            (Opcode::REGION2, 63 | (ROWS - 1) << 10),
            (Opcode::MAXZ, 0xFFFF),
            (Opcode::DITH0, 0x7A31),
            (Opcode::DITH1, 0x19F4),
            (Opcode::DITH2, 0xC26E),
            (Opcode::DITH3, 0x85D0),
        ];
        let registers = Registers::with(defaults.into_iter().chain(settings.iter().copied()));
        let vertex = |x: i32, y: i32| ScreenVertex {
            x: x * 16,
            y: y * 16,
            z: 0x1234,
            color: [3, 130, 251, 77],
            ..ScreenVertex::default()
        };
        let primitive = ScreenPrimitive {
            shape: Shape::Rectangle([vertex(3, 2), vertex(44, 11)]),
            shade: ShadeMode::FLAT,
            provoking: 1,
            through: false,
            arithmetic: Arithmetic::Hardware,
        };
        let state = PixelState::new(&registers, DrawMode::from(&primitive));
        let clear = state.clear.expect("clear mode");
        let mut memory = Memory::default();
        let noise: Vec<u8> =
            (0..STRIDE * ROWS).flat_map(|at| at.wrapping_mul(0x9E37_79B9).to_le_bytes()).collect();
        memory.vram_mut()[..noise.len()].copy_from_slice(&noise);
        let passed = reference::draw_primitive(&mut memory, &registers, &primitive, &mut TexelAccess::Live);
        let (mut color, mut depth) = (noise, vec![0; (STRIDE * ROWS) as usize]);
        let mut target = Target {
            color: &mut color,
            color_stride: STRIDE as usize,
            format: state.color.format,
            depth: &mut depth,
            depth_stride: STRIDE as usize,
            first_row: 0,
            end_row: ROWS as usize,
        };
        let bounds = PixelBounds { x: 3, y: 2, width: 41, height: 9 };
        let value = ([3, 130, 251, 77], 0x1234);
        let found = clear_rectangle(portable(), &state, clear, bounds, value, &mut target);
        assert_eq!(found, passed, "pixels with {settings:?}");
        assert!(memory.vram()[..color.len()] == color, "colours with {settings:?}");
        let pixels = (0..ROWS).flat_map(|y| (0..STRIDE).map(move |x| (x, y)));
        for ((x, y), depth) in pixels.zip(depth) {
            assert_eq!(depth, state.depth.read(&memory, x, y), "depth of ({x}, {y}) with {settings:?}");
        }
    }

    #[test]
    fn rows_match_reference() {
        for format in 0..4 {
            for flags in 0..8 {
                let mode = (Opcode::CLEARMODE, 1 | flags << 8);
                let format = (Opcode::FRAMEBUFPIXFORMAT, format);
                assert_same(&[mode, format]);
                assert_same(&[mode, format, (Opcode::DITHERENABLE, 1)]);
                assert_same(&[mode, format, (Opcode::MASKRGB, 0x0F_F055), (Opcode::MASKALPHA, 0x81)]);
                assert_same(&[mode, format, (Opcode::MINZ, 0x1235)]);
            }
        }
    }
}
