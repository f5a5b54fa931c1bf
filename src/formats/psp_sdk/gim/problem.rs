//! Errors and warnings for GIM files.

use thiserror::Error;

use crate::formats::core::problem::{FormatProblem, Refusal};
use crate::model::FileNoteKind;

/// An error or a warning in a GIM file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GimProblem {
    /// This is no GIM file: the magic is wrong.
    #[error("not a GIM picture")]
    Magic,
    /// There is nothing to draw: no picture has an image.
    #[error("the file has no picture")]
    NoPicture,
    /// The pixel format is unknown, and the bits per pixel do not help to guess it.
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
    /// The pixels are indices, but this picture has no palette to look them up in.
    #[error("the picture has indexed pixels but no palette")]
    NoPalette,
    /// Less than half of the first level is in the file, too little to show.
    #[error("the pixels need {needed} bytes, {available} are left")]
    Cut {
        /// Bytes needed.
        needed: u64,
        /// Bytes left.
        available: u64,
    },
    /// Rows are too long for TEXBUFWIDTH.
    #[error("rows of {0} texels are longer than the Graphics Engine can take")]
    TooWide(u64),
    /// Bytes that are no chunk follow the last one.
    #[error("{0} bytes that are no chunk follow the last one")]
    Stray(usize),
    /// The file chunk has another size than stated.
    #[error("the file chunk is given as {stated} bytes; {actual} are in the file and are used")]
    FileSize {
        /// The stated size in bytes.
        stated: u32,
        /// Bytes from the chunk to the file's end.
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
    /// This chunk's offsets lie outside it or out of order.
    #[error("the chunk's offsets do not follow one another; its data are taken to fill the chunk")]
    ChunkOffsets,
    /// A chunk has an unknown type.
    #[error("chunk type {0:#x} is not known")]
    Unknown(u16),
    /// The format is unknown, but the bits per pixel fit one.
    #[error("pixel format {format} does not exist; pixels of {bits} bits are read as format {used}")]
    GuessedFormat {
        /// The unknown format number.
        format: u16,
        /// Bits per pixel, which decide the format to use.
        bits: u16,
        /// The format used instead.
        used: u8,
    },
    /// The bits per pixel contradict the format.
    #[error("format {format} has {actual} bits a pixel, not {stated}")]
    Bits {
        /// The format number in the file.
        format: u16,
        /// The stated bits per pixel.
        stated: u16,
        /// The format's bits per pixel.
        actual: u64,
    },
    /// The pixel order is neither linear nor swizzled.
    #[error("pixel order {0} does not exist; the rows are taken as linear")]
    Order(u16),
    /// The row alignments do not suit the pixel order.
    #[error("rows aligned to {pitch} bytes and {height} rows do not fit the pixel order; {used} are used")]
    Alignment {
        /// To how many bytes rows are aligned.
        pitch: u16,
        /// To how many rows the height is aligned.
        height: u16,
        /// The alignments used instead.
        used: &'static str,
    },
    /// The type of levels or frames is unknown.
    #[error("{what} of type {value} are not known")]
    Kind {
        /// `levels` or `frames`.
        what: &'static str,
        /// The type number in the file.
        value: u16,
    },
    /// This image refers to another, in a way that is not known.
    #[error("the image refers to number {0}; how images are shared is not known")]
    Reference(u16),
    /// The offset table has fewer entries than needed.
    #[error("{stated} levels and frames are given, {actual} have an offset")]
    Table {
        /// Levels times frames.
        stated: u32,
        /// How many entries the table has room for.
        actual: u64,
    },
    /// The data have another size than stated.
    #[error("the data are given as {stated} bytes, {actual} are there")]
    Total {
        /// The stated size in bytes.
        stated: u32,
        /// Bytes available.
        actual: u64,
    },
    /// The first level is cut off, but at least half of it is there.
    #[error("the pixels need {needed} bytes, {available} are left; missing pixels are zero")]
    Short {
        /// Bytes needed.
        needed: u64,
        /// Bytes left.
        available: u64,
    },
    /// A level of a frame lies outside the data, or all levels together exceed the memory.
    #[error("level {level} of frame {frame} is not in the file; it is left out")]
    Level {
        /// Which level, from 0.
        level: usize,
        /// Which frame, from 0.
        frame: usize,
    },
    /// An image, palette or sequence cannot be read, so it is left out.
    #[error("the {what} is left out: {reason}")]
    Broken {
        /// `image`, `palette` or `sequence`.
        what: &'static str,
        /// Why it cannot be read.
        reason: String,
    },
    /// An index lies beyond the palette.
    #[error("pixels use colour {index}, the palette has {colors}; the last colour is used")]
    Index {
        /// The largest index in the pixels.
        index: u32,
        /// How many colours the palette has.
        colors: u32,
    },
    /// Indices go beyond 255, so this picture is converted to colours.
    #[error("pixels use colour {0}, the Graphics Engine reaches 256; the picture is converted to colours")]
    Expanded(u32),
    /// The palette has more colours than palette memory holds.
    #[error("the palette has {0} colours, more than the Graphics Engine can hold")]
    LongPalette(u16),
    /// The palette has several rows; only the first is used.
    #[error("the palette is given as {width}x{height} colours; the first row is used")]
    PaletteShape {
        /// Width in colours.
        width: u16,
        /// Height in colours.
        height: u16,
    },
    /// Each level has its own palette, which the Graphics Engine supports for 4-bit indices only.
    #[error(
        "each level has its own palette, which the Graphics Engine has for 4-bit indices only; the first is used"
    )]
    LevelPalettes,
    /// This picture exceeds the largest texture, 512x512 texels.
    #[error("the picture is larger than 512x512; the Graphics Engine does not draw texels beyond that")]
    TooLarge,
    /// Compressed pixels in a big-endian file, whose byte order has to be guessed.
    #[error(
        "the byte order of compressed pixels in a big-endian file is not known; they are read as they are"
    )]
    CompressedOrder,
    /// A key list has no end.
    #[error("the keys of parameter {0:#x} do not end")]
    Keys(u16),
    /// A sequence sets an unknown parameter.
    #[error("parameter {0:#x} is not known")]
    Parameter(u16),
    /// A sequence asks to blend neighbouring frames, which is not done.
    #[error("neighbouring frames are blended; only the earlier frame is shown")]
    Dissolve,
    /// There are more textures than the list takes.
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
