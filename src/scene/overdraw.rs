//! Shows overdraw: how many fragments were written to each pixel in a buffer.
//!
//! This takes several times as long as a picture, because only the reference rasterizer draws each fragment
//! separately. Clears count, and block transfers do not.
//!
//! ```
//! use pspge::scene::frame::{FrameBuffer, FrameRenderer};
//! use pspge::scene::overdraw;
//!
//! let list = "FRAMEBUFWIDTH width=512 | SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | BASE hi(v)
//!     VTYPE position=BITS16 through=1 | VADDR lo(v) | PRIM primitive=RECTANGLES count=4
//!     FINISH | END | v: .s16 10 20 0 30 50 0  10 20 0 20 50 0";
//! let capture = pspge::asm::assemble(list)?.capture();
//! let picture = overdraw::render(&FrameRenderer::default(), &capture, FrameBuffer::Display)?;
//! assert_eq!((picture.largest, picture.written), (2, 20 * 30));
//! assert_eq!(picture.image.get_pixel(10, 20).0, overdraw::color_of(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use image::{Rgb, RgbImage};

use super::frame::{FrameBuffer, FrameError, FrameRenderer};
use crate::ge::capture::Capture;
use crate::ge::never::OrNever;
use crate::raster::Rasterizer;
use crate::run::replay::Replayed;

/// For each fragment count at which a new colour begins: this colour, as red, green and blue.
pub const SCALE: [(u32, [u8; 3]); 13] = [
    (0, [0x00, 0x00, 0x00]),
    (1, [0x10, 0x20, 0x60]),
    (2, [0x18, 0x48, 0xB0]),
    (3, [0x18, 0x88, 0xD8]),
    (4, [0x18, 0xB0, 0xA0]),
    (5, [0x30, 0xB0, 0x40]),
    (6, [0x90, 0xC0, 0x20]),
    (7, [0xE0, 0xD0, 0x20]),
    (8, [0xF0, 0xA0, 0x18]),
    (9, [0xF0, 0x60, 0x18]),
    (13, [0xE0, 0x20, 0x20]),
    (17, [0xD0, 0x20, 0xC0]),
    (33, [0xFF, 0xFF, 0xFF]),
];

/// An overdraw picture.
#[derive(Clone, Debug)]
pub struct OverdrawPicture {
    /// The picture, in the colours of [`SCALE`].
    pub image: RgbImage,
    /// The most fragments at any pixel in the picture.
    pub largest: u32,
    /// How many fragments were written to the picture in all.
    pub fragments: u64,
    /// How many pixels were written to, once or more.
    pub written: u64,
    /// The run.
    pub run: Replayed,
}

/// Returns the colour for a number of fragments.
#[must_use]
pub fn color_of(count: u32) -> [u8; 3] {
    SCALE.iter().rev().find(|(first, _)| count >= *first).map_or([0; 3], |(_, color)| *color)
}

/// Describes [`SCALE`], such as `0 #000000, 1 #102060, …, 33 and more #ffffff`.
#[must_use]
pub fn legend() -> String {
    let mut text = String::new();
    for (index, (first, [red, green, blue])) in SCALE.iter().enumerate() {
        let range = match SCALE.get(index + 1) {
            None => format!("{first} and more"),
            Some((next, _)) if first + 1 == *next => first.to_string(),
            Some((next, _)) => format!("{first}-{}", next - 1),
        };
        let separator = if index == 0 { "" } else { ", " };
        text += &format!("{separator}{range} #{red:02x}{green:02x}{blue:02x}");
    }
    text
}

/// Runs a capture, and counts the fragments written to each pixel in the colour buffer shown after the run.
///
/// # Errors
/// As [`FrameRenderer::render`]; also if the picture would have a higher resolution than the buffer.
pub fn render(
    renderer: &FrameRenderer,
    capture: &Capture,
    buffer: FrameBuffer,
) -> Result<OverdrawPicture, FrameError> {
    let mut raster = Rasterizer::new(renderer.options);
    raster.count_overdraw();
    let shown = renderer.shown(capture, buffer, &mut raster)?;
    let map = raster.take_overdraw().or_never("the rasterizer counts");
    let mut picture =
        OverdrawPicture { image: shown.image, largest: 0, fragments: 0, written: 0, run: shown.run };
    for (x, y, pixel) in picture.image.enumerate_pixels_mut() {
        let count = shown.place.map_or(0, |place| map.at(&place, [x, y]));
        picture.largest = picture.largest.max(count);
        picture.fragments = picture.fragments.saturating_add(count.into());
        picture.written = picture.written.saturating_add(u64::from(count > 0));
        *pixel = Rgb(color_of(count));
    }
    Ok(picture)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;

    /// A clear of both channels, a rectangle that the depth test half kills, and a masked rectangle.
    const LIST: &str = "
        FRAMEBUFWIDTH width=512 | FRAMEBUFPIXFORMAT ABGR8888 | ZBUFPTR 0x110000 | ZBUFWIDTH width=512
        SCISSOR2 x=479 y=271 | REGION2 x=479 y=271 | MAXZ 65535 | ZTEST GREATER
        BASE hi(v) | VTYPE position=BITS16 through=1 | VADDR lo(v)
        CLEARMODE enabled=1 color=1 depth=1 | PRIM primitive=RECTANGLES count=2 | CLEARMODE enabled=0
        ZTESTENABLE 1 | PRIM primitive=RECTANGLES count=4
        ZTESTENABLE 0 | MASKRGB 0xffffff | MASKALPHA 0xff | PRIM primitive=RECTANGLES count=2
        FINISH | END | .align 4
        v: .s16 0 0 5 480 272 5  10 10 500 20 20 500  10 10 4 30 30 4  0 0 0 9 9 0";

    #[test]
    fn counts_written_fragments() {
        let capture = assemble(LIST).expect("a list").capture();
        for threads in [1, 2] {
            let mut renderer = FrameRenderer::default();
            renderer.options.threads = threads;
            let picture = render(&renderer, &capture, FrameBuffer::Display).expect("a picture");
            assert_eq!((picture.largest, picture.written), (2, 480 * 272), "the clear, and once more");
            assert_eq!(picture.fragments, 480 * 272 + 100, "only the near rectangle passes");
            assert_eq!(picture.image.get_pixel(12, 12).0, color_of(2), "inside");
            assert_eq!(picture.image.get_pixel(25, 25).0, color_of(1), "killed by depth");
            assert_eq!(picture.image.get_pixel(3, 3).0, color_of(1), "masked");
        }
    }

    #[test]
    fn the_scale_has_no_gaps() {
        assert_eq!([0, 8, 9, 12, 40].map(color_of), [0, 8, 9, 9, 12].map(|entry| SCALE[entry].1), "ranges");
        let legend = legend();
        assert!(legend.starts_with("0 #000000, 1 #102060"), "{legend}");
        assert!(
            legend.ends_with("9-12 #f06018, 13-16 #e02020, 17-32 #d020c0, 33 and more #ffffff"),
            "{legend}"
        );
    }
}
