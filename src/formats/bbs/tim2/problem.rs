//! Errors and warnings for TIM2 files.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::model::FileNoteKind;

/// An error or a warning in a TIM2 file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Tim2Problem {
    /// Wrong magic.
    #[error("not a TIM2 file")]
    Magic,
    /// The file has no pictures.
    #[error("the file has no pictures")]
    NoPicture,
    /// The image type is not 1 to 5, and the sizes fit none.
    #[error("image type {0} does not exist; 1 to 5 do")]
    ImageType(u8),
    /// The width or height is 0.
    #[error("the picture has no pixels")]
    Empty,
    /// The pixels are indices, but there is no palette.
    #[error("the picture has indexed pixels but no palette")]
    NoPalette,
    /// The width exceeds TEXBUFWIDTH.
    #[error("rows of {0} texels are longer than the Graphics Engine can take")]
    TooWide(u16),
    /// The picture count is wrong.
    #[error("the header says {stated} pictures, the file has {actual}")]
    Count {
        /// The count in the header.
        stated: u16,
        /// How many pictures were found.
        actual: usize,
    },
    /// A picture is unreadable.
    #[error("picture {number} is left out: {reason}")]
    Broken {
        /// Its number.
        number: usize,
        /// The error.
        reason: String,
    },
    /// The header is shorter than its fields or longer than the file.
    #[error("the picture header is given as {0} bytes; 48 are used")]
    HeaderSize(u16),
    /// The image type is not 1 to 5, but the sizes fit a type.
    #[error("image type {number} does not exist; pixels of {bits} bits fit the sizes and are used")]
    GuessedType {
        /// The image type.
        number: u8,
        /// Bits per pixel.
        bits: u64,
    },
    /// The palette type is not 1 to 3.
    #[error("palette type {0} does not exist; the size of the palette counts")]
    ClutType(u8),
    /// The palette is cut off by the end of the file.
    #[error("the palette has {stated} colours, of which {actual} are in the file")]
    PaletteCut {
        /// The count in the header.
        stated: u64,
        /// How many whole colours this file has.
        actual: u64,
    },
    /// The picture exceeds the largest texture.
    #[error("the picture is larger than 512x512; the Graphics Engine does not draw texels beyond that")]
    TooLarge,
    /// A size field is wrong.
    #[error(
        "the size of the {field} is given as {stated} bytes; {actual} follow from its type and size and are used"
    )]
    Size {
        /// The measured structure.
        field: &'static str,
        /// The size in the file.
        stated: u32,
        /// The size computed from type, width and height.
        actual: u64,
    },
    /// Mip levels are not used.
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
