//! Texture coordinates of a batch: [`crate::raster::texcoords`] in lanes.
//!
//! The integer planes of s, t and q are sums of 32 bits. The reciprocal of q comes from the table of straight
//! lines, one lane at a time; all else is done in vectors. `f64` holds the products exactly. The reference cuts
//! them to 24 significant bits; [`super::sampler`] does so for the few positions that show it.

use fearless_simd::{f32x8, f64x4, i32x8, mask64x4, u32x8};

use super::batch::{BATCH_SIZE, Batch, LANES, groups, groups_mut};
use super::emulated_texcoords::EmulatedTexcoords;
use super::interpolate::PixelBounds;
use super::lod_probe::LodProbe;
use super::rectangle_table::RectangleTable;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::chords::{Chord, RECIPROCAL, SHIFT};
use crate::ge::arithmetic::round::power_of_two;
use crate::ge::arithmetic::simd::prelude::*;
use crate::pipeline::primitive::{ScreenPrimitive, Shape};
use crate::raster::coverage::{EdgeStepper, Triangle};
use crate::raster::interpolate::{Gradients, LinearRamp};
use crate::raster::lod::{self, LodSelection, LodSelector};
use crate::raster::lod_spans::LodSpans;
use crate::raster::rectangle;
use crate::raster::texcoords::{self, OF_INVALID_Q, ScaledValues, Texcoords};

/// How to compute the texture coordinates of a primitive, by the rules of its arithmetic.
#[derive(Debug)]
pub(super) enum TexcoordInterpolant<'a> {
    /// The hardware's.
    Hardware(PlaneTexcoords<'a>),
    /// Those of emulators.
    Single(EmulatedTexcoords<'a>),
}

impl<'a> TexcoordInterpolant<'a> {
    /// Sets up the coordinates of a primitive. `scale` holds the texels of level 0 per unit of the
    /// coordinates. Returns `None` for a triangle without area.
    pub(super) fn new(
        primitive: &ScreenPrimitive,
        triangle: Option<(&Triangle, &EdgeStepper)>,
        bounds: PixelBounds,
        selector: &LodSelector,
        scale: [f64; 2],
        table: &'a mut RectangleTable,
    ) -> Option<Self> {
        Some(match primitive.arithmetic {
            Arithmetic::Hardware => Self::Hardware(PlaneTexcoords::new(
                &primitive.shape,
                triangle,
                bounds,
                selector,
                scale,
                table,
            )?),
            Arithmetic::Single => {
                let edges = triangle.map(|(_, edges)| edges);
                Self::Single(EmulatedTexcoords::new(primitive, edges, bounds, selector, scale, table)?)
            }
        })
    }

    /// Returns the selected levels if they are equal for all pixels.
    pub(super) const fn selection(&self) -> Option<LodSelection> {
        match self {
            Self::Hardware(planes) => planes.selection,
            Self::Single(emulated) => emulated.selection(),
        }
    }

    /// Returns the table of a rectangle by the hardware's rules, and whether it is rotated.
    pub(super) const fn rectangle_table(&self) -> Option<(&'a RectangleTable, bool)> {
        match self {
            Self::Hardware(PlaneTexcoords { mode: Mode::Rectangle { table, rotated }, .. }) => {
                Some((table, *rotated))
            }
            _ => None,
        }
    }

    /// Selects levels for each fragment of a batch whose coordinates are computed.
    pub(super) fn select_per_fragment<S: Simd>(
        &self,
        simd: S,
        selector: &LodSelector,
        batch: &Batch,
        out: &mut [LodSelection; BATCH_SIZE],
    ) {
        match self {
            Self::Hardware(planes) => planes.select_per_fragment(simd, selector, batch, out),
            Self::Single(emulated) => emulated.select_per_fragment(simd, selector, batch, out),
        }
    }

    /// Computes the coordinates of a batch.
    pub(super) fn fill<S: Simd>(&self, simd: S, batch: &mut Batch) {
        match self {
            Self::Hardware(planes) => planes.fill(simd, batch),
            Self::Single(emulated) => emulated.fill(simd, batch),
        }
    }
}

/// The planes of s, t and q over a primitive.
#[derive(Debug)]
pub(super) struct PlaneTexcoords<'a> {
    mode: Mode<'a>,
    bounds: PixelBounds,
    /// The selected levels, if equal for all pixels.
    selection: Option<LodSelection>,
    /// The level of detail at q = 1, before the bias.
    lod_at_q_of_1: i32,
    /// The pixels at which a triangle with [`Mode::PerPixel`] takes q for the level of detail.
    spans: Option<LodSpans>,
}

