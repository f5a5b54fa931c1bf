//! TMH: textures for Monster Hunter models.
//!
//! # Invariants
//! Every returned texture has a palette if its format needs a palette, and its rows in the file, except padding. An
//! unreadable image is left out, and the others keep their numbers.
//! Source: [TMH textures](crate::reference::formats::pmo#tmh-textures).

use thiserror::Error;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::formats::core::problem::{FormatProblem, Problem, Refusal};
use crate::ge::color;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::model::storage::{ColorStorage, LevelStorage, PaletteStorage, StoredOffset, TextureStorage};
use crate::model::texture::LARGEST;
use crate::model::{FileNoteKind, ModelTexture, TexturePalette, TextureSet};

/// Magic for the supported version.
pub(super) const MAGIC: &[u8; 8] = b".TMH0.14";
/// Buffer widths have 11 bits.
/// Source: [buffer width](crate::reference::ge::textures#buffer-width).
const WIDEST_BUFFER: u64 = 2047;

/// A problem in a TMH file. Each variant is used in a single way: to refuse the file, as a note, or to tell why an
/// image is left out, inside [`TmhProblem::ImageLeftOut`] or [`TmhProblem::NothingRead`].
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TmhProblem {
    // Refusals.
    /// The magic or version is wrong.
    #[error("not a TMH file of version 0.14")]
    Magic,
    /// No image is readable. Used only if the file is opened alone.
    #[error("none of the {images} images can be read; the first cannot because {first}")]
    NothingRead {
        /// How many images this file has.
        images: usize,
        /// Why the first is unreadable.
        first: Box<Problem>,
    },

    // Notes.
    /// An image is unreadable. The others are still read.
    #[error("image {image} is left out: {problem}")]
    ImageLeftOut {
        /// This image's number.
        image: usize,
        /// Why it is unreadable.
        problem: Box<Problem>,
    },
    /// There are fewer images than the header counts.
    #[error("the header counts {counted} images, and {found} are found")]
    Count {
        /// Image count in the header.
        counted: u32,
        /// How many images were found.
        found: usize,
    },
    /// An image's size disagrees with its blocks.
    #[error("the image has {stated} bytes according to its header, and {found} according to its blocks")]
    ImageSize {
        /// Size in the header, in bytes.
        stated: u32,
        /// Header and blocks together, in bytes.
        found: u64,
    },
    /// The palette format is above 3. The byte count decides instead.
    #[error("palette format {0} does not exist: the size of a colour decides")]
    PaletteFormat(u32),
    /// There is a palette, but the header denies it.
    #[error("the image has a palette, and its header says that it has none")]
    PaletteFlag,
    /// There are too few pixel bytes.
    #[error("the image needs {needed} bytes of pixels, but its block has {available}")]
    Pixels {
        /// Bytes required.
        needed: u64,
        /// Bytes available.
        available: u64,
    },
    /// Rows lack the padding to be swizzled.
    #[error("the rows are stored without padding, so they cannot be swizzled: they are read as plain rows")]
    PlainRows,
    /// The palette is empty, or has too few bytes.
    #[error("the header counts {colors} colours, and the palette block has room for {room}")]
    Colors {
        /// Colour count in the header.
        colors: u32,
        /// How many colours there is room for.
        room: u64,
    },
    /// This image exceeds the GE's largest texture.
    #[error("the image is larger than 512x512; the Graphics Engine reads no texels beyond that")]
    TooLarge,
    /// The width or height is no power of two.
    #[error("the image's sides are not powers of two; coordinates are scaled, and repeats show a gap")]
    NoPowerOfTwo,

    // Reasons why an image is left out.
    /// A block is smaller than its own header, or larger than the image.
    #[error("a block of {0} bytes is smaller than its header or leaves the image")]
    BlockSize(u32),
    /// The pixel format is above 10.
    #[error("pixel format {0} does not exist")]
    PixelFormat(u32),
    /// The width or height is 0, or there are too few bytes for a row.
    #[error("the image has no pixels")]
    Empty,
    /// An indexed image has no palette.
    #[error("the image has indexed pixels but no palette")]
    NoPalette,
    /// Rows exceed the GE's buffer width.
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

/// An image's header: its size, two words of flags, and whether it has a palette.
type ImageHeader = [U32; 4];

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct PixelHeader {
    size: U32,
    flags: U32,
    format: U32,
    width: U16,
    height: U16,
}

/// A palette's header: its size, flags, format and colour count.
type PaletteHeader = [U32; 4];

/// Header size in bytes; the same for each kind.
const HEADER: u64 = 16;

/// A checked texture file.
#[derive(Clone, Debug)]
pub(super) struct Tmh<'a> {
    file: View<'a>,
    /// `None` for unreadable images, so that the others keep their numbers.
    images: Vec<Option<Image>>,
    /// Why the first of them is unreadable.
    first_error: Option<FormatError>,
    pub(super) warnings: Warnings,
}

