//! Fills the primitives of one draw, inside one band.

use std::ops::Range;

use super::batch::{Batch, Run, SIZE};
use super::coordinates::{Course, Sides};
use super::draw_call::Job;
use super::image;
use super::pipeline_state::Prepared;
use super::pixel;
use super::source::Source;
use super::span::Spans;
use super::state::State;
use super::target::Target;
use super::texel::{Sampling, Texels};
use super::texel_memory::Bytes;
use super::values::{Bounds, Values};
use crate::ge::arithmetic::simd::Simd;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};
use crate::raster::coverage::{Area, EdgeCourse, Triangle, centers, clip, for_each_pixel, position};

/// Memory that every draw uses again.
#[derive(Debug)]
pub(super) struct Work {
    batch: Batch,
    sampling: Sampling,
    values: Values,
    sides: Sides,
}

impl Default for Work {
    fn default() -> Self {
        Self {
            batch: Batch::new(),
            sampling: Sampling::new(),
            values: Values::default(),
            sides: Sides::default(),
        }
    }
}

/// One draw in progress.
#[derive(Debug)]
pub(super) struct Drawing<'a> {
    state: &'a State,
    source: Option<&'a Source>,
    job: Job<'a>,
    bytes: Bytes<'a>,
    images: &'a image::Levels<'a>,
    work: &'a mut Work,
}

impl<'a> Drawing<'a> {
    /// A draw about to be filled.
    pub(super) fn new(
        job: Job<'a>,
        bytes: Bytes<'a>,
        images: &'a image::Levels<'a>,
        work: &'a mut Work,
    ) -> Self {
        let Prepared { state, source, .. } = job.prepared;
        Self { state, source: source.as_ref(), job, bytes, images, work }
    }

    /// Fills what lies in the target's rows. Returns how many pixels passed all tests.
    #[inline(always)]
    pub(super) fn primitives<S: Simd>(mut self, simd: S, target: &mut Target<'_>) -> u64 {
        let Job { primitives, rows, .. } = self.job;
        let passed = if rows.len() < primitives.len() {
            primitives.iter().map(|primitive| self.primitive(simd, target, primitive)).sum()
        } else {
            let (first, end) = (row(target.first), row(target.end));
            let inside = |rows: &[i16; 2]| rows[0] < end && rows[1] > first;
            let here = primitives.iter().zip(rows).filter(|(_, rows)| inside(rows));
            here.map(|(primitive, _)| self.primitive(simd, target, primitive)).sum()
        };
        for (image, looks) in self.images.iter().zip(self.work.sampling.take_looks()) {
            if let Some(image) = image.filter(|_| looks > 0) {
                image.count(looks);
            }
        }
        passed
    }

    fn primitive<S: Simd>(&mut self, simd: S, target: &mut Target<'_>, primitive: &ScreenPrimitive) -> u64 {
        let area = &self.state.area;
        let rows = i64::try_from(target.first).unwrap_or(0)..i64::try_from(target.end).unwrap_or(0);
        let area = Area { x: area.x.clone(), y: clip(&area.y, &rows) };
        match &primitive.shape {
            Shape::Triangle(vertices) => {
                let Some(triangle) = Triangle::new(vertices, primitive.arithmetic) else { return 0 };
                let [x, y] = triangle.bounds();
                let Some(bounds) = bounds(&clip(&x, &area.x), &clip(&y, &area.y)) else { return 0 };
                let edges = triangle.course(bounds.x, bounds.y);
                let Some(mut fill) = Filling::new(self, primitive, Some((&triangle, &edges)), bounds) else {
                    return 0;
                };
                let spans = Spans::new(&edges, bounds);
                for row in 0..bounds.height {
                    let span = spans.row(row);
                    fill.row(simd, target, span, row);
                }
                fill.flush(simd, target);
                fill.passed
            }
            Shape::Rectangle([a, b]) => {
                let ([ax, ay], [bx, by]) = (position(a), position(b));
                let (x, y) = (centers(ax.min(bx), ax.max(bx)), centers(ay.min(by), ay.max(by)));
                let Some(bounds) = bounds(&clip(&x, &area.x), &clip(&y, &area.y)) else { return 0 };
                let Some(mut fill) = Filling::new(self, primitive, None, bounds) else { return 0 };
                for row in 0..bounds.height {
                    fill.row(simd, target, 0..bounds.width, row);
                }
                fill.flush(simd, target);
                fill.passed
            }
            shape => {
                let Some(bounds) = bounds(&area.x, &area.y) else { return 0 };
                let Some(mut fill) = Filling::new(self, primitive, None, bounds) else { return 0 };
                for_each_pixel(shape, primitive.arithmetic, &area, |x, y| {
                    let x = x - bounds.x;
                    fill.row(simd, target, x..x + 1, y - bounds.y);
                });
                fill.flush(simd, target);
                fill.passed
            }
        }
    }
}

