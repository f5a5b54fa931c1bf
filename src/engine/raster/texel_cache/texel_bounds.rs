//! Bounds the texels that a primitive fetches, without looking at its pixels, to show quickly which lines it avoids.

use std::ops::RangeInclusive;

use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::pipeline::texture::{MAX_SIZE, Texture};
use crate::raster::fast::PipelineState;

/// Sixteenths of a pixel per pixel.
const PIXEL: u32 = 16;
/// How many texels filtering and rounding can reach beyond the corners' coordinates.
const MARGIN: f64 = 2.0;

/// Bounds the columns and rows of texels that a primitive fetches from a texture without mip levels. Returns `None`
/// if they are not known.
pub(super) fn sampled_bounds(
    state: &PipelineState,
    texture: &Texture,
    primitive: &ScreenPrimitive,
) -> Option<[RangeInclusive<u32>; 2]> {
    let vertices = primitive.vertices();
    let is_flat = |vertex: &ScreenVertex| vertex.texture[2] == 1.0 && vertex.reciprocal_w == 1.0;
    let is_known = match &primitive.shape {
        // Lines reach beyond their ends.
        Shape::Line(_) => false,
        // The planes of a narrow rectangle may reach far beyond its corners.
        Shape::Rectangle([a, b]) => a.x.abs_diff(b.x) >= PIXEL && a.y.abs_diff(b.y) >= PIXEL,
        Shape::Point(_) | Shape::Triangle(_) => true,
    };
    if !is_known || !vertices.iter().all(is_flat) {
        return None;
    }
    let size = [texture.width(), texture.height()];
    let scale = if primitive.through { [1.0; 2] } else { size.map(f64::from) };
    let clamps = state.clamps();
    let axis = |axis: usize| {
        let values = vertices.iter().map(|vertex| f64::from(vertex.texture[axis]) * scale[axis]);
        let (low, high) =
            values.fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(value), high.max(value)));
        // Far away, numbers have few fraction bits.
        if !(low.abs() < 32768.0 && high.abs() < 32768.0) {
            return None;
        }
        let margin = MARGIN + (high - low) / 16.0;
        texels([low - margin, high + margin], size[axis].min(MAX_SIZE), clamps[axis])
    };
    Some([axis(0)?, axis(1)?])
}

/// Returns the texels that positions between two numbers select.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the numbers are clamped")]
fn texels([low, high]: [f64; 2], size: u32, clamps: bool) -> Option<RangeInclusive<u32>> {
    let last = f64::from(size - 1);
    if clamps {
        Some(low.clamp(0.0, last) as u32..=high.clamp(0.0, last) as u32)
    } else if low < 0.0 || high >= f64::from(size) {
        Some(0..=size - 1)
    } else {
        Some(low as u32..=high as u32)
    }
}
