//! Describes the colour and depth buffers in VRAM, as the framebuffer registers select them.
//!
//! # Invariants
//! Both surfaces are always in VRAM, because the registers hold only an offset. Pixels past the end of the 2
//! MiB wrap to the start (assumed). Coordinates wrap modulo 1024. Colour uses the linear view of VRAM. Depth
//! uses a permuted view, which depends on the colour format.
//!
//! Source: [framebuffer registers](crate::reference::ge::lists#framebuffer-registers),
//! [framebuffer formats](crate::reference::ge::pixels#framebuffer-formats),
//! [write masks](crate::reference::ge::pixels#write-masks),
//! [depth views](crate::reference::ge::memory#view-of-the-depth-buffer) (hardware test `dither/dither`).

use std::ops::Range;

use image::{GrayImage, ImageBuffer, Luma, RgbaImage};

use crate::ge::address::{Address, VRAM_BASE, VRAM_SIZE, VramView};
use crate::ge::capture::Display;
use crate::ge::color;
use crate::ge::edram::Translation;
use crate::ge::memory::Memory;
use crate::ge::opcode::Opcode;
use crate::ge::registers::Registers;
use crate::ge::registers::pixel::ClearMode;
use crate::ge::registers::surface::{BufferAddress, BufferWidth, FramebufferFormat};
use crate::ge::registers::texture::PixelFormat;

/// How many rows and columns a surface can address.
#[doc(hidden)]
pub const COORDINATES: u32 = 1024;

/// The address bits that the hardware uses for a buffer.
const ADDRESS_MASK: u32 = 0x1F_FFF0;
/// The width bits that the hardware uses for a buffer.
const WIDTH_MASK: u16 = 0x7FC;

/// The colour buffer that draws write to.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{ColorSurface, Memory, Registers};
///
/// let surface = ColorSurface::from_registers(&Registers::new());
/// let image = surface.to_rgba(&Memory::default(), 16, 16);
/// assert_eq!(image.get_pixel(0, 0).0[..3], [0, 0, 0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColorSurface {
    /// Where the first pixel is in VRAM: a multiple of 16.
    pub address: u32,
    /// How many pixels a row has: a multiple of 4, at most 2044.
    pub stride: u32,
    /// How pixels are stored.
    pub format: PixelFormat,
}

/// The depth buffer that draws compare with and write to.
///
/// ```
/// # extern crate pspge_engine as pspge;
/// use pspge::{DepthSurface, Memory, Registers};
///
/// let surface = DepthSurface::from_registers(&Registers::new());
/// assert_eq!(surface.read(&Memory::default(), 0, 0), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthSurface {
    /// Where the first value is in [`Self::view`]: a multiple of 16.
    pub address: u32,
    /// How many values a row has: a multiple of 4, at most 2044.
    pub stride: u32,
    /// The view in which depth values are in order.
    pub view: VramView,
}

impl ColorSurface {
    /// Reads this surface from FRAMEBUFPTR, FRAMEBUFWIDTH and FRAMEBUFPIXFORMAT.
    #[must_use]
    pub fn from_registers(registers: &Registers) -> Self {
        Self {
            address: address(registers, Opcode::FRAMEBUFPTR),
            stride: stride(registers, Opcode::FRAMEBUFWIDTH),
            format: registers.get::<FramebufferFormat>().format,
        }
    }

    /// Returns where a pixel is in VRAM.
    #[must_use]
    pub const fn offset(&self, x: u32, y: u32) -> u32 {
        let pixel = (y % COORDINATES) * self.stride + x % COORDINATES;
        (self.address + pixel * color::bytes(self.format)) % VRAM_SIZE
    }

    /// Passes the bytes for some pixels in a row to `visit`, as ranges in linear VRAM. Columns do not wrap.
    #[doc(hidden)]
    pub fn for_each_range(&self, row: u32, columns: Range<u32>, mut visit: impl FnMut(Range<u32>)) {
        let start = self.offset(columns.start, row);
        let count = columns.end.saturating_sub(columns.start);
        let end = start.saturating_add(count.saturating_mul(color::bytes(self.format)));
        visit(start..end.min(VRAM_SIZE));
        if end > VRAM_SIZE {
            visit(0..end.saturating_sub(VRAM_SIZE));
        }
    }

