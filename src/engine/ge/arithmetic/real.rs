//! The number trait for geometry stages, to run them in the hardware's arithmetic or in IEEE single.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

use super::round;

/// Chooses the arithmetic to draw with: the hardware's, or the single precision that emulators use.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::Arithmetic;
///
/// assert_eq!(Arithmetic::default(), Arithmetic::Hardware);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// The hardware's arithmetic: 16 significant bits in the transform unit, samples at pixel centres, floored
    /// gradients.
    #[default]
    Hardware,
    /// As in emulators, to compare with them: IEEE singles and true powers in the transform unit, triangles sampled
    /// at 7/16 of a pixel, colours rounded, triangles that form a rectangle drawn as a single rectangle. This is
    /// smoother for pictures larger than the machine's screen. Source: [single
    /// arithmetic](crate::reference::ge::evidence#single-arithmetic).
    Single,
}

/// A number in the transform unit.
#[doc(hidden)]
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
    /// The arithmetic that these numbers belong to, to choose rules in later stages.
    const ARITHMETIC: Arithmetic;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// How far outside the view volume a vertex may be and still count as inside, as a factor of w. Programs put
    /// vertices exactly on a plane: hardware numbers hit it, but singles can miss it by a few bits. Source:
    /// [sides](crate::reference::ge::clipping#sides).
    const SLACK: Self;

    /// Converts an IEEE single, truncating towards zero if it has too many bits.
    fn from_f32(value: f32) -> Self;
    /// Converts this number to an IEEE single, exactly.
    fn to_f32(self) -> f32;
    /// Returns 1 divided by this number.
    fn reciprocal(self) -> Self;
    /// Returns the square root; NaN for negative numbers.
    fn sqrt(self) -> Self;
    /// Returns 1 divided by the square root; NaN for negative numbers.
    fn reciprocal_sqrt(self) -> Self;
    /// Adds the products `a[term] · b[term]` as the transform unit does for matrix rows and dot products: cut once,
    /// whatever the order. In single arithmetic, products are added from first to last. Source: [row
    /// sums](crate::reference::ge::numbers#row-sums).
    #[inline(always)]
    fn row_sum<const TERMS: usize>(a: [Self; TERMS], b: [Self; TERMS]) -> Self {
        let [sum] = Self::row_sums(&a.map(|number| [number]), &b.map(|number| [number]));
        sum
    }
    /// Computes a [`Self::row_sum`] in each lane, to process several vertices at once.
    fn row_sums<const TERMS: usize, const LANES: usize>(
        a: &[[Self; LANES]; TERMS],
        b: &[[Self; LANES]; TERMS],
    ) -> [Self; LANES];
    /// Multiplies row vectors, a vector in each lane, by a matrix. Each element in a product is a [`Self::row_sum`].
    fn rows_times_matrix<const TERMS: usize, const COLUMNS: usize, const LANES: usize>(
        vectors: &[[Self; LANES]; TERMS],
        matrix: &[[Self; COLUMNS]; TERMS],
    ) -> [[Self; LANES]; COLUMNS];
    /// Converts this number to 1/16 for the raster grid, rounding down. Saturates; NaN gives 0. Source: [raster
    /// grid](crate::reference::ge::transform#raster-grid).
    fn to_grid(self) -> i32;

    /// Converts this number to 1/16 and subtracts `offset`, also in 1/16, to move from screen space to the
    /// framebuffer.
    fn to_grid_from(self, offset: i32) -> i32 {
        self.to_grid().saturating_sub(offset)
    }

    /// Returns whether [`Self::to_grid`] is in `0..end`; false for NaN.
    fn grid_is_within(self, end: i32) -> bool;

    /// Computes [`Self::to_grid_from`] without branches, so that loops over many numbers become vector instructions.
    /// [`Self::to_grid`] must be in 0 to 2^16; other numbers give an unspecified result.
    fn to_near_grid_from(self, offset: i32) -> i32;

    /// Returns whether this number is NaN.
    fn is_nan(self) -> bool {
        self.to_f32().is_nan()
    }
}

impl Real for f32 {
    const ARITHMETIC: Arithmetic = Arithmetic::Single;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    // A step in the hardware's numbers, as in PPSSPP. The hardware has no slack: reference/ge/clipping.md#sides.
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

    #[inline(always)]
    fn reciprocal_sqrt(self) -> Self {
        1.0 / Self::sqrt(self)
    }

    #[inline(always)]
    fn row_sums<const TERMS: usize, const LANES: usize>(
        a: &[[Self; LANES]; TERMS],
        b: &[[Self; LANES]; TERMS],
    ) -> [Self; LANES] {
        let mut sums = [0.0; LANES];
        for (lane, sum) in sums.iter_mut().enumerate() {
            *sum = a[0][lane] * b[0][lane];
            for term in 1..TERMS {
                *sum += a[term][lane] * b[term][lane];
            }
        }
        sums
    }

    #[inline(always)]
    fn rows_times_matrix<const TERMS: usize, const COLUMNS: usize, const LANES: usize>(
        vectors: &[[Self; LANES]; TERMS],
        matrix: &[[Self; COLUMNS]; TERMS],
    ) -> [[Self; LANES]; COLUMNS] {
        let mut products = [[0.0; LANES]; COLUMNS];
        for (column, products) in products.iter_mut().enumerate() {
            let mut elements = [[0.0; LANES]; TERMS];
            for (elements, row) in elements.iter_mut().zip(matrix) {
                *elements = [row[column]; LANES];
            }
            *products = Self::row_sums(vectors, &elements);
        }
        products
    }

    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
    fn to_grid(self) -> i32 {
        // Singles end up just below multiples of 1/16 that the hardware's numbers hit. PPSSPP adds this term to
        // compensate: reference/ge/transform.md#raster-grid.
        (self * 16.0 + 0.375).floor() as i32
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        reason = "the conversion saturates; offsets have 16 bits"
    )]
    fn to_grid_from(self, offset: i32) -> i32 {
        // Emulators truncate towards the drawing's origin, not towards the screen space origin, so this subtracts
        // first.
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
