//! Writes pictures to files, in lossless formats and GIF.
//!
//! # Invariants
//! A file holds exactly the picture's samples, unless it is a GIF, which people ask for by name because every
//! program shows its animations. If a format cannot hold the samples, this is an error, and never a conversion that
//! loses bits.
//!
//! ```
//! use pspge::export::picture_file::PictureFormat;
//! use pspge::image::DynamicImage;
//!
//! let format = PictureFormat::from_extension("png")?;
//! let bytes = format.encode(&DynamicImage::new_luma16(2, 2))?;
//! assert_eq!(&bytes[1..4], b"PNG");
//! assert!(PictureFormat::from_extension("jpg").is_err(), "JPEG loses bits");
//! # Ok::<(), pspge::export::picture_file::PictureFileError>(())
//! ```

use std::fmt;
use std::io::Cursor;

use image::codecs::png::{FilterType, PngEncoder};
use image::{DynamicImage, ImageFormat};
use thiserror::Error as ThisError;

use super::png_compression::PngCompression;

/// A picture format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PictureFormat {
    /// PNG: colours with or without alpha, or grey with 8 or 16 bits.
    Png,
    /// Animated PNG: several such pictures. With a single picture this is a plain PNG.
    Apng,
    /// Windows bitmap: colours with or without alpha, or grey with 8 bits.
    Bmp,
    /// Truevision TGA: colours with or without alpha, or grey with 8 bits.
    Tga,
    /// Quite OK Image: colours with or without alpha.
    Qoi,
    /// Lossless WebP: colours with or without alpha, also several pictures.
    Webp,
    /// GIF: at most 256 colours in each of several pictures; pixels are opaque or not drawn.
    Gif,
    /// Portable pixmap: colours.
    Ppm,
    /// Portable graymap: grey with 8 or 16 bits.
    Pgm,
}

/// Why a picture cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum PictureFileError {
    /// No format has this extension.
    #[error("no picture format has the extension '{0}'; use one of {list}", list = Extensions(&|_| true))]
    UnknownExtension(String),
    /// The format cannot hold this kind of picture.
    #[error("{format} holds no {kind}; use one of {list}", list = Extensions(&|format| format.holds(*kind)))]
    Unsupported {
        /// The format.
        format: PictureFormat,
        /// The kind of picture.
        kind: PictureKind,
    },
    /// The format cannot hold the picture for another reason, such as its size.
    #[error("{format}: {message}")]
    Encoder {
        /// The format.
        format: PictureFormat,
        /// The encoder's message.
        message: String,
    },
}

/// Which samples a picture has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PictureKind {
    /// Red, green and blue, 8 bits each.
    Color,
    /// Red, green, blue and alpha, 8 bits each.
    ColorWithAlpha,
    /// Grey with 8 bits.
    Gray8,
    /// Grey with 16 bits.
    Gray16,
}

impl PictureKind {
    /// Finds the kind of a picture; `None` for kinds pspge never makes.
    #[must_use]
    pub const fn of(picture: &DynamicImage) -> Option<Self> {
        match picture {
            DynamicImage::ImageRgb8(_) => Some(Self::Color),
            DynamicImage::ImageRgba8(_) => Some(Self::ColorWithAlpha),
            DynamicImage::ImageLuma8(_) => Some(Self::Gray8),
            DynamicImage::ImageLuma16(_) => Some(Self::Gray16),
            _ => None,
        }
    }
}

impl fmt::Display for PictureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Color => "colours",
            Self::ColorWithAlpha => "alpha channel",
            Self::Gray8 => "grey values",
            Self::Gray16 => "grey values of 16 bits",
        })
    }
}

impl PictureFormat {
    /// All formats.
    pub const ALL: [Self; 9] =
        [Self::Png, Self::Apng, Self::Bmp, Self::Tga, Self::Qoi, Self::Webp, Self::Gif, Self::Ppm, Self::Pgm];

