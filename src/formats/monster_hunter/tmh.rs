//! TMH: the textures of Monster Hunter models.
//!
//! # Invariants
//! Every returned texture has a palette if its format needs one, and its rows in the file, except padding. An image
//! that cannot be read is left out, and the others keep their numbers.
//! Source: [TMH textures](crate::reference::formats::pmo#tmh-textures).

use thiserror::Error;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::model::texture::LARGEST;
use crate::model::{FileNoteKind, ModelTexture, TexturePalette, TextureSet};

/// Magic of the supported version.
pub(super) const MAGIC: &[u8; 8] = b".TMH0.14";
/// Buffer widths have 11 bits.
/// Source: [buffer width](crate::reference::ge::textures#buffer-width).
const WIDEST_BUFFER: u64 = 2047;

/// A problem of a TMH file. A variant is always a refusal of the file, or always a note, or always the reason why an
/// image is left out, inside [`TmhProblem::ImageLeftOut`] or [`TmhProblem::NothingRead`].
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TmhProblem {
    // Refusals.
    /// A wrong magic or version.
    #[error("not a TMH file of version 0.14")]
    Magic,
    /// No image can be read. Only for a file that is opened alone.
    #[error("none of the {images} images can be read; the first cannot because {first}")]
    NothingRead {
        /// Number of images.
        images: usize,
        /// Why the first cannot be read.
        first: Box<Problem>,
    },

    // Notes.
    /// An image that cannot be read. The others are.
    #[error("image {image} is left out: {problem}")]
    ImageLeftOut {
        /// Number of the image.
        image: usize,
        /// Why it cannot be read.
        problem: Box<Problem>,
    },
    /// Fewer images than the header counts.
    #[error("the header counts {counted} images, and {found} are found")]
    Count {
        /// Number of images according to the header.
        counted: u32,
        /// Number of images that were found.
        found: usize,
    },
    /// A size of an image that disagrees with its blocks.
    #[error("the image has {stated} bytes according to its header, and {found} according to its blocks")]
    ImageSize {
        /// Size in bytes according to the header.
        stated: u32,
        /// Size in bytes of header and blocks.
        found: u64,
    },
    /// A palette format above 3. The number of bytes decides.
    #[error("palette format {0} does not exist: the size of a colour decides")]
    PaletteFormat(u32),
    /// A palette that the header denies.
    #[error("the image has a palette, and its header says that it has none")]
    PaletteFlag,
    /// Too few bytes of pixels.
    #[error("the image needs {needed} bytes of pixels, but its block has {available}")]
    Pixels {
        /// Bytes required.
        needed: u64,
        /// Bytes available.
        available: u64,
    },
    /// Pixels without the padding of rows that swizzling needs.
    #[error("the rows are stored without padding, so they cannot be swizzled: they are read as plain rows")]
    PlainRows,
    /// An empty palette, or too few bytes for it.
    #[error("the header counts {colors} colours, and the palette block has room for {room}")]
    Colors {
        /// Colours according to the header.
        colors: u32,
        /// Colours that can exist.
        room: u64,
    },
    /// An image larger than the GE supports.
    #[error("the image is larger than 512x512; the Graphics Engine reads no texels beyond that")]
    TooLarge,
    /// A width or height other than a power of two.
    #[error("the image's sides are not powers of two; coordinates are scaled, and repeats show a gap")]
    NoPowerOfTwo,

    // Reasons why an image is left out.
    /// A block smaller than its own header, or larger than the image.
    #[error("a block of {0} bytes is smaller than its header or leaves the image")]
    BlockSize(u32),
    /// A pixel format above 10.
    #[error("pixel format {0} does not exist")]
    PixelFormat(u32),
    /// An image of width or height 0, or without bytes for one row.
    #[error("the image has no pixels")]
    Empty,
    /// An indexed image without a palette.
    #[error("the image has indexed pixels but no palette")]
    NoPalette,
    /// Rows that exceed the GE's buffer width.
    #[error("rows of {0} texels are longer than the Graphics Engine supports")]
    TooWide(u64),
}

impl FormatProblem for TmhProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as textures and is none"),
        Refusal::new("NothingRead", "no image can be read"),
    ];

    fn code(&self) -> &'static str {
        match self {
            Self::Magic => "unsupported-version",
            Self::NothingRead { first, .. } => first.code(),
            _ => "damaged",
        }
    }

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Pixels { .. } | Self::Count { .. } | Self::Colors { .. } => FileNoteKind::Incomplete,
            Self::ImageLeftOut { .. } => FileNoteKind::LeftOut,
            Self::PlainRows | Self::PaletteFormat(_) => FileNoteKind::Guessed,
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
    /// `None` for images that cannot be read.
    images: Vec<Option<Image>>,
    /// Why the first of them cannot be read.
    first_error: Option<FormatError>,
    pub(super) warnings: Warnings,
}

