//! Decides in which sizes a frame or list can be drawn: a part of its framebuffer, or the screen at a higher
//! resolution.

use std::fmt;

use crate::ge::address::{Address, Region, VRAM_SIZE, VramView};
use crate::ge::capture::Display;
use crate::ge::capture::SCREEN;
use crate::ge::color;
use crate::ge::memory::Memory;
use crate::pipeline::framebuffer::{COORDINATES, ColorSurface, DepthSurface};
use crate::run::target_sizes::TargetSizes;

/// The factors by which the screen can be drawn larger. Each divides a pixel, which has 16 units, evenly into parts
/// with their samples at the centres.
pub(crate) const SCALES: [u32; 3] = [2, 4, 8];

/// A frame cannot have the requested size. The message lists the sizes it can have.
///
/// ```
/// use pspge::scene::frame_size::FrameSizeError;
///
/// let error = FrameSizeError { size: [500, 300], buffer: [512, 272] };
/// assert_eq!(
///     error.to_string(),
///     "no picture of 500x300 pixels: the buffer has 512x272; larger ones are 960x544, 1920x1088 or 3840x2176"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct FrameSizeError {
    /// The requested width and height.
    pub size: [u32; 2],
    /// The buffer's width and height.
    pub buffer: [u32; 2],
}

impl fmt::Display for FrameSizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size: [width, height], buffer: [columns, rows] } = self;
        write!(
            f,
            "no picture of {width}x{height} pixels: the buffer has {columns}x{rows}; larger ones are "
        )?;
        for (index, scale) in SCALES.iter().enumerate() {
            let separator = match SCALES.len() - index {
                _ if index == 0 => "",
                1 => " or ",
                _ => ", ",
            };
            write!(f, "{separator}{}x{}", SCREEN[0] * scale, SCREEN[1] * scale)?;
        }
        Ok(())
    }
}

/// How to draw a picture with the requested size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FrameSize {
    /// Pixels in the picture for each pixel in the buffer, along each axis.
    pub(super) scale: u32,
    /// Width and height of the shown part, in the buffer's pixels.
    part: [u32; 2],
}

impl FrameSize {
    /// Splits a size into scale and part: a factor times the screen, or else a part of the buffer at scale 1.
    pub(super) fn new(size: [u32; 2]) -> Self {
        let is_scaled = |scale: &u32| size == SCREEN.map(|side| side * scale);
        match SCALES.into_iter().find(is_scaled) {
            Some(scale) => Self { scale, part: SCREEN },
            None => Self { scale: 1, part: size },
        }
    }

    /// Returns how much to show if the buffer has this size. The screen is cut to a smaller buffer; other parts have to
    /// be inside.
    pub(super) fn part_of(self, buffer: [u32; 2]) -> Result<[u32; 2], FrameSizeError> {
        let is_screen = self.part == SCREEN && !buffer.contains(&0);
        let part = if is_screen { [0, 1].map(|axis| SCREEN[axis].min(buffer[axis])) } else { self.part };
        let fits = [0, 1].into_iter().all(|axis| (1..=buffer[axis]).contains(&part[axis]));
        if fits { Ok(part) } else { Err(FrameSizeError { size: self.part, buffer }) }
    }
}

/// Returns width and height of the buffer on the screen. Its rows have their full length. They continue as far as
/// the screen shows or draws reached, but not beyond the end of memory.
pub(super) fn of_display(display: &Display, memory: &Memory, drawn: &TargetSizes) -> [u32; 2] {
    let row = display.stride.saturating_mul(color::bytes(display.format));
    let reached = match display.address.region() {
        Region::Vram(VramView::Linear, offset) => drawn.of(offset, display.stride),
        _ => None,
    };
    size(display.stride, rows_in_memory(memory, display.address, row), reached)
}

/// Returns width and height for a colour buffer in the same way.
pub(super) fn of_color(surface: &ColorSurface, drawn: &TargetSizes) -> [u32; 2] {
    let row = surface.stride * color::bytes(surface.format);
    let reached = drawn.of(surface.address, surface.stride);
    size(surface.stride, rows_in_vram(surface.address, row), reached)
}

