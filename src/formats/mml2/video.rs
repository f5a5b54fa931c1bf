//! The video memory of the console, as far as files fill it: where materials find their texels and colours.
//!
//! # Invariants
//! What nobody wrote is known to be missing. Source: the format document on Mega Man Legends 2, §2.5, §3.

use super::raw::{VIDEO_HEIGHT, VIDEO_WIDTH};
use super::tim::{Block, Tim};

/// Words of a row of a page: 256 texels of 4 bits.
const PAGE_WIDTH: u32 = 64;
/// Rows of a page.
const PAGE_HEIGHT: u32 = 256;

/// VideoMemory memory, and what was loaded into it.
#[derive(Debug)]
pub(super) struct VideoMemory {
    /// `None` where nobody wrote any.
    words: Vec<Option<u16>>,
    images: Vec<LoadedBlock>,
    palettes: Vec<LoadedBlock>,
    files: usize,
}

/// A block that was loaded, and together with what.
#[derive(Debug)]
struct LoadedBlock {
    block: Block,
    load_group: LoadGroup,
    /// Where its texels stand in their file.
    texels: u64,
}

/// What is loaded together: a group of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LoadGroup {
    file: usize,
    group: u16,
}

/// A page, as the Graphics Engine takes it: 256 rows of 128 bytes, the left texel in the lower half of a byte.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) bytes: Vec<u8>,
    /// Whether all of it was written.
    pub(super) is_whole: bool,
    /// Where the texels of one of its images stand in their file.
    pub(super) texels: u64,
}

impl VideoMemory {
    pub(super) fn new() -> Self {
        let words = vec![None; (VIDEO_WIDTH as usize).saturating_mul(VIDEO_HEIGHT as usize)];
        Self { words, images: Vec::new(), palettes: Vec::new(), files: 0 }
    }

    /// Loads the images and palettes of a file in their order.
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

    /// What a material's colours were loaded together with. Files may have several images for one place, for
    /// different times; those that belong to the colours are right for them. Found: ST0305 has two such images.
    pub(super) fn load_group(&self, clut: u16) -> Option<LoadGroup> {
        let (x, y) = clut_place(clut);
        let covers = |loaded: &&LoadedBlock| {
            let Block { x: left, y: top, width, height, .. } = loaded.block;
            (u32::from(left)..u32::from(left).saturating_add(width.into())).contains(&x)
                && (u32::from(top)..u32::from(top).saturating_add(height.into())).contains(&y)
        };
        self.palettes.iter().rev().find(covers).map(|loaded| loaded.load_group)
    }

    /// The texture page that a material names; `None` where none of it was written.
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
        // Only where something else lies over what belongs to the colours, it has to be loaded again.
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

    /// The 16 colours that a material names, as the console stores them; `None` where one of them is missing.
    pub(super) fn colors(&self, clut: u16) -> Option<Vec<u16>> {
        let (x, y) = clut_place(clut);
        row(&self.words, x, y, 16).collect()
    }
}

/// Where the colours that a material names are.
fn clut_place(clut: u16) -> (u32, u32) {
    (u32::from(clut & 63).saturating_mul(16), u32::from(clut >> 6))
}

fn store(words: &mut [Option<u16>], block: &Block) {
    let rows = block.words.chunks(usize::from(block.width.max(1)));
    for (y, row) in (u32::from(block.y)..VIDEO_HEIGHT).zip(rows) {
        for (x, word) in (u32::from(block.x)..VIDEO_WIDTH).zip(row) {
            if let Some(place) = words.get_mut(index(x, y)) {
                *place = Some(*word);
            }
        }
    }
}

fn row(words: &[Option<u16>], x: u32, y: u32, width: u32) -> impl Iterator<Item = Option<u16>> {
    // Rows are a power of two long, and reading goes on at their start.
    (0..width).map(move |step| *words.get(index(x.wrapping_add(step) % VIDEO_WIDTH, y % VIDEO_HEIGHT))?)
}

fn index(x: u32, y: u32) -> usize {
    usize::try_from(y.saturating_mul(VIDEO_WIDTH).saturating_add(x)).unwrap_or(usize::MAX)
}

/// The same colour for the Graphics Engine. Zero is transparent; else bit 15 does not stand for transparency as such on
/// the console, and stands for full opacity here.
pub(super) const fn opaque(color: u16) -> u16 {
    if color == 0 { 0 } else { color | 0x8000 }
}