/// A row's number; rows have ten bits.
fn row(number: usize) -> i16 {
    i16::try_from(number).unwrap_or(i16::MAX)
}

fn bounds(x: &Range<i64>, y: &Range<i64>) -> Option<Bounds> {
    let [left, right, top, bottom] = [x.start, x.end, y.start, y.end].map(u32::try_from);
    let (left, top) = (left.ok()?, top.ok()?);
    let (width, height) = (right.ok()?.checked_sub(left)?, bottom.ok()?.checked_sub(top)?);
    (width > 0 && height > 0).then_some(Bounds { x: left, y: top, width, height })
}

/// One primitive in progress.
#[derive(Debug)]
struct Filling<'a> {
    state: &'a State,
    source: Option<&'a Source>,
    bytes: Bytes<'a>,
    images: &'a image::Levels<'a>,
    batch: &'a mut Batch,
    sampling: &'a mut Sampling,
    values: &'a mut Values,
    course: Option<Course<'a>>,
    bounds: Bounds,
    passed: u64,
}

impl<'a> Filling<'a> {
    fn new(
        drawing: &'a mut Drawing<'_>,
        primitive: &ScreenPrimitive,
        triangle: Option<(&Triangle, &EdgeCourse)>,
        bounds: Bounds,
    ) -> Option<Self> {
        let Work { batch, sampling, values, sides } = &mut *drawing.work;
        let course = match drawing.source {
            Some(source) => {
                let scale = source.levels.first().map_or([1.0; 2], |level| level.scale);
                let edges = triangle.map(|(_, edges)| edges);
                Some(Course::new(primitive, edges, bounds, &source.choice, scale, sides)?)
            }
            None => None,
        };
        batch.clear();
        values.set(primitive, triangle.map(|(triangle, _)| triangle), bounds, drawing.state);
        Some(Self {
            state: drawing.state,
            source: drawing.source,
            bytes: drawing.bytes,
            images: drawing.images,
            batch,
            sampling,
            values,
            course,
            bounds,
            passed: 0,
        })
    }

    /// Adds fragments side by side; positions count from the bounds' upper left.
    #[inline(always)]
    fn row<S: Simd>(&mut self, simd: S, target: &mut Target<'_>, span: Range<u32>, y: u32) {
        let mut left = span.start as usize;
        let end = span.end as usize;
        while left < end {
            let lane = self.batch.count;
            let count = (end - left).min(SIZE - lane);
            self.batch.push(Run {
                lane,
                count,
                x: self.bounds.x as usize + left,
                y: (self.bounds.y + y) as usize - target.first,
                // Columns and rows have ten bits.
                column: i32::try_from(left).unwrap_or(0),
                row: y.cast_signed(),
            });
            left += count;
            if self.batch.count == SIZE {
                self.flush(simd, target);
            }
        }
    }

    /// Draws the batch and empties it.
    fn flush<S: Simd>(&mut self, simd: S, target: &mut Target<'_>) {
        if self.batch.count == 0 {
            return;
        }
        let left = simd.vectorize(
            #[inline(always)]
            || {
                if self.state.uses_z() {
                    self.values.fill_z(simd, self.batch);
                }
                let left = pixel::begin(simd, self.batch, self.state, target);
                if left {
                    self.values.fill(simd, self.batch, self.state);
                }
                left
            },
        );
        if left {
            if let (Some(source), Some(course)) = (self.source, &self.course) {
                course.fill(simd, self.batch);
                let texels = Texels { source, bytes: self.bytes, images: self.images };
                self.sampling.sample(simd, self.batch, texels, course);
            }
            let passed = simd.vectorize(
                #[inline(always)]
                || pixel::finish(simd, self.batch, self.state, target),
            );
            self.passed += u64::from(passed);
        }
        self.batch.clear();
    }
}
