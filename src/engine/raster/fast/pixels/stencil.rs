//! The stencil test. It includes the depth test if its result selects the stencil operation.

use super::pixel_state::StencilState;
use crate::ge::arithmetic::simd::prelude::*;
use crate::ge::registers::pixel::{Comparison, StencilOperation};
use crate::ge::registers::texture::PixelFormat;
use crate::raster::fast::lanes::{U16Lanes, compare};

pub(crate) struct StencilResult<S: Simd> {
    /// All bits set for fragments that passed both tests.
    pub(crate) live_mask: U16Lanes<S>,
    /// New stencil for fragments that passed.
    pub(crate) passed: U16Lanes<S>,
    /// New stencil for fragments that failed a test.
    pub(crate) failed: U16Lanes<S>,
}

/// Tests live fragments against the stencil `old`. If the depth test is on, `depth` holds its function with new and
/// old depths.
#[inline(always)]
pub(crate) fn test<S: Simd>(
    simd: S,
    StencilState { test, operations }: StencilState,
    format: PixelFormat,
    live_mask: U16Lanes<S>,
    old: U16Lanes<S>,
    depth: Option<(Comparison, U16Lanes<S>, U16Lanes<S>)>,
) -> StencilResult<S> {
    let reference = U16Lanes::splat(simd, u16::from(test.reference & test.mask));
    let passed_stencil = live_mask & compare(simd, test.function, reference, old & u16::from(test.mask));
    let passed_both = match depth {
        Some((function, new, old)) => passed_stencil & compare(simd, function, new, old),
        None => passed_stencil,
    };
    let reference = U16Lanes::splat(simd, u16::from(test.reference));
    let on_stencil_fail = operate(simd, operations.stencil_fail, old, reference, format);
    let on_depth_fail = operate(simd, operations.depth_fail, old, reference, format);
    StencilResult {
        live_mask: passed_both,
        passed: operate(simd, operations.pass, old, reference, format),
        failed: on_depth_fail & passed_stencil | on_stencil_fail & !passed_stencil,
    }
}

/// Applies an operation, see [`crate::raster::rules::stencil::operate`].
#[inline(always)]
fn operate<S: Simd>(
    simd: S,
    operation: StencilOperation,
    old: U16Lanes<S>,
    reference: U16Lanes<S>,
    format: PixelFormat,
) -> U16Lanes<S> {
    let splat = |value| U16Lanes::splat(simd, value);
    match (operation, format) {
        (StencilOperation::ZERO, _) => splat(0),
        (StencilOperation::REPLACE, _) => reference,
        (StencilOperation::INVERT, _) => old ^ 255_u16,
        (StencilOperation::INCREMENT, PixelFormat::ABGR8888) => (old + 1_u16).min(255_u16),
        // Counting saturates if the upper four bits are all set or all clear.
        (StencilOperation::INCREMENT, PixelFormat::ABGR4444) => {
            old.simd_lt(0xF0_u16).select(old + 0x10_u16, old)
        }
        (StencilOperation::INCREMENT, PixelFormat::ABGR5551) => splat(255),
        (StencilOperation::DECREMENT, PixelFormat::ABGR8888) => old.saturating_sub(1_u16),
        (StencilOperation::DECREMENT, PixelFormat::ABGR4444) => {
            old.simd_ge(0x10_u16).select(old - 0x10_u16, old)
        }
        (StencilOperation::DECREMENT, PixelFormat::ABGR5551) => splat(0),
        _ => old,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::arithmetic::simd::portable;
    use crate::raster::rules::stencil;

    #[test]
    fn operations_match_reference() {
        let simd = portable();
        let formats =
            [PixelFormat::BGR5650, PixelFormat::ABGR5551, PixelFormat::ABGR4444, PixelFormat::ABGR8888];
        for (code, format) in (0..8).flat_map(|code| formats.map(|format| (code, format))) {
            let operation = StencilOperation::from_number(code);
            for first in (0..256_u16).step_by(16) {
                let old = U16Lanes::from_fn(simd, |lane| first + u16::try_from(lane).unwrap_or(0));
                let new = operate(simd, operation, old, U16Lanes::splat(simd, 0x99), format);
                for lane in 0..16 {
                    let byte = u8::try_from(old[lane]).unwrap_or(0);
                    let expected = stencil::operate(operation, byte, 0x99, format);
                    assert_eq!(new[lane], u16::from(expected), "{operation:?} of {byte} in {format:?}");
                }
            }
        }
    }
}
