//! TIM2: textures as PS2 and PSP games keep them, alone or inside other files. Source: the format document on
//! Birth by Sleep models, §4.
//!
//! # Invariants
//! Every picture that the reader yields has all its texels in the file, and its palette where it needs one. Sizes
//! follow from a picture's type, width and height; what the file says about them is checked, never believed.

use thiserror::Error;
use zerocopy::little_endian::{U16, U32};
use zerocopy::{FromBytes, Immutable, KnownLayout, Unaligned};

use super::cursor::View;
use super::error::{FormatError, Warnings};
use super::load::Loader;
use crate::model::texture::LARGEST;
use crate::model::{ModelTexture, TextureSet};

mod convert;

/// First bytes of every file.
const MAGIC: [u8; 4] = *b"TIM2";
/// Bytes of a picture's header without those of mipmaps.
const PICTURE_HEADER: u64 = 0x30;
/// Where the pictures start if they are aligned to 128 bytes, and if not.
const FIRST: [u64; 2] = [0x80, 0x10];
/// Texture row lengths are stored in 11 bits.
const WIDEST: u16 = 2047;

/// What can be wrong with a TIM2 file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Tim2Problem {
    /// Another magic.
    #[error("not a TIM2 file")]
    Magic,
    /// No pictures.
    #[error("the file holds no picture")]
    NoPicture,
    /// More pictures than the file holds.
    #[error("the file is said to hold {0} pictures and ends before")]
    Count(u16),
    /// A header shorter than its fields, or longer than the file.
    #[error("a picture header of {0} bytes cannot be: it has 48 or more, in the file")]
    HeaderSize(u16),
    /// An image type that is not one of 1 to 5.
    #[error("image type {0} does not exist; 1 to 5 do")]
    ImageType(u8),
    /// A palette type that is not one of 1 to 3.
    #[error("palette type {0} does not exist; 1 to 3 do")]
    ClutType(u8),
    /// A side of length 0.
    #[error("the picture has no pixels")]
    Empty,
    /// Indexed pixels without colours.
    #[error("the picture has indexed pixels and no palette")]
    NoPalette,
    /// Rows too long for the engine's register.
    #[error("rows of {0} texels are longer than the Graphics Engine can take")]
    TooWide(u16),
    /// Texels out of the engine's reach.
    #[error("the picture is larger than 512x512; the Graphics Engine draws no texel beyond")]
    TooLarge,
    /// Sizes that the engine does not have.
    #[error(
        "the picture's sides are no powers of two; it is padded, coordinates are scaled, and repeats show a gap"
    )]
    NoPowerOfTwo,
    /// A size field that contradicts the picture.
    #[error(
        "the {field} is said to take {said} bytes; going by type and size it takes {real}, which is used"
    )]
    Size {
        /// What is measured.
        field: &'static str,
        /// What the file says.
        said: u32,
        /// What follows from the picture.
        real: u64,
    },
    /// Smaller versions of the picture.
    #[error("of {0} mipmap levels only the first is used")]
    Mipmaps(u8),
    /// Alpha is 0 throughout.
    #[error("no colour has any alpha; it is drawn opaque")]
    NoAlpha,
}

#[derive(Clone, Copy, FromBytes, Immutable, KnownLayout, Unaligned)]
#[repr(C)]
struct Header {
    magic: [u8; 4],
    _revision: u8,
    /// 0 where pictures are aligned to 16 bytes, else 128.
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

/// How pixels or colours are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Storage {
    /// 16 bits: 5 each of red, green, blue, then 1 of alpha.
    Bits16,
    /// 24 bits: red, green, blue.
    Bits24,
    /// 32 bits: red, green, blue, alpha.
    Bits32,
    /// 4-bit index, the left pixel in the low bits.
    Index4,
    /// 8-bit index.
    Index8,
}

impl Storage {
    fn from_number(number: u8) -> Option<Self> {
        [Self::Bits16, Self::Bits24, Self::Bits32, Self::Index4, Self::Index8]
            .get(usize::from(number).checked_sub(1)?)
            .copied()
    }

