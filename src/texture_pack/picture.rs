//! A pack's pictures, and the reasons why they cannot be used.

use image::RgbaImage;
use thiserror::Error;

/// Why a picture cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PictureError {
    /// There is no such file.
    #[error("the file is missing")]
    Missing,
    /// Only PNG and DDS are read.
    #[error("{0} is not supported, only PNG and DDS")]
    Format(&'static str),
    /// A DDS file stores pixels in a way that is not read.
    #[error("DDS with {0} is not supported")]
    Pixels(String),
    /// The file is damaged.
    #[error("{0}")]
    Damaged(String),
    /// A level does not have half the size of the level before.
    #[error("level {level} has {}x{} instead of {}x{} pixels", .size[0], .size[1], .expected[0], .expected[1])]
    LevelSize {
        /// Number of the level.
        level: usize,
        /// Its width and height.
        size: [u32; 2],
        /// The width and height to expect from level 0.
        expected: [u32; 2],
    },
}

/// A picture from a pack.
#[derive(Clone, Debug, PartialEq)]
pub struct PackPicture {
    /// The pixels.
    pub pixels: RgbaImage,
    /// Whether the file has an alpha channel.
    pub has_alpha: bool,
}
