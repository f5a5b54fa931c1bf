//! Reads pictures from DDS files, with their levels: BC1, BC2, BC3 and BC7 blocks, and masked pixels.

use image::RgbaImage;

use super::picture::{PackPicture, PictureError};
use crate::ge::limits::Limits;

/// How a DDS file starts.
pub(super) const MAGIC: &[u8] = b"DDS ";
/// Where pixels start, without and with the second header.
const HEADER: usize = 128;
const LONG_HEADER: usize = 148;
/// The largest width and height to decode.
const SIDE_MAX: u32 = 16384;
/// Pixel format flags: only alpha, a four-letter code, colours, brightness.
const ALPHA_ONLY: u32 = 2;
const HAS_CODE: u32 = 4;
const HAS_COLORS: u32 = 0x40;
const HAS_BRIGHTNESS: u32 = 0x2_0000;
/// Flags for cube maps and volumes.
const IS_CUBE: u32 = 0x200;
const IS_VOLUME: u32 = 0x20_0000;

/// Decodes a 4x4 block into rows, for a pitch in bytes.
type DecodeBlock = fn(&[u8], &mut [u8], usize);

#[derive(Clone, Copy)]
enum Pixels {
    Blocks {
        decode: DecodeBlock,
        bytes: usize,
    },
    /// Bits for red, green, blue and alpha in a little-endian number.
    Masks {
        bytes: usize,
        masks: [u32; 4],
    },
}

const BC1: Pixels = Pixels::Blocks { decode: bcdec_rs::bc1, bytes: 8 };
const BC2: Pixels = Pixels::Blocks { decode: bcdec_rs::bc2, bytes: 16 };
const BC3: Pixels = Pixels::Blocks { decode: bcdec_rs::bc3, bytes: 16 };
const BC7: Pixels = Pixels::Blocks { decode: bcdec_rs::bc7, bytes: 16 };

/// Reads a picture's levels, the largest first.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<PackPicture>, PictureError> {
    let word = |at: usize| {
        let word = bytes.get(at..at.saturating_add(4)).and_then(|word| word.try_into().ok());
        word.map(u32::from_le_bytes).ok_or_else(|| damaged(at, "the header ends here"))
    };
    let (height, width) = (word(12)?, word(16)?);
    if !(1..=SIDE_MAX).contains(&width) || !(1..=SIDE_MAX).contains(&height) {
        return Err(damaged(12, &format!("{width}x{height} pixels; sides of 1 to {SIDE_MAX} are read")));
    }
    let kind = word(112)?;
    if kind & (IS_CUBE | IS_VOLUME) != 0 {
        let kind = if kind & IS_CUBE == 0 { "a volume" } else { "a cube map" };
        return Err(PictureError::Pixels(kind.to_owned()));
    }
    let (pixels, start) = pixels(&word)?;
    let count = word(28)?.clamp(1, u32::BITS - width.max(height).leading_zeros());
    let mut levels = Vec::new();
    let (mut at, mut decoded) = (start, 0_u64);
    for level in 0..count {
        let size = [width, height].map(|side| (side >> level).max(1));
        decoded = decoded.saturating_add(u64::from(size[0]) * u64::from(size[1]) * 4);
        if decoded > limits.decoded_bytes {
            let problem = format!("more than the limit of {} decoded bytes", limits.decoded_bytes);
            return Err(PictureError::Damaged(problem));
        }
        let length = pixels.length(size);
        let Some(data) = bytes.get(at..at.saturating_add(length)) else {
            let left = bytes.len().saturating_sub(at);
            return Err(damaged(at, &format!("level {level} needs {length} bytes, {left} are left")));
        };
        let picture = pixels.decode(data, size);
        let uses_alpha = || picture.pixels().any(|pixel| pixel.0[3] < u8::MAX);
        let has_alpha = match pixels {
            // Only BC1 has 8-byte blocks. Its header does not mention alpha, so this looks for a texel not opaque.
            Pixels::Blocks { bytes: 8, .. } => uses_alpha(),
            Pixels::Blocks { .. } => true,
            Pixels::Masks { masks, .. } => masks[3] != 0,
        };
        levels.push(PackPicture { has_alpha, pixels: picture });
        at = at.saturating_add(length);
    }
    Ok(levels)
}

fn damaged(at: usize, problem: &str) -> PictureError {
    PictureError::Damaged(format!("at {at:#x}: {problem}"))
}

