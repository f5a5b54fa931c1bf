//! Problems of TIM2 files.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};
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
    /// An image type outside 1 to 5, and sizes that fit none.
    #[error("image type {0} does not exist; 1 to 5 do")]
    ImageType(u8),
    /// A width or height of 0.
    #[error("the picture has no pixels")]
    Empty,
    /// Indexed pixels without a palette.
    #[error("the picture has indexed pixels but no palette")]
    NoPalette,
    /// A width too large for TEXBUFWIDTH.
    #[error("rows of {0} texels are longer than the Graphics Engine can take")]
    TooWide(u16),
    /// A wrong number of pictures.
    #[error("the header says {stated} pictures, the file has {actual}")]
    Count {
        /// The count in the header.
        stated: u16,
        /// The number of pictures that were found.
        actual: usize,
    },
    /// A picture that cannot be read.
    #[error("picture {number} is left out: {reason}")]
    Broken {
        /// Its number.
        number: usize,
        /// The error.
        reason: String,
    },
    /// A header shorter than its fields, or longer than the file.
    #[error("the picture header is given as {0} bytes; 48 are used")]
    HeaderSize(u16),
    /// An image type outside 1 to 5, and sizes that fit one.
    #[error("image type {number} does not exist; pixels of {bits} bits fit the sizes and are used")]
    GuessedType {
        /// The image type.
        number: u8,
        /// Bits of a pixel.
        bits: u64,
    },
    /// A palette type outside 1 to 3.
    #[error("palette type {0} does not exist; the size of the palette counts")]
    ClutType(u8),
    /// A palette that the end of the file cuts off.
    #[error("the palette has {stated} colours, of which {actual} are in the file")]
    PaletteCut {
        /// The count in the header.
        stated: u64,
        /// The number of whole colours in the file.
        actual: u64,
    },
    /// A picture larger than the largest texture.
    #[error("the picture is larger than 512x512; the Graphics Engine does not draw texels beyond that")]
    TooLarge,
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
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a picture and is none"),
        Refusal::new("NoPicture", "there is no picture"),
        Refusal::new("ImageType", "the type is unknown, and the sizes fit none"),
        Refusal::new("Empty", "the picture has no pixels"),
        Refusal::new("TooWide", "the buffer width of the Graphics Engine cannot hold a row"),
        Refusal::new(
            "NoPalette",
            "the pixels are indices, and the palette that gives their colours is missing",
        ),
    ];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Mipmaps(_) | Self::Broken { .. } => FileNoteKind::LeftOut,
            Self::TooLarge => FileNoteKind::NotExpressed,
            Self::NoAlpha | Self::GuessedType { .. } | Self::ClutType(_) => FileNoteKind::Guessed,
            Self::PaletteCut { .. } => FileNoteKind::Incomplete,
            _ => FileNoteKind::Mismatch,
        }
    }
}
