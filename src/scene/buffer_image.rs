//! Keeps a buffer's pixels, to interleave them with pixels from other runs.

use image::{DynamicImage, GrayImage, ImageBuffer, Pixel, Rgba, RgbaImage};

use super::depth_range::DepthImage;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum BufferImage {
    /// Colours with an alpha of 255.
    Color(RgbaImage),
    Depth(DepthImage),
    Stencil(GrayImage),
}

impl BufferImage {
    /// Returns a picture of the same size and kind, black or 0 everywhere.
    pub(super) fn cleared(&self) -> Self {
        match self {
            Self::Color(image) => {
                Self::Color(RgbaImage::from_pixel(image.width(), image.height(), Rgba([0, 0, 0, 255])))
            }
            Self::Depth(image) => Self::Depth(DepthImage::new(image.width(), image.height())),
            Self::Stencil(image) => Self::Stencil(GrayImage::new(image.width(), image.height())),
        }
    }

    /// Turns each pixel into a square with `scale`×`scale` pixels.
    pub(super) fn enlarged(&self, scale: u32) -> Self {
        match self {
            Self::Color(image) => Self::Color(enlarged(image, scale)),
            Self::Depth(image) => Self::Depth(enlarged(image, scale)),
            Self::Stencil(image) => Self::Stencil(enlarged(image, scale)),
        }
    }

    /// Overwrites a pixel in each square, at column and row `at`, by the matching pixel from another run.
    pub(super) fn insert(&mut self, part: &Self, scale: u32, at: [u32; 2]) {
        match (self, part) {
            (Self::Color(whole), Self::Color(part)) => insert(whole, part, scale, at),
            (Self::Depth(whole), Self::Depth(part)) => insert(whole, part, scale, at),
            (Self::Stencil(whole), Self::Stencil(part)) => insert(whole, part, scale, at),
            // This cannot happen, because callers pass the same buffer.
            (Self::Color(_) | Self::Depth(_) | Self::Stencil(_), _) => {}
        }
    }
}

impl From<BufferImage> for DynamicImage {
    fn from(image: BufferImage) -> Self {
        match image {
            BufferImage::Color(image) => Self::ImageRgba8(image),
            BufferImage::Depth(image) => Self::ImageLuma16(image),
            BufferImage::Stencil(image) => Self::ImageLuma8(image),
        }
    }
}

/// An image with its samples in a vector.
type Buffer<P> = ImageBuffer<P, Vec<<P as Pixel>::Subpixel>>;

fn enlarged<P: Pixel>(image: &Buffer<P>, scale: u32) -> Buffer<P> {
    let scale = scale.max(1);
    Buffer::<P>::from_fn(image.width() * scale, image.height() * scale, |x, y| {
        *image.get_pixel(x / scale, y / scale)
    })
}

fn insert<P: Pixel>(whole: &mut Buffer<P>, part: &Buffer<P>, scale: u32, [column, row]: [u32; 2]) {
    for (x, y, pixel) in part.enumerate_pixels() {
        if let Some(target) = whole.get_pixel_mut_checked(x * scale + column, y * scale + row) {
            *target = *pixel;
        }
    }
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    #[test]
    fn pictures_interleave() {
        let image = |first: u16| {
            BufferImage::Depth(DepthImage::from_fn(2, 1, |x, _| {
                Luma([first + u16::try_from(x).expect("0 or 1")])
            }))
        };
        let mut whole = image(10).enlarged(2);
        whole.insert(&image(20), 2, [1, 0]);
        whole.insert(&image(30), 2, [0, 1]);
        let expected =
            DepthImage::from_raw(4, 2, vec![10, 20, 11, 21, 30, 10, 31, 11]).expect("eight pixels");
        assert_eq!(whole, BufferImage::Depth(expected), "the last position keeps the first picture");
        assert_eq!(image(7).cleared(), BufferImage::Depth(DepthImage::new(2, 1)), "same size");
    }
}
