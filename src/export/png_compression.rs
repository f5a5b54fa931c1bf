//! How hard to compress PNG files. Every choice is lossless.

use image::codecs::png::CompressionType;

/// Trades the time to write a PNG file against its size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PngCompression {
    /// Does not compress, which makes the largest files.
    None,
    /// Takes a few milliseconds for a picture as large as the screen.
    #[default]
    Fast,
    /// Takes several times as long, and files are mostly smaller.
    Balanced,
    /// Makes the smallest files, but takes much longer again.
    Best,
}

impl PngCompression {
    /// Returns the encoder's setting for single pictures.
    pub(super) const fn of_picture(self) -> CompressionType {
        match self {
            Self::None => CompressionType::Uncompressed,
            Self::Fast => CompressionType::Fast,
            Self::Balanced => CompressionType::Default,
            Self::Best => CompressionType::Best,
        }
    }

    /// Returns the encoder's setting for animations.
    pub(super) const fn of_animation(self) -> png::Compression {
        match self {
            Self::None => png::Compression::NoCompression,
            Self::Fast => png::Compression::Fast,
            Self::Balanced => png::Compression::Balanced,
            Self::Best => png::Compression::High,
        }
    }
}
