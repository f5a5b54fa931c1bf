//! Tells why an asset could not be opened or drawn.

use thiserror::Error as ThisError;

use crate::asm::{AssemblyErrors, LIST_BYTES_MAX, ListTooLong};
use crate::debug::what_if::edit::EditError;
use crate::formats::{Format, FormatError};
use crate::ge::limits::LimitHit;
use crate::model::pose::PoseError;
use crate::scene::frame::FrameError;

/// Tells why an asset could not be opened or drawn.
///
/// ```
/// let error = pspge::open("notes.txt", b"dear diary").expect_err("not a file of a known format");
/// assert_eq!(error.to_string(), "not a file of a known format: it is a text");
/// ```
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// The file is damaged or not recognised.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Assembly text has mistakes.
    #[error(transparent)]
    Assembly(#[from] AssemblyErrors),
    /// Assembly text is not UTF-8.
    #[error("at {offset:#x}: not UTF-8 text")]
    NotText {
        /// Offset of the first wrong byte.
        offset: usize,
    },
    /// The file has no known format, but its words look like a display list. Open it as format `list` to run these.
    #[error("not a file of a known format; its words look like those of a display list")]
    LikeList,
    /// No format has this name.
    #[error("no such format; use one of {}", Format::all().map(Format::name).chain(["ge", "list"]).collect::<Vec<_>>().join(", "))]
    UnknownFormat,
    /// A list's words do not fit into memory.
    #[error(transparent)]
    ListTooLong(#[from] ListTooLong),
    /// The content cannot be drawn: a texture file has no display list, for example.
    #[error("a file of format {format} holds no display list")]
    NoDisplayList {
        /// The format's name.
        format: &'static str,
    },
    /// No animation has this name or number.
    #[error("no animation \"{name}\"")]
    NoAnimation {
        /// The name or number.
        name: String,
    },
    /// A model has no such pose.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// An edit does not apply to the run.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A frame or list has no such picture.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The requested picture for a model is empty or too large.
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

impl Error {
    /// Returns a stable name for this error, so that programs can tell errors apart: lower-case words with hyphens.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Format(error) => error.code(),
            Self::Assembly(_) => "assembly",
            Self::NotText { .. } => "not-text",
            Self::LikeList => "list-without-format",
            Self::UnknownFormat => "usage",
            Self::ListTooLong(_) => "too-large",
            Self::NoDisplayList { .. } => "no-display-list",
            Self::NoAnimation { .. } => "no-animation",
            Self::Pose(_) => "inapplicable",
            Self::Edit(_) => "edit",
            Self::Frame(_) | Self::PictureSize { .. } => "picture-size",
            Self::LimitHit(_) => "limit",
            Self::TooLargeForDump => "too-large-for-dump",
        }
    }

    /// Returns the error's offset in its file, in bytes, if it has one.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Format(error) => error.offset,
            Self::NotText { offset } => u64::try_from(*offset).ok(),
            Self::ListTooLong(_) => u64::try_from(LIST_BYTES_MAX).ok(),
            _ => None,
        }
    }
}
