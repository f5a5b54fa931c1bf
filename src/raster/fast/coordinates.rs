//! Texture coordinates over batches: [`crate::raster::coordinates`] by lanes, in the same order of operations.

use fearless_simd::{f64x4, i32x8, u32x8, u64x4};

use super::batch::{Batch, LANES, SIZE, groups, groups_mut};
use super::values::Bounds;
use crate::ge::arithmetic::simd::prelude::*;
use crate::pipeline::primitive::ScreenPrimitive;
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
                || fill_details(simd, batch, weights, values, self.scale, &mut details),
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
                || fill_triangle(simd, batch, weights, values),
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

/// Texture coordinates over a triangle, four fragments at a time.
struct Mix<S: Simd> {
    start: [f64x4<S>; 2],
    right: [f64x4<S>; 2],
    down: [f64x4<S>; 2],
    /// All three edge functions together, which is the same everywhere.
    total: f64x4<S>,
    values: [[f64x4<S>; 3]; 3],
}

impl<S: Simd> Mix<S> {
    #[inline(always)]
    fn new(simd: S, [start, right, down]: &[[f64; 3]; 3], values: &[[f64; 3]; 3]) -> Self {
        let splat = |number: f64| f64x4::splat(simd, number);
        let two = |numbers: &[f64; 3]| [splat(numbers[0]), splat(numbers[1])];
        let three = |numbers: &[f64; 3]| [splat(numbers[0]), splat(numbers[1]), splat(numbers[2])];
        Self {
            start: two(start),
            right: two(right),
            down: two(down),
            total: splat(start[0] + start[1] + start[2]),
            values: [three(&values[0]), three(&values[1]), three(&values[2])],
        }
    }

    /// The edge functions; all numbers on the way are integers that `f64` holds exactly.
    #[inline(always)]
    fn weights(&self, x: f64x4<S>, y: f64x4<S>) -> [f64x4<S>; 3] {
        let a = self.start[0] + (self.right[0] * x + self.down[0] * y);
        let b = self.start[1] + (self.right[1] * x + self.down[1] * y);
        [a, b, self.total - a - b]
    }

    /// s, t or q, in the reference's order of operations.
    #[inline(always)]
    fn sum(&self, [a, b, c]: [f64x4<S>; 3], value: usize) -> f64x4<S> {
        a * self.values[0][value] + b * self.values[1][value] + c * self.values[2][value]
    }

    /// What is left of a sum once it is divided by q.
    #[inline(always)]
    fn quotient(sum: f64x4<S>, q: f64x4<S>) -> f64x4<S> {
        q.simd_eq(0.0).select(f64x4::splat(q.token(), 0.0), sum / q)
    }
}

/// Columns or rows as numbers, four at a time. They are not negative.
#[inline(always)]
fn numbers<S: Simd>(simd: S, lanes: &[i32; LANES]) -> [f64x4<S>; 4] {
    /// 2^52: its lowest bit stands for 1.
    const WHOLE: f64 = 4_503_599_627_370_496.0;
    let (halves, _) = lanes.as_chunks::<8>();
    let wide = |half: &[i32; 8]| {
        let words: u32x8<S> = i32x8::simd_from(simd, *half).bitcast();
        let (first, second) = simd.widen_u32x8(words);
        let number = |words: u64x4<S>| -> f64x4<S> {
            let sum: f64x4<S> = (words | WHOLE.to_bits()).bitcast();
            sum - WHOLE
        };
        (number(first), number(second))
    };
    let ((a, b), (c, d)) = (wide(&halves[0]), wide(&halves[1]));
    [a, b, c, d]
}

#[inline(always)]
fn fill_triangle<S: Simd>(simd: S, batch: &mut Batch, weights: &[[f64; 3]; 3], values: &[[f64; 3]; 3]) {
    let count = batch.groups();
    let mix = Mix::new(simd, weights, values);
    let (xs, ys) = (groups(&batch.x, count).iter(), groups(&batch.y, count).iter());
    let out = groups_mut(&mut batch.s, count).iter_mut().zip(groups_mut(&mut batch.t, count));
    for ((s, t), (x, y)) in out.zip(xs.zip(ys)) {
        let ((s, _), (t, _)) = (s.as_chunks_mut::<4>(), t.as_chunks_mut::<4>());
        let (xs, ys) = (numbers(simd, x), numbers(simd, y));
        for quarter in 0..4 {
            let weights = mix.weights(xs[quarter], ys[quarter]);
            let q = mix.sum(weights, 2);
            Mix::quotient(mix.sum(weights, 0), q).store_array(&mut s[quarter]);
            Mix::quotient(mix.sum(weights, 1), q).store_array(&mut t[quarter]);
        }
    }
}

/// [`Levels::detail`] of each fragment: how far s moves to the next pixel on the right, and t to the next one below.
#[inline(always)]
fn fill_details<S: Simd>(
    simd: S,
    batch: &Batch,
    weights: &[[f64; 3]; 3],
    values: &[[f64; 3]; 3],
    scale: [f64; 2],
    out: &mut [i32; SIZE],
) {
    let count = batch.groups();
    let mix = Mix::new(simd, weights, values);
    let (xs, ys) = (groups(&batch.x, count).iter(), groups(&batch.y, count).iter());
    let here = groups(&batch.s, count).iter().zip(groups(&batch.t, count));
    for (out, ((s, t), (x, y))) in groups_mut(out, count).iter_mut().zip(here.zip(xs.zip(ys))) {
        let ((s, _), (t, _)) = (s.as_chunks::<4>(), t.as_chunks::<4>());
        let (xs, ys) = (numbers(simd, x), numbers(simd, y));
        let (mut across, mut along) = ([0.0; LANES], [0.0; LANES]);
        for quarter in 0..4 {
            let (x, y) = (xs[quarter], ys[quarter]);
            let to_right = mix.weights(x + 1.0, y);
            let right = Mix::quotient(mix.sum(to_right, 0), mix.sum(to_right, 2));
            let to_below = mix.weights(x, y + 1.0);
            let below = Mix::quotient(mix.sum(to_below, 1), mix.sum(to_below, 2));
            let (across, _) = across.as_chunks_mut::<4>();
            let (along, _) = along.as_chunks_mut::<4>();
            let (s, t) = (f64x4::simd_from(simd, s[quarter]), f64x4::simd_from(simd, t[quarter]));
            ((right - s).abs() * scale[0]).store_array(&mut across[quarter]);
            ((below - t).abs() * scale[1]).store_array(&mut along[quarter]);
        }
        for lane in 0..LANES {
            out[lane] = Levels::detail([across[lane], along[lane]]);
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