    /// Reads a pixel's stored bits.
    #[must_use]
    pub fn read_bits(&self, memory: &Memory, x: u32, y: u32) -> u32 {
        let start = self.offset(x, y) as usize;
        let vram = memory.vram();
        if color::bytes(self.format) == 4 { word(vram, start) } else { u32::from(half_word(vram, start)) }
    }

    /// Replaces a pixel's stored bits.
    pub fn write_bits(&self, memory: &mut Memory, x: u32, y: u32, bits: u32) {
        let start = self.offset(x, y) as usize;
        let size = color::bytes(self.format) as usize;
        // Buffer and pixels are aligned, so a pixel cannot straddle VRAM's end.
        if let Some(target) = memory.vram_part_mut(start..start + size) {
            target.copy_from_slice(&bits.to_le_bytes()[..size]);
        }
    }

    /// Decodes stored bits to red, green, blue and stencil. The stencil is the stored alpha; 5650 has none, so this
    /// returns 0 for it.
    #[must_use]
    pub fn decode(&self, bits: u32) -> [u8; 4] {
        let mut color = color::decode(self.format, bits);
        if self.format == PixelFormat::BGR5650 {
            color[3] = 0;
        }
        color
    }

    /// Encodes red, green, blue and stencil. A set bit in `protect` keeps that bit of `old`. Narrow formats convert
    /// this mask like a colour.
    #[must_use]
    pub fn encode(&self, color: [u8; 4], old: u32, protect: [u8; 4]) -> u32 {
        let protect = color::encode(self.format, protect);
        (color::encode(self.format, color) & !protect) | (old & protect)
    }

    /// Reads a pixel as red, green, blue and stencil.
    #[must_use]
    pub fn read(&self, memory: &Memory, x: u32, y: u32) -> [u8; 4] {
        self.decode(self.read_bits(memory, x, y))
    }

    /// Stores red, green, blue and stencil for a pixel, but keeps the bits that `protect` masks.
    pub fn write(&self, memory: &mut Memory, x: u32, y: u32, color: [u8; 4], protect: [u8; 4]) {
        let old = self.read_bits(memory, x, y);
        self.write_bits(memory, x, y, self.encode(color, old, protect));
    }

    /// Copies the upper left part to an opaque image, to show it as a display does. Sizes are limited to 1024.
    #[must_use]
    pub fn to_rgba(&self, memory: &Memory, width: u32, height: u32) -> RgbaImage {
        self.decode_rows(memory, [width, height], color::decode_opaque_row)
    }

    /// Copies the upper left part with the stencil as alpha. 5650 has no stencil, so it is opaque. Sizes are
    /// limited to 1024.
    #[must_use]
    pub fn to_rgba_with_stencil(&self, memory: &Memory, width: u32, height: u32) -> RgbaImage {
        self.decode_rows(memory, [width, height], color::decode_row)
    }

    /// Copies rows and uses `decode` to convert their pixels to samples.
    fn decode_rows(
        &self,
        memory: &Memory,
        size: [u32; 2],
        decode: impl Fn(PixelFormat, &[u8], &mut [u8]),
    ) -> RgbaImage {
        let mut stored = Vec::new();
        image_by_rows(size, |y, columns, samples| {
            stored.clear();
            self.for_each_range(y, 0..columns, |range| {
                stored
                    .extend(memory.vram().get(range.start as usize..range.end as usize).unwrap_or_default());
            });
            decode(self.format, &stored, samples);
        })
    }

    /// Copies the stencil in the upper left part. Sizes are limited to 1024.
    #[must_use]
    pub fn stencil_to_gray(&self, memory: &Memory, width: u32, height: u32) -> GrayImage {
        image_of(width, height, |x, y| Luma([self.read(memory, x, y)[3]]))
    }
}

impl DepthSurface {
    /// Reads this surface from ZBUFPTR, ZBUFWIDTH and FRAMEBUFPIXFORMAT.
    #[must_use]
    pub fn from_registers(registers: &Registers) -> Self {
        Self {
            address: address(registers, Opcode::ZBUFPTR),
            stride: stride(registers, Opcode::ZBUFWIDTH),
            view: depth_view(registers.get::<FramebufferFormat>().format),
        }
    }

    /// Returns the upper left value's address in [`Self::view`], because values are in order only there.
    #[must_use]
    pub const fn view_address(&self) -> Address {
        let view = match self.view {
            VramView::Linear => 0,
            VramView::Depth16 => 0x20_0000,
            VramView::Depth32 => 0x60_0000,
        };
        Address::new(VRAM_BASE | view).offset(self.address)
    }

