//! Turns assembled vertices into screen primitives.
//!
//! To save work, [`PrimitivePipeline::lower_survivors`] computes positions for all vertices, but attributes only
//! for those that surviving primitives use. Through mode, carried vertices and merged rectangles take a simpler
//! path, which first transforms every vertex in full ([`PrimitivePipeline::lower_clip_vertices`]).

use arrayvec::ArrayVec;

use super::index_dedup::IndexDedup;
use super::primitive_record::{NoPrimitiveRecorder, PartRecord, PrimitiveRecorder};
use super::scratch::{LoweringBuffers, Survivor, VisibleSet};
use super::selection::Selection;
use crate::ge::arithmetic::{Arithmetic, Real};
use crate::ge::registers::Registers;
use crate::ge::registers::transform::ShadeMode;
use crate::ge::registers::vertex::PrimitiveType;
use crate::pipeline::geometry::assemble::{Assembled, assemble};
use crate::pipeline::geometry::clip::{clip_near, divide};
use crate::pipeline::geometry::clip_test::{ClipResult, ClipTest};
use crate::pipeline::geometry::clip_vertex::ClipVertex;
use crate::pipeline::geometry::cull::Culling;
use crate::pipeline::geometry::rectangle_merger::{RectangleCorners, RectangleMerger};
use crate::pipeline::geometry::screen_position::ScreenPositions;
use crate::pipeline::geometry::transform::Transform;
use crate::pipeline::geometry::viewport::{Projected, Viewport};
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::pipeline::vertex::Vertex;

/// Lowers a draw's primitives.
#[derive(Clone, Copy, Debug)]
pub(super) struct PrimitivePipeline<'a, R> {
    registers: &'a Registers,
    primitive: PrimitiveType,
    viewport: Viewport<R>,
    pub(super) culling: Culling,
    pub(super) clip_test: ClipTest,
}

impl<'a, R: Real> PrimitivePipeline<'a, R> {
    pub(super) fn new(registers: &'a Registers, primitive: PrimitiveType) -> Self {
        Self::with_culling(registers, primitive, Culling::new(registers, R::ARITHMETIC))
    }

    /// Creates the pipeline for a tessellated patch, which is culled only if PATCHCULLENABLE is set as well.
    pub(super) fn of_patches(registers: &'a Registers, primitive: PrimitiveType) -> Self {
        Self::with_culling(registers, primitive, Culling::of_patches(registers, R::ARITHMETIC))
    }

    fn with_culling(registers: &'a Registers, primitive: PrimitiveType, culling: Culling) -> Self {
        let viewport = Viewport::new(registers);
        let clip_test = ClipTest::new(&viewport, primitive);
        Self { registers, primitive, viewport, culling, clip_test }
    }

    pub(super) fn is_through(&self) -> bool {
        self.viewport.is_through()
    }

    pub(super) fn viewport(&self) -> &Viewport<R> {
        &self.viewport
    }

    /// Lowers a transformed draw of `count` vertices without carried ones. For indexed vertices `dedup` may list
    /// the distinct ones.
    pub(super) fn lower_survivors(
        &self,
        transform: &Transform<R>,
        buffers: &mut LoweringBuffers,
        count: u32,
        dedup: Option<&IndexDedup>,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let LoweringBuffers { vertices, positions, visible, screen_vertices } = buffers;
        transform.screen_positions(&self.viewport, vertices, positions);
        let mut selection = self.selection(positions, visible);
        match (self.primitive, dedup) {
            (PrimitiveType::TRIANGLE_STRIP, None) => selection.add_whole_strip(),
            (PrimitiveType::TRIANGLE_STRIP, Some(dedup)) => {
                selection.add_strip(dedup.remap.iter().copied(), false);
            }
            (primitive, None) => selection.add(assemble(primitive, count, false)),
            (primitive, Some(dedup)) => {
                // Primitives are assembled by place in the draw, and `dedup` maps each place to its distinct
                // vertex.
                let remap = |number: &mut u32| {
                    *number = dedup.remap.get(*number as usize).copied().unwrap_or(*number);
                };
                selection.add(assemble(primitive, count, false).map(|mut assembled| {
                    assembled.vertices.iter_mut().for_each(remap);
                    assembled
                }));
            }
        }
        if !selection.finish() {
            return;
        }
        let used = |slot: usize| vertices.get(*visible.used.get(slot)? as usize);
        self.finish(transform, visible, used, positions, screen_vertices, out);
    }

