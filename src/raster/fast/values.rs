//! Interpolated values over batches: [`crate::raster::interpolate`] by lanes.
#![expect(clippy::cast_possible_truncation, reason = "sums that fit are told from those that do not")]

use fearless_simd::{i32x8, u32x8};

use super::batch::{Batch, LANES, SIZE, groups, groups_mut};
use super::state::State;
use super::words::Words;
use crate::arithmetic::Arithmetic;
use crate::arithmetic::simd::prelude::*;
use crate::primitive::{ScreenPrimitive, ScreenVertex, Shape};
use crate::raster::coverage::Triangle;
use crate::raster::fog;
use crate::raster::interpolate::{Plane, Ramp, Slopes};
use crate::registers::transform::ShadeMode;

/// The pixels that a primitive may cover: column and row of the upper left, width and height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// How one value runs over a primitive.
#[derive(Clone, Debug)]
enum Course {
    Constant(u16),
    /// All sums fit 32 bits.
    Narrow {
        start: i32,
        right: i32,
        down: i32,
        shift: u32,
    },
    /// All sums fit 64 bits.
    Wide(Ramp),
    /// Pixel by pixel; hardly ever needed.
    Exact(Box<Plane>),
}

/// What a primitive interpolates besides texture coordinates.
#[derive(Clone, Debug)]
pub(super) struct Values {
    z: Course,
    color: [Course; 4],
    secondary: [Course; 3],
    fog: Course,
    bounds: Bounds,
}

/// Largest values.
const BYTE: u16 = 255;
const DEPTH: u16 = u16::MAX;

impl Course {
    /// The same value everywhere.
    fn constant(value: i64, most: u16, divided: u32) -> Self {
        Self::Constant((value >> divided).clamp(0, i64::from(most)) as u16)
    }

    /// The course of a ramp's values from 0 to `most`, divided by a power of two.
    /// `drift` is how far sums at covered pixels may lie outside of what the values at the vertices give, if that is
    /// known.
    fn of_ramp(ramp: Ramp, bounds: Bounds, most: u16, divided: u32, drift: Option<u64>) -> Self {
        let Ramp { start, right, down, shift } = ramp;
        let shift = shift + divided;
        if (right, down) == (0, 0) {
            return Self::constant(start, most, shift);
        }
        // The sums at the corners bound all others.
        let (across, along) = (right * i64::from(bounds.width), down * i64::from(bounds.height));
        let least = start + across.min(0) + along.min(0);
        let largest = start + across.max(0) + along.max(0);
        let fits = |sum: i64| i32::try_from(sum).is_ok();
        // Sums that wrap on the way do no harm where the last one fits.
        let covered_fit = || drift.is_some_and(|drift| drift < u64::from(i32::MAX.unsigned_abs()) / 2);
        if (fits(least) && fits(largest) && fits(right) && fits(down)) || covered_fit() {
            Self::Narrow { start: start as i32, right: right as i32, down: down as i32, shift }
        } else {
            Self::Wide(ramp)
        }
    }

    /// Writes the values at the fragments of a batch.
    #[inline(always)]
    fn fill<S: Simd>(
        &self,
        simd: S,
        (x, y): (&[i32], &[i32]),
        out: &mut [u16; SIZE],
        count: usize,
        (bounds, most, divided): (Bounds, u16, u32),
    ) {
        let out = groups_mut(out, count);
        match *self {
            Self::Constant(value) => {
                let value = Words::splat(simd, value);
                for out in out {
                    value.store_array(out);
                }
            }
            Self::Narrow { start, right, down, shift } => {
                let sums = Sums {
                    start: i32x8::splat(simd, start),
                    right: i32x8::splat(simd, right),
                    down: i32x8::splat(simd, down),
                    shift,
                    most: i32x8::splat(simd, i32::from(most)),
                };
                for (out, (x, y)) in out.iter_mut().zip(groups(x, count).iter().zip(groups(y, count))) {
                    let ((x, _), (y, _)) = (x.as_chunks::<8>(), y.as_chunks::<8>());
                    let (first, second) = (sums.at(&x[0], &y[0]), sums.at(&x[1], &y[1]));
                    simd.relaxed_narrow_u32x8(first, second).store_array(out);
                }
            }
            Self::Wide(ramp) => fill_wide(ramp, (x, y), out, most, divided),
            Self::Exact(ref plane) => fill_exact(plane, (x, y), out, bounds, most, divided),
        }
    }
}

/// A course whose sums fit 32 bits, eight fragments at a time.
struct Sums<S: Simd> {
    start: i32x8<S>,
    right: i32x8<S>,
    down: i32x8<S>,
    shift: u32,
    most: i32x8<S>,
}

impl<S: Simd> Sums<S> {
    #[inline(always)]
    fn at(&self, x: &[i32; 8], y: &[i32; 8]) -> u32x8<S> {
        let simd = self.start.token();
        let across = i32x8::simd_from(simd, *x) * self.right;
        let sum = across + i32x8::simd_from(simd, *y) * self.down + self.start;
        (sum >> self.shift).max(0_i32).min(self.most).bitcast()
    }
}

/// Values whose sums need 64 bits.
#[cold]
fn fill_wide(
    Ramp { start, right, down, shift }: Ramp,
    (x, y): (&[i32], &[i32]),
    out: &mut [[u16; LANES]],
    most: u16,
    divided: u32,
) {
    let shift = shift + divided;
    // The shift comes behind the limit, where 32 bits do.
    let limit = ((i64::from(most) + 1) << shift) - 1;
    for (out, (x, y)) in out.as_flattened_mut().iter_mut().zip(x.iter().zip(y)) {
        let across = right.wrapping_mul(i64::from(*x));
        let sum = start.wrapping_add(across).wrapping_add(down.wrapping_mul(i64::from(*y)));
        *out = (sum.clamp(0, limit) as u64 >> shift) as u16;
    }
}