    /// Returns where a value is in linear VRAM.
    #[must_use]
    pub const fn offset(&self, memory: &Memory, x: u32, y: u32) -> u32 {
        let value = (y % COORDINATES) * self.stride + x % COORDINATES;
        // The view permutes units of 32 bytes, so it never separates a value's two bytes.
        memory.translation().to_linear(self.view, (self.address + value * 2) % VRAM_SIZE)
    }

    /// Passes the bytes for some values in a row to `visit`, as ranges in linear VRAM. Columns do not wrap.
    #[doc(hidden)]
    pub fn for_each_range(
        &self,
        translation: Translation,
        row: u32,
        columns: Range<u32>,
        visit: impl FnMut(Range<u32>),
    ) {
        let value = (row % COORDINATES).saturating_mul(self.stride).saturating_add(columns.start);
        let offset = self.address.saturating_add(value.saturating_mul(2));
        let length = columns.end.saturating_sub(columns.start).saturating_mul(2);
        translation.for_each_linear_range(self.view, offset, length, visit);
    }

    /// Reads a pixel's depth.
    #[must_use]
    pub fn read(&self, memory: &Memory, x: u32, y: u32) -> u16 {
        half_word(memory.vram(), self.offset(memory, x, y) as usize)
    }

    /// Stores a pixel's depth.
    pub fn write(&self, memory: &mut Memory, x: u32, y: u32, depth: u16) {
        let start = self.offset(memory, x, y) as usize;
        if let Some(target) = memory.vram_part_mut(start..start + 2) {
            target.copy_from_slice(&depth.to_le_bytes());
        }
    }

    /// Copies the upper left part, to show it as an image. Sizes are limited to 1024.
    #[must_use]
    pub fn to_gray(&self, memory: &Memory, width: u32, height: u32) -> ImageBuffer<Luma<u16>, Vec<u16>> {
        let (vram, translation) = (memory.vram(), memory.translation());
        image_by_rows([width, height], |y, columns, mut depths: &mut [u16]| {
            // A row may arrive in pieces, because the view permutes it. Each piece fills the row's next part.
            self.for_each_range(translation, y, 0..columns, |range| {
                let stored = vram.get(range.start as usize..range.end as usize).unwrap_or_default();
                let count = (stored.len() / 2).min(depths.len());
                let (row, rest) = std::mem::take(&mut depths).split_at_mut(count);
                for (depth, bytes) in row.iter_mut().zip(stored.as_chunks().0) {
                    *depth = u16::from_le_bytes(*bytes);
                }
                depths = rest;
            });
        })
    }
}

/// The surfaces that a draw may write according to its registers. This ignores masks and test functions, so a
/// listed surface may stay unchanged.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenSurfaces {
    /// The colour buffer, except in clear mode without colour and stencil.
    pub color: Option<ColorSurface>,
    /// The depth buffer, if the draw writes or clears depth.
    pub depth: Option<DepthSurface>,
}

impl WrittenSurfaces {
    /// Reads the surfaces from a draw's registers.
    pub fn from_registers(registers: &Registers) -> Self {
        let clear: ClearMode = registers.get();
        let color = !clear.enabled || clear.color || clear.stencil;
        let tests_and_writes =
            registers.is_on(Opcode::ZTESTENABLE) && !registers.is_on(Opcode::ZWRITEDISABLE);
        let depth = if clear.enabled { clear.depth } else { tests_and_writes };
        Self {
            color: color.then(|| ColorSurface::from_registers(registers)),
            depth: depth.then(|| DepthSurface::from_registers(registers)),
        }
    }
}

/// Returns the depth view that accompanies this colour format.
/// Source: [depth layout](crate::reference::ge::transfers#depth-layout).
const fn depth_view(colors: PixelFormat) -> VramView {
    if color::bytes(colors) == 4 { VramView::Depth32 } else { VramView::Depth16 }
}

