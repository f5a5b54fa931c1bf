//! Shows memory as a picture: at any address, in any format, with any row length, plain or swizzled.
//!
//! # Invariants
//! Texels are decoded as in a texture. Pixels without memory are marked, so that they are never black by chance.
//!
//! ```
//! use pspge::debug::memory::image::{ImageFormat, MemoryLayout};
//! use pspge::{Address, Memory, Registers};
//!
//! let mut memory = Memory::default();
//! memory.write(Address::vram(4), &[10, 20, 30, 40]);
//! let format: ImageFormat = "ABGR8888".parse()?;
//! let layout = MemoryLayout { size: [2, 1], ..MemoryLayout::new(Address::vram(0), format) };
//! let image = layout.picture(&memory, Registers::new().clut()).into_rgba8();
//! assert_eq!(image.get_pixel(1, 0).0, [10, 20, 30, 40]);
//! # Ok::<(), String>(())
//! ```

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use image::{DynamicImage, ImageBuffer, Luma, Rgba, RgbaImage};

use crate::ge::address::{Address, VRAM_SIZE};
use crate::ge::capture::Display;
use crate::ge::memory::Memory;
use crate::ge::registers::texture::{PixelFormat, TexelFormat, TextureFormat};
use crate::ge::registers::{CLUT_BYTES, Registers};
use crate::pipeline::framebuffer::ColorSurface;
use crate::pipeline::texture::palette::Palette;
use crate::pipeline::texture::swizzle::BLOCK_HEIGHT;
use crate::pipeline::texture::{Texture, dxt};

/// The largest width and height that a picture can have.
pub const SIZE_MAX: u32 = 4096;
/// The colour that marks pixels without memory: magenta.
pub const UNMAPPED: [u8; 4] = [255, 0, 255, 255];

/// How a pixel is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageFormat {
    /// As in textures. Colour buffers have the first four formats, too.
    Texels(TexelFormat),
    /// 16-bit depth.
    Depth16,
}

impl ImageFormat {
    /// All formats.
    pub const ALL: [Self; 12] = [
        Self::Texels(TexelFormat::BGR5650),
        Self::Texels(TexelFormat::ABGR5551),
        Self::Texels(TexelFormat::ABGR4444),
        Self::Texels(TexelFormat::ABGR8888),
        Self::Texels(TexelFormat::CLUT4),
        Self::Texels(TexelFormat::CLUT8),
        Self::Texels(TexelFormat::CLUT16),
        Self::Texels(TexelFormat::CLUT32),
        Self::Texels(TexelFormat::DXT1),
        Self::Texels(TexelFormat::DXT3),
        Self::Texels(TexelFormat::DXT5),
        Self::Depth16,
    ];

    /// Returns the format's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Texels(format) => format.name().unwrap_or("CODE"),
            Self::Depth16 => "DEPTH16",
        }
    }

    /// Returns whether pixels are palette indices.
    #[must_use]
    pub const fn has_palette(self) -> bool {
        matches!(self, Self::Texels(format) if format.is_indexed())
    }

    /// Returns whether pixels are stored in compressed blocks.
    #[must_use]
    pub const fn is_compressed(self) -> bool {
        matches!(self, Self::Texels(format) if format.is_compressed())
    }

    /// Returns the texel format with the same bits, to decode depth like texels.
    const fn texels(self) -> TexelFormat {
        match self {
            Self::Texels(format) => format,
            Self::Depth16 => TexelFormat::BGR5650,
        }
    }
}

impl From<PixelFormat> for ImageFormat {
    fn from(format: PixelFormat) -> Self {
        Self::Texels(TexelFormat::from_number(format.number()))
    }
}

impl fmt::Display for ImageFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for ImageFormat {
    type Err = String;

    /// Parses a name. Palette indices are also called `INDEX4` and so on.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let name = text.to_ascii_uppercase().replace("INDEX", "CLUT");
        Self::ALL.into_iter().find(|format| format.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("no format {text:?}: expected one of {names}")
        })
    }
}

/// A picture in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryLayout {
    /// The first byte's address.
    pub address: Address,
    /// Width and height in pixels, at most [`SIZE_MAX`].
    pub size: [u32; 2],
    /// How far apart rows start, in pixels; 0 to use the width.
    pub stride: u32,
    /// How a pixel is stored.
    pub format: ImageFormat,
    /// Whether pixels are stored in blocks with 16 bytes by 8 rows.
    pub is_swizzled: bool,
    /// How indices select palette colours.
    pub palette: Palette,
}

