//! Errors and warnings for GIM files.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::model::FileNoteKind;

/// An error or a warning in a GIM file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GimProblem {
    /// Wrong magic.
    #[error("not a GIM picture")]
    Magic,
    /// No picture has an image.
    #[error("the file has no picture")]
    NoPicture,
    /// The format is unknown, and the bits per pixel fit none.
    #[error("pixel format {0} does not exist; 0 to 10 do")]
    Format(u16),
    /// The width or height is 0.
    #[error("the picture has no pixels: {width}x{height}")]
    Empty {
        /// Width in pixels.
        width: u16,
        /// Height in pixels.
        height: u16,
    },
    /// The pixels are indices, but there is no palette.
    #[error("the picture has indexed pixels but no palette")]
    NoPalette,
    /// The file ends before half of the first level.
    #[error("the pixels need {needed} bytes, {available} are left")]
    Cut {
        /// Bytes needed.
        needed: u64,
        /// Bytes left.
        available: u64,
    },
    /// Rows are longer than TEXBUFWIDTH.
    #[error("rows of {0} texels are longer than the Graphics Engine can take")]
    TooWide(u64),
    /// Bytes that are no chunk follow the last one.
    #[error("{0} bytes that are no chunk follow the last one")]
    Stray(usize),
    /// Bytes follow the file.
    #[error("the file chunk is given as {stated} bytes; {actual} are in the file and are used")]
    FileSize {
        /// The stated size in bytes.
        stated: u32,
        /// Bytes from the chunk to the end of the file.
        actual: u64,
    },
    /// A chunk is longer than its parent.
    #[error("the chunk is given as {stated} bytes, of which {actual} are there")]
    ChunkCut {
        /// The stated size in bytes.
        stated: u64,
        /// Bytes available.
        actual: u64,
    },
    /// Offsets in a chunk's head lie outside the chunk or out of order.
    #[error("the chunk's offsets do not follow one another; its data are taken to fill the chunk")]
    ChunkOffsets,
    /// A chunk has an unknown type.
    #[error("chunk type {0:#x} is not known")]
    Unknown(u16),
    /// The format is unknown, but the bits per pixel fit one.
    #[error("pixel format {format} does not exist; pixels of {bits} bits are read as format {used}")]
    GuessedFormat {
        /// The format.
        format: u16,
        /// Bits per pixel.
        bits: u16,
        /// The format used.
        used: u8,
    },
    /// The bits per pixel contradict the format.
    #[error("format {format} has {actual} bits a pixel, not {stated}")]
    Bits {
        /// The format.
        format: u16,
        /// The stated bits per pixel.
        stated: u16,
        /// The format's bits per pixel.
        actual: u64,
    },
    /// The pixel order is neither linear nor swizzled.
    #[error("pixel order {0} does not exist; the rows are taken as linear")]
    Order(u16),
    /// Alignments contradict the pixel order.
    #[error("rows aligned to {pitch} bytes and {height} rows do not fit the pixel order; {used} are used")]
    Alignment {
        /// Alignment of rows in bytes.
        pitch: u16,
        /// Alignment of the height in rows.
        height: u16,
        /// The alignments used.
        used: &'static str,
    },
    /// The type of levels or frames is unknown.
    #[error("{what} of type {value} are not known")]
    Kind {
        /// `levels` or `frames`.
        what: &'static str,
        /// The type.
        value: u16,
    },
    /// The image refers to another.
    #[error("the image refers to number {0}; how images are shared is not known")]
    Reference(u16),
    /// The offset table has fewer entries than needed.
    #[error("{stated} levels and frames are given, {actual} have an offset")]
    Table {
        /// Levels times frames.
        stated: u32,
        /// Entries in the table.
        actual: u64,
    },
    /// The total size is wrong.
    #[error("the data are given as {stated} bytes, {actual} are there")]
    Total {
        /// The stated size in bytes.
        stated: u32,
        /// Bytes available.
        actual: u64,
    },
    /// The first level is cut off, but mostly there.
    #[error("the pixels need {needed} bytes, {available} are left; missing pixels are zero")]
    Short {
        /// Bytes needed.
        needed: u64,
        /// Bytes left.
        available: u64,
    },
    /// A level or frame lies outside the data.
    #[error("level {level} of frame {frame} is not in the file; it is left out")]
    Level {
        /// Number of the level.
        level: usize,
        /// Number of the frame.
        frame: usize,
    },
    /// An image or palette cannot be read.
    #[error("the {what} is left out: {reason}")]
    Broken {
        /// `image`, `palette` or `sequence`.
        what: &'static str,
        /// The error.
        reason: String,
    },
    /// An index lies beyond the palette.
    #[error("pixels use colour {index}, the palette has {colors}; the last colour is used")]
    Index {
        /// The largest index.
        index: u32,
        /// Number of colours.
        colors: u32,
    },
    /// Indices select more than 256 colours.
    #[error("pixels use colour {0}, the Graphics Engine reaches 256; the picture is converted to colours")]
    Expanded(u32),
    /// The palette is longer than palette memory.
    #[error("the palette has {0} colours, more than the Graphics Engine can hold")]
    LongPalette(u16),
    /// The palette has several rows, or is swizzled.
    #[error("the palette is given as {width}x{height} colours; the first row is used")]
    PaletteShape {
        /// Width in colours.
        width: u16,
        /// Height in colours.
        height: u16,
    },
    /// Each level has its own palette, but the indices are too wide.
    #[error(
        "each level has its own palette, which the Graphics Engine has for 4-bit indices only; the first is used"
    )]
    LevelPalettes,
    /// The picture exceeds the largest texture.
    #[error("the picture is larger than 512x512; the Graphics Engine does not draw texels beyond that")]
    TooLarge,
    /// A compressed picture in a big-endian file.
    #[error(
        "the byte order of compressed pixels in a big-endian file is not known; they are read as they are"
    )]
    CompressedOrder,
    /// A list of keys does not end.
    #[error("the keys of parameter {0:#x} do not end")]
    Keys(u16),
    /// A parameter is unknown.
    #[error("parameter {0:#x} is not known")]
    Parameter(u16),
    /// Neighbouring frames are blended.
    #[error("neighbouring frames are blended; the nearer one is shown")]
    Dissolve,
    /// More textures were found than are listed.
    #[error("{0} more images are left out")]
    MoreImages(usize),
}

