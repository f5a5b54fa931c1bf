//! This reciprocal serves to set up planes and lines.
//! Source: [setup reciprocal](crate::reference::ge::interpolation#setup-reciprocal).

use crate::ge::arithmetic::chords::SETUP_RECIPROCAL;

/// Fraction bits in gradients and plane values.
pub(crate) const SHIFT: u32 = 14;

/// An approximate reciprocal: `value / 2^shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetupReciprocal {
    /// 2^15 to 2^16.
    pub value: i64,
    /// 16 plus the divisor's binary logarithm, floored.
    pub shift: u32,
}

impl SetupReciprocal {
    /// Computes a divisor's reciprocal. A divisor of 0 counts as 1.
    #[inline(always)]
    #[must_use]
    pub(crate) const fn new(divisor: u64) -> Self {
        let divisor = if divisor == 0 { 1 } else { divisor };
        // This moves the leading bit to bit 63, so that the bits after it form the mantissa.
        let normalized = divisor << divisor.leading_zeros();
        let mantissa = (normalized << 1) >> 48;
        let value = SETUP_RECIPROCAL.value(mantissa as u32) as i64;
        Self { value, shift: 16 + divisor.ilog2() }
    }

    /// Returns the gradient for a rise over the divisor, floored to [`SHIFT`] fraction bits.
    #[must_use]
    pub(crate) fn gradient(self, rise: i64) -> i128 {
        // The reciprocal has 16 fraction bits. This shift leaves `SHIFT` of them.
        (i128::from(rise) * i128::from(self.value)) >> (self.shift - SHIFT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_are_chords() {
        for (divisor, value, shift) in [
            (0, 65536, 16),
            (1, 65536, 16),
            (3, 43690, 17),
            (1 << 40, 65536, 56),
            // A measured divisor.
            (9_668_772, 56859, 39),
        ] {
            assert_eq!(SetupReciprocal::new(divisor), SetupReciprocal { value, shift }, "1 / {divisor}");
        }
    }
}
