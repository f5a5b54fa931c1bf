//! How hard PNG files are compressed. All choices are without loss.

use image::codecs::png::CompressionType;

/// A choice between the time that a PNG file takes and its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PngCompression {
    /// No compression: the largest files.
    None,
    /// A few milliseconds for a picture of the screen.
    #[default]
    Fast,
    /// Several times as long, for files that are mostly smaller.
    Balanced,
    /// The smallest files, and much longer again.
    Best,
}

impl PngCompression {
    /// Returns the compression of single pictures.
    pub(super) const fn of_picture(self) -> CompressionType {
        match self {
            Self::None => CompressionType::Uncompressed,
            Self::Fast => CompressionType::Fast,
            Self::Balanced => CompressionType::Default,
            Self::Best => CompressionType::Best,
        }
    }

    /// Returns the compression of animations.
    pub(super) const fn of_animation(self) -> png::Compression {
        match self {
            Self::None => png::Compression::NoCompression,
            Self::Fast => png::Compression::Fast,
            Self::Balanced => png::Compression::Balanced,
            Self::Best => png::Compression::High,
        }
    }
}
