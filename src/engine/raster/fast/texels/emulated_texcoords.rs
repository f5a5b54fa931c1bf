//! Computes a segment's texture coordinates with single arithmetic. This is
//! [`crate::raster::rules::single::texcoords`] in lanes, in the same order of operations because that decides the
//! rounding.

use fearless_simd::{f64x4, i32x8, u32x8, u64x4};

use super::lod_lanes::LodLanes;
use crate::ge::arithmetic::simd::prelude::*;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::fast::batch::{Batch, LANES, PADDED_SIZE};
use crate::raster::fast::pixel_bounds::PixelBounds;
use crate::raster::fast::rectangle_table::RectangleTable;
use crate::raster::rules::coverage::EdgeStepper;
use crate::raster::rules::lod::{LodSelection, LodSelector};
use crate::raster::rules::single::perspective_w::PerspectiveW;
use crate::raster::rules::single::texcoords::Texcoords;

/// Tells how to compute a primitive's texture coordinates.
#[derive(Debug)]
pub(crate) struct EmulatedTexcoords<'a> {
    mode: TexcoordMode<'a>,
    exact: Texcoords,
    w: PerspectiveW,
    bounds: PixelBounds,
    /// How many texels of level 0 a unit of the coordinates spans.
    scale: [f64; 2],
    /// The selected levels, if they are the same for all pixels.
    selection: Option<LodSelection>,
}

#[derive(Debug)]
enum TexcoordMode<'a> {
    /// Edge functions at the upper left of the bounds, with their steps to the right and down. Then s, t and q at
    /// the vertices.
    Triangle { weights: [[f64; 3]; 3], values: [[f64; 3]; 3] },
    /// s depends on the column and t on the row. If rotated, it is the reverse.
    Rectangle { table: &'a RectangleTable, rotated: bool },
    /// For other shapes, coordinates are computed pixel by pixel.
    PerPixel,
}

impl<'a> EmulatedTexcoords<'a> {
    /// Sets up the coordinates for a primitive. Returns `None` for a triangle without area.
    pub(crate) fn new(
        primitive: &ScreenPrimitive,
        edges: Option<&EdgeStepper>,
        bounds: PixelBounds,
        selector: &LodSelector,
        scale: [f64; 2],
        table: &'a mut RectangleTable,
    ) -> Option<Self> {
        let exact = Texcoords::new(&primitive.shape)?;
        let w = if selector.needs_w() {
            PerspectiveW::new(&primitive.shape)
        } else {
            PerspectiveW::Constant(1.0)
        };
        let mode = match (&exact, edges) {
            (Texcoords::Triangle(_, values), Some(edges)) => {
                TexcoordMode::Triangle { weights: stepper_to_f64(edges), values: *values }
            }
            (Texcoords::Rectangle(rectangle), _) if rectangle.is_affine() => {
                let rotated = rectangle.is_rotated();
                table.fill(|x, y| exact.at(x, y), bounds, rotated);
                TexcoordMode::Rectangle { table, rotated }
            }
            _ => TexcoordMode::PerPixel,
        };
        let steps_vary = selector.needs_steps() && !exact.has_constant_steps();
        let w_varies = !selector.needs_steps() && !matches!(w, PerspectiveW::Constant(_));
        let selection = selector.constant().or_else(|| {
            let (x, y) = (bounds.x, bounds.y);
            (!steps_vary && !w_varies).then(|| {
                selector.select_emulated(|| steps_in_texels(exact.steps(x, y), scale), || w.at(x, y))
            })
        });
        Some(Self { mode, exact, w, bounds, scale, selection })
    }

    /// Returns the selected levels if they are the same for all pixels.
    pub(crate) const fn selection(&self) -> Option<LodSelection> {
        self.selection
    }

    /// Selects levels for each fragment in the open segment. Their coordinates must be computed already.
    pub(super) fn select_per_fragment<S: Simd>(
        &self,
        simd: S,
        selector: &LodSelector,
        batch: &Batch,
        out: &mut LodLanes,
    ) {
        if let (TexcoordMode::Triangle { weights, values }, true) = (&self.mode, selector.needs_steps()) {
            let (mut lods, segment) = ([0; PADDED_SIZE], batch.open_segment());
            simd.vectorize(
                #[inline(always)]
                || {
                    fill_lods(simd, batch, weights, values, self.scale, &mut lods);
                    out.select(simd, &selector.rule(), &lods, segment);
                },
            );
            return;
        }
        for lane in batch.open_lanes() {
            let (x, y) = self.position(batch, lane);
            let steps = || steps_in_texels(self.exact.steps(x, y), self.scale);
            out.set(lane, selector.select_emulated(steps, || self.w.at(x, y)));
        }
    }

    fn position(&self, batch: &Batch, lane: usize) -> (u32, u32) {
        let x = self.bounds.x.wrapping_add_signed(batch.x[lane]);
        (x, self.bounds.y.wrapping_add_signed(batch.y[lane]))
    }

    /// Computes coordinates for the open segment.
    pub(crate) fn fill<S: Simd>(&self, simd: S, batch: &mut Batch) {
        match &self.mode {
            TexcoordMode::Triangle { weights, values } => simd.vectorize(
                #[inline(always)]
                || fill_triangle(simd, batch, weights, values),
            ),
            TexcoordMode::Rectangle { table, rotated } => table.copy(batch, *rotated),
            TexcoordMode::PerPixel => {
                for lane in batch.open_lanes() {
                    let (x, y) = self.position(batch, lane);
                    [batch.s[lane], batch.t[lane]] = self.exact.at(x, y);
                }
            }
        }
    }
}

