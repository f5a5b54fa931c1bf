//! A picture as read from a file, and the bounds for reading.

use super::error::PictureError;
use super::picture::Picture;

/// The largest width and height of a picture that is read.
const SIDE_MAX: u32 = 16384;
/// The largest number of pixels of a picture that is read.
const PIXELS_MAX: u64 = 1 << 26;
/// The most memory in bytes that decoding may take.
pub(super) const MEMORY_MAX: u64 = 1 << 30;

/// A picture and its file's properties.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PictureFile {
    /// The picture.
    pub picture: Picture,
    /// Name of the file's format.
    pub format: &'static str,
    /// Content of the file that the picture leaves out, such as more pictures of an animation.
    pub notes: Vec<String>,
}

/// Checks the size of a picture before memory is taken for it.
pub(super) fn check_size(format: &'static str, width: u32, height: u32) -> Result<(), PictureError> {
    if width.max(height) > SIDE_MAX || u64::from(width) * u64::from(height) > PIXELS_MAX {
        return Err(PictureError::TooLarge { format, width, height, most: SIDE_MAX, pixels: PIXELS_MAX });
    }
    Ok(())
}
