//! Why an asset could not be opened or drawn.

use thiserror::Error as ThisError;

use crate::asm::AssemblyError;
use crate::formats::FormatError;
use crate::ge::limits::LimitHit;

/// Why an asset could not be opened or drawn.
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// The file is damaged or not recognised.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Assembly text has a mistake.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// Assembly text is not UTF-8.
    #[error("at 0x{offset:x}: not UTF-8 text")]
    NotText {
        /// Offset of the first wrong byte.
        offset: usize,
    },
    /// The content is nothing that can be drawn, such as a file of textures.
    #[error("a file of format {format} holds no display list")]
    NoDisplayList {
        /// The name of the format.
        format: &'static str,
    },
    /// No animation has this name or number.
    #[error("no animation \"{name}\"")]
    NoAnimation {
        /// The name or number.
        name: String,
    },
    /// The requested picture is empty or too large.
    #[error("a picture of {width}x{height} pixels: each side must be 1 to {most}")]
    PictureSize {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// The largest side.
        most: u32,
    },
    /// A limit would cut the result short.
    #[error("{0}")]
    LimitHit(LimitHit),
    /// A frame dump cannot hold the data that the content reads.
    #[error("draws more data than a frame dump can hold")]
    TooLargeForDump,
}