    const fn bits(self) -> u64 {
        match self {
            Self::Bits16 => 16,
            Self::Bits24 => 24,
            Self::Bits32 => 32,
            Self::Index4 => 4,
            Self::Index8 => 8,
        }
    }

    /// Colours of a palette that pixels of this storage pick from; 0 for direct colours.
    const fn palette_size(self) -> u16 {
        match self {
            Self::Index4 => 16,
            Self::Index8 => 256,
            _ => 0,
        }
    }

    /// Bytes of a row of pixels.
    fn row_bytes(self, width: u16) -> u64 {
        u64::from(width).saturating_mul(self.bits()).div_ceil(8)
    }
}

/// A file, read and checked.
#[derive(Clone, Debug)]
pub(super) struct Tim2<'a> {
    file: View<'a>,
    pictures: Vec<Picture>,
    pub(super) warnings: Warnings,
}

/// One picture; offsets count from the start of the view.
#[derive(Clone, Copy, Debug)]
struct Picture {
    storage: Storage,
    width: u16,
    height: u16,
    pixels: u64,
    clut: Option<Clut>,
}

#[derive(Clone, Copy, Debug)]
struct Clut {
    storage: Storage,
    colors: u64,
    offset: u64,
    /// In the order of the PS2's CSM1: entries 8 to 15 and 16 to 23 of every 32 change places.
    permuted: bool,
}

