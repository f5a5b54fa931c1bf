//! Turns an archive's images into a texture set, each with its palettes.
//!
//! An image may use its own palettes and those in the sections after it, up to the next image. If there are none,
//! this gives it the palettes that materials in the archive pair with its page, and as a last resort shades of grey.

use std::ops::Range;

use super::archive::Archive;
use super::members::Inventory;
use super::pages::COLORS;
use super::parsed::Material;
use super::problem::Mml2Problem;
use super::tim::{self, Block};
use super::video::{VideoMemory, opaque};
use crate::formats::core::content::Content;
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::formats::core::loader::Loader;
use crate::ge::limits::Limits;
use crate::ge::registers::texture::{PixelFormat, TexelFormat};
use crate::model::storage::{AlphaStorage, ColorStorage, LevelStorage, PaletteStorage, TextureStorage};
use crate::model::texture::LARGEST;
use crate::model::{FileNote, FileNoteKind, ModelTexture, TexturePalette, TextureSet};

/// Texels per word.
const TEXELS: u16 = 4;

/// Returns whether an archive has any image.
pub(super) fn are_in(archive: &Archive<'_>) -> bool {
    tim::read_all(archive, &mut Warnings::default()).iter().any(|tim| tim.image.is_some())
}

/// Turns the images in some sections into textures. Returns [`Content::archive()`] if there are none.
pub(super) fn content(
    archive: &Archive<'_>,
    companion: Option<View<'_>>,
    limits: &Limits,
    inventory: &Inventory<'_>,
    sections: Range<usize>,
    mut warnings: Warnings,
) -> Result<Content, FormatError> {
    let tims = tim::read_all(archive, &mut warnings);
    if !tims.iter().any(|tim| tim.image.is_some() && sections.contains(&tim.section)) {
        return Ok(Content::Archive { notes: warnings.notes().collect() });
    }
    let mut video = VideoMemory::new();
    if let Some(companion) = companion {
        video.load_archive(companion, limits, &mut warnings)?;
    }
    // The archive's own images come last, because they replace a companion's images at the same place.
    video.load(tims.clone());
    let materials = inventory.materials();
    let mut notes = Vec::new();
    let mut loader = Loader::new();
    let mut textures = Vec::new();
    for (index, tim) in tims.iter().enumerate() {
        let Some(image) = tim.image.as_ref().filter(|_| sections.contains(&tim.section)) else { continue };
        let following = tims.get(index.saturating_add(1)..).unwrap_or_default();
        let palettes = following.iter().take_while(|other| other.image.is_none());
        let own = std::iter::once(tim).chain(palettes).filter_map(|tim| tim.palette.as_ref());
        let own: Vec<&Block> = own.collect();
        let mut colors: Vec<u16> = own.iter().flat_map(|palette| palette.words.iter().copied()).collect();
        if colors.is_empty() {
            colors = paired(&materials, image.x, image.y, &video);
        }
        if colors.is_empty() {
            let message = "no palette goes with it; it is shown in grey";
            let part = format!("section {}", tim.section);
            notes.push(FileNote::new(FileNoteKind::Incomplete, message).at(tim.offset).in_part(&part));
            colors = (0..COLORS).map(grey).collect();
        }
        let width = u32::from(image.width).saturating_mul(TEXELS.into());
        if width > LARGEST.into() {
            warnings.push(archive.file.error(
                tim.offset.saturating_sub(archive.file.file_offset(0)),
                Mml2Problem::WideImage(width),
            ));
        }
        let texels: Vec<u8> = image.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let palette: Vec<u8> = colors.iter().flat_map(|color| opaque(*color).to_le_bytes()).collect();
        textures.push(ModelTexture {
            index: textures.len(),
            name: Some(format!("section:{} at {},{} group {}", tim.section, image.x, image.y, tim.group)),
            width: u16::try_from(width).unwrap_or(u16::MAX),
            height: image.height,
            format: TexelFormat::CLUT4,
            swizzled: false,
            buffer_width: u16::try_from(width).unwrap_or(u16::MAX),
            address: loader.store(archive.file, 0, &texels)?,
            file_offset: tim.texels,
            palette: Some(TexturePalette {
                format: PixelFormat::ABGR5551,
                colors: u32::try_from(colors.len()).unwrap_or(u32::MAX),
                size: COLORS,
                address: loader.store(archive.file, 0, &palette)?,
                shift: 0,
                mask: 0xFF,
            }),
            storage: Some(TextureStorage {
                is_companion: false,
                texels: TextureStorage::texels(TexelFormat::CLUT4, false),
                levels: vec![LevelStorage {
                    at: image.at,
                    width,
                    height: image.height.into(),
                    row_bytes: u32::from(image.width).saturating_mul(2),
                    swizzled: false,
                }],
                palettes: stored_palettes(&own, colors.len()),
            }),
        });
    }
    notes.extend(warnings.notes());
    let (memory, sources) = loader.finish();
    Ok(Content::Textures(TextureSet { memory, sources, textures, notes }))
}

/// Tells where the file holds palettes whose colours come from these blocks. A palette from elsewhere gives `None`.
fn stored_palettes(blocks: &[&Block], colors: usize) -> Vec<Option<PaletteStorage>> {
    // The console uses the highest bit for something else, so it stays as it is.
    let color = ColorStorage {
        channels: [(0, 5), (5, 5), (10, 5), (0, 0)],
        alpha: AlphaStorage::ZeroColor,
        ..ColorStorage::of(PixelFormat::ABGR5551)
    };
    let mut palettes = Vec::new();
    for first in (0..colors).step_by(COLORS.into()) {
        let mut start = 0;
        let found = blocks.iter().find_map(|block| {
            let inside = first.checked_sub(start).filter(|inside| *inside < block.words.len());
            start = start.saturating_add(block.words.len());
            Some((block, inside?))
        });
        // If a palette goes on in another block, only its part in this block can be written.
        palettes.push(found.map(|(block, inside)| PaletteStorage {
            at: block.at.plus((inside as u64).saturating_mul(2)),
            colors: u32::try_from(block.words.len().saturating_sub(inside)).unwrap_or(0).min(COLORS.into()),
            color,
            is_permuted: false,
        }));
    }
    palettes
}

/// Finds the palettes that materials use with the page at a position in video memory.
fn paired(materials: &[Material], x: u16, y: u16, video: &VideoMemory) -> Vec<u16> {
    // Materials number pages in this way: 16 columns with 64 words each, in two rows.
    let page = (x / 64) | if y >= 256 { 0x10 } else { 0 };
    let mut cluts: Vec<u16> = materials
        .iter()
        .filter(|material| material.page & 0x1F == page)
        .map(|material| material.clut)
        .collect();
    cluts.sort_unstable();
    cluts.dedup();
    cluts.into_iter().filter_map(|clut| video.colors(clut)).flatten().collect()
}

/// Returns a grey level from 0 (black) to 15 (white).
fn grey(step: u16) -> u16 {
    let part = step.saturating_mul(31).saturating_add(7) / 15;
    // This sets the highest bit, because the value 0 would be transparent.
    0x8000 | part | part << 5 | part << 10
}