/// Returns width and height of the depth buffer for a colour buffer.
pub(super) fn of_depth(depth: &DepthSurface, color: &ColorSurface, drawn: &TargetSizes) -> [u32; 2] {
    let reached = drawn.of(color.address, color.stride);
    size(depth.stride, rows_in_vram(depth.address, depth.stride * 2), reached)
}

/// With a row length of 0, the list has set no buffer. Its empty picture has the screen's size.
fn size(stride: u32, rows: u32, reached: Option<[u32; 2]>) -> [u32; 2] {
    if stride == 0 {
        return SCREEN;
    }
    let used = reached.map_or(SCREEN[1], |[_, height]| height.max(SCREEN[1]));
    [stride.min(COORDINATES), rows.min(used).min(COORDINATES)]
}

/// Returns how many rows with `row` bytes fit from an offset to the end of VRAM.
fn rows_in_vram(offset: u32, row: u32) -> u32 {
    VRAM_SIZE.saturating_sub(offset).checked_div(row).unwrap_or(0)
}

/// Returns how many rows with `row` bytes are mapped from an address on, up to the most a surface can address.
fn rows_in_memory(memory: &Memory, start: Address, row: u32) -> u32 {
    if let Region::Vram(_, offset) = start.region() {
        return rows_in_vram(offset, row);
    }
    let is_mapped = |rows: &u32| memory.is_mapped(start, rows.saturating_mul(row));
    (1..=COORDINATES).take_while(is_mapped).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ge::registers::texture::PixelFormat;

    #[test]
    fn whole_factors_of_the_screen_are_scaled() {
        for (size, expected) in [
            ([480, 272], (1, [480, 272])),
            ([960, 544], (2, [480, 272])),
            ([3840, 2176], (8, [480, 272])),
            ([1440, 816], (1, [1440, 816])),
            ([960, 272], (1, [960, 272])),
        ] {
            let FrameSize { scale, part } = FrameSize::new(size);
            assert_eq!((scale, part), expected, "{size:?}");
        }
    }

    #[test]
    fn parts_are_inside_the_buffer() {
        let buffer = [512, 280];
        for (size, expected) in [
            ([512, 280], Ok([512, 280])),
            ([1, 1], Ok([1, 1])),
            ([480, 272], Ok([480, 272])),
            ([960, 544], Ok([480, 272])),
            ([513, 272], Err(FrameSizeError { size: [513, 272], buffer })),
            ([512, 281], Err(FrameSizeError { size: [512, 281], buffer })),
            ([0, 5], Err(FrameSizeError { size: [0, 5], buffer })),
            ([1440, 816], Err(FrameSizeError { size: [1440, 816], buffer })),
        ] {
            assert_eq!(FrameSize::new(size).part_of(buffer), expected, "{size:?}");
        }
        assert_eq!(FrameSize::new(SCREEN).part_of([64, 64]), Ok([64, 64]), "the screen of a small buffer");
        let empty = FrameSizeError { size: SCREEN, buffer: [512, 0] };
        assert_eq!(FrameSize::new(SCREEN).part_of([512, 0]), Err(empty), "a buffer without memory");
    }

    #[test]
    fn buffers_end_with_their_memory() {
        let display = |address, stride| Display { address, stride, format: PixelFormat::ABGR8888 };
        let (memory, drawn) = (Memory::default(), TargetSizes::default());
        let size = |display: Display| of_display(&display, &memory, &drawn);
        assert_eq!(size(display(Address::vram(0), 512)), [512, 272], "the screen's rows");
        assert_eq!(size(display(Address::vram(0x1F_F000), 512)), [512, 2], "two rows before the end of VRAM");
        let last = Address::new(0x0BFF_F000);
        assert_eq!(size(display(last, 512)), [512, 2], "two rows before the end of main memory");
        assert_eq!(size(display(Address::new(0x100), 512)), [512, 0], "no memory");
        assert_eq!(size(display(Address::vram(0), 0)), [480, 272], "no buffer");
    }
}
