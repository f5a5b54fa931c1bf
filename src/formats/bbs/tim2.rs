//! TIM2: textures for PS2 and PSP games, in their own files or inside others. Source:
//! [TIM2 textures](crate::reference::formats::bbs#tim2-textures).
//!
//! # Invariants
//! Every picture has all its texels in the file, and a palette if it needs a palette. Sizes follow from its type,
//! width and height; the size fields are checked but not trusted. Damaged pictures are left out.

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::model::ModelTexture;
use crate::model::texture::LARGEST;

mod convert;
mod picture;
mod problem;

pub use problem::Tim2Problem;

use picture::{Clut, Picture, Storage};

/// Magic to recognise a file by.
pub(in crate::formats) const MAGIC: [u8; 4] = *b"TIM2";
/// Length of a picture header without its mip level fields, in bytes.
const PICTURE_HEADER: u64 = 0x30;
/// Offset to the first picture if pictures are aligned to 128 bytes, and if to 16.
const FIRST_PICTURE: [u64; 2] = [0x80, 0x10];
/// Largest width, because TEXBUFWIDTH has 11 bits.
const WIDTH_MAX: u16 = 2047;

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    _revision: u8,
    /// Picture alignment: 0 for 16 bytes, else 128.
    format: u8,
    pictures: U16,
    _zero: [u8; 8],
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct PictureHeader {
    total_size: U32,
    clut_size: U32,
    image_size: U32,
    header_size: U16,
    clut_colors: U16,
    _picture_format: u8,
    mipmaps: u8,
    clut_type: u8,
    image_type: u8,
    width: U16,
    height: U16,
}

/// A checked file.
#[derive(Clone, Debug)]
pub(in crate::formats) struct Tim2<'a> {
    file: View<'a>,
    pictures: Vec<Picture>,
    pub(in crate::formats) warnings: Warnings,
}