/// An image. Offsets count from the start of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Image {
    format: TexelFormat,
    width: u16,
    height: u16,
    buffer_width: u16,
    /// Whether the pixels are swizzled, or compressed.
    is_padded: bool,
    pixels: u64,
    /// Bytes of pixels that the GE reads.
    pixel_bytes: u64,
    /// Number of bytes of pixels that the file has; at most `pixel_bytes`.
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
///
/// # Errors
/// If the magic is another, or the header is cut off.
pub(super) fn read(file: View<'_>) -> Result<Tmh<'_>, FormatError> {
    if file.slice(0, 8)? != MAGIC {
        return Err(file.error(0, TmhProblem::Magic));
    }
    let counted = file.word(8)?;
    let mut tmh = Tmh { file, images: Vec::new(), first_error: None, warnings: Warnings::default() };
    let mut at = HEADER;
    for number in 0..counted {
        let Some(size) = image_size(file, at, number.saturating_add(1) == counted, &mut tmh.warnings) else {
            let found = tmh.images.len();
            tmh.warnings.push(file.error(8, TmhProblem::Count { counted, found }));
            break;
        };
        let image = read_image(file, at, size, &mut tmh.warnings);
        let image = image.map_err(|error| tmh.leave_out(error)).ok();
        tmh.images.push(image);
        at = at.saturating_add(size);
    }
    Ok(tmh)
}

/// Returns the size of an image in bytes: that of its header, or that of its blocks if the next image does not follow
/// the former. Returns `None` if neither is inside the file.
fn image_size(file: View<'_>, at: u64, is_last: bool, warnings: &mut Warnings) -> Option<u64> {
    let header: ImageHeader = file.read(at).ok()?;
    let stated = u64::from(header.size.get());
    let found = blocks_size(file, at).filter(|&found| at.saturating_add(found) <= file.len());
    let fits = stated > HEADER && at.saturating_add(stated) <= file.len();
    let next_at = at.saturating_add(stated);
    if fits && found.is_none_or(|found| found <= stated && (is_last || blocks_size(file, next_at).is_some()))
    {
        return Some(stated);
    }
    let found = found?;
    warnings.push(file.error(at, TmhProblem::ImageSize { stated: header.size.get(), found }));
    Some(found)
}

/// Returns the size of an image's header and blocks, if there are any.
fn blocks_size(file: View<'_>, at: u64) -> Option<u64> {
    let image: ImageHeader = file.read(at).ok()?;
    let pixels: PixelHeader = file.read(at.saturating_add(HEADER)).ok()?;
    let size = |size: U32| Some(u64::from(size.get())).filter(|&size| size >= HEADER);
    let end = HEADER.saturating_add(size(pixels.size)?);
    if image.has_palette.get() == 0 {
        return Some(end);
    }
    let palette: PaletteHeader = file.read(at.saturating_add(end)).ok()?;
    Some(end.saturating_add(size(palette.size)?))
}

fn read_image(file: View<'_>, at: u64, size: u64, warnings: &mut Warnings) -> Result<Image, FormatError> {
    let end = at.saturating_add(size);
    let pixel_at = at.saturating_add(HEADER);
    let header: PixelHeader = file.read(pixel_at)?;
    let pixels = pixel_at.saturating_add(HEADER);
    let palette_at = pixel_at.saturating_add(header.size.get().into());
    let Some(available) = palette_at.checked_sub(pixels).filter(|_| palette_at <= end) else {
        return Err(file.error(pixel_at, TmhProblem::BlockSize(header.size.get())));
    };
    let format = match header.format.get() {
        number @ 0..=10 => TexelFormat::from_number(number.to_le_bytes()[0]),
        other => return Err(file.error(pixel_at.saturating_add(8), TmhProblem::PixelFormat(other))),
    };
    let (width, height) = (header.width.get(), header.height.get());
    let size_at = pixel_at.saturating_add(12);
    let layout = Layout::of(format, width, height, available);
    if layout.buffer_width > WIDEST_BUFFER {
        return Err(file.error(size_at, TmhProblem::TooWide(layout.buffer_width)));
    }
    if width == 0 || layout.height == 0 {
        return Err(file.error(size_at, TmhProblem::Empty));
    }
    if available < layout.needed {
        warnings.push(file.error(pixel_at, TmhProblem::Pixels { needed: layout.needed, available }));
    }
    if !layout.is_padded {
        warnings.push(file.error(size_at, TmhProblem::PlainRows));
    }
    if width > LARGEST || height > LARGEST {
        warnings.push(file.error(size_at, TmhProblem::TooLarge));
    } else if !width.is_power_of_two() || !layout.height.is_power_of_two() {
        warnings.push(file.error(size_at, TmhProblem::NoPowerOfTwo));
    }
    let palette =
        if is_indexed(format) { Some(read_palette(file, at, palette_at, end, warnings)?) } else { None };
    Ok(Image {
        format,
        width,
        height: layout.height,
        buffer_width: u16::try_from(layout.buffer_width).unwrap_or(u16::MAX),
        is_padded: layout.is_padded,
        pixels,
        pixel_bytes: layout.bytes,
        stored_bytes: layout.bytes.min(available),
        palette,
    })
}

/// Reads the palette of an indexed image, the last block up to `end`.
fn read_palette(
    file: View<'_>,
    image_at: u64,
    at: u64,
    end: u64,
    warnings: &mut Warnings,
) -> Result<Palette, FormatError> {
    let flag_at = image_at.saturating_add(12);
    let offset = at.saturating_add(HEADER);
    let bytes = end.saturating_sub(offset);
    let header = file.read(at).ok().filter(|_: &PaletteHeader| bytes >= 2);
    let header = header.ok_or_else(|| file.error(flag_at, TmhProblem::NoPalette))?;
    if file.word(flag_at)? == 0 {
        warnings.push(file.error(flag_at, TmhProblem::PaletteFlag));
    }
    let colors = header.colors.get();
    let format = match header.format.get() {
        number @ 0..=3 => PixelFormat::from_number(number.to_le_bytes()[0]),
        other => {
            warnings.push(file.error(at.saturating_add(8), TmhProblem::PaletteFormat(other)));
            let is_wide = u64::from(colors).saturating_mul(4) <= bytes && bytes >= 4;
            if is_wide { PixelFormat::ABGR8888 } else { PixelFormat::ABGR5551 }
        }
    };
    let room = bytes.checked_div(color_bytes(format)).unwrap_or(0);
    if room == 0 {
        return Err(file.error(flag_at, TmhProblem::NoPalette));
    }
    if colors == 0 || u64::from(colors) > room {
        warnings.push(file.error(at.saturating_add(12), TmhProblem::Colors { colors, room }));
    }
    let count = if colors == 0 { room } else { room.min(colors.into()) };
    Ok(Palette { format, count: u32::try_from(count).unwrap_or(u32::MAX), offset })
}

/// Returns the size of a colour of a palette in bytes.
const fn color_bytes(format: PixelFormat) -> u64 {
    if matches!(format, PixelFormat::ABGR8888) { 4 } else { 2 }
}

const fn is_indexed(format: TexelFormat) -> bool {
    matches!(format, TexelFormat::CLUT4 | TexelFormat::CLUT8 | TexelFormat::CLUT16 | TexelFormat::CLUT32)
}

const fn is_compressed(format: TexelFormat) -> bool {
    matches!(format, TexelFormat::DXT1 | TexelFormat::DXT3 | TexelFormat::DXT5)
}

/// Returns the number of bits of a texel.
const fn bits(format: TexelFormat) -> u64 {
    match format {
        TexelFormat::CLUT4 | TexelFormat::DXT1 => 4,
        TexelFormat::CLUT8 | TexelFormat::DXT3 | TexelFormat::DXT5 => 8,
        TexelFormat::ABGR8888 | TexelFormat::CLUT32 => 32,
        _ => 16,
    }
}

/// Returns the bytes of a row of texels without padding.
const fn plain_row(format: TexelFormat, width: u64) -> u64 {
    width.saturating_mul(bits(format)).div_ceil(8)
}

/// The memory layout of an image.
struct Layout {
    /// Texels between successive rows.
    buffer_width: u64,
    /// Rows that the file has; at most those of the header.
    height: u16,
    /// Whether the rows are padded to 16 bytes, so that they can be swizzled. Plain rows have to be padded.
    is_padded: bool,
    /// Bytes with rows padded to 16 bytes and the height to 8 rows.
    bytes: u64,
    /// Bytes of pixels that belong to the picture, from the first to the last.
    needed: u64,
}

impl Layout {
    /// Decides by the stored size: room for padded rows means padded rows, else the rows are plain. Too few bytes for
    /// either mean fewer rows.
    /// Source: [TMH textures](crate::reference::formats::pmo#tmh-textures).
    fn of(format: TexelFormat, width: u16, height: u16, available: u64) -> Self {
        // Compressed blocks have 4 rows, those of swizzled images 8, of which the last may be cut off.
        let (step, band) = if is_compressed(format) { (4, 4) } else { (1, 8) };
        let unit = if is_compressed(format) { 4 } else { 128_u64.checked_div(bits(format)).unwrap_or(1) };
        let buffer_width = u64::from(width).next_multiple_of(unit);
        let (padded_row, plain_row) = (plain_row(format, buffer_width), plain_row(format, width.into()));
        let full = u64::from(height).next_multiple_of(step);
        let is_padded = is_compressed(format)
            || padded_row == plain_row
            || available >= padded_row.saturating_mul(full)
            || available < plain_row.saturating_mul(full);
        let stored_row = if is_padded { padded_row } else { plain_row };
        let steps = available.checked_div(stored_row.saturating_mul(step)).unwrap_or(0);
        let rows = steps.saturating_mul(step).min(height.into());
        let last = full.checked_rem(8).unwrap_or(0);
        let needed = if is_padded && band == 8 && last > 0 {
            // The last block of the last band ends with the last row.
            let before = full.saturating_sub(last).saturating_mul(padded_row);
            let blocks = padded_row.saturating_sub(16).saturating_mul(8);
            before.saturating_add(blocks).saturating_add(last.saturating_mul(16))
        } else {
            full.saturating_mul(stored_row)
        };
        let bytes = rows.next_multiple_of(band).saturating_mul(padded_row);
        Self { buffer_width, height: u16::try_from(rows).unwrap_or(height), is_padded, bytes, needed }
    }
}

impl Tmh<'_> {
    /// Returns the number of images.
    pub(super) const fn len(&self) -> usize {
        self.images.len()
    }

    /// Notes that the next image is left out.
    fn leave_out(&mut self, error: FormatError) {
        let problem = Box::new(error.kind.clone());
        let problem = TmhProblem::ImageLeftOut { image: self.images.len(), problem };
        self.warnings.push(FormatError { kind: problem.into(), ..error.clone() });
        self.first_error.get_or_insert(error);
    }

    /// Loads the file. Copies pixels and palettes that are misaligned or lack padding.
    pub(super) fn load(&self, name: &str, loader: &mut Loader) -> Result<Vec<ModelTexture>, FormatError> {
        let start = loader.place(name, self.file, 16)?;
        let load = |loader: &mut Loader, offset: u64, stored: u64, needed: u64| {
            if offset & 15 == 0 && stored == needed {
                return Ok(start.offset(u32::try_from(offset).unwrap_or(0)));
            }
            loader.place_padded(name, self.file.view(offset, stored)?, 16, needed)
        };
        let mut textures = Vec::new();
        for (index, image) in self.images.iter().enumerate() {
            let Some(image) = image else { continue };
            let palette = match image.palette {
                Some(colors) => {
                    let bytes = u64::from(colors.count).saturating_mul(color_bytes(colors.format));
                    Some(TexturePalette {
                        format: colors.format,
                        colors: colors.count,
                        size: if image.format == TexelFormat::CLUT4 { 16 } else { 256 },
                        address: load(loader, colors.offset, bytes, bytes)?,
                    })
                }
                None => None,
            };
            let address = if image.is_padded {
                load(loader, image.pixels, image.stored_bytes, image.pixel_bytes)?
            } else {
                loader.store(self.file, image.pixels, &self.padded_rows(image)?)?
            };
            textures.push(ModelTexture {
                index,
                name: None,
                width: image.width,
                height: image.height,
                format: image.format,
                swizzled: image.is_padded && !is_compressed(image.format),
                buffer_width: image.buffer_width,
                address,
                file_offset: self.file.file_offset(image.pixels),
                palette,
            });
        }
        Ok(textures)
    }

    /// Returns plain rows, each padded to a multiple of 16 bytes, which the GE needs.
    fn padded_rows(&self, image: &Image) -> Result<Vec<u8>, FormatError> {
        let rows = u64::from(image.height);
        let whole = image.pixel_bytes.checked_div(rows.next_multiple_of(8)).unwrap_or(0);
        let plain = plain_row(image.format, image.width.into());
        let mut bytes = Vec::new();
        for row in 0..rows {
            let at = image.pixels.saturating_add(row.saturating_mul(plain));
            bytes.extend_from_slice(self.file.slice(at, plain)?);
            let end = row.saturating_add(1).saturating_mul(whole);
            bytes.resize(usize::try_from(end).unwrap_or(bytes.len()), 0);
        }
        Ok(bytes)
    }

    /// Returns the textures of the file as a set.
    ///
    /// # Errors
    /// If none of its images can be read, or they do not fit into memory.
    pub(super) fn texture_set(&self, name: &str) -> Result<TextureSet, FormatError> {
        if let Some(error) = self.first_error.as_ref().filter(|_| self.images.iter().all(Option::is_none)) {
            let (images, first) = (self.images.len(), Box::new(error.kind.clone()));
            let kind = TmhProblem::NothingRead { images, first }.into();
            return Err(FormatError { kind, ..error.clone() });
        }
        let mut loader = Loader::new();
        let textures = self.load(name, &mut loader)?;
        let (memory, sources) = loader.finish();
        Ok(TextureSet { memory, sources, textures, notes: self.warnings.notes().collect() })
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