    /// Starts to select the primitives that survive at these positions.
    pub(super) fn selection<'s>(
        &self,
        positions: &'s ScreenPositions,
        visible: &'s mut VisibleSet,
    ) -> Selection<'s> {
        Selection::new(self.clip_test, self.culling, positions, visible)
    }

    /// Computes attributes for the survivors' vertices and emits the primitives. `used` maps an index into
    /// [`VisibleSet::used`] to its vertex; `positions` covers all vertices in the draw.
    pub(super) fn finish<'v>(
        &self,
        transform: &Transform<R>,
        visible: &VisibleSet,
        used: impl Fn(usize) -> Option<&'v Vertex>,
        positions: &ScreenPositions,
        vertices: &mut Vec<ScreenVertex>,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        vertices.clear();
        let placed = visible.used.iter().enumerate();
        let placed = placed.filter_map(|(slot, &number)| Some((used(slot)?, positions.get(number)?)));
        transform.screen_vertices(placed, vertices);
        let slot = |number: u32| visible.slots.get(number as usize).map_or(usize::MAX, |&slot| slot as usize);
        let corner = |number: u32| vertices.get(slot(number));
        for Survivor { assembled, needs_clipping } in &visible.survivors {
            if *needs_clipping {
                // Clipping creates vertices between the corners in clip space, so it cannot use their screen
                // positions.
                let corners = assembled.vertices.iter().filter_map(|&number| used(slot(number)));
                let corners: ArrayVec<_, 4> = corners.map(|vertex| transform.apply(vertex)).collect();
                self.clip_and_emit(corners, assembled.reversed, &mut NoPrimitiveRecorder, out);
                continue;
            }
            let shape = match assembled.vertices[..] {
                [a] => corner(a).map(|&a| Shape::Point([a])),
                [a, b] => match [corner(a), corner(b)] {
                    [Some(&a), Some(&b)] if self.primitive == PrimitiveType::RECTANGLES => {
                        Some(Shape::Rectangle([a, b]))
                    }
                    [Some(&a), Some(&b)] => Some(Shape::Line([a, b])),
                    _ => None,
                },
                [a, b, c] => match [corner(a), corner(b), corner(c)] {
                    [Some(&a), Some(&b), Some(&c)] => Some(Shape::Triangle([a, b, c])),
                    _ => None,
                },
                _ => None,
            };
            if let Some(shape) = shape {
                out(&self.culling.build_unculled(shape, false));
            }
        }
    }

    /// Lowers a draw without carried vertices, and merges its first triangles to rectangles if the arithmetic
    /// allows this.
    pub(super) fn lower_merging_rectangles(
        &self,
        vertices: &[ClipVertex<R>],
        primitives: impl Iterator<Item = Assembled>,
        recorder: &mut impl PrimitiveRecorder,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let merged_vertices =
            if self.merges_rectangles() { self.draw_rectangles(vertices, recorder, out) } else { 0 };
        // After its rectangles, a strip continues with their last two vertices, so these are used twice.
        let skipped = match self.primitive {
            PrimitiveType::TRIANGLES => merged_vertices / 3,
            _ => merged_vertices.saturating_sub(2),
        };
        self.lower_clip_vertices(vertices, primitives.skip(skipped), recorder, out);
    }

    /// Lowers primitives with vertices in clip space. This works for every kind of draw.
    pub(super) fn lower_clip_vertices(
        &self,
        vertices: &[ClipVertex<R>],
        primitives: impl Iterator<Item = Assembled>,
        recorder: &mut impl PrimitiveRecorder,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let projected: Vec<_> = vertices.iter().map(|vertex| self.viewport.project(vertex)).collect();
        for Assembled { vertices: numbers, reversed } in primitives {
            recorder.begin(&numbers, reversed, 1);
            let corners = numbers.iter().map(|&number| number as usize);
            let corners = corners.filter_map(|number| Some((vertices.get(number)?, projected.get(number)?)));
            self.lower_corners(
                (self.primitive, &self.clip_test),
                &corners.collect(),
                reversed,
                recorder,
                out,
            );
        }
    }

    /// Lowers a primitive. Its type may differ from the draw's, so it brings its own clip test.
    fn lower_corners(
        &self,
        (primitive, clip_test): (PrimitiveType, &ClipTest),
        corners: &ArrayVec<(&ClipVertex<R>, &Projected), 3>,
        reversed: bool,
        recorder: &mut impl PrimitiveRecorder,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let outcodes = corners.iter().map(|(_, projected)| projected.outcode);
        match clip_test.classify(outcodes.clone()) {
            ClipResult::Dropped => recorder.record(|record| record.dropped = clip_test.drop_reason(outcodes)),
            ClipResult::Accepted => {
                let vertices: ArrayVec<_, 3> =
                    corners.iter().map(|(_, projected)| projected.vertex).collect();
                self.emit(primitive, &vertices, reversed, recorder, out);
            }
            ClipResult::NeedsClipping => {
                let polygon = corners.iter().map(|(vertex, _)| **vertex).collect();
                self.clip_and_emit(polygon, reversed, recorder, out);
            }
        }
    }

    /// Whether to merge triangles to rectangles. Emulators do this, so only single arithmetic does, and only while
    /// culling is off, because culling could drop half the rectangle.
    pub(super) fn merges_rectangles(&self) -> bool {
        R::ARITHMETIC == Arithmetic::Single && self.culling.keeps_all()
    }

    /// Whether the draw's first triangles form a rectangle. Not for through mode.
    pub(super) fn starts_with_rectangle(
        &self,
        transform: &Transform<R>,
        vertices: &[Vertex],
        dedup: Option<&IndexDedup>,
    ) -> bool {
        if !self.merges_rectangles()
            || !matches!(self.primitive, PrimitiveType::TRIANGLE_STRIP | PrimitiveType::TRIANGLE_FAN)
        {
            return false;
        }
        let count = dedup.map_or(vertices.len(), |dedup| dedup.remap.len());
        let number = |nth: usize| match dedup {
            Some(dedup) => dedup.remap.get(nth).map(|&slot| slot as usize),
            None => Some(nth),
        };
        // The first four vertices decide this, so only they are transformed here.
        let first: ArrayVec<ClipVertex<R>, 4> = (0..count.min(4))
            .filter_map(|nth| vertices.get(number(nth)?))
            .map(|vertex| transform.apply(vertex))
            .collect();
        let may_merge = self.primitive == PrimitiveType::TRIANGLE_STRIP || count == 4;
        may_merge
            && !RectangleMerger::new(self.registers, &self.viewport)
                .merge_leading(self.primitive, &first)
                .0
                .is_empty()
    }

    /// Draws the rectangles formed by the first triangles. Returns how many vertices they use up.
    fn draw_rectangles(
        &self,
        vertices: &[ClipVertex<R>],
        recorder: &mut impl PrimitiveRecorder,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) -> usize {
        let merger = RectangleMerger::new(self.registers, &self.viewport);
        if self.primitive == PrimitiveType::TRIANGLES {
            if !self.is_through() || vertices.is_empty() || !vertices.len().is_multiple_of(6) {
                return 0;
            }
            for (first, six) in (0..).step_by(6).zip(vertices.chunks_exact(6)) {
                match merger.merge_pair(six) {
                    Some(corners) => self.lower_rectangle::<6>(first, &corners, recorder, out),
                    None => {
                        // Only pairs can merge, so both triangles of this pair go the usual way.
                        for (first, three) in (first..).step_by(3).zip(six.chunks_exact(3)) {
                            recorder.begin(&numbers_from::<3>(first), false, 1);
                            self.lower_one(self.primitive, three, recorder, out);
                        }
                    }
                }
            }
            return vertices.len();
        }
        let (merged, used) = merger.merge_leading(self.primitive, vertices);
        for (first, corners) in (0..).step_by(2).zip(merged) {
            self.lower_rectangle::<4>(first, &corners, recorder, out);
        }
        used
    }

    /// Lowers a rectangle in place of two triangles, which use the `N` vertices from `first` on.
    fn lower_rectangle<const N: usize>(
        &self,
        first: u32,
        corners: &RectangleCorners<R>,
        recorder: &mut impl PrimitiveRecorder,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        recorder.begin(&numbers_from::<N>(first), false, 2);
        self.lower_one(PrimitiveType::RECTANGLES, corners, recorder, out);
    }

    fn lower_one(
        &self,
        primitive: PrimitiveType,
        corners: &[ClipVertex<R>],
        recorder: &mut impl PrimitiveRecorder,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let projected: ArrayVec<_, 3> =
            corners.iter().take(3).map(|vertex| self.viewport.project(vertex)).collect();
        let clip_test = ClipTest::new(&self.viewport, primitive);
        let corners = corners.iter().zip(&projected).collect();
        self.lower_corners((primitive, &clip_test), &corners, false, recorder, out);
    }

    /// Clips a line or triangle at the near plane and emits the part in front of it.
    fn clip_and_emit(
        &self,
        mut polygon: ArrayVec<ClipVertex<R>, 4>,
        mut reversed: bool,
        recorder: &mut impl PrimitiveRecorder,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        if self.culling.shade() == ShadeMode::FLAT {
            // Clipping may remove or move the provoking vertex, so all corners take its colour first.
            let last = *polygon.last().unwrap_or(&ClipVertex::default());
            for vertex in &mut polygon {
                (vertex.color, vertex.secondary) = (last.color, last.secondary);
            }
        }
        if R::ARITHMETIC == Arithmetic::Hardware && reversed {
            // The hardware turns every second triangle of a strip before it clips. This decides the vertex order in
            // the parts.
            polygon.swap(0, 1);
            reversed = false;
        }
        let polygon = clip_near(&polygon);
        recorder.record(|record| record.clipped = true);
        let projected: ArrayVec<_, 4> = polygon.iter().map(|vertex| self.viewport.project(vertex)).collect();
        for corners in divide(projected.len()) {
            let corners = corners.iter().filter_map(|&corner| projected.get(corner));
            let vertices: ArrayVec<ScreenVertex, 3> = corners.clone().map(|corner| corner.vertex).collect();
            if corners.clone().any(|corner| corner.outside_screen) {
                recorder.record(|record| record.push(PartRecord::OutsideScreen(vertices)));
            } else {
                self.emit(self.primitive, &vertices, reversed, recorder, out);
            }
        }
    }

    fn emit(
        &self,
        primitive: PrimitiveType,
        vertices: &[ScreenVertex],
        reversed: bool,
        recorder: &mut impl PrimitiveRecorder,
        out: &mut dyn FnMut(&ScreenPrimitive),
    ) {
        let built = self.culling.build(primitive, vertices, reversed, self.is_through());
        recorder.record(|record| record.push(PartRecord::new(vertices, built)));
        if let Ok(primitive) = built {
            out(&primitive);
        }
    }
}

fn numbers_from<const N: usize>(first: u32) -> [u32; N] {
    let mut numbers = [first; N];
    for (number, next) in numbers.iter_mut().zip(first..) {
        *number = next;
    }
    numbers
}
