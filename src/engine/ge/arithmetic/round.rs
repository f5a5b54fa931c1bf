//! Rounds to integers and makes powers of two, without branches and library calls, so that loops over many numbers
//! become vector instructions.

/// Returns `2^exponent`, for exponents within ±1022.
#[inline(always)]
pub(crate) const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent).cast_unsigned() as u64) << 52)
}

/// 1.5 · 2^52. Adding this rounds small numbers to integers, because the sum's lowest bit counts 1. The extra half
/// keeps sums with negative numbers in the same range.
const ROUNDING_CONSTANT: f64 = 6_755_399_441_055_744.0;

/// Rounds down to an integer, for values within ±2^31. Other values give an unspecified integer.
#[inline(always)]
pub(super) fn floor(value: f64) -> i32 {
    let nearest = value + ROUNDING_CONSTANT;
    // The sum rounds to nearest, which may be 1 too high.
    low_word(nearest).wrapping_sub(i32::from(nearest - ROUNDING_CONSTANT > value))
}

/// Works as [`floor`] in single precision, for values in 0 to 2^22.
#[inline(always)]
pub(super) const fn floor_small(value: f32) -> i32 {
    /// 2^23. A sum with this has its lowest bit at 1.
    const ROUNDING_CONSTANT: f32 = 8_388_608.0;
    let nearest = value + ROUNDING_CONSTANT;
    let integer = nearest.to_bits().wrapping_sub(ROUNDING_CONSTANT.to_bits()).cast_signed();
    integer.wrapping_sub((nearest - ROUNDING_CONSTANT > value) as i32)
}

/// Truncates towards zero, for values within ±2^31. Other values give an unspecified integer.
#[inline(always)]
pub(super) fn truncate(value: f64) -> i32 {
    let floor = floor(value.abs());
    if value < 0.0 { floor.wrapping_neg() } else { floor }
}

#[expect(clippy::cast_possible_truncation, reason = "only the low half is wanted")]
#[inline(always)]
const fn low_word(value: f64) -> i32 {
    value.to_bits() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_std_floor_and_trunc() {
        let small = (-70_000..70_000).map(|n| f64::from(n) / 16.0);
        let large = [
            0.0,
            -0.0,
            0.1,
            -0.1,
            0.5,
            1.5,
            -2.5,
            65_535.999,
            -65_535.999,
            2_147_483_647.0,
            -2_147_483_648.0,
        ];
        for value in small.chain(large) {
            assert_eq!(f64::from(floor(value)), value.floor() + 0.0, "floor of {value}");
            assert_eq!(f64::from(truncate(value)), value.trunc() + 0.0, "{value}, truncated");
        }
        for value in (0..1 << 20).map(|n| n as f32 / 16.0) {
            assert_eq!(floor_small(value) as f32, value.floor(), "floor of {value}");
        }
        let (_, _) = (floor(f64::NAN), truncate(f64::INFINITY));
    }
}
