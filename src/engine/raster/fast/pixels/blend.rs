//! [Blending](crate::raster::rules::blend) in lanes. Results are signed and not clamped.

use super::pixel_state::BlendState;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::pixel::{BlendEquation, BlendFactor};
use crate::raster::fast::lanes::{self, ColorLanes, U16Lanes};

/// Blends red, green and blue with the framebuffer colours `old`. Alpha is unchanged.
#[inline(always)]
pub(crate) fn blend<S: Simd>(
    simd: S,
    color: ColorLanes<S>,
    old: ColorLanes<S>,
    blend: BlendState,
) -> ColorLanes<S> {
    let BlendState { mode, fixed, is_alpha_blend } = blend;
    let mut out = color;
    // The most frequent mode has factors that add up to 255, so no sum needs a sign.
    if is_alpha_blend {
        let rest = U16Lanes::splat(simd, 255) - color[3];
        for channel in 0..3 {
            out[channel] = multiply(color[channel], color[3]) + multiply(old[channel], rest);
        }
        return out;
    }
    for channel in 0..3 {
        let (source, old_color) = (color[channel], old[channel]);
        let alphas = [color[3], old[3]];
        macro_rules! products {
            () => {
                (
                    product(simd, source, mode.source, old_color, alphas, fixed[0][channel]),
                    product(simd, old_color, mode.destination, source, alphas, fixed[1][channel]),
                )
            };
        }
        out[channel] = match mode.equation {
            BlendEquation::ADD => {
                let (source, old) = products!();
                source + old
            }
            BlendEquation::SUBTRACT => {
                let (source, old) = products!();
                source - old
            }
            BlendEquation::REVERSE_SUBTRACT => {
                let (source, old) = products!();
                old - source
            }
            BlendEquation::MIN => source.min(old_color),
            BlendEquation::MAX => source.max(old_color),
            BlendEquation::ABSOLUTE_DIFFERENCE => source.max(old_color) - source.min(old_color),
            _ => source,
        };
    }
    out
}

/// Multiplies values by a blend factor. The product is negative if the factor is.
#[inline(always)]
fn product<S: Simd>(
    simd: S,
    values: U16Lanes<S>,
    factor: BlendFactor,
    other: U16Lanes<S>,
    [source, old]: [U16Lanes<S>; 2],
    fixed: u8,
) -> U16Lanes<S> {
    let opaque = U16Lanes::splat(simd, 255);
    match factor {
        BlendFactor::COLOR => multiply(values, other),
        BlendFactor::ONE_MINUS_COLOR => multiply(values, opaque - other),
        BlendFactor::SOURCE_ALPHA => multiply(values, source),
        BlendFactor::ONE_MINUS_SOURCE_ALPHA => multiply(values, opaque - source),
        BlendFactor::DESTINATION_ALPHA => multiply(values, old),
        BlendFactor::ONE_MINUS_DESTINATION_ALPHA => multiply(values, opaque - old),
        BlendFactor::DOUBLE_SOURCE_ALPHA => multiply_double(values, source),
        BlendFactor::ONE_MINUS_DOUBLE_SOURCE_ALPHA => multiply_rest_of_double(simd, values, source),
        BlendFactor::DOUBLE_DESTINATION_ALPHA => multiply_double(values, old),
        BlendFactor::ONE_MINUS_DOUBLE_DESTINATION_ALPHA => multiply_rest_of_double(simd, values, old),
        _ => multiply(values, U16Lanes::splat(simd, fixed.into())),
    }
}

/// Computes [`crate::raster::rules::blend::multiply`] in 16 bits. This works because (2v + 1)(2f + 1) / 1024 equals
/// (v f + (v + f) / 2) / 256, floored.
#[inline(always)]
fn multiply<S: Simd>(values: U16Lanes<S>, factors: U16Lanes<S>) -> U16Lanes<S> {
    (values * factors + ((values + factors) >> 1_u32)) >> 8_u32
}

/// Does the same with doubled factors, because (2v + 1)(4f + 1) / 1024 equals (v f + (v + 2 f) / 4) / 128, floored.
#[inline(always)]
fn multiply_double<S: Simd>(values: U16Lanes<S>, factors: U16Lanes<S>) -> U16Lanes<S> {
    (values * factors + ((values + factors + factors) >> 2_u32)) >> 7_u32
}

/// Does the same with the factors 255 − 2a. If 2a is above 255, the result is negative, in two's complement.
#[inline(always)]
fn multiply_rest_of_double<S: Simd>(simd: S, values: U16Lanes<S>, alphas: U16Lanes<S>) -> U16Lanes<S> {
    let (opaque, doubled) = (U16Lanes::splat(simd, 255), alphas + alphas);
    let product = multiply(values, doubled.max(opaque) - doubled.min(opaque));
    let negative = lanes::from_mask(opaque.simd_lt(doubled));
    // To negate a number, this flips all bits and adds 1.
    (product ^ negative) - negative
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::simd::portable;
    use crate::raster::rules::blend;

    #[test]
    fn products_match_reference() {
        let simd = portable();
        for value in 0..=255_u16 {
            for first in (0..256_u16).step_by(16) {
                let factors = U16Lanes::from_fn(simd, |lane| first + u16::try_from(lane).unwrap_or(0));
                let values = U16Lanes::splat(simd, value);
                let (plain, double) = (multiply(values, factors), multiply_double(values, factors));
                let rest = multiply_rest_of_double(simd, values, factors);
                for (lane, factor) in (first..first + 16).enumerate() {
                    let byte = u8::try_from(value).unwrap_or(0);
                    assert_eq!(plain[lane], blend::multiply(byte, factor), "{value} by {factor}");
                    assert_eq!(double[lane], blend::multiply(byte, 2 * factor), "{value} by twice {factor}");
                    let expected = blend::term(byte, 255 - 2 * factor.cast_signed());
                    let found = i32::from(rest[lane].cast_signed());
                    assert_eq!(found, expected, "{value} by 255 less twice {factor}");
                }
            }
        }
    }
}
