//! Attributes of a batch: [`crate::raster::interpolate`] in lanes.
#![expect(clippy::cast_possible_truncation, reason = "only sums that fit are narrowed")]

use fearless_simd::{i32x8, u32x8};

use super::batch::{BATCH_SIZE, Batch, LANES, groups, groups_mut};
use super::lanes::U16Lanes;
use super::pixel_state::PixelState;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::transform::ShadeMode;
use crate::pipeline::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::raster::coverage::Triangle;
use crate::raster::fog;
use crate::raster::interpolate::{Gradients, LinearRamp, Plane};
use crate::raster::line::Line;
use crate::raster::reference::antialiased_line;
use crate::raster::single::line::OrderedLine;

/// Bounding box of the pixels that a primitive may cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct PixelBounds {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// How to compute one attribute over a primitive.
#[derive(Clone, Copy, Debug)]
enum Interpolant {
    Constant(u16),
    /// All sums fit in 32 bits.
    Narrow {
        start: i32,
        right: i32,
        down: i32,
        shift: u32,
    },
    /// All sums fit in 64 bits.
    Wide(LinearRamp),
    /// Sums of 128 bits, pixel by pixel, with a plane of [`AttributeInterpolants::planes`]; very rare.
    Exact(usize),
}

/// The interpolated attributes of a primitive, except texture coordinates.
#[derive(Clone, Debug)]
pub(super) struct AttributeInterpolants {
    z: Interpolant,
    color: [Interpolant; 4],
    secondary: [Interpolant; 3],
    fog: Interpolant,
    /// Fraction bits of fog values: in single arithmetic the factor is interpolated, not the coefficient.
    fog_shift: u32,
    /// The line whose coverage replaces alpha.
    antialiased: Option<Line>,
    bounds: PixelBounds,
    planes: Vec<Plane>,
}

/// Largest attribute values.
const MAX_BYTE: u16 = 255;
const MAX_DEPTH: u16 = u16::MAX;

impl Interpolant {
    /// Creates a constant attribute.
    fn constant(value: i64, max: u16, extra_shift: u32) -> Self {
        Self::Constant((value >> extra_shift).clamp(0, i64::from(max)) as u16)
    }

    /// Creates an attribute from a ramp, clamped to 0..=`max` after a right shift by `extra_shift` more bits.
    /// `overshoot` computes how far sums at covered pixels can leave the range of the vertices' values, if
    /// known.
    fn of_ramp(
        ramp: LinearRamp,
        bounds: PixelBounds,
        max: u16,
        extra_shift: u32,
        overshoot: impl FnOnce() -> Option<u64>,
    ) -> Self {
        let LinearRamp { start, right, down, shift } = ramp;
        let shift = shift + extra_shift;
        if (right, down) == (0, 0) {
            return Self::constant(start, max, shift);
        }
        // The sums at the corners bound all others.
        let (across, along) = (right * i64::from(bounds.width), down * i64::from(bounds.height));
        let lowest = start + across.min(0) + along.min(0);
        let highest = start + across.max(0) + along.max(0);
        let fits = |sum: i64| i32::try_from(sum).is_ok();
        // Intermediate sums may wrap if the final sum fits.
        let covered_sums_fit =
            || overshoot().is_some_and(|overshoot| overshoot < u64::from(i32::MAX.unsigned_abs()) / 2);
        if (fits(lowest) && fits(highest) && fits(right) && fits(down)) || covered_sums_fit() {
            Self::Narrow { start: start as i32, right: right as i32, down: down as i32, shift }
        } else {
            Self::Wide(ramp)
        }
    }

