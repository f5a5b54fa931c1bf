//! Stencil operations. The framebuffer's alpha serves as the stencil, with as many bits as its format gives it.
//!
//! Source: [stencil operations](crate::reference::ge::pixels#stencil-operations), from PPSSPP;
//! `dither/dither` tests the storing.

use crate::ge::registers::pixel::StencilOperation;
use crate::ge::registers::texture::PixelFormat;

/// Applies an operation to the stencil `old`. This is the value as read back from the format.
#[must_use]
pub(crate) const fn operate(operation: StencilOperation, old: u8, reference: u8, format: PixelFormat) -> u8 {
    match operation {
        StencilOperation::ZERO => 0,
        StencilOperation::REPLACE => reference,
        StencilOperation::INVERT => !old,
        StencilOperation::INCREMENT => match format {
            PixelFormat::ABGR8888 => old.saturating_add(1),
            PixelFormat::ABGR4444 if old < 0xF0 => old + 0x10,
            PixelFormat::ABGR5551 => 255,
            _ => old,
        },
        StencilOperation::DECREMENT => match format {
            PixelFormat::ABGR8888 => old.saturating_sub(1),
            PixelFormat::ABGR4444 if old >= 0x10 => old - 0x10,
            PixelFormat::ABGR5551 => 0,
            _ => old,
        },
        _ => old,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_operations() {
        for (code, expected) in [(0, 0x44), (1, 0), (2, 0x99), (3, 0xBB), (6, 0x44), (7, 0x44)] {
            let operation = StencilOperation::from_number(code);
            assert_eq!(operate(operation, 0x44, 0x99, PixelFormat::ABGR8888), expected, "operation {code}");
        }
    }

    #[test]
    fn counting_saturates_in_the_width_of_the_format() {
        let up = |old, format| operate(StencilOperation::INCREMENT, old, 0, format);
        let down = |old, format| operate(StencilOperation::DECREMENT, old, 0, format);
        assert_eq!((up(254, PixelFormat::ABGR8888), up(255, PixelFormat::ABGR8888)), (255, 255), "8 bits up");
        assert_eq!((down(1, PixelFormat::ABGR8888), down(0, PixelFormat::ABGR8888)), (0, 0), "8 bits down");
        assert_eq!((up(0xEE, PixelFormat::ABGR4444), up(0xFF, PixelFormat::ABGR4444)), (0xFE, 0xFF), "4 up");
        assert_eq!((down(0x11, PixelFormat::ABGR4444), down(0, PixelFormat::ABGR4444)), (1, 0), "4 down");
        assert_eq!((up(0, PixelFormat::ABGR5551), down(255, PixelFormat::ABGR5551)), (255, 0), "1 bit");
        assert_eq!((up(0, PixelFormat::BGR5650), down(0, PixelFormat::BGR5650)), (0, 0), "no bit");
    }
}
