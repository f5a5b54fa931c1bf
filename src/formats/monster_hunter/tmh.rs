//! TMH: the textures of Monster Hunter models.
//!
//! # Invariants
//! Every returned texture has all its texels in the file, and a palette if its format needs one.
//! Source: [TMH textures](crate::reference::formats::pmo#tmh-textures).

use thiserror::Error;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::problem::FormatProblem;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::model::texture::LARGEST;
use crate::model::{FileNoteKind, ModelTexture, TexturePalette, TextureSet};

/// Magic of the supported version.
pub(super) const MAGIC: &[u8; 8] = b".TMH0.14";
/// Buffer widths have 11 bits.
/// Source: [buffer width](crate::reference::ge::textures#buffer-width).
const WIDEST_BUFFER: u64 = 2047;

/// A problem of a TMH file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TmhProblem {
    /// A wrong magic or version.
    #[error("not a TMH file of version 0.14")]
    Magic,
    /// More images than the file has room for.
    #[error("{0} images do not fit into a file of this size")]
    Count(u32),
    /// A block smaller than its own header.
    #[error("a block of {0} bytes is smaller than its header")]
    BlockSize(u32),
    /// A pixel format above 10.
    #[error("pixel format {0} does not exist")]
    PixelFormat(u32),
    /// A palette format above 3.
    #[error("palette format {0} does not exist")]
    PaletteFormat(u32),
    /// An image of width or height 0.
    #[error("the image has no pixels")]
    Empty,
    /// Too few bytes of pixels.
    #[error("the image needs {needed} bytes of pixels, but its block has {available}")]
    Pixels {
        /// Bytes required.
        needed: u64,
        /// Bytes available.
        available: u64,
    },
    /// An empty palette, or too few bytes for it.
    #[error("{colors} colours do not fit into the palette block")]
    Colors {
        /// Colours according to the header.
        colors: u32,
    },
    /// An indexed image without a palette.
    #[error("the image has indexed pixels but no palette")]
    NoPalette,
    /// Rows that exceed the GE's buffer width.
    #[error("rows of {0} texels are longer than the Graphics Engine supports")]
    TooWide(u64),
    /// An image larger than the GE supports.
    #[error("the image is larger than 512x512; the Graphics Engine reads no texels beyond that")]
    TooLarge,
    /// A width or height other than a power of two.
    #[error("the image's sides are not powers of two; coordinates are scaled, and repeats show a gap")]
    NoPowerOfTwo,
}

impl FormatProblem for TmhProblem {
    fn code(&self) -> &'static str {
        match self {
            Self::Magic => "unsupported-version",
            _ => "damaged",
        }
    }

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Pixels { .. } => FileNoteKind::Incomplete,
            Self::TooLarge | Self::NoPowerOfTwo => FileNoteKind::NotExpressed,
            _ => FileNoteKind::Mismatch,
        }
    }
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct ImageHeader {
    size: U32,
    flags: [U32; 2],
    has_palette: U32,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct PixelHeader {
    size: U32,
    flags: U32,
    format: U32,
    width: U16,
    height: U16,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct PaletteHeader {
    size: U32,
    flags: U32,
    format: U32,
    colors: U32,
}

/// Size in bytes of each header.
const HEADER: u64 = 16;

/// A parsed texture file.
#[derive(Clone, Debug)]
pub(super) struct Tmh<'a> {
    file: View<'a>,
    images: Vec<Image>,
    pub(super) warnings: Warnings,
}

/// An image. Offsets count from the start of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Image {
    format: TexelFormat,
    width: u16,
    height: u16,
    buffer_width: u16,
    pixels: u64,
    /// Bytes of pixels that the GE reads.
    pixel_bytes: u64,
    /// Number of those bytes that the file has.
    stored_bytes: u64,
    palette: Option<Palette>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Palette {
    format: PixelFormat,
    count: u32,
    offset: u64,
}

/// Returns true if the bytes start like a TMH file of any version.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(b".TMH")
}

