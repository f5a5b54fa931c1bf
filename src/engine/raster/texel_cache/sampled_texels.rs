//! Finds the texels that a primitive samples, as a box, to let debuggers find out who wrote them.
//!
//! # Invariants
//! Positions come from the reference rasterizer, which computes them at both ends of each row. Texture coordinates
//! only rise or only fall along a row, so this box holds the texels for all pixels between. It may hold more.

use std::ops::{Range, RangeInclusive};

use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::ge::registers::texture::{TextureFilter, TextureMode, TextureWrap};
use crate::pipeline::primitive::{ScreenPrimitive, Shape};
use crate::pipeline::texture::{MAX_SIZE, Texture};
use crate::raster::fragments::fragment_record::{FragmentRecord, LevelRecord};
use crate::raster::fragments::recorder::Recorder;
use crate::raster::rules::covered_rows::for_each_row;
use crate::raster::rules::pixel_rect::PixelRect;
use crate::raster::rules::texel_source::TexelSource;

/// A range of columns and rows in level 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TexelBox {
    /// The columns.
    pub columns: RangeInclusive<u32>,
    /// The rows.
    pub rows: RangeInclusive<u32>,
}

impl TexelBox {
    /// Returns whether this box has all texels of another.
    pub fn contains(&self, other: &Self) -> bool {
        let has = |outer: &RangeInclusive<u32>, inner: &RangeInclusive<u32>| {
            outer.contains(inner.start()) && outer.contains(inner.end())
        };
        has(&self.columns, &other.columns) && has(&self.rows, &other.rows)
    }

    /// Returns the smallest box around both.
    pub fn union(&self, other: &Self) -> Self {
        let join = |a: &RangeInclusive<u32>, b: &RangeInclusive<u32>| {
            *a.start().min(b.start())..=*a.end().max(b.end())
        };
        Self { columns: join(&self.columns, &other.columns), rows: join(&self.rows, &other.rows) }
    }
}

/// Returns whether draws may sample levels other than level 0.
pub fn uses_levels(registers: &Registers) -> bool {
    registers.get::<TextureMode>().max_level > 0
        && registers.get::<TextureFilter>().minification.uses_mipmaps()
}

/// Returns a box with the texels in level 0 that a textured primitive samples inside the scissor; `None` if it
/// covers no pixels there.
pub fn sampled_box(
    memory: &Memory,
    registers: &Registers,
    primitive: &ScreenPrimitive,
    scissor: &PixelRect,
) -> Option<TexelBox> {
    let source = TexelSource::new(registers, primitive)?;
    let mut recorder = PositionRecorder::default();
    let mut sample = |y: u32, columns: Range<u32>| {
        let (first, last) = (columns.start, columns.end.saturating_sub(1));
        let _ = source.at(&mut &*memory, first, y, &mut recorder);
        if last != first {
            let _ = source.at(&mut &*memory, last, y, &mut recorder);
        }
    };
    if matches!(primitive.shape, Shape::Rectangle(_)) {
        // Both coordinates only rise or only fall along both axes, so the first and the last row are enough.
        let mut rows = Vec::new();
        for_each_row(primitive, scissor, |y, columns| {
            rows.truncate(1);
            rows.push((y, columns));
        });
        for (y, columns) in rows {
            sample(y, columns);
        }
    } else {
        for_each_row(primitive, scissor, sample);
    }
    let margin = margin(registers, primitive);
    let [columns, rows] = recorder.bounds?.map(|[low, high]| [low - margin, high + margin]);
    let (texture, wrap) = (Texture::from_registers(registers, 0), registers.get::<TextureWrap>());
    Some(TexelBox {
        columns: wrapped(columns, texture.width(), wrap.clamp_s),
        rows: wrapped(rows, texture.height(), wrap.clamp_t),
    })
}

/// Returns how many texels a pixel inside a row may reach beyond the pixels at its ends.
fn margin(registers: &Registers, primitive: &ScreenPrimitive) -> i64 {
    let filter: TextureFilter = registers.get();
    // If only some pixels are filtered, those at the ends do not show how far the others reach.
    let is_mixed = filter.magnify_linear != filter.minification.is_linear();
    let depth = |q: f32, w: f32| q * w;
    let mut depths = primitive.vertices().iter().map(|at| depth(at.texture[2], at.reciprocal_w));
    let first = depths.next();
    // The hardware divides by an approximation of q, so coordinates along a row may deviate.
    let is_perspective = depths.any(|depth| Some(depth) != first);
    i64::from(is_mixed) + i64::from(is_perspective)
}

/// Returns the texels that positions from `low` to `high` select.
fn wrapped([low, high]: [i64; 2], size: u32, clamps: bool) -> RangeInclusive<u32> {
    let last = i64::from(size.min(MAX_SIZE)) - 1;
    let texel = |at: i64| u32::try_from(at).unwrap_or(0);
    if clamps {
        texel(low.clamp(0, last))..=texel(high.clamp(0, last))
    // Within a single repetition, wrapping keeps the order. Otherwise any texel may be sampled.
    } else if low.div_euclid(last + 1) == high.div_euclid(last + 1) {
        texel(low & last)..=texel(high & last)
    } else {
        0..=texel(last)
    }
}