    /// Returns the usual file extension.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Apng => "apng",
            Self::Bmp => "bmp",
            Self::Tga => "tga",
            Self::Qoi => "qoi",
            Self::Webp => "webp",
            Self::Gif => "gif",
            Self::Ppm => "ppm",
            Self::Pgm => "pgm",
        }
    }

    /// Finds the format for a file extension, in capital or small letters.
    ///
    /// # Errors
    /// [`PictureFileError::UnknownExtension`], which lists all extensions.
    pub fn from_extension(extension: &str) -> Result<Self, PictureFileError> {
        let has_extension = |format: &Self| format.extension().eq_ignore_ascii_case(extension);
        let format = Self::ALL.into_iter().find(has_extension);
        format.ok_or_else(|| PictureFileError::UnknownExtension(extension.to_owned()))
    }

    /// Returns whether the format holds this kind of picture, without loss unless it is GIF.
    #[must_use]
    pub const fn holds(self, kind: PictureKind) -> bool {
        match kind {
            PictureKind::Color => !matches!(self, Self::Pgm),
            PictureKind::ColorWithAlpha => !matches!(self, Self::Ppm | Self::Pgm),
            PictureKind::Gray8 => !matches!(self, Self::Ppm | Self::Qoi | Self::Webp | Self::Gif),
            PictureKind::Gray16 => matches!(self, Self::Png | Self::Apng | Self::Pgm),
        }
    }

    /// Returns whether a file can hold several pictures. A PNG file can, because it then becomes an animated PNG.
    #[must_use]
    pub const fn holds_several(self) -> bool {
        matches!(self, Self::Png | Self::Apng | Self::Webp | Self::Gif)
    }

    /// Does the same as [`Self::holds`], but explains in an error which formats to use instead.
    ///
    /// # Errors
    /// [`PictureFileError::Unsupported`], which lists the formats to use instead.
    pub const fn check(self, kind: PictureKind) -> Result<(), PictureFileError> {
        if self.holds(kind) { Ok(()) } else { Err(PictureFileError::Unsupported { format: self, kind }) }
    }

    /// Returns whether [`PngCompression`] has an effect.
    #[must_use]
    pub const fn is_png(self) -> bool {
        matches!(self, Self::Png | Self::Apng)
    }

    /// Encodes a picture, with the default compression for PNG files.
    ///
    /// # Errors
    /// [`PictureFileError::Unsupported`] if the format cannot hold the picture, [`PictureFileError::Encoder`] if it
    /// is empty or too large.
    pub fn encode(self, picture: &DynamicImage) -> Result<Vec<u8>, PictureFileError> {
        self.encode_with(picture, PngCompression::default())
    }

    /// Encodes a picture, with this compression for PNG files.
    ///
    /// # Errors
    /// Same as [`Self::encode`].
    pub fn encode_with(
        self,
        picture: &DynamicImage,
        compression: PngCompression,
    ) -> Result<Vec<u8>, PictureFileError> {
        let failed = |message: String| PictureFileError::Encoder { format: self, message };
        let kind = PictureKind::of(picture).ok_or_else(|| failed("samples of another kind".to_owned()))?;
        self.check(kind)?;
        if picture.width() == 0 || picture.height() == 0 {
            return Err(failed("the picture is empty".to_owned()));
        }
        let mut bytes = Cursor::new(Vec::new());
        let encoded = if self.is_png() {
            let compression = compression.of_picture();
            let encoder = PngEncoder::new_with_quality(&mut bytes, compression, FilterType::Adaptive);
            picture.write_with_encoder(encoder)
        } else {
            picture.write_to(&mut bytes, self.encoder())
        };
        encoded.map_err(|error| failed(error.to_string()))?;
        Ok(bytes.into_inner())
    }

    const fn encoder(self) -> ImageFormat {
        match self {
            Self::Png | Self::Apng => ImageFormat::Png,
            Self::Bmp => ImageFormat::Bmp,
            Self::Tga => ImageFormat::Tga,
            Self::Qoi => ImageFormat::Qoi,
            Self::Webp => ImageFormat::WebP,
            Self::Gif => ImageFormat::Gif,
            Self::Ppm | Self::Pgm => ImageFormat::Pnm,
        }
    }
}

