//! Adds rows of HF16 products, several rows at once, for matrix products and lighting.
//!
//! All products in a row are cut to the coarsest product's last bit, added exactly, and truncated once. Source: [row
//! sums](crate::reference::ge::numbers#row-sums).

use super::bits::{
    BIAS, NOT_FINITE, SIGN, STORED_BITS, STORED_MASK, biased_exponent, flush_to_zero, mantissa, power_of_two,
};

/// The exponent for zero: small enough to keep products with zero from being the coarsest, or from having bits left
/// after the cut.
const EXPONENT_OF_ZERO: i32 = -1024;

/// A factor in each lane, split into parts.
#[derive(Clone, Copy)]
struct Factors<const LANES: usize> {
    /// 2^15 to 2^16 − 1; unspecified for zero.
    significands: [u32; LANES],
    /// Biased exponents; [`EXPONENT_OF_ZERO`] for zero.
    exponents: [i32; LANES],
    /// Sign bits alone.
    signs: [u32; LANES],
}

impl<const LANES: usize> Factors<LANES> {
    #[inline(always)]
    fn new(numbers: &[f32; LANES]) -> Self {
        let (mut significands, mut exponents, mut signs) = ([0; LANES], [0; LANES], [0; LANES]);
        for lane in 0..LANES {
            significands[lane] = mantissa(numbers[lane]) | 1 << STORED_BITS;
            let exponent = biased_exponent(numbers[lane]).cast_signed();
            exponents[lane] = if exponent == 0 { EXPONENT_OF_ZERO } else { exponent };
            signs[lane] = numbers[lane].to_bits() & SIGN;
        }
        Self { significands, exponents, signs }
    }

    /// Copies a lane's factor to all `COPIES` lanes, to multiply each by the same matrix element.
    #[inline(always)]
    fn splat<const COPIES: usize>(&self, lane: usize) -> Factors<COPIES> {
        Factors {
            significands: [self.significands[lane]; COPIES],
            exponents: [self.exponents[lane]; COPIES],
            signs: [self.signs[lane]; COPIES],
        }
    }
}

/// Tests whether any number is infinite or NaN, without a branch for each.
#[inline(always)]
fn any_not_finite<const LANES: usize, const TERMS: usize>(numbers: &[[f32; LANES]; TERMS]) -> bool {
    let mut largest = [0; LANES];
    for numbers in numbers {
        for (largest, number) in largest.iter_mut().zip(numbers) {
            *largest = biased_exponent(*number).max(*largest);
        }
    }
    largest.into_iter().fold(false, |any, exponent| any | (exponent == NOT_FINITE))
}

/// Sums all products `a[term] · b[term]` in each lane.
#[inline(always)]
pub(super) fn row_sums<const TERMS: usize, const LANES: usize>(
    a: &[[f32; LANES]; TERMS],
    b: &[[f32; LANES]; TERMS],
) -> [f32; LANES] {
    let mut factors = [[Factors::new(&[0.0; LANES]); 2]; TERMS];
    for (factors, (a, b)) in factors.iter_mut().zip(a.iter().zip(b)) {
        *factors = [Factors::new(a), Factors::new(b)];
    }
    let sums = finite_row_sums(&factors);
    if any_not_finite(a) | any_not_finite(b) { with_not_finite(sums, *a, *b) } else { sums }
}

