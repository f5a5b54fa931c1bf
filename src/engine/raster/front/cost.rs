//! A primitive's cost is computed before drawing it, to charge
//! [`Limits::pixels`](crate::ge::limits::Limits::pixels).
//!
//! A primitive costs the pixels inside the scissor that it may have to test, times `weight`, plus `SETUP`. If the
//! fast engine must leave a draw to the reference, this costs `REFERENCE_FACTOR` times as much. Copied texels cost
//! extra.

use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::texture::{TexelFormat, TextureFilter, TextureFormat, TextureMode};
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::raster::rules::grid::{center_range, intersect, position};
use crate::raster::rules::line::Line;
use crate::raster::rules::pixel_rect::PixelRect;
use crate::raster::rules::rectangle;

/// Cost for a vertex, in pixels. Vertices have a limit of their own.
pub const VERTEX: u64 = 8;
/// Setup cost for a primitive, in pixels.
pub(crate) const SETUP: u64 = 64;
/// How much longer the reference takes for a pixel than the fast engine.
pub(crate) const REFERENCE_FACTOR: u64 = 16;

/// How much longer it takes to follow a pixel through the texture cache than to draw it with the fast engine.
pub(crate) const FOLLOWED_FACTOR: u64 = 8;

/// How many bytes of a target can be copied in the time for a pixel.
const TARGET_BYTES_PER_PIXEL: u64 = 64;
/// The same for other texels, such as those in permuted views of VRAM.
const TEXEL_BYTES_PER_PIXEL: u64 = 8;

/// Computes the cost in pixels to copy `bytes` of a target.
#[must_use]
pub(crate) const fn of_target_copy(bytes: u64) -> u64 {
    bytes / TARGET_BYTES_PER_PIXEL
}

/// Computes the cost in pixels to copy `bytes` of texels that cannot be read in place.
#[must_use]
pub(crate) const fn of_texel_copy(bytes: u64) -> u64 {
    bytes / TEXEL_BYTES_PER_PIXEL
}

/// Converts the fast engine's cost to the reference's, in pixels.
#[must_use]
pub(crate) const fn by_reference(cost: u64) -> u64 {
    cost.saturating_mul(REFERENCE_FACTOR)
}

/// Estimates how much longer a pixel with this texture takes than an untextured pixel, as measured and rounded.
#[must_use]
pub(crate) fn weight(registers: &Registers) -> u64 {
    if !registers.is_on(Opcode::TEXENABLE) || registers.get::<ClearMode>().enabled {
        return 1;
    }
    let has_levels = registers.get::<TextureMode>().max_level > 0;
    let blends = has_levels && registers.get::<TextureFilter>().minification.blends_levels();
    match registers.get::<TextureFormat>().format {
        TexelFormat::DXT1 | TexelFormat::DXT3 | TexelFormat::DXT5 => 4 << u32::from(blends),
        TexelFormat::CLUT16 | TexelFormat::CLUT32 => 2 << u32::from(blends),
        _ => 1 << u32::from(blends),
    }
}

/// Computes a primitive's cost inside `scissor`, for pixels with this weight, in untextured pixels.
#[must_use]
pub fn of_primitive(primitive: &ScreenPrimitive, scissor: &PixelRect, weight: u64) -> u64 {
    let pixels = match &primitive.shape {
        Shape::Point(_) => 1,
        Shape::Line(vertices) => {
            let line = Line::new(vertices);
            length(&line.range(), if line.steep { &scissor.y } else { &scissor.x })
        }
        Shape::Triangle(vertices) => triangle(vertices, scissor),
        Shape::Rectangle(vertices) => {
            let [x, y] = rectangle::covered(vertices, primitive.arithmetic);
            length(&x, &scissor.x).saturating_mul(length(&y, &scissor.y))
        }
    };
    pixels.saturating_mul(weight).saturating_add(SETUP)
}