/// Keeps the bounds of sampled positions before wrapping.
#[derive(Debug, Default)]
struct PositionRecorder {
    record: FragmentRecord,
    /// The lowest and the highest column, then the same for rows.
    bounds: Option<[[i64; 2]; 2]>,
}

impl PositionRecorder {
    fn add(&mut self, level: &LevelRecord) {
        // Texels with weight 0 are fetched but do not change the colour, so they do not widen the box.
        let weight = |corner: usize| level.texels.get(corner).map_or(0, |texel| texel.weight);
        let [right, down] = [weight(1) + weight(3) > 0, weight(2) + weight(3) > 0].map(i64::from);
        let [x, y] = level.position.map(|at| at >> 4);
        let sampled = [[x, x + right], [y, y + down]];
        let join = |[a, b]: [i64; 2], [c, d]: [i64; 2]| [a.min(c), b.max(d)];
        self.bounds = Some(
            self.bounds.map_or(sampled, |known| [join(known[0], sampled[0]), join(known[1], sampled[1])]),
        );
    }
}

impl Recorder for PositionRecorder {
    fn select(&mut self, _: u32, _: u32) {}

    fn record(&mut self, edit: impl FnOnce(&mut FragmentRecord)) {
        edit(&mut self.record);
        // This takes the levels out, to keep the record from growing with each sample.
        let levels = self.record.texture.iter_mut().flat_map(|texture| std::mem::take(&mut texture.levels));
        for level in levels.collect::<Vec<_>>() {
            self.add(&level);
        }
    }

    fn finish(&mut self, _: bool) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::Arithmetic;
    use crate::ge::opcode::Opcode;
    use crate::ge::registers::transform::ShadeMode;
    use crate::pipeline::primitive::ScreenVertex;

    const SCISSOR: PixelRect = PixelRect { x: 0..64, y: 0..64 };

    fn vertex(x: i32, y: i32, texture: [f32; 2]) -> ScreenVertex {
        let [s, t] = texture;
        ScreenVertex {
            x: x * 16,
            y: y * 16,
            texture: [s, t, 1.0],
            reciprocal_w: 1.0,
            ..ScreenVertex::default()
        }
    }

    fn sampled(shape: Shape, settings: &[(Opcode, u32)]) -> [RangeInclusive<u32>; 2] {
        let size = [(Opcode::TEXENABLE, 1), (Opcode::TEXSIZE0, 0x0606), (Opcode::TEXFORMAT, 3)];
        let registers = Registers::with(size.into_iter().chain(settings.iter().copied()));
        let (shade, arithmetic) = (ShadeMode::GOURAUD, Arithmetic::Hardware);
        let primitive = ScreenPrimitive { shape, shade, provoking: 1, through: true, arithmetic };
        let TexelBox { columns, rows } =
            sampled_box(&Memory::default(), &registers, &primitive, &SCISSOR).expect("covers pixels");
        [columns, rows]
    }

    #[test]
    fn boxes_end_at_the_last_texel() {
        let copy = Shape::Rectangle([vertex(0, 0, [8.0, 4.0]), vertex(32, 16, [40.0, 20.0])]);
        assert_eq!(sampled(copy, &[]), [8..=39, 4..=19], "a texel for each pixel");
        let linear = [(Opcode::TEXFILTER, 0x101)];
        assert_eq!(sampled(copy, &linear), [8..=39, 4..=19], "linear: the neighbours have no weight");
        let half = Shape::Rectangle([vertex(0, 0, [8.0, 4.0]), vertex(16, 8, [40.0, 20.0])]);
        assert_eq!(sampled(half, &linear), [8..=39, 4..=19], "between two texels");
        let mirrored = Shape::Rectangle([vertex(0, 0, [40.0, 20.0]), vertex(32, 16, [8.0, 4.0])]);
        assert_eq!(sampled(mirrored, &[]), [8..=39, 4..=19], "falling positions");
        let triangle = Shape::Triangle([
            vertex(0, 0, [8.0, 4.0]),
            vertex(32, 0, [40.0, 4.0]),
            vertex(0, 16, [8.0, 20.0]),
        ]);
        assert_eq!(sampled(triangle, &[]), [8..=38, 4..=19], "the pixel at the right corner is outside");
    }

    #[test]
    fn positions_wrap_or_clamp() {
        let beyond = Shape::Rectangle([vertex(0, 0, [72.0, 60.0]), vertex(8, 8, [80.0, 68.0])]);
        assert_eq!(sampled(beyond, &[]), [8..=15, 0..=63], "columns inside one turn, rows across its end");
        assert_eq!(sampled(beyond, &[(Opcode::TEXWRAP, 0x101)]), [63..=63, 60..=63], "clamped");
    }
}
