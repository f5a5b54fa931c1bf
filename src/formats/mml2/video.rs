//! Models the console's video memory. Image sections fill it, and materials find their texels and colours in it.
//!
//! # Invariants
//! Unwritten words are tracked as missing. Source: [TIM sections](crate::reference::formats::mml2#tim-sections) and
//! [materials](crate::reference::formats::mml2#materials).

use super::archive;
use super::raw::{VIDEO_HEIGHT, VIDEO_WIDTH};
use super::tim::{self, Block, Tim};
use crate::formats::core::cursor::View;
use crate::formats::core::error::{FormatError, Warnings};
use crate::ge::limits::Limits;

/// Words per page row, for 256 texels with 4 bits each.
const PAGE_WIDTH: u32 = 64;
/// Rows per page.
const PAGE_HEIGHT: u32 = 256;

/// Video memory, and the blocks loaded into it.
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
    /// Where its texels are in the file.
    texels: u64,
}

/// Names blocks to load together: a group in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LoadGroup {
    file: usize,
    group: u16,
}

/// A texture page in GE format: 256 rows with 128 bytes each, and the left texel in the low nibble.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) bytes: Vec<u8>,
    /// Whether every word was written.
    pub(super) is_whole: bool,
    /// Where an image on this page has its texels in the file.
    pub(super) texels: u64,
}

impl VideoMemory {
    pub(super) fn new() -> Self {
        let words = vec![None; (VIDEO_WIDTH as usize).saturating_mul(VIDEO_HEIGHT as usize)];
        Self { words, images: Vec::new(), palettes: Vec::new(), files: 0 }
    }

    /// Loads another archive's images and palettes, and collects its warnings.
    pub(super) fn load_archive(
        &mut self,
        file: View<'_>,
        limits: &Limits,
        warnings: &mut Warnings,
    ) -> Result<(), FormatError> {
        self.load(tim::read_all(&archive::read_within(file, limits)?, warnings));
        Ok(())
    }

    /// Loads a file's images and palettes, in order.
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

    /// Finds the load group for a material, by its palette. A file may have several images for the same position, to
    /// show at different times. The right image is in the palette's group. Found: ST0305 has two such images.
    pub(super) fn load_group(&self, clut: u16) -> Option<LoadGroup> {
        let (x, y) = clut_position(clut);
        let covers = |loaded: &&LoadedBlock| {
            let Block { x: left, y: top, width, height, .. } = loaded.block;
            (u32::from(left)..u32::from(left).saturating_add(width.into())).contains(&x)
                && (u32::from(top)..u32::from(top).saturating_add(height.into())).contains(&y)
        };
        self.palettes.iter().rev().find(covers).map(|loaded| loaded.load_group)
    }

    /// Returns a material's texture page, or `None` if no word in it was written.
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
        // If images from other groups overlap this page, this loads the right group again on top.
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

    /// Returns a material's 16 colours in the console's format, or `None` if any is missing.
    pub(super) fn colors(&self, clut: u16) -> Option<Vec<u16>> {
        let (x, y) = clut_position(clut);
        row(&self.words, x, y, 16).collect()
    }
}

/// Returns where a material's palette is.
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

/// Converts a colour for the GE. Zero stays transparent. On the console bit 15 only selects semi-transparency, but
/// on the GE it means opaque, so this sets it for all other colours.
pub(super) const fn opaque(color: u16) -> u16 {
    if color == 0 { 0 } else { color | 0x8000 }
}
