//! Shows a single draw in a frame: the frame in dimmed grey, and the draw's pixels in a colour for their fate.
//!
//! ```
//! use pspge::scene::frame::{FrameBuffer, FrameRenderer};
//! use pspge::scene::highlight;
//!
//! let list = "FRAMEBUFWIDTH width=512 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | BASE hi(v)
//!     VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=RECTANGLES count=2
//!     FINISH | END | v: .s16 10 20 0 30 50 0";
//! let capture = pspge::asm::assemble(list)?.capture();
//! let picture = highlight::render(&FrameRenderer::default(), &capture, FrameBuffer::Display, 0)?;
//! assert_eq!(picture.image.get_pixel(10, 20).0, highlight::WRITTEN);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use image::{Rgb, RgbImage};

use super::frame::{FrameBuffer, FrameError, FrameRenderer};
use crate::ge::address::VRAM_SIZE;
use crate::ge::arithmetic::Arithmetic;
use crate::ge::capture::Capture;
use crate::ge::color;
use crate::ge::limits::{LimitHit, Limits};
use crate::ge::memory::Memory;
use crate::ge::registers::Registers;
use crate::pipeline::draw::primitive_record::PrimitiveRecord;
use crate::pipeline::draw::{Draw, ImmediateDraw};
use crate::pipeline::framebuffer::ColorSurface;
use crate::raster::{DrawCounter, DrawnPixels, PixelBounds, PixelFate, RasterOptions, Rasterizer};
use crate::run::replay::Replayed;
use crate::run::sink::Sink;

/// Red, green and blue for written pixels.
pub const WRITTEN: [u8; 3] = [0xFF, 0x30, 0x30];
/// Red, green and blue for the line around the draw's pixels.
pub const OUTLINE: [u8; 3] = [0xFF, 0xFF, 0xFF];

/// Colours and names for pixels that this draw touched but did not write.
pub const OTHER_FATES: [(PixelFate, [u8; 3], &str); 6] = [
    (PixelFate::Depth, [0x30, 0x60, 0xFF], "killed by depth"),
    (PixelFate::Stencil, [0xA0, 0x40, 0xFF], "killed by stencil"),
    (PixelFate::Color, [0x20, 0xD0, 0xD0], "killed by the colour test"),
    (PixelFate::Alpha, [0xFF, 0xD0, 0x20], "killed by alpha"),
    (PixelFate::DepthRange, [0x20, 0xC0, 0x20], "killed by the depth range"),
    (PixelFate::Masked, [0xFF, 0x80, 0xC0], "masked"),
];

/// A picture with a highlighted draw.
#[derive(Clone, Debug)]
pub struct HighlightPicture {
    /// The picture.
    pub image: RgbImage,
    /// How many pixels in the picture met each fate, written pixels first. This leaves out fates without pixels.
    pub pixels: Vec<(PixelFate, u64)>,
    /// The smallest rectangle around the draw's pixels in the picture; `None` if it has none there.
    pub bounds: Option<PixelBounds>,
    /// The draw's colour buffer.
    pub target: ColorSurface,
    /// The limit that left out part of the draw, if this happened.
    pub limit_hit: Option<LimitHit>,
    /// The run.
    pub run: Replayed,
}

