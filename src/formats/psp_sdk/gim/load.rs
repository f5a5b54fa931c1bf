//! Loads a picture's images and palettes into memory, unchanged if the Graphics Engine can read them.
//! Source: [GIM as GE state](crate::reference::formats::psp_sdk#gim-as-ge-state).
//!
//! # Invariants
//! Pixels shared by several levels or frames are loaded once.

use std::collections::HashMap;

use super::image::{Image, Level, Plane};
use super::problem::GimProblem;
use super::read::{Gim, Picture};
use super::texels::{self, Colors};
use crate::formats::core::error::{FileRole, FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::ge::address::Address;
use crate::ge::color;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::model::storage::{
    ColorStorage, LevelStorage, PaletteStorage, StoredOffset, TexelStorage, TextureStorage,
};
use crate::model::texture::LARGEST;
use crate::model::{ModelTexture, TexturePalette};

/// Palette memory holds this many bytes.
const PALETTE_BYTES: u32 = 1024;
/// LOADCLUT loads blocks of this many bytes.
const BLOCK: u32 = 32;
/// The most textures to list.
const TEXTURES_MAX: usize = 1024;

#[derive(Clone, Debug)]
pub(in crate::formats::psp_sdk) struct LoadedPicture {
    pub(super) images: Vec<LoadedImage>,
}

/// An image in memory, with its picture's palettes.
#[derive(Clone, Debug)]
pub(super) struct LoadedImage {
    pub(super) format: TexelFormat,
    pub(super) is_swizzled: bool,
    /// By frame, then level; never empty.
    pub(super) frames: Vec<Vec<LoadedLevel>>,
    /// Whether the levels are mip levels, to be drawn together.
    pub(super) has_mipmaps: bool,
    /// Empty for direct colours.
    pub(super) palettes: Vec<LoadedPalette>,
    pub(super) planes: Vec<Plane>,
    /// How the file stores a texel; `None` if texels were converted.
    stored: Option<TexelStorage>,
    is_companion: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LoadedLevel {
    pub(super) address: Address,
    pub(super) width: u16,
    pub(super) height: u16,
    /// Row length in texels.
    pub(super) buffer_width: u16,
    stored: LevelStorage,
}

#[derive(Clone, Debug)]
pub(super) struct LoadedPalette {
    pub(super) format: PixelFormat,
    /// How many colours each level of each frame has.
    pub(super) colors: u16,
    /// Whether each image level has its own palette; they follow one another in memory.
    pub(super) is_per_level: bool,
    /// By frame, then level; never empty.
    pub(super) frames: Vec<Vec<Address>>,
    /// Where the file holds them, in the same order.
    stored: Vec<Vec<PaletteStorage>>,
}

impl LoadedPalette {
    /// Returns how many 32-byte blocks to load.
    pub(super) fn blocks(&self) -> u8 {
        let levels = if self.is_per_level { self.frames.first().map_or(1, Vec::len) } else { 1 };
        let levels = u32::try_from(levels).unwrap_or(1);
        let bytes = u32::from(self.colors).saturating_mul(color::bytes(self.format)).saturating_mul(levels);
        u8::try_from(bytes.min(PALETTE_BYTES).div_ceil(BLOCK)).unwrap_or(32)
    }
}

/// Loads a file's pixels and palettes.
pub(super) struct PictureLoader<'a, 'l> {
    pub(super) name: &'a str,
    pub(super) loader: &'l mut Loader,
    pub(super) warnings: &'l mut Warnings,
}

impl PictureLoader<'_, '_> {
    /// Loads several pictures.
    pub(super) fn pictures(&mut self, pictures: &[Picture<'_>]) -> Result<Vec<LoadedPicture>, FormatError> {
        pictures.iter().map(|picture| self.picture(picture)).collect()
    }

    /// Loads a picture's images, each with its palettes.
    pub(super) fn picture(&mut self, picture: &Picture<'_>) -> Result<LoadedPicture, FormatError> {
        let images = picture.images.iter().map(|image| self.image(image, &picture.palettes));
        Ok(LoadedPicture { images: images.collect::<Result<_, _>>()? })
    }

    fn image(&mut self, image: &Image<'_>, palettes: &[Image<'_>]) -> Result<LoadedImage, FormatError> {
        if image.width > LARGEST || image.height > LARGEST {
            self.warnings.push(image.data.view.error(8, GimProblem::TooLarge));
        }
        if image.data.is_big && image.format.is_compressed() {
            self.warnings.push(image.data.view.error(4, GimProblem::CompressedOrder));
        }
        let planes = image.planes();
        let is_indexed = image.format.is_indexed();
        let highest = if is_indexed { texels::highest_index(image, &planes) } else { 0 };
        // The CLUTFORMAT mask has 8 bits, so the engine would look up other colours for higher indices.
        let is_expanded = highest > 0xFF;
        if is_expanded {
            self.warnings.push(image.data.view.error(4, GimProblem::Expanded(highest)));
        }
        let colors = palettes.first().filter(|_| is_expanded).map(Colors::of);
        let mut known = HashMap::new();
        let mut frames = Vec::new();
        for frame in 0..image.frames {
            let mut levels = Vec::new();
            for level in 0..image.levels {
                let Some(found) = image.level(level, frame) else { continue };
                // Expanded frames have their own colours, so they differ even if they share indices.
                let key = (found.offset, level, if is_expanded { frame } else { 0 });
                let loaded = match known.get(&key) {
                    Some(loaded) => *loaded,
                    None => self.level(image, &found, colors.as_ref().map(|colors| (colors, frame)))?,
                };
                known.insert(key, loaded);
                levels.push(loaded);
            }
            frames.push(levels);
        }
        let needed = highest.saturating_add(1);
        let mut loaded = Vec::new();
        for palette in palettes.iter().filter(|_| is_indexed && !is_expanded) {
            loaded.push(self.palette(palette, image, needed)?);
        }
        Ok(LoadedImage {
            format: colors.as_ref().map_or(image.format, |colors| colors.format),
            is_swizzled: image.is_swizzled && !is_expanded,
            frames,
            has_mipmaps: image.has_mipmaps,
            palettes: loaded,
            planes: if is_expanded { Vec::new() } else { planes },
            stored: Some(TextureStorage::texels(image.format, image.data.is_big)).filter(|_| !is_expanded),
            is_companion: image.data.view.role() != FileRole::Input,
        })
    }

    /// Loads a level, with room for rows up to the next power of two, because the Graphics Engine may read them.
    fn level(
        &mut self,
        image: &Image<'_>,
        level: &Level,
        colors: Option<(&Colors<'_>, usize)>,
    ) -> Result<LoadedLevel, FormatError> {
        let stored = LevelStorage {
            at: StoredOffset::plain(image.data.view.file_offset(level.offset)),
            width: level.width.into(),
            height: level.height.into(),
            row_bytes: u32::try_from(level.pitch).unwrap_or(u32::MAX),
            swizzled: image.is_swizzled,
        };
        let texels = |pitch: u64, bits: u64| {
            u16::try_from(pitch.saturating_mul(8).checked_div(bits).unwrap_or(0)).unwrap_or(u16::MAX)
        };
        let (width, height) = (level.width, level.height);
        let placed = |address, buffer_width| LoadedLevel { address, width, height, buffer_width, stored };
        if let Some((colors, frame)) = colors {
            let (pitch, bytes) = colors.expand(image, level, frame);
            let address = self.loader.store(image.data.view, level.offset, &bytes)?;
            return Ok(placed(address, texels(pitch, colors.bits())));
        }
        let compressed = image.format.is_compressed();
        let pitch = if compressed { level.pitch } else { level.pitch.next_multiple_of(16) };
        let rows = u64::from(height.min(LARGEST).next_power_of_two());
        let rows = if compressed { rows / 4 } else { rows };
        let reserved = pitch.saturating_mul(level.rows.max(rows));
        let unit = texels::swapped_bytes(image);
        let piece = image.data.view.view(level.offset, level.bytes)?;
        let address = if unit == 1 && pitch == level.pitch {
            self.loader.place_padded(self.name, piece, 16, reserved)?
        } else {
            self.loader.store(
                image.data.view,
                level.offset,
                &texels::repack(piece.bytes(), unit, level, pitch),
            )?
        };
        let buffer_width = if compressed {
            width.checked_next_multiple_of(4).unwrap_or(u16::MAX)
        } else {
            texels(pitch, u64::from(image.format.bits()))
        };
        Ok(placed(address, buffer_width))
    }

    /// Loads all levels and frames of a palette, with at least `needed` colours.
    fn palette(
        &mut self,
        palette: &Image<'_>,
        image: &Image<'_>,
        needed: u32,
    ) -> Result<LoadedPalette, FormatError> {
        let view = palette.data.view;
        let (width, height) = (palette.width, palette.height);
        if height != 1 {
            self.warnings.push(view.error(8, GimProblem::PaletteShape { width, height }));
        }
        if u32::from(width) < needed {
            let problem = GimProblem::Index { index: needed.saturating_sub(1), colors: width.into() };
            self.warnings.push(view.error(8, problem));
        }
        let format = PixelFormat::from_number(palette.format.number());
        let size = color::bytes(format);
        let most = PALETTE_BYTES.checked_div(size).unwrap_or(256);
        if u32::from(width) > most {
            self.warnings.push(view.error(8, GimProblem::LongPalette(width)));
        }
        // 4-bit indices reach only the first 16 colours.
        let reach = if image.format == TexelFormat::CLUT4 { 16 } else { most };
        let is_per_level =
            image.has_mipmaps && image.levels > 1 && palette.levels > 1 && image.format == TexelFormat::CLUT4;
        if palette.levels > 1 && image.levels > 1 && !is_per_level {
            self.warnings.push(view.error(0x2A, GimProblem::LevelPalettes));
        }
        let stored = u32::from(width).min(reach);
        let per_block = BLOCK.checked_div(size).unwrap_or(8);
        let count = if is_per_level { 16 } else { stored.max(needed).next_multiple_of(per_block).min(most) };
        let levels = palette.levels.min(if is_per_level { image.levels.min(8) } else { palette.levels });
        let mut known = HashMap::new();
        let (mut frames, mut places) = (Vec::new(), Vec::new());
        let color = ColorStorage { is_big: palette.data.is_big, ..ColorStorage::of(format) };
        let place = |level: &Level| PaletteStorage {
            at: StoredOffset::plain(view.file_offset(level.offset)),
            colors: u64::from(stored)
                .min(level.bytes.checked_div(size.into()).unwrap_or(0))
                .try_into()
                .unwrap_or(0),
            color,
            is_permuted: false,
        };
        for frame in 0..palette.frames {
            let found: Vec<Level> = (0..levels).filter_map(|level| palette.level(level, frame)).collect();
            let mut addresses = Vec::new();
            if is_per_level {
                let bytes: Vec<u8> =
                    found.iter().flat_map(|level| texels::colors(palette, level, stored, count)).collect();
                let start = self.loader.store(view, found.first().map_or(0, |level| level.offset), &bytes)?;
                let step = count.saturating_mul(size);
                addresses.extend((0..).zip(&found).map(|(level, _)| start.offset(step.wrapping_mul(level))));
            }
            for level in found.iter().filter(|_| !is_per_level) {
                let address = match known.get(&level.offset) {
                    Some(address) => *address,
                    None => self.colors(palette, level, stored, count)?,
                };
                known.insert(level.offset, address);
                addresses.push(address);
            }
            frames.push(addresses);
            places.push(found.iter().map(place).collect());
        }
        let colors = u16::try_from(count).unwrap_or(u16::MAX);
        Ok(LoadedPalette { format, colors, is_per_level, frames, stored: places })
    }

    /// Loads the colours for a palette level, unchanged if all are in the file.
    fn colors(
        &mut self,
        palette: &Image<'_>,
        level: &Level,
        stored: u32,
        count: u32,
    ) -> Result<Address, FormatError> {
        let size = u64::from(palette.format.bits()) / 8;
        let length = u64::from(count).saturating_mul(size);
        if stored == count && texels::swapped_bytes(palette) == 1 && length <= level.bytes {
            return self.loader.place(self.name, palette.data.view.view(level.offset, length)?, 16);
        }
        self.loader.store(palette.data.view, level.offset, &texels::colors(palette, level, stored, count))
    }
}

/// Lists the textures of all pictures. The first in this list is the first picture's first frame, at its first
/// level.
pub(super) fn textures(
    gim: &Gim<'_>,
    pictures: &[LoadedPicture],
    warnings: &mut Warnings,
) -> Vec<ModelTexture> {
    let mut textures = Vec::new();
    let mut left_out = 0_usize;
    for (number, picture) in pictures.iter().enumerate() {
        for (image_number, image) in picture.images.iter().enumerate() {
            for shown in image.shown() {
                if textures.len() >= TEXTURES_MAX {
                    left_out = left_out.saturating_add(1);
                    continue;
                }
                let parts = [
                    ("picture", number, pictures.len() > 1),
                    ("image", image_number, picture.images.len() > 1),
                    ("palette", shown.palette, shown.palette > 0),
                    ("frame", shown.frame, image.count_frames() > 1),
                    ("plane", shown.plane, image.planes.len() > 1),
                    ("level", shown.level, shown.level > 0),
                ];
                let named = parts.iter().filter(|(_, _, is_shown)| *is_shown);
                let name: Vec<String> = named.map(|(part, number, _)| format!("{part}{number}")).collect();
                let name = Some(name.join("-")).filter(|name| !name.is_empty());
                textures.extend(image.texture(shown, textures.len(), name));
            }
        }
    }
    if left_out > 0 {
        warnings.push(gim.file.error(0, GimProblem::MoreImages(left_out)));
    }
    textures
}

/// Selects a texture of an image.
#[derive(Clone, Copy, Debug)]
struct Shown {
    palette: usize,
    frame: usize,
    level: usize,
    plane: usize,
}

impl LoadedImage {
    /// Counts the frames. If only the palettes have several frames, they alone change the picture.
    pub(super) fn count_frames(&self) -> usize {
        let of_palette = self.palettes.first().map_or(1, |palette| palette.frames.len());
        if self.frames.len() > 1 { self.frames.len() } else { of_palette.max(1) }
    }

    /// Lists all textures to show: every level, frame and plane with the first palette, then the first frame with
    /// the others.
    fn shown(&self) -> Vec<Shown> {
        let levels = self.frames.first().map_or(0, Vec::len);
        let mut all = Vec::new();
        for frame in 0..self.count_frames() {
            for level in 0..levels {
                let shown = |plane| Shown { palette: 0, frame, level, plane };
                all.extend((0..self.planes.len().max(1)).map(shown));
            }
        }
        all.extend((1..self.palettes.len()).map(|palette| Shown { palette, frame: 0, level: 0, plane: 0 }));
        all
    }

    fn texture(&self, shown: Shown, index: usize, name: Option<String>) -> Option<ModelTexture> {
        let Shown { palette, frame, level, plane } = shown;
        let levels = self.frames.get(frame.checked_rem(self.frames.len())?)?;
        let found = levels.get(level)?;
        let palette = self.palettes.get(palette);
        let storage = self.storage(shown, levels, palette);
        let palette = palette.and_then(|palette| {
            let levels = palette.frames.get(frame.checked_rem(palette.frames.len())?)?;
            let address = *levels.get(level.min(levels.len().saturating_sub(1)))?;
            let Plane { shift, mask } = *self.planes.get(plane)?;
            Some(TexturePalette {
                format: palette.format,
                colors: palette.colors.into(),
                size: palette.colors,
                address,
                shift,
                mask: mask.to_le_bytes()[0],
            })
        });
        Some(ModelTexture {
            index,
            name,
            width: found.width,
            height: found.height,
            format: self.format,
            swizzled: self.is_swizzled,
            buffer_width: found.buffer_width,
            address: found.address,
            file_offset: found.stored.at.offset,
            palette,
            storage,
        })
    }

    /// Returns where this texture is in the file. Level 0 covers all mip levels, but each can also be shown alone.
    fn storage(
        &self,
        shown: Shown,
        levels: &[LoadedLevel],
        palette: Option<&LoadedPalette>,
    ) -> Option<TextureStorage> {
        let texels = match self.stored? {
            TexelStorage::Index { bits, is_big, .. } => {
                let Plane { shift, mask } = *self.planes.get(shown.plane)?;
                TexelStorage::Index { bits, shift: shift.into(), mask, is_big }
            }
            other => other,
        };
        let are_together = self.has_mipmaps && shown.level == 0;
        let count = if are_together { levels.len() } else { 1 };
        let colors = palette.map(|palette| {
            let levels = palette.stored.get(shown.frame.checked_rem(palette.stored.len())?)?;
            levels.get(shown.level.min(levels.len().saturating_sub(1))).copied()
        });
        Some(TextureStorage {
            is_companion: self.is_companion,
            texels,
            levels: levels.iter().skip(shown.level).take(count).map(|level| level.stored).collect(),
            palettes: colors.into_iter().collect(),
        })
    }
}
