//! Compares the pixels after an event in two runs.

use std::cmp::Ordering;
use std::ops::Range;

use crate::debug::pixel::target::{PixelBytes, PixelTarget};
use crate::ge::address::{Address, VRAM_BASE};
use crate::ge::memory::Memory;
use crate::pipeline::framebuffer::DepthSurface;
use crate::raster::PixelBounds;

/// How a buffer's pixels differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelDifference {
    /// How many pixels differ.
    pub count: u64,
    /// The smallest rectangle around them.
    pub bounds: PixelBounds,
    /// Column and row of the first pixel, going row by row.
    pub first: [u32; 2],
    /// Its stored bits in each run: 16 or 32.
    pub bits: [u32; 2],
}

/// A buffer whose pixels are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComparedBuffer {
    /// Colours.
    Color(PixelTarget),
    /// Depths.
    Depth(DepthSurface),
}

/// A run's memory after the event, and the buffer to compare.
#[derive(Clone, Copy, Debug)]
pub struct BufferSide<'a> {
    /// Memory after the event.
    pub memory: &'a Memory,
    /// The event's buffer.
    pub buffer: ComparedBuffer,
}

impl BufferSide<'_> {
    /// Returns the address for a pixel's first byte in the linear view, its length in bytes, and its bits.
    fn pixel(&self, [x, y]: [u32; 2]) -> Option<(u32, u32, u32)> {
        let Self { memory, buffer } = self;
        match buffer {
            ComparedBuffer::Color(target) => {
                let pixel = PixelBytes::new(*target, [x, y], memory).ok()?;
                let address = match pixel.in_vram(memory.translation()) {
                    Some(watched) => Address::vram(watched.offset),
                    None => pixel.address,
                };
                Some((address.get(), pixel.length, pixel.read(memory)))
            }
            ComparedBuffer::Depth(surface) => {
                let address = VRAM_BASE.saturating_add(surface.offset(memory, x, y));
                Some((address, 2, surface.read(memory, x, y).into()))
            }
        }
    }
}

/// Compares the pixels inside a rectangle if, in either run, their bytes are in sorted address ranges; `None` if
/// they are all equal.
#[must_use]
pub fn compare(
    sides: [BufferSide<'_>; 2],
    bounds: PixelBounds,
    ranges: &[Range<u32>],
) -> Option<PixelDifference> {
    let PixelBounds { first: [left, top], last: [right, bottom] } = bounds;
    let mut found: Option<PixelDifference> = None;
    for position in (top..=bottom).flat_map(|y| (left..=right).map(move |x| [x, y])) {
        let [Some(a), Some(b)] = sides.map(|side| side.pixel(position)) else { continue };
        let is_listed = |(start, length, _): (u32, u32, u32)| overlaps(ranges, start, length);
        if a.2 == b.2 || !(is_listed(a) || is_listed(b)) {
            continue;
        }
        let found = found.get_or_insert(PixelDifference {
            count: 0,
            bounds: PixelBounds { first: position, last: position },
            first: position,
            bits: [a.2, b.2],
        });
        found.count = found.count.saturating_add(1);
        found.bounds = join(found.bounds, PixelBounds { first: position, last: position });
    }
    found
}

/// Returns the smallest rectangle around two others.
#[must_use]
pub fn join(a: PixelBounds, b: PixelBounds) -> PixelBounds {
    let each = |a: [u32; 2], b: [u32; 2], choose: fn(u32, u32) -> u32| {
        let ([ax, ay], [bx, by]) = (a, b);
        [choose(ax, bx), choose(ay, by)]
    };
    PixelBounds { first: each(a.first, b.first, Ord::min), last: each(a.last, b.last, Ord::max) }
}

/// Returns whether some bytes are in sorted ranges.
fn overlaps(ranges: &[Range<u32>], start: u32, length: u32) -> bool {
    let end = start.saturating_add(length);
    let place = |range: &Range<u32>| match range {
        range if range.end <= start => Ordering::Less,
        range if range.start >= end => Ordering::Greater,
        _ => Ordering::Equal,
    };
    ranges.binary_search_by(place).is_ok()
}
