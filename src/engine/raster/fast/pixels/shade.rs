//! Computes fragment colours: texture function, secondary colour, fog. All sums and products fit in 16 bits.

use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::texture::{TextureFunc, TextureFunction};
use crate::raster::fast::batch::LANES;
use crate::raster::fast::lanes::{ColorLanes, U16Lanes, unpack_bytes};

/// Applies the [texture function](crate::raster::rules::texture_function).
#[inline(always)]
pub(super) fn apply_texture<S: Simd>(
    simd: S,
    color: ColorLanes<S>,
    texels: &[u32; LANES],
    function: TextureFunc,
    environment: [u8; 3],
) -> ColorLanes<S> {
    let texel = unpack_bytes(simd, texels);
    let alpha = texel[3];
    let opaque = U16Lanes::splat(simd, 255);
    let mut out = color;
    macro_rules! each {
        (|$p:ident, $t:ident, $environment:ident| $result:expr) => {
            for channel in 0..3 {
                let ($p, $t) = (color[channel], texel[channel]);
                let $environment = U16Lanes::splat(simd, environment[channel].into());
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

/// Adds the secondary colour, or twice this colour.
#[inline(always)]
pub(super) fn add_secondary<S: Simd>(
    color: ColorLanes<S>,
    secondary: [U16Lanes<S>; 3],
    double: bool,
) -> ColorLanes<S> {
    let mut out = color;
    for channel in 0..3 {
        let added = if double { secondary[channel] + secondary[channel] } else { secondary[channel] };
        out[channel] = (color[channel] + added).min(255_u16);
    }
    out
}

/// Applies fog ([`crate::raster::rules::fog::apply`]).
#[inline(always)]
pub(super) fn apply_fog<S: Simd>(
    simd: S,
    color: ColorLanes<S>,
    factor: U16Lanes<S>,
    fog: [u8; 3],
) -> ColorLanes<S> {
    let opaque = U16Lanes::splat(simd, 255);
    let rest = opaque - factor;
    let mut out = color;
    for channel in 0..3 {
        let fog = U16Lanes::splat(simd, fog[channel].into());
        out[channel] = (color[channel] * factor + fog * rest + opaque) >> 8_u32;
    }
    out
}
