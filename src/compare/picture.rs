//! Keeps pictures with 8 or 16 bits for each sample.

use image::{DynamicImage, Rgba, RgbaImage};

use super::channel::Channel;
use super::error::PictureError;
use crate::ge::never::OrNever;

/// Which channels a picture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channels {
    /// Grey.
    Grey,
    /// Grey and alpha.
    GreyAlpha,
    /// Red, green and blue.
    Rgb,
    /// Red, green, blue and alpha.
    Rgba,
}

impl Channels {
    /// Returns how many channels there are.
    #[must_use]
    pub const fn count(self) -> usize {
        match self {
            Self::Grey => 1,
            Self::GreyAlpha => 2,
            Self::Rgb => 3,
            Self::Rgba => 4,
        }
    }

    /// Returns true if there is alpha.
    #[must_use]
    pub const fn has_alpha(self) -> bool {
        matches!(self, Self::GreyAlpha | Self::Rgba)
    }

    /// Returns true if there are red, green and blue, rather than grey.
    #[must_use]
    pub const fn has_color(self) -> bool {
        matches!(self, Self::Rgb | Self::Rgba)
    }

    /// Selects the channels with or without colour and alpha.
    pub(super) const fn new(has_color: bool, has_alpha: bool) -> Self {
        match (has_color, has_alpha) {
            (false, false) => Self::Grey,
            (false, true) => Self::GreyAlpha,
            (true, false) => Self::Rgb,
            (true, true) => Self::Rgba,
        }
    }

    /// Returns the channels' indices in red, green, blue, alpha; grey is at red's.
    pub(super) const fn indices(self) -> &'static [usize] {
        match self {
            Self::Grey => &[0],
            Self::GreyAlpha => &[0, 3],
            Self::Rgb => &[0, 1, 2],
            Self::Rgba => &[0, 1, 2, 3],
        }
    }

    pub(super) const fn each(self) -> &'static [Channel] {
        use Channel::{Alpha, Blue, Green, Grey, Red};
        match self {
            Self::Grey => &[Grey],
            Self::GreyAlpha => &[Grey, Alpha],
            Self::Rgb => &[Red, Green, Blue],
            Self::Rgba => &[Red, Green, Blue, Alpha],
        }
    }
}

/// How many bits a sample has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Depth {
    /// 8 bits: 0 to 255.
    Eight,
    /// 16 bits: 0 to 65535.
    Sixteen,
}

impl Depth {
    /// Returns how many bits this is.
    #[must_use]
    pub const fn bits(self) -> u8 {
        match self {
            Self::Eight => 8,
            Self::Sixteen => 16,
        }
    }

    /// Returns the largest possible sample.
    #[must_use]
    pub const fn max_value(self) -> u16 {
        match self {
            Self::Eight => u8::MAX as u16,
            Self::Sixteen => u16::MAX,
        }
    }

    /// Returns the factor to widen samples to a depth that is not smaller.
    pub(super) const fn factor_to(self, wider: Self) -> u16 {
        match (self, wider) {
            (Self::Eight, Self::Sixteen) => u16::MAX / u8::MAX as u16,
            _ => 1,
        }
    }
}

/// A picture with at least one pixel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    width: u32,
    height: u32,
    channels: Channels,
    depth: Depth,
    /// Rows from the top, pixels from the left, each pixel's channels together.
    samples: Vec<u16>,
}

impl Picture {
    /// Creates a picture from its samples: rows from the top, pixels from the left, each pixel's channels together.
    ///
    /// # Errors
    /// [`PictureError::Samples`] if the picture is empty, if there are too few or too many samples, or if a sample
    /// exceeds the depth.
    ///
    /// ```
    /// use pspge::compare::{Channels, Depth, Picture};
    ///
    /// let picture = Picture::new([2, 1], Channels::Grey, Depth::Sixteen, vec![0, 65535])?;
    /// assert_eq!(picture.pixel(1, 0), Some([65535; 4]));
    /// # Ok::<(), pspge::compare::PictureError>(())
    /// ```
    pub fn new(
        [width, height]: [u32; 2],
        channels: Channels,
        depth: Depth,
        samples: Vec<u16>,
    ) -> Result<Self, PictureError> {
        let count = u128::from(width) * u128::from(height) * channels.count() as u128;
        let is_complete = count > 0 && samples.len() as u128 == count;
        if !is_complete || samples.iter().any(|&sample| sample > depth.max_value()) {
            return Err(PictureError::Samples { width, height, count: samples.len() });
        }
        Ok(Self { width, height, channels, depth, samples })
    }

    /// Creates a picture with 8 bits from bytes.
    pub(super) fn from_bytes(size: [u32; 2], channels: Channels, bytes: &[u8]) -> Result<Self, PictureError> {
        Self::new(size, channels, Depth::Eight, bytes.iter().copied().map(u16::from).collect())
    }