/// Converts edge functions and their steps to `f64`, which holds such integers exactly.
#[expect(clippy::cast_precision_loss, reason = "edge values have at most 53 bits")]
fn stepper_to_f64(stepper: &EdgeStepper) -> [[f64; 3]; 3] {
    [stepper.start, stepper.right, stepper.down].map(|values| values.map(|value| value as f64))
}

/// Texture coordinates over a triangle, for four fragments at a time.
struct TriangleTexcoords<S: Simd> {
    start: [f64x4<S>; 2],
    right: [f64x4<S>; 2],
    down: [f64x4<S>; 2],
    /// The three edge functions' sum. It is the same at all pixels, so the third follows from the others.
    total: f64x4<S>,
    values: [[f64x4<S>; 3]; 3],
}

impl<S: Simd> TriangleTexcoords<S> {
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

    /// Computes the edge functions at pixels. All intermediate numbers are integers, so `f64` holds them exactly.
    #[inline(always)]
    fn weights(&self, x: f64x4<S>, y: f64x4<S>) -> [f64x4<S>; 3] {
        let a = self.start[0] + (self.right[0] * x + self.down[0] * y);
        let b = self.start[1] + (self.right[1] * x + self.down[1] * y);
        [a, b, self.total - a - b]
    }

    /// Computes the weighted sum for s, t or q, in the reference's order of operations.
    #[inline(always)]
    fn sum(&self, [a, b, c]: [f64x4<S>; 3], value: usize) -> f64x4<S> {
        a * self.values[0][value] + b * self.values[1][value] + c * self.values[2][value]
    }

    /// Divides `sum` by `q`. The result is 0 if q is 0.
    #[inline(always)]
    fn quotient(sum: f64x4<S>, q: f64x4<S>) -> f64x4<S> {
        q.simd_eq(0.0).select(f64x4::splat(q.token(), 0.0), sum / q)
    }
}

/// Converts column or row numbers to `f64`. They must not be negative.
#[inline(always)]
fn to_f64_lanes<S: Simd>(simd: S, lanes: &[i32; LANES]) -> [f64x4<S>; 4] {
    /// 2^52. In such numbers the lowest mantissa bit counts 1, so an integer can be put there directly.
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
    let segment = batch.open_segment();
    let texcoords = TriangleTexcoords::new(simd, weights, values);
    let (xs, ys) = (segment.of(&batch.x).iter(), segment.of(&batch.y).iter());
    let out = segment.of_mut(&mut batch.s).iter_mut().zip(segment.of_mut(&mut batch.t));
    for ((s, t), (x, y)) in out.zip(xs.zip(ys)) {
        let ((s, _), (t, _)) = (s.as_chunks_mut::<4>(), t.as_chunks_mut::<4>());
        let (xs, ys) = (to_f64_lanes(simd, x), to_f64_lanes(simd, y));
        for quarter in 0..4 {
            let weights = texcoords.weights(xs[quarter], ys[quarter]);
            let q = texcoords.sum(weights, 2);
            TriangleTexcoords::quotient(texcoords.sum(weights, 0), q).store_array(&mut s[quarter]);
            TriangleTexcoords::quotient(texcoords.sum(weights, 1), q).store_array(&mut t[quarter]);
        }
    }
}

/// Computes [`LodSelector::lod_of_steps`] for each fragment. The steps are how much s changes to the next pixel on
/// the right, and t to the next below.
#[inline(always)]
fn fill_lods<S: Simd>(
    simd: S,
    batch: &Batch,
    weights: &[[f64; 3]; 3],
    values: &[[f64; 3]; 3],
    scale: [f64; 2],
    out: &mut [i32; PADDED_SIZE],
) {
    let segment = batch.open_segment();
    let texcoords = TriangleTexcoords::new(simd, weights, values);
    let (xs, ys) = (segment.of(&batch.x).iter(), segment.of(&batch.y).iter());
    let here = segment.of(&batch.s).iter().zip(segment.of(&batch.t));
    for (out, ((s, t), (x, y))) in segment.of_mut(out).iter_mut().zip(here.zip(xs.zip(ys))) {
        let ((s, _), (t, _)) = (s.as_chunks::<4>(), t.as_chunks::<4>());
        let (xs, ys) = (to_f64_lanes(simd, x), to_f64_lanes(simd, y));
        let (mut across, mut along) = ([0.0; LANES], [0.0; LANES]);
        for quarter in 0..4 {
            let (x, y) = (xs[quarter], ys[quarter]);
            let to_right = texcoords.weights(x + 1.0, y);
            let right = TriangleTexcoords::quotient(texcoords.sum(to_right, 0), texcoords.sum(to_right, 2));
            let to_below = texcoords.weights(x, y + 1.0);
            let below = TriangleTexcoords::quotient(texcoords.sum(to_below, 1), texcoords.sum(to_below, 2));
            let (across, _) = across.as_chunks_mut::<4>();
            let (along, _) = along.as_chunks_mut::<4>();
            let (s, t) = (f64x4::simd_from(simd, s[quarter]), f64x4::simd_from(simd, t[quarter]));
            ((right - s).abs() * scale[0]).store_array(&mut across[quarter]);
            ((below - t).abs() * scale[1]).store_array(&mut along[quarter]);
        }
        for lane in 0..LANES {
            out[lane] = LodSelector::lod_of_steps([across[lane], along[lane]]);
        }
    }
}

fn steps_in_texels([s, t]: [f64; 2], [width, height]: [f64; 2]) -> [f64; 2] {
    [s * width, t * height]
}