impl MemoryLayout {
    /// Creates a picture without pixels. If it needs a palette, this palette has 32-bit colours.
    #[must_use]
    pub const fn new(address: Address, format: ImageFormat) -> Self {
        let palette =
            Palette { format: PixelFormat::ABGR8888, shift: 0, mask: 0xFF, start: 0, level_offset: 0 };
        Self { address, size: [0; 2], stride: 0, format, is_swizzled: false, palette }
    }

    /// Creates a picture of memory at a moment in a run. Unless a format is given, row length and format come from
    /// the screen or the colour buffer at this address. If there is neither, the format is ABGR8888. The registers
    /// select how to use palette memory.
    #[must_use]
    pub fn found(
        address: Address,
        size: [u32; 2],
        format: Option<ImageFormat>,
        registers: &Registers,
        display: Option<Display>,
    ) -> Self {
        let surface = ColorSurface::from_registers(registers);
        let known = match display {
            Some(display) if display.address == address => Some((display.stride, display.format)),
            _ if Address::vram(surface.address) == address => Some((surface.stride, surface.format)),
            _ => None,
        };
        let format =
            format.or(known.map(|(_, format)| format.into())).unwrap_or(PixelFormat::ABGR8888.into());
        let palette = Palette::from_registers(registers, registers.get::<TextureFormat>().format, 0);
        let stride = known.map_or(0, |(stride, _)| stride);
        Self { size, stride, palette, ..Self::new(address, format) }
    }

    /// Returns the picture as a texture, to decode its texels.
    fn texture(&self) -> Texture {
        let format = self.format.texels();
        let stride = if self.stride == 0 { self.size[0] } else { self.stride };
        let bits = format.bits();
        let row_bytes = if format.is_compressed() {
            stride.div_ceil(dxt::BLOCK).saturating_mul(bits.saturating_mul(dxt::BLOCK * dxt::BLOCK / 8))
        } else {
            let bytes = stride.saturating_mul(bits).div_ceil(8);
            if self.is_swizzled { bytes.next_multiple_of(16) } else { bytes }
        };
        Texture {
            address: self.address,
            row_bytes,
            width_log2: 0,
            height_log2: 0,
            format,
            swizzled: self.is_swizzled && !format.is_compressed(),
            palette: self.palette,
        }
    }

    /// Returns how many bytes the picture takes in memory, from its first byte to its last.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        let texture = self.texture();
        let [width, height] = self.size;
        if width == 0 || height == 0 {
            return 0;
        }
        if texture.swizzled {
            return height.next_multiple_of(BLOCK_HEIGHT).saturating_mul(texture.row_bytes);
        }
        let (columns, rows) = (width.saturating_sub(1), height.saturating_sub(1));
        let last = texture.texel_address(columns, rows);
        last.get().wrapping_sub(self.address.get()).saturating_add(self.unit())
    }

    /// Returns how many bytes to read for a pixel or a compressed block.
    fn unit(&self) -> u32 {
        let bits = self.format.texels().bits();
        if self.format.is_compressed() { bits.saturating_mul(2) } else { bits.div_ceil(8) }
    }

    /// Decodes the picture: depth as 16-bit grey, everything else as colours with alpha. `clut` is palette memory.
    /// Pixels without memory are [`UNMAPPED`], or 0 if they are depth.
    #[must_use]
    pub fn picture(&self, memory: &Memory, clut: &[u8; CLUT_BYTES]) -> DynamicImage {
        let texture = self.texture();
        let [width, height] = self.size.map(|side| side.min(SIZE_MAX));
        if self.format == ImageFormat::Depth16 {
            let depth = |x, y| Luma([memory.read_u16(texture.texel_address(x, y))]);
            return DynamicImage::ImageLuma16(ImageBuffer::from_fn(width, height, depth));
        }
        let unit = self.unit();
        DynamicImage::ImageRgba8(RgbaImage::from_fn(width, height, |x, y| {
            if memory.is_mapped(texture.texel_address(x, y), unit) {
                Rgba(texture.texel(memory, clut, x, y))
            } else {
                Rgba(UNMAPPED)
            }
        }))
    }
}

/// Finds which parts of `length` bytes exist in memory, relative to the address.
#[must_use]
pub fn mapped_parts(memory: &Memory, address: Address, length: u32) -> Vec<Range<u32>> {
    /// All memory starts and ends at a multiple of this.
    const STEP: u32 = 0x1000;
    let mut parts: Vec<Range<u32>> = Vec::new();
    let mut at = 0_u32;
    while at < length {
        let here = address.offset(at);
        let count = STEP.saturating_sub(here.get() % STEP).min(length.saturating_sub(at));
        let end = at.saturating_add(count);
        if memory.is_mapped(here, count) {
            match parts.last_mut() {
                Some(last) if last.end == at => last.end = end,
                _ => parts.push(at..end),
            }
        }
        at = end;
    }
    parts
}

