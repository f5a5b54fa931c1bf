//! Textures in emulated memory, as the GE reads them.
//!
//! # Invariants
//! [`ModelTexture::commands`] and the memory image suffice to decode a texture: these commands set the registers to
//! sample exactly the texture that the GE would.
//!
//! Source: [textures](crate::reference::ge::textures).

use image::{RgbaImage, imageops};

use super::note::FileNote;
use super::storage::TextureStorage;
use crate::ge::address::Address;
use crate::ge::capture::Source;
use crate::ge::color;
use crate::ge::command::Command;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::field::{Hex, Register, View};
use crate::ge::registers::texture::{
    ClutAddress, ClutAddressUpper, ClutFormat, LoadClut, PixelFormat, TexelFormat, TextureAddress,
    TextureBufferWidth, TextureFormat, TextureMode, TextureSize,
};
use crate::pipeline::texture::{Texture, palette};

/// The GE reaches every texel only up to this width and height. Source:
/// [texture size](crate::reference::ge::textures#texture-size).
#[doc(hidden)]
pub const LARGEST: u16 = 512;

/// A texture from a model or a texture file.
///
/// ```
/// use pspge::{Model, ModelTexture};
///
/// /// Decodes the first texture of a model with its first palette.
/// fn first_texture(model: &Model) -> Option<pspge::image::RgbaImage> {
///     let texture: &ModelTexture = model.textures.first()?;
///     Some(texture.decode(&model.memory, 0))
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ModelTexture {
    /// Its index in the file.
    pub index: usize,
    /// Its name, if the file has one.
    pub name: Option<String>,
    /// Width in texels as stored in the file, and not always a power of two.
    pub width: u16,
    /// Height in texels as stored in the file, and not always a power of two.
    pub height: u16,
    /// Texel format.
    pub format: TexelFormat,
    /// Whether texels are stored in blocks of 16 bytes × 8 rows.
    pub swizzled: bool,
    /// Row length in texels.
    pub buffer_width: u16,
    /// Where the texels start, at a multiple of 16.
    pub address: Address,
    /// Where the texels start in the file.
    pub file_offset: u64,
    /// Palettes to look up indexed texels in.
    pub palette: Option<TexturePalette>,
    /// How the file stores it; `None` if no other picture can be written in its place.
    #[doc(hidden)]
    pub storage: Option<TextureStorage>,
}

/// A texture's palettes, stored consecutively.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexturePalette {
    /// Colour format.
    pub format: PixelFormat,
    /// How many colours there are, summed over palettes.
    pub colors: u32,
    /// How many colours a palette has: 16 or 256.
    pub size: u16,
    /// Where the colours start, at a multiple of 16.
    pub address: Address,
    /// How far to shift an index right before it selects a colour; 0 unless the texture holds several pictures.
    pub shift: u8,
    /// Which bits of the shifted index select the colour; 0xFF for all.
    pub mask: u8,
}

/// Textures from a file without a model.
#[derive(Clone, Debug)]
pub struct TextureSet {
    /// A memory image with the file.
    pub memory: Memory,
    /// Maps memory back to the files it came from.
    pub sources: Vec<Source>,
    /// The textures, in file order.
    pub textures: Vec<ModelTexture>,
    /// Oddities in the file.
    pub notes: Vec<FileNote>,
}

impl TexturePalette {
    /// Returns how many palettes there are, at least 1.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.colors.div_ceil(u32::from(self.size).max(1)).max(1)
    }

    /// Returns how many bytes a colour takes.
    #[must_use]
    pub const fn color_bytes(&self) -> u32 {
        color::bytes(self.format)
    }
}

impl ModelTexture {
    /// Rounds width and height up to powers of two, because the GE knows no other sizes.
    #[must_use]
    pub const fn padded_size(&self) -> [u32; 2] {
        [1 << log2_up(self.width), 1 << log2_up(self.height)]
    }

    /// Returns factors to map the file's texture coordinates (0 to 1 over its size) to the padded size. They are 1
    /// for powers of two.
    #[must_use]
    pub fn coordinate_scale(&self) -> [f32; 2] {
        let [width, height] = self.padded_size();
        // This is exact, because both are below 2^24 and the divisor is a power of two.
        #[expect(clippy::cast_precision_loss, reason = "at most 65536")]
        let scale = |size: u16, padded: u32| f32::from(size) / padded as f32;
        [scale(self.width, width), scale(self.height, height)]
    }

    /// Returns whether the GE reaches every texel.
    #[must_use]
    pub const fn fits_the_engine(&self) -> bool {
        self.width <= LARGEST && self.height <= LARGEST && self.width > 0 && self.height > 0
    }

