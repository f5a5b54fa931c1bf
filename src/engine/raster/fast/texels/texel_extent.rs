//! The texel extent bounds which of a texture's bytes rectangles can load into the texture cache.
//!
//! Textures have powers of two as sizes, so a texture over a smaller buffer often reaches into the next. Only the
//! sampled rows tell whether a draw samples its own target.

use std::ops::Range;

use super::texture_state::{MipLevel, TexelStorage, TextureState};
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::pipeline::texture::swizzle;
use crate::raster::fast::pass_extent::PassExtent;
use crate::raster::rules::pixel_rect::PixelRect;
use crate::raster::rules::rectangle;

/// Sixteenths of a pixel per pixel.
const PIXEL: i32 = 16;
/// How many rows filtering and rounding can go beyond the coordinates at the corners.
const MARGIN: f64 = 2.0;

/// Bounds which bytes in linear VRAM the texels of rectangles come from. Returns `None` if this is not known.
pub(crate) fn sampled_bytes(texture: &TextureState, primitives: &[ScreenPrimitive]) -> Option<Range<usize>> {
    let [level] = texture.levels.as_slice() else { return None };
    let TexelStorage::Vram(start) = level.storage else { return None };
    if level.texture.format.is_compressed() {
        return None;
    }
    let height = f64::from(level.texture.height());
    let mut rows: Option<[f64; 2]> = None;
    for primitive in primitives {
        let Shape::Rectangle(vertices) = &primitive.shape else { return None };
        let [low, high] = sampled_rows(vertices, level)?;
        let [low, high] = if texture.wrap.clamp_t {
            [low, high].map(|row| row.clamp(0.0, height - 1.0))
        } else if low < 0.0 || high >= height {
            rows_at_corners(texture, primitive, [low, high]).unwrap_or([0.0, height - 1.0])
        } else {
            [low, high]
        };
        rows = Some(rows.map_or([low, high], |rows| [rows[0].min(low), rows[1].max(high)]));
    }
    let [first, last] = rows?.map(row_number);
    // The texture cache loads bands of rows. In a swizzled texture, a band is a row of blocks.
    let block = swizzle::BLOCK_HEIGHT as usize;
    let (first, end) = (first / block * block, (last + 1).next_multiple_of(block));
    let row_bytes = level.texture.row_bytes as usize;
    // Rows may be wider than the distance between them, so the last may reach farther.
    let width = level.byte_len.saturating_sub((level.last[1].unsigned_abs() as usize) * row_bytes);
    // The cache reads whole lines with 16 bytes, so these may reach farther too.
    let end = (end - 1) * row_bytes + width.next_multiple_of(swizzle::BLOCK_WIDTH as usize).max(row_bytes);
    Some(start + (first * row_bytes).min(end)..start + end)
}

/// Bounds which rows of texels a rectangle can sample, before wrapping. Returns `None` if this is not known.
fn sampled_rows([a, b]: &[ScreenVertex; 2], level: &MipLevel) -> Option<[f64; 2]> {
    let is_large = a.x.abs_diff(b.x) >= PIXEL.unsigned_abs() && a.y.abs_diff(b.y) >= PIXEL.unsigned_abs();
    let is_flat =
        a.texture[2] == 1.0 && b.texture[2] == 1.0 && a.reciprocal_w == 1.0 && b.reciprocal_w == 1.0;
    if !is_large || !is_flat {
        return None;
    }
    let [a, b] = [a, b].map(|vertex| f64::from(vertex.texture[1]) * level.scale[1]);
    if !a.is_finite() || !b.is_finite() {
        return None;
    }
    let (low, high) = (a.min(b), a.max(b));
    // A centre may lie 1/16 pixel outside the rectangle. As the rectangle has at least a pixel, this is at most a
    // sixteenth of the range.
    let margin = MARGIN + (high - low) / f64::from(PIXEL);
    Some([(low - margin).floor(), (high + margin).floor()])
}

/// Finds the rows that a rectangle samples at the corners of its pixels, because the bounds alone would make
/// textures wrap that do not: most copies of a whole buffer begin at row 0. Rows change in a single direction from
/// corner to corner, so all others lie between. Returns `None` if a corner's rows are far outside the bounds `[low,
/// high]`, because they have wrapped.
fn rows_at_corners(
    texture: &TextureState,
    primitive: &ScreenPrimitive,
    [low, high]: [f64; 2],
) -> Option<[f64; 2]> {
    let Shape::Rectangle(vertices) = &primitive.shape else { return None };
    let source = texture.texel_source(primitive)?;
    let ends = rectangle::covered(vertices, primitive.arithmetic).map(|pixels| {
        let last = pixels.end.checked_sub(1).filter(|last| *last >= pixels.start)?;
        Some([u32::try_from(pixels.start).ok()?, u32::try_from(last).ok()?])
    });
    let [columns, lines] = [ends[0]?, ends[1]?];
    let (mut first, mut last) = (f64::INFINITY, f64::NEG_INFINITY);
    for (x, y) in columns.into_iter().flat_map(|x| lines.map(|y| (x, y))) {
        source.visit(x, y, &mut |_, _, [_, row]| {
            (first, last) = (first.min(f64::from(row)), last.max(f64::from(row)));
        });
    }
    (first >= low && last <= high).then_some([first, last])
}

/// Converts a row number, 0 to 511.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is clamped")]
fn row_number(row: f64) -> usize {
    row.clamp(0.0, 1023.0) as usize
}

