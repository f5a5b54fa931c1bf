//! Tells why pictures cannot be read or compared.

use thiserror::Error as ThisError;

use super::region::Region;

/// Why bytes or samples are not a picture.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum PictureError {
    /// The file has no known picture format.
    #[error("not a picture of a known format (PNG, BMP, JPEG, PNM, QOI, TGA, WebP)")]
    UnknownFormat,
    /// The file is damaged or cut off.
    #[error("{}{}", at(.offset), self.message())]
    Damaged {
        /// The format's name.
        format: &'static str,
        /// How many bytes could be read, if the decoder tells.
        offset: Option<u64>,
        /// What is wrong, as the end of a sentence.
        cause: String,
    },
    /// The file uses an unsupported feature of its format.
    #[error("looks like {format}, but {cause}")]
    Unsupported {
        /// The format's name.
        format: &'static str,
        /// Which feature it uses, as the end of a sentence.
        cause: String,
    },
    /// The picture is larger than pictures may be.
    #[error(
        "a {format} picture of {width}x{height} pixels: at most {most} pixels on a side and {pixels} in all"
    )]
    TooLarge {
        /// The format's name.
        format: &'static str,
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// The longest allowed side.
        most: u32,
        /// The most allowed pixels.
        pixels: u64,
    },
    /// Decoding would take more memory than allowed.
    #[error("looks like {format}, but decoding it takes more than {bytes} bytes")]
    Memory {
        /// The format's name.
        format: &'static str,
        /// The limit in bytes.
        bytes: u64,
    },
    /// The samples do not fill a picture with this size, or exceed its depth.
    #[error("{count} samples do not make a picture of {width}x{height} pixels, or exceed its depth")]
    Samples {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// How many samples were given.
        count: usize,
    },
    /// The samples are floating-point numbers.
    #[error("the samples are floating-point numbers")]
    FloatSamples,
}

impl PictureError {
    /// Returns the message without the offset, for programs that print the place themselves.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Damaged { format, cause, .. } => format!("looks like {format}, but {cause}"),
            error => error.to_string(),
        }
    }
}

/// Words an error's place, to put before its message.
fn at(offset: &Option<u64>) -> String {
    offset.map(|offset| format!("at 0x{offset:x}: ")).unwrap_or_default()
}

/// Why an asset could not be drawn for a comparison.
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum RenderError {
    /// It cannot be drawn, or not at this size.
    #[error(transparent)]
    Asset(Box<crate::asset::Error>),
    /// Its picture is empty.
    #[error(transparent)]
    Picture(#[from] PictureError),
}

impl From<crate::asset::Error> for RenderError {
    fn from(error: crate::asset::Error) -> Self {
        Self::Asset(Box::new(error))
    }
}

/// Why two pictures could not be compared, or their difference could not be shown.
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum CompareError {
    /// The sizes differ, and neither a region nor an offset selects a common part.
    #[error("the sizes differ: {} and {}", size(.first), size(.second))]
    SizesDiffer {
        /// The first picture's width and height.
        first: [u32; 2],
        /// The second picture's width and height.
        second: [u32; 2],
    },
    /// At this offset, the pictures do not overlap.
    #[error("the second picture at {},{} does not overlap the first, whose size is {}", .offset[0], .offset[1], size(.first))]
    NoOverlap {
        /// The first picture's width and height.
        first: [u32; 2],
        /// The second picture's position in the first.
        offset: [i32; 2],
    },
    /// A region reaches outside the part covered by both pictures.
    #[error("the region {region} reaches outside the common part {common}")]
    RegionOutside {
        /// The region at fault.
        region: Region,
        /// The part covered by both pictures.
        common: Region,
    },
    /// The mask's size differs from the first picture's.
    #[error("the mask is {}, but the first picture is {}", size(.mask), size(.first))]
    MaskSize {
        /// The mask's width and height.
        mask: [u32; 2],
        /// The first picture's width and height.
        first: [u32; 2],
    },
    /// Regions and mask leave no pixel to compare.
    #[error("regions and mask leave no pixel to compare")]
    NothingCounts,
    /// The structural similarity is bounded, but the pictures are too small for it.
    #[error("the structural similarity needs a part of at least {least}x{least} pixels")]
    TooSmallForSsim {
        /// A window's width and height, which the part needs at least.
        least: u32,
    },
    /// The picture that shows the difference could not be encoded.
    #[error("cannot encode PNG: {0}")]
    Encoding(String),
    /// An asset cannot be drawn.
    #[error("{error}")]
    Render {
        /// Whether this is the second side.
        is_second: bool,
        /// Why it cannot be drawn.
        error: RenderError,
    },
    /// Samples are no picture.
    #[error(transparent)]
    Picture(#[from] PictureError),
}

fn size([width, height]: &[u32; 2]) -> String {
    format!("{width}x{height}")
}
