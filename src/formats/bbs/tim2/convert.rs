//! Converts pictures to GE textures: rows in multiples of 16 bytes, power-of-two sides, linear palettes.
//!
//! # Invariants
//! Pictures are copied unchanged if they need no conversion. Others are padded with their last row and column, so
//! that filtering at the edge blends in no other colours.

use super::picture::{Clut, Picture, Storage};
use super::problem::Tim2Problem;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::model::storage::{
    AlphaStorage, ColorStorage, LevelStorage, PaletteStorage, StoredOffset, TexelStorage, TextureStorage,
};
use crate::model::texture::LARGEST;
use crate::model::{ModelTexture, TexturePalette};

/// Alpha for opaque colours on the PS2.
const OPAQUE: u8 = 0x80;

/// Loads a picture's texels and palette.
pub(super) fn load(
    file: View<'_>,
    picture: &Picture,
    name: &str,
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<ModelTexture, FormatError> {
    let mut palettes = Vec::new();
    let palette = match &picture.clut {
        Some(clut) => {
            let (palette, stored) = load_palette(file, picture, clut, loader, warnings)?;
            palettes = stored;
            Some(palette)
        }
        None => None,
    };
    let (format, bits) = match picture.storage {
        Storage::Bits16 => (TexelFormat::ABGR5551, 16),
        Storage::Bits24 | Storage::Bits32 => (TexelFormat::ABGR8888, 32),
        Storage::Index4 => (TexelFormat::CLUT4, 4),
        Storage::Index8 => (TexelFormat::CLUT8, 8),
    };
    let (width, height) = (picture.width, picture.height);
    let fits = width <= LARGEST && height <= LARGEST;
    let padded_side = |size: u16| if fits { size.checked_next_power_of_two().unwrap_or(size) } else { size };
    // How many texels fill 16 bytes.
    let unit = 128_u16.checked_div(bits).unwrap_or(1).max(1);
    let buffer_width = padded_side(width).checked_next_multiple_of(unit).unwrap_or(u16::MAX);
    let rows = padded_side(height);

    let row_bytes = picture.storage.row_bytes(width);
    let bytes = row_bytes.saturating_mul(height.into());
    let pixels = file.view(picture.pixels, bytes)?;
    let alpha = match picture.storage {
        Storage::Bits24 => Alpha::Absent,
        Storage::Bits16 | Storage::Bits32 => alpha_meaning(pixels.bytes(), picture.storage),
        Storage::Index4 | Storage::Index8 => Alpha::Plain,
    };
    if alpha == Alpha::None {
        warnings.push(file.error(picture.pixels, Tim2Problem::NoAlpha));
    }
    let is_unchanged = alpha == Alpha::Plain && buffer_width == width && rows == height;
    let address = if is_unchanged {
        loader.place(name, pixels, 16)?
    } else {
        let layout = TexelLayout { width, buffer_width, rows, bits };
        let texels = repack(pixels.bytes(), picture.storage, &layout, alpha);
        loader.store(file, picture.pixels, &texels)?
    };
    Ok(ModelTexture {
        index: 0,
        name: None,
        width,
        height,
        format,
        swizzled: false,
        buffer_width,
        address,
        file_offset: file.file_offset(picture.pixels),
        palette,
        storage: Some(TextureStorage {
            is_companion: file.role() != FileRole::Input,
            texels: match picture.storage {
                Storage::Index4 | Storage::Index8 => TextureStorage::texels(format, false),
                _ => TexelStorage::Color(color_storage(picture.storage, alpha)),
            },
            levels: levels(file, picture),
            palettes,
        }),
    })
}

/// Tells where the file holds a picture's levels, to write other texels there.
fn levels(file: View<'_>, picture: &Picture) -> Vec<LevelStorage> {
    let mut at = StoredOffset::plain(file.file_offset(picture.pixels));
    let level = |number: u8| {
        let [width, height] =
            [picture.width, picture.height].map(|side| side.checked_shr(number.into()).unwrap_or(0).max(1));
        let row_bytes = picture.storage.row_bytes(width);
        let level = LevelStorage {
            at,
            width: width.into(),
            height: height.into(),
            row_bytes: u32::try_from(row_bytes).unwrap_or(u32::MAX),
            swizzled: false,
        };
        at = at.plus(row_bytes.saturating_mul(height.into()));
        level
    };
    (0..picture.levels).map(level).collect()
}

/// Tells how the file stores a colour.
const fn color_storage(storage: Storage, alpha: Alpha) -> ColorStorage {
    let (bytes, channels) = match storage {
        Storage::Bits16 => (2, [(0, 5), (5, 5), (10, 5), (15, 1)]),
        Storage::Bits24 => (3, [(0, 8), (8, 8), (16, 8), (0, 0)]),
        _ => (4, [(0, 8), (8, 8), (16, 8), (24, 8)]),
    };
    let alpha = match alpha {
        Alpha::Plain => AlphaStorage::Plain,
        Alpha::Halved => AlphaStorage::Halved,
        Alpha::None | Alpha::Absent => AlphaStorage::Ignored,
    };
    ColorStorage { bytes, is_big: false, channels, alpha }
}

/// How a picture or palette stores alpha. Source: [TIM2 textures](crate::reference::formats::bbs#tim2-textures).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alpha {
    /// 255 is opaque, as on the GE.
    Plain,
    /// 0x80 is opaque, as on the PS2.
    Halved,
    /// 0 everywhere. This is drawn opaque, because it would be invisible otherwise.
    None,
    /// Not stored.
    Absent,
}