/// Copies the displayed image's upper left part, opaque as in [`ColorSurface::to_rgba`]. A display may be in any
/// memory. Sizes are limited to 1024.
#[doc(hidden)]
#[must_use]
pub fn displayed(display: Display, memory: &Memory, width: u32, height: u32) -> RgbaImage {
    let size = color::bytes(display.format) as usize;
    let (width, height) = (width.min(COORDINATES), height.min(COORDINATES));
    let address = |x: u32, y: u32| {
        let pixel = y.wrapping_mul(display.stride).wrapping_add(x);
        display.address.offset(pixel.wrapping_mul(color::bytes(display.format)))
    };
    let mut stored = vec![0; width as usize * size];
    image_by_rows([width, height], |y, _, samples| {
        let start = address(0, y);
        if let Some(bytes) = memory.slice(start, stored.len()) {
            return color::decode_opaque_row(display.format, bytes, samples);
        }
        // This row crosses a gap in memory or a permuted view, so no slice covers it.
        for (x, pixel) in (0..).zip(stored.chunks_exact_mut(size)) {
            memory.read(address(x, y), pixel);
        }
        color::decode_opaque_row(display.format, &stored, samples);
    })
}

fn address(registers: &Registers, opcode: Opcode) -> u32 {
    registers.view::<BufferAddress>(opcode).address.0 & ADDRESS_MASK
}

fn stride(registers: &Registers, opcode: Opcode) -> u32 {
    u32::from(registers.view::<BufferWidth>(opcode).width & WIDTH_MASK)
}

fn image_of<P: image::Pixel>(
    width: u32,
    height: u32,
    pixel: impl FnMut(u32, u32) -> P,
) -> ImageBuffer<P, Vec<P::Subpixel>> {
    ImageBuffer::from_fn(width.min(COORDINATES), height.min(COORDINATES), pixel)
}

/// Creates an image row by row. `fill` gets the row's number, its width in pixels, and its samples. Sizes are
/// limited to 1024.
fn image_by_rows<P: image::Pixel>(
    size: [u32; 2],
    mut fill: impl FnMut(u32, u32, &mut [P::Subpixel]),
) -> ImageBuffer<P, Vec<P::Subpixel>> {
    let [width, height] = size.map(|side| side.min(COORDINATES));
    let mut image = ImageBuffer::<P, _>::new(width, height);
    let samples = width as usize * usize::from(P::CHANNEL_COUNT);
    // `chunks_exact_mut` panics for 0, so a row counts as 1 sample at least.
    for (y, row) in (0..).zip(image.as_mut().chunks_exact_mut(samples.max(1))) {
        fill(y, width, row);
    }
    image
}

fn half_word(vram: &[u8], start: usize) -> u16 {
    vram.get(start..start + 2).map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
}

