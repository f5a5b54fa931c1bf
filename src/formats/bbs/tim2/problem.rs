//! Problems of TIM2 files.

use thiserror::Error;

use crate::formats::core::problem::FormatProblem;
use crate::model::FileNoteKind;

/// Errors and warnings of TIM2 files.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Tim2Problem {
    /// Wrong magic.
    #[error("not a TIM2 file")]
    Magic,
    /// No pictures.
    #[error("the file has no pictures")]
    NoPicture,
    /// More pictures than fit into the file.
    #[error("the file ends before the last of its {0} pictures")]
    Count(u16),
    /// A header shorter than its fields, or longer than the file.
    #[error("the picture header has {0} bytes; it needs 48 or more, inside the file")]
    HeaderSize(u16),
    /// An image type outside 1 to 5.
    #[error("image type {0} does not exist; 1 to 5 do")]
    ImageType(u8),
    /// A palette type outside 1 to 3.
    #[error("palette type {0} does not exist; 1 to 3 do")]
    ClutType(u8),
    /// A width or height of 0.
    #[error("the picture has no pixels")]
    Empty,
    /// Indexed pixels without a palette.
    #[error("the picture has indexed pixels but no palette")]
    NoPalette,
    /// A width too large for TEXBUFWIDTH.
    #[error("rows of {0} texels are longer than the Graphics Engine can take")]
    TooWide(u16),
    /// A picture larger than the largest texture.
    #[error("the picture is larger than 512x512; the Graphics Engine does not draw texels beyond that")]
    TooLarge,
    /// Sides that are not powers of two.
    #[error(
        "the picture's sides are not powers of two; it is padded, coordinates are scaled, and repeats show a gap"
    )]
    NotPowerOfTwo,
    /// A wrong size field.
    #[error(
        "the size of the {field} is given as {stated} bytes; {actual} follow from its type and size and are used"
    )]
    Size {
        /// The measured structure.
        field: &'static str,
        /// The size in the file.
        stated: u32,
        /// The size that follows from the picture's type, width and height.
        actual: u64,
    },
    /// Mip levels, which are not used.
    #[error("of {0} mipmap levels only the first is used")]
    Mipmaps(u8),
    /// All alpha values are 0.
    #[error("no colour has any alpha; it is drawn opaque")]
    NoAlpha,
}

impl FormatProblem for Tim2Problem {
    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Mipmaps(_) => FileNoteKind::LeftOut,
            Self::TooLarge | Self::NotPowerOfTwo => FileNoteKind::NotExpressed,
            Self::NoAlpha => FileNoteKind::Guessed,
            _ => FileNoteKind::Mismatch,
        }
    }
}