/// Whether these are the first bytes of a TIM2 file.
pub(super) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads a file, at most `most` pictures of it.
pub(super) fn read(file: View<'_>, most: usize) -> Result<Tim2<'_>, FormatError> {
    let header: Header = file.read(0)?;
    if header.magic != MAGIC {
        return Err(file.error(0, Tim2Problem::Magic));
    }
    let count = usize::from(header.pictures.get());
    if count == 0 {
        return Err(file.error(6, Tim2Problem::NoPicture));
    }
    let [aligned, packed] = FIRST;
    let (mut at, alignment) = if header.format == 0 { (packed, 16) } else { (aligned, 128) };
    let mut tim2 = Tim2 { file, pictures: Vec::new(), warnings: Warnings::default() };
    for _ in 0..count.min(most) {
        if at > file.len() {
            return Err(file.error(6, Tim2Problem::Count(header.pictures.get())));
        }
        let (picture, end) = read_picture(file, at, &mut tim2.warnings)?;
        tim2.pictures.push(picture);
        at = end.checked_next_multiple_of(alignment).unwrap_or(u64::MAX);
    }
    Ok(tim2)
}

/// Reads the picture whose header is at `at`, and finds where it ends.
fn read_picture(file: View<'_>, at: u64, warnings: &mut Warnings) -> Result<(Picture, u64), FormatError> {
    let header: PictureHeader = file.read(at)?;
    file.slice(at, PICTURE_HEADER)?;
    let place = |field: u64| at.saturating_add(field);
    let header_size = u64::from(header.header_size.get());
    if header_size < PICTURE_HEADER || place(header_size) > file.len() {
        return Err(file.error(place(0x0C), Tim2Problem::HeaderSize(header.header_size.get())));
    }
    let Some(storage) = Storage::from_number(header.image_type) else {
        return Err(file.error(place(0x13), Tim2Problem::ImageType(header.image_type)));
    };
    let (width, height) = (header.width.get(), header.height.get());
    if width == 0 || height == 0 {
        return Err(file.error(place(0x14), Tim2Problem::Empty));
    }
    if width > WIDEST {
        return Err(file.error(place(0x14), Tim2Problem::TooWide(width)));
    }
    let pixels = place(header_size);
    let first_level = storage.row_bytes(width).saturating_mul(u64::from(height));
    file.slice(pixels, first_level)?;
    let levels = levels_bytes(storage, width, height, header.mipmaps);
    let clut_shape = clut_shape(file, at, &header, storage)?;
    let clut_bytes = clut_shape.map_or(0, |(storage, colors, _)| colors.saturating_mul(storage.bits() / 8));

    // The image's field also covers padding between mipmap levels, so that it is used where it can be true.
    let said = u64::from(header.image_size.get());
    let fits = |image: u64| file.slice(pixels.saturating_add(image), clut_bytes).is_ok();
    let image = if said >= first_level && fits(said) && (said == levels || header.mipmaps > 1) {
        said
    } else {
        let (field, said) = ("image", header.image_size.get());
        warnings.push(file.error(place(8), Tim2Problem::Size { field, said, real: levels }));
        levels
    };
    let mut end = pixels.saturating_add(image);
    let clut = clut_shape.map(|(storage, colors, permuted)| Clut { storage, colors, offset: end, permuted });
    if let Some(clut) = clut {
        if clut.offset > file.len() {
            return Err(file.error(place(8), Tim2Problem::NoPalette));
        }
        file.slice(clut.offset, clut_bytes)?;
        end = end.saturating_add(clut_bytes);
        let (field, said) = ("palette", header.clut_size.get());
        if u64::from(said) != clut_bytes {
            warnings.push(file.error(place(4), Tim2Problem::Size { field, said, real: clut_bytes }));
        }
    }
    let real = end.saturating_sub(at);
    let said = header.total_size.get();
    if u64::from(said) != real {
        // Padding behind a picture belongs to it.
        if u64::from(said) > real && file.slice(at, u64::from(said)).is_ok() {
            end = place(u64::from(said));
        } else {
            warnings.push(file.error(at, Tim2Problem::Size { field: "picture", said, real }));
        }
    }
    if header.mipmaps > 1 {
        warnings.push(file.error(place(0x11), Tim2Problem::Mipmaps(header.mipmaps)));
    }
    if width > LARGEST || height > LARGEST {
        warnings.push(file.error(place(0x14), Tim2Problem::TooLarge));
    } else if !width.is_power_of_two() || !height.is_power_of_two() {
        warnings.push(file.error(place(0x14), Tim2Problem::NoPowerOfTwo));
    }
    Ok((Picture { storage, width, height, pixels, clut }, end))
}

/// Bytes of all mipmap levels, each with sides half as long.
fn levels_bytes(storage: Storage, width: u16, height: u16, levels: u8) -> u64 {
    let level = |number: u8| {
        let side = |size: u16| size.checked_shr(number.into()).unwrap_or(0).max(1);
        storage.row_bytes(side(width)).saturating_mul(side(height).into())
    };
    (0..levels.max(1)).map(level).fold(0, u64::saturating_add)
}

/// Storage and number of a palette's colours, and whether they are permuted; `None` for direct colours.
fn clut_shape(
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
    let said = u64::from(header.clut_size.get()).checked_div(storage.bits() / 8).unwrap_or(0);
    let colors = match u64::from(header.clut_colors.get()) {
        // Then its bytes say how many they are, if anything does.
        0 => said.min(size),
        colors => colors,
    };
    if colors == 0 {
        return Err(file.error(at.saturating_add(0x0E), Tim2Problem::NoPalette));
    }
    let linear = header.clut_type & 0x80 != 0 || image == Storage::Index4 || colors % 256 != 0;
    Ok(Some((storage, colors, !linear)))
}

impl Tim2<'_> {
    /// How many pictures there are.
    pub(super) const fn len(&self) -> usize {
        self.pictures.len()
    }

    /// Loads one picture as texture number `index` of its model or file; `None` where there is no such picture.
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

    /// The file's pictures on their own.
    pub(super) fn texture_set(self, name: &str) -> Result<TextureSet, FormatError> {
        let mut loader = Loader::new();
        let mut warnings = self.warnings.clone();
        let mut textures = Vec::new();
        for number in 0..self.len() {
            textures.extend(self.load(number, (number, None), name, &mut loader, &mut warnings)?);
        }
        let (memory, sources) = loader.finish();
        Ok(TextureSet { memory, sources, textures, notes: warnings.lines().collect() })
    }
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test may panic")]
mod tests;
