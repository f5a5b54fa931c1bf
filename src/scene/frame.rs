//! Draws frames and lists: their buffers after the run, also at a higher resolution.
//!
//! # Higher resolutions
//! The list runs once for each sample in a pixel, with all primitives moved by a part of a pixel, and the resulting
//! pictures are interleaved. Buffers, textures and transfers keep the machine's sizes in each run, so that every effect
//! between them works. Flat rectangles over whole pixels are not moved: menus, texts and copied buffers become exactly
//! the hardware's pixels, each as a square. Textures keep the level of detail that they have on the hardware.
//!
//! # Invariants
//! * A picture at the machine's size has exactly the bytes in the hardware's buffers.
//! * No pixel outside a buffer is read.
//!
//! ```
//! use pspge::scene::frame::{FrameBuffer, FrameRenderer};
//!
//! let list = pspge::asm::assemble("FRAMEBUFWIDTH width=512 | FINISH | END")?;
//! let renderer = FrameRenderer { size: [960, 544], ..FrameRenderer::default() };
//! let picture = renderer.render(&list.capture(), &[FrameBuffer::Display], &mut |_| {})?;
//! assert_eq!((picture.images[0].width(), picture.images[0].height()), (960, 544));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use image::{DynamicImage, RgbImage};
use thiserror::Error as ThisError;

use super::buffer_image::BufferImage;
use super::depth_range::DepthRange;
use super::drawn_depth::DrawnDepth;
use super::frame_scratch::FrameScratch;
use super::frame_size::{self, FrameSize, FrameSizeError};
use crate::ge::address::{Region, VramView};
use crate::ge::capture::{Capture, Display, SCREEN};
use crate::ge::limits::Limits;
use crate::ge::memory::Memory;
use crate::ge::note::Note;
use crate::pipeline::framebuffer::{self, ColorSurface, DepthSurface};
use crate::raster::{RasterOptions, Rasterizer, SampleOffset};
use crate::run::interpreter::Ending;
use crate::run::replay::{self, Replayed};
use crate::run::sink::{NullObserver, Sink};
use crate::run::stop_after::StopAfter;

/// How to draw frames and lists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameRenderer {
    /// Width and height in pixels. Twice, four or eight times the screen's size draws the screen at that resolution.
    /// Any other size selects the buffer's upper left part; the screen's own size is cut to a smaller buffer.
    pub size: [u32; 2],
    /// Options for the rasterizer, including the arithmetic for vertex transforms.
    pub options: RasterOptions,
    /// Limits for each run.
    pub limits: Limits,
    /// The last draw or command to execute; `None` for the whole list.
    pub stop: Option<StopAfter>,
    /// Also find the range of drawn depths. This takes copies of VRAM, so it is slower.
    pub finds_depth_range: bool,
}

/// A buffer to show after a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FrameBuffer {
    /// The colours on the screen, opaque; the draw buffer's if the frame selects no screen.
    Display,
    /// The draw buffer's colours, opaque.
    Color,
    /// The depth buffer, 16 bits.
    Depth,
    /// The stencil, which is the draw buffer's alpha channel.
    Stencil,
}

/// The result of [`FrameRenderer::render`].
#[derive(Clone, Debug)]
pub struct FramePicture {
    /// A picture for each requested buffer: opaque 8-bit RGBA for colours, 16-bit grey for depth, 8-bit grey for
    /// stencil.
    pub images: Vec<DynamicImage>,
    /// The range of drawn depths in the depth buffer; `None` without any, or if it was not requested.
    pub depth_range: Option<DepthRange>,
    /// Whether the list has not set up a requested buffer: its row length is 0, and its picture is empty.
    pub is_unset: bool,
    /// The run; at a higher resolution, the first.
    pub run: Replayed,
}

