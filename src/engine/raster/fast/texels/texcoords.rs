//! Computes a segment's texture coordinates. This is [`crate::raster::rules::texcoords`] in lanes.
//!
//! The integer planes for s, t and q are sums in 32 bits. The reciprocal of q comes from the table of straight
//! lines, for each lane alone; vectors do everything else. `f64` holds the products exactly. The reference cuts them
//! to 24 significant bits, but only a few positions show it, so [`super::sampler`] does so for these.

use fearless_simd::{f32x8, f64x4, i32x8, mask64x4, u32x8};

use super::emulated_texcoords::EmulatedTexcoords;
use super::lod_lanes::LodLanes;
use super::lod_probe::LodProbe;
use super::texcoord_planes::TexcoordPlanes;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::chords::{Chord, RECIPROCAL, SHIFT};
use crate::ge::arithmetic::round::power_of_two;
use crate::ge::arithmetic::simd::prelude::*;
use crate::pipeline::primitive::Shape;
use crate::raster::fast::batch::{Batch, LANES, PADDED_SIZE, Segment};
use crate::raster::fast::clipped_primitive::{ClippedPrimitive, SharedGeometry};
use crate::raster::fast::integer_ramp::IntegerRamp;
use crate::raster::fast::pixel_bounds::PixelBounds;
use crate::raster::fast::rectangle_table::RectangleTable;
use crate::raster::rules::lod::{self, LodSelection, LodSelector};
use crate::raster::rules::lod_spans::LodSpans;
use crate::raster::rules::rectangle;
use crate::raster::rules::texcoords::{self, OF_INVALID_Q, Texcoords};

/// Tells how to compute a primitive's texture coordinates, by the rules of its arithmetic.
#[derive(Debug)]
pub(crate) enum TexcoordInterpolant<'a> {
    /// By the hardware's rules.
    Hardware(PlaneTexcoords<'a>),
    /// By those of emulators.
    Single(Box<EmulatedTexcoords<'a>>),
}

impl<'a> TexcoordInterpolant<'a> {
    /// Sets up the coordinates for a primitive. `scale` tells how many texels of level 0 a unit of the coordinates
    /// spans. Returns `None` for a triangle without area.
    #[inline(always)]
    pub(crate) fn new<S: Simd>(
        simd: S,
        clipped: &ClippedPrimitive<'_>,
        geometry: &SharedGeometry<'_>,
        selector: &LodSelector,
        scale: [f64; 2],
        table: &'a mut RectangleTable,
    ) -> Option<Self> {
        Some(match clipped.primitive.arithmetic {
            Arithmetic::Hardware => {
                Self::Hardware(PlaneTexcoords::new(simd, clipped, geometry, selector, scale, table)?)
            }
            Arithmetic::Single => {
                let ClippedPrimitive { primitive, triangle, bounds } = *clipped;
                let edges = triangle.map(|(_, edges)| edges);
                let emulated = EmulatedTexcoords::new(primitive, edges, bounds, selector, scale, table)?;
                Self::Single(Box::new(emulated))
            }
        })
    }

    /// Returns the selected levels if they are the same for all pixels.
    pub(crate) const fn selection(&self) -> Option<LodSelection> {
        match self {
            Self::Hardware(planes) => planes.selection,
            Self::Single(emulated) => emulated.selection(),
        }
    }

    /// Returns the table for a rectangle by the hardware's rules, and whether it is rotated.
    pub(crate) const fn rectangle_table(&self) -> Option<(&'a RectangleTable, bool)> {
        match self {
            Self::Hardware(PlaneTexcoords { mode: Mode::Rectangle { table, rotated }, .. }) => {
                Some((table, *rotated))
            }
            _ => None,
        }
    }

    /// Selects levels for each fragment in the open segment. Coordinates must be computed already.
    pub(super) fn select_per_fragment<S: Simd>(
        &self,
        simd: S,
        selector: &LodSelector,
        batch: &Batch,
        out: &mut LodLanes,
    ) {
        match self {
            Self::Hardware(planes) => planes.select_per_fragment(simd, selector, batch, out),
            Self::Single(emulated) => emulated.select_per_fragment(simd, selector, batch, out),
        }
    }

    /// Computes coordinates for the open segment.
    pub(crate) fn fill<S: Simd>(&self, simd: S, batch: &mut Batch) {
        match self {
            Self::Hardware(planes) => planes.fill(simd, batch),
            Self::Single(emulated) => emulated.fill(simd, batch),
        }
    }
}

/// The planes for s, t and q over a primitive.
#[derive(Debug)]
pub(crate) struct PlaneTexcoords<'a> {
    mode: Mode<'a>,
    bounds: PixelBounds,
    /// The selected levels, if they are the same for all pixels.
    selection: Option<LodSelection>,
    /// The level of detail for q = 1, before the bias.
    lod_at_q_of_1: i32,
}

