//! Converts between the engine's four colour formats and 8 bits per channel.
//!
//! Framebuffers, textures, palettes, vertex colours and PNG files all convert here, so that they agree. Channels
//! widen by bit replication and narrow by truncation.
//!
//! Source: [texel formats](crate::reference::ge::textures#texel-formats), [component
//! decoding](crate::reference::ge::vertices#component-decoding), [framebuffer
//! formats](crate::reference::ge::pixels#framebuffer-formats) (hardware tests `texcolors/*`, `dither/dither`).

use crate::ge::registers::texture::PixelFormat;

/// Returns how many bytes a pixel takes, 2 or 4.
#[must_use]
pub const fn bytes(format: PixelFormat) -> u32 {
    match format {
        PixelFormat::ABGR8888 => 4,
        _ => 2,
    }
}

/// Decodes a stored pixel to red, green, blue and alpha. Bits above a 16-bit pixel are ignored; alpha is 255 if the
/// format has none.
#[must_use]
pub const fn decode(format: PixelFormat, bits: u32) -> [u8; 4] {
    let [low, high, ..] = bits.to_le_bytes();
    let half = u16::from_le_bytes([low, high]);
    match format {
        PixelFormat::BGR5650 => unpack_5650(half),
        PixelFormat::ABGR5551 => unpack_5551(half),
        PixelFormat::ABGR4444 => unpack_4444(half),
        _ => bits.to_le_bytes(),
    }
}

/// Decodes a row of stored pixels to red, green, blue and alpha, as [`decode`] does, but chooses the format only
/// once.
pub(crate) fn decode_row(format: PixelFormat, stored: &[u8], samples: &mut [u8]) {
    match format {
        PixelFormat::BGR5650 => unpack_row(unpack_5650, stored, samples),
        PixelFormat::ABGR5551 => unpack_row(unpack_5551, stored, samples),
        PixelFormat::ABGR4444 => unpack_row(unpack_4444, stored, samples),
        _ => {
            let length = samples.len().min(stored.len());
            samples[..length].copy_from_slice(&stored[..length]);
        }
    }
}

/// Decodes a row of stored pixels to red, green, blue and an alpha of 255, to show a framebuffer whose alpha is its
/// stencil.
pub(crate) fn decode_opaque_row(format: PixelFormat, stored: &[u8], samples: &mut [u8]) {
    decode_row(format, stored, samples);
    for [_, _, _, alpha] in samples.as_chunks_mut().0 {
        *alpha = 255;
    }
}

fn unpack_row(unpack: impl Fn(u16) -> [u8; 4], stored: &[u8], samples: &mut [u8]) {
    for (sample, pixel) in samples.as_chunks_mut().0.iter_mut().zip(stored.as_chunks().0) {
        *sample = unpack(u16::from_le_bytes(*pixel));
    }
}

/// Encodes a colour to its stored form. Channels lose their low bits; alpha is dropped if the format has none.
#[must_use]
pub fn encode(format: PixelFormat, color: [u8; 4]) -> u32 {
    match format {
        PixelFormat::BGR5650 => u32::from(pack_5650(color)),
        PixelFormat::ABGR5551 => u32::from(pack_5551(color)),
        PixelFormat::ABGR4444 => u32::from(pack_4444(color)),
        _ => u32::from_le_bytes(color),
    }
}

/// Widens 5 bits to 8 by repeating the upper bits below, so that 31 becomes 255.
const fn widen5(bits: u16) -> u8 {
    let bits = (bits & 31).to_le_bytes()[0];
    bits << 3 | bits >> 2
}

/// Widens 6 bits to 8, as [`widen5`] does.
const fn widen6(bits: u16) -> u8 {
    let bits = (bits & 63).to_le_bytes()[0];
    bits << 2 | bits >> 4
}

/// Widens 4 bits to 8. Multiplying by 17 repeats them.
const fn widen4(bits: u16) -> u8 {
    (bits & 15).to_le_bytes()[0] * 17
}

/// Unpacks a 5650 colour to red, green, blue and alpha; alpha is 255.
#[must_use]
pub const fn unpack_5650(bits: u16) -> [u8; 4] {
    [widen5(bits), widen6(bits >> 5), widen5(bits >> 11), 255]
}

