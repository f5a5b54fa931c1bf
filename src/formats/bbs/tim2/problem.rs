//! What can be wrong with a TIM2 file.

use thiserror::Error;

use crate::formats::core::error::FormatProblem;

/// What can be wrong with a TIM2 file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Tim2Problem {
    /// Another magic.
    #[error("not a TIM2 file")]
    Magic,
    /// No pictures.
    #[error("the file holds no picture")]
    NoPicture,
    /// More pictures than the file holds.
    #[error("the file is said to hold {0} pictures and ends before")]
    Count(u16),
    /// A header shorter than its fields, or longer than the file.
    #[error("a picture header of {0} bytes cannot be: it has 48 or more, in the file")]
    HeaderSize(u16),
    /// An image type that is not one of 1 to 5.
    #[error("image type {0} does not exist; 1 to 5 do")]
    ImageType(u8),
    /// A palette type that is not one of 1 to 3.
    #[error("palette type {0} does not exist; 1 to 3 do")]
    ClutType(u8),
    /// A side of length 0.
    #[error("the picture has no pixels")]
    Empty,
    /// Indexed pixels without colours.
    #[error("the picture has indexed pixels and no palette")]
    NoPalette,
    /// Rows too long for the engine's register.
    #[error("rows of {0} texels are longer than the Graphics Engine can take")]
    TooWide(u16),
    /// Texels out of the engine's reach.
    #[error("the picture is larger than 512x512; the Graphics Engine draws no texel beyond")]
    TooLarge,
    /// Sizes that the engine does not have.
    #[error(
        "the picture's sides are no powers of two; it is padded, coordinates are scaled, and repeats show a gap"
    )]
    NoPowerOfTwo,
    /// A size field that contradicts the picture.
    #[error(
        "the {field} is said to take {said} bytes; going by type and size it takes {real}, which is used"
    )]
    Size {
        /// What is measured.
        field: &'static str,
        /// What the file says.
        said: u32,
        /// What follows from the picture.
        real: u64,
    },
    /// Smaller versions of the picture.
    #[error("of {0} mipmap levels only the first is used")]
    Mipmaps(u8),
    /// Alpha is 0 throughout.
    #[error("no colour has any alpha; it is drawn opaque")]
    NoAlpha,
}

impl FormatProblem for Tim2Problem {}