#[derive(Debug)]
enum Mode<'a> {
    /// q is the same at all pixels, so s and t are the integers times these factors.
    Affine { planes: [IntegerRamp; 2], factors: [f64; 2] },
    /// A rectangle, or half of it, in which q is the same everywhere. s depends on the column and t on the row. If
    /// rotated, it is the reverse.
    Rectangle { table: &'a RectangleTable, rotated: bool },
    /// q is nowhere positive.
    Constant([f64; 2]),
    /// Coordinates are divided at each pixel. The factors undo the integers' exponents. Triangles may probe q for
    /// the level of detail.
    Perspective { planes: [IntegerRamp; 3], factors: [f64; 2], q_exponent: i32, probe: Option<LodProbe> },
    /// Coordinates are computed pixel by pixel, for lines and for planes outside the usual range.
    PerPixel(Box<ExactTexcoords>),
}

/// Coordinates computed in the same way as by the reference.
#[derive(Debug)]
struct ExactTexcoords {
    texcoords: Texcoords,
    /// The pixels at which a triangle takes q for the level of detail.
    spans: Option<LodSpans>,
}

impl<'a> PlaneTexcoords<'a> {
    #[inline(always)]
    fn new<S: Simd>(
        simd: S,
        clipped: &ClippedPrimitive<'_>,
        geometry: &SharedGeometry<'_>,
        selector: &LodSelector,
        scale: [f64; 2],
        table: &'a mut RectangleTable,
    ) -> Option<Self> {
        let ClippedPrimitive { primitive, triangle, bounds } = *clipped;
        let shape = &primitive.shape;
        let constant = selector.constant();
        let Some(planes) = TexcoordPlanes::new(simd, shape, geometry.lanes.as_ref(), bounds) else {
            return Self::per_pixel(shape, bounds, selector, scale);
        };
        let TexcoordPlanes { planes: [s, t, q_plane], exponents, largest_changes, q } = planes;
        let [s_exponent, t_exponent, q_exponent] = exponents;
        let mode = match q {
            None => Mode::Perspective {
                planes: [s, t, q_plane],
                factors: [s_exponent, t_exponent].map(|exponent| power_of_two(exponent - q_exponent)),
                q_exponent,
                probe: match (constant, triangle) {
                    (None, Some((triangle, _))) => Some(LodProbe::new(triangle, bounds)),
                    _ => None,
                },
            },
            Some(q) if q > 0.0 => {
                let reciprocal = texcoords::reciprocal(q);
                let factors = [s_exponent, t_exponent].map(|exponent| power_of_two(exponent) * reciprocal);
                match rectangle_rotation(shape, &[s, t], bounds) {
                    Some(rotated) => {
                        let at = |x: u32, y: u32| {
                            let integer =
                                |plane: IntegerRamp| f64::from(plane.value(x - bounds.x, y - bounds.y));
                            [integer(s) * factors[0], integer(t) * factors[1]]
                        };
                        table.fill(at, bounds, rotated);
                        Mode::Rectangle { table, rotated }
                    }
                    None => Mode::Affine { planes: [s, t], factors },
                }
            }
            Some(_) => Mode::Constant([OF_INVALID_Q; 2]),
        };
        if constant.is_some() {
            return Some(Self { mode, bounds, selection: constant, lod_at_q_of_1: 0 });
        }
        let [s, t] = largest_changes;
        let lod_at_q_of_1 = selector.lod_at_q_of_1(|| (s * scale[0]).max(t * scale[1]));
        let selection = q.map(|q| selector.select_lod(lod_at_q_of_1 - lod::logarithm(q)));
        Some(Self { mode, bounds, selection, lod_at_q_of_1 })
    }