#[derive(Debug)]
enum Mode<'a> {
    /// q is equal at all pixels. s and t are the integers times the factors.
    Affine { planes: [IntegerRamp; 2], factors: [f64; 2] },
    /// A rectangle or half of one with equal q. s depends on the column and t on the row, or the reverse if rotated.
    Rectangle { table: &'a RectangleTable, rotated: bool },
    /// q is nowhere positive, or no coordinate varies.
    Constant([f64; 2]),
    /// Divided at each pixel. The factors undo the exponents of the integers. Triangles probe q for the level
    /// of detail.
    Perspective { planes: [IntegerRamp; 3], factors: [f64; 2], q_exponent: i32, probe: Option<LodProbe> },
    /// Computed pixel by pixel: lines, and planes outside the usual range.
    PerPixel(Texcoords),
}

/// A plane of integers whose sums fit in 32 bits at covered pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct IntegerRamp {
    start: i32,
    right: i32,
    down: i32,
    shift: u32,
    /// The largest change to a neighbouring pixel, before the shift.
    largest_step: i64,
}

impl IntegerRamp {
    /// Narrows a ramp. The values at covered pixels must have at most 16 bits, so that none of them is cut.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "sums that fit are narrowed; others may wrap on the way"
    )]
    fn new(ramp: LinearRamp, bounds: PixelBounds, overshoot: impl FnOnce() -> u64) -> Option<Self> {
        /// 2^16 with the fraction bits of planes.
        const END: u64 = 1 << 30;
        let LinearRamp { start, right, down, shift } = ramp;
        let (across, along) = (right * i64::from(bounds.width), down * i64::from(bounds.height));
        let (lowest, highest) = (start + across.min(0) + along.min(0), start + across.max(0) + along.max(0));
        let all_fit = lowest.unsigned_abs().max(highest.unsigned_abs()) < END;
        // The vertices' integers have 15 bits.
        let fits = all_fit || overshoot() < END / 2;
        let largest_step = right.abs().max(down.abs());
        let (start, right, down) = (start as i32, right as i32, down as i32);
        fits.then_some(Self { start, right, down, shift, largest_step })
    }

    const fn constant(integer: i32) -> Self {
        Self { start: integer, right: 0, down: 0, shift: 0, largest_step: 0 }
    }

    /// Returns the largest change to a neighbouring pixel.
    #[expect(clippy::cast_precision_loss, reason = "gradients have at most 34 bits")]
    fn largest_change(&self) -> f64 {
        self.largest_step as f64 * power_of_two(-self.shift.cast_signed())
    }

    /// Computes the integer at a pixel, relative to the bounds. Columns and rows have 10 bits.
    const fn value(&self, x: u32, y: u32) -> i32 {
        let across = self.right.wrapping_mul(x.cast_signed());
        let along = self.down.wrapping_mul(y.cast_signed());
        self.start.wrapping_add(across).wrapping_add(along) >> self.shift
    }

    /// Computes the integers at eight pixels, relative to the bounds.
    #[inline(always)]
    fn at<S: Simd>(&self, x: i32x8<S>, y: i32x8<S>) -> i32x8<S> {
        (x * self.right + y * self.down + self.start) >> self.shift
    }
}

/// The planes of a shape and the values that they run through.
struct PlaneSetup {
    gradients: Option<Gradients>,
    /// s, t and q over w at the three points.
    values: [[f32; 3]; 3],
}

impl PlaneSetup {
    /// Sets up a triangle, a rectangle or a point. Returns `None` for lines.
    fn new(shape: &Shape, triangle: Option<(&Triangle, &EdgeStepper)>) -> Option<Self> {
        match shape {
            Shape::Point([vertex]) => {
                let values = texcoords::components([texcoords::over_w(vertex); 3]);
                Some(Self { gradients: None, values })
            }
            Shape::Line(_) => None,
            Shape::Triangle(vertices) => Some(Self {
                gradients: triangle.map(|(triangle, _)| Gradients::new(triangle)),
                values: texcoords::components(vertices.each_ref().map(texcoords::over_w)),
            }),
            Shape::Rectangle(vertices) => {
                let corners = rectangle::corners(vertices).map(|corner| corner.position);
                let values = texcoords::corner_values(vertices);
                Some(Self { gradients: Some(Gradients::hardware(corners)), values })
            }
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "integers have 15 bits")]
    fn ramp(&self, integers: [i64; 3], bounds: PixelBounds) -> Option<IntegerRamp> {
        let gradients = match &self.gradients {
            Some(gradients) if integers != [integers[0]; 3] => gradients,
            _ => return Some(IntegerRamp::constant(integers[0] as i32)),
        };
        let ramp = gradients.small_ramp(integers, bounds.x, bounds.y)?;
        let overshoot = || gradients.max_overshoot(&ramp, bounds.x, bounds.y, bounds.width, bounds.height);
        IntegerRamp::new(ramp, bounds, overshoot)
    }
}

