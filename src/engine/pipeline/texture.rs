//! Turns texture registers and bytes in memory into texels.
//!
//! # Invariants
//! Decoding is a pure function of bytes, registers and palette memory. Whatever size the registers hold, only 512
//! texels exist along each axis. Missing memory reads as 0.
//!
//! Source: [textures](crate::reference::ge::textures) (hardware tests `texcolors/*`, `textures/size`).

use image::{Rgba, RgbaImage};

use crate::ge::address::Address;
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::texture::{
    PixelFormat, TexelFormat, TextureAddress, TextureBufferWidth, TextureFormat, TextureMode, TextureSize,
};
use crate::ge::registers::{CLUT_BYTES, Registers};

pub mod content_hash;
#[doc(hidden)]
pub mod dxt;
pub mod palette;
#[doc(hidden)]
pub mod swizzle;

use palette::Palette;

/// How many texels exist along each axis at most.
#[doc(hidden)]
pub const MAX_SIZE: u32 = 512;

/// The highest mip level.
#[doc(hidden)]
pub const MAX_LEVEL: u8 = 7;

/// Whether a draw with these registers samples a texture, provided that its vertices have texture coordinates.
#[doc(hidden)]
#[must_use]
pub fn is_used(registers: &Registers) -> bool {
    registers.is_on(Opcode::TEXENABLE) && !registers.get::<ClearMode>().enabled
}

/// A mip level, as the texture registers describe it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Texture {
    /// Where the texels start.
    pub address: Address,
    /// How many bytes a row has, a multiple of 16. For DXT, this counts a row of blocks.
    pub row_bytes: u32,
    /// The width's logarithm, 0 to 15.
    pub width_log2: u8,
    /// The height's logarithm, 0 to 15.
    pub height_log2: u8,
    /// How texels are stored.
    pub format: TexelFormat,
    /// Whether texels are stored in blocks of 16 bytes by 8 rows.
    pub swizzled: bool,
    /// The palette, for formats that have one.
    pub palette: Palette,
}

/// How a level is stored in memory: rows of texels, DXT blocks, or swizzled blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct StoredRows {
    /// How many rows there are, at least 1.
    pub count: u32,
    /// How many bytes a row's texels occupy. Rows overlap if this exceeds [`Self::stride`].
    pub bytes: u32,
    /// How far apart rows start, in bytes.
    pub stride: u32,
}

impl Texture {
    /// Reads mip level `level`, 0 to 7, from TEXADDR, TEXBUFWIDTH, TEXSIZE, TEXMODE, TEXFORMAT and CLUTFORMAT.
    #[must_use]
    pub fn from_registers(registers: &Registers, level: u8) -> Self {
        let level = level.min(MAX_LEVEL);
        let width: TextureBufferWidth = registers.view(Opcode::TEXBUFWIDTH0.plus(level));
        let size: TextureSize = registers.view(Opcode::TEXSIZE0.plus(level));
        let format = registers.get::<TextureFormat>().format;
        Self {
            address: TextureAddress::of_level(registers, level),
            row_bytes: row_bytes(format, u32::from(width.width)),
            width_log2: size.width_log2,
            height_log2: size.height_log2,
            format,
            swizzled: registers.get::<TextureMode>().swizzled && !format.is_compressed(),
            palette: Palette::from_registers(registers, format, level),
        }
    }

    /// Returns the width in texels, 1 to 32768, to scale coordinates by.
    #[must_use]
    pub const fn width(&self) -> u32 {
        1 << (self.width_log2 & 15)
    }

    /// Returns the height in texels, 1 to 32768, to scale coordinates by.
    #[must_use]
    pub const fn height(&self) -> u32 {
        1 << (self.height_log2 & 15)
    }

    /// Computes how many bytes this level covers from [`Self::address`], including gaps between rows. For DXT, a
    /// row holds blocks and so covers four rows of texels.
    #[must_use]
    pub fn bytes(&self) -> u32 {
        let StoredRows { count, bytes, stride } = self.stored_rows();
        (count - 1) * stride + bytes.max(stride)
    }

    /// Returns how the existing texels are stored in memory.
    #[must_use]
    #[doc(hidden)]
    pub fn stored_rows(&self) -> StoredRows {
        let (width, height) = (self.width().min(MAX_SIZE), self.height().min(MAX_SIZE));
        let texels = (width * self.format.bits()).div_ceil(8);
        if self.format.is_compressed() {
            StoredRows {
                count: height.div_ceil(dxt::BLOCK),
                bytes: width.div_ceil(dxt::BLOCK) * self.format.block_bytes(),
                stride: self.row_bytes,
            }
        } else if self.swizzled {
            StoredRows {
                count: height.div_ceil(8),
                bytes: texels.next_multiple_of(16) * 8,
                stride: self.row_bytes * 8,
            }
        } else {
            StoredRows { count: height, bytes: texels, stride: self.row_bytes }
        }
    }