impl fmt::Display for PictureFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, ".{}", self.extension())
    }
}

/// Prints a list of extensions for the formats that a filter accepts, for error messages.
struct Extensions<'a>(&'a dyn Fn(PictureFormat) -> bool);

impl fmt::Display for Extensions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let formats = PictureFormat::ALL.into_iter().filter(|format| (self.0)(*format));
        for (index, format) in formats.enumerate() {
            write!(f, "{}{format}", if index > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use image::{GrayImage, ImageBuffer, Luma, Rgb, RgbImage, Rgba, RgbaImage};

    use super::*;

    fn byte(value: u32) -> u8 {
        u8::try_from(value % 256).unwrap_or(0)
    }

    fn pictures() -> [DynamicImage; 4] {
        [
            DynamicImage::ImageRgb8(RgbImage::from_fn(5, 3, |x, y| {
                Rgb([byte(x * 50), byte(y * 80), byte(x * y)])
            })),
            DynamicImage::ImageRgba8(RgbaImage::from_fn(5, 3, |x, y| {
                Rgba([byte(x), byte(y), 7, byte(x * 51)])
            })),
            DynamicImage::ImageLuma8(GrayImage::from_fn(5, 3, |x, y| Luma([byte(x * 40 + y)]))),
            DynamicImage::ImageLuma16(ImageBuffer::from_fn(5, 3, |x, y| {
                Luma([u16::try_from(x * 12_345 + y).unwrap_or(0)])
            })),
        ]
    }

    #[test]
    fn files_hold_exactly_their_pictures() {
        for format in PictureFormat::ALL {
            for picture in pictures() {
                let kind = PictureKind::of(&picture).expect("a known kind");
                let encoded = format.encode(&picture);
                if !format.holds(kind) {
                    assert_eq!(
                        encoded,
                        Err(PictureFileError::Unsupported { format, kind }),
                        "{format} {kind}"
                    );
                    continue;
                }
                let bytes = encoded.unwrap_or_else(|error| panic!("{format} {kind}: {error}"));
                let read = image::load_from_memory_with_format(&bytes, format.encoder());
                let read = read.unwrap_or_else(|error| panic!("{format} {kind}: {error}"));
                match kind {
                    // This picture has few opaque pixels.
                    _ if format == PictureFormat::Gif => assert_eq!(read.width(), 5, "{format} {kind}"),
                    PictureKind::Gray16 => {
                        assert_eq!(read.to_luma16(), picture.to_luma16(), "{format} {kind}");
                    }
                    _ => assert_eq!(read.to_rgba8(), picture.to_rgba8(), "{format} {kind}"),
                }
            }
        }
    }

    #[test]
    fn every_extension_names_its_format() {
        for format in PictureFormat::ALL {
            let upper = format.extension().to_uppercase();
            assert_eq!(PictureFormat::from_extension(&upper), Ok(format), "{upper}");
        }
        let error = PictureFormat::from_extension("jpg").expect_err("not without loss");
        let expected = "no picture format has the extension 'jpg'; \
                        use one of .png, .apng, .bmp, .tga, .qoi, .webp, .gif, .ppm, .pgm";
        assert_eq!(error.to_string(), expected, "all extensions");
        let error = PictureFormat::Bmp.check(PictureKind::Gray16).expect_err("16 bits");
        let expected = ".bmp holds no grey values of 16 bits; use one of .png, .apng, .pgm";
        assert_eq!(error.to_string(), expected, "those that do");
    }

    #[test]
    fn empty_pictures_are_errors() {
        for format in PictureFormat::ALL.into_iter().filter(|format| format.holds(PictureKind::Color)) {
            assert!(format.encode(&DynamicImage::new_rgb8(0, 3)).is_err(), "{format}");
        }
    }
}
