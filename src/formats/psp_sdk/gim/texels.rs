//! Reads and converts pixels and colours in a GIM file.
//! Source: [GIM rows and tiles](crate::reference::formats::psp_sdk#gim-rows-and-tiles).

use std::collections::HashSet;

use super::image::{Image, Level, Plane};
use crate::ge::registers::texture::{PixelFormat, TexelFormat};

/// Returns how many bytes to reverse at a time for the Graphics Engine; 1 if they are in its order already.
pub(super) const fn swapped_bytes(image: &Image<'_>) -> usize {
    match image.format {
        _ if !image.data.is_big => 1,
        TexelFormat::BGR5650 | TexelFormat::ABGR5551 | TexelFormat::ABGR4444 | TexelFormat::CLUT16 => 2,
        TexelFormat::ABGR8888 | TexelFormat::CLUT32 => 4,
        _ => 1,
    }
}

/// Reverses the bytes in each number of `unit` bytes, and pads rows with zeros to `pitch` bytes.
pub(super) fn repack(bytes: &[u8], unit: usize, level: &Level, pitch: u64) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let [from, to] = [level.pitch, pitch].map(|pitch| usize::try_from(pitch).unwrap_or(1).max(1));
    for row in bytes.chunks(from) {
        let start = out.len();
        for number in row.chunks(unit.max(1)) {
            out.extend(number.iter().rev());
        }
        out.resize(start.saturating_add(to), 0);
    }
    out
}

/// Returns the offset in this level of the byte `x` in row `y`.
const fn byte_offset(x: u64, y: u64, level: &Level, is_swizzled: bool) -> u64 {
    if !is_swizzled {
        return y.saturating_mul(level.pitch).saturating_add(x);
    }
    // Swizzled rows are stored in tiles, each 16 bytes wide and 8 rows high.
    let tile =
        (y / 8).saturating_mul(level.pitch).saturating_mul(8).saturating_add((x / 16).saturating_mul(128));
    tile.saturating_add((y % 8).saturating_mul(16)).saturating_add(x % 16)
}

/// Reads a level's indices, row by row. Missing ones are 0.
fn indices<'a>(image: &'a Image<'_>, level: &'a Level) -> impl Iterator<Item = u32> + 'a {
    let bits = u64::from(image.format.bits());
    let data = image.data.view.slice(level.offset, level.bytes).unwrap_or_default();
    let is_big = swapped_bytes(image) > 1;
    let byte = move |at: u64| usize::try_from(at).ok().and_then(|at| data.get(at)).copied().unwrap_or(0);
    (0..u64::from(level.height)).flat_map(move |y| {
        (0..u64::from(level.width)).map(move |x| {
            let at = byte_offset(x.saturating_mul(bits) / 8, y, level, image.is_swizzled);
            match bits {
                4 if x.is_multiple_of(2) => u32::from(byte(at) & 15),
                4 => u32::from(byte(at) >> 4),
                8 => byte(at).into(),
                // No number crosses a tile's edge, so its bytes follow one another.
                _ => {
                    let count = bits / 8;
                    let order = |i: u64| if is_big { i } else { count.saturating_sub(i).saturating_sub(1) };
                    (0..count).fold(0_u32, |value, i| {
                        value.wrapping_shl(8) | u32::from(byte(at.saturating_add(order(i))))
                    })
                }
            }
        })
    })
}

/// Returns the highest index that any plane looks up, over all levels and frames.
pub(super) fn highest_index(image: &Image<'_>, planes: &[Plane]) -> u32 {
    let mut seen = HashSet::new();
    let mut highest = 0;
    for frame in 0..image.frames {
        for level in (0..image.levels).filter_map(|level| image.level(level, frame)) {
            if seen.insert((level.offset, level.width)) {
                for index in indices(image, &level) {
                    let parts =
                        planes.iter().map(|plane| index.wrapping_shr(plane.shift.into()) & plane.mask);
                    highest = parts.fold(highest, u32::max);
                }
            }
        }
    }
    highest
}

/// Returns the first `stored` colours of a palette level in the Graphics Engine's byte order. The last is repeated
/// up to `count`, because indices beyond the palette select it.
pub(super) fn colors(palette: &Image<'_>, level: &Level, stored: u32, count: u32) -> Vec<u8> {
    let size = usize::try_from(u64::from(palette.format.bits()) / 8).unwrap_or(4).max(1);
    let length = |colors: u32| (colors as usize).saturating_mul(size);
    let bytes = palette.data.view.slice(level.offset, level.bytes).unwrap_or_default();
    let unit = swapped_bytes(palette);
    let mut out: Vec<u8> = bytes
        .get(..length(stored).min(bytes.len()))
        .unwrap_or_default()
        .chunks_exact(size)
        .flat_map(|color| color.chunks(unit).flat_map(|number| number.iter().rev().copied()))
        .collect();
    let last = out.get(out.len().saturating_sub(size)..).unwrap_or_default().to_vec();
    let last = if last.is_empty() { vec![0; size] } else { last };
    while out.len() < length(count) {
        out.extend_from_slice(&last);
    }
    out
}

/// A palette's colours, to convert indices that the Graphics Engine cannot look up.
pub(super) struct Colors<'a> {
    palette: &'a Image<'a>,
    /// The colour format, as a texel format.
    pub(super) format: TexelFormat,
}

impl<'a> Colors<'a> {
    pub(super) const fn of(palette: &'a Image<'a>) -> Self {
        let format = match PixelFormat::from_number(palette.format.number()) {
            PixelFormat::BGR5650 => TexelFormat::BGR5650,
            PixelFormat::ABGR5551 => TexelFormat::ABGR5551,
            PixelFormat::ABGR4444 => TexelFormat::ABGR4444,
            _ => TexelFormat::ABGR8888,
        };
        Self { palette, format }
    }

    /// Returns the bits per colour.
    pub(super) fn bits(&self) -> u64 {
        u64::from(self.format.bits())
    }

    /// Converts a level of a frame to colours. Returns the pitch from row to row in bytes, and all rows.
    pub(super) fn expand(&self, image: &Image<'_>, level: &Level, frame: usize) -> (u64, Vec<u8>) {
        let size = usize::try_from(self.bits() / 8).unwrap_or(4).max(1);
        let frame = frame.checked_rem(self.palette.frames).unwrap_or(0);
        let count = u32::from(self.palette.width);
        let colors = match self.palette.level(0, frame) {
            Some(level) => colors(self.palette, &level, count, count),
            None => Vec::new(),
        };
        let width = usize::from(level.width);
        let pitch = width.saturating_mul(size).next_multiple_of(16);
        let mut out = Vec::new();
        let mut x = 0_usize;
        for index in indices(image, level) {
            let index = index.min(count.saturating_sub(1)) as usize;
            let at = index.saturating_mul(size);
            out.extend_from_slice(colors.get(at..at.saturating_add(size)).unwrap_or_default());
            x = x.saturating_add(1);
            if x == width {
                x = 0;
                out.resize(out.len().next_multiple_of(pitch.max(1)), 0);
            }
        }
        (pitch as u64, out)
    }
}
