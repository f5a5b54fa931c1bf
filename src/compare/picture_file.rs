//! A picture as read from a file, and limits for reading.

use super::error::PictureError;
use super::picture::Picture;

/// The largest width and height to read.
const SIDE_MAX: u32 = 16384;
/// The most pixels to read.
const PIXELS_MAX: u64 = 1 << 26;
/// How many bytes of memory decoding may take.
pub(super) const MEMORY_MAX: u64 = 1 << 30;

/// A picture with facts about its file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PictureFile {
    /// The picture.
    pub picture: Picture,
    /// The name of the file's format.
    pub format: &'static str,
    /// Tells which parts the picture leaves out, such as an animation's other pictures.
    pub notes: Vec<String>,
}

/// Checks a picture's size. Call this before taking memory for it, because a damaged header may state any size.
pub(super) fn check_size(format: &'static str, width: u32, height: u32) -> Result<(), PictureError> {
    if width.max(height) > SIDE_MAX || u64::from(width) * u64::from(height) > PIXELS_MAX {
        return Err(PictureError::TooLarge { format, width, height, most: SIDE_MAX, pixels: PIXELS_MAX });
    }
    Ok(())
}