/// Works out how alpha is stored from the largest value, because files do not say.
fn alpha_meaning(bytes: &[u8], storage: Storage) -> Alpha {
    let highest = match storage {
        Storage::Bits16 => bytes.iter().skip(1).step_by(2).map(|high| high & 0x80).max(),
        Storage::Bits32 => bytes.iter().skip(3).step_by(4).copied().max(),
        _ => return Alpha::Absent,
    };
    match (highest.unwrap_or(0), storage) {
        (0, _) => Alpha::None,
        (_, Storage::Bits16) => Alpha::Plain,
        (highest, _) if highest <= OPAQUE => Alpha::Halved,
        _ => Alpha::Plain,
    }
}

impl Alpha {
    /// Converts an alpha value to the GE's range.
    fn to_ge(self, alpha: u8) -> u8 {
        match self {
            Self::Plain => alpha,
            Self::Halved => alpha.saturating_mul(2),
            Self::None | Self::Absent => u8::MAX,
        }
    }
}

/// Converts pixel `x` in a row to the GE format.
fn texel(row: &[u8], x: usize, storage: Storage, alpha: Alpha) -> u32 {
    let byte = |at: usize| row.get(at).copied().unwrap_or(0);
    match storage {
        Storage::Index8 => byte(x).into(),
        Storage::Index4 => {
            let pair = byte(x / 2);
            u32::from(if x.is_multiple_of(2) { pair & 15 } else { pair >> 4 })
        }
        Storage::Bits16 => {
            let at = x.saturating_mul(2);
            let opaque = if alpha == Alpha::Plain { 0 } else { 0x8000 };
            u32::from(u16::from_le_bytes([byte(at), byte(at.saturating_add(1))]) | opaque)
        }
        Storage::Bits24 | Storage::Bits32 => {
            let size = if storage == Storage::Bits24 { 3 } else { 4 };
            let at = x.saturating_mul(size);
            let [red, green, blue, last] = [0, 1, 2, 3].map(|i: usize| byte(at.saturating_add(i)));
            u32::from_le_bytes([red, green, blue, alpha.to_ge(last)])
        }
    }
}

/// How to lay texels out in memory.
struct TexelLayout {
    width: u16,
    buffer_width: u16,
    rows: u16,
    /// Bits per texel: 4, 8, 16 or 32.
    bits: u16,
}

/// Converts texels to the GE format, and repeats the last column and row as padding.
fn repack(pixels: &[u8], storage: Storage, layout: &TexelLayout, alpha: Alpha) -> Vec<u8> {
    let row_bytes = usize::try_from(storage.row_bytes(layout.width)).unwrap_or(usize::MAX).max(1);
    let last_column = usize::from(layout.width.saturating_sub(1));
    let mut out = Vec::new();
    let mut packed = Vec::new();
    let mut rows = pixels.chunks(row_bytes);
    for _ in 0..layout.rows {
        if let Some(row) = rows.next() {
            packed.clear();
            // Two 4-bit texels share a byte, so this keeps the left until the right is known.
            let mut half = None;
            for x in 0..usize::from(layout.buffer_width) {
                let [low, second, third, fourth] =
                    texel(row, x.min(last_column), storage, alpha).to_le_bytes();
                match (layout.bits, half.take()) {
                    (4, None) => half = Some(low),
                    (4, Some(left)) => packed.push(left | low << 4),
                    (8, _) => packed.push(low),
                    (16, _) => packed.extend([low, second]),
                    _ => packed.extend([low, second, third, fourth]),
                }
            }
        }
        out.extend_from_slice(&packed);
    }
    out
}

/// Loads a palette in linear order, padded with zeros to a multiple of the palette size. Also tells where its parts
/// are in the file.
fn load_palette(
    file: View<'_>,
    picture: &Picture,
    clut: &Clut,
    loader: &mut Loader,
    warnings: &mut Warnings,
) -> Result<(TexturePalette, Vec<Option<PaletteStorage>>), FormatError> {
    let size = picture.storage.palette_size();
    let bytes = file.slice(clut.offset, clut.colors.saturating_mul(clut.storage.bits() / 8))?;
    let alpha = match clut.storage {
        Storage::Bits24 => Alpha::Absent,
        storage => alpha_meaning(bytes, storage),
    };
    if alpha == Alpha::None {
        warnings.push(file.error(clut.offset, Tim2Problem::NoAlpha));
    }
    let count = usize::try_from(clut.colors).unwrap_or(0);
    let padded = count.checked_next_multiple_of(size.into()).unwrap_or(count);
    let mut out = Vec::new();
    for entry in 0..padded {
        // CSM1 order swaps bits 3 and 4 in the index.
        let from = if clut.permuted { entry & !0x18 | (entry & 8) << 1 | (entry & 0x10) >> 1 } else { entry };
        let color = if from < count { texel(bytes, from, clut.storage, alpha) } else { 0 };
        let [first, second, third, fourth] = color.to_le_bytes();
        match clut.storage {
            Storage::Bits16 => out.extend([first, second]),
            _ => out.extend([first, second, third, fourth]),
        }
    }
    let format = if clut.storage == Storage::Bits16 { PixelFormat::ABGR5551 } else { PixelFormat::ABGR8888 };
    let address = loader.store(file, clut.offset, &out)?;
    let colors = u32::try_from(count).unwrap_or(u32::MAX);
    let at = StoredOffset::plain(file.file_offset(clut.offset));
    let color = color_storage(clut.storage, alpha);
    let stored = PaletteStorage::each(at, colors, size, color, clut.permuted).map(Some).collect();
    let palette = TexturePalette {
        format,
        colors: u32::try_from(padded).unwrap_or(u32::MAX),
        size,
        address,
        shift: 0,
        mask: 0xFF,
    };
    Ok((palette, stored))
}
