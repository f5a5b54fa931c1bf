//! Fills the primitives of a draw inside one band.

use std::ops::Range;

use super::batch::{BATCH_SIZE, Batch, PixelRun};
use super::draw_call::DrawCall;
use super::interpolate::{AttributeInterpolants, PixelBounds};
use super::pipeline_state::PipelineState;
use super::pixel;
use super::pixel_state::PixelState;
use super::rectangle_table::RectangleTable;
use super::rectangle_texels::{PositionTable, RectangleTexels};
use super::sampler::{BatchSampler, TextureBinding};
use super::span::Spans;
use super::target::Target;
use super::texcoords::TexcoordInterpolant;
use super::texel_memory::TexelMemory;
use super::texture_cache;
use super::texture_state::TextureState;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::Simd;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};
use crate::raster::coverage::{EdgeStepper, ScissorRect, Triangle, for_each_pixel};
use crate::raster::grid::intersect;
use crate::raster::rectangle;

/// Scratch memory of a band, reused by all draws.
#[derive(Debug)]
pub(super) struct Scratch {
    batch: Batch,
    sampler: BatchSampler,
    attributes: AttributeInterpolants,
    rectangle: RectangleTable,
    positions: PositionTable,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            batch: Batch::new(),
            sampler: BatchSampler::new(),
            attributes: AttributeInterpolants::default(),
            rectangle: RectangleTable::default(),
            positions: PositionTable::default(),
        }
    }
}

/// A draw in progress.
#[derive(Debug)]
pub(super) struct DrawFill<'a> {
    state: &'a PixelState,
    texture: Option<&'a TextureState>,
    call: DrawCall<'a>,
    memory: TexelMemory<'a>,
    cached: &'a texture_cache::CachedLevels<'a>,
    scratch: &'a mut Scratch,
}

impl<'a> DrawFill<'a> {
    /// Prepares to fill a draw.
    pub(super) fn new(
        call: DrawCall<'a>,
        memory: TexelMemory<'a>,
        cached: &'a texture_cache::CachedLevels<'a>,
        scratch: &'a mut Scratch,
    ) -> Self {
        let PipelineState { pixel, texture, .. } = call.state;
        Self { state: pixel, texture: texture.as_ref(), call, memory, cached, scratch }
    }

    /// Fills all primitives inside the rows of the target. Returns the number of pixels that passed all
    /// tests.
    #[inline(always)]
    pub(super) fn fill_primitives<S: Simd>(mut self, simd: S, target: &mut Target<'_>) -> u64 {
        let DrawCall { primitives, rows, .. } = self.call;
        let passed = if rows.len() < primitives.len() {
            primitives.iter().map(|primitive| self.fill_primitive(simd, target, primitive)).sum()
        } else {
            let (first, end) = (row_number(target.first_row), row_number(target.end_row));
            let inside = |rows: &[i16; 2]| rows[0] < end && rows[1] > first;
            let here = primitives.iter().zip(rows).filter(|(_, rows)| inside(rows));
            here.map(|(primitive, _)| self.fill_primitive(simd, target, primitive)).sum()
        };
        for (cached_level, fetches) in self.cached.iter().zip(self.scratch.sampler.take_fetch_counts()) {
            if let Some(cached_level) = cached_level.filter(|_| fetches > 0) {
                cached_level.count_fetches(fetches);
            }
        }
        passed
    }

    fn fill_primitive<S: Simd>(
        &mut self,
        simd: S,
        target: &mut Target<'_>,
        primitive: &ScreenPrimitive,
    ) -> u64 {
        let scissor = &self.state.scissor;
        let rows = i64::try_from(target.first_row).unwrap_or(0)..i64::try_from(target.end_row).unwrap_or(0);
        let scissor = ScissorRect { x: scissor.x.clone(), y: intersect(&scissor.y, &rows) };
        match &primitive.shape {
            Shape::Triangle(vertices) => {
                let Some(triangle) = Triangle::new(vertices, primitive.arithmetic) else { return 0 };
                let [x, y] = triangle.bounds();
                let Some(bounds) = bounds(&intersect(&x, &scissor.x), &intersect(&y, &scissor.y)) else {
                    return 0;
                };
                let edges = triangle.edge_stepper(bounds.x, bounds.y);
                let Some(mut fill) = PrimitiveFill::new(self, primitive, Some((&triangle, &edges)), bounds)
                else {
                    return 0;
                };
                let spans = Spans::new(&edges, bounds);
                for row in 0..bounds.height {
                    let span = spans.row(row);
                    fill.add_span(simd, target, span, row);
                }
                fill.flush(simd, target);
                fill.passed
            }
            Shape::Rectangle(vertices) => {
                let [x, y] = rectangle::covered(vertices, primitive.arithmetic);
                let Some(bounds) = bounds(&intersect(&x, &scissor.x), &intersect(&y, &scissor.y)) else {
                    return 0;
                };
                let Some(mut fill) = PrimitiveFill::new(self, primitive, None, bounds) else { return 0 };
                for row in 0..bounds.height {
                    fill.add_span(simd, target, 0..bounds.width, row);
                }
                fill.flush(simd, target);
                fill.passed
            }
            shape => {
                let Some(bounds) = bounds(&scissor.x, &scissor.y) else { return 0 };
                let Some(mut fill) = PrimitiveFill::new(self, primitive, None, bounds) else { return 0 };
                for_each_pixel(shape, primitive.arithmetic, &scissor, |x, y| {
                    let x = x - bounds.x;
                    fill.add_span(simd, target, x..x + 1, y - bounds.y);
                });
                fill.flush(simd, target);
                fill.passed
            }
        }
    }
}

