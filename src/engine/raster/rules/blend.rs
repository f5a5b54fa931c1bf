//! Blending combines source and destination colours.
//!
//! # Invariants
//! Results are not clamped, because dither follows and needs the exact sums.
//! Source: [blending](crate::reference::ge::pixels#blending) (hardware tests `commands/blend`, `commands/blend565`).

use crate::ge::registers::pixel::{BlendEquation, BlendFactor, BlendMode};

/// Blends `source` with `destination` and returns red, green and blue, −764 to 1018. Both colours have their alpha
/// last. `fixed` holds BLENDFIXEDA for the source and BLENDFIXEDB for the destination. Undefined equations return
/// the source, as in PPSSPP.
#[must_use]
pub(crate) fn blend(mode: BlendMode, source: [u8; 4], destination: [u8; 4], fixed: [[u8; 3]; 2]) -> [i32; 3] {
    let [source_factors, destination_factors] = factors(mode, source, destination, fixed);
    [0, 1, 2].map(|i| {
        let (s, d) = (i32::from(source[i]), i32::from(destination[i]));
        let from_source = || term(source[i], source_factors[i]);
        let from_destination = || term(destination[i], destination_factors[i]);
        match mode.equation {
            BlendEquation::ADD => from_source() + from_destination(),
            BlendEquation::SUBTRACT => from_source() - from_destination(),
            BlendEquation::REVERSE_SUBTRACT => from_destination() - from_source(),
            BlendEquation::MIN => s.min(d),
            BlendEquation::MAX => s.max(d),
            BlendEquation::ABSOLUTE_DIFFERENCE => (s - d).abs(),
            _ => s,
        }
    })
}

/// Computes the source and destination factors for red, green and blue. This takes the same operands as [`blend`].
#[must_use]
pub(crate) fn factors(
    mode: BlendMode,
    source: [u8; 4],
    destination: [u8; 4],
    fixed: [[u8; 3]; 2],
) -> [[i16; 3]; 2] {
    let alphas = [source[3], destination[3]].map(i16::from);
    let of_source = |i: usize| factor(mode.source, destination[i], alphas, fixed[0][i]);
    let of_destination = |i: usize| factor(mode.destination, source[i], alphas, fixed[1][i]);
    [[0, 1, 2].map(of_source), [0, 1, 2].map(of_destination)]
}

/// Computes `((2a + 1) × (2b + 1)) >> 10`, the hardware's [product](crate::reference::ge::numbers#8-bit-product): a
/// if b is 255, 0 if b is 0.
#[must_use]
pub(crate) fn multiply(a: u8, b: u16) -> u16 {
    let product = (2 * u32::from(a) + 1) * (2 * u32::from(b) + 1);
    // A shift by 2 that drops the lowest byte is a shift by 10 in all.
    let [_, low, high, _] = (product >> 2).to_le_bytes();
    u16::from_le_bytes([low, high])
}

/// Computes a term for a [blend equation](crate::reference::ge::pixels#blend-equations): the colour times the
/// factor, −255 to 509. Only magnitudes are multiplied, because the hardware's product is unsigned; then the factor
/// gives its sign to the term.
#[must_use]
pub(crate) fn term(color: u8, factor: i16) -> i32 {
    let product = i32::from(multiply(color, factor.unsigned_abs()));
    if factor < 0 { -product } else { product }
}