impl<'a> PlaneTexcoords<'a> {
    fn new(
        shape: &Shape,
        triangle: Option<(&Triangle, &EdgeStepper)>,
        bounds: PixelBounds,
        selector: &LodSelector,
        scale: [f64; 2],
        table: &'a mut RectangleTable,
    ) -> Option<Self> {
        let planned =
            PlaneSetup::new(shape, triangle).and_then(|setup| Planned::new(&setup, triangle, bounds));
        let constant = selector.constant();
        let Some(Planned { mode, largest_changes: [s, t], q }) = planned else {
            let exact = Texcoords::new(shape)?;
            let lod_at_q_of_1 = selector.lod_at_q_of_1(|| exact.largest_step(scale));
            let spans = LodSpans::new(shape);
            return Some(Self {
                mode: Mode::PerPixel(exact),
                bounds,
                selection: constant,
                lod_at_q_of_1,
                spans,
            });
        };
        let mode = match mode {
            Mode::Affine { planes, factors } => match rectangle_rotation(shape, &planes, bounds) {
                Some(rotated) => {
                    let [s, t] = planes;
                    let at = |x: u32, y: u32| {
                        let integer = |plane: IntegerRamp| f64::from(plane.value(x - bounds.x, y - bounds.y));
                        [integer(s) * factors[0], integer(t) * factors[1]]
                    };
                    table.fill(at, bounds, rotated);
                    Mode::Rectangle { table, rotated }
                }
                None => Mode::Affine { planes, factors },
            },
            mode => mode,
        };
        if constant.is_some() {
            return Some(Self { mode, bounds, selection: constant, lod_at_q_of_1: 0, spans: None });
        }
        let lod_at_q_of_1 = selector.lod_at_q_of_1(|| (s * scale[0]).max(t * scale[1]));
        let selection = q.map(|q| selector.select_lod(lod_at_q_of_1 - lod::logarithm(q)));
        Some(Self { mode, bounds, selection, lod_at_q_of_1, spans: None })
    }

    /// Selects levels for each fragment of a batch.
    fn select_per_fragment<S: Simd>(
        &self,
        simd: S,
        selector: &LodSelector,
        batch: &Batch,
        out: &mut [LodSelection; BATCH_SIZE],
    ) {
        if let Mode::Perspective { planes: [_, _, q], q_exponent, probe, .. } = &self.mode {
            let mut columns = batch.x;
            if let Some(probe) = probe {
                probe.columns(batch, &mut columns);
            }
            let mut logarithms = [0; BATCH_SIZE];
            simd.vectorize(
                #[inline(always)]
                || fill_logarithms(simd, q, (&columns, &batch.y), batch.groups(), &mut logarithms),
            );
            for (out, logarithm) in out.iter_mut().zip(logarithms).take(batch.count) {
                *out = selector.select_lod(self.lod_at_q_of_1 - logarithm - 16 * q_exponent);
            }
            return;
        }
        let Mode::PerPixel(exact) = &self.mode else { return };
        for (lane, out) in out.iter_mut().enumerate().take(batch.count) {
            let (x, y) = self.position(batch, lane);
            let probe = self.spans.map_or(x, |spans| spans.probe(x, y));
            *out = selector.select_lod(self.lod_at_q_of_1 - lod::logarithm(exact.q_at(probe, y)));
        }
    }

    fn position(&self, batch: &Batch, lane: usize) -> (u32, u32) {
        let x = self.bounds.x.wrapping_add_signed(batch.x[lane]);
        (x, self.bounds.y.wrapping_add_signed(batch.y[lane]))
    }

