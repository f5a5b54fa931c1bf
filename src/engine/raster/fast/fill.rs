//! Fills primitives inside a band, for consecutive draws with the same state.

use std::ops::Range;

use super::batch::{BATCH_SIZE, Batch, PixelRun};
use super::batch_fill::BatchFill;
use super::clear::clear_rectangle;
use super::clipped_primitive::{ClippedPrimitive, SharedGeometry};
use super::draw_call::DrawCall;
use super::interpolate::AttributeInterpolants;
use super::pixel_bounds::PixelBounds;
use super::pixels::pixel;
use super::pixels::target::Target;
use super::rectangle_table::RectangleTable;
use super::span::{ROWS, RowSpans, Spans};
use super::texels::rectangle_texels::{RectangleScratch, RectangleTexels};
use super::texels::sampler::BatchSampler;
use super::texels::texcoords::TexcoordInterpolant;
use super::texels::texel_memory::TexelMemory;
use super::texels::texture_cache;
use super::texels::texture_state::TextureState;
use crate::ge::arithmetic::simd::Simd;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};
use crate::raster::rules::coverage::{CoarseEdge, Triangle, for_each_pixel};
use crate::raster::rules::grid::intersect;
use crate::raster::rules::pixel_rect::PixelRect;
use crate::raster::rules::rectangle;

/// The largest triangle that may join a batch with earlier triangles, as its bounds in pixels. A larger triangle
/// begins an empty batch, because it fills whole batches anyway and may be able to read the texture row by row.
/// Later triangles may join its last fragments.
const MAX_SHARED_SIZE: u32 = 256;

/// Scratch memory for a thread that fills bands, reused by all draws.
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

/// Draws in progress that share a state.
#[derive(Debug)]
pub(super) struct StateFill<'a> {
    fill: BatchFill<'a>,
    attributes: &'a mut AttributeInterpolants,
    rectangle: &'a mut RectangleTable,
    rectangle_texels: &'a mut RectangleScratch,
}

impl<'a> StateFill<'a> {
    /// Prepares to fill draws with this draw's state.
    pub(super) fn new(
        call: &DrawCall<'a>,
        memory: TexelMemory<'a>,
        cached: &'a texture_cache::CachedLevels<'a>,
        scratch: &'a mut Scratch,
    ) -> Self {
        let Scratch { batch, sampler, attributes, rectangle, rectangle_texels } = scratch;
        let fill = BatchFill::new(call, memory, cached, batch, sampler);
        Self { fill, attributes, rectangle, rectangle_texels }
    }

    /// Fills a draw's primitives inside the target's rows. The last fragments may stay in the batch.
    #[inline(always)]
    pub(super) fn fill_primitives<S: Simd>(&mut self, simd: S, target: &mut Target<'_>, call: &DrawCall<'_>) {
        let DrawCall { primitives, rows, .. } = *call;
        let scissor = &self.fill.state.scissor;
        let target_rows =
            i64::try_from(target.first_row).unwrap_or(0)..i64::try_from(target.end_row).unwrap_or(0);
        let scissor = PixelRect { x: scissor.x.clone(), y: intersect(&scissor.y, &target_rows) };
        if rows.len() < primitives.len() {
            for primitive in primitives {
                self.fill_primitive(simd, target, primitive, &scissor);
            }
        } else {
            let (first, end) = (row_number(target.first_row), row_number(target.end_row));
            let inside = |rows: &[i16; 2]| rows[0] < end && rows[1] > first;
            for (primitive, _) in primitives.iter().zip(rows).filter(|(_, rows)| inside(rows)) {
                self.fill_primitive(simd, target, primitive, &scissor);
            }
        }
    }

