//! Reads images and palettes, which have the same header.
//! Source: [GIM images](crate::reference::formats::psp_sdk#gim-images).
//!
//! # Invariants
//! Every level of an [`Image`] lies inside its data. Only the first level of the first frame may be cut, and then at
//! least half of it is there.

use std::collections::HashSet;

use super::problem::GimProblem;
use super::raw::Numbers;
use crate::formats::core::error::{FormatError, Warnings};
use crate::ge::address::RAM_SIZE_MAX;
use crate::ge::registers::texture::TexelFormat;

/// Bytes in an image's header.
const HEADER: u64 = 0x30;
/// The largest buffer width in texels, because only 11 bits of TEXBUFWIDTH count.
const WIDTH_MAX: u64 = 2047;

/// An image or a palette; both are stored this way.
#[derive(Clone, Debug)]
pub(super) struct Image<'a> {
    /// The header and everything its offsets lead to.
    pub(super) data: Numbers<'a>,
    pub(super) format: TexelFormat,
    pub(super) is_swizzled: bool,
    pub(super) width: u16,
    pub(super) height: u16,
    /// Whether each level halves the size of the one before.
    pub(super) has_mipmaps: bool,
    /// How many levels each frame has.
    pub(super) levels: usize,
    pub(super) frames: usize,
    /// Runs of equal bits divide an index into planes; see [`Self::planes`].
    pub(super) plane_mask: u32,
    /// Indexed by level plus levels times frame; `None` for levels outside the data.
    entries: Vec<Option<Level>>,
}

/// Where to find a level of a frame, and how its rows are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Level {
    /// Where its pixels start in the data.
    pub(super) offset: u64,
    pub(super) width: u16,
    pub(super) height: u16,
    /// Bytes from each row to the next, or from each row of blocks in compressed formats.
    pub(super) pitch: u64,
    /// How many rows there are, or rows of blocks, with padding.
    pub(super) rows: u64,
    /// How many bytes are in the file.
    pub(super) bytes: u64,
}

impl Level {
    /// Returns how many bytes all rows take.
    pub(super) const fn size(&self) -> u64 {
        self.pitch.saturating_mul(self.rows)
    }
}

/// Selects the part of an index to look up in the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plane {
    pub(super) shift: u8,
    pub(super) mask: u32,
}

/// How a level's rows are padded. Only swizzled levels have padding rows, because their tiles need them. Linear
/// levels end with their last row, even in themes, which state a height alignment for them, too.
#[derive(Clone, Copy)]
struct Layout {
    format: TexelFormat,
    is_swizzled: bool,
    pitch_align: u64,
    height_align: u64,
}

impl Layout {
    fn level(self, offset: u64, width: u16, height: u16) -> Level {
        let (across, down) = (u64::from(width), u64::from(height));
        let (pitch, rows) = if self.format.is_compressed() {
            // A block of 4x4 pixels takes twice as many bytes as a pixel takes bits.
            (
                across.div_ceil(4).saturating_mul(u64::from(self.format.bits()).saturating_mul(2)),
                down.div_ceil(4),
            )
        } else {
            let row = across.saturating_mul(u64::from(self.format.bits())).div_ceil(8);
            let rows = if self.is_swizzled { down.next_multiple_of(self.height_align) } else { down };
            (row.next_multiple_of(self.pitch_align), rows)
        };
        Level { offset, width, height, pitch, rows, bytes: 0 }
    }
}