    fn fill<S: Simd>(&self, simd: S, batch: &mut Batch) {
        match &self.mode {
            Mode::Affine { planes, factors } => simd.vectorize(
                #[inline(always)]
                || fill_affine(simd, batch, planes, factors),
            ),
            Mode::Rectangle { table, rotated } => table.copy(batch, *rotated),
            Mode::Constant([s, t]) => {
                batch.s[..batch.count].fill(*s);
                batch.t[..batch.count].fill(*t);
            }
            Mode::Perspective { planes, factors, .. } => simd.vectorize(
                #[inline(always)]
                || fill_perspective(simd, batch, planes, factors),
            ),
            Mode::PerPixel(exact) => {
                for lane in 0..batch.count {
                    let (x, y) = self.position(batch, lane);
                    [batch.s[lane], batch.t[lane]] = exact.at(x, y);
                }
            }
        }
    }
}

/// Returns `Some(false)` if s depends on the column and t on the row, and `Some(true)` for the reverse. Triangles too
/// small for a table return `None`.
fn rectangle_rotation(
    shape: &Shape,
    [s, t]: &[IntegerRamp; 2],
    PixelBounds { width, height, .. }: PixelBounds,
) -> Option<bool> {
    match shape {
        Shape::Rectangle(vertices) => Some(rectangle::is_rotated(vertices)),
        // About half of the pixels of a triangle are covered.
        Shape::Triangle(_) if width * height < 4 * (width + height) => None,
        Shape::Triangle(_) if (s.down, t.right) == (0, 0) => Some(false),
        Shape::Triangle(_) if (s.right, t.down) == (0, 0) => Some(true),
        _ => None,
    }
}

/// How to compute coordinates, if the planes are in the usual range.
struct Planned<'a> {
    mode: Mode<'a>,
    /// The largest changes of s and t to a neighbouring pixel, before the division by q.
    largest_changes: [f64; 2],
    /// q, if equal at all pixels.
    q: Option<f64>,
}

impl Planned<'_> {
    /// Plans the coordinates of a shape. Returns `None` if the planes leave the usual range.
    fn new(
        setup: &PlaneSetup,
        triangle: Option<(&Triangle, &EdgeStepper)>,
        bounds: PixelBounds,
    ) -> Option<Self> {
        let [s, t, q] = setup.values.map(ScaledValues::new);
        let (s_plane, t_plane) = (setup.ramp(s.integers, bounds)?, setup.ramp(t.integers, bounds)?);
        let changes = [(s_plane, s), (t_plane, t)];
        let largest_changes =
            changes.map(|(plane, values)| plane.largest_change() * power_of_two(values.exponent));
        let first = q.integers[0];
        if setup.gradients.is_some() && q.integers != [first; 3] {
            let factors = [s, t].map(|values| power_of_two(values.exponent - q.exponent));
            let planes = [s_plane, t_plane, setup.ramp(q.integers, bounds)?];
            let probe = triangle.map(|(triangle, _)| LodProbe::new(triangle, bounds));
            let mode = Mode::Perspective { planes, factors, q_exponent: q.exponent, probe };
            return Some(Self { mode, largest_changes, q: None });
        }
        #[expect(clippy::cast_precision_loss, reason = "integers have 15 bits")]
        let value = first as f64 * power_of_two(q.exponent);
        let mode = if first > 0 {
            let reciprocal = texcoords::reciprocal(value);
            let factors = [s, t].map(|values| power_of_two(values.exponent) * reciprocal);
            Mode::Affine { planes: [s_plane, t_plane], factors }
        } else {
            Mode::Constant([OF_INVALID_Q; 2])
        };
        Some(Self { mode, largest_changes, q: Some(value) })
    }
}

/// Loads the columns and rows of half a group.
#[inline(always)]
fn positions<S: Simd>(simd: S, x: &[i32; LANES], y: &[i32; LANES], half: usize) -> [i32x8<S>; 2] {
    let ((x, _), (y, _)) = (x.as_chunks::<8>(), y.as_chunks::<8>());
    [i32x8::simd_from(simd, x[half]), i32x8::simd_from(simd, y[half])]
}

/// Converts integers of at most 24 bits to `f64`.
#[inline(always)]
fn to_f64<S: Simd>(simd: S, integers: i32x8<S>) -> [f64x4<S>; 2] {
    let singles: f32x8<S> = integers.to_float();
    let (first, second) = simd.widen_f32x8(singles);
    [first, second]
}