    /// Draws the last fragments. Returns how many pixels passed all tests.
    pub(super) fn finish<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) -> u64 {
        self.fill.finish(simd, target)
    }

    fn fill_primitive<S: Simd>(
        &mut self,
        simd: S,
        target: &mut Target<'_>,
        primitive: &ScreenPrimitive,
        scissor: &PixelRect,
    ) {
        match &primitive.shape {
            Shape::Triangle(vertices) => {
                let Some(triangle) = Triangle::new(vertices, primitive.arithmetic) else { return };
                let [x, y] = triangle.bounds();
                let bounds = PixelBounds::new(&intersect(&x, &scissor.x), &intersect(&y, &scissor.y));
                let Some(bounds) = bounds else { return };
                if bounds.width * bounds.height > MAX_SHARED_SIZE {
                    self.fill.flush(simd, target, None);
                }
                let edges = triangle.edge_stepper(bounds.x, bounds.y);
                let spans = Spans::new(&edges, bounds);
                let clipped = ClippedPrimitive { primitive, triangle: Some((&triangle, &edges)), bounds };
                let mut fill = PrimitiveFill::new(self, clipped);
                match triangle.coarse_edge() {
                    Some(edge) => fill.add_parts(simd, target, &spans, &edge),
                    None => simd.vectorize(
                        #[inline(always)]
                        || fill.add_spans(simd, target, &spans),
                    ),
                }
                fill.finish(simd, target);
            }
            Shape::Rectangle(vertices) => {
                let [x, y] = rectangle::covered(vertices, primitive.arithmetic);
                let bounds = PixelBounds::new(&intersect(&x, &scissor.x), &intersect(&y, &scissor.y));
                let Some(bounds) = bounds else { return };
                // A rectangle may read its texels row by row, and a clear writes to the target at once. Both need an
                // empty batch.
                self.fill.flush(simd, target, None);
                let state = self.fill.state;
                if let Some(clear) = state.clear {
                    let [_, corner] = vertices;
                    let value = (primitive.flat_vertex().color, corner.z);
                    self.fill.passed += simd.vectorize(
                        #[inline(always)]
                        || clear_rectangle(simd, state, clear, bounds, value, target),
                    );
                    return;
                }
                let mut fill =
                    PrimitiveFill::new(self, ClippedPrimitive { primitive, triangle: None, bounds });
                for row in 0..bounds.height {
                    fill.add_span(simd, target, 0..bounds.width, row);
                }
                fill.finish(simd, target);
            }
            shape => {
                // Points and lines cover few pixels, so the whole scissor serves as their bounds.
                let Some(bounds) = PixelBounds::new(&scissor.x, &scissor.y) else { return };
                let mut fill =
                    PrimitiveFill::new(self, ClippedPrimitive { primitive, triangle: None, bounds });
                for_each_pixel(shape, primitive.arithmetic, scissor, |x, y| {
                    let x = x - bounds.x;
                    fill.add_span(simd, target, x..x + 1, y - bounds.y);
                });
                fill.finish(simd, target);
            }
        }
    }
}

/// Converts a row number. This succeeds because rows have 10 bits.
fn row_number(row: usize) -> i16 {
    i16::try_from(row).unwrap_or(i16::MAX)
}

/// A primitive in progress. Its attributes are set up only when the first fragments need them, because many
/// triangles cover no pixels and many more are hidden.
#[derive(Debug)]
struct PrimitiveFill<'p, 'a> {
    fill: &'p mut BatchFill<'a>,
    attributes: &'p mut AttributeInterpolants,
    /// Memory for a rectangle's texels, until texture coordinates are set up.
    tables: Option<(&'p mut RectangleTable, &'p mut RectangleScratch)>,
    clipped: ClippedPrimitive<'p>,
    /// Set with the first segment, together with depth.
    geometry: Option<SharedGeometry<'p>>,
    /// Whether all other attributes are set up.
    is_set_up: bool,
    texcoords: Option<TexcoordInterpolant<'p>>,
    /// Texels for a rectangle, or for a triangle in which s and t depend on a single axis each. Its batches then
    /// hold no other primitive, and it needs no coordinates for each fragment.
    rectangle: Option<RectangleTexels<'p>>,
}

impl<'p, 'a> PrimitiveFill<'p, 'a> {
    #[inline(always)]
    fn new(state_fill: &'p mut StateFill<'a>, clipped: ClippedPrimitive<'p>) -> Self {
        let StateFill { fill, attributes, rectangle, rectangle_texels, .. } = state_fill;
        Self {
            fill,
            attributes,
            tables: Some((rectangle, rectangle_texels)),
            clipped,
            geometry: None,
            is_set_up: false,
            texcoords: None,
            rectangle: None,
        }
    }

