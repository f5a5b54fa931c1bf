//! Whole numbers out of small ones, without branches and without a library's functions, so that loops over many become
//! vector instructions.

/// Sums with it have their lowest bit at 1: 1.5 · 2^52.
const ROUNDING_CONSTANT: f64 = 6_755_399_441_055_744.0;

/// The largest whole number that is not above the value, for values within ±2^31. Others give any number.
#[inline(always)]
pub(super) fn floor(value: f64) -> i32 {
    let nearest = value + ROUNDING_CONSTANT;
    low_word(nearest).wrapping_sub(i32::from(nearest - ROUNDING_CONSTANT > value))
}

/// The whole number that is left when digits behind the point are dropped, for values within ±2^31. Others give any
/// number.
#[inline(always)]
pub(super) fn truncate(value: f64) -> i32 {
    let floor = floor(value.abs());
    if value < 0.0 { floor.wrapping_neg() } else { floor }
}

#[expect(clippy::cast_possible_truncation, reason = "the low_word half is what is asked for")]
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
        let (_, _) = (floor(f64::NAN), truncate(f64::INFINITY));
    }
}