#[inline(always)]
fn fill_affine<S: Simd>(simd: S, batch: &mut Batch, planes: &[IntegerRamp; 2], factors: &[f64; 2]) {
    let count = batch.groups();
    let Batch { x, y, s, t, .. } = batch;
    for ((plane, factor), out) in planes.iter().zip(factors).zip([s, t]) {
        let positions_of = groups(x, count).iter().zip(groups(y, count));
        for (out, (x, y)) in groups_mut(out, count).iter_mut().zip(positions_of) {
            let (out, _) = out.as_chunks_mut::<4>();
            for half in 0..2 {
                let [x, y] = positions(simd, x, y, half);
                for (quarter, values) in to_f64(simd, plane.at(x, y)).into_iter().enumerate() {
                    (values * *factor).store_array(&mut out[2 * half + quarter]);
                }
            }
        }
    }
}

/// Returns the table reciprocals of positive integers of at most 17 bits; other integers give an unspecified
/// result.
#[inline(always)]
fn reciprocals<S: Simd>(simd: S, integers: i32x8<S>) -> f32x8<S> {
    /// Exponent bits of a single.
    const EXPONENT: u32 = 0xFF << 23;
    /// Exponent bits of 2^-16, plus those of 1.
    const SCALE: u32 = (127 - 16 + 127) << 23;
    let single: f32x8<S> = integers.to_float();
    let bits: u32x8<S> = single.bitcast();
    let mut segments = [0; 8];
    ((bits >> 16_u32) & 127_u32).store_array(&mut segments);
    let (mut starts, mut slopes) = ([0; 8], [0; 8]);
    for lane in 0..8 {
        let Chord { start, slope } = RECIPROCAL.chord(segments[lane]);
        (starts[lane], slopes[lane]) = (start, slope);
    }
    let offset: i32x8<S> = ((bits >> 8_u32) & 255_u32).bitcast();
    let value = (i32x8::simd_from(simd, starts) + i32x8::simd_from(simd, slopes) * offset) >> SHIFT;
    let scale: f32x8<S> = (u32x8::splat(simd, SCALE) - (bits & EXPONENT)).bitcast();
    let value: f32x8<S> = value.to_float();
    value * scale
}

#[inline(always)]
fn fill_perspective<S: Simd>(simd: S, batch: &mut Batch, planes: &[IntegerRamp; 3], factors: &[f64; 2]) {
    let count = batch.groups();
    let [s_plane, t_plane, q_plane] = planes;
    let (xs, ys) = (groups(&batch.x, count).iter(), groups(&batch.y, count).iter());
    let out = groups_mut(&mut batch.s, count).iter_mut().zip(groups_mut(&mut batch.t, count));
    for ((s, t), (x, y)) in out.zip(xs.zip(ys)) {
        let ((s, _), (t, _)) = (s.as_chunks_mut::<4>(), t.as_chunks_mut::<4>());
        for half in 0..2 {
            let [x, y] = positions(simd, x, y, half);
            let q = q_plane.at(x, y);
            let (first, second) = simd.widen_f32x8(reciprocals(simd, q));
            let is_positive = q.simd_gt(0_i32);
            let (is_first, is_second): (mask64x4<S>, mask64x4<S>) = simd.widen_mask32x8(is_positive);
            let invalid = f64x4::splat(simd, OF_INVALID_Q);
            for (plane, factor, out) in [(s_plane, factors[0], &mut *s), (t_plane, factors[1], &mut *t)] {
                let [low, high] = to_f64(simd, plane.at(x, y));
                let (low, high) = (low * first * factor, high * second * factor);
                is_first.select(low, invalid).store_array(&mut out[2 * half]);
                is_second.select(high, invalid).store_array(&mut out[2 * half + 1]);
            }
        }
    }
}

/// Computes [`lod::logarithm`] of the integers of q.
#[inline(always)]
fn fill_logarithms<S: Simd>(
    simd: S,
    plane: &IntegerRamp,
    (x, y): (&[i32], &[i32]),
    count: usize,
    out: &mut [i32; BATCH_SIZE],
) {
    let positions_of = groups(x, count).iter().zip(groups(y, count));
    for (out, (x, y)) in groups_mut(out, count).iter_mut().zip(positions_of) {
        let (out, _) = out.as_chunks_mut::<8>();
        for (half, out) in out.iter_mut().enumerate() {
            let [x, y] = positions(simd, x, y, half);
            let q = plane.at(x, y);
            let single: f32x8<S> = q.to_float();
            let bits: u32x8<S> = single.bitcast();
            let logarithm: i32x8<S> = ((bits & 0x7FFF_FFFF_u32) >> 19_u32).bitcast();
            let logarithm = logarithm - 127 * 16;
            let of_zero = i32x8::splat(simd, lod::LOGARITHM_OF_ZERO);
            q.simd_eq(0_i32).select(of_zero, logarithm).store_array(out);
        }
    }
}