    /// Builds the commands to select this texture and to load palette number `palette`, or the last palette if there
    /// are fewer.
    #[must_use]
    pub fn commands(&self, palette: u32) -> Vec<Command> {
        let size = TextureSize { width_log2: log2_up(self.width), height_log2: log2_up(self.height) };
        let high = Hex(self.address.get() >> 24);
        let width = TextureBufferWidth { width: self.buffer_width, high };
        let mode = TextureMode { swizzled: self.swizzled, palette_per_level: false, max_level: 0 };
        let mut commands = vec![
            register_command(mode),
            register_command(TextureFormat { format: self.format }),
            TextureAddress { address: Hex(self.address.get()) }.to(Opcode::TEXADDR0),
            width.to(Opcode::TEXBUFWIDTH0),
            size.to(Opcode::TEXSIZE0),
        ];
        if let Some(colors) = self.palette {
            let number = palette.min(colors.count() - 1);
            let bytes = u32::from(colors.size) * colors.color_bytes();
            let address = colors.address.offset(number.wrapping_mul(bytes));
            // The last palette may be short. This loads only its colours, rounded up to blocks with 32 bytes.
            let left = colors.colors.saturating_sub(number.wrapping_mul(u32::from(colors.size)));
            let loaded = left.min(u32::from(colors.size)) * colors.color_bytes();
            let blocks = u8::try_from(loaded.div_ceil(32)).unwrap_or(u8::MAX).min(32);
            commands.extend([
                register_command(ClutFormat {
                    format: colors.format,
                    shift: colors.shift,
                    mask: Hex(colors.mask.into()),
                    start: 0,
                }),
                register_command(ClutAddress { address: Hex(address.get()) }),
                register_command(ClutAddressUpper { high: Hex(address.get() >> 24) }),
                register_command(LoadClut { blocks }),
            ]);
        }
        commands.push(Command::new(Opcode::TEXFLUSH, 0));
        commands
    }

    /// Returns registers to sample this texture with, after they loaded palette number `palette` or the last palette
    /// if there are fewer. Palette entries in missing memory are 0.
    #[must_use]
    pub fn registers(&self, memory: &Memory, palette: u32) -> Registers {
        let mut registers = Registers::new();
        for command in self.commands(palette) {
            registers.write(command);
        }
        // The result only reports a missing source. This can be ignored, because the entries are 0 already.
        let _ = palette::load(&mut registers, memory);
        registers
    }

    /// Decodes the texture with palette number `palette`, to the image the GE would sample. This is cropped to the
    /// size in the file.
    #[must_use]
    pub fn decode(&self, memory: &Memory, palette: u32) -> RgbaImage {
        let registers = self.registers(memory, palette);
        let padded = Texture::from_registers(&registers, 0).decode(memory, registers.clut());
        let [width, height] = [self.width, self.height].map(u32::from);
        let (width, height) = (width.min(padded.width()), height.min(padded.height()));
        imageops::crop_imm(&padded, 0, 0, width, height).to_image()
    }
}

/// Creates the command to write a register.
fn register_command<R: Register>(value: R) -> Command {
    Command::new(R::OPCODE, View::to_argument(value))
}

/// Computes the logarithm of the next power of two, 0 to 16. Registers store texture sizes like this.
pub(crate) const fn log2_up(size: u16) -> u8 {
    if size <= 1 { 0 } else { (u16::BITS - (size - 1).leading_zeros()).to_le_bytes()[0] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texture(width: u16, height: u16) -> ModelTexture {
        ModelTexture {
            index: 0,
            name: None,
            width,
            height,
            format: TexelFormat::CLUT4,
            swizzled: true,
            buffer_width: 32,
            address: Address::new(0x0912_3450),
            file_offset: 0,
            palette: Some(TexturePalette {
                format: PixelFormat::ABGR5551,
                colors: 40,
                size: 16,
                address: Address::new(0x0912_4000),
                shift: 0,
                mask: 0xFF,
            }),
            storage: None,
        }
    }

    #[test]
    fn sizes_round_up_to_powers_of_two() {
        for (size, log2) in [(1, 0), (2, 1), (3, 2), (256, 8), (257, 9), (512, 9), (u16::MAX, 16)] {
            assert_eq!(log2_up(size), log2, "{size}");
        }
        assert_eq!(texture(48, 64).coordinate_scale(), [0.75, 1.0], "48 of 64 texels");
    }

    #[test]
    fn palettes_are_loaded_one_at_a_time() {
        let words: Vec<u32> = texture(16, 8).commands(2).iter().map(|command| command.word()).collect();
        let expected = [
            0xC200_0001,
            0xC300_0004,
            0xA012_3450,
            0xA809_0020,
            0xB800_0304,
            0xC500_FF01,
            0xB012_4040,
            0xB109_0000,
            0xC400_0001,
            0xCB00_0000,
        ];
        assert_eq!(words, expected, "the third palette, half of which exists");
    }
}
