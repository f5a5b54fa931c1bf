//! Colours of fragments: texture function, secondary colour, fog. Sums and products fit 16 bits.

use super::batch::LANES;
use super::words::{Colors, Words, bytes};
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::texture::{TextureFunc, TextureFunction};

/// The texture function ([`crate::raster::texture_function`]).
#[inline(always)]
pub(super) fn texture<S: Simd>(
    simd: S,
    color: Colors<S>,
    texels: &[u32; LANES],
    function: TextureFunc,
    environment: [u8; 3],
) -> Colors<S> {
    let texel = bytes(simd, texels);
    let alpha = texel[3];
    let opaque = Words::splat(simd, 255);
    let mut out = color;
    macro_rules! each {
        (|$p:ident, $t:ident, $environment:ident| $result:expr) => {
            for channel in 0..3 {
                let ($p, $t) = (color[channel], texel[channel]);
                let $environment = Words::splat(simd, environment[channel].into());
                out[channel] = ($result).min(opaque);
            }
        };
    }
    match (function.function, function.double) {
        (TextureFunction::MODULATE, false) => each!(|p, t, _e| ((p + 1_u16) * t) >> 8_u32),
        (TextureFunction::MODULATE, true) => each!(|p, t, _e| ((p + 1_u16) * t) >> 7_u32),
        (TextureFunction::DECAL, false) if function.use_alpha => {
            each!(|p, t, _e| ((p + 1_u16) * (opaque - alpha) + (t + 1_u16) * alpha) >> 8_u32);
        }
        (TextureFunction::DECAL, true) if function.use_alpha => {
            each!(|p, t, _e| ((p + 1_u16) * (opaque - alpha) + (t + 1_u16) * alpha) >> 7_u32);
        }
        (TextureFunction::BLEND, false) => each!(|p, t, e| ((opaque - t) * p + t * e + opaque) >> 8_u32),
        (TextureFunction::BLEND, true) => each!(|p, t, e| ((opaque - t) * p + t * e + opaque) >> 7_u32),
        (TextureFunction::DECAL | TextureFunction::REPLACE, false) => each!(|_p, t, _e| t),
        (TextureFunction::DECAL | TextureFunction::REPLACE, true) => each!(|_p, t, _e| t + t),
        (_, false) => each!(|p, t, _e| p + t),
        (_, true) => each!(|p, t, _e| (p + t) + (p + t)),
    }
    if function.use_alpha && function.function != TextureFunction::DECAL {
        out[3] = if function.function == TextureFunction::REPLACE {
            alpha
        } else {
            ((color[3] + 1_u16) * alpha) >> 8_u32
        };
    }
    out
}

/// Adds the secondary colour.
#[inline(always)]
pub(super) fn add_secondary<S: Simd>(color: Colors<S>, secondary: [Words<S>; 3]) -> Colors<S> {
    let mut out = color;
    for channel in 0..3 {
        out[channel] = (color[channel] + secondary[channel]).min(255_u16);
    }
    out
}

/// Fog ([`crate::raster::fog::apply`]).
#[inline(always)]
pub(super) fn fog<S: Simd>(simd: S, color: Colors<S>, factor: Words<S>, fog: [u8; 3]) -> Colors<S> {
    let opaque = Words::splat(simd, 255);
    let rest = opaque - factor;
    let mut out = color;
    for channel in 0..3 {
        let fog = Words::splat(simd, fog[channel].into());
        out[channel] = (color[channel] * factor + fog * rest + opaque) >> 8_u32;
    }
    out
}