    /// Decodes texel (`u`, `v`) to red, green, blue and alpha. Beyond the texture's size this reads the memory
    /// there. Invalid formats are transparent black (assumed).
    #[must_use]
    pub fn texel(&self, memory: &Memory, clut: &[u8; CLUT_BYTES], u: u32, v: u32) -> [u8; 4] {
        self.color_of(clut, self.stored(memory, u, v))
    }

    /// Reads the bits stored for texel (`u`, `v`). For a compressed texel this returns its colour.
    #[must_use]
    pub(crate) fn stored(&self, memory: &Memory, u: u32, v: u32) -> u32 {
        let (column, row) = (u % dxt::BLOCK, v % dxt::BLOCK);
        u32::from_le_bytes(match self.format {
            TexelFormat::DXT1 => dxt::dxt1(memory.read_array(self.block(u, v)), column, row),
            TexelFormat::DXT3 => dxt::dxt3(memory.read_array(self.block(u, v)), column, row),
            TexelFormat::DXT5 => dxt::dxt5(memory.read_array(self.block(u, v)), column, row),
            _ => return self.bits(memory, u, v),
        })
    }

    /// Decodes bits read by [`Self::stored`].
    #[must_use]
    pub(crate) fn color_of(&self, clut: &[u8; CLUT_BYTES], bits: u32) -> [u8; 4] {
        match self.format {
            TexelFormat::BGR5650 => color::decode(PixelFormat::BGR5650, bits),
            TexelFormat::ABGR5551 => color::decode(PixelFormat::ABGR5551, bits),
            TexelFormat::ABGR4444 => color::decode(PixelFormat::ABGR4444, bits),
            TexelFormat::ABGR8888 => color::decode(PixelFormat::ABGR8888, bits),
            format if format.is_indexed() => self.palette.color(clut, bits),
            format if format.is_compressed() => bits.to_le_bytes(),
            _ => [0; 4],
        }
    }

    /// Decodes this level to an image, limited to the 512 texels that exist along each axis.
    #[must_use]
    pub fn decode(&self, memory: &Memory, clut: &[u8; CLUT_BYTES]) -> RgbaImage {
        RgbaImage::from_fn(self.width().min(MAX_SIZE), self.height().min(MAX_SIZE), |u, v| {
            Rgba(self.texel(memory, clut, u, v))
        })
    }

    /// Computes the address of the byte that holds the first bit of texel (`u`, `v`). For a compressed texture this
    /// is its block's address.
    #[must_use]
    pub fn texel_address(&self, u: u32, v: u32) -> Address {
        if self.format.is_compressed() {
            return self.block(u, v);
        }
        let x = (u & 0xFFFF) * self.format.bits() / 8;
        let y = v & 0xFFFF;
        let offset =
            if self.swizzled { swizzle::offset(x, y, self.row_bytes) } else { y * self.row_bytes + x };
        self.address.offset(offset)
    }

    /// Returns the palette entry that these stored bits select, or `None` if the format has no palette.
    #[must_use]
    pub(crate) fn palette_entry(&self, bits: u32) -> Option<u16> {
        self.format.is_indexed().then(|| self.palette.entry(bits))
    }

    /// Reads an uncompressed texel as stored.
    fn bits(&self, memory: &Memory, u: u32, v: u32) -> u32 {
        let address = self.texel_address(u, v);
        match self.format.bits() {
            4 => u32::from(memory.read_u8(address) >> (4 * (u & 1))) & 15,
            8 => u32::from(memory.read_u8(address)),
            16 => u32::from(memory.read_u16(address)),
            _ => memory.read_u32(address),
        }
    }

    /// Computes where a texel's compressed block is.
    fn block(&self, u: u32, v: u32) -> Address {
        let (column, row) = ((u & 0xFFFF) / dxt::BLOCK, (v & 0xFFFF) / dxt::BLOCK);
        self.address.offset(row * self.row_bytes + column * self.format.block_bytes())
    }
}