/// Reads a texture file.
pub(super) fn read(file: View<'_>) -> Result<Tmh<'_>, FormatError> {
    if file.slice(0, 8)? != MAGIC {
        return Err(file.error(0, TmhProblem::Magic));
    }
    let count = file.word(8)?;
    if u64::from(count).saturating_mul(2 * HEADER) > file.len() {
        return Err(file.error(8, TmhProblem::Count(count)));
    }
    let mut tmh = Tmh { file, images: Vec::new(), warnings: Warnings::default() };
    let mut at = HEADER;
    for _ in 0..count {
        let header: ImageHeader = file.read(at)?;
        let size = block_size(file, at, header.size)?;
        let image = read_image(file, at, size, header.has_palette.get() != 0, &mut tmh.warnings)?;
        tmh.images.push(image);
        at = at.saturating_add(size);
    }
    Ok(tmh)
}

/// Returns the size of a block, including its header. The block is inside the file.
fn block_size(file: View<'_>, at: u64, size: U32) -> Result<u64, FormatError> {
    let bytes = u64::from(size.get());
    if bytes < HEADER {
        return Err(file.error(at, TmhProblem::BlockSize(size.get())));
    }
    file.slice(at, bytes)?;
    Ok(bytes)
}

fn read_image(
    file: View<'_>,
    at: u64,
    size: u64,
    has_palette: bool,
    warnings: &mut Warnings,
) -> Result<Image, FormatError> {
    let end = at.saturating_add(size);
    let pixel_at = at.saturating_add(HEADER);
    let header: PixelHeader = file.read(pixel_at)?;
    let pixel_size = block_size(file, pixel_at, header.size)?;
    if pixel_at.saturating_add(pixel_size) > end {
        return Err(file.error(pixel_at, TmhProblem::BlockSize(header.size.get())));
    }
    let format = match header.format.get() {
        number @ 0..=10 => TexelFormat::from_number(number.to_le_bytes()[0]),
        other => return Err(file.error(pixel_at.saturating_add(8), TmhProblem::PixelFormat(other))),
    };
    let (width, height) = (header.width.get(), header.height.get());
    let size_at = pixel_at.saturating_add(12);
    if width == 0 || height == 0 {
        return Err(file.error(size_at, TmhProblem::Empty));
    }
    let layout = Layout::of(format, width, height);
    if layout.buffer_width > WIDEST_BUFFER {
        return Err(file.error(size_at, TmhProblem::TooWide(layout.buffer_width)));
    }
    let available = pixel_size.saturating_sub(HEADER);
    if available < layout.tight_bytes {
        let needed = layout.tight_bytes;
        return Err(file.error(pixel_at, TmhProblem::Pixels { needed, available }));
    }
    if available < layout.bytes {
        warnings.push(file.error(pixel_at, TmhProblem::Pixels { needed: layout.bytes, available }));
    }
    if width > LARGEST || height > LARGEST {
        warnings.push(file.error(size_at, TmhProblem::TooLarge));
    } else if !width.is_power_of_two() || !height.is_power_of_two() {
        warnings.push(file.error(size_at, TmhProblem::NoPowerOfTwo));
    }
    let palette_at = pixel_at.saturating_add(pixel_size);
    let palette = if has_palette {
        Some(read_palette(file, palette_at, end)?).filter(|_| is_indexed(format))
    } else {
        None
    };
    if is_indexed(format) && palette.is_none() {
        return Err(file.error(at.saturating_add(12), TmhProblem::NoPalette));
    }
    Ok(Image {
        format,
        width,
        height,
        buffer_width: u16::try_from(layout.buffer_width).unwrap_or(u16::MAX),
        pixels: pixel_at.saturating_add(HEADER),
        pixel_bytes: layout.bytes,
        stored_bytes: layout.bytes.min(available),
        palette,
    })
}

fn read_palette(file: View<'_>, at: u64, end: u64) -> Result<Palette, FormatError> {
    let header: PaletteHeader = file.read(at)?;
    let size = block_size(file, at, header.size)?;
    let format = match header.format.get() {
        number @ 0..=3 => PixelFormat::from_number(number.to_le_bytes()[0]),
        other => return Err(file.error(at.saturating_add(8), TmhProblem::PaletteFormat(other))),
    };
    let count = header.colors.get();
    let color_bytes = if format == PixelFormat::ABGR8888 { 4 } else { 2 };
    let fits = u64::from(count).saturating_mul(color_bytes) <= size.saturating_sub(HEADER);
    if count == 0 || !fits || at.saturating_add(size) > end {
        return Err(file.error(at.saturating_add(12), TmhProblem::Colors { colors: count }));
    }
    Ok(Palette { format, count, offset: at.saturating_add(HEADER) })
}

fn is_indexed(format: TexelFormat) -> bool {
    matches!(format, TexelFormat::CLUT4 | TexelFormat::CLUT8 | TexelFormat::CLUT16 | TexelFormat::CLUT32)
}

fn is_compressed(format: TexelFormat) -> bool {
    matches!(format, TexelFormat::DXT1 | TexelFormat::DXT3 | TexelFormat::DXT5)
}

/// The memory layout of an image.
struct Layout {
    /// Texels between successive rows.
    buffer_width: u64,
    /// Bytes with rows padded to 16 bytes and the height to 8 rows.
    bytes: u64,
    /// Bytes without padding.
    tight_bytes: u64,
}

impl Layout {
    fn of(format: TexelFormat, width: u16, height: u16) -> Self {
        let (width, height) = (u64::from(width), u64::from(height));
        let bits: u64 = match format {
            TexelFormat::CLUT4 | TexelFormat::DXT1 => 4,
            TexelFormat::CLUT8 | TexelFormat::DXT3 | TexelFormat::DXT5 => 8,
            TexelFormat::ABGR8888 | TexelFormat::CLUT32 => 32,
            _ => 16,
        };
        let size = |width: u64, height: u64| width.saturating_mul(height).saturating_mul(bits).div_ceil(8);
        if is_compressed(format) {
            let (width, height) = (width.next_multiple_of(4), height.next_multiple_of(4));
            let bytes = size(width, height);
            return Self { buffer_width: width, bytes, tight_bytes: bytes };
        }
        let buffer_width = width.next_multiple_of(128_u64.checked_div(bits).unwrap_or(1).max(1));
        let bytes = size(buffer_width, height.next_multiple_of(8));
        Self { buffer_width, bytes, tight_bytes: size(width, 1).saturating_mul(height) }
    }
}

impl Tmh<'_> {
    /// Returns the number of images.
    pub(super) const fn len(&self) -> usize {
        self.images.len()
    }

    /// Loads the file. Copies pixels and palettes that are misaligned or lack padding.
    pub(super) fn load(&self, name: &str, loader: &mut Loader) -> Result<Vec<ModelTexture>, FormatError> {
        let start = loader.place(name, self.file, 16)?;
        let mut load = |offset: u64, stored: u64, needed: u64| {
            if offset & 15 == 0 && stored == needed {
                return Ok(start.offset(u32::try_from(offset).unwrap_or(0)));
            }
            loader.place_padded(name, self.file.view(offset, stored)?, 16, needed)
        };
        let mut textures = Vec::new();
        for (index, image) in self.images.iter().enumerate() {
            let palette = match image.palette {
                Some(colors) => {
                    let bytes = if colors.format == PixelFormat::ABGR8888 { 4 } else { 2 };
                    let bytes = u64::from(colors.count).saturating_mul(bytes);
                    Some(TexturePalette {
                        format: colors.format,
                        colors: colors.count,
                        size: if image.format == TexelFormat::CLUT4 { 16 } else { 256 },
                        address: load(colors.offset, bytes, bytes)?,
                    })
                }
                None => None,
            };
            textures.push(ModelTexture {
                index,
                name: None,
                width: image.width,
                height: image.height,
                format: image.format,
                swizzled: !is_compressed(image.format),
                buffer_width: image.buffer_width,
                address: load(image.pixels, image.stored_bytes, image.pixel_bytes)?,
                file_offset: self.file.file_offset(image.pixels),
                palette,
            });
        }
        Ok(textures)
    }

    /// Returns the textures of the file as a set.
    pub(super) fn texture_set(&self, name: &str) -> Result<TextureSet, FormatError> {
        let mut loader = Loader::new();
        let textures = self.load(name, &mut loader)?;
        let (memory, sources) = loader.finish();
        Ok(TextureSet { memory, sources, textures, notes: self.warnings.notes().collect() })
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