fn word(vram: &[u8], start: usize) -> u32 {
    vram.get(start..start + 4).map_or(0, |bytes| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;
    use crate::ge::command::Command;

    fn surface(format: PixelFormat) -> ColorSurface {
        ColorSurface { address: 0x1000, stride: 512, format }
    }

    #[test]
    fn masks_registers() {
        let mut registers = Registers::new();
        registers.write(Command::new(Opcode::FRAMEBUFPTR, 0xFF_FFFF));
        registers.write(Command::new(Opcode::FRAMEBUFWIDTH, 0xFF_FFFF));
        registers.write(Command::new(Opcode::ZBUFPTR, 0x44_0019));
        registers.write(Command::new(Opcode::ZBUFWIDTH, 0x04_0202));
        let color = ColorSurface::from_registers(&registers);
        assert_eq!((color.address, color.stride), (0x1F_FFF0, 0x7FC), "colour buffer");
        let depth = DepthSurface::from_registers(&registers);
        assert_eq!((depth.address, depth.stride), (0x04_0010, 0x200), "depth buffer");
    }

    #[test]
    fn pixels_wrap_at_end_of_vram() {
        let mut memory = Memory::default();
        let surface = ColorSurface { address: 0x1F_FFF0, stride: 512, format: PixelFormat::ABGR8888 };
        surface.write(&mut memory, 4, 0, [1, 2, 3, 4], [0; 4]);
        assert_eq!(memory.vram()[..4], [1, 2, 3, 4], "the pixel after the last one is at the start");
        surface.write(&mut memory, 1024 + 5, 1024, [5, 6, 7, 8], [0; 4]);
        assert_eq!(memory.vram()[4..8], [5, 6, 7, 8], "coordinates wrap modulo 1024");
    }

    #[test]
    fn stencil_depends_on_format() {
        let mut memory = Memory::default();
        for (format, stencil) in [
            (PixelFormat::BGR5650, 0),
            (PixelFormat::ABGR5551, 255),
            (PixelFormat::ABGR4444, 0x99),
            (PixelFormat::ABGR8888, 0x9A),
        ] {
            let surface = surface(format);
            surface.write(&mut memory, 3, 2, [0xFF, 0, 0, 0x9A], [0; 4]);
            assert_eq!(surface.read(&memory, 3, 2), [0xFF, 0, 0, stencil], "{format}");
            assert_eq!(surface.to_rgba(&memory, 8, 8)[(3, 2)], Rgba([0xFF, 0, 0, 255]), "{format} shown");
        }
    }

    /// In a narrow format the mask selects colour bits: `reference/ge/pixels.md#write-masks`.
    #[test]
    fn write_masks_keep_old_bits() {
        let mut memory = Memory::default();
        let surface = surface(PixelFormat::BGR5650);
        surface.write_bits(&mut memory, 0, 0, 0x0000);
        surface.write(&mut memory, 0, 0, [255; 4], [0x07, 0x03, 0x87, 0]);
        assert_eq!(surface.read_bits(&memory, 0, 0), 0x7FFF, "the low mask bits have no stored bit");
        surface.write(&mut memory, 0, 0, [0; 4], [0xF8, 0x00, 0x00, 0]);
        assert_eq!(surface.read_bits(&memory, 0, 0), 0x001F, "red is protected");
    }

    /// Depth for 16-bit targets is in order at 0x04200000, and for 32-bit targets at 0x04600000, in every
    /// translation mode.
    #[test]
    fn colour_format_selects_depth_view() {
        for translation in [0, 0x200, 0x400, 0x800, 0x1000].map(Translation::from_mode) {
            for (format, view) in [(0, 0x0420_0000), (1, 0x0420_0000), (2, 0x0420_0000), (3, 0x0460_0000)] {
                let mut memory = Memory::default();
                memory.set_translation(translation.expect("a mode"));
                let surface = DepthSurface::from_registers(&Registers::with([
                    (Opcode::ZBUFPTR, 0x11_0000),
                    (Opcode::ZBUFWIDTH, 512),
                    (Opcode::FRAMEBUFPIXFORMAT, format),
                ]));
                for (x, value) in [(7, 0xABCD), (70, 0x1234), (511, 0x5678)] {
                    surface.write(&mut memory, x, 3, value);
                    assert_eq!(surface.read(&memory, x, 3), value, "round trip");
                    let seen = memory.read_u16(Address::new(view + 0x11_0000 + (3 * 512 + x) * 2));
                    assert_eq!(seen, value, "{translation:?}, format {format}, column {x}");
                }
                assert_eq!(surface.to_gray(&memory, 8, 4)[(7, 3)], Luma([0xABCD]), "as an image");
            }
        }
    }

    #[test]
    fn rows_have_the_bytes_of_their_pixels() {
        for (format, stride) in [(1, 64), (3, 512)] {
            let registers = Registers::with([
                (Opcode::FRAMEBUFPTR, 0x1F_FFF0),
                (Opcode::FRAMEBUFWIDTH, stride),
                (Opcode::FRAMEBUFPIXFORMAT, format),
                (Opcode::ZBUFPTR, 0x1F_FFE0),
                (Opcode::ZBUFWIDTH, stride),
            ]);
            let color = ColorSurface::from_registers(&registers);
            let depth = DepthSurface::from_registers(&registers);
            let memory = Memory::default();
            for (row, columns) in [(0, 0..40), (3, 5..6), (7, 9..9)] {
                let bytes = |start: u32, size: u32| start..start + size;
                let (mut found, mut found_depth) = (Vec::new(), Vec::new());
                color.for_each_range(row, columns.clone(), |range| found.extend(range));
                let size = color::bytes(color.format);
                let expected = columns.clone().flat_map(|column| bytes(color.offset(column, row), size));
                assert_eq!(found, expected.collect::<Vec<u32>>(), "format {format}: colour, row {row}");
                depth.for_each_range(memory.translation(), row, columns.clone(), |range| {
                    found_depth.extend(range);
                });
                let expected = columns.flat_map(|column| bytes(depth.offset(&memory, column, row), 2));
                assert_eq!(found_depth, expected.collect::<Vec<u32>>(), "format {format}: depth, row {row}");
            }
        }
    }
}