pub(in crate::formats) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a file, but at most its first `limit` pictures.
pub(in crate::formats) fn read(file: View<'_>, limit: usize) -> Result<Tim2<'_>, FormatError> {
    let header: Header = file.read(0)?;
    if header.magic != MAGIC {
        return Err(file.error(0, Tim2Problem::Magic));
    }
    let stated = header.pictures.get();
    let [aligned, packed] = FIRST_PICTURE;
    let (mut at, alignment) = if header.format == 0 { (packed, 16) } else { (aligned, 128) };
    let mut tim2 = Tim2 { file, pictures: Vec::new(), warnings: Warnings::default() };
    let mut first_error = None;
    let wanted = usize::from(stated.max(1)).min(limit);
    for number in 0..wanted {
        if at >= file.len() {
            break;
        }
        let end = match read_picture(file, at, &mut tim2.warnings) {
            Ok((picture, end)) => {
                tim2.pictures.push(picture);
                end
            }
            Err(error) => {
                let reason = error.to_string();
                tim2.warnings.push(file.error(at, Tim2Problem::Broken { number, reason }));
                first_error.get_or_insert(error);
                // This tries the next picture, if a total size leads there.
                at.saturating_add(file.word(at).unwrap_or(u32::MAX).max(1).into())
            }
        };
        at = end.checked_next_multiple_of(alignment).unwrap_or(u64::MAX);
    }
    let actual = tim2.pictures.len();
    if actual == 0 {
        return Err(first_error.unwrap_or_else(|| file.error(6, Tim2Problem::NoPicture)));
    }
    if (first_error.is_none() && actual < wanted) || stated == 0 {
        tim2.warnings.push(file.error(6, Tim2Problem::Count { stated, actual }));
    }
    Ok(tim2)
}

/// Reads the picture whose header is at `at`, and returns its end offset with it.
fn read_picture(file: View<'_>, at: u64, warnings: &mut Warnings) -> Result<(Picture, u64), FormatError> {
    let header: PictureHeader = file.read(at)?;
    file.slice(at, PICTURE_HEADER)?;
    let field_at = |field: u64| at.saturating_add(field);
    let mut header_size = u64::from(header.header_size.get());
    if header_size < PICTURE_HEADER || field_at(header_size) > file.len() {
        warnings.push(file.error(field_at(0x0C), Tim2Problem::HeaderSize(header.header_size.get())));
        header_size = PICTURE_HEADER;
    }
    let storage = match Storage::from_number(header.image_type) {
        Some(storage) => storage,
        None => {
            let number = header.image_type;
            let guess = guess_storage(&header)
                .ok_or_else(|| file.error(field_at(0x13), Tim2Problem::ImageType(number)))?;
            let bits = guess.bits();
            warnings.push(file.error(field_at(0x13), Tim2Problem::GuessedType { number, bits }));
            guess
        }
    };
    let (width, height) = (header.width.get(), header.height.get());
    if width == 0 || height == 0 {
        return Err(file.error(field_at(0x14), Tim2Problem::Empty));
    }
    if width > WIDTH_MAX {
        return Err(file.error(field_at(0x14), Tim2Problem::TooWide(width)));
    }
    let pixels = field_at(header_size);
    let first_level = storage.row_bytes(width).saturating_mul(u64::from(height));
    file.slice(pixels, first_level)?;
    let levels = mip_levels_bytes(storage, width, height, header.mipmaps);
    let clut_layout = clut_layout(file, at, &header, storage, warnings);
    let clut_bytes = |(storage, colors, _): (Storage, u64, bool)| colors.saturating_mul(storage.bits() / 8);

    // The image size includes padding between mip levels, so this uses it if it is plausible.
    let stated = u64::from(header.image_size.get());
    let fits =
        |image: u64| file.slice(pixels.saturating_add(image), clut_layout.map_or(0, clut_bytes)).is_ok();
    let image = if stated >= first_level && fits(stated) && (stated == levels || header.mipmaps > 1) {
        stated
    } else {
        let (field, stated) = ("image", header.image_size.get());
        if u64::from(stated) != levels {
            warnings.push(file.error(field_at(8), Tim2Problem::Size { field, stated, actual: levels }));
        }
        levels
    };
    let mut end = pixels.saturating_add(image);
    let mut clut = None;
    if let Some((storage, stated, permuted)) = clut_layout {
        let size = storage.bits() / 8;
        let room = file.len().saturating_sub(end).checked_div(size).unwrap_or(0);
        let colors = stated.min(room);
        if colors == 0 {
            return Err(file.error(field_at(0x0E), Tim2Problem::NoPalette));
        }
        if colors < stated {
            warnings.push(file.error(field_at(0x0E), Tim2Problem::PaletteCut { stated, actual: colors }));
        }
        clut = Some(Clut { storage, colors, offset: end, permuted });
        let bytes = colors.saturating_mul(size);
        end = end.saturating_add(bytes);
        let (field, stated) = ("palette", header.clut_size.get());
        if u64::from(stated) != bytes {
            warnings.push(file.error(field_at(4), Tim2Problem::Size { field, stated, actual: bytes }));
        }
    }
    let actual = end.saturating_sub(at);
    let stated = header.total_size.get();
    if u64::from(stated) != actual {
        // The total may include padding after the picture.
        if u64::from(stated) > actual && file.slice(at, u64::from(stated)).is_ok() {
            end = field_at(u64::from(stated));
        } else {
            warnings.push(file.error(at, Tim2Problem::Size { field: "picture", stated, actual }));
        }
    }
    if header.mipmaps > 1 {
        warnings.push(file.error(field_at(0x11), Tim2Problem::Mipmaps(header.mipmaps)));
    }
    if width > LARGEST || height > LARGEST {
        warnings.push(file.error(field_at(0x14), Tim2Problem::TooLarge));
    }
    let levels = if image == levels { header.mipmaps.max(1) } else { 1 };
    Ok((Picture { storage, width, height, pixels, levels, clut }, end))
}

/// Guesses the storage from the image and palette sizes, because the type is unknown.
fn guess_storage(header: &PictureHeader) -> Option<Storage> {
    let has_palette = header.clut_size.get() > 0;
    (1..=5).filter_map(Storage::from_number).find(|storage| {
        let bytes = storage.row_bytes(header.width.get()).saturating_mul(header.height.get().into());
        bytes == u64::from(header.image_size.get()) && (storage.palette_size() > 0) == has_palette
    })
}

/// Adds up the bytes of all mip levels. Each level halves both sides.
fn mip_levels_bytes(storage: Storage, width: u16, height: u16, levels: u8) -> u64 {
    let level = |number: u8| {
        let side = |size: u16| size.checked_shr(number.into()).unwrap_or(0).max(1);
        storage.row_bytes(side(width)).saturating_mul(side(height).into())
    };
    (0..levels.max(1)).map(level).fold(0, u64::saturating_add)
}

/// Works out a palette's storage and colour count, and whether it is in CSM1 order; `None` for direct colours.
fn clut_layout(
    file: View<'_>,
    at: u64,
    header: &PictureHeader,
    image: Storage,
    warnings: &mut Warnings,
) -> Option<(Storage, u64, bool)> {
    let size = u64::from(image.palette_size());
    if size == 0 {
        return None;
    }
    let number = header.clut_type & 0x3F;
    let (bytes, count) = (u64::from(header.clut_size.get()), u64::from(header.clut_colors.get()));
    // Palettes hold colours, so this rejects indices.
    let known = Storage::from_number(number).filter(|storage| storage.palette_size() == 0);
    let storage = known.unwrap_or_else(|| {
        warnings.push(file.error(at.saturating_add(0x12), Tim2Problem::ClutType(number)));
        match bytes.checked_div(count) {
            Some(2) => Storage::Bits16,
            Some(3) => Storage::Bits24,
            _ => Storage::Bits32,
        }
    });
    let colors = match (count, bytes.checked_div(storage.bits() / 8).unwrap_or(0)) {
        // Without a count, the palette's byte size gives it; without either, this assumes a full palette.
        (0, 0) => size,
        (0, stated) => stated.min(size),
        (count, _) => count,
    };
    // CSM1 order exists only for whole 256-colour palettes.
    let linear = header.clut_type & 0x80 != 0 || image == Storage::Index4 || colors % 256 != 0;
    Some((storage, colors, !linear))
}

impl Tim2<'_> {
    pub(in crate::formats) const fn len(&self) -> usize {
        self.pictures.len()
    }

    /// Loads a picture as texture number `index` in its model or file. Returns `None` if there is no such picture.
    pub(in crate::formats) fn load(
        &self,
        picture: usize,
        (index, texture_name): (usize, Option<String>),
        name: &str,
        loader: &mut Loader,
        warnings: &mut Warnings,
    ) -> Result<Option<ModelTexture>, FormatError> {
        let Some(picture) = self.pictures.get(picture) else { return Ok(None) };
        let texture = convert::load(self.file, picture, name, loader, warnings)?;
        Ok(Some(ModelTexture { index, name: texture_name, ..texture }))
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