/// Reads an image, or with `is_palette` a palette. `can_be_indexed` tells whether the image has a palette, so that a
/// guessed format may be indexed.
pub(super) fn read<'a>(
    data: Numbers<'a>,
    is_palette: bool,
    can_be_indexed: bool,
    warnings: &mut Warnings,
) -> Result<Image<'a>, FormatError> {
    data.view.slice(0, HEADER)?;
    let mut warn = |at: u64, problem: GimProblem| warnings.push(data.view.error(at, problem));
    let (width, height) = (data.u16(8)?, data.u16(10)?);
    let height = if is_palette { height.max(1) } else { height };
    if width == 0 || height == 0 {
        return Err(data.view.error(8, GimProblem::Empty { width, height }));
    }
    let (number, stated_bits) = (data.u16(4)?, data.u16(12)?);
    let known = TexelFormat::from_number(number.to_le_bytes()[0]);
    let format = match number {
        0..=3 => known,
        4..=10 if !is_palette => known,
        // The "EXT" variants of compressed formats are not documented, so they are read as the plain formats.
        264..=266 if !is_palette => known,
        _ => guess(stated_bits, !is_palette && can_be_indexed)
            .ok_or_else(|| data.view.error(4, GimProblem::Format(number)))?,
    };
    if u16::from(format.number()) != number {
        let (bits, used) = (stated_bits, format.number());
        warn(4, GimProblem::GuessedFormat { format: number, bits, used });
    } else if u64::from(stated_bits) != u64::from(format.bits()) {
        let actual = u64::from(format.bits());
        warn(12, GimProblem::Bits { format: number, stated: stated_bits, actual });
    }
    let order = data.u16(6)?;
    if order > 1 {
        warn(6, GimProblem::Order(order));
    }
    let is_swizzled = order == 1 && !format.is_compressed() && !is_palette;
    let (pitch, rows) = (data.u16(14)?, data.u16(16)?);
    let (pitch_align, height_align) = (u64::from(pitch.max(1)), u64::from(rows.max(1)));
    let mut layout = Layout { format, is_swizzled, pitch_align, height_align };
    let fits_tiles = layout.pitch_align.is_multiple_of(16) && layout.height_align.is_multiple_of(8);
    if is_swizzled && !fits_tiles {
        warn(14, GimProblem::Alignment { pitch, height: rows, used: "16 bytes and 8 rows" });
        layout = Layout { pitch_align: 16, height_align: 8, ..layout };
    } else if pitch == 0 || rows == 0 {
        warn(14, GimProblem::Alignment { pitch, height: rows, used: "1 byte and 1 row" });
    }
    let reference = data.u16(2)?;
    if reference != 0 {
        warn(2, GimProblem::Reference(reference));
    }
    let total = data.u32(0x20)?;
    if u64::from(total) != data.view.len() {
        warn(0x20, GimProblem::Total { stated: total, actual: data.view.len() });
    }
    let (level_type, frame_type) = (data.u16(0x28)?, data.u16(0x2C)?);
    let (levels, frames) = (data.u16(0x2A)?.max(1), data.u16(0x2E)?.max(1));
    if level_type > 3 || (level_type == 0 && levels > 1) {
        warn(0x28, GimProblem::Kind { what: "levels", value: level_type });
    }
    if frame_type != 3 {
        warn(0x2C, GimProblem::Kind { what: "frames", value: frame_type });
    }
    let mut image = Image {
        data,
        format,
        is_swizzled,
        width,
        height,
        has_mipmaps: !is_palette && !matches!(level_type, 2 | 3),
        levels: usize::from(levels),
        frames: usize::from(frames),
        plane_mask: data.u32(0x24)?,
        entries: Vec::new(),
    };
    image.read_levels(layout, warnings)?;
    Ok(image)
}

/// Guesses a format from the bits per pixel; `None` if they do not decide it.
fn guess(bits: u16, can_be_indexed: bool) -> Option<TexelFormat> {
    match bits {
        4 if can_be_indexed => Some(TexelFormat::CLUT4),
        8 if can_be_indexed => Some(TexelFormat::CLUT8),
        32 => Some(TexelFormat::ABGR8888),
        _ => None,
    }
}