/// A checked image. Offsets count from the start of the file.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Image {
    format: TexelFormat,
    width: u16,
    height: u16,
    buffer_width: u16,
    /// Whether the pixels are swizzled, or compressed.
    is_padded: bool,
    pixels: u64,
    /// How many pixel bytes the GE reads.
    pixel_bytes: u64,
    /// How many pixel bytes this file has; at most `pixel_bytes`.
    stored_bytes: u64,
    palette: Option<Palette>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Palette {
    format: PixelFormat,
    count: u32,
    offset: u64,
}

/// Recognises a TMH file in any version by its first bytes.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(b".TMH")
}

/// Reads a texture file. Damaged images are left out with a warning.
///
/// # Errors
/// Fails if the magic is wrong or the header is cut off.
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

/// Works out an image's size in bytes. Trusts the header, unless the next image does not follow there; then adds up
/// the blocks. Returns `None` if neither size stays inside the file.
fn image_size(file: View<'_>, at: u64, is_last: bool, warnings: &mut Warnings) -> Option<u64> {
    let [size, ..] = file.read::<ImageHeader>(at).ok()?.map(U32::get);
    let stated = u64::from(size);
    let found = blocks_size(file, at).filter(|&found| at.saturating_add(found) <= file.len());
    // A size that covers only the header is wrong, because an image needs pixels.
    let fits = stated > HEADER && at.saturating_add(stated) <= file.len();
    let next_at = at.saturating_add(stated);
    if fits && found.is_none_or(|found| found <= stated && (is_last || blocks_size(file, next_at).is_some()))
    {
        return Some(stated);
    }
    let found = found?;
    warnings.push(file.error(at, TmhProblem::ImageSize { stated: size, found }));
    Some(found)
}

/// Adds up this image's header and blocks; `None` if a block is invalid.
fn blocks_size(file: View<'_>, at: u64) -> Option<u64> {
    let [.., has_palette] = file.read::<ImageHeader>(at).ok()?.map(U32::get);
    let pixels: PixelHeader = file.read(at.saturating_add(HEADER)).ok()?;
    let size = |size: U32| Some(u64::from(size.get())).filter(|&size| size >= HEADER);
    let end = HEADER.saturating_add(size(pixels.size)?);
    if has_palette == 0 {
        return Some(end);
    }
    let [palette, ..] = file.read::<PaletteHeader>(at.saturating_add(end)).ok()?;
    Some(end.saturating_add(size(palette)?))
}

fn read_image(file: View<'_>, at: u64, size: u64, warnings: &mut Warnings) -> Result<Image, FormatError> {
    let end = at.saturating_add(size);
    let pixel_at = at.saturating_add(HEADER);
    let header: PixelHeader = file.read(pixel_at)?;
    let pixels = pixel_at.saturating_add(HEADER);
    // The pixel block's size includes its header, and the palette starts directly after this block.
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
        if format.is_indexed() { Some(read_palette(file, at, palette_at, end, warnings)?) } else { None };
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

/// Reads an indexed image's palette, the last block up to `end`.
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
    let [_, _, format, colors] = header.map(U32::get);
    if file.word(flag_at)? == 0 {
        warnings.push(file.error(flag_at, TmhProblem::PaletteFlag));
    }
    let format = match format {
        number @ 0..=3 => PixelFormat::from_number(number.to_le_bytes()[0]),
        other => {
            warnings.push(file.error(at.saturating_add(8), TmhProblem::PaletteFormat(other)));
            // Choose the wider colours if all fit.
            let is_wide = u64::from(colors).saturating_mul(4) <= bytes && bytes >= 4;
            if is_wide { PixelFormat::ABGR8888 } else { PixelFormat::ABGR5551 }
        }
    };
    let room = bytes.checked_div(u64::from(color::bytes(format))).unwrap_or(0);
    if room == 0 {
        return Err(file.error(flag_at, TmhProblem::NoPalette));
    }
    if colors == 0 || u64::from(colors) > room {
        warnings.push(file.error(at.saturating_add(12), TmhProblem::Colors { colors, room }));
    }
    let count = if colors == 0 { room } else { room.min(colors.into()) };
    Ok(Palette { format, count: u32::try_from(count).unwrap_or(u32::MAX), offset })
}

/// Computes the size of a row without padding, in bytes.
fn plain_row(format: TexelFormat, width: u64) -> u64 {
    width.saturating_mul(format.bits().into()).div_ceil(8)
}

/// How an image lies in memory.
struct Layout {
    /// Texels from a row to the next.
    buffer_width: u64,
    /// How many rows this file has; at most the height in the header.
    height: u16,
    /// Whether rows are padded to 16 bytes, as swizzling needs. Plain rows must be padded on loading.
    is_padded: bool,
    /// Size with rows padded to 16 bytes and the height padded to 8 rows, in bytes.
    bytes: u64,
    /// Bytes from the picture's first pixel to its last.
    needed: u64,
}

