//! Numbers of the transform unit, as the geometry stages use them.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

use super::round;

/// Whose arithmetic draws: that of the hardware, or that of emulators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// The hardware's: 16 significant bits in the transform unit, samples at pixel centres, floored gradients.
    #[default]
    Hardware,
    /// As emulators compute, to compare with them: IEEE single and true powers in the transform unit, triangles sampled
    /// at 7/16 of a pixel, colours rounded, triangles that form a rectangle drawn as one. Smoother where a picture is
    /// larger than the machine's screen. Source: `ge-reference.md` §14.
    Single,
}

/// A number of the transform unit.
pub trait Real:
    Copy
    + Debug
    + Default
    + PartialEq
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// Whose arithmetic it is.
    const ARITHMETIC: Arithmetic;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// How far outside the near or far plane a vertex may lie and still count as inside, as a factor of w. The
    /// hardware's numbers hit the plane that programs put vertices on; singles may miss it by a few bits.
    const SLACK: Self;

    /// The number nearest to zero's side of an IEEE single.
    fn from_f32(value: f32) -> Self;
    /// The number as an IEEE single, exactly.
    fn to_f32(self) -> f32;
    /// 1 divided by the number.
    fn reciprocal(self) -> Self;
    /// The square root; NaN for negative numbers.
    fn sqrt(self) -> Self;
    /// The number in 1/16, as the raster grid takes it. Saturates; NaN gives 0. Source: `ge-reference.md` §5.2.
    fn to_grid(self) -> i32;

    /// The same after `offset`, in 1/16, was subtracted.
    fn to_grid_from(self, offset: i32) -> i32 {
        self.to_grid().saturating_sub(offset)
    }

    /// Whether [`Self::to_grid`] lies within `0..end`. NaN does not.
    fn grid_is_within(self, end: i32) -> bool;

    /// [`Self::to_grid_from`] without branches, for numbers whose [`Self::to_grid`] lies within 0 to 2^16. Others give
    /// any number.
    fn to_near_grid_from(self, offset: i32) -> i32;

    /// Whether the number is NaN.
    fn is_nan(self) -> bool {
        self.to_f32().is_nan()
    }
}

impl Real for f32 {
    const ARITHMETIC: Arithmetic = Arithmetic::Single;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    // One step of the hardware's numbers, as PPSSPP has it (`ge-reference.md` §5.4).
    const SLACK: Self = 1.0 + 1.0 / 32768.0;

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self
    }

    #[inline(always)]
    fn reciprocal(self) -> Self {
        1.0 / self
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
    fn to_grid(self) -> i32 {
        // Singles land just below the multiples of 1/16 that the hardware's numbers hit; the addend makes up
        // for it (`ge-reference.md` §5.2).
        (self * 16.0 + 0.375).floor() as i32
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "the conversion saturates; offsets have 16 bits"
    )]
    fn to_grid_from(self, offset: i32) -> i32 {
        // Emulators cut towards the origin of the drawing, not of the screen space.
        (self * 16.0 + 0.375 - offset as Self) as i32
    }

    #[inline(always)]
    fn grid_is_within(self, end: i32) -> bool {
        let grid = f64::from(self * 16.0 + 0.375);
        grid >= 0.0 && grid < f64::from(end)
    }

    #[expect(clippy::cast_precision_loss, reason = "offsets have 16 bits")]
    #[inline(always)]
    fn to_near_grid_from(self, offset: i32) -> i32 {
        round::truncate(f64::from(self * 16.0 + 0.375 - offset as Self))
    }
}