/// Bounds which pixels rectangles may write inside the scissor.
pub(crate) fn written_extent(
    extent: &PassExtent,
    scissor: &PixelRect,
    primitives: &[ScreenPrimitive],
) -> Option<PassExtent> {
    let mut written = PixelRect::EMPTY;
    for primitive in primitives {
        let Shape::Rectangle(vertices) = &primitive.shape else { return None };
        let [x, y] = rectangle::covered(vertices, primitive.arithmetic);
        let inside = PixelRect { x, y }.intersection(scissor);
        if !inside.is_empty() {
            written = written.union(&inside);
        }
    }
    if written.is_empty() {
        return None;
    }
    let PixelRect { x: columns, y: rows } = written;
    let [first, end, column_end] = [rows.start, rows.end, columns.end].map(usize::try_from);
    Some(PassExtent { rows: first.ok()?..end.ok()?, column_end: column_end.ok()?, ..extent.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::address::Address;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::memory::Memory;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::Registers;
    use crate::ge::registers::transform::ShadeMode;
    use crate::raster::fast::ClutTableCache;

    const TEXTURE: usize = 0x10_0000;

    /// A texture of 64 × 64 pixels of 4 bytes.
    fn texture(settings: &[(Opcode, u32)]) -> TextureState {
        let defaults = [
            (Opcode::TEXADDR0, 0x10_0000),
            (Opcode::TEXBUFWIDTH0, 0x04_0000 | 64),
            (Opcode::TEXSIZE0, 6 | 6 << 8),
            (Opcode::TEXFORMAT, 3),
        ];
        let registers = Registers::with(defaults.into_iter().chain(settings.iter().copied()));
        let texture = TextureState::new(&Memory::default(), &registers, true, &mut ClutTableCache::default());
        assert_eq!(texture.levels[0].texture.address, Address::vram(0x10_0000), "the texture in VRAM");
        texture
    }

    fn rectangle(from: [i32; 2], to: [i32; 2], rows: [f32; 2]) -> ScreenPrimitive {
        let vertex = |[x, y]: [i32; 2], row| ScreenVertex {
            x: x * 16,
            y: y * 16,
            texture: [0.0, row, 1.0],
            reciprocal_w: 1.0,
            ..ScreenVertex::default()
        };
        ScreenPrimitive {
            shape: Shape::Rectangle([vertex(from, rows[0]), vertex(to, rows[1])]),
            shade: ShadeMode::FLAT,
            provoking: 1,
            through: true,
            arithmetic: Arithmetic::Hardware,
        }
    }

    fn rows(texture: &TextureState, primitives: &[ScreenPrimitive]) -> Option<Range<usize>> {
        let bytes = sampled_bytes(texture, primitives)?;
        Some((bytes.start - TEXTURE) / 256..(bytes.end - TEXTURE).div_ceil(256))
    }

    #[test]
    fn rectangles_sample_the_rows_between_their_corners() {
        let plain = texture(&[]);
        let one = rectangle([0, 0], [32, 16], [16.0, 32.0]);
        assert_eq!(rows(&plain, &[one]), Some(8..40), "rows 13 to 35: two more, and a sixteenth of 16");
        let flipped = rectangle([0, 16], [32, 0], [32.0, 16.0]);
        assert_eq!(rows(&plain, &[flipped]), Some(8..40), "upside down");
        let other = rectangle([0, 0], [1, 1], [40.0, 40.0]);
        assert_eq!(rows(&plain, &[one, other]), Some(8..48), "both, up to row 42");
        let edge = rectangle([0, 0], [32, 16], [0.0, 16.0]);
        assert_eq!(rows(&plain, &[edge]), Some(0..16), "begins at the edge, but does not wrap");
        let half = rectangle([0, 0], [32, 16], [32.0, 64.0]);
        assert_eq!(rows(&plain, &[half]), Some(32..64), "ends at the edge");
        let beyond = rectangle([0, 0], [32, 16], [-1.0, 15.0]);
        assert_eq!(rows(&plain, &[beyond]), Some(0..64), "wraps");
        let filtered = texture(&[(Opcode::TEXFILTER, 0x101)]);
        assert_eq!(rows(&filtered, &[edge]), Some(0..24), "filtering takes rows 0 to 16");
        assert_eq!(rows(&texture(&[(Opcode::TEXWRAP, 0x101)]), &[edge]), Some(0..24), "clamps, up to row 19");
        assert_eq!(rows(&plain, &[rectangle([0, 0], [32, 0], [1.0, 2.0])]), None, "less than a pixel");
        assert_eq!(rows(&plain, &[rectangle([0, 0], [32, 9], [f32::NAN, 2.0])]), None, "NaN");
        let swizzled = texture(&[(Opcode::TEXMODE, 1)]);
        assert_eq!(rows(&swizzled, &[one]), Some(8..40), "whole blocks");
        assert_eq!(sampled_bytes(&plain, &[]), None, "nothing is known");
    }

    #[test]
    fn rectangles_write_their_pixels_inside_the_scissor() {
        let registers = Registers::with([(Opcode::FRAMEBUFWIDTH, 64), (Opcode::FRAMEBUFPIXFORMAT, 3)]);
        let extent = PassExtent {
            color: crate::pipeline::framebuffer::ColorSurface::from_registers(&registers),
            depth: None,
            rows: 0..64,
            column_end: 64,
        };
        let scissor = PixelRect { x: 0..64, y: 4..20 };
        let all = [rectangle([2, 0], [9, 8], [0.0; 2]), rectangle([40, 10], [50, 12], [0.0; 2])];
        let written = written_extent(&extent, &scissor, &all).expect("rectangles");
        assert_eq!((written.rows, written.column_end), (4..12, 50), "the box around both");
        let outside = [rectangle([2, 0], [9, 3], [0.0; 2])];
        assert!(written_extent(&extent, &scissor, &outside).is_none(), "nothing inside");
    }
}