/// Computes the bytes per row from a register's buffer width. This rounds down to 16 bytes, but gives at least 16.
/// Compressed textures use whole blocks instead (assumed).
const fn row_bytes(format: TexelFormat, register: u32) -> u32 {
    let texels = register & 0x7FF;
    if format.is_compressed() {
        return texels / dxt::BLOCK * format.block_bytes();
    }
    let bytes = texels * format.bits() / 8 / 16 * 16;
    if bytes == 0 { 16 } else { bytes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::command::Command;

    fn registers(format: TexelFormat, width: u32, swizzled: u32) -> Registers {
        Registers::with([
            (Opcode::TEXADDR0, 0x80_000F),
            (Opcode::TEXBUFWIDTH0, 0x08_0000 | width),
            (Opcode::TEXSIZE0, 0x0304),
            (Opcode::TEXMODE, swizzled),
            (Opcode::TEXFORMAT, u32::from(format.number())),
            (Opcode::CLUTFORMAT, 0xFF03),
        ])
    }

    fn texel(memory: &Memory, registers: &Registers, u: u32, v: u32) -> [u8; 4] {
        Texture::from_registers(registers, 0).texel(memory, registers.clut(), u, v)
    }

    #[test]
    fn reads_address_and_size() {
        let texture = Texture::from_registers(&registers(TexelFormat::CLUT8, 32, 0), 0);
        assert_eq!(texture.address, Address::new(0x0880_0000), "the lowest four bits are ignored");
        assert_eq!((texture.width(), texture.height()), (16, 8), "sizes are powers of two");
        let picture = texture.decode(&Memory::default(), &[0; CLUT_BYTES]);
        assert_eq!(picture.dimensions(), (16, 8), "picture");
    }

    /// From `reference/ge/textures.md#buffer-width`.
    #[test]
    fn rounds_buffer_width_to_16_bytes() {
        for (format, width, expected) in [
            (TexelFormat::ABGR8888, 0, 16),
            (TexelFormat::ABGR8888, 3, 16),
            (TexelFormat::ABGR8888, 7, 16),
            (TexelFormat::ABGR8888, 8, 32),
            (TexelFormat::BGR5650, 0, 16),
            (TexelFormat::BGR5650, 31, 48),
            (TexelFormat::CLUT8, 0xF810, 16),
            (TexelFormat::CLUT4, 63, 16),
            (TexelFormat::CLUT4, 64, 32),
            (TexelFormat::DXT1, 12, 24),
            (TexelFormat::DXT5, 12, 48),
        ] {
            let texture = Texture::from_registers(&registers(format, width, 0), 0);
            assert_eq!(texture.row_bytes, expected, "{format} of width {width}");
        }
    }

    #[test]
    fn decodes_direct_color_formats() {
        let mut memory = Memory::default();
        let base = Address::new(0x0880_0000);
        memory.write(base.offset(16 + 4), &[0x1F, 0x80, 0x34, 0x12]);
        for (format, u, expected) in [
            (TexelFormat::BGR5650, 2, [255, 0, 132, 255]),
            (TexelFormat::ABGR5551, 2, [255, 0, 0, 255]),
            (TexelFormat::ABGR4444, 3, [0x44, 0x33, 0x22, 0x11]),
            (TexelFormat::ABGR8888, 1, [0x1F, 0x80, 0x34, 0x12]),
        ] {
            assert_eq!(texel(&memory, &registers(format, 0, 0), u, 1), expected, "{format}");
        }
        assert_eq!(
            texel(&memory, &registers(TexelFormat::from_number(11), 0, 0), 2, 1),
            [0; 4],
            "invalid format"
        );
    }

    #[test]
    fn decodes_palette_formats() {
        let mut memory = Memory::default();
        memory.write(Address::new(0x0880_0004), &[0x21, 0, 0, 0]);
        let with_palette = |format| {
            let mut registers = registers(format, 0, 0);
            for entry in 0..=255 {
                registers.clut_mut()[usize::from(entry) * 4] = entry;
            }
            registers
        };
        for (format, u, expected) in [
            (TexelFormat::CLUT4, 8, 1),
            (TexelFormat::CLUT4, 9, 2),
            (TexelFormat::CLUT8, 4, 0x21),
            (TexelFormat::CLUT16, 2, 0x21),
            (TexelFormat::CLUT32, 1, 0x21),
        ] {
            assert_eq!(texel(&memory, &with_palette(format), u, 0), [expected, 0, 0, 0], "{format} at {u}");
        }
    }

    #[test]
    fn swizzled_rows_are_16_bytes_apart() {
        let mut memory = Memory::default();
        memory.write(Address::new(0x0880_0000 + 128 + 16), &[1, 2, 3, 4]);
        let registers = registers(TexelFormat::ABGR8888, 16, 1);
        assert_eq!(texel(&memory, &registers, 4, 1), [1, 2, 3, 4], "second block, second row");
    }

    #[test]
    fn compressed_blocks_ignore_swizzling() {
        let mut memory = Memory::default();
        let block = [0, 0, 0, 0, 0x00, 0xF8, 0, 0];
        memory.write(Address::new(0x0880_0000 + 2 * 16 + 8), &block);
        let registers = registers(TexelFormat::DXT1, 8, 1);
        assert_eq!(texel(&memory, &registers, 5, 9), [0xF8, 0, 0, 255], "third row of blocks, second block");
    }

    #[test]
    fn reads_textures_through_any_vram_view() {
        let mut memory = Memory::default();
        memory.write_u32(Address::new(0x0420_0000), 0x0403_0201);
        let mut registers = registers(TexelFormat::ABGR8888, 16, 0);
        registers.write(Command::new(Opcode::TEXADDR0, 0x20_0000));
        registers.write(Command::new(Opcode::TEXBUFWIDTH0, 0x04_0010));
        assert_eq!(texel(&memory, &registers, 0, 0), [1, 2, 3, 4], "permuted view");
    }
}
