//! Texture coordinates over batches: [`crate::raster::coordinates`] by lanes, in the same order of operations.

use super::batch::{Batch, LANES, SIZE, groups, groups_mut};
use super::values::Bounds;
use crate::arithmetic::simd::Simd;
use crate::primitive::ScreenPrimitive;
use crate::raster::coordinates::Coordinates;
use crate::raster::coverage::EdgeCourse;
use crate::raster::distance::Distance;
use crate::raster::level::{Choice, Levels};

/// Coordinates along the columns and rows of a rectangle, kept to reuse their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Sides {
    columns: Vec<f64>,
    rows: Vec<f64>,
}

/// How texture coordinates run over a primitive.
#[derive(Debug)]
pub(super) struct Course<'a> {
    kind: Kind<'a>,
    exact: Coordinates,
    distance: Distance,
    bounds: Bounds,
    /// Texels of level 0 for one unit.
    scale: [f64; 2],
    /// The choice of levels, where all pixels have the same.
    choice: Option<Choice>,
}

#[derive(Debug)]
enum Kind<'a> {
    /// Edge functions at the upper left, and their growth to the right and down; s, t and q at the vertices.
    Triangle { weights: [[f64; 3]; 3], values: [[f64; 3]; 3] },
    /// s follows the columns, or the rows where the picture is turned; t follows the others.
    Rectangle { sides: &'a Sides, turned: bool },
    /// Pixel by pixel.
    Exact,
}

impl<'a> Course<'a> {
    /// The course over a shape; `None` for a triangle without area.
    pub(super) fn new(
        primitive: &ScreenPrimitive,
        edges: Option<&EdgeCourse>,
        bounds: Bounds,
        levels: &Levels,
        scale: [f64; 2],
        sides: &'a mut Sides,
    ) -> Option<Self> {
        let exact = Coordinates::new(&primitive.shape, primitive.arithmetic)?;
        let distance = if levels.needs_distance() {
            Distance::new(&primitive.shape, primitive.arithmetic)
        } else {
            Distance::Same(1.0)
        };
        let kind = match (&exact, edges) {
            (Coordinates::Triangle(_, values), Some(edges)) => {
                Kind::Triangle { weights: floats(edges), values: *values }
            }
            (Coordinates::Rectangle(rectangle), _) if rectangle.is_flat() => {
                let turned = rectangle.is_turned();
                sides.fill(&exact, bounds, turned);
                Kind::Rectangle { sides, turned }
            }
            _ => Kind::Exact,
        };
        let steps_vary = levels.needs_steps() && !exact.has_constant_steps();
        let distance_varies = !levels.needs_steps() && !matches!(distance, Distance::Same(_));
        let choice = levels.constant().or_else(|| {
            let (x, y) = (bounds.x, bounds.y);
            (!steps_vary && !distance_varies)
                .then(|| levels.choose(|| scaled(exact.steps(x, y), scale), || distance.at(x, y)))
        });
        Some(Self { kind, exact, distance, bounds, scale, choice })
    }

    /// The choice of levels, where all pixels have the same.
    pub(super) const fn choice(&self) -> Option<Choice> {
        self.choice
    }

    /// The choice of levels for each fragment of a batch whose coordinates are there.
    pub(super) fn choices<S: Simd>(&self, simd: S, levels: &Levels, batch: &Batch, out: &mut [Choice; SIZE]) {
        if let (Kind::Triangle { weights, values }, true) = (&self.kind, levels.needs_steps()) {
            let mut details = [0; SIZE];
            simd.vectorize(
                #[inline(always)]
                || fill_details(batch, weights, values, self.scale, &mut details),
            );
            for (out, detail) in out.iter_mut().zip(details).take(batch.count) {
                *out = levels.of_detail(detail);
            }
            return;
        }
        for (lane, out) in out.iter_mut().enumerate().take(batch.count) {
            let (x, y) = self.position(batch, lane);
            *out = levels.choose(|| scaled(self.exact.steps(x, y), self.scale), || self.distance.at(x, y));
        }
    }

    fn position(&self, batch: &Batch, lane: usize) -> (u32, u32) {
        let x = self.bounds.x.wrapping_add_signed(batch.x[lane]);
        (x, self.bounds.y.wrapping_add_signed(batch.y[lane]))
    }