/// Bounds the covered pixels from above. The bounding box is too large for thin triangles, so area plus border
/// replaces it if this is smaller.
fn triangle(vertices: &[ScreenVertex; 3], scissor: &PixelRect) -> u64 {
    let [a, b, c] = vertices.each_ref().map(position);
    let doubled = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    let [width, height] = bounds([a, b, c], scissor);
    // This halves the doubled area and converts 1/256 pixel to pixels: 9 bits.
    let inside = doubled.unsigned_abs() >> 9;
    width
        .saturating_mul(height)
        .min(inside.saturating_add(width).saturating_add(height))
        .saturating_add(height)
}

/// Counts columns and rows in the bounding box inside the scissor.
fn bounds<const N: usize>(positions: [[i64; 2]; N], scissor: &PixelRect) -> [u64; 2] {
    let span = |axis: usize, inside| {
        let (mut first, mut last) = (i64::MAX, i64::MIN);
        for position in &positions {
            (first, last) = (first.min(position[axis]), last.max(position[axis]));
        }
        length(&center_range(first, last + 1), inside)
    };
    [span(0, &scissor.x), span(1, &scissor.y)]
}

fn length(range: &std::ops::Range<i64>, inside: &std::ops::Range<i64>) -> u64 {
    let clipped = intersect(range, inside);
    u64::try_from(clipped.end - clipped.start).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::registers::transform::ShadeMode;
    use crate::raster::rules::coverage::for_each_pixel;

    const SCISSOR: PixelRect = PixelRect { x: 10..300, y: 5..200 };

    fn primitive(shape: Shape) -> ScreenPrimitive {
        let (shade, arithmetic) = (ShadeMode::FLAT, Arithmetic::Hardware);
        ScreenPrimitive { shape, shade, provoking: 0, through: true, arithmetic }
    }

    fn vertex(x: i32, y: i32) -> ScreenVertex {
        ScreenVertex { x, y, ..ScreenVertex::default() }
    }

    #[test]
    fn cost_bounds_covered_pixels() {
        let mut seed = 99u32;
        let mut corner = |size: i32| {
            let mut random = || {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                i32::try_from(seed >> 8).unwrap_or(0) % size - size / 4
            };
            vertex(random(), random())
        };
        for round in 0..480 {
            // From a pixel or two to far beyond the screen.
            let size = 40 << (round % 12);
            let [a, b, c] = [(); 3].map(|()| corner(size));
            for shape in
                [Shape::Point([a]), Shape::Line([a, b]), Shape::Rectangle([a, b]), Shape::Triangle([a, b, c])]
            {
                for arithmetic in [Arithmetic::Hardware, Arithmetic::Single] {
                    let mut covered = 0;
                    for_each_pixel(&shape, arithmetic, &SCISSOR, |_, _| covered += 1);
                    let cost = of_primitive(&primitive(shape), &SCISSOR, 1);
                    assert!(
                        covered + SETUP <= cost,
                        "round {round}: {shape:?} covers {covered}, costs {cost}"
                    );
                }
            }
        }
    }

    #[test]
    fn cost_follows_size() {
        let rectangle = Shape::Rectangle([vertex(0, 0), vertex(i32::MAX, i32::MAX)]);
        assert_eq!(
            of_primitive(&primitive(rectangle), &SCISSOR, 8),
            8 * 290 * 195 + SETUP,
            "clipped to the scissor"
        );
        let sliver = Shape::Triangle([vertex(0, 0), vertex(4800, 3200), vertex(4816, 3200)]);
        assert!(of_primitive(&primitive(sliver), &SCISSOR, 1) < 1000, "thin triangles are cheap");
        let outside = Shape::Triangle([vertex(0, 0), vertex(16, 0), vertex(0, 16)]);
        assert_eq!(
            of_primitive(&primitive(outside), &SCISSOR, 1),
            SETUP,
            "primitives outside the scissor cost only their setup"
        );
    }
}