/// Converts a row number. Rows have 10 bits.
fn row_number(row: usize) -> i16 {
    i16::try_from(row).unwrap_or(i16::MAX)
}

fn bounds(x: &Range<i64>, y: &Range<i64>) -> Option<PixelBounds> {
    let [left, right, top, bottom] = [x.start, x.end, y.start, y.end].map(u32::try_from);
    let (left, top) = (left.ok()?, top.ok()?);
    let (width, height) = (right.ok()?.checked_sub(left)?, bottom.ok()?.checked_sub(top)?);
    (width > 0 && height > 0).then_some(PixelBounds { x: left, y: top, width, height })
}

/// A primitive in progress.
#[derive(Debug)]
struct PrimitiveFill<'a> {
    state: &'a PixelState,
    texture: Option<&'a TextureState>,
    memory: TexelMemory<'a>,
    cached: &'a texture_cache::CachedLevels<'a>,
    batch: &'a mut Batch,
    sampler: &'a mut BatchSampler,
    attributes: &'a mut AttributeInterpolants,
    texcoords: Option<TexcoordInterpolant<'a>>,
    /// The texels of a rectangle, which needs no coordinates.
    rectangle: Option<RectangleTexels<'a>>,
    bounds: PixelBounds,
    arithmetic: Arithmetic,
    passed: u64,
}

impl<'a> PrimitiveFill<'a> {
    fn new(
        draw: &'a mut DrawFill<'_>,
        primitive: &ScreenPrimitive,
        triangle: Option<(&Triangle, &EdgeStepper)>,
        bounds: PixelBounds,
    ) -> Option<Self> {
        let Scratch { batch, sampler, attributes, rectangle, positions } = &mut *draw.scratch;
        let texcoords = match draw.texture {
            Some(texture) => {
                let scale = texture.levels.first().map_or([1.0; 2], |level| level.scale);
                Some(TexcoordInterpolant::new(primitive, triangle, bounds, &texture.lod, scale, rectangle)?)
            }
            None => None,
        };
        let rectangle = texcoords.as_ref().zip(draw.texture).and_then(|(texcoords, texture)| {
            let (table, selection) = (texcoords.rectangle_table()?, texcoords.selection()?);
            RectangleTexels::new(table, texture, draw.cached, selection, positions)
        });
        batch.clear();
        attributes.set(primitive, triangle.map(|(triangle, _)| triangle), bounds, draw.state);
        Some(Self {
            state: draw.state,
            texture: draw.texture,
            memory: draw.memory,
            cached: draw.cached,
            batch,
            sampler,
            attributes,
            texcoords,
            rectangle,
            bounds,
            arithmetic: primitive.arithmetic,
            passed: 0,
        })
    }

    /// Appends the fragments of a span of row `y`, relative to the upper left of the bounds.
    #[inline(always)]
    fn add_span<S: Simd>(&mut self, simd: S, target: &mut Target<'_>, span: Range<u32>, y: u32) {
        let mut left = span.start as usize;
        let end = span.end as usize;
        while left < end {
            let lane = self.batch.count;
            let count = (end - left).min(BATCH_SIZE - lane);
            self.batch.push(PixelRun {
                lane,
                count,
                x: self.bounds.x as usize + left,
                y: (self.bounds.y + y) as usize - target.first_row,
                // Columns and rows have 10 bits.
                column: i32::try_from(left).unwrap_or(0),
                row: y.cast_signed(),
            });
            left += count;
            if self.batch.count == BATCH_SIZE {
                self.flush(simd, target);
            }
        }
    }

    /// Draws the fragments of the batch and empties it.
    fn flush<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) {
        if self.batch.count == 0 {
            return;
        }
        let any_live = simd.vectorize(
            #[inline(always)]
            || {
                if self.state.uses_z() {
                    self.attributes.fill_z(simd, self.batch);
                }
                let any_live = pixel::early_tests(simd, self.batch, self.state, target);
                if any_live {
                    self.attributes.fill(simd, self.batch, self.state);
                }
                any_live
            },
        );
        if any_live {
            if let (Some(texture), Some(texcoords)) = (self.texture, &self.texcoords) {
                let binding = TextureBinding {
                    texture,
                    memory: self.memory,
                    cached: self.cached,
                    arithmetic: self.arithmetic,
                };
                match &self.rectangle {
                    Some(rectangle) if rectangle.copy(self.batch) => {}
                    Some(rectangle) => self.sampler.sample_rectangle(simd, self.batch, binding, rectangle),
                    None => {
                        texcoords.fill(simd, self.batch);
                        self.sampler.sample(simd, self.batch, binding, texcoords);
                    }
                }
            }
            let passed = simd.vectorize(
                #[inline(always)]
                || pixel::shade_and_store(simd, self.batch, self.state, target),
            );
            self.passed += u64::from(passed);
        }
        self.batch.clear();
    }
}
