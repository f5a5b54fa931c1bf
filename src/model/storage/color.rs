//! Decodes and encodes colours as files store them.

use super::{AlphaStorage, ColorStorage};

impl ColorStorage {
    /// Decodes a stored number to red, green, blue and alpha. Narrow channels repeat their upper bits to fill 8.
    pub(crate) fn decode(&self, number: u32) -> [u8; 4] {
        if self.alpha == AlphaStorage::ZeroColor && number == 0 {
            return [0; 4];
        }
        let [red, green, blue, alpha] = self.channels.map(|(low, bits)| widen(number >> low, bits));
        let alpha = match self.alpha {
            AlphaStorage::Plain => alpha,
            AlphaStorage::Halved => alpha.saturating_mul(2),
            AlphaStorage::Ignored | AlphaStorage::ZeroColor => u8::MAX,
        };
        [red, green, blue, alpha]
    }

    /// Encodes the nearest colour. Bits without a meaning stay as they are in `old`.
    pub(crate) fn encode(&self, color: [u8; 4], old: u32) -> u32 {
        let [red, green, blue, alpha] = color;
        if self.alpha == AlphaStorage::ZeroColor && alpha < 128 {
            return 0;
        }
        let is_grey = self.channels[0] == self.channels[1] && self.channels[1] == self.channels[2];
        let rgb = if is_grey { [luminance([red, green, blue]); 3] } else { [red, green, blue] };
        let alpha = match self.alpha {
            AlphaStorage::Halved => alpha.div_ceil(2),
            _ => alpha,
        };
        let mut number = old;
        for (channel, (value, (low, bits))) in
            [rgb[0], rgb[1], rgb[2], alpha].into_iter().zip(self.channels).enumerate()
        {
            if channel < 3 || self.alpha != AlphaStorage::Ignored {
                let largest = (1_u32 << bits) - 1;
                let code = (u32::from(value) * largest + 127) / 255;
                number = number & !(largest << low) | code << low;
            }
        }
        // The console draws the number 0 as transparent, so opaque black needs the free bit to differ.
        if self.alpha == AlphaStorage::ZeroColor && number == 0 { 0x8000 } else { number }
    }
}

/// Widens the lowest `bits` bits to 8, or returns 255 if there are none.
fn widen(value: u32, bits: u32) -> u8 {
    if bits == 0 {
        return u8::MAX;
    }
    let code = value & ((1 << bits) - 1);
    // Repeats the bits from the top until 8 are filled.
    let mut wide = 0;
    let mut shift = 8_i32;
    while shift > 0 {
        shift -= bits.cast_signed();
        wide |= if shift >= 0 { code << shift } else { code >> -shift };
    }
    wide.to_le_bytes()[0]
}

/// Returns a colour's brightness, weighted as grey television pictures do.
fn luminance([red, green, blue]: [u8; 3]) -> u8 {
    let sum = 299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue);
    ((sum + 500) / 1000).to_le_bytes()[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::color;
    use crate::ge::registers::texture::PixelFormat;

    #[test]
    fn formats_of_the_engine_decode_and_encode_as_the_engine_does() {
        for format in [PixelFormat::BGR5650, PixelFormat::ABGR5551, PixelFormat::ABGR4444] {
            let storage = ColorStorage::of(format);
            for stored in 0..=0xFFFF {
                assert_eq!(storage.decode(stored), color::decode(format, stored), "{format} {stored:#x}");
                assert_eq!(
                    storage.encode(storage.decode(stored), 0),
                    stored,
                    "{format} {stored:#x}: and back"
                );
            }
        }
    }

    #[test]
    fn meanings_of_alpha_are_inverted() {
        let of = |alpha| ColorStorage { alpha, ..ColorStorage::of(PixelFormat::ABGR8888) };
        let halved = of(AlphaStorage::Halved);
        for stored in [0x0000_0000, 0x8001_0203, 0x4000_0000, 0x7F00_0000] {
            assert_eq!(halved.encode(halved.decode(stored), 0), stored, "{stored:#x}");
        }
        let ignored = of(AlphaStorage::Ignored);
        assert_eq!(ignored.encode([1, 2, 3, 0], 0xAB00_0000), 0xAB03_0201, "the stored alpha stays");
        assert_eq!(ignored.decode(0x0003_0201), [1, 2, 3, 255], "and means nothing");
        let console = ColorStorage {
            channels: [(0, 5), (5, 5), (10, 5), (0, 0)],
            alpha: AlphaStorage::ZeroColor,
            ..ColorStorage::of(PixelFormat::ABGR5551)
        };
        assert_eq!(console.encode([0, 0, 0, 255], 0), 0x8000, "opaque black");
        assert_eq!(console.encode([9, 9, 9, 0], 0x9234), 0, "transparent");
        assert_eq!(console.encode([255, 0, 0, 255], 0x8000), 0x801F, "the free bit stays");
        assert_eq!(console.encode([255, 0, 0, 255], 0x7C00), 0x001F, "clear, too");
    }

    #[test]
    fn grey_formats_store_the_brightness() {
        let grey = ColorStorage {
            bytes: 2,
            is_big: false,
            channels: [(8, 8), (8, 8), (8, 8), (0, 8)],
            alpha: AlphaStorage::Plain,
        };
        assert_eq!(grey.encode([7, 7, 7, 9], 0), 0x0709, "grey is kept");
        assert_eq!(grey.decode(grey.encode([255, 0, 0, 255], 0)), [76, 76, 76, 255], "red is dark");
    }
}
