//! Turns pictures into textures in the Graphics Engine's formats, for `.texture`.
//!
//! # Invariants
//! This is a pure function of the file's bytes and the options, so it makes the same bytes on every machine.
//!
//! Source: [textures](crate::reference::ge::textures).

use image::{Rgba, RgbaImage};

use crate::ge::registers::texture::{PixelFormat, TexelFormat};

#[doc(hidden)]
pub mod dxt;
mod error;
mod palette;
#[doc(hidden)]
pub mod picture;
mod texels;

pub use error::TextureError;
use palette::Palette;
pub(super) use texels::StoredLevel;

/// How to turn a picture into a texture.
#[derive(Clone, Debug)]
pub(super) struct TextureOptions<'a> {
    /// How to store texels.
    pub(super) format: TexelFormat,
    /// Whether to store texels in blocks with 16 bytes by 8 rows.
    pub(super) swizzled: bool,
    /// How many smaller levels to add after the first.
    pub(super) mipmaps: u8,
    /// Whether to extend sides to powers of two.
    pub(super) pad: bool,
    /// Whether to replace colours missing in the palette by similar colours.
    pub(super) quantize: bool,
    /// The palette to use; ignored by formats without palettes.
    pub(super) palette: PaletteChoice<'a>,
}

/// Where a texture's palette comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum PaletteChoice<'a> {
    /// A new palette, with colours in this format.
    New(PixelFormat),
    /// The palette that belongs to the texture with this label.
    Shared(&'a str, &'a Palette),
}

impl TextureOptions<'_> {
    /// Returns a key to find results again. In the same program, it is equal for equal options.
    pub(super) fn key(&self) -> String {
        let Self { format, swizzled, mipmaps, pad, quantize, palette } = self;
        let palette = match palette {
            PaletteChoice::New(format) => format!("={format}"),
            PaletteChoice::Shared(label, _) => (*label).to_owned(),
        };
        format!("{format} {swizzled} {mipmaps} {pad} {quantize} {palette}")
    }
}

/// A texture in the Graphics Engine's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EncodedTexture {
    /// The picture's size without padding.
    pub(super) picture_size: [u32; 2],
    /// The levels, largest first; never empty.
    pub(super) levels: Vec<StoredLevel>,
    /// The palette for indexed texels.
    pub(super) palette: Option<Palette>,
}

/// Converts a PNG file to a texture.
pub(super) fn encode(png: &[u8], options: &TextureOptions<'_>) -> Result<EncodedTexture, TextureError> {
    let TextureOptions { format, swizzled, mipmaps, pad, quantize, palette } = *options;
    if swizzled && format.is_compressed() {
        return Err(TextureError::NotSwizzled(format));
    }
    if quantize && !format.is_indexed() {
        return Err(TextureError::NoPalette(format));
    }
    let picture = picture::decode(png)?;
    let picture_size = picture.dimensions().into();
    let levels = picture::levels(picture::fit(picture, pad)?, mipmaps)?;
    // Compressed formats have their own encoder and no palette, so they end here.
    if format.is_compressed() {
        let levels = levels.iter().map(|level| dxt::compress(level, format)).collect();
        return Ok(EncodedTexture { picture_size, levels, palette: None });
    }
    let palette =
        if format.is_indexed() { Some(choose_palette(&levels, format, quantize, palette)?) } else { None };
    let mut indexer = palette.as_ref().map(|palette| palette::Indexer::new(palette, format));
    let mut bits = |pixel: [u8; 4]| match &mut indexer {
        Some(indexer) => indexer.index(pixel),
        None => palette::nearest_stored(PixelFormat::from_number(format.number()), pixel),
    };
    let levels = levels
        .iter()
        .map(|level| {
            texels::store(level.dimensions().into(), format.bits(), swizzled, |x, y| {
                bits(level.get_pixel_checked(x, y).copied().unwrap_or(Rgba([0; 4])).0)
            })
        })
        .collect();
    Ok(EncodedTexture { picture_size, levels, palette })
}

/// Chooses a palette for the largest level. Smaller levels take its nearest colours.
fn choose_palette(
    levels: &[RgbaImage],
    format: TexelFormat,
    quantize: bool,
    choice: PaletteChoice<'_>,
) -> Result<Palette, TextureError> {
    let (pixels, _) = levels.first().map_or(&[][..], |level| level.as_raw()).as_chunks::<4>();
    match choice {
        PaletteChoice::New(colors) => Palette::of_pixels(pixels, format, colors, quantize),
        PaletteChoice::Shared(label, shared) => {
            let missing = shared.missing(pixels, palette::colors_max(format));
            if missing > 0 && !quantize {
                return Err(TextureError::MissingColors { missing, label: label.to_owned() });
            }
            Ok(shared.clone())
        }
    }
}