    /// Coordinates of the batch's fragments.
    pub(super) fn fill<S: Simd>(&self, simd: S, batch: &mut Batch) {
        match &self.kind {
            Kind::Triangle { weights, values } => simd.vectorize(
                #[inline(always)]
                || fill_triangle(batch, weights, values),
            ),
            Kind::Rectangle { sides, turned } => sides.copy(batch, *turned),
            Kind::Exact => {
                for lane in 0..batch.count {
                    let (x, y) = self.position(batch, lane);
                    [batch.s[lane], batch.t[lane]] = self.exact.at(x, y);
                }
            }
        }
    }
}

/// Edge functions at a pixel and their growth to the right and down. All are integers that `f64` holds exactly.
#[expect(clippy::cast_precision_loss, reason = "edge values have at most 53 bits")]
fn floats(course: &EdgeCourse) -> [[f64; 3]; 3] {
    [course.start, course.right, course.down].map(|values| values.map(|value| value as f64))
}

#[inline(always)]
fn fill_triangle(batch: &mut Batch, weights: &[[f64; 3]; 3], values: &[[f64; 3]; 3]) {
    let count = batch.groups();
    let [start, right, down] = weights;
    let (xs, ys) = (groups(&batch.x, count).iter(), groups(&batch.y, count).iter());
    let out = groups_mut(&mut batch.s, count).iter_mut().zip(groups_mut(&mut batch.t, count));
    for ((s, t), (x, y)) in out.zip(xs.zip(ys)) {
        for lane in 0..LANES {
            let (x, y) = (f64::from(x[lane]), f64::from(y[lane]));
            let [a, b, c] = [0, 1, 2].map(|i| start[i] + (right[i] * x + down[i] * y));
            let mix = |i: usize| a * values[0][i] + b * values[1][i] + c * values[2][i];
            let q = mix(2);
            let (quotient_s, quotient_t) = (mix(0) / q, mix(1) / q);
            s[lane] = if q == 0.0 { 0.0 } else { quotient_s };
            t[lane] = if q == 0.0 { 0.0 } else { quotient_t };
        }
    }
}

/// [`Levels::detail`] of each fragment: how far s moves to the next pixel on the right, and t to the next one below.
#[inline(always)]
fn fill_details(
    batch: &Batch,
    weights: &[[f64; 3]; 3],
    values: &[[f64; 3]; 3],
    scale: [f64; 2],
    out: &mut [i32; SIZE],
) {
    let count = batch.groups();
    let [start, right, down] = weights;
    let (xs, ys) = (groups(&batch.x, count).iter(), groups(&batch.y, count).iter());
    let here = groups(&batch.s, count).iter().zip(groups(&batch.t, count));
    for (out, ((s, t), (x, y))) in groups_mut(out, count).iter_mut().zip(here.zip(xs.zip(ys))) {
        for lane in 0..LANES {
            let (x, y) = (f64::from(x[lane]), f64::from(y[lane]));
            let at = |value: usize, x: f64, y: f64| {
                let [a, b, c] = [0, 1, 2].map(|i| start[i] + (right[i] * x + down[i] * y));
                let mix = |i: usize| a * values[0][i] + b * values[1][i] + c * values[2][i];
                let q = mix(2);
                let quotient = mix(value) / q;
                if q == 0.0 { 0.0 } else { quotient }
            };
            let across = (at(0, x + 1.0, y) - s[lane]).abs();
            let along = (at(1, x, y + 1.0) - t[lane]).abs();
            out[lane] = Levels::detail([across * scale[0], along * scale[1]]);
        }
    }
}

impl Sides {
    fn fill(&mut self, exact: &Coordinates, bounds: Bounds, turned: bool) {
        let column = |x: u32| exact.at(bounds.x + x, bounds.y)[usize::from(turned)];
        let row = |y: u32| exact.at(bounds.x, bounds.y + y)[usize::from(!turned)];
        self.columns.clear();
        self.columns.extend((0..bounds.width).map(column));
        self.rows.clear();
        self.rows.extend((0..bounds.height).map(row));
    }

    fn copy(&self, batch: &mut Batch, turned: bool) {
        let Batch { runs, x, y, s, t, .. } = batch;
        let (along, across) = if turned { (t, s) } else { (s, t) };
        for run in runs {
            let lanes = run.lane..run.lane + run.count;
            let column = usize::try_from(x[run.lane]).unwrap_or(0);
            if let Some(columns) = self.columns.get(column..column + run.count) {
                along[lanes.clone()].copy_from_slice(columns);
            }
            let row = usize::try_from(y[run.lane]).unwrap_or(0);
            across[lanes].fill(self.rows.get(row).copied().unwrap_or(0.0));
        }
    }
}

fn scaled([s, t]: [f64; 2], [width, height]: [f64; 2]) -> [f64; 2] {
    [s * width, t * height]
}
