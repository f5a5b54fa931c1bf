//! The 24-bit float of command arguments: the upper three bytes of an IEEE single.
//!
//! Source: `ge-reference.md` §1.3.

use std::fmt;

/// Sign, 8 bits of exponent, 15 bits of mantissa. Every pattern is kept, NaN payloads included.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Float24(u32);

impl Float24 {
    /// The float with these low 24 bits.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & 0x00FF_FFFF)
    }

    /// The 24 bits.
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The value cut down to 24 bits (towards zero), as programs do before they write a command.
    #[must_use]
    pub const fn from_f32(value: f32) -> Self {
        Self(value.to_bits() >> 8)
    }

    /// The value as an IEEE single, exactly.
    #[must_use]
    pub const fn to_f32(self) -> f32 {
        f32::from_bits(self.0 << 8)
    }
}

impl fmt::Debug for Float24 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The shortest decimal that reads back to the same bits; NaN shows as the bits in hexadecimal.
impl fmt::Display for Float24 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.to_f32();
        if value.is_nan() { write!(f, "nan(0x{:06X})", self.0) } else { write!(f, "{value:?}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncates_towards_zero() {
        assert_eq!(Float24::from_f32(1.0).to_bits(), 0x3F_8000, "one");
        assert_eq!(Float24::from_f32(-1.999_999_9).to_f32(), -1.999_969_5, "negative values shrink too");
    }

    #[test]
    fn bit_patterns_round_trip() {
        for bits in [0, 1, 0x80_0000, 0x7F_8000, 0x7F_8001, 0xFF_FFFF, 0x3F_8000] {
            assert_eq!(Float24::from_bits(bits).to_bits(), bits, "{bits:#x}");
        }
        assert_eq!(Float24::from_bits(0x7F_C000).to_string(), "nan(0x7FC000)", "NaN shows its bits");
    }
}
