//! Computes a segment's attributes. This is [`crate::raster::rules::interpolate`] in lanes.
#![expect(clippy::cast_possible_truncation, reason = "only sums that fit are narrowed")]

use fearless_simd::{i32x8, u32x8};

use super::batch::{Batch, LANES};
use super::clipped_primitive::{PlaneShape, SharedGeometry};
use super::lanes::U16Lanes;
use super::pixel_bounds::PixelBounds;
use super::pixels::pixel_state::PixelState;
use super::plane_lanes::{NarrowRamps, PlaneLanes, floats};
use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::transform::ShadeMode;
use crate::pipeline::primitive::ScreenPrimitive;
use crate::raster::rules::fog;
use crate::raster::rules::interpolate::{LinearRamp, Plane};
use crate::raster::rules::line::Line;
use crate::raster::rules::reference::antialiased_line;
use crate::raster::rules::setup_reciprocal::SHIFT;

/// Tells how to compute an attribute over a primitive.
#[derive(Clone, Copy, Debug)]
enum Interpolant {
    Constant(u16),
    /// For sums that fit in 32 bits.
    Narrow {
        start: i32,
        right: i32,
        down: i32,
        shift: u32,
    },
    /// For sums that fit in 64 bits.
    Wide(LinearRamp),
    /// For sums that need 128 bits, which is very rare. They use a plane in [`AttributeInterpolants::planes`], pixel
    /// by pixel.
    Exact(usize),
}

/// A primitive's interpolated attributes, except texture coordinates.
#[derive(Clone, Debug)]
pub(super) struct AttributeInterpolants {
    z: Interpolant,
    color: [Interpolant; 4],
    secondary: [Interpolant; 3],
    fog: Interpolant,
    /// Fraction bits in fog values. They are needed because single arithmetic interpolates the factor, not the
    /// coefficient.
    fog_shift: u32,
    /// The line whose coverage replaces alpha.
    antialiased: Option<Line>,
    bounds: PixelBounds,
    planes: Vec<Plane>,
}

const MAX_BYTE: u16 = 255;
const MAX_DEPTH: u16 = u16::MAX;

impl Interpolant {
    fn constant(value: i64, max: u16, extra_shift: u32) -> Self {
        Self::Constant((value >> extra_shift).clamp(0, i64::from(max)) as u16)
    }

    /// Creates an attribute from a ramp, clamped to 0..=`max` after a right shift by `extra_shift` more bits.
    fn of_ramp(ramp: LinearRamp, bounds: PixelBounds, max: u16, extra_shift: u32) -> Self {
        let LinearRamp { start, right, down, shift } = ramp;
        let shift = shift + extra_shift;
        if (right, down) == (0, 0) {
            return Self::constant(start, max, shift);
        }
        // Ramps are linear, so the sums at the corners bound all others.
        let (across, along) = (right * i64::from(bounds.width), down * i64::from(bounds.height));
        let lowest = start + across.min(0) + along.min(0);
        let highest = start + across.max(0) + along.max(0);
        let fits = |sum: i64| i32::try_from(sum).is_ok();
        if fits(lowest) && fits(highest) && fits(right) && fits(down) {
            Self::Narrow { start: start as i32, right: right as i32, down: down as i32, shift }
        } else {
            Self::Wide(ramp)
        }
    }

    /// Creates an attribute from the narrow ramp with this number, clamped to 0..=`max`.
    #[inline(always)]
    fn of_narrow_ramp(ramps: &NarrowRamps, number: usize, max: u16) -> Self {
        let start = ramps.start[number];
        match (ramps.right[number], ramps.down[number]) {
            (0, 0) => Self::Constant((start >> SHIFT).clamp(0, i32::from(max)) as u16),
            (right, down) => Self::Narrow { start, right, down, shift: SHIFT },
        }
    }

