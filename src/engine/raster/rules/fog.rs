//! Fog blends a pixel with the fog colour. This starts from each vertex's fog factor.
//!
//! Source: [fog blend](crate::reference::ge::pixels#fog-blend) (hardware test `commands/fog` for [`apply`]). The
//! hardware [interpolates](crate::reference::ge::interpolation#fog) the vertices' 8-bit coefficients. In single
//! arithmetic the factor itself is interpolated and then converted for each pixel, as in emulators.

/// The largest magnitude for a factor, in 1/65536. This is an emulation limit.
const LIMIT: i64 = 1 << 40;

/// Converts a vertex factor to 1/65536, floored. Returns 0 for NaN.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the conversion saturates")]
pub(crate) fn fixed(factor: f32) -> i64 {
    ((f64::from(factor) * 65536.0).floor() as i64).clamp(-LIMIT, LIMIT)
}

/// Converts a factor in 1/65536, 0 to 65536, to a coefficient: 0 for full fog, 255 for no fog.
#[must_use]
pub(crate) fn coefficient(fixed: i64) -> u8 {
    u8::try_from((fixed >> 8).clamp(0, 255)).unwrap_or(0)
}

/// Blends red, green and blue with the fog colour.
#[must_use]
pub(crate) fn apply(color: [u8; 3], fog: [u8; 3], coefficient: u8) -> [u8; 3] {
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
        assert_eq!(apply(color, fog, 0), fog, "full fog");
        assert_eq!(apply(color, fog, 128), [128, 51, 127], "half way");
    }
}