/// Why a frame cannot be drawn as requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum FrameError {
    /// The buffer has no part with this size.
    #[error(transparent)]
    Size(#[from] FrameSizeError),
    /// The run ends before it reaches the draw or command to stop after.
    #[error("{stop} is beyond the end: the run has {count} {}s, numbered from 0", .stop.unit())]
    NoSuchEnd {
        /// The draw or command to stop after.
        stop: StopAfter,
        /// How many draws or commands the run has.
        count: u64,
    },
    /// The run has no draw with this number.
    #[error("no draw {draw}: draws are numbered from 0, and the run executes {count}")]
    NoSuchDraw {
        /// The requested draw.
        draw: u64,
        /// How many draws the run has.
        count: u64,
    },
    /// The picture shows single pixels in the buffer, so it cannot have a higher resolution.
    #[error("the picture shows the pixels of the buffer itself, so it has no higher resolution")]
    Enlarged,
}

/// A buffer's colours after a run.
#[derive(Debug)]
pub(super) struct ShownBuffer {
    pub(super) image: RgbImage,
    /// Where the pixels are in VRAM; `None` if they are in other memory, or if no buffer is set up.
    pub(super) place: Option<ColorSurface>,
    pub(super) run: Replayed,
}

impl FramePicture {
    /// Returns the pictures without alpha, which is 255 everywhere: colours become 8-bit RGB.
    pub fn rgb_images(self) -> impl Iterator<Item = DynamicImage> {
        self.images.into_iter().map(without_alpha)
    }
}

/// Drops a picture's alpha channel, if there is any.
#[doc(hidden)]
#[must_use]
pub fn without_alpha(image: DynamicImage) -> DynamicImage {
    match image {
        DynamicImage::ImageRgba8(image) => {
            let mut opaque = RgbImage::new(image.width(), image.height());
            for ([red, green, blue], color) in opaque.as_chunks_mut().0.iter_mut().zip(image.as_chunks().0) {
                [*red, *green, *blue, _] = *color;
            }
            opaque.into()
        }
        other => other,
    }
}

impl Default for FrameRenderer {
    fn default() -> Self {
        Self {
            size: SCREEN,
            options: RasterOptions::default(),
            limits: Limits::default(),
            stop: None,
            finds_depth_range: false,
        }
    }
}

impl FrameRenderer {
    /// Returns how many times the list runs for a picture, to show progress.
    #[must_use]
    pub fn run_count(&self) -> u32 {
        let FrameSize { scale, .. } = FrameSize::new(self.size);
        scale * scale
    }

    /// Runs a capture and copies buffers. After each run, calls `run_done` with the number of runs so far.
    ///
    /// # Errors
    /// [`FrameError::Size`] if a buffer has no part with the requested size, [`FrameError::NoSuchEnd`] if the run does
    /// not reach [`Self::stop`]. If a limit ends the run earlier, this is no error; the run's notes say so.
    pub fn render(
        &self,
        capture: &Capture,
        buffers: &[FrameBuffer],
        run_done: &mut dyn FnMut(u32),
    ) -> Result<FramePicture, FrameError> {
        self.render_with(&mut FrameScratch::default(), capture, buffers, run_done)
    }

    /// Does the same in memory kept for later pictures. Call this to draw many pictures from a single capture.
    ///
    /// # Errors
    /// As [`Self::render`].
    #[doc(hidden)]
    pub fn render_with(
        &self,
        scratch: &mut FrameScratch,
        capture: &Capture,
        buffers: &[FrameBuffer],
        run_done: &mut dyn FnMut(u32),
    ) -> Result<FramePicture, FrameError> {
        let size = FrameSize::new(self.size);
        // The first run fills each square. The others then overwrite their own sample in it.
        let mut picture = self.pass(scratch, capture, size, SampleOffset::first(size.scale), buffers)?;
        if size.scale > 1 {
            picture.images = picture.images.iter().map(|image| image.enlarged(size.scale)).collect();
        }
        run_done(1);
        for (index, offset) in (0..).zip(SampleOffset::grid(size.scale)).skip(1) {
            let pass = self.pass(scratch, capture, size, offset, buffers)?;
            picture.insert(&pass, size.scale, [index % size.scale, index / size.scale]);
            run_done(index + 1);
        }
        let Pass { images, depth_range, is_unset, run } = picture;
        Ok(FramePicture { images: images.into_iter().map(Into::into).collect(), depth_range, is_unset, run })
    }