/// Parses an address as users write it: a number, in hexadecimal with `0x`. A number below VRAM's size is an offset
/// in VRAM.
///
/// # Errors
/// If the text is not such a number.
pub fn parse_address(text: &str) -> Result<Address, String> {
    let number = match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    };
    let number = number.ok_or_else(|| format!("{text:?} is no address, such as 0x04000000"))?;
    let is_offset = number < VRAM_SIZE;
    Ok(if is_offset { Address::vram(number) } else { Address::new(number) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_names() {
        for format in ImageFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format), "{format}");
        }
        assert_eq!("index8".parse(), Ok(ImageFormat::Texels(TexelFormat::CLUT8)), "another name");
        let error = "RGBA".parse::<ImageFormat>().expect_err("unknown");
        assert!(error.starts_with("no format \"RGBA\": expected one of BGR5650, "), "{error}");
    }

    #[test]
    fn any_address_and_row_length() {
        let mut memory = Memory::default();
        let start = Address::new(0x0880_0003);
        memory.write(start.offset(3 * 4 + 4), &[9, 8, 7, 6]);
        let format = ImageFormat::Texels(TexelFormat::ABGR8888);
        let layout = MemoryLayout { size: [2, 2], stride: 3, ..MemoryLayout::new(start, format) };
        let picture = layout.picture(&memory, &[0; CLUT_BYTES]).into_rgba8();
        assert_eq!(picture.get_pixel(1, 1).0, [9, 8, 7, 6], "at an odd address");
        assert_eq!(layout.bytes(), 20, "to the last pixel");
        let swizzled = MemoryLayout { size: [4, 9], is_swizzled: true, ..MemoryLayout::new(start, format) };
        assert_eq!(swizzled.bytes(), 256, "two rows of blocks");
        let compressed =
            MemoryLayout { size: [5, 5], ..MemoryLayout::new(start, ImageFormat::Texels(TexelFormat::DXT5)) };
        assert_eq!(compressed.bytes(), 64, "four blocks");
        let nibbles = MemoryLayout {
            size: [3, 2],
            ..MemoryLayout::new(start, ImageFormat::Texels(TexelFormat::CLUT4))
        };
        assert_eq!(nibbles.bytes(), 4, "half bytes");
        assert_eq!(MemoryLayout::new(start, format).bytes(), 0, "no pixels");
    }

    #[test]
    fn depth_is_in_order_in_its_view() {
        let mut memory = Memory::default();
        let view = Address::new(0x0460_0000);
        for x in 0..64_u8 {
            memory.write(view.offset(u32::from(x) * 2), &[x, 1]);
        }
        let layout = MemoryLayout { size: [64, 1], ..MemoryLayout::new(view, ImageFormat::Depth16) };
        let picture = layout.picture(&memory, &[0; CLUT_BYTES]).into_luma16();
        assert!((0..64).all(|x| u32::from(picture.get_pixel(x, 0).0[0]) == 0x100 + x), "in order");
        let linear = MemoryLayout { address: Address::vram(0), ..layout };
        assert_ne!(linear.picture(&memory, &[0; CLUT_BYTES]).into_luma16(), picture, "permuted");
    }

    #[test]
    fn missing_memory_is_marked() {
        let memory = Memory::default();
        let end = Address::new(0x0C00_0000 - 8);
        let format = ImageFormat::Texels(TexelFormat::ABGR8888);
        let layout = MemoryLayout { size: [4, 1], ..MemoryLayout::new(end, format) };
        let picture = layout.picture(&memory, &[0; CLUT_BYTES]).into_rgba8();
        let pixels: Vec<[u8; 4]> = picture.pixels().map(|pixel| pixel.0).collect();
        assert_eq!(pixels, [[0; 4], [0; 4], UNMAPPED, UNMAPPED], "after the end of RAM");
        assert_eq!(mapped_parts(&memory, end, 16), vec![0..8], "half of it");
        assert_eq!(mapped_parts(&memory, Address::new(0x03FF_F000), 0x3000), vec![0x1000..0x3000], "VRAM");
        assert!(mapped_parts(&memory, Address::new(0x0600_0000), 9).is_empty(), "none");
    }

    #[test]
    fn small_numbers_are_offsets() {
        assert_eq!(parse_address("0x88000"), Ok(Address::vram(0x8_8000)), "in VRAM");
        assert_eq!(parse_address("0x08800000"), Ok(Address::new(0x0880_0000)), "in RAM");
        assert!(parse_address("08x").is_err() && parse_address("").is_err(), "no number");
    }
}