    /// Sets up coordinates to be computed in the same way as by the reference.
    #[cold]
    fn per_pixel(
        shape: &Shape,
        bounds: PixelBounds,
        selector: &LodSelector,
        scale: [f64; 2],
    ) -> Option<Self> {
        let texcoords = Texcoords::new(shape)?;
        let lod_at_q_of_1 = selector.lod_at_q_of_1(|| texcoords.largest_step(scale));
        let mode = Mode::PerPixel(Box::new(ExactTexcoords { texcoords, spans: LodSpans::new(shape) }));
        Some(Self { mode, bounds, selection: selector.constant(), lod_at_q_of_1 })
    }

    /// Selects levels for each fragment in the open segment.
    fn select_per_fragment<S: Simd>(
        &self,
        simd: S,
        selector: &LodSelector,
        batch: &Batch,
        out: &mut LodLanes,
    ) {
        if let Mode::Perspective { planes: [_, _, q], q_exponent, probe, .. } = &self.mode {
            let lod_at_1 = self.lod_at_q_of_1 - 16 * q_exponent;
            let (mut lods, segment) = ([0; PADDED_SIZE], batch.open_segment());
            simd.vectorize(
                #[inline(always)]
                || {
                    let mut columns = batch.x;
                    if let Some(probe) = probe {
                        probe.columns(simd, batch, &mut columns);
                    }
                    fill_lods(simd, q, (&columns, &batch.y), segment, lod_at_1, &mut lods);
                    out.select(simd, &selector.rule(), &lods, segment);
                },
            );
            return;
        }
        let Mode::PerPixel(exact) = &self.mode else { return };
        for lane in batch.open_lanes() {
            let (x, y) = self.position(batch, lane);
            let probe = exact.spans.map_or(x, |spans| spans.probe(x, y));
            let q = exact.texcoords.q_at(probe, y);
            out.set(lane, selector.select_lod(self.lod_at_q_of_1 - lod::logarithm(q)));
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
                let lanes = batch.open_lanes();
                batch.s[lanes.clone()].fill(*s);
                batch.t[lanes].fill(*t);
            }
            Mode::Perspective { planes, factors, .. } => simd.vectorize(
                #[inline(always)]
                || fill_perspective(simd, batch, planes, factors),
            ),
            Mode::PerPixel(exact) => {
                for lane in batch.open_lanes() {
                    let (x, y) = self.position(batch, lane);
                    [batch.s[lane], batch.t[lane]] = exact.texcoords.at(x, y);
                }
            }
        }
    }
}

/// Returns `Some(false)` if s depends on the column and t on the row, and `Some(true)` for the reverse. Returns
/// `None` for triangles if a table would not pay.
fn rectangle_rotation(
    shape: &Shape,
    [s, t]: &[IntegerRamp; 2],
    PixelBounds { width, height, .. }: PixelBounds,
) -> Option<bool> {
    match shape {
        Shape::Rectangle(vertices) => Some(rectangle::is_rotated(vertices)),
        // A triangle covers about half its bounds, so a table must have far fewer entries than the bounds have
        // pixels.
        Shape::Triangle(_) if width * height < 4 * (width + height) => None,
        Shape::Triangle(_) if (s.down, t.right) == (0, 0) => Some(false),
        Shape::Triangle(_) if (s.right, t.down) == (0, 0) => Some(true),
        _ => None,
    }
}