    /// Computes the attribute for a segment's fragments.
    #[inline(always)]
    fn fill<S: Simd>(
        &self,
        simd: S,
        (x, y): (&[[i32; LANES]], &[[i32; LANES]]),
        out: &mut [[u16; LANES]],
        (bounds, max, extra_shift): (PixelBounds, u16, u32),
        planes: &[Plane],
    ) {
        match *self {
            Self::Constant(value) => {
                let value = U16Lanes::splat(simd, value);
                for out in out {
                    value.store_array(out);
                }
            }
            Self::Narrow { start, right, down, shift } => {
                let ramp = NarrowRamp {
                    start: i32x8::splat(simd, start),
                    right: i32x8::splat(simd, right),
                    down: i32x8::splat(simd, down),
                    shift,
                    max: i32x8::splat(simd, i32::from(max)),
                };
                for (out, (x, y)) in out.iter_mut().zip(x.iter().zip(y)) {
                    let ((x, _), (y, _)) = (x.as_chunks::<8>(), y.as_chunks::<8>());
                    let (first, second) = (ramp.at(&x[0], &y[0]), ramp.at(&x[1], &y[1]));
                    simd.relaxed_narrow_u32x8(first, second).store_array(out);
                }
            }
            Self::Wide(ramp) => fill_wide(ramp, (x, y), out, max, extra_shift),
            Self::Exact(plane) => fill_exact(&planes[plane], (x, y), out, bounds, max, extra_shift),
        }
    }
}

/// Computes ramps through unsigned values. Returns `None` if their sums do not fit in 32 bits.
#[inline(always)]
fn narrow_ramps<S: Simd, T: Copy + Into<f64>>(
    simd: S,
    lanes: Option<&PlaneLanes>,
    values: [[T; 4]; 3],
) -> Option<NarrowRamps> {
    // With 16-bit values and a shift by 14, sums take half the 32-bit range. The other half is for overshoot.
    const SUM_BITS: i32 = 31;
    let (lanes, [a, b, c]) = (lanes?, values);
    lanes.ramps([floats(simd, a), floats(simd, b), floats(simd, c)])?.narrow(lanes, SUM_BITS)
}

/// A ramp with sums in 32 bits, for eight fragments at a time.
struct NarrowRamp<S: Simd> {
    start: i32x8<S>,
    right: i32x8<S>,
    down: i32x8<S>,
    shift: u32,
    max: i32x8<S>,
}

impl<S: Simd> NarrowRamp<S> {
    #[inline(always)]
    fn at(&self, x: &[i32; 8], y: &[i32; 8]) -> u32x8<S> {
        let simd = self.start.token();
        let across = i32x8::simd_from(simd, *x) * self.right;
        let sum = across + i32x8::simd_from(simd, *y) * self.down + self.start;
        (sum >> self.shift).max(0_i32).min(self.max).bitcast()
    }
}

/// Computes values with 64-bit sums.
#[cold]
fn fill_wide(
    LinearRamp { start, right, down, shift }: LinearRamp,
    (x, y): (&[[i32; LANES]], &[[i32; LANES]]),
    out: &mut [[u16; LANES]],
    max: u16,
    extra_shift: u32,
) {
    let shift = shift + extra_shift;
    // Unlike the 32-bit ramp, this clamps before the shift. The result is the same, because the limit has all lower
    // bits set.
    let limit = ((i64::from(max) + 1) << shift) - 1;
    let positions = x.as_flattened().iter().zip(y.as_flattened());
    for (out, (x, y)) in out.as_flattened_mut().iter_mut().zip(positions) {
        let across = right.wrapping_mul(i64::from(*x));
        let sum = start.wrapping_add(across).wrapping_add(down.wrapping_mul(i64::from(*y)));
        *out = (sum.clamp(0, limit) as u64 >> shift) as u16;
    }
}

/// Computes values with 128-bit sums.
#[cold]
fn fill_exact(
    plane: &Plane,
    (x, y): (&[[i32; LANES]], &[[i32; LANES]]),
    out: &mut [[u16; LANES]],
    bounds: PixelBounds,
    max: u16,
    extra_shift: u32,
) {
    let positions = x.as_flattened().iter().zip(y.as_flattened());
    for (out, (x, y)) in out.as_flattened_mut().iter_mut().zip(positions) {
        let (x, y) = (bounds.x.wrapping_add_signed(*x), bounds.y.wrapping_add_signed(*y));
        let max = (i64::from(max) + 1) << extra_shift;
        *out = (plane.at(x, y, 0, max - 1) >> extra_shift) as u16;
    }
}

