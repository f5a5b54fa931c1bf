//! HF16: the number format in the hardware's transform and lighting unit.
//!
//! A number has a sign, 8 exponent bits and 16 significant bits, 15 of them stored: an IEEE single whose low 8
//! mantissa bits are zero. Products are truncated towards zero. The adder aligns both operands to the larger
//! exponent and drops the bits shifted out, because it has no guard bits. A row sum cuts all its products to a
//! common last bit, adds them exactly and truncates once. Reciprocals and reciprocal square roots come from tables
//! of straight lines ([`super::chords`]).
//!
//! Source: [HF16](crate::reference::ge::numbers#hf16), [products](crate::reference::ge::numbers#products),
//! [sums](crate::reference::ge::numbers#sums), [row sums](crate::reference::ge::numbers#row-sums) (hardware tests
//! `depth/precision`, `filtering/*`, `clipping/guardband`, `triangle/triangle`, `commands/light`). The rules for
//! overflow, underflow and NaN are [chosen](crate::reference::ge::numbers#nan-and-infinity), because no test shows
//! them.

use std::ops::{Add, Mul, Neg, Sub};

use super::chords::{PACKED_RECIPROCAL, PACKED_RECIPROCAL_SQRT};
use super::real::{Arithmetic, Real};
use super::round;

mod bits;
mod row_sum;

use bits::{
    BIAS, NOT_FINITE, STORED_BITS, STORED_MASK, biased_exponent, flush_to_zero, mantissa, power_of_two,
    truncate,
};

/// A number with 16 significant bits.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Hf16(f32);

/// Masks the bits to keep from an `f64`, which holds a product of two numbers exactly.
const STORED_MASK_F64: u64 = u64::MAX << (52 - STORED_BITS);

impl Hf16 {
    /// Truncates an exact value to 16 significant bits and to the exponent's range.
    ///
    /// This has no branches, so that loops over many numbers become vector instructions.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "16 significant bits fit; larger numbers become infinity, smaller ones are flushed to zero"
    )]
    #[inline(always)]
    fn truncated(exact: f64) -> Self {
        Self(flush_to_zero(f64::from_bits(exact.to_bits() & STORED_MASK_F64) as f32))
    }

    #[inline(always)]
    const fn biased_exponent(self) -> u32 {
        biased_exponent(self.0)
    }

    /// Cuts this operand to the last bit for `exponent`, as the adder does. The exponent must be at least this
    /// number's.
    #[inline(always)]
    const fn aligned_to(self, exponent: u32) -> f32 {
        let shift = exponent - self.biased_exponent();
        // If the leading bit is shifted out, the result is zero.
        let mask = if shift > 15 { 0 } else { STORED_MASK << (shift & 31) };
        f32::from_bits(self.0.to_bits() & mask)
    }

    /// Returns `value · 2^-16 · 2^-exponent`, for a positive value up to 2^16 with 16 significant bits.
    #[expect(clippy::cast_precision_loss, reason = "16 significant bits fit")]
    #[inline(always)]
    fn scaled(value: i32, exponent: i32) -> Self {
        // No normal single holds 2^-127: this power becomes 0, and so does the result.
        Self(flush_to_zero(value as f32 * (1.0 / 65536.0) * power_of_two(-exponent)))
    }

    /// Converts lanes of numbers to singles, which hold them exactly.
    #[inline(always)]
    fn singles<const LANES: usize>(numbers: &[Self; LANES]) -> [f32; LANES] {
        let mut singles = [0.0; LANES];
        for (single, number) in singles.iter_mut().zip(numbers) {
            *single = number.0;
        }
        singles
    }

    /// Converts singles back to numbers. They must be HF16 already, because this does not truncate.
    #[inline(always)]
    fn numbers<const LANES: usize>(singles: &[f32; LANES]) -> [Self; LANES] {
        let mut numbers = [Self(0.0); LANES];
        for (number, single) in numbers.iter_mut().zip(singles) {
            *number = Self(*single);
        }
        numbers
    }

    /// Converts several vectors of numbers to singles.
    #[inline(always)]
    fn all_singles<const LANES: usize, const TERMS: usize>(
        vectors: &[[Self; LANES]; TERMS],
    ) -> [[f32; LANES]; TERMS] {
        let mut singles = [[0.0; LANES]; TERMS];
        for (singles, numbers) in singles.iter_mut().zip(vectors) {
            *singles = Self::singles(numbers);
        }
        singles
    }
}