    /// Runs a capture with the caller's sink, and copies a colour buffer at the machine's resolution.
    pub(super) fn shown(
        &self,
        capture: &Capture,
        buffer: FrameBuffer,
        sink: &mut impl Sink,
    ) -> Result<ShownBuffer, FrameError> {
        let size = FrameSize::new(self.size);
        if size.scale > 1 {
            return Err(FrameError::Enlarged);
        }
        let mut memory = capture.memory.clone();
        let run = self.run(&mut memory, capture, sink)?;
        let (stride, image) = copy(&memory, &run, size, buffer)?;
        let place = match (buffer, run.display) {
            (FrameBuffer::Display, Some(display)) => place_of(&display),
            _ => Some(ColorSurface::from_registers(&run.registers)),
        };
        let image = if stride == 0 { image.cleared() } else { image };
        let image = DynamicImage::from(image).into_rgb8();
        Ok(ShownBuffer { image, place: place.filter(|_| stride > 0), run })
    }

    /// Draws a sample for each pixel.
    fn pass(
        &self,
        scratch: &mut FrameScratch,
        capture: &Capture,
        size: FrameSize,
        sample_offset: SampleOffset,
        buffers: &[FrameBuffer],
    ) -> Result<Pass, FrameError> {
        let memory = scratch.copy_of(&capture.memory);
        let mut raster = Rasterizer::new(RasterOptions { sample_offset, ..self.options });
        if !self.finds_depth_range {
            let run = self.run(memory, capture, &mut raster)?;
            return Pass::new(memory, run, size, buffers);
        }
        let mut sink = DrawnDepth::new(raster);
        let run = self.run(memory, capture, &mut sink)?;
        let (depth, part) = depth_buffer(&run, size)?;
        let depth_range = sink.range(memory, &depth, part);
        Ok(Pass { depth_range, ..Pass::new(memory, run, size, buffers)? })
    }

    /// Runs a capture in `memory`, a copy for draws to change.
    fn run(
        &self,
        memory: &mut Memory,
        capture: &Capture,
        sink: &mut impl Sink,
    ) -> Result<Replayed, FrameError> {
        let arithmetic = self.options.arithmetic;
        let Some(stop) = self.stop else {
            return Ok(replay::run_on(memory, capture, arithmetic, sink, &mut NullObserver, &self.limits));
        };
        let run = replay::run_on(memory, capture, arithmetic, sink, &mut { stop }, &self.limits);
        match stop.missing(&run.report) {
            Some(count) if run.report.ending != Ending::LimitReached => {
                Err(FrameError::NoSuchEnd { stop, count })
            }
            _ => Ok(run),
        }
    }
}

/// The buffers after a single run.
#[derive(Debug)]
struct Pass {
    images: Vec<BufferImage>,
    depth_range: Option<DepthRange>,
    is_unset: bool,
    run: Replayed,
}

impl Pass {
    /// Copies the buffers left in memory by a run.
    fn new(
        memory: &Memory,
        run: Replayed,
        size: FrameSize,
        buffers: &[FrameBuffer],
    ) -> Result<Self, FrameError> {
        let mut is_unset = false;
        let mut images = Vec::with_capacity(buffers.len());
        for buffer in buffers {
            let (stride, image) = copy(memory, &run, size, *buffer)?;
            is_unset |= stride == 0;
            images.push(if stride == 0 { image.cleared() } else { image });
        }
        Ok(Self { images, depth_range: None, is_unset, run })
    }

    /// Inserts another run's pixels, each at column and row `at` in its square.
    fn insert(&mut self, pass: &Self, scale: u32, at: [u32; 2]) {
        for (whole, part) in self.images.iter_mut().zip(&pass.images) {
            whole.insert(part, scale, at);
        }
        self.depth_range = match (self.depth_range, pass.depth_range) {
            (Some(whole), Some(part)) => Some(whole.union(part)),
            (whole, part) => whole.or(part),
        };
        // Runs differ only in pixels, so others may reach a limit on pixels even if the first did not.
        let is_limit = |note: &&Note| note.limit_hit().is_some();
        if !self.run.report.notes.iter().any(|note| is_limit(&note)) {
            self.run.report.notes.extend(pass.run.report.notes.iter().filter(is_limit));
        }
    }
}

