//! Tells which screen pixels write a VRAM pixel's bytes.

use std::ops::Range;

use crate::ge::address::{Address, VRAM_SIZE};
use crate::ge::color;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::pipeline::framebuffer::{COORDINATES, ColorSurface, DepthSurface};
use crate::raster::rules::region::RegionTranslation;

/// The bytes of a pixel in VRAM.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchedPixel {
    /// Offset in linear VRAM at which the pixel begins.
    pub offset: u32,
    /// How many bytes it has: 2 or 4.
    pub length: u32,
}

impl WatchedPixel {
    /// Reads the bytes as a little-endian number.
    #[must_use]
    pub fn read(self, memory: &Memory) -> u32 {
        let address = Address::vram(self.offset);
        if self.length == 2 { memory.read_u16(address).into() } else { memory.read_u32(address) }
    }

    /// Returns whether a pixel in the colour buffer shares any of these bytes.
    pub(super) fn shares_color(self, registers: &Registers, [column, row]: [u32; 2]) -> bool {
        let surface = ColorSurface::from_registers(registers);
        let start = surface.offset(column, row);
        let bytes = self.bytes();
        start < bytes.end && start.saturating_add(color::bytes(surface.format)) > bytes.start
    }

    fn bytes(self) -> Range<u32> {
        self.offset..self.offset.saturating_add(self.length)
    }
}

/// The screen pixels that write watched bytes. They are kept for other draws to the same buffers.
#[derive(Debug, Default)]
pub(super) struct ScreenPixels {
    buffers: Option<Buffers>,
    pixels: Vec<[u32; 2]>,
}

/// The buffers that a draw writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Buffers {
    color: ColorSurface,
    /// The depth buffer, if this draw writes it.
    depth: Option<DepthSurface>,
    region: RegionTranslation,
    translation: Translation,
}

impl ScreenPixels {
    /// Returns the pixels whose colour or depth shares bytes with a VRAM pixel, if a draw has these registers. They
    /// are sorted by rows. The scissor is left to the caller.
    pub(crate) fn find(
        &mut self,
        pixel: WatchedPixel,
        translation: Translation,
        registers: &Registers,
    ) -> &[[u32; 2]] {
        let buffers = Buffers {
            color: ColorSurface::from_registers(registers),
            depth: writes_depth(registers).then(|| DepthSurface::from_registers(registers)),
            region: RegionTranslation::from_registers(registers),
            translation,
        };
        if self.buffers != Some(buffers) {
            self.buffers = Some(buffers);
            self.pixels = buffers.pixels(pixel);
        }
        &self.pixels
    }
}

impl Buffers {
    fn pixels(&self, pixel: WatchedPixel) -> Vec<[u32; 2]> {
        let mut found = Vec::new();
        for byte in pixel.bytes() {
            let ColorSurface { address, stride, format } = self.color;
            self.find(&mut found, address, stride, color::bytes(format), byte);
            if let Some(DepthSurface { address, stride, view }) = self.depth {
                self.find(&mut found, address, stride, 2, self.translation.from_linear(view, byte));
            }
        }
        found.sort_unstable_by_key(|[x, y]| (*y, *x));
        found.dedup();
        found
    }

    /// Adds the screen pixels for which a buffer stores the byte at an offset. Values in the buffer have `size`
    /// bytes.
    fn find(&self, found: &mut Vec<[u32; 2]>, address: u32, stride: u32, size: u32, offset: u32) {
        // Rows may overlap in memory, so this looks for the byte in each.
        for y in 0..COORDINATES {
            let [_, row] = self.region.apply(0, y);
            let start = address.wrapping_add((row % COORDINATES).wrapping_mul(stride * size));
            let column = (offset.wrapping_sub(start) % VRAM_SIZE) / size;
            if column < COORDINATES {
                let x = self.region.column_on_screen(column);
                found.push([x, y]);
            }
        }
    }
}

fn writes_depth(registers: &Registers) -> bool {
    let clear: ClearMode = registers.get();
    if clear.enabled {
        return clear.depth;
    }
    registers.is_on(Opcode::ZTESTENABLE) && !registers.is_on(Opcode::ZWRITEDISABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each pixel of a buffer is found by its own bytes, whatever the format, row length and region.
    #[test]
    fn finds_the_pixels_that_write_bytes() {
        for format in [0, 3] {
            for region in [0, 5 | 3 << 10, 8] {
                let registers = Registers::with([
                    (Opcode::FRAMEBUFPTR, 0x1F_8000),
                    (Opcode::FRAMEBUFWIDTH, 512),
                    (Opcode::FRAMEBUFPIXFORMAT, format),
                    (Opcode::REGION1, region),
                    (Opcode::ZBUFPTR, 0x8_8000),
                    (Opcode::ZBUFWIDTH, 512),
                    (Opcode::ZTESTENABLE, 1),
                ]);
                let memory = Memory::default();
                let (color, depth) =
                    (ColorSurface::from_registers(&registers), DepthSurface::from_registers(&registers));
                for at in [[16, 9], [301, 200], [479, 271]] {
                    let [column, row] = RegionTranslation::from_registers(&registers).apply(at[0], at[1]);
                    let of_color = WatchedPixel {
                        offset: color.offset(column, row),
                        length: color::bytes(color.format),
                    };
                    let of_depth = WatchedPixel { offset: depth.offset(&memory, column, row), length: 2 };
                    for pixel in [of_color, of_depth] {
                        let found =
                            ScreenPixels::default().find(pixel, memory.translation(), &registers).to_vec();
                        assert!(found.contains(&at), "{at:?} of {found:?}, {pixel:?}, region {region:#x}");
                    }
                }
            }
        }
    }

    #[test]
    fn narrow_pixels_share_a_wide_one() {
        let registers = Registers::with([(Opcode::FRAMEBUFWIDTH, 1024)]);
        let wide = WatchedPixel { offset: 2 * 40, length: 4 };
        let mut pixels = ScreenPixels::default();
        let found = pixels.find(wide, Translation::default(), &registers);
        assert_eq!(found, [[40, 0], [41, 0]], "two pixels of 16 bits");
    }
}