/// Returns how pixels are stored and where they start.
fn pixels(word: &impl Fn(usize) -> Result<u32, PictureError>) -> Result<(Pixels, usize), PictureError> {
    let flags = word(80)?;
    let unknown = |name: String| PictureError::Pixels(name);
    if flags & HAS_CODE != 0 {
        let pixels = match &word(84)?.to_le_bytes() {
            b"DX10" => {
                let pixels = of_number(word(HEADER)?)?;
                // The second header goes on with arrays and other extras.
                word(LONG_HEADER - 4)?;
                return Ok((pixels, LONG_HEADER));
            }
            b"DXT1" => BC1,
            b"DXT2" | b"DXT3" => BC2,
            b"DXT4" | b"DXT5" => BC3,
            code => return Err(unknown(format!("pixels \"{}\"", code.escape_ascii()))),
        };
        return Ok((pixels, HEADER));
    }
    let bits = word(88)?;
    let mut masks = [word(92)?, word(96)?, word(100)?, word(104)?];
    if flags & HAS_BRIGHTNESS != 0 {
        masks = [masks[0], masks[0], masks[0], masks[3]];
    } else if flags & HAS_COLORS == 0 {
        let what = if flags & ALPHA_ONLY == 0 { "no colours" } else { "alpha alone" };
        return Err(unknown(what.to_owned()));
    }
    // Writers leave any value in the alpha mask if its flag is not set.
    masks[3] = if flags & 1 == 0 { 0 } else { masks[3] };
    if !matches!(bits, 8 | 16 | 24 | 32) {
        return Err(unknown(format!("pixels of {bits} bits")));
    }
    Ok((Pixels::Masks { bytes: bits as usize / 8, masks }, HEADER))
}

/// Returns how a numbered (DXGI) format stores pixels.
fn of_number(number: u32) -> Result<Pixels, PictureError> {
    let words = |masks: [u32; 4]| Pixels::Masks { bytes: 4, masks };
    let halves = |masks: [u32; 4]| Pixels::Masks { bytes: 2, masks };
    Ok(match number {
        27..=29 => words([0xFF, 0xFF00, 0xFF_0000, 0xFF00_0000]),
        87 | 90 | 91 => words([0xFF_0000, 0xFF00, 0xFF, 0xFF00_0000]),
        88 | 92 | 93 => words([0xFF_0000, 0xFF00, 0xFF, 0]),
        85 => halves([0xF800, 0x7E0, 0x1F, 0]),
        86 => halves([0x7C00, 0x3E0, 0x1F, 0x8000]),
        115 => halves([0xF00, 0xF0, 0xF, 0xF000]),
        70..=72 => BC1,
        73..=75 => BC2,
        76..=78 => BC3,
        97..=99 => BC7,
        _ => {
            let name = match number {
                79..=81 => "BC4".to_owned(),
                82..=84 => "BC5".to_owned(),
                94..=96 => "BC6H".to_owned(),
                _ => format!("pixels of DXGI format {number}"),
            };
            return Err(PictureError::Pixels(name));
        }
    })
}

impl Pixels {
    fn length(self, [width, height]: [u32; 2]) -> usize {
        match self {
            Self::Blocks { bytes, .. } => width.div_ceil(4) as usize * height.div_ceil(4) as usize * bytes,
            Self::Masks { bytes, .. } => width as usize * height as usize * bytes,
        }
    }

    fn decode(self, data: &[u8], [width, height]: [u32; 2]) -> RgbaImage {
        let mut picture = RgbaImage::new(width, height);
        match self {
            Self::Blocks { decode, bytes } => {
                let across = width.div_ceil(4);
                for (number, block) in (0..).zip(data.chunks_exact(bytes)) {
                    let mut texels = [0; 64];
                    decode(block, &mut texels, 16);
                    let [left, top] = [number % across * 4, number / across * 4];
                    for (at, texel) in (0..).zip(texels.as_chunks::<4>().0) {
                        // Blocks at the edges reach beyond the picture.
                        if let Some(pixel) = picture.get_pixel_mut_checked(left + at % 4, top + at / 4) {
                            pixel.0 = *texel;
                        }
                    }
                }
            }
            Self::Masks { bytes, masks } => {
                for (pixel, stored) in picture.pixels_mut().zip(data.chunks_exact(bytes)) {
                    let number = stored.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte));
                    pixel.0 = masks.map(|mask| channel(number, mask));
                    if masks[3] == 0 {
                        pixel.0[3] = u8::MAX;
                    }
                }
            }
        }
        picture
    }
}

/// Takes a pixel's masked bits and scales them to 8 bits.
fn channel(number: u32, mask: u32) -> u8 {
    let shift = mask.trailing_zeros().min(31);
    let most = u64::from(mask >> shift);
    let scaled = (u64::from((number & mask) >> shift) * 255 + most / 2).checked_div(most).unwrap_or(0);
    u8::try_from(scaled).unwrap_or(u8::MAX)
}

#[cfg(test)]
mod tests;