/// Loads columns and rows for half a group.
#[inline(always)]
fn positions<S: Simd>(simd: S, x: &[i32; LANES], y: &[i32; LANES], half: usize) -> [i32x8<S>; 2] {
    let ((x, _), (y, _)) = (x.as_chunks::<8>(), y.as_chunks::<8>());
    [i32x8::simd_from(simd, x[half]), i32x8::simd_from(simd, y[half])]
}

/// Converts integers of at most 24 bits to `f64`. They fit into single precision, so converting to that first loses
/// nothing.
#[inline(always)]
fn to_f64<S: Simd>(simd: S, integers: i32x8<S>) -> [f64x4<S>; 2] {
    let singles: f32x8<S> = integers.to_float();
    let (first, second) = simd.widen_f32x8(singles);
    [first, second]
}

#[inline(always)]
fn fill_affine<S: Simd>(simd: S, batch: &mut Batch, planes: &[IntegerRamp; 2], factors: &[f64; 2]) {
    let segment = batch.open_segment();
    let Batch { x, y, s, t, .. } = batch;
    for ((plane, factor), out) in planes.iter().zip(factors).zip([s, t]) {
        let positions_of = segment.of(x).iter().zip(segment.of(y));
        for (out, (x, y)) in segment.of_mut(out).iter_mut().zip(positions_of) {
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

/// Returns the table reciprocals of positive integers with at most 17 bits. For other integers the result is
/// unspecified.
#[inline(always)]
fn reciprocals<S: Simd>(simd: S, integers: i32x8<S>) -> f32x8<S> {
    /// Exponent bits in a single.
    const EXPONENT: u32 = 0xFF << 23;
    /// Exponent bits in 2^-16, plus those in 1.
    const SCALE: u32 = (127 - 16 + 127) << 23;
    let single: f32x8<S> = integers.to_float();
    let bits: u32x8<S> = single.bitcast();
    // The upper 7 mantissa bits select a straight line, and the next 8 a place on it.
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
    let segment = batch.open_segment();
    let [s_plane, t_plane, q_plane] = planes;
    let (xs, ys) = (segment.of(&batch.x).iter(), segment.of(&batch.y).iter());
    let out = segment.of_mut(&mut batch.s).iter_mut().zip(segment.of_mut(&mut batch.t));
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

/// Subtracts [`lod::logarithm`] of q's integers from the level of detail at 1.
#[inline(always)]
fn fill_lods<S: Simd>(
    simd: S,
    plane: &IntegerRamp,
    (x, y): (&[i32], &[i32]),
    segment: Segment,
    lod_at_1: i32,
    out: &mut [i32; PADDED_SIZE],
) {
    let positions_of = segment.of(x).iter().zip(segment.of(y));
    for (out, (x, y)) in segment.of_mut(out).iter_mut().zip(positions_of) {
        let (out, _) = out.as_chunks_mut::<8>();
        for (half, out) in out.iter_mut().enumerate() {
            let [x, y] = positions(simd, x, y, half);
            let q = plane.at(x, y);
            let single: f32x8<S> = q.to_float();
            let bits: u32x8<S> = single.bitcast();
            // A single's exponent and upper 4 mantissa bits are its logarithm in 1/16, plus the exponent's bias.
            let logarithm: i32x8<S> = ((bits & 0x7FFF_FFFF_u32) >> 19_u32).bitcast();
            let logarithm = logarithm - 127 * 16;
            let of_zero = i32x8::splat(simd, lod::LOGARITHM_OF_ZERO);
            (i32x8::splat(simd, lod_at_1) - q.simd_eq(0_i32).select(of_zero, logarithm)).store_array(out);
        }
    }
}
