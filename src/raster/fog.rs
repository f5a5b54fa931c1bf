//! Fog: from the vertex factor to the pixel's colour.
//! Source: `ge-reference.md` §6.7 (hardware test `commands/fog` for [`apply`]). That the factor, not the
//! coefficient, runs linearly between vertices is PPSSPP's observation.

/// The largest magnitude that a factor keeps, in units of 1/65536. An emulation limit.
const LIMIT: i64 = 1 << 40;

/// A vertex factor as an integer, in units of 1/65536. Not a number is 0.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
pub fn fixed(factor: f32) -> i64 {
    ((f64::from(factor) * 65536.0).floor() as i64).clamp(-LIMIT, LIMIT)
}

/// The coefficient, 0 (all fog) to 255 (none), of a factor in units of 1/65536, 0 to 65536.
#[must_use]
pub fn coefficient(fixed: i64) -> u8 {
    u8::try_from((fixed >> 8).clamp(0, 255)).unwrap_or(0)
}

/// Red, green and blue behind fog.
#[must_use]
pub fn apply(color: [u8; 3], fog: [u8; 3], coefficient: u8) -> [u8; 3] {
    let coefficient = u32::from(coefficient);
    [0, 1, 2].map(|i| {
        let sum = u32::from(color[i]) * coefficient + u32::from(fog[i]) * (255 - coefficient) + 255;
        (sum >> 8).to_le_bytes()[0]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coefficients_truncate() {
        for (factor, expected) in [
            (1.0, 255),
            (7.0, 255),
            (0.999, 255),
            (0.5, 128),
            (0.0039, 0),
            (0.003_906_25, 1),
            (-3.0, 0),
            (f32::NAN, 0),
            (f32::INFINITY, 255),
        ] {
            assert_eq!(coefficient(fixed(factor)), expected, "{factor}");
        }
    }

    #[test]
    fn ends_are_exact() {
        let (color, fog) = ([255, 100, 0], [0, 1, 255]);
        assert_eq!(apply(color, fog, 255), color, "no fog");
        assert_eq!(apply(color, fog, 0), fog, "all fog");
        assert_eq!(apply(color, fog, 128), [128, 51, 127], "half way");
    }
}