/// Runs a capture, and highlights a draw in a colour buffer as it is after the run. This finds the draw's pixels by
/// their bytes, because both buffers may have different formats and row lengths.
///
/// # Errors
/// As [`FrameRenderer::render`]; also if the run does not reach the draw, or if the picture would have a higher
/// resolution than the buffer.
pub fn render(
    renderer: &FrameRenderer,
    capture: &Capture,
    buffer: FrameBuffer,
    draw: u64,
) -> Result<HighlightPicture, FrameError> {
    let RasterOptions { arithmetic, .. } = renderer.options;
    let raster = Rasterizer::new(renderer.options);
    let mut sink = HighlightSink { raster, arithmetic, limits: renderer.limits, draw, found: None };
    let shown = renderer.shown(capture, buffer, &mut sink)?;
    let Some(Found { target, pixels, limit_hit }) = sink.found else {
        return Err(FrameError::NoSuchDraw { draw, count: shown.run.report.draws });
    };
    let mut image = shown.image;
    image.pixels_mut().for_each(|pixel| *pixel = dimmed(*pixel));
    let fates = [PixelFate::Written].into_iter().chain(OTHER_FATES.map(|(fate, ..)| fate));
    let mut counts: Vec<(PixelFate, u64)> = fates.map(|fate| (fate, 0)).collect();
    let mut bounds: Option<PixelBounds> = None;
    for (at, _, fate) in pixels.touched() {
        // The screen may show another buffer than the draw's, or only part of it. Pixels outside do not count.
        let Some(place) = shown.place.and_then(|place| place_in(&place, &target, at)) else { continue };
        let [x, y] = place;
        let Some(pixel) = image.get_pixel_mut_checked(x, y) else { continue };
        *pixel = Rgb(color_of(fate));
        let here = PixelBounds { first: place, last: place };
        bounds = Some(bounds.map_or(here, |bounds| bounds.union(here)));
        for (_, count) in counts.iter_mut().filter(|(known, _)| *known == fate) {
            *count = count.saturating_add(1);
        }
    }
    if let Some(bounds) = bounds {
        draw_outline(&mut image, bounds);
    }
    counts.retain(|(_, count)| *count > 0);
    Ok(HighlightPicture { image, pixels: counts, bounds, target, limit_hit, run: shown.run })
}

/// Returns the colour for a fate.
fn color_of(fate: PixelFate) -> [u8; 3] {
    OTHER_FATES.iter().find(|(known, ..)| *known == fate).map_or(WRITTEN, |(_, color, _)| *color)
}

/// Returns a grey with half the brightness.
fn dimmed(Rgb([red, green, blue]): Rgb<u8>) -> Rgb<u8> {
    // These are the weights for luma in 1/256 (BT.601). Dividing by 512 halves the brightness as well.
    let luma = (77 * u32::from(red) + 150 * u32::from(green) + 29 * u32::from(blue)) / 512;
    Rgb([u8::try_from(luma).unwrap_or(u8::MAX); 3])
}

/// Finds the column and row at which the shown buffer has the same bytes as pixel (x, y) in the draw's buffer. Both are
/// in VRAM.
fn place_in(shown: &ColorSurface, target: &ColorSurface, [x, y]: [u32; 2]) -> Option<[u32; 2]> {
    let offset = target.offset(x, y).wrapping_sub(shown.address) % VRAM_SIZE;
    let pixel = offset / color::bytes(shown.format);
    Some([pixel.checked_rem(shown.stride)?, pixel.checked_div(shown.stride)?])
}

/// Draws the line around a rectangle, as far as the picture reaches.
fn draw_outline(image: &mut RgbImage, PixelBounds { first, last }: PixelBounds) {
    // The line is a pixel further out, to cover none of the draw's pixels.
    let [left, top] = first.map(|at| i64::from(at) - 1);
    let [right, bottom] = last.map(|at| i64::from(at) + 1);
    let sides = (left..=right).flat_map(|x| [(x, top), (x, bottom)]);
    let ends = (top..=bottom).flat_map(|y| [(left, y), (right, y)]);
    for (x, y) in sides.chain(ends) {
        if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
            && let Some(pixel) = image.get_pixel_mut_checked(x, y)
        {
            *pixel = Rgb(OUTLINE);
        }
    }
}

/// The pixels touched by the draw.
struct Found {
    target: ColorSurface,
    pixels: DrawnPixels,
    limit_hit: Option<LimitHit>,
}

/// Draws, but first counts the fragments of a chosen draw.
struct HighlightSink {
    raster: Rasterizer,
    arithmetic: Arithmetic,
    limits: Limits,
    draw: u64,
    found: Option<Found>,
}

impl HighlightSink {
    /// Counts a draw's fragments on a copy of memory, which must hold the results from earlier draws.
    fn count(
        &mut self,
        memory: &Memory,
        registers: &Registers,
        uncached: bool,
        each: impl FnOnce(&mut dyn FnMut(&PrimitiveRecord)),
    ) {
        let mut counter: DrawCounter = self.raster.draw_counter(&self.limits);
        if uncached {
            counter.skip_texel_cache();
        }
        let (mut copy, mut limit_hit) = (memory.clone(), None);
        each(&mut |record| {
            for primitive in record.drawn() {
                limit_hit = limit_hit.or(counter.draw(&mut copy, registers, primitive).err());
            }
        });
        let target = ColorSurface::from_registers(registers);
        self.found = Some(Found { target, pixels: counter.into_pixels(), limit_hit });
    }
}