/// Copies a buffer left in memory by a run, at the screen's size or smaller. Returns `None` if the list has set up no
/// such buffer.
///
/// # Errors
/// [`FrameError::Size`] if the buffer has no part with this size.
#[cfg(feature = "table")]
pub(crate) fn final_buffer(
    memory: &Memory,
    run: &Replayed,
    buffer: FrameBuffer,
) -> Result<Option<DynamicImage>, FrameError> {
    let (stride, image) = copy(memory, run, FrameSize::new(SCREEN), buffer)?;
    Ok((stride > 0).then(|| image.into()))
}

/// Copies a buffer left in memory by a run, and returns it with its row length in pixels.
fn copy(
    memory: &Memory,
    run: &Replayed,
    size: FrameSize,
    buffer: FrameBuffer,
) -> Result<(u32, BufferImage), FrameError> {
    if buffer == FrameBuffer::Depth {
        let (depth, [width, height]) = depth_buffer(run, size)?;
        return Ok((depth.stride, BufferImage::Depth(depth.to_gray(memory, width, height))));
    }
    // The screen may show another buffer than the registers name, so it has its own address and format.
    if let (FrameBuffer::Display, Some(display)) = (buffer, run.display) {
        let [width, height] = size.part_of(frame_size::of_display(&display, memory, &run.target_sizes))?;
        let shown = framebuffer::displayed(display, memory, width, height);
        return Ok((display.stride, BufferImage::Color(shown)));
    }
    let surface = ColorSurface::from_registers(&run.registers);
    let [width, height] = size.part_of(frame_size::of_color(&surface, &run.target_sizes))?;
    let image = match buffer {
        FrameBuffer::Stencil => BufferImage::Stencil(surface.stencil_to_gray(memory, width, height)),
        _ => BufferImage::Color(surface.to_rgba(memory, width, height)),
    };
    Ok((surface.stride, image))
}

/// Finds the screen's pixels in VRAM; `None` if they are in other memory.
const fn place_of(display: &Display) -> Option<ColorSurface> {
    match display.address.region() {
        Region::Vram(VramView::Linear, address) => {
            Some(ColorSurface { address, stride: display.stride, format: display.format })
        }
        _ => None,
    }
}

/// Returns the depth buffer after a run, and which part to show.
fn depth_buffer(run: &Replayed, size: FrameSize) -> Result<(DepthSurface, [u32; 2]), FrameError> {
    let (color, depth) =
        (ColorSurface::from_registers(&run.registers), DepthSurface::from_registers(&run.registers));
    let part = size.part_of(frame_size::of_depth(&depth, &color, &run.target_sizes))?;
    Ok((depth, part))
}

#[cfg(test)]
mod tests {
    use image::RgbImage;

    use super::*;
    use crate::asm;
    use crate::ge::arithmetic::Arithmetic;

    const SCREEN_BUFFER: &str = "FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888
        SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | SHADEMODE GOURAUD | BASE hi(corners)\n";
    const CORNERS: &str = ".align 16\ncorners:
        .rgba #ff0000ff | .s16 100 20 1000 | .align 4
        .rgba #00ff00ff | .s16 30 250 2000 | .align 4
        .rgba #0000ffff | .s16 460 133 3000 | .align 4\n";

    fn renderer(width: u32, height: u32) -> FrameRenderer {
        FrameRenderer { size: [width, height], ..FrameRenderer::default() }
    }