impl FormatProblem for GimProblem {
    const REFUSALS: &'static [Refusal] = &[
        Refusal::new("Magic", "it is named as a picture and is none"),
        Refusal::new("NoPicture", "there is no picture"),
        Refusal::new("Format", "the pixel format is unknown, and the bits per pixel fit none"),
        Refusal::new("Empty", "the picture has no pixels"),
        Refusal::new(
            "NoPalette",
            "the pixels are indices, and the palette that gives their colours is missing",
        ),
        Refusal::new("Cut", "less than half of the pixels are in the file"),
        Refusal::new("TooWide", "the buffer width of the Graphics Engine cannot hold a row"),
    ];

    fn note_kind(&self) -> FileNoteKind {
        match self {
            Self::Level { .. } | Self::Broken { .. } | Self::MoreImages(_) | Self::Stray(_) => {
                FileNoteKind::LeftOut
            }
            Self::Short { .. } => FileNoteKind::Incomplete,
            Self::TooLarge
            | Self::Expanded(_)
            | Self::LongPalette(_)
            | Self::LevelPalettes
            | Self::Dissolve => FileNoteKind::NotExpressed,
            Self::GuessedFormat { .. } | Self::CompressedOrder | Self::Order(_) => FileNoteKind::Guessed,
            Self::Unknown(_) | Self::Kind { .. } | Self::Reference(_) | Self::Parameter(_) => {
                FileNoteKind::UnknownField
            }
            _ => FileNoteKind::Mismatch,
        }
    }
}