/// Returns the value for a [blend factor](crate::reference::ge::pixels#blend-factors), −255 to 510.
fn factor(factor: BlendFactor, other: u8, [source, destination]: [i16; 2], fixed: u8) -> i16 {
    let other = i16::from(other);
    match factor {
        BlendFactor::COLOR => other,
        BlendFactor::ONE_MINUS_COLOR => 255 - other,
        BlendFactor::SOURCE_ALPHA => source,
        BlendFactor::ONE_MINUS_SOURCE_ALPHA => 255 - source,
        BlendFactor::DESTINATION_ALPHA => destination,
        BlendFactor::ONE_MINUS_DESTINATION_ALPHA => 255 - destination,
        BlendFactor::DOUBLE_SOURCE_ALPHA => 2 * source,
        BlendFactor::ONE_MINUS_DOUBLE_SOURCE_ALPHA => 255 - 2 * source,
        BlendFactor::DOUBLE_DESTINATION_ALPHA => 2 * destination,
        BlendFactor::ONE_MINUS_DOUBLE_DESTINATION_ALPHA => 255 - 2 * destination,
        // FIXED and all codes above it use the fixed colour.
        _ => i16::from(fixed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: [u8; 4] = [200, 100, 0, 128];
    const D: [u8; 4] = [100, 255, 10, 200];
    const FIXED: [[u8; 3]; 2] = [[255; 3], [0; 3]];

    fn mode(source: BlendFactor, destination: BlendFactor, equation: BlendEquation) -> BlendMode {
        BlendMode { source, destination, equation }
    }

    #[test]
    fn multiplier() {
        for x in 0..=255 {
            assert_eq!(multiply(x, 255), u16::from(x), "times 255");
            assert_eq!(multiply(x, 0), 0, "times 0");
        }
        assert_eq!(multiply(200, 128), 100, "401 × 257 >> 10");
        assert_eq!(multiply(255, 510), 509, "doubled alpha is not clamped: 511 × 1021 >> 10");
    }

    #[test]
    fn factors() {
        let alphas = [128, 200];
        for (code, expected) in [
            (0, 30),
            (1, 225),
            (2, 128),
            (3, 127),
            (4, 200),
            (5, 55),
            (6, 256),
            (7, -1),
            (8, 400),
            (9, -145),
            (10, 7),
            (15, 7),
        ] {
            assert_eq!(factor(BlendFactor::from_number(code), 30, alphas, 7), expected, "factor {code}");
        }
        assert_eq!(factor(BlendFactor::from_number(7), 0, [100, 0], 0), 55, "255 less 200");
    }

    /// The [terms](crate::reference::ge::pixels#blend-equations) for the factors 255 − 2a: a factor below 0
    /// subtracts.
    #[test]
    fn negative_factors_subtract() {
        // 401 × 3 >> 10, 401 × 511 >> 10, 511 × 511 >> 10.
        for (color, factor, expected) in [(200, -1, -1), (200, -255, -200), (255, -255, -255), (0, -1, 0)] {
            assert_eq!(term(color, factor), expected, "{color} by {factor}");
        }
        let glow = mode(BlendFactor::ONE_MINUS_DOUBLE_SOURCE_ALPHA, BlendFactor::FIXED, BlendEquation::ADD);
        let fixed = [[0; 3], [255; 3]];
        // Alpha 228 gives the factor −201: 401 × 403 >> 10 is 157, 201 × 403 >> 10 is 79.
        assert_eq!(blend(glow, [200, 100, 0, 228], D, fixed), [100 - 157, 255 - 79, 10], "darkens");
        let reverse = BlendMode { equation: BlendEquation::SUBTRACT, ..glow };
        assert_eq!(
            blend(reverse, [255, 255, 255, 255], [255; 4], [[0; 3], [255; 3]]),
            [-510; 3],
            "the source's negative term and the destination both subtract"
        );
    }

    #[test]
    fn equations() {
        let fixed = |equation| blend(mode(BlendFactor::FIXED, BlendFactor::FIXED, equation), S, D, FIXED);
        assert_eq!(fixed(BlendEquation::ADD), [200, 100, 0], "source × 1 + destination × 0");
        assert_eq!(fixed(BlendEquation::REVERSE_SUBTRACT), [-200, -100, 0], "not clamped");
        assert_eq!(fixed(BlendEquation::MIN), [100, 100, 0], "factors ignored");
        assert_eq!(fixed(BlendEquation::MAX), [200, 255, 10], "factors ignored");
        assert_eq!(fixed(BlendEquation::ABSOLUTE_DIFFERENCE), [100, 155, 10], "factors ignored");
        assert_eq!(fixed(BlendEquation::from_number(6)), [200, 100, 0], "no blending");
        let alpha = mode(BlendFactor::SOURCE_ALPHA, BlendFactor::ONE_MINUS_SOURCE_ALPHA, BlendEquation::ADD);
        // 401×257>>10 + 201×255>>10, 201×257>>10 + 511×255>>10, 1×257>>10 + 21×255>>10
        assert_eq!(blend(alpha, S, D, FIXED), [150, 177, 5], "alpha blending");
        let colors = mode(BlendFactor::COLOR, BlendFactor::ONE_MINUS_COLOR, BlendEquation::ADD);
        // 401×201>>10 + 201×111>>10, …
        assert_eq!(blend(colors, S, D, FIXED), [78 + 21, 100 + 155, 10], "each other's colour");
    }
}