    /// Ends this primitive. Its last fragments may stay in the batch.
    #[inline(always)]
    fn finish<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) {
        self.complete_segment(simd, target);
        match &mut self.rectangle {
            Some(rectangle) => self.fill.flush(simd, target, Some(rectangle)),
            None => self.fill.batch.close_segment(),
        }
    }

    #[inline(always)]
    fn set_up_texture<S: Simd>(&mut self, simd: S, texture: &'a TextureState) {
        let Some((table, scratch)) = self.tables.take() else { return };
        let Some(geometry) = &self.geometry else { return };
        let scale = texture.levels.first().map_or([1.0; 2], |level| level.scale);
        self.texcoords = TexcoordInterpolant::new(simd, &self.clipped, geometry, &texture.lod, scale, table);
        if self.fill.batch.has_closed_segments() {
            // The batch also holds other primitives, and these need texels for each fragment.
            return;
        }
        let (cached, memory) = (self.fill.cached, self.fill.memory);
        self.rectangle = self.texcoords.as_ref().and_then(|texcoords| {
            let (table, selection) = (texcoords.rectangle_table()?, texcoords.selection()?);
            RectangleTexels::new(table, texture, (cached, memory), selection, scratch)
        });
    }

    /// Appends a triangle's fragments.
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

    /// Appends the fragments of a triangle that has a coarse edge.
    #[cold]
    fn add_parts<S: Simd>(&mut self, simd: S, target: &mut Target<'_>, spans: &Spans, edge: &CoarseEdge) {
        let ClippedPrimitive { triangle, bounds, .. } = self.clipped;
        let Some((triangle, _)) = triangle else { return };
        for row in 0..bounds.height {
            let RowSpans { first: [first, ..], end: [end, ..] } = spans.rows(simd, row);
            let parts = edge.parts(triangle, bounds.y + row, bounds.x + first..bounds.x + end);
            for Range { start, end } in parts {
                let inside = start.max(bounds.x)..end.min(bounds.x + bounds.width);
                if !inside.is_empty() {
                    self.add_span(simd, target, inside.start - bounds.x..inside.end - bounds.x, row);
                }
            }
        }
    }

    /// Appends the fragments in a span of row `y`. Both are relative to the upper left of the bounds.
    #[inline(always)]
    fn add_span<S: Simd>(&mut self, simd: S, target: &mut Target<'_>, span: Range<u32>, y: u32) {
        let mut left = span.start as usize;
        let end = span.end as usize;
        while left < end {
            let x = self.clipped.bounds.x as usize + left;
            let row = (self.clipped.bounds.y + y) as usize - target.first_row;
            if self.fill.batch.may_repeat(x, end - left, row) {
                self.flush(simd, target);
            }
            let lane = self.fill.batch.count;
            let count = (end - left).min(BATCH_SIZE - lane);
            self.fill.batch.push(PixelRun {
                lane,
                count,
                x,
                y: row,
                // Columns and rows have 10 bits, so the conversion succeeds.
                column: i32::try_from(left).unwrap_or(0),
                row: y.cast_signed(),
            });
            left += count;
            if self.fill.batch.count == BATCH_SIZE {
                self.flush(simd, target);
            }
        }
    }

    /// Computes depths for the open segment, removes hidden fragments, and computes the other attributes for the
    /// rest. Returns whether any fragment is left. Sets up attributes when fragments first need them.
    #[inline(always)]
    fn test_and_interpolate<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) -> bool {
        let ClippedPrimitive { primitive, bounds, .. } = self.clipped;
        let state = self.fill.state;
        let is_first = self.geometry.is_none();
        let geometry = self.geometry.get_or_insert_with(|| SharedGeometry::new(&self.clipped));
        if is_first {
            self.attributes.begin(simd, geometry, bounds, state);
        }
        if state.uses_z() {
            self.attributes.fill_z(simd, self.fill.batch);
        }
        let any_live = pixel::early_tests(simd, self.fill.batch, state, target);
        if any_live {
            if !self.is_set_up {
                self.attributes.set(simd, geometry, primitive, state);
                if let Some(texture) = self.fill.texture {
                    self.set_up_texture(simd, texture);
                }
                self.is_set_up = true;
            }
            self.attributes.fill(simd, self.fill.batch, state);
        }
        any_live
    }

    /// Computes the open segment's attributes. If all of it is hidden, it is removed.
    #[inline(always)]
    fn complete_segment<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) {
        if self.fill.batch.open_count() == 0 {
            return;
        }
        let any_live = simd.vectorize(
            #[inline(always)]
            || self.test_and_interpolate(simd, target),
        );
        if !any_live {
            self.fill.batch.discard_segment();
            return;
        }
        if self.rectangle.is_none()
            && let (Some(texture), Some(texcoords)) = (self.fill.texture, &self.texcoords)
        {
            let BatchFill { batch, sampler, .. } = &mut *self.fill;
            texcoords.fill(simd, batch);
            sampler.select_levels(simd, batch, &texture.lod, texcoords);
        }
    }

    fn flush<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) {
        self.complete_segment(simd, target);
        self.fill.flush(simd, target, self.rectangle.as_mut());
    }
}