    fn capture(list: &str) -> Capture {
        let text = format!("{SCREEN_BUFFER}{list}\nFINISH | END\n{CORNERS}");
        asm::assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}")).capture()
    }

    fn picture(list: &str, width: u32, height: u32) -> RgbImage {
        let picture = renderer(width, height).render(&capture(list), &[FrameBuffer::Display], &mut |_| {});
        picture.expect("a picture").images[0].to_rgb8()
    }

    const TRIANGLE: &str = "VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
        PRIM primitive=TRIANGLES count=3";

    /// Returns whether a pixel is inside the triangle, in a picture `scale` times as large as the screen.
    fn is_inside(x: u32, y: u32, scale: u32) -> bool {
        let corners =
            [[100, 20], [30, 250], [460, 133]].map(|corner| corner.map(|at: i64| at * 2 * i64::from(scale)));
        let [x, y] = [x, y].map(|at| i64::from(at) * 2 + 1);
        let side = |[ax, ay]: [i64; 2], [bx, by]: [i64; 2]| (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        let [a, b, c] = corners;
        side(a, b) < 0 && side(b, c) < 0 && side(c, a) < 0
    }

    #[test]
    fn triangles_are_drawn_at_the_higher_resolution() {
        let small = picture(TRIANGLE, 480, 272);
        for scale in [2, 4] {
            let picture = picture(TRIANGLE, 480 * scale, 272 * scale);
            let differing = |drawn: &dyn Fn(u32, u32) -> bool| {
                picture
                    .enumerate_pixels()
                    .filter(|(x, y, _)| drawn(*x, *y) != is_inside(*x, *y, scale))
                    .count()
            };
            let is_drawn = |x, y| picture.get_pixel(x, y).0 != [0; 3];
            // The hardware takes centres up to 1/16 pixel outside an edge.
            assert!(differing(&is_drawn) < 50, "{scale} times: {} pixels", differing(&is_drawn));
            let is_drawn = |x, y| small.get_pixel(x / scale, y / scale).0 != [0; 3];
            assert!(differing(&is_drawn) > 400, "{scale} times: squares would differ along the edges");
        }
    }

    #[test]
    fn rectangles_on_whole_pixels_are_enlarged_exactly() {
        let list = "VTYPE color=ABGR8888 position=BITS16 through=1 | VADDR lo(corners)
            PRIM primitive=RECTANGLES count=2";
        let (small, large) = (picture(list, 480, 272), picture(list, 960, 544));
        let enlarged = RgbImage::from_fn(960, 544, |x, y| *small.get_pixel(x / 2, y / 2));
        assert!(large == enlarged, "each pixel is a square");
        assert!(small.pixels().any(|pixel| pixel.0 != [0; 3]), "a rectangle is drawn");
    }

    /// The triangle, drawn to a texture first and then copied to the screen.
    #[test]
    fn effects_work_at_the_higher_resolution() {
        let through_texture = format!(
            "FRAMEBUFPTR 0x100000\n{TRIANGLE}\nFRAMEBUFPTR 0
            TEXENABLE 1 | TEXFORMAT ABGR8888 | TEXADDR0 0x100000 | TEXBUFWIDTH0 width=512 high=4
            TEXSIZE0 width_log2=9 height_log2=9 | TEXFUNC function=REPLACE | TEXFLUSH
            VTYPE texcoord=BITS16 position=BITS16 through=1 | BASE hi(copy) | VADDR lo(copy)
            PRIM primitive=RECTANGLES count=2"
        );
        let text = format!(
            "{SCREEN_BUFFER}{through_texture}\nFINISH | END\n{CORNERS}copy: .s16 0 0 0 0 0 | .s16 480 272 480 272 0"
        );
        let capture = asm::assemble(&text).unwrap_or_else(|error| panic!("{error}")).capture();
        for scale in [1, 2] {
            let renderer = renderer(480 * scale, 272 * scale);
            let copied = renderer.render(&capture, &[FrameBuffer::Display], &mut |_| {}).expect("a picture");
            let direct = picture(TRIANGLE, 480 * scale, 272 * scale);
            assert!(copied.images[0].to_rgb8() == direct, "{scale} times");
        }
    }

    #[test]
    fn the_screens_size_shows_the_hardwares_bytes() {
        let (capture, mut replayed) = (capture(TRIANGLE), capture(TRIANGLE));
        let mut raster = Rasterizer::default();
        let (limits, arithmetic) = (Limits::default(), Arithmetic::Hardware);
        let run = replay::run(&mut replayed, arithmetic, &mut raster, &mut NullObserver, &limits);
        let expected = ColorSurface::from_registers(&run.registers).to_rgba(&replayed.memory, 480, 272);
        let buffers = [FrameBuffer::Color, FrameBuffer::Stencil];
        let picture = renderer(480, 272).render(&capture, &buffers, &mut |_| {}).expect("a picture");
        assert!(picture.images[0].to_rgba8() == expected, "colours");
        let stencil =
            ColorSurface::from_registers(&run.registers).stencil_to_gray(&replayed.memory, 480, 272);
        assert!(picture.images[1] == DynamicImage::ImageLuma8(stencil), "stencil");
        assert!(!picture.is_unset, "there is a buffer");
    }

    #[test]
    fn sizes_beyond_the_buffer_are_refused() {
        let buffers = [FrameBuffer::Display];
        let error = |width, height| {
            let rendered = renderer(width, height).render(&capture(TRIANGLE), &buffers, &mut |_| {});
            rendered.map(|picture| picture.images.len()).expect_err("no such picture")
        };
        for size in [[513, 272], [512, 273], [0, 272], [1440, 816], [u32::MAX, u32::MAX]] {
            let expected = FrameError::Size(FrameSizeError { size, buffer: [512, 272] });
            assert_eq!(error(size[0], size[1]), expected, "{size:?}");
        }
        let part = renderer(512, 100).render(&capture(TRIANGLE), &buffers, &mut |_| {}).expect("a picture");
        assert_eq!((part.images[0].width(), part.images[0].height()), (512, 100), "a part");
    }

    #[test]
    fn lists_without_a_buffer_give_an_empty_picture() {
        let capture = asm::assemble("FINISH | END").expect("a list").capture();
        let buffers = [FrameBuffer::Display, FrameBuffer::Depth];
        let picture = renderer(480, 272).render(&capture, &buffers, &mut |_| {}).expect("a picture");
        assert!(picture.is_unset, "no buffer is set");
        let images: Vec<DynamicImage> = picture.rgb_images().collect();
        assert!(
            images.iter().all(|image| image.as_bytes().iter().all(|byte| *byte == 0)),
            "black, at depth 0"
        );
    }

    #[test]
    fn runs_stop_after_a_draw() {
        let list = format!("{TRIANGLE}\n{TRIANGLE}");
        let render = |stop| {
            let renderer = FrameRenderer { stop: Some(stop), ..FrameRenderer::default() };
            renderer.render(&capture(&list), &[], &mut |_| {}).map(|picture| picture.run.report.draws)
        };
        assert_eq!(render(StopAfter::Draw(0)), Ok(1), "one draw");
        assert_eq!(render(StopAfter::Draw(1)), Ok(2), "all draws");
        let error = render(StopAfter::Draw(2)).expect_err("beyond the end");
        assert_eq!(error.to_string(), "draw:2 is beyond the end: the run has 2 draws, numbered from 0");
    }

    #[test]
    fn drawn_depths_do_not_include_clears() {
        const DEPTH: &str = "ZBUFPTR 0x110000 | ZBUFWIDTH width=512 | MAXZ z=65535 | ZTESTENABLE 1
            ZTEST function=ALWAYS\n";
        let clear = "CLEARMODE enabled=1 color=1 stencil=1 depth=1
            VTYPE position=BITS16 through=1 | BASE hi(screen) | VADDR lo(screen)
            PRIM primitive=RECTANGLES count=2 | CLEARMODE enabled=0 | BASE hi(corners)";
        let range = |list: &str, width, height| {
            let text = format!(
                "{SCREEN_BUFFER}{DEPTH}{list}\nFINISH | END\n{CORNERS}screen: .u16 0 0 60000 480 272 60000"
            );
            let capture = asm::assemble(&text).unwrap_or_else(|error| panic!("{error}")).capture();
            let renderer = FrameRenderer { finds_depth_range: true, ..renderer(width, height) };
            renderer.render(&capture, &[FrameBuffer::Depth], &mut |_| {}).expect("a picture").depth_range
        };
        let drawn = range(&format!("{clear}\n{TRIANGLE}"), 480, 272).expect("a triangle");
        assert!((1000..1100).contains(&drawn.low) && (2900..=3000).contains(&drawn.high), "{drawn}");
        assert_eq!(range(&format!("{TRIANGLE}\n{clear}"), 480, 272), None, "all was cleared");
        let finer = range(&format!("{clear}\n{TRIANGLE}"), 960, 544).expect("a triangle");
        assert!(
            finer.low <= drawn.low && finer.high >= drawn.high,
            "{finer} is nearer to the corners than {drawn}"
        );
    }
}