impl Layout {
    /// Decides by the stored size: padded rows if there is room for them, else plain rows. Too few bytes for either
    /// mean fewer rows.
    /// Source: [TMH textures](crate::reference::formats::pmo#tmh-textures).
    fn of(format: TexelFormat, width: u16, height: u16, available: u64) -> Self {
        // Compressed blocks span 4 rows. Swizzled blocks span 8, and the last may be cut off.
        let (step, band) = if format.is_compressed() { (4, 4) } else { (1, 8) };
        let unit =
            if format.is_compressed() { 4 } else { 128_u64.checked_div(format.bits().into()).unwrap_or(1) };
        let buffer_width = u64::from(width).next_multiple_of(unit);
        let (padded_row, plain_row) = (plain_row(format, buffer_width), plain_row(format, width.into()));
        let full = u64::from(height).next_multiple_of(step);
        // Too few bytes even for plain rows mean a cut file: to be safe, this then assumes the usual padding.
        let is_padded = format.is_compressed()
            || padded_row == plain_row
            || available >= padded_row.saturating_mul(full)
            || available < plain_row.saturating_mul(full);
        let stored_row = if is_padded { padded_row } else { plain_row };
        let steps = available.checked_div(stored_row.saturating_mul(step)).unwrap_or(0);
        let rows = steps.saturating_mul(step).min(height.into());
        let last = full.checked_rem(8).unwrap_or(0);
        let needed = if is_padded && band == 8 && last > 0 {
            // The last block in the last band ends with the last row.
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
    /// Counts the images, including unreadable ones.
    pub(super) const fn len(&self) -> usize {
        self.images.len()
    }

    /// Notes an unreadable image, which comes next.
    fn leave_out(&mut self, error: FormatError) {
        let problem = Box::new(error.kind.clone());
        let problem = TmhProblem::ImageLeftOut { image: self.images.len(), problem };
        self.warnings.push(FormatError { kind: problem.into(), ..error.clone() });
        self.first_error.get_or_insert(error);
    }

    /// Loads the file, and copies pixels and palettes if they are misaligned or lack padding.
    pub(super) fn load(&self, name: &str, loader: &mut Loader) -> Result<Vec<ModelTexture>, FormatError> {
        let start = loader.place(name, self.file, 16)?;
        let load = |loader: &mut Loader, offset: u64, stored: u64, needed: u64| {
            // The file starts at a multiple of 16, so this data is already in place.
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
                    let bytes = u64::from(colors.count).saturating_mul(color::bytes(colors.format).into());
                    Some(TexturePalette {
                        format: colors.format,
                        colors: colors.count,
                        size: if image.format == TexelFormat::CLUT4 { 16 } else { 256 },
                        address: load(loader, colors.offset, bytes, bytes)?,
                        shift: 0,
                        mask: 0xFF,
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
                swizzled: image.is_padded && !image.format.is_compressed(),
                buffer_width: image.buffer_width,
                address,
                file_offset: self.file.file_offset(image.pixels),
                palette,
                storage: Some(self.storage(image)),
            });
        }
        Ok(textures)
    }

    /// Returns where the file holds an image.
    fn storage(&self, image: &Image) -> TextureStorage {
        let at = |offset: u64| StoredOffset::plain(self.file.file_offset(offset));
        let texels = if image.is_padded { image.buffer_width } else { image.width };
        // A row of compressed blocks spans four rows of texels.
        let rows = if image.format.is_compressed() { 4 } else { 1 };
        let row_bytes = plain_row(image.format, texels.into()).saturating_mul(rows);
        let level = LevelStorage {
            at: at(image.pixels),
            width: image.width.into(),
            height: image.height.into(),
            row_bytes: u32::try_from(row_bytes).unwrap_or(u32::MAX),
            swizzled: image.is_padded && !image.format.is_compressed(),
        };
        let size = if image.format == TexelFormat::CLUT4 { 16 } else { 256 };
        let palettes = image.palette.iter().flat_map(|colors| {
            PaletteStorage::each(
                at(colors.offset),
                colors.count,
                size,
                ColorStorage::of(colors.format),
                false,
            )
        });
        TextureStorage {
            is_companion: self.file.role() != FileRole::Input,
            texels: TextureStorage::texels(image.format, false),
            levels: vec![level],
            palettes: palettes.map(Some).collect(),
        }
    }

    /// Pads plain rows to a multiple of 16 bytes, because the GE needs this.
    fn padded_rows(&self, image: &Image) -> Result<Vec<u8>, FormatError> {
        let rows = u64::from(image.height);
        let whole = image.pixel_bytes.checked_div(rows.next_multiple_of(8)).unwrap_or(0);
        let plain = plain_row(image.format, image.width.into());
        let mut bytes = Vec::new();
        for row in 0..rows {
            let at = image.pixels.saturating_add(row.saturating_mul(plain));
            bytes.extend_from_slice(self.file.slice(at, plain)?);
            let end = row.saturating_add(1).saturating_mul(whole);
            // Fill up to the start of the next row.
            bytes.resize(usize::try_from(end).unwrap_or(bytes.len()), 0);
        }
        Ok(bytes)
    }

    /// Loads the file as a texture set.
    ///
    /// # Errors
    /// Fails if no image is readable, or if they do not fit into memory.
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