impl Real for Hf16 {
    const ARITHMETIC: Arithmetic = Arithmetic::Hardware;
    const ZERO: Self = Self(0.0);
    const ONE: Self = Self(1.0);
    const SLACK: Self = Self::ONE;

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        // NaN stays NaN, even if only its low bits are set, which truncation would drop.
        Self(truncate(if value.is_nan() { f32::NAN } else { value }))
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self.0
    }

    #[inline(always)]
    fn reciprocal(self) -> Self {
        let biased = self.biased_exponent();
        let value = PACKED_RECIPROCAL.at(mantissa(self.0));
        let magnitude = Self::scaled(value, biased.cast_signed() - BIAS.cast_signed());
        // Zero, infinity and NaN have no mantissa for the table, so they take the IEEE quotient.
        let is_number = (biased != 0) & (biased != NOT_FINITE);
        if is_number { Self(magnitude.0.copysign(self.0)) } else { Self(1.0 / self.0) }
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        if self == Self::ZERO { self } else { self * self.reciprocal_sqrt() }
    }

    #[inline(always)]
    fn reciprocal_sqrt(self) -> Self {
        let (biased, mantissa) = (self.biased_exponent(), mantissa(self.0));
        // The bias is odd, so an even exponent field means an odd exponent.
        let value = PACKED_RECIPROCAL_SQRT.at_of(biased & 1 == 0, mantissa);
        let magnitude = Self::scaled(value, (biased.cast_signed() - BIAS.cast_signed()) >> 1);
        let is_number = (biased != 0) & (biased != NOT_FINITE) & (self.0 > 0.0);
        if is_number { magnitude } else { Self(1.0 / self.0.sqrt()) }
    }

    #[inline(always)]
    fn row_sums<const TERMS: usize, const LANES: usize>(
        a: &[[Self; LANES]; TERMS],
        b: &[[Self; LANES]; TERMS],
    ) -> [Self; LANES] {
        Self::numbers(&row_sum::row_sums(&Self::all_singles(a), &Self::all_singles(b)))
    }

    #[inline(always)]
    fn rows_times_matrix<const TERMS: usize, const COLUMNS: usize, const LANES: usize>(
        vectors: &[[Self; LANES]; TERMS],
        matrix: &[[Self; COLUMNS]; TERMS],
    ) -> [[Self; LANES]; COLUMNS] {
        let products = row_sum::rows_times_matrix(&Self::all_singles(vectors), &Self::all_singles(matrix));
        let mut numbers = [[Self(0.0); LANES]; COLUMNS];
        for (numbers, products) in numbers.iter_mut().zip(&products) {
            *numbers = Self::numbers(products);
        }
        numbers
    }

    #[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
    fn to_grid(self) -> i32 {
        (f64::from(self.0) * 16.0).floor() as i32
    }

    #[inline(always)]
    fn grid_is_within(self, end: i32) -> bool {
        // This product is exact, or infinite.
        let grid = self.0 * 16.0;
        grid >= 0.0 && grid < end as f32
    }

    #[inline(always)]
    fn to_near_grid_from(self, offset: i32) -> i32 {
        round::floor_small(self.0 * 16.0).wrapping_sub(offset)
    }
}

impl Add for Hf16 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let exponent = self.biased_exponent().max(other.biased_exponent());
        // Both are multiples of the larger number's last bit, so the sum has at most 17 bits and is exact.
        let sum = self.aligned_to(exponent) + other.aligned_to(exponent);
        Self(truncate(sum))
    }
}

