//! TIM2: textures of PS2 and PSP games, in files of their own or inside others.
//! Source: [TIM2 textures](crate::reference::formats::bbs#tim2-textures).
//!
//! # Invariants
//! Every returned picture has all its texels in the file, and its palette if it needs one. Sizes follow from
//! a picture's type, width and height. The size fields are checked but not trusted.

use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::model::texture::LARGEST;
use crate::model::{ModelTexture, TextureSet};

mod convert;
mod picture;
mod problem;

pub use problem::Tim2Problem;

use picture::{Clut, Picture, Storage};

/// First bytes of every file.
pub(super) const MAGIC: [u8; 4] = *b"TIM2";
/// Bytes of a picture's header without its mip level fields.
const PICTURE_HEADER: u64 = 0x30;
/// Offset of the first picture if pictures are aligned to 128 bytes, and if to 16.
const FIRST_PICTURE: [u64; 2] = [0x80, 0x10];
/// Largest width. TEXBUFWIDTH has 11 bits.
const WIDTH_MAX: u16 = 2047;

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    _revision: u8,
    /// Alignment of pictures: 0 = 16 bytes, else 128.
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

/// A file, read and checked.
#[derive(Clone, Debug)]
pub(super) struct Tim2<'a> {
    file: View<'a>,
    pictures: Vec<Picture>,
    pub(super) warnings: Warnings,
}

/// Recognises a TIM2 file by its first bytes.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a file, but at most `limit` of its pictures.
pub(super) fn read(file: View<'_>, limit: usize) -> Result<Tim2<'_>, FormatError> {
    let header: Header = file.read(0)?;
    if header.magic != MAGIC {
        return Err(file.error(0, Tim2Problem::Magic));
    }
    let count = usize::from(header.pictures.get());
    if count == 0 {
        return Err(file.error(6, Tim2Problem::NoPicture));
    }
    let [aligned, packed] = FIRST_PICTURE;
    let (mut at, alignment) = if header.format == 0 { (packed, 16) } else { (aligned, 128) };
    let mut tim2 = Tim2 { file, pictures: Vec::new(), warnings: Warnings::default() };
    for _ in 0..count.min(limit) {
        if at > file.len() {
            return Err(file.error(6, Tim2Problem::Count(header.pictures.get())));
        }
        let (picture, end) = read_picture(file, at, &mut tim2.warnings)?;
        tim2.pictures.push(picture);
        at = end.checked_next_multiple_of(alignment).unwrap_or(u64::MAX);
    }
    Ok(tim2)
}

/// Reads the picture with its header at `at`, and returns it with its end offset.
fn read_picture(file: View<'_>, at: u64, warnings: &mut Warnings) -> Result<(Picture, u64), FormatError> {
    let header: PictureHeader = file.read(at)?;
    file.slice(at, PICTURE_HEADER)?;
    let field_at = |field: u64| at.saturating_add(field);
    let header_size = u64::from(header.header_size.get());
    if header_size < PICTURE_HEADER || field_at(header_size) > file.len() {
        return Err(file.error(field_at(0x0C), Tim2Problem::HeaderSize(header.header_size.get())));
    }
    let Some(storage) = Storage::from_number(header.image_type) else {
        return Err(file.error(field_at(0x13), Tim2Problem::ImageType(header.image_type)));
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
    let clut_layout = clut_layout(file, at, &header, storage)?;
    let clut_bytes = clut_layout.map_or(0, |(storage, colors, _)| colors.saturating_mul(storage.bits() / 8));

    // The image size includes padding between mip levels, so plausible values are used.
    let stated = u64::from(header.image_size.get());
    let fits = |image: u64| file.slice(pixels.saturating_add(image), clut_bytes).is_ok();
    let image = if stated >= first_level && fits(stated) && (stated == levels || header.mipmaps > 1) {
        stated
    } else {
        let (field, stated) = ("image", header.image_size.get());
        warnings.push(file.error(field_at(8), Tim2Problem::Size { field, stated, actual: levels }));
        levels
    };
    let mut end = pixels.saturating_add(image);
    let clut = clut_layout.map(|(storage, colors, permuted)| Clut { storage, colors, offset: end, permuted });
    if let Some(clut) = clut {
        if clut.offset > file.len() {
            return Err(file.error(field_at(8), Tim2Problem::NoPalette));
        }
        file.slice(clut.offset, clut_bytes)?;
        end = end.saturating_add(clut_bytes);
        let (field, stated) = ("palette", header.clut_size.get());
        if u64::from(stated) != clut_bytes {
            warnings.push(file.error(field_at(4), Tim2Problem::Size { field, stated, actual: clut_bytes }));
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
    } else if !width.is_power_of_two() || !height.is_power_of_two() {
        warnings.push(file.error(field_at(0x14), Tim2Problem::NotPowerOfTwo));
    }
    Ok((Picture { storage, width, height, pixels, clut }, end))
}

/// Computes the size of all mip levels in bytes; each level halves the sides.
fn mip_levels_bytes(storage: Storage, width: u16, height: u16, levels: u8) -> u64 {
    let level = |number: u8| {
        let side = |size: u16| size.checked_shr(number.into()).unwrap_or(0).max(1);
        storage.row_bytes(side(width)).saturating_mul(side(height).into())
    };
    (0..levels.max(1)).map(level).fold(0, u64::saturating_add)
}

/// Returns the storage and number of a palette's colours, and whether they are in CSM1 order; `None` for
/// direct colours.
fn clut_layout(
    file: View<'_>,
    at: u64,
    header: &PictureHeader,
    image: Storage,
) -> Result<Option<(Storage, u64, bool)>, FormatError> {
    let size = u64::from(image.palette_size());
    if size == 0 {
        return Ok(None);
    }
    let number = header.clut_type & 0x3F;
    let storage = Storage::from_number(number).filter(|storage| storage.palette_size() == 0);
    let Some(storage) = storage else {
        return Err(file.error(at.saturating_add(0x12), Tim2Problem::ClutType(number)));
    };
    let stated = u64::from(header.clut_size.get()).checked_div(storage.bits() / 8).unwrap_or(0);
    let colors = match u64::from(header.clut_colors.get()) {
        // The palette size in bytes gives the count instead.
        0 => stated.min(size),
        colors => colors,
    };
    if colors == 0 {
        return Err(file.error(at.saturating_add(0x0E), Tim2Problem::NoPalette));
    }
    let linear = header.clut_type & 0x80 != 0 || image == Storage::Index4 || colors % 256 != 0;
    Ok(Some((storage, colors, !linear)))
}

impl Tim2<'_> {
    /// Counts the pictures.
    pub(super) const fn len(&self) -> usize {
        self.pictures.len()
    }

    /// Loads one picture as texture number `index` of its model or file. Returns `None` if no picture has the
    /// number.
    pub(super) fn load(
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

    /// Loads all pictures as a texture set.
    pub(super) fn texture_set(self, name: &str) -> Result<TextureSet, FormatError> {
        let mut loader = Loader::new();
        let mut warnings = self.warnings.clone();
        let mut textures = Vec::new();
        for number in 0..self.len() {
            textures.extend(self.load(number, (number, None), name, &mut loader, &mut warnings)?);
        }
        let (memory, sources) = loader.finish();
        Ok(TextureSet { memory, sources, textures, notes: warnings.notes().collect() })
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