impl Image<'_> {
    /// Finds the levels of all frames by the offset table.
    fn read_levels(&mut self, layout: Layout, warnings: &mut Warnings) -> Result<(), FormatError> {
        let view = self.data.view;
        let [table, pixels] = [self.data.u32(0x18)?, self.data.u32(0x1C)?].map(u64::from);
        let stated = self.levels.saturating_mul(self.frames);
        // If the stated start of the pixels is not plausible, the table may fill the data.
        let end = if (table..=view.len()).contains(&pixels) { pixels } else { view.len() };
        let room = end.saturating_sub(table) / 4;
        let count = usize::try_from(room).unwrap_or(usize::MAX).min(stated);
        if count < stated {
            let stated = u32::try_from(stated).unwrap_or(u32::MAX);
            warnings.push(view.error(0x2A, GimProblem::Table { stated, actual: room }));
        }
        // Levels may share pixels, but distinct ones have to fit into memory together.
        let (mut seen, mut total) = (HashSet::new(), 0_u64);
        for entry in 0..count.max(1) {
            let (frame, level) =
                (entry.checked_div(self.levels).unwrap_or(0), entry.checked_rem(self.levels).unwrap_or(0));
            // Errors point to the table entry, or to the table's own offset if there is no entry.
            let at = table.saturating_add((entry as u64).saturating_mul(4));
            let place = if at < view.len() { at } else { 0x18 };
            // Without a table the first level starts where the pixels do.
            let offset = if count == 0 { pixels } else { self.data.u32(at).map_or(pixels, u64::from) };
            let halvings = if self.has_mipmaps { level } else { 0 };
            let side = |size: u16| (0..halvings.min(16)).fold(size, |size, _| size.div_ceil(2));
            let mut found = layout.level(offset, side(self.width), side(self.height));
            let available = view.len().saturating_sub(offset);
            found.bytes = found.size().min(available);
            if seen.insert(offset) {
                total = total.saturating_add(found.size());
            }
            if entry == 0 {
                self.check_first(&found, place, available, warnings)?;
            } else if available < found.size() || total > RAM_SIZE_MAX.into() {
                warnings.push(view.error(place, GimProblem::Level { level, frame }));
                self.entries.push(None);
                continue;
            }
            self.entries.push(Some(found));
        }
        // Frames end before the first that lacks its first level, which could not be shown. Levels end before the
        // first that any frame lacks.
        let present = |entry: usize| self.entries.get(entry).is_some_and(Option::is_some);
        let first = |frame: usize| frame.saturating_mul(self.levels);
        let frames = (0..self.frames).take_while(|frame| present(first(*frame))).count().max(1);
        let is_whole = |level: usize| (0..frames).all(|frame| present(first(frame).saturating_add(level)));
        let levels = (0..self.levels).take_while(|level| is_whole(*level)).count().max(1);
        let kept = |frame: usize| {
            let start = first(frame);
            self.entries.get(start..start.saturating_add(levels)).unwrap_or_default().iter().copied()
        };
        self.entries = (0..frames).flat_map(kept).collect();
        (self.levels, self.frames) = (levels, frames);
        Ok(())
    }

    /// Checks the first level, without which there is no picture.
    fn check_first(
        &self,
        level: &Level,
        at: u64,
        available: u64,
        warnings: &mut Warnings,
    ) -> Result<(), FormatError> {
        let (view, needed) = (self.data.view, level.size());
        // Half a picture still shows something; less is refused.
        if available < needed / 2 || available == 0 {
            return Err(view.error(at, GimProblem::Cut { needed, available }));
        }
        if available < needed {
            warnings.push(view.error(at, GimProblem::Short { needed, available }));
        }
        let texels = level.pitch.saturating_mul(8).checked_div(u64::from(self.format.bits())).unwrap_or(0);
        if texels > WIDTH_MAX && !self.format.is_compressed() {
            return Err(view.error(8, GimProblem::TooWide(texels)));
        }
        Ok(())
    }

    /// Returns a level of a frame. Numbers too high select the last.
    pub(super) fn level(&self, level: usize, frame: usize) -> Option<Level> {
        let frame = frame.min(self.frames.saturating_sub(1));
        let level = level.min(self.levels.saturating_sub(1));
        self.entries.get(frame.saturating_mul(self.levels).saturating_add(level)).copied().flatten()
    }

    /// Lists an indexed image's planes: maximal runs of equal bits in the mask, up to its highest set bit. Without a
    /// mask there is a single plane, the whole index.
    pub(super) fn planes(&self) -> Vec<Plane> {
        let mut planes: Vec<Plane> = Vec::new();
        let end = u32::BITS.saturating_sub(self.plane_mask.leading_zeros());
        let bit = |number: u32| self.plane_mask.wrapping_shr(number) & 1;
        for number in 0..end {
            match planes.last_mut() {
                Some(plane) if bit(number) == bit(number.saturating_sub(1)) => {
                    plane.mask = plane.mask.wrapping_shl(1) | 1;
                }
                _ => planes.push(Plane { shift: u8::try_from(number).unwrap_or(31), mask: 1 }),
            }
        }
        if planes.is_empty() {
            planes.push(Plane { shift: 0, mask: u32::MAX });
        }
        planes
    }
}