    /// Computes the attribute for the fragments of a batch.
    #[inline(always)]
    fn fill<S: Simd>(
        &self,
        simd: S,
        (x, y): (&[i32], &[i32]),
        out: &mut [u16; BATCH_SIZE],
        count: usize,
        (bounds, max, extra_shift): (PixelBounds, u16, u32),
        planes: &[Plane],
    ) {
        let out = groups_mut(out, count);
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
                for (out, (x, y)) in out.iter_mut().zip(groups(x, count).iter().zip(groups(y, count))) {
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

/// A ramp whose sums fit in 32 bits, eight fragments at a time.
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
    (x, y): (&[i32], &[i32]),
    out: &mut [[u16; LANES]],
    max: u16,
    extra_shift: u32,
) {
    let shift = shift + extra_shift;
    // Unlike the 32-bit ramp, this clamps before the shift; the result is the same.
    let limit = ((i64::from(max) + 1) << shift) - 1;
    for (out, (x, y)) in out.as_flattened_mut().iter_mut().zip(x.iter().zip(y)) {
        let across = right.wrapping_mul(i64::from(*x));
        let sum = start.wrapping_add(across).wrapping_add(down.wrapping_mul(i64::from(*y)));
        *out = (sum.clamp(0, limit) as u64 >> shift) as u16;
    }
}

/// Computes values with 128-bit sums.
#[cold]
fn fill_exact(
    plane: &Plane,
    (x, y): (&[i32], &[i32]),
    out: &mut [[u16; LANES]],
    bounds: PixelBounds,
    max: u16,
    extra_shift: u32,
) {
    for (out, (x, y)) in out.as_flattened_mut().iter_mut().zip(x.iter().zip(y)) {
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
    /// Sets up the attributes of a primitive that `state` needs.
    pub(super) fn set(
        &mut self,
        primitive: &ScreenPrimitive,
        triangle: Option<&Triangle>,
        bounds: PixelBounds,
        state: &PixelState,
    ) {
        self.bounds = bounds;
        self.planes.clear();
        let setup = InterpolationSetup::new(&primitive.shape, triangle, primitive.arithmetic);
        let [a, b, c] = setup.corners;
        if state.uses_z() {
            let values = [a.z, b.z, c.z].map(i64::from);
            self.z = self.interpolant(&setup, values, false, MAX_DEPTH, 0);
        }
        let flat = primitive.shade == ShadeMode::FLAT || state.clear.is_some();
        let rounded = primitive.arithmetic == Arithmetic::Single;
        if flat {
            let vertex = primitive.flat_vertex();
            self.color = vertex.color.map(|byte| Interpolant::Constant(byte.into()));
            self.secondary = vertex.secondary.map(|byte| Interpolant::Constant(byte.into()));
        } else {
            if state.uses_vertex_color() {
                for channel in 0..4 {
                    let values = [a.color[channel], b.color[channel], c.color[channel]].map(i64::from);
                    self.color[channel] = self.interpolant(&setup, values, rounded, MAX_BYTE, 0);
                }
            } else {
                self.color = [Interpolant::Constant(0); 4];
            }
            if state.secondary {
                for channel in 0..3 {
                    let values =
                        [a.secondary[channel], b.secondary[channel], c.secondary[channel]].map(i64::from);
                    self.secondary[channel] = self.interpolant(&setup, values, rounded, MAX_BYTE, 0);
                }
            }
        }
        if state.fog.is_some() {
            let factors = [a.fog, b.fog, c.fog].map(fog::fixed);
            let (values, shift) = match primitive.arithmetic {
                Arithmetic::Hardware => (factors.map(|factor| fog::coefficient(factor).into()), 0),
                Arithmetic::Single => (factors, 8),
            };
            self.fog = self.interpolant(&setup, values, false, MAX_BYTE, shift);
            self.fog_shift = shift;
        }
        self.antialiased = state.antialiased.then(|| antialiased_line(primitive)).flatten();
    }

    /// Creates the attribute with these values at the corners, clamped to 0..=`max` after a right shift by
    /// `extra_shift`.
    fn interpolant(
        &mut self,
        setup: &InterpolationSetup<'_>,
        values: [i64; 3],
        rounded: bool,
        max: u16,
        extra_shift: u32,
    ) -> Interpolant {
        let bounds = self.bounds;
        let plane = match &setup.shape {
            _ if values == [values[0]; 3] => return Interpolant::constant(values[0], max, extra_shift),
            SetupShape::Constant => return Interpolant::constant(values[0], max, extra_shift),
            SetupShape::Line(line) => Plane::line(line, [values[0], values[1]]),
            SetupShape::EmulatedLine(line) => Plane::emulated_line(line, [values[0], values[1]]),
            SetupShape::Triangle(gradients) => {
                if let Some(ramp) = gradients.small_ramp(values, bounds.x, bounds.y) {
                    // With 16-bit values and a shift of 14, sums without overshoot use half of the 32-bit
                    // range.
                    let fit_16_bits = values.iter().all(|value| *value <= i64::from(u16::MAX));
                    let overshoot = || {
                        fit_16_bits.then(|| {
                            gradients.max_overshoot(&ramp, bounds.x, bounds.y, bounds.width, bounds.height)
                        })
                    };
                    return Interpolant::of_ramp(ramp, bounds, max, extra_shift, overshoot);
                }
                gradients.plane(values, rounded)
            }
        };
        match plane.ramp(bounds.x, bounds.y, bounds.width, bounds.height) {
            Some(ramp) => Interpolant::of_ramp(ramp, bounds, max, extra_shift, || None),
            None => {
                self.planes.push(plane);
                Interpolant::Exact(self.planes.len() - 1)
            }
        }
    }

    /// Computes the depths of a batch.
    #[inline(always)]
    pub(super) fn fill_z<S: Simd>(&self, simd: S, batch: &mut Batch) {
        let count = batch.groups();
        let Batch { x, y, z, .. } = batch;
        self.z.fill(simd, (x, y), z, count, (self.bounds, MAX_DEPTH, 0), &self.planes);
    }

    /// Computes all other attributes of a batch.
    #[inline(always)]
    pub(super) fn fill<S: Simd>(&self, simd: S, batch: &mut Batch, state: &PixelState) {
        let count = batch.groups();
        let Batch { x, y, color, secondary, fog, .. } = batch;
        for (interpolant, out) in self.color.iter().zip(&mut *color) {
            interpolant.fill(simd, (x, y), out, count, (self.bounds, MAX_BYTE, 0), &self.planes);
        }
        if let Some(line) = &self.antialiased {
            fill_coverage(line, (x, y), self.bounds, &mut color[3]);
        }
        if state.secondary {
            for (interpolant, out) in self.secondary.iter().zip(secondary) {
                interpolant.fill(simd, (x, y), out, count, (self.bounds, MAX_BYTE, 0), &self.planes);
            }
        }
        if state.fog.is_some() {
            self.fog.fill(simd, (x, y), fog, count, (self.bounds, MAX_BYTE, self.fog_shift), &self.planes);
        }
    }
}

/// Computes the alpha of an antialiased line.
#[cold]
fn fill_coverage(line: &Line, (x, y): (&[i32], &[i32]), bounds: PixelBounds, out: &mut [u16; BATCH_SIZE]) {
    for (out, (x, y)) in out.iter_mut().zip(x.iter().zip(y)) {
        let (x, y) = (bounds.x.wrapping_add_signed(*x), bounds.y.wrapping_add_signed(*y));
        *out = line.antialiased_alpha(x, y).into();
    }
}

/// Geometry shared by all attributes of a primitive.
struct InterpolationSetup<'a> {
    /// Points and rectangles repeat one vertex three times; lines repeat the second.
    corners: [&'a ScreenVertex; 3],
    shape: SetupShape,
}

enum SetupShape {
    Constant,
    Line(Line),
    EmulatedLine(OrderedLine),
    Triangle(Gradients),
}

impl<'a> InterpolationSetup<'a> {
    fn new(shape: &'a Shape, triangle: Option<&Triangle>, arithmetic: Arithmetic) -> Self {
        match (shape, triangle) {
            (Shape::Triangle([a, b, c]), Some(triangle)) => {
                Self { corners: [a, b, c], shape: SetupShape::Triangle(Gradients::new(triangle)) }
            }
            (Shape::Point([vertex]) | Shape::Rectangle([_, vertex]) | Shape::Triangle([vertex, ..]), _) => {
                Self { corners: [vertex; 3], shape: SetupShape::Constant }
            }
            (Shape::Line([a, b]), _) => {
                let shape = match arithmetic {
                    Arithmetic::Hardware => SetupShape::Line(Line::new(&[*a, *b])),
                    Arithmetic::Single => SetupShape::EmulatedLine(OrderedLine::new(&[*a, *b])),
                };
                Self { corners: [a, b, b], shape }
            }
        }
    }
}