impl Default for AttributeInterpolants {
    fn default() -> Self {
        let zero = Interpolant::Constant(0);
        let bounds = PixelBounds { x: 0, y: 0, width: 0, height: 0 };
        Self {
            z: zero,
            color: [zero; 4],
            secondary: [zero; 3],
            fog: zero,
            fog_shift: 0,
            antialiased: None,
            bounds,
            planes: Vec::new(),
        }
    }
}

impl AttributeInterpolants {
    /// Begins a primitive and sets up its depth if `state` needs it. Other attributes follow if it is visible.
    #[inline(always)]
    pub(super) fn begin<S: Simd>(
        &mut self,
        simd: S,
        geometry: &SharedGeometry<'_>,
        bounds: PixelBounds,
        state: &PixelState,
    ) {
        self.bounds = bounds;
        self.planes.clear();
        if state.uses_z() {
            let values = geometry.corners.map(|corner| corner.z);
            let lanes = geometry.lanes.as_ref();
            self.z = match narrow_ramps(simd, lanes, values.map(|z| [z, 0, 0, 0])) {
                Some(ramps) => Interpolant::of_narrow_ramp(&ramps, 0, MAX_DEPTH),
                None => self.interpolant(geometry, values.map(i64::from), false, MAX_DEPTH, 0),
            };
        }
    }

    /// Sets up the other attributes that `state` needs for a primitive.
    #[inline(always)]
    pub(super) fn set<S: Simd>(
        &mut self,
        simd: S,
        geometry: &SharedGeometry<'_>,
        primitive: &ScreenPrimitive,
        state: &PixelState,
    ) {
        let corners = geometry.corners;
        let flat = primitive.shade == ShadeMode::FLAT || state.clear.is_some();
        let colors = corners.map(|corner| corner.color);
        let is_hardware = primitive.arithmetic == Arithmetic::Hardware;
        // Secondary colour and fog share four lanes. In single arithmetic fog has more bits, so it is set up
        // separately.
        let mut others = [[0; 4]; 3];
        if state.secondary && !flat {
            others = corners.map(|corner| {
                let [red, green, blue] = corner.secondary;
                [red, green, blue, 0]
            });
        }
        if state.fog.is_some() && is_hardware {
            for ([.., fog], corner) in others.iter_mut().zip(corners) {
                *fog = fog::coefficient(fog::fixed(corner.fog));
            }
        }
        let constant_color = if flat {
            Some(primitive.flat_vertex().color)
        } else if !state.uses_vertex_color() {
            Some([0; 4])
        } else {
            (colors == [colors[0]; 3]).then_some(colors[0])
        };
        let are_others_constant = others == [others[0]; 3];
        self.color = match constant_color {
            Some(color) => color.map(|byte| Interpolant::Constant(byte.into())),
            None => self.bytes(simd, geometry, colors, !is_hardware),
        };
        let [red, green, blue, fog] = if are_others_constant {
            others[0].map(|byte| Interpolant::Constant(byte.into()))
        } else {
            self.bytes(simd, geometry, others, !is_hardware)
        };
        self.secondary = [red, green, blue];
        (self.fog, self.fog_shift) = (fog, 0);
        if flat {
            self.secondary = primitive.flat_vertex().secondary.map(|byte| Interpolant::Constant(byte.into()));
        }
        if state.fog.is_some() && !is_hardware {
            let factors = corners.map(|corner| fog::fixed(corner.fog));
            (self.fog, self.fog_shift) = (self.interpolant(geometry, factors, false, MAX_BYTE, 8), 8);
        }
        self.antialiased = state.antialiased.then(|| antialiased_line(primitive)).flatten();
    }

    /// Creates the attributes with these bytes at the corners.
    #[inline(always)]
    fn bytes<S: Simd>(
        &mut self,
        simd: S,
        geometry: &SharedGeometry<'_>,
        bytes: [[u8; 4]; 3],
        rounded: bool,
    ) -> [Interpolant; 4] {
        match narrow_ramps(simd, geometry.lanes.as_ref(), bytes) {
            Some(ramps) => {
                let interpolant = |number| Interpolant::of_narrow_ramp(&ramps, number, MAX_BYTE);
                [interpolant(0), interpolant(1), interpolant(2), interpolant(3)]
            }
            None => self.plain_bytes(geometry, bytes, rounded),
        }
    }