/// Values whose sums need more.
#[cold]
fn fill_exact(
    plane: &Plane,
    (x, y): (&[i32], &[i32]),
    out: &mut [[u16; LANES]],
    bounds: Bounds,
    most: u16,
    divided: u32,
) {
    for (out, (x, y)) in out.as_flattened_mut().iter_mut().zip(x.iter().zip(y)) {
        let (x, y) = (bounds.x.wrapping_add_signed(*x), bounds.y.wrapping_add_signed(*y));
        let most = (i64::from(most) + 1) << divided;
        *out = (plane.at(x, y, 0, most - 1) >> divided) as u16;
    }
}

impl Values {
    pub(super) fn new(
        primitive: &ScreenPrimitive,
        triangle: Option<&Triangle>,
        bounds: Bounds,
        state: &State,
    ) -> Self {
        let between = Between::new(&primitive.shape, triangle);
        let flat = primitive.shade == ShadeMode::FLAT || state.clear.is_some();
        let rounded = primitive.arithmetic == Arithmetic::Single;
        let flat_vertex = flat.then(|| primitive.flat_vertex());
        let byte = |value: &dyn Fn(&ScreenVertex) -> u8| match &flat_vertex {
            Some(vertex) => Course::Constant(u16::from(value(vertex))),
            None => between.course(|vertex| i64::from(value(vertex)), rounded, bounds, BYTE, 0),
        };
        let nothing = || Course::Constant(0);
        Self {
            z: if state.uses_z() {
                between.course(|vertex| i64::from(vertex.z), false, bounds, DEPTH, 0)
            } else {
                nothing()
            },
            color: if state.uses_color() {
                [0, 1, 2, 3].map(|i| byte(&|vertex| vertex.color[i]))
            } else {
                [nothing(), nothing(), nothing(), nothing()]
            },
            secondary: if state.secondary {
                [0, 1, 2].map(|i| byte(&|vertex| vertex.secondary[i]))
            } else {
                [nothing(), nothing(), nothing()]
            },
            fog: if state.fog.is_some() {
                between.course(|vertex| fog::fixed(vertex.fog), false, bounds, BYTE, 8)
            } else {
                nothing()
            },
            bounds,
        }
    }

    /// Depths of the batch's fragments.
    #[inline(always)]
    pub(super) fn fill_z<S: Simd>(&self, simd: S, batch: &mut Batch) {
        let count = batch.groups();
        let Batch { x, y, z, .. } = batch;
        self.z.fill(simd, (x, y), z, count, (self.bounds, DEPTH, 0));
    }

    /// Everything else.
    #[inline(always)]
    pub(super) fn fill<S: Simd>(&self, simd: S, batch: &mut Batch, state: &State) {
        let count = batch.groups();
        let Batch { x, y, color, secondary, fog, .. } = batch;
        for (course, out) in self.color.iter().zip(color) {
            course.fill(simd, (x, y), out, count, (self.bounds, BYTE, 0));
        }
        if state.secondary {
            for (course, out) in self.secondary.iter().zip(secondary) {
                course.fill(simd, (x, y), out, count, (self.bounds, BYTE, 0));
            }
        }
        if state.fog.is_some() {
            self.fog.fill(simd, (x, y), fog, count, (self.bounds, BYTE, 8));
        }
    }
}

/// How values run between the vertices of a shape.
enum Between<'a> {
    One(&'a ScreenVertex),
    Line(&'a [ScreenVertex; 2], crate::raster::coverage::Line),
    Triangle(&'a [ScreenVertex; 3], Slopes),
}

impl<'a> Between<'a> {
    fn new(shape: &'a Shape, triangle: Option<&Triangle>) -> Self {
        match (shape, triangle) {
            (Shape::Triangle(vertices), Some(triangle)) => Self::Triangle(vertices, Slopes::new(triangle)),
            (Shape::Point([vertex]) | Shape::Rectangle([_, vertex]) | Shape::Triangle([vertex, ..]), _) => {
                Self::One(vertex)
            }
            (Shape::Line(vertices), _) => Self::Line(vertices, crate::raster::coverage::Line::new(vertices)),
        }
    }

    /// The course of a value from 0 to `most`, divided by a power of two.
    fn course(
        &self,
        value: impl Fn(&ScreenVertex) -> i64,
        rounded: bool,
        bounds: Bounds,
        most: u16,
        divided: u32,
    ) -> Course {
        let plane = match self {
            Self::One(vertex) => return Course::constant(value(vertex), most, divided),
            Self::Line(vertices, line) => Plane::line(line, [value(&vertices[0]), value(&vertices[1])]),
            Self::Triangle([a, b, c], slopes) => {
                let values = [value(a), value(b), value(c)];
                if values == [values[0]; 3] {
                    return Course::constant(values[0], most, divided);
                }
                if let Some(ramp) = slopes.small_ramp(values, bounds.x, bounds.y) {
                    // With 16 bits, and the shift of 14, values take half of what a sum may.
                    let half = values.iter().all(|value| *value <= i64::from(u16::MAX));
                    let drift =
                        half.then(|| slopes.drift(&ramp, bounds.x, bounds.y, bounds.width, bounds.height));
                    return Course::of_ramp(ramp, bounds, most, divided, drift);
                }
                slopes.plane(values, rounded)
            }
        };
        match plane.ramp(bounds.x, bounds.y, bounds.width, bounds.height) {
            Some(ramp) => Course::of_ramp(ramp, bounds, most, divided, None),
            None => Course::Exact(Box::new(plane)),
        }
    }
}