    /// Creates a picture from an image in the `image` crate's types.
    ///
    /// # Errors
    /// [`PictureError::Samples`] if the picture is empty, [`PictureError::FloatSamples`] if its samples are not
    /// integers.
    ///
    /// ```
    /// use pspge::compare::{Depth, Picture};
    ///
    /// let asset = pspge::open("empty.ge", b"FINISH | END")?;
    /// let rendering = asset.rasterize(&pspge::RunSpec::default())?;
    /// let depth = Picture::from_image(rendering.depth)?;
    /// assert_eq!((depth.size(), depth.depth()), ([480, 272], Depth::Sixteen));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_image(image: impl Into<DynamicImage>) -> Result<Self, PictureError> {
        let image = image.into();
        let size = [image.width(), image.height()];
        let bytes = |channels, samples: Vec<u8>| Self::from_bytes(size, channels, &samples);
        let words = |channels, samples| Self::new(size, channels, Depth::Sixteen, samples);
        match image {
            DynamicImage::ImageLuma8(image) => bytes(Channels::Grey, image.into_raw()),
            DynamicImage::ImageLumaA8(image) => bytes(Channels::GreyAlpha, image.into_raw()),
            DynamicImage::ImageRgb8(image) => bytes(Channels::Rgb, image.into_raw()),
            DynamicImage::ImageRgba8(image) => bytes(Channels::Rgba, image.into_raw()),
            DynamicImage::ImageLuma16(image) => words(Channels::Grey, image.into_raw()),
            DynamicImage::ImageLumaA16(image) => words(Channels::GreyAlpha, image.into_raw()),
            DynamicImage::ImageRgb16(image) => words(Channels::Rgb, image.into_raw()),
            DynamicImage::ImageRgba16(image) => words(Channels::Rgba, image.into_raw()),
            _ => Err(PictureError::FloatSamples),
        }
    }

    /// Returns this picture's width and height in pixels.
    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Returns this picture with 8 bits for each of four channels, to use it as a texture. 16 bits are rounded.
    #[must_use]
    pub fn to_rgba8(&self) -> RgbaImage {
        let most = u32::from(self.depth.max_value());
        let rounded = |sample: u16| u8::try_from((u32::from(sample) * 255 + most / 2) / most).unwrap_or(255);
        let pixel = |x, y| Rgba(self.pixel(x, y).or_never("a pixel inside").map(rounded));
        RgbaImage::from_fn(self.width, self.height, pixel)
    }

    /// Returns which channels this picture has.
    #[must_use]
    pub const fn channels(&self) -> Channels {
        self.channels
    }

    /// Returns how many bits a sample in this picture has.
    #[must_use]
    pub const fn depth(&self) -> Depth {
        self.depth
    }

    /// Returns this picture's samples: rows from the top, pixels from the left, each pixel's channels together.
    #[must_use]
    pub fn samples(&self) -> &[u16] {
        &self.samples
    }

    /// Returns a pixel's red, green, blue and alpha at the picture's depth, or `None` outside the picture. Grey is
    /// repeated in all three colours, and a picture without alpha is opaque.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u16; 4]> {
        if x >= self.width || y >= self.height {
            return None;
        }
        let count = self.channels.count();
        let start = (y as usize * self.width as usize + x as usize) * count;
        let opaque = self.depth.max_value();
        match *self.samples.get(start..start + count)? {
            [grey] => Some([grey, grey, grey, opaque]),
            [grey, alpha] => Some([grey, grey, grey, alpha]),
            [red, green, blue] => Some([red, green, blue, opaque]),
            [red, green, blue, alpha] => Some([red, green, blue, alpha]),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_checked() {
        let new = |size, samples| Picture::new(size, Channels::Rgb, Depth::Eight, samples);
        assert!(new([1, 1], vec![0, 128, 255]).is_ok(), "one pixel");
        for (size, samples) in [
            ([1, 1], vec![0, 0]),
            ([1, 1], vec![0; 4]),
            ([0, 0], vec![]),
            ([0, 5], vec![]),
            ([u32::MAX, u32::MAX], vec![0; 3]),
            ([1, 1], vec![0, 0, 256]),
        ] {
            let count = samples.len();
            let error = PictureError::Samples { width: size[0], height: size[1], count };
            assert_eq!(new(size, samples), Err(error), "{size:?}");
        }
    }

    #[test]
    fn pixels_have_four_channels() {
        let pixel = |channels, samples| {
            Picture::new([1, 1], channels, Depth::Sixteen, samples).map(|picture| picture.pixel(0, 0))
        };
        assert_eq!(pixel(Channels::Grey, vec![300]), Ok(Some([300, 300, 300, 65535])), "grey");
        assert_eq!(pixel(Channels::GreyAlpha, vec![300, 7]), Ok(Some([300, 300, 300, 7])), "grey with alpha");
        assert_eq!(pixel(Channels::Rgb, vec![1, 2, 3]), Ok(Some([1, 2, 3, 65535])), "colour");
        assert_eq!(pixel(Channels::Rgba, vec![1, 2, 3, 4]), Ok(Some([1, 2, 3, 4])), "colour with alpha");
    }

    #[test]
    fn integer_images_convert_and_others_do_not() {
        let images = [
            (DynamicImage::new_luma8(2, 3), Channels::Grey, Depth::Eight),
            (DynamicImage::new_luma_a8(2, 3), Channels::GreyAlpha, Depth::Eight),
            (DynamicImage::new_rgb8(2, 3), Channels::Rgb, Depth::Eight),
            (DynamicImage::new_rgba8(2, 3), Channels::Rgba, Depth::Eight),
            (DynamicImage::new_luma16(2, 3), Channels::Grey, Depth::Sixteen),
            (DynamicImage::new_luma_a16(2, 3), Channels::GreyAlpha, Depth::Sixteen),
            (DynamicImage::new_rgb16(2, 3), Channels::Rgb, Depth::Sixteen),
            (DynamicImage::new_rgba16(2, 3), Channels::Rgba, Depth::Sixteen),
        ];
        for (image, channels, depth) in images {
            let picture = Picture::from_image(image).expect("integers");
            assert_eq!((picture.size(), picture.channels(), picture.depth()), ([2, 3], channels, depth));
        }
        let float = DynamicImage::new_rgb32f(2, 3);
        assert_eq!(Picture::from_image(float), Err(PictureError::FloatSamples), "no integers");
    }
}