impl Sub for Hf16 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Hf16 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self::truncated(f64::from(self.0) * f64::from(other.0))
    }
}

impl Neg for Hf16 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same operations on `f64`, which rounds no intermediate result.
    mod wide {
        const DROPPED: u32 = 52 - 15;

        fn truncate(exact: f64) -> f64 {
            let truncated = f64::from_bits(exact.to_bits() & (u64::MAX << DROPPED));
            let magnitude = match truncated.abs() {
                large if large >= 2.0_f64.powi(128) => f64::INFINITY,
                small if small < 2.0_f64.powi(-126) => 0.0,
                magnitude => magnitude,
            };
            magnitude.copysign(truncated)
        }

        fn aligned(number: f64, exponent: u64) -> f64 {
            let shift = u64::from(DROPPED) + (exponent - biased_exponent(number));
            f64::from_bits(number.to_bits() & if shift > 52 { 0 } else { u64::MAX << shift })
        }

        fn biased_exponent(number: f64) -> u64 {
            (number.to_bits() >> 52) & 0x7FF
        }

        pub(super) fn sum(a: f64, b: f64) -> f64 {
            let exponent = biased_exponent(a).max(biased_exponent(b));
            truncate(aligned(a, exponent) + aligned(b, exponent))
        }

        pub(super) fn product(a: f64, b: f64) -> f64 {
            truncate(a * b)
        }

        /// Every product is cut to the coarsest product's last bit.
        pub(super) fn row_sum(a: &[f64], b: &[f64]) -> f64 {
            let exponents = |a: &f64, b: &f64| biased_exponent(*a) + biased_exponent(*b);
            let products = || a.iter().zip(b).filter(|(a, b)| *a * *b != 0.0);
            let Some(coarsest) = products().map(|(a, b)| exponents(a, b)).max() else { return 0.0 };
            let last_bit = 2.0_f64.powi(i32::try_from(coarsest).expect("12 bits") - 2 * 1023 - 15);
            let cut = |(a, b): (&f64, &f64)| (a * b / last_bit).trunc();
            truncate(products().map(cut).sum::<f64>() * last_bit)
        }

        pub(super) fn number(value: f32) -> f64 {
            truncate(f64::from(value))
        }
    }

    #[test]
    fn matches_f64_model() {
        let check = |found: Hf16, expected: f64, operation: &str| {
            let found = f64::from(found.to_f32());
            assert!(
                found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan()),
                "{operation}"
            );
        };
        let mut state = 0x1234_5678_u32;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state
        };
        let special = [0, 1 << 31, 1, 0xFF, 0x007F_FFFF, 0x0080_0000, 0x7F7F_FF00, 0x7F7F_FFFF, 0x7F80_0000];
        let special = special.into_iter().chain([0x7F80_0001, 0x7FC0_0000, 0xFF80_0000, 0x3F80_0000]);
        let special: Vec<u32> = special.collect();
        for round in 0..400_000 {
            let pick = |bits: u32| match bits % 16 {
                0 => special[bits as usize / 16 % special.len()],
                _ => bits,
            };
            let a = pick(next());
            // Half of the pairs are close in magnitude.
            let b = if round % 2 == 0 { pick(next()) } else { a ^ (next() & 0x83FF_FFFF) };
            let [single_a, single_b] = [a, b].map(f32::from_bits);
            let (a, b) = (number(single_a), number(single_b));
            let (wide_a, wide_b) = (wide::number(single_a), wide::number(single_b));
            check(a, wide_a, "a number");
            check(a + b, wide::sum(wide_a, wide_b), "a sum");
            check(a - b, wide::sum(wide_a, -wide_b), "a difference");
            check(a * b, wide::product(wide_a, wide_b), "a product");
            let (c, wide_c) = (number(single_b * 0.75), wide::number(single_b * 0.75));
            if [a, b, c].iter().all(|number| number.to_f32().is_finite()) {
                check(
                    Hf16::row_sum([a, b, c], [b, c, a]),
                    wide::row_sum(&[wide_a, wide_b, wide_c], &[wide_b, wide_c, wide_a]),
                    "a row sum",
                );
            }
        }
    }

    fn number(value: f32) -> Hf16 {
        Hf16::from_f32(value)
    }

    #[test]
    fn conversion_drops_the_low_byte() {
        for bits in [0x3F80_00FF_u32, 0xC2AB_CDEF, 0x0080_01FF, 0x7F7F_FFFF] {
            let expected = f32::from_bits(bits & 0xFFFF_FF00);
            assert_eq!(number(f32::from_bits(bits)).to_f32(), expected, "{bits:#x}");
        }
    }

    #[test]
    fn products_truncate_towards_zero() {
        let a = number(f32::from_bits(0x3F80_0100));
        let product = (a * a).to_f32();
        assert_eq!(product.to_bits(), 0x3F80_0200, "(1 + 2^-15)^2 loses its 2^-30");
        assert_eq!((-a * a).to_f32(), -product, "negative products truncate towards zero too");
    }

    /// The usual [centre](crate::reference::ge::transform#viewport) of 2048 leaves multiples of 1/16.
    #[test]
    fn the_adder_has_no_guard_bits() {
        let screen = number(2048.0) + number(-237.996);
        assert_eq!(screen.to_f32(), 1810.0625, "shifted-out bits are dropped before the subtraction");
        assert_eq!(screen.to_grid(), 28961, "in 1/16 pixel");
    }

    #[test]
    fn small_operands_are_shifted_out() {
        assert_eq!((number(65536.0) + number(0.9)).to_f32(), 65536.0, "shifted out completely");
        assert_eq!((number(1.0) + number(-1.0)).to_f32(), 0.0, "exact difference");
        assert_eq!((number(0.0) + number(3.25)).to_f32(), 3.25, "zero has no exponent to align to");
    }

    /// A vertex with three viewport centres: [depth examples](crate::reference::ge::transform#depth-examples)
    /// (hardware test `depth/precision`).
    #[test]
    fn reproduces_depth_precision_example() {
        let z = number(f32::from(0x6DCC_u16) / 32768.0);
        let scaled = number(-32767.5) * z;
        for (center, expected) in [(32767.0, 4659), (32767.5, 4660), (32768.0, 4661)] {
            assert_eq!((scaled + number(center)).to_grid() >> 4, expected, "centre {center}");
        }
    }

    #[test]
    fn overflows_to_infinity_and_underflows_to_zero() {
        assert_eq!((number(1e30) * number(1e30)).to_f32(), f32::INFINITY, "too large");
        assert_eq!((number(1e-30) * number(1e-30)).to_f32(), 0.0, "too small");
        assert_eq!(number(0.0).reciprocal().to_f32(), f32::INFINITY, "1 / 0");
        assert!(number(f32::NAN).is_nan(), "NaN stays");
        assert_eq!(number(f32::INFINITY).reciprocal().to_f32(), 0.0, "1 / infinity");
        assert_eq!(number(2.0_f32.powi(127)).reciprocal().to_f32(), 0.0, "a denormal result");
    }

    /// [Row sums](crate::reference::ge::numbers#row-sums).
    #[test]
    fn row_sums_cut_all_terms_alike() {
        let sum = |terms: [f32; 3]| Hf16::row_sum(terms.map(number), [Hf16::ONE; 3]).to_f32();
        let tiny = 2.0_f32.powi(-16);
        assert_eq!(sum([1.0, tiny, tiny]), 1.0, "both are shifted out");
        assert_eq!(sum([tiny, tiny, 1.0]), 1.0, "in any order");
        assert_eq!(sum([1.0, -tiny, 0.0]), 1.0, "negative terms are cut towards zero");
        assert_eq!(sum([0.0, tiny, tiny]), 2.0 * tiny, "zero has no last bit");
    }

    /// Lanes have the results of single rows, even if some lanes are infinite or NaN.
    #[test]
    fn lanes_have_the_sums_of_single_rows() {
        let mut seed = 5_u32;
        let mut random = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            match seed >> 8 & 31 {
                0 => Hf16::ZERO,
                1 => number(f32::INFINITY),
                2 => number(f32::NAN),
                _ => number(f32::from_bits(seed & 0x8FFF_FFFF | 0x3000_0000)),
            }
        };
        let same = |found: Hf16, expected: Hf16| {
            let [found, expected] = [found, expected].map(Hf16::to_f32);
            assert!(found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan(), "a sum");
        };
        for _ in 0..2000 {
            let vectors: [[Hf16; 8]; 3] = [(); 3].map(|()| [(); 8].map(|()| random()));
            let others: [[Hf16; 8]; 3] = [(); 3].map(|()| [(); 8].map(|()| random()));
            let matrix: [[Hf16; 2]; 3] = [(); 3].map(|()| [(); 2].map(|()| random()));
            let sums = Hf16::row_sums(&vectors, &others);
            let products = Hf16::rows_times_matrix(&vectors, &matrix);
            for lane in 0..8 {
                let vector = vectors.map(|numbers| numbers[lane]);
                same(sums[lane], Hf16::row_sum(vector, others.map(|numbers| numbers[lane])));
                for (column, products) in products.iter().enumerate() {
                    same(products[lane], Hf16::row_sum(vector, matrix.map(|row| row[column])));
                }
            }
        }
    }

    #[test]
    fn row_sums_of_infinite_and_tiny_terms() {
        let sum = |a: [f32; 3], b: [f32; 3]| Hf16::row_sum(a.map(number), b.map(number)).to_f32();
        let infinity = f32::INFINITY;
        assert_eq!(sum([infinity, 1.0, 1e30], [1.0, 1.0, -1e30]), infinity, "infinite");
        assert!(sum([infinity, infinity, 0.0], [1.0, -1.0, 0.0]).is_nan(), "infinity minus infinity");
        assert!(sum([infinity, 1.0, 0.0], [0.0, 1.0, 0.0]).is_nan(), "infinity times zero");
        assert_eq!(sum([1e30, 0.0, 0.0], [-1e30, 0.0, 0.0]), -infinity, "too large");
        assert_eq!(sum([1e-30, 0.0, 0.0], [1e-30, 0.0, 0.0]), 0.0, "too small");
        let smallest = f32::MIN_POSITIVE;
        assert_eq!(sum([smallest, smallest, 0.0], [0.5, 0.5, 0.0]), smallest, "terms below it count");
    }

    #[test]
    fn reciprocal_is_a_table() {
        for (value, expected) in
            [(1.0, 1.0), (-4.0, -0.25), (1.5, 43690.0 / 65536.0), (3.0, 43690.0 / 131_072.0)]
        {
            assert_eq!(number(value).reciprocal().to_f32(), expected, "1 / {value}");
        }
    }

    /// [Reciprocal square root](crate::reference::ge::numbers#reciprocal-square-root).
    #[test]
    fn reciprocal_square_root_is_a_table() {
        for (value, expected) in [(1.0, 1.0), (4.0, 0.5), (0.25, 2.0), (2.0, 46340.0 / 65536.0)] {
            assert_eq!(number(value).reciprocal_sqrt().to_f32(), expected, "1 / √{value}");
        }
        assert_eq!(number(2.0).sqrt().to_f32(), 2.0 * 46340.0 / 65536.0, "a length is 2 · 1 / √2");
        assert_eq!(number(0.0).sqrt().to_f32(), 0.0, "no length");
        assert!(number(-1.0).reciprocal_sqrt().is_nan(), "of a negative number");
    }
}
