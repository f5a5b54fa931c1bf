//! The 24-bit float in command arguments: the upper three bytes of an IEEE single.
//!
//! Source: [24-bit floats](crate::reference::ge::numbers#24-bit-floats).

use std::fmt;

/// A float with a sign, 8 exponent bits and 15 mantissa bits. This keeps every bit pattern, including NaN payloads,
/// so that a list's words survive unchanged.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Float24(u32);

impl Float24 {
    /// Creates the float with these low 24 bits.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits & 0x00FF_FFFF)
    }

    /// Returns this float's 24 bits.
    #[must_use]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// Truncates a single to 24 bits, towards zero, as programs do to write a command.
    #[must_use]
    pub const fn from_f32(value: f32) -> Self {
        Self(value.to_bits() >> 8)
    }

    /// Converts this float to an IEEE single, exactly.
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

/// Writes the shortest decimal that reads back to the same bits. NaN is written as its bits in hexadecimal.
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
