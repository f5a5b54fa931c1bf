//! Fills the primitives of a draw inside one band.

use std::ops::Range;

use super::batch::{BATCH_SIZE, Batch, PixelRun};
use super::clear::clear_rectangle;
use super::clipped_primitive::{ClippedPrimitive, SharedGeometry};
use super::draw_call::DrawCall;
use super::interpolate::AttributeInterpolants;
use super::pipeline_state::PipelineState;
use super::pixel;
use super::pixel_bounds::PixelBounds;
use super::pixel_state::PixelState;
use super::rectangle_table::RectangleTable;
use super::rectangle_texels::{RectangleScratch, RectangleTexels};
use super::sampler::{BatchSampler, TextureBinding};
use super::span::{ROWS, RowSpans, Spans};
use super::target::Target;
use super::texcoords::TexcoordInterpolant;
use super::texel_memory::TexelMemory;
use super::texture_cache;
use super::texture_state::TextureState;
use crate::ge::arithmetic::simd::Simd;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};
use crate::raster::coverage::{ScissorRect, Triangle, for_each_pixel};
use crate::raster::grid::intersect;
use crate::raster::rectangle;

/// Scratch memory of a band, reused by all draws.
#[derive(Debug)]
pub(super) struct Scratch {
    batch: Batch,
    sampler: BatchSampler,
    attributes: AttributeInterpolants,
    rectangle: RectangleTable,
    rectangle_texels: RectangleScratch,
}

impl Default for Scratch {
    fn default() -> Self {
        Self {
            batch: Batch::new(),
            sampler: BatchSampler::new(),
            attributes: AttributeInterpolants::default(),
            rectangle: RectangleTable::default(),
            rectangle_texels: RectangleScratch::default(),
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
        let scissor = &self.state.scissor;
        let target_rows =
            i64::try_from(target.first_row).unwrap_or(0)..i64::try_from(target.end_row).unwrap_or(0);
        let scissor = ScissorRect { x: scissor.x.clone(), y: intersect(&scissor.y, &target_rows) };
        let passed = if rows.len() < primitives.len() {
            primitives.iter().map(|primitive| self.fill_primitive(simd, target, primitive, &scissor)).sum()
        } else {
            let (first, end) = (row_number(target.first_row), row_number(target.end_row));
            let inside = |rows: &[i16; 2]| rows[0] < end && rows[1] > first;
            let here = primitives.iter().zip(rows).filter(|(_, rows)| inside(rows));
            here.map(|(primitive, _)| self.fill_primitive(simd, target, primitive, &scissor)).sum()
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
        scissor: &ScissorRect,
    ) -> u64 {
        match &primitive.shape {
            Shape::Triangle(vertices) => {
                let Some(triangle) = Triangle::new(vertices, primitive.arithmetic) else { return 0 };
                let [x, y] = triangle.bounds();
                let bounds = PixelBounds::new(&intersect(&x, &scissor.x), &intersect(&y, &scissor.y));
                let Some(bounds) = bounds else { return 0 };
                let edges = triangle.edge_stepper(bounds.x, bounds.y);
                let spans = Spans::new(&edges, bounds);
                let clipped = ClippedPrimitive { primitive, triangle: Some((&triangle, &edges)), bounds };
                let mut fill = PrimitiveFill::new(self, clipped);
                simd.vectorize(
                    #[inline(always)]
                    || fill.add_spans(simd, target, &spans),
                );
                fill.finish(simd, target)
            }
            Shape::Rectangle(vertices) => {
                let [x, y] = rectangle::covered(vertices, primitive.arithmetic);
                let bounds = PixelBounds::new(&intersect(&x, &scissor.x), &intersect(&y, &scissor.y));
                let Some(bounds) = bounds else { return 0 };
                if let Some(clear) = self.state.clear {
                    let [_, corner] = vertices;
                    let value = (primitive.flat_vertex().color, corner.z);
                    return simd.vectorize(
                        #[inline(always)]
                        || clear_rectangle(simd, self.state, clear, bounds, value, target),
                    );
                }
                let mut fill =
                    PrimitiveFill::new(self, ClippedPrimitive { primitive, triangle: None, bounds });
                for row in 0..bounds.height {
                    fill.add_span(simd, target, 0..bounds.width, row);
                }
                fill.finish(simd, target)
            }
            shape => {
                let Some(bounds) = PixelBounds::new(&scissor.x, &scissor.y) else { return 0 };
                let mut fill =
                    PrimitiveFill::new(self, ClippedPrimitive { primitive, triangle: None, bounds });
                for_each_pixel(shape, primitive.arithmetic, scissor, |x, y| {
                    let x = x - bounds.x;
                    fill.add_span(simd, target, x..x + 1, y - bounds.y);
                });
                fill.finish(simd, target)
            }
        }
    }
}

/// Converts a row number. Rows have 10 bits.
fn row_number(row: usize) -> i16 {
    i16::try_from(row).unwrap_or(i16::MAX)
}

/// A primitive in progress. Attributes are set up when the first fragments need them: many triangles cover no pixel,
/// and many more are hidden.
#[derive(Debug)]
struct PrimitiveFill<'a> {
    state: &'a PixelState,
    texture: Option<&'a TextureState>,
    memory: TexelMemory<'a>,
    cached: &'a texture_cache::CachedLevels<'a>,
    batch: &'a mut Batch,
    sampler: &'a mut BatchSampler,
    attributes: &'a mut AttributeInterpolants,
    /// Memory for the texels of a rectangle, until texture coordinates are set up.
    tables: Option<(&'a mut RectangleTable, &'a mut RectangleScratch)>,
    clipped: ClippedPrimitive<'a>,
    /// Set with the first batch; then the depth is set up, too.
    geometry: Option<SharedGeometry<'a>>,
    /// All other attributes are set up.
    is_set_up: bool,
    texcoords: Option<TexcoordInterpolant<'a>>,
    /// The texels of a rectangle, which needs no coordinates.
    rectangle: Option<RectangleTexels<'a>>,
    passed: u64,
}

impl<'a> PrimitiveFill<'a> {
    #[inline(always)]
    fn new(draw: &'a mut DrawFill<'_>, clipped: ClippedPrimitive<'a>) -> Self {
        let Scratch { batch, sampler, attributes, rectangle, rectangle_texels } = &mut *draw.scratch;
        batch.clear();
        Self {
            state: draw.state,
            texture: draw.texture,
            memory: draw.memory,
            cached: draw.cached,
            batch,
            sampler,
            attributes,
            tables: Some((rectangle, rectangle_texels)),
            clipped,
            geometry: None,
            is_set_up: false,
            texcoords: None,
            rectangle: None,
            passed: 0,
        }
    }