impl Sink for HighlightSink {
    fn draw(&mut self, memory: &mut Memory, draw: &Draw<'_>) {
        if draw.number == self.draw {
            self.raster.flush(memory);
            let arithmetic = self.arithmetic;
            let memory = &*memory;
            let each =
                |each: &mut dyn FnMut(&PrimitiveRecord)| draw.record_primitives(memory, arithmetic, each);
            self.count(memory, draw.registers, draw.uncached, each);
        }
        self.raster.draw(memory, draw);
    }

    fn draw_immediate(&mut self, memory: &mut Memory, draw: &ImmediateDraw<'_>) {
        if draw.number == self.draw {
            self.raster.flush(memory);
            let record = draw.record(self.arithmetic);
            self.count(memory, draw.registers, draw.uncached, |each| each(&record));
        }
        self.raster.draw_immediate(memory, draw);
    }

    crate::run::sink::forward_flushes!(raster);
    crate::run::sink::forward_limits!(raster);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;

    /// Two rectangles, the nearer first, and a third in a 16-bit buffer over the upper rows.
    const LIST: &str = "
        FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x110000 | ZBUFWIDTH width=512
        SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 65535 | ZTESTENABLE 1 | ZTEST GREATER
        BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v)
        PRIM primitive=RECTANGLES count=2 | PRIM primitive=RECTANGLES count=2
        ZTESTENABLE 0 | FRAMEBUFPIXFORMAT BGR5650 | PRIM primitive=RECTANGLES count=2
        FRAMEBUFPIXFORMAT ABGR8888 | FRAMEBUFPTR 0x100000 | PRIM primitive=RECTANGLES count=2
        FRAMEBUFPTR 0 | FINISH | END | .align 4
        v: .s16 10 10 500 20 20 500  15 10 400 25 20 400  0 0 0 4 2 0  0 0 0 4 2 0";

    fn picture(draw: u64) -> Result<HighlightPicture, FrameError> {
        let capture = assemble(LIST).expect("a list").capture();
        render(&FrameRenderer::default(), &capture, FrameBuffer::Color, draw)
    }

    #[test]
    fn pixels_have_the_colour_of_their_fate() {
        let second = picture(1).expect("the draw");
        assert_eq!(second.pixels, [(PixelFate::Written, 50), (PixelFate::Depth, 50)], "half is hidden");
        assert_eq!(second.image.get_pixel(22, 15).0, WRITTEN, "written");
        assert_eq!(second.image.get_pixel(17, 15).0, [0x30, 0x60, 0xFF], "hidden");
        let bounds = second.bounds.expect("pixels");
        assert_eq!((bounds.first, bounds.last), ([15, 10], [24, 19]), "around both");
        assert_eq!(second.image.get_pixel(14, 9).0, OUTLINE, "a corner of the outline");
        assert_eq!(second.image.get_pixel(100, 100).0, [0; 3], "elsewhere");
    }

    #[test]
    fn pixels_belong_to_the_buffer_by_their_bytes() {
        let narrow = picture(2).expect("the draw");
        let bounds = narrow.bounds.expect("pixels");
        // Two 16-bit pixels share the bytes of a 32-bit pixel, and a row is half as long.
        assert_eq!((bounds.first, bounds.last), ([0, 0], [257, 0]), "two rows side by side");
        let elsewhere = picture(3).expect("the draw");
        assert_eq!((elsewhere.bounds, elsewhere.pixels.len()), (None, 0), "another buffer");
    }

    #[test]
    fn other_draws_and_sizes_are_errors() {
        let missing = picture(4).expect_err("four draws");
        assert_eq!(
            missing.to_string(),
            "no draw 4: draws are numbered from 0, and the run executes 4",
            "named"
        );
        let renderer = FrameRenderer { size: [960, 544], ..FrameRenderer::default() };
        let capture = assemble(LIST).expect("a list").capture();
        let scaled = render(&renderer, &capture, FrameBuffer::Color, 0).expect_err("a higher resolution");
        assert_eq!(scaled, FrameError::Enlarged, "the buffer's own pixels");
    }
}