/// Multiplies row vectors, a vector in each lane, by a matrix.
#[inline(always)]
pub(super) fn rows_times_matrix<const TERMS: usize, const COLUMNS: usize, const LANES: usize>(
    vectors: &[[f32; LANES]; TERMS],
    matrix: &[[f32; COLUMNS]; TERMS],
) -> [[f32; LANES]; COLUMNS] {
    let mut vector_factors = [Factors::new(&[0.0; LANES]); TERMS];
    let mut matrix_factors = [Factors::new(&[0.0; COLUMNS]); TERMS];
    for term in 0..TERMS {
        vector_factors[term] = Factors::new(&vectors[term]);
        matrix_factors[term] = Factors::new(&matrix[term]);
    }
    let mut products = [[0.0; LANES]; COLUMNS];
    for (column, products) in products.iter_mut().enumerate() {
        let mut factors = [[Factors::new(&[0.0; LANES]); 2]; TERMS];
        for term in 0..TERMS {
            factors[term] = [vector_factors[term], matrix_factors[term].splat(column)];
        }
        *products = finite_row_sums(&factors);
    }
    if any_not_finite(vectors) | any_not_finite(matrix) {
        for (column, products) in products.iter_mut().enumerate() {
            *products = with_not_finite(*products, *vectors, matrix.map(|row| [row[column]; LANES]));
        }
    }
    products
}

/// Sums up products, for finite factors only.
#[inline(always)]
fn finite_row_sums<const TERMS: usize, const LANES: usize>(
    factors: &[[Factors<LANES>; 2]; TERMS],
) -> [f32; LANES] {
    // The larger the factors' exponents, the coarser the product's last bit.
    let mut coarsest = [0; LANES];
    let mut exponents = [[0; LANES]; TERMS];
    for (exponents, [a, b]) in exponents.iter_mut().zip(factors) {
        for lane in 0..LANES {
            exponents[lane] = a.exponents[lane] + b.exponents[lane];
            coarsest[lane] = exponents[lane].max(coarsest[lane]);
        }
    }
    let mut sums = [0.0; LANES];
    for (exponents, [a, b]) in exponents.iter().zip(factors) {
        for lane in 0..LANES {
            // A product has 16 or 17 bits, and no more after the cut, so `f32` adds products exactly.
            let product = (a.significands[lane] * b.significands[lane]) >> STORED_BITS;
            let shift = (coarsest[lane] - exponents[lane]).min(31);
            let cut = single((product >> shift).cast_signed());
            sums[lane] += f32::from_bits(cut.to_bits() ^ a.signs[lane] ^ b.signs[lane]);
        }
    }
    for lane in 0..LANES {
        let last_bit = coarsest[lane] - 2 * BIAS.cast_signed() - STORED_BITS.cast_signed();
        sums[lane] = scaled(sums[lane], last_bit);
    }
    sums
}

#[expect(clippy::cast_precision_loss, reason = "17 bits fit")]
#[inline(always)]
const fn single(integer: i32) -> f32 {
    integer as f32
}

/// Returns `sum · 2^last_bit`, truncated to HF16.
#[inline(always)]
fn scaled(sum: f32, last_bit: i32) -> f32 {
    let truncated = f32::from_bits(sum.to_bits() & STORED_MASK);
    // Multiply twice, because a single factor cannot reach from the smallest number to the largest. Beyond these
    // limits the result is infinite or flushed to zero anyway.
    let last_bit = last_bit.clamp(-252, 200);
    let half = last_bit >> 1;
    flush_to_zero(truncated * power_of_two(half) * power_of_two(last_bit - half))
}

/// Corrects sums that have infinite or undefined terms, by adding these terms alone. Takes arrays by value, because
/// references would keep the caller's arrays out of vector registers.
#[cold]
#[inline(never)]
fn with_not_finite<const TERMS: usize, const LANES: usize>(
    mut sums: [f32; LANES],
    a: [[f32; LANES]; TERMS],
    b: [[f32; LANES]; TERMS],
) -> [f32; LANES] {
    for (lane, sum) in sums.iter_mut().enumerate() {
        let is_finite = |a: &[f32; LANES]| biased_exponent(a[lane]) != NOT_FINITE;
        let terms = || a.iter().zip(&b).filter(|(a, b)| !is_finite(a) || !is_finite(b));
        if terms().next().is_some() {
            *sum = terms().fold(0.0, |sum, (a, b)| sum + a[lane] * b[lane]);
        }
    }
    sums
}
