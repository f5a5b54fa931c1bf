//! Reads images and palettes from an archive.
//!
//! # Invariants
//! A palette or image has as many words as its width times its height. Source:
//! [TIM sections](crate::reference::formats::mml2#tim-sections).

use zerocopy::little_endian::U16;

use super::archive::{Archive, Section, SectionKind};
use super::problem::{Mml2Problem, unreadable};
use super::raw::{self, IMAGE_START, VIDEO_HEIGHT, VIDEO_WIDTH};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::model::storage::StoredOffset;

/// Words to load into a rectangle in video memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) width: u16,
    pub(super) height: u16,
    pub(super) words: Vec<u16>,
    /// The words' offset in the file. If the file is too short, the missing words are 0.
    pub(super) at: StoredOffset,
}

/// An image section: a palette, or a palette and an image.
#[derive(Clone, Debug)]
pub(super) struct Tim {
    /// The section's number.
    pub(super) section: usize,
    /// This section's offset in the file.
    pub(super) offset: u64,
    pub(super) palette: Option<Block>,
    pub(super) image: Option<Block>,
    /// The texels' offset in the file. For a packed section this is its start, because unpacked bytes have no offset.
    pub(super) texels: u64,
    /// The load group. The console loads all palettes and images with the same number together.
    pub(super) group: u16,
}

/// Reads all image sections in file order. For each damaged section this adds a warning and goes on, so that the
/// other images are still shown.
pub(super) fn read_all(archive: &Archive<'_>, warnings: &mut Warnings) -> Vec<Tim> {
    let mut tims = Vec::new();
    let sections = archive.sections.iter().enumerate().filter(|(_, section)| section.kind.is_tim());
    for (number, section) in sections {
        match read(number, section, warnings) {
            Ok(tim) => tims.push(tim),
            Err(error) => warnings.push(unreadable(&error, format!("section {number}"))),
        }
    }
    tims
}

/// Reads an image section. [`SectionKind::is_tim`] must be true.
pub(super) fn read(
    number: usize,
    section: &Section<'_>,
    warnings: &mut Warnings,
) -> Result<Tim, FormatError> {
    let header: raw::Tim = section.whole.read(0xC)?;
    let payload = section.payload(warnings)?;
    let view = payload.view();
    let [palette_x, palette_y] = header.palette.map(U16::get);
    let [image_x, image_y] = header.image.map(U16::get);
    let bytes = |width: u16, height: u16| u64::from(width).saturating_mul(height.into()).saturating_mul(2);
    let (colors, palettes) = (header.colors.get(), header.palettes.get());
    let (width, height) = (header.width.get(), header.height.get());
    let palette_bytes = bytes(colors, palettes);
    let image_bytes = bytes(width, height);
    let image_start = if section.kind == SectionKind::Tim { IMAGE_START } else { palette_bytes };
    let needed = if image_bytes == 0 { palette_bytes } else { image_start.saturating_add(image_bytes) };
    let size = view.len();
    let overlaps = image_bytes > 0 && palette_bytes > image_start;
    if needed != size || overlaps {
        warnings.push(section.whole.error(0x10, Mml2Problem::ImageSize { needed, size }));
    }
    let mut block = |start: u64, x: u16, y: u16, width: u16, height: u16, field: u64| {
        // If the file has less than half of the bytes, the size is damaged. This skips the block, because its buffer
        // could fill the memory.
        if bytes(width, height) == 0 || size.saturating_sub(start) < bytes(width, height) / 2 {
            return None;
        }
        if u32::from(x).saturating_add(width.into()) > VIDEO_WIDTH
            || u32::from(y).saturating_add(height.into()) > VIDEO_HEIGHT
        {
            warnings.push(section.whole.error(field, Mml2Problem::OutsideVideo { x, y, width, height }));
            return None;
        }
        let at = payload.stored_offset(start);
        Some(Block { x, y, width, height, words: words(view, start, bytes(width, height)), at })
    };
    let palette = block(0, palette_x, palette_y, colors, palettes, 0xC);
    let image = block(image_start, image_x, image_y, width, height, 0x14);
    Ok(Tim {
        section: number,
        offset: section.whole.file_offset(0),
        palette,
        image,
        texels: payload.file_offset(view.file_offset(image_start)),
        group: header.group.get(),
    })
}

/// Reads words, and adds zeros for words after the end of the file.
fn words(view: View<'_>, start: u64, bytes: u64) -> Vec<u16> {
    let stored = bytes.min(view.len().saturating_sub(start));
    let words: &[U16] = view.array(start, stored / 2).unwrap_or_default();
    let missing = std::iter::repeat_n(0, usize::try_from(bytes.saturating_sub(stored) / 2).unwrap_or(0));
    let words = words.iter().map(|word| word.get()).chain(missing);
    words.take(usize::try_from(bytes / 2).unwrap_or(0)).collect()
}