    /// Draws the last fragments. Returns the number of pixels that passed all tests.
    fn finish<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) -> u64 {
        self.flush(simd, target);
        self.passed
    }

    /// Sets up texture coordinates.
    #[inline(always)]
    fn set_up_texture<S: Simd>(&mut self, simd: S, texture: &'a TextureState) {
        let Some((table, scratch)) = self.tables.take() else { return };
        let Some(geometry) = &self.geometry else { return };
        let scale = texture.levels.first().map_or([1.0; 2], |level| level.scale);
        self.texcoords = TexcoordInterpolant::new(simd, &self.clipped, geometry, &texture.lod, scale, table);
        self.rectangle = self.texcoords.as_ref().and_then(|texcoords| {
            let (table, selection) = (texcoords.rectangle_table()?, texcoords.selection()?);
            RectangleTexels::new(table, texture, (self.cached, self.memory), selection, scratch)
        });
    }

    /// Appends the fragments of a triangle.
    #[inline(always)]
    fn add_spans<S: Simd>(&mut self, simd: S, target: &mut Target<'_>, spans: &Spans) {
        let height = self.clipped.bounds.height;
        for top in (0..height).step_by(ROWS) {
            let RowSpans { first, end } = spans.rows(simd, top);
            for (row, (first, end)) in (top..height).zip(first.into_iter().zip(end)) {
                self.add_span(simd, target, first..end, row);
            }
        }
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
                x: self.clipped.bounds.x as usize + left,
                y: (self.clipped.bounds.y + y) as usize - target.first_row,
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

    /// Computes depths, removes hidden fragments and computes the other attributes. Returns whether any fragment is
    /// left. Sets up what the first fragments need.
    #[inline(always)]
    fn test_and_interpolate<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) -> bool {
        let ClippedPrimitive { primitive, bounds, .. } = self.clipped;
        let is_first = self.geometry.is_none();
        let geometry = self.geometry.get_or_insert_with(|| SharedGeometry::new(&self.clipped));
        if is_first {
            self.attributes.begin(simd, geometry, bounds, self.state);
        }
        if self.state.uses_z() {
            self.attributes.fill_z(simd, self.batch);
        }
        let any_live = pixel::early_tests(simd, self.batch, self.state, target);
        if any_live {
            if !self.is_set_up {
                self.attributes.set(simd, geometry, primitive, self.state);
                if let Some(texture) = self.texture {
                    self.set_up_texture(simd, texture);
                }
                self.is_set_up = true;
            }
            self.attributes.fill(simd, self.batch, self.state);
        }
        any_live
    }

    /// Draws the fragments of the batch and empties it.
    fn flush<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) {
        if self.batch.count == 0 {
            return;
        }
        let any_live = simd.vectorize(
            #[inline(always)]
            || self.test_and_interpolate(simd, target),
        );
        if any_live {
            if let (Some(texture), Some(texcoords)) = (self.texture, &self.texcoords) {
                let binding = TextureBinding {
                    texture,
                    memory: self.memory,
                    cached: self.cached,
                    arithmetic: self.clipped.primitive.arithmetic,
                };
                match &mut self.rectangle {
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