/// Unpacks a 5551 colour to red, green, blue and alpha; alpha is 0 or 255.
#[must_use]
pub const fn unpack_5551(bits: u16) -> [u8; 4] {
    [widen5(bits), widen5(bits >> 5), widen5(bits >> 10), if bits >> 15 != 0 { 255 } else { 0 }]
}

/// Unpacks a 4444 colour to red, green, blue and alpha.
#[must_use]
pub const fn unpack_4444(bits: u16) -> [u8; 4] {
    [widen4(bits), widen4(bits >> 4), widen4(bits >> 8), widen4(bits >> 12)]
}

/// Packs the upper bits from red, green and blue into a 5650 colour, dropping alpha.
#[must_use]
pub fn pack_5650([red, green, blue, _]: [u8; 4]) -> u16 {
    u16::from(red >> 3) | u16::from(green >> 2) << 5 | u16::from(blue >> 3) << 11
}

/// Packs the upper bits from all channels into a 5551 colour.
#[must_use]
pub fn pack_5551([red, green, blue, alpha]: [u8; 4]) -> u16 {
    u16::from(red >> 3)
        | u16::from(green >> 3) << 5
        | u16::from(blue >> 3) << 10
        | u16::from(alpha >> 7) << 15
}

/// Packs the upper bits from all channels into a 4444 colour.
#[must_use]
pub fn pack_4444([red, green, blue, alpha]: [u8; 4]) -> u16 {
    u16::from(red >> 4) | u16::from(green >> 4) << 4 | u16::from(blue >> 4) << 8 | u16::from(alpha >> 4) << 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bit_colors_round_trip() {
        for bits in 0..=u16::MAX {
            assert_eq!(pack_5650(unpack_5650(bits)), bits, "5650 {bits:#06x}");
            assert_eq!(pack_5551(unpack_5551(bits)), bits, "5551 {bits:#06x}");
            assert_eq!(pack_4444(unpack_4444(bits)), bits, "4444 {bits:#06x}");
        }
    }

    #[test]
    fn rows_decode_as_pixels() {
        let stored: Vec<u8> = (0..=255).rev().collect();
        for format in
            [PixelFormat::BGR5650, PixelFormat::ABGR5551, PixelFormat::ABGR4444, PixelFormat::ABGR8888]
        {
            let size = bytes(format) as usize;
            let mut rows = [vec![0; stored.len() / size * 4], vec![0; stored.len() / size * 4]];
            decode_row(format, &stored, &mut rows[0]);
            decode_opaque_row(format, &stored, &mut rows[1]);
            for (x, pixel) in stored.chunks_exact(size).enumerate() {
                let mut bits = [0; 4];
                bits[..size].copy_from_slice(pixel);
                let [red, green, blue, alpha] = decode(format, u32::from_le_bytes(bits));
                assert_eq!(rows[0][4 * x..][..4], [red, green, blue, alpha], "{format}, pixel {x}");
                assert_eq!(rows[1][4 * x..][..4], [red, green, blue, 255], "{format}, pixel {x}, opaque");
            }
        }
    }

    #[test]
    fn red_is_in_the_low_bits() {
        assert_eq!(unpack_5650(0x001F), [255, 0, 0, 255], "5650");
        assert_eq!(unpack_5551(0x03E0), [0, 255, 0, 0], "5551");
        assert_eq!(unpack_4444(0x8F00), [0, 0, 255, 136], "4444");
    }

    #[test]
    fn decodes_and_encodes_by_format() {
        assert_eq!(decode(PixelFormat::BGR5650, 0xFFFF_0400), [0, 130, 0, 255], "green: 32 of 63");
        assert_eq!(decode(PixelFormat::ABGR8888, 0x0403_0201), [1, 2, 3, 4], "bytes in order");
        assert_eq!(encode(PixelFormat::BGR5650, [7, 3, 7, 255]), 0, "channels do not round up");
        assert_eq!(encode(PixelFormat::ABGR5551, [0, 0, 0, 128]), 0x8000, "alpha is its highest bit");
        assert_eq!(encode(PixelFormat::ABGR8888, [1, 2, 3, 4]), 0x0403_0201, "bytes in order");
    }
}
