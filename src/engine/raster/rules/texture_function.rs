//! The texture function combines a fragment's colour with its texel.
//!
//! Source: [texture functions](crate::reference::ge::sampling#texture-functions) (hardware tests
//! `texfunc/*`).

use crate::ge::registers::texture::{TextureFunc, TextureFunction};

/// Applies texel `t` to red, green, blue and alpha in colour `p`. BLEND uses `environment` (TEXENVCOLOR).
#[must_use]
pub(crate) fn apply(function: TextureFunc, p: [u8; 4], t: [u8; 4], environment: [u8; 3]) -> [u8; 4] {
    let double = if function.double { 2 } else { 1 };
    let texel_alpha = u32::from(t[3]);
    let channel = |i: usize| {
        let (p, t, e) = (u32::from(p[i]), u32::from(t[i]), u32::from(environment[i]));
        let result = match function.function {
            TextureFunction::MODULATE => ((p + 1) * t * double) >> 8,
            TextureFunction::DECAL if function.use_alpha => {
                ((p + 1) * (255 - texel_alpha) + (t + 1) * texel_alpha) / (256 / double)
            }
            TextureFunction::BLEND => ((255 - t) * p + t * e + 255) / (256 / double),
            TextureFunction::DECAL | TextureFunction::REPLACE => t * double,
            _ => (p + t) * double,
        };
        u8::try_from(result).unwrap_or(255)
    };
    [channel(0), channel(1), channel(2), alpha(function, p[3], t[3])]
}

fn alpha(function: TextureFunc, p: u8, t: u8) -> u8 {
    match function.function {
        _ if !function.use_alpha => p,
        TextureFunction::DECAL => p,
        TextureFunction::REPLACE => t,
        _ => {
            let [_, product, ..] = ((u32::from(p) + 1) * u32::from(t)).to_le_bytes();
            product
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: [u8; 4] = [200, 100, 0, 128];
    const T: [u8; 4] = [128, 255, 77, 64];
    const E: [u8; 3] = [10, 20, 30];

    fn function(function: TextureFunction, use_alpha: bool, double: bool) -> TextureFunc {
        TextureFunc { function, use_alpha, double }
    }

    #[test]
    fn each_function() {
        for (code, with_alpha, without) in [
            // 201×128>>8, 101×255>>8, 1×77>>8; alpha 129×64>>8
            (TextureFunction::MODULATE, [100, 100, 0, 32], [100, 100, 0, 128]),
            // (201×191 + 129×64)/256, (101×191 + 256×64)/256, (191 + 78×64)/256
            (TextureFunction::DECAL, [182, 139, 20, 128], [128, 255, 77, 128]),
            // (127×200 + 128×10 + 255)/256, (0 + 255×20 + 255)/256, (0 + 77×30 + 255)/256
            (TextureFunction::BLEND, [105, 20, 10, 32], [105, 20, 10, 128]),
            (TextureFunction::REPLACE, [128, 255, 77, 64], [128, 255, 77, 128]),
            (TextureFunction::ADD, [255, 255, 77, 32], [255, 255, 77, 128]),
            (TextureFunction::ADD7, [255, 255, 77, 32], [255, 255, 77, 128]),
        ] {
            assert_eq!(apply(function(code, true, false), P, T, E), with_alpha, "{code} with alpha");
            assert_eq!(apply(function(code, false, false), P, T, E), without, "{code} without");
        }
    }

    #[test]
    fn doubling_comes_before_truncation() {
        for (code, expected) in [
            // 2×201×128>>8 is 201, not 200.
            (TextureFunction::MODULATE, [201, 201, 0, 32]),
            (TextureFunction::DECAL, [255, 255, 40, 128]),
            (TextureFunction::BLEND, [210, 41, 20, 32]),
            (TextureFunction::REPLACE, [255, 255, 154, 64]),
            (TextureFunction::ADD, [255, 255, 154, 32]),
        ] {
            assert_eq!(apply(function(code, true, true), P, T, E), expected, "{code} doubled");
        }
    }
}