    /// Does the same as [`Self::bytes`] for each byte alone, because lines, single arithmetic and unusual triangles
    /// have no lanes.
    fn plain_bytes(
        &mut self,
        geometry: &SharedGeometry<'_>,
        bytes: [[u8; 4]; 3],
        rounded: bool,
    ) -> [Interpolant; 4] {
        [0, 1, 2, 3].map(|channel: usize| {
            let values = bytes.map(|bytes| i64::from(bytes[channel]));
            self.interpolant(geometry, values, rounded, MAX_BYTE, 0)
        })
    }

    /// Creates the attribute with these values at the corners. It is clamped to 0..=`max` after a right shift by
    /// `extra_shift`.
    fn interpolant(
        &mut self,
        geometry: &SharedGeometry<'_>,
        values: [i64; 3],
        rounded: bool,
        max: u16,
        extra_shift: u32,
    ) -> Interpolant {
        let bounds = self.bounds;
        let plane = match &geometry.shape {
            _ if values == [values[0]; 3] => return Interpolant::constant(values[0], max, extra_shift),
            PlaneShape::Constant => return Interpolant::constant(values[0], max, extra_shift),
            PlaneShape::Line(line) => Plane::line(line, [values[0], values[1]]),
            PlaneShape::EmulatedLine(line) => Plane::emulated_line(line, [values[0], values[1]]),
            PlaneShape::Triangle(gradients) => gradients.plane(values, rounded),
        };
        match plane.ramp(bounds.x, bounds.y, bounds.width, bounds.height) {
            Some(ramp) => Interpolant::of_ramp(ramp, bounds, max, extra_shift),
            None => {
                self.planes.push(plane);
                Interpolant::Exact(self.planes.len() - 1)
            }
        }
    }

    /// Computes depths for the open segment.
    #[inline(always)]
    pub(super) fn fill_z<S: Simd>(&self, simd: S, batch: &mut Batch) {
        let segment = batch.open_segment();
        let Batch { x, y, z, .. } = batch;
        let positions = (segment.of(x), segment.of(y));
        self.z.fill(simd, positions, segment.of_mut(z), (self.bounds, MAX_DEPTH, 0), &self.planes);
    }

    /// Computes all other attributes for the open segment.
    #[inline(always)]
    pub(super) fn fill<S: Simd>(&self, simd: S, batch: &mut Batch, state: &PixelState) {
        let segment = batch.open_segment();
        let Batch { x, y, color, secondary, fog, .. } = batch;
        let positions = (segment.of(x), segment.of(y));
        for (interpolant, out) in self.color.iter().zip(&mut *color) {
            let out = segment.of_mut(out);
            interpolant.fill(simd, positions, out, (self.bounds, MAX_BYTE, 0), &self.planes);
        }
        if let Some(line) = &self.antialiased {
            fill_coverage(line, positions, self.bounds, segment.of_mut(&mut color[3]));
        }
        if state.secondary {
            for (interpolant, out) in self.secondary.iter().zip(secondary) {
                let out = segment.of_mut(out);
                interpolant.fill(simd, positions, out, (self.bounds, MAX_BYTE, 0), &self.planes);
            }
        }
        if state.fog.is_some() {
            let out = segment.of_mut(fog);
            self.fog.fill(simd, positions, out, (self.bounds, MAX_BYTE, self.fog_shift), &self.planes);
        }
    }
}

/// Computes alpha for an antialiased line.
#[cold]
fn fill_coverage(
    line: &Line,
    (x, y): (&[[i32; LANES]], &[[i32; LANES]]),
    bounds: PixelBounds,
    out: &mut [[u16; LANES]],
) {
    let positions = x.as_flattened().iter().zip(y.as_flattened());
    for (out, (x, y)) in out.as_flattened_mut().iter_mut().zip(positions) {
        let (x, y) = (bounds.x.wrapping_add_signed(*x), bounds.y.wrapping_add_signed(*y));
        *out = line.antialiased_alpha(x, y).into();
    }
}
