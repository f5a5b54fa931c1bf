//! The console's video memory, filled from image sections. It holds the texels and colours of materials.
//!
//! # Invariants
//! Unwritten words are tracked as missing.
//! Source: [TIM sections](crate::reference::formats::mml2#tim-sections) and
//! [materials](crate::reference::formats::mml2#materials).

use super::archive;
use super::raw::{VIDEO_HEIGHT, VIDEO_WIDTH};
use super::tim::{self, Block, Tim};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::ge::limits::Limits;

/// Words per row of a page: 256 texels of 4 bits.
const PAGE_WIDTH: u32 = 64;
/// Rows of a page.
const PAGE_HEIGHT: u32 = 256;

/// Video memory, and the blocks that were loaded into it.
#[derive(Debug)]
pub(super) struct VideoMemory {
    /// `None` if never written.
    words: Vec<Option<u16>>,
    images: Vec<LoadedBlock>,
    palettes: Vec<LoadedBlock>,
    files: usize,
}

/// A loaded block and its load group.
#[derive(Debug)]
struct LoadedBlock {
    block: Block,
    load_group: LoadGroup,
    /// File offset of its texels.
    texels: u64,
}

/// Blocks that are loaded together: a group of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LoadGroup {
    file: usize,
    group: u16,
}

/// A texture page in GE format: 256 rows of 128 bytes, with the left texel in the low nibble.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) bytes: Vec<u8>,
    /// Whether every word was written.
    pub(super) is_whole: bool,
    /// File offset of the texels of one of its images.
    pub(super) texels: u64,
}

impl VideoMemory {
    pub(super) fn new() -> Self {
        let words = vec![None; (VIDEO_WIDTH as usize).saturating_mul(VIDEO_HEIGHT as usize)];
        Self { words, images: Vec::new(), palettes: Vec::new(), files: 0 }
    }

    /// Loads the images and palettes of another archive, with its warnings.
    pub(super) fn load_archive(
        &mut self,
        file: View<'_>,
        limits: &Limits,
        warnings: &mut Warnings,
    ) -> Result<(), FormatError> {
        self.load(tim::read_all(&archive::read_within(file, limits)?, warnings));
        Ok(())
    }

    /// Loads the images and palettes of a file, in order.
    pub(super) fn load(&mut self, tims: Vec<Tim>) {
        for Tim { palette, image, texels, group, .. } in tims {
            let load_group = LoadGroup { file: self.files, group };
            let loaded = |block: Block| LoadedBlock { block, load_group, texels };
            let (palette, image) = (palette.map(loaded), image.map(loaded));
            for loaded in palette.iter().chain(&image) {
                store(&mut self.words, &loaded.block);
            }
            self.palettes.extend(palette);
            self.images.extend(image);
        }
        self.files = self.files.saturating_add(1);
    }

    /// Returns the load group of a material's palette. A file may have several images for one position, to be
    /// shown at different times; the right one is in the group of the palette. Found: ST0305 has two such
    /// images.
    pub(super) fn load_group(&self, clut: u16) -> Option<LoadGroup> {
        let (x, y) = clut_position(clut);
        let covers = |loaded: &&LoadedBlock| {
            let Block { x: left, y: top, width, height, .. } = loaded.block;
            (u32::from(left)..u32::from(left).saturating_add(width.into())).contains(&x)
                && (u32::from(top)..u32::from(top).saturating_add(height.into())).contains(&y)
        };
        self.palettes.iter().rev().find(covers).map(|loaded| loaded.load_group)
    }

    /// Returns the texture page of a material, or `None` if no word of it was written.
    pub(super) fn page(&self, page: u16, load_group: Option<LoadGroup>) -> Option<Page> {
        let x = u32::from(page & 15).saturating_mul(PAGE_WIDTH);
        let y = if page & 0x10 == 0 { 0 } else { PAGE_HEIGHT };
        let overlaps = |block: &Block| {
            let (left, top) = (u32::from(block.x), u32::from(block.y));
            left < x.saturating_add(PAGE_WIDTH)
                && left.saturating_add(block.width.into()) > x
                && top < y.saturating_add(PAGE_HEIGHT)
                && top.saturating_add(block.height.into()) > y
        };
        let images = || self.images.iter().filter(|loaded| overlaps(&loaded.block));
        let belongs = |loaded: &&LoadedBlock| Some(loaded.load_group) == load_group;
        // If images of other groups overlap the page, load those of the right group again, on top of them.
        let mut restored = None;
        if images().any(|loaded| belongs(&loaded)) && images().any(|loaded| !belongs(&loaded)) {
            let words = restored.insert(self.words.clone());
            images().filter(belongs).for_each(|loaded| store(words, &loaded.block));
        }
        let words = restored.as_ref().unwrap_or(&self.words);
        let rows = (y..y.saturating_add(PAGE_HEIGHT)).flat_map(|y| row(words, x, y, PAGE_WIDTH));
        let words: Vec<Option<u16>> = rows.collect();
        let image = images().rfind(belongs).or_else(|| images().next_back());
        words.iter().any(Option::is_some).then(|| Page {
            is_whole: words.iter().all(Option::is_some),
            bytes: words.iter().flat_map(|word| word.unwrap_or(0).to_le_bytes()).collect(),
            texels: image.map_or(0, |image| image.texels),
        })
    }

    /// Returns the 16 colours of a material in the console's format, or `None` if one of them is missing.
    pub(super) fn colors(&self, clut: u16) -> Option<Vec<u16>> {
        let (x, y) = clut_position(clut);
        row(&self.words, x, y, 16).collect()
    }
}

/// Returns the position of a material's palette.
fn clut_position(clut: u16) -> (u32, u32) {
    (u32::from(clut & 63).saturating_mul(16), u32::from(clut >> 6))
}

fn store(words: &mut [Option<u16>], block: &Block) {
    let rows = block.words.chunks(usize::from(block.width.max(1)));
    for (y, row) in (u32::from(block.y)..VIDEO_HEIGHT).zip(rows) {
        for (x, word) in (u32::from(block.x)..VIDEO_WIDTH).zip(row) {
            if let Some(stored) = words.get_mut(index(x, y)) {
                *stored = Some(*word);
            }
        }
    }
}

fn row(words: &[Option<u16>], x: u32, y: u32, width: u32) -> impl Iterator<Item = Option<u16>> {
    // Reading wraps around at the end of a row, whose length is a power of two.
    (0..width).map(move |step| *words.get(index(x.wrapping_add(step) % VIDEO_WIDTH, y % VIDEO_HEIGHT))?)
}

fn index(x: u32, y: u32) -> usize {
    usize::try_from(y.saturating_mul(VIDEO_WIDTH).saturating_add(x)).unwrap_or(usize::MAX)
}

/// Converts a colour for the GE. Zero stays transparent. Bit 15 only selects semi-transparency on the
/// console, but means opaque on the GE, so it is set in all other colours.
pub(super) const fn opaque(color: u16) -> u16 {
    if color == 0 { 0 } else { color | 0x8000 }
}
