//! Draws assets, to compare them with pictures or with each other.

use image::{DynamicImage, RgbaImage};

use super::error::{CompareError, PictureError, RenderError};
use super::picture::{Channels, Picture};
use crate::asset::{Asset, Error, RunSpec};
use crate::ge::never::OrNever;
use crate::ge::note::Note;
use crate::scene::frame::FrameBuffer;

/// Either side of a comparison.
#[derive(Debug)]
pub enum Side<'a> {
    /// A picture.
    Picture(Picture),
    /// A model, a frame dump or a list, which is drawn first.
    Asset(&'a Asset),
}

/// A side after drawing, ready to compare.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Rendered {
    /// How this side looks.
    pub picture: Picture,
    /// Everything left out or guessed while drawing.
    pub notes: Vec<Note>,
    /// Whether a list has not set up the buffer, so that its picture is black.
    pub is_unset: bool,
}

/// Turns both sides into pictures: pictures stay as they are, and assets are drawn with these options to show
/// `buffer`.
///
/// A model's colours have alpha if its background has some; its display and its draw buffer are the same. An asset
/// is drawn at `size`. Without a size, it takes the other side's size if this is a picture, or the size in the
/// options if both are assets.
///
/// # Errors
/// [`CompareError::Render`] if an asset cannot be drawn, or not at this size.
///
/// ```
/// use pspge::compare::{self, CompareOptions, Picture, Side};
/// use pspge::image::RgbImage;
/// use pspge::scene::frame::FrameBuffer;
///
/// let asset = pspge::open("empty.ge", b"FINISH | END")?;
/// let black = Picture::from_image(RgbImage::new(64, 32))?;
/// let sides = [Side::Asset(&asset), Side::Picture(black)];
/// let options = pspge::RunSpec::default();
/// let [first, second] = compare::sides(sides, &options, None, FrameBuffer::Display)?;
/// let difference = compare::pictures(&first.picture, &second.picture, &CompareOptions::default())?;
/// assert!(difference.is_identical(), "nothing was drawn");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sides(
    sides: [Side<'_>; 2],
    options: &RunSpec,
    size: Option<[u32; 2]>,
    buffer: FrameBuffer,
) -> Result<[Rendered; 2], CompareError> {
    let size_of_picture = sides.iter().find_map(|side| match side {
        Side::Picture(picture) => Some(picture.size()),
        Side::Asset(_) => None,
    });
    let size = size.or(size_of_picture).unwrap_or(options.size);
    let options = RunSpec { size, ..options.clone() };
    let rendered = |side, is_second| match side {
        Side::Picture(picture) => Ok(Rendered { picture, notes: Vec::new(), is_unset: false }),
        Side::Asset(asset) => {
            draw(asset, &options, buffer).map_err(|error| CompareError::Render { is_second, error })
        }
    };
    let [first, second] = sides;
    Ok([rendered(first, false)?, rendered(second, true)?])
}

fn draw(asset: &Asset, options: &RunSpec, buffer: FrameBuffer) -> Result<Rendered, RenderError> {
    if asset.model().is_some() {
        let rendering = asset.rasterize(options)?;
        let color = DynamicImage::ImageRgba8(rendering.color);
        let picture = match buffer {
            FrameBuffer::Depth => Picture::from_image(rendering.depth)?,
            FrameBuffer::Stencil => alpha(&color.into_rgba8())?,
            // An opaque background leaves nothing transparent, because drawn pixels are opaque.
            _ if options.background[3] == u8::MAX => Picture::from_image(color.into_rgb8())?,
            _ => Picture::from_image(color)?,
        };
        return Ok(Rendered { picture, notes: rendering.notes, is_unset: false });
    }
    let renderer = options.frame_renderer();
    let frame = renderer.render(&asset.to_capture()?, &[buffer], &mut |_| {}).map_err(Error::from)?;
    let (notes, is_unset) = (frame.run.report.notes.clone(), frame.is_unset);
    let picture =
        Picture::from_image(frame.rgb_images().next().or_never("a frame has a picture of each buffer"))?;
    Ok(Rendered { picture, notes, is_unset })
}

/// Returns alpha as a grey picture.
fn alpha(color: &RgbaImage) -> Result<Picture, PictureError> {
    let bytes: Vec<u8> = color.pixels().map(|pixel| pixel.0[3]).collect();
    Picture::from_bytes([color.width(), color.height()], Channels::Grey, &bytes)
}

#[cfg(test)]
mod tests {
    use super::super::picture::Depth;
    use super::*;
    use crate::asset;

    fn list() -> Asset {
        asset::open("empty.ge", b"FINISH | END").expect("a list")
    }

    fn grey(size: [u32; 2]) -> Result<Picture, PictureError> {
        Picture::new(size, Channels::Grey, Depth::Eight, vec![0; (size[0] * size[1]) as usize])
    }

    #[test]
    fn the_picture_decides_the_size_unless_one_is_given() {
        let list = list();
        let options = RunSpec::default();
        let sizes = |other: Side<'_>, size| {
            let drawn =
                sides([other, Side::Asset(&list)], &options, size, FrameBuffer::Display).expect("drawn");
            drawn.map(|side| side.picture.size())
        };
        let picture = || Side::Picture(grey([256, 128]).expect("a picture"));
        assert_eq!(sizes(picture(), None), [[256, 128]; 2], "of the picture");
        assert_eq!(sizes(picture(), Some([16, 16])), [[256, 128], [16, 16]], "the given one");
        assert_eq!(sizes(Side::Asset(&list), None), [[480, 272]; 2], "the default");
    }

    #[test]
    fn depth_has_16_bits() {
        let list = list();
        let drawn =
            sides([Side::Asset(&list), Side::Asset(&list)], &RunSpec::default(), None, FrameBuffer::Depth);
        let layouts = drawn.expect("drawn").map(|side| (side.picture.channels(), side.picture.depth()));
        assert_eq!(layouts, [(Channels::Grey, Depth::Sixteen); 2], "grey of 16 bits");
    }

    #[test]
    fn the_stencil_of_a_list_has_8_bits() {
        let list = list();
        let drawn =
            sides([Side::Asset(&list), Side::Asset(&list)], &RunSpec::default(), None, FrameBuffer::Stencil);
        let [first, _] = drawn.expect("drawn");
        assert_eq!((first.picture.channels(), first.picture.depth()), (Channels::Grey, Depth::Eight), "grey");
        assert!(first.is_unset, "the list sets no buffer up");
    }

    #[test]
    fn the_side_at_fault_is_named() {
        let list = list();
        let picture = Side::Picture(grey([3000, 1]).expect("a picture"));
        let sides = sides([picture, Side::Asset(&list)], &RunSpec::default(), None, FrameBuffer::Display);
        let error = sides.expect_err("no framebuffer is so wide");
        assert!(matches!(error, CompareError::Render { is_second: true, .. }), "{error:?}");
    }
}
