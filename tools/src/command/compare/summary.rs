//! Keeps a comparison's result and describes the pictures, for the text.

use pspge::compare::{Channels, Difference, Picture};

use super::side::Opening;
use crate::terminal::colors::Mark;

/// Everything the text says about a pair.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    /// Describes both pictures.
    pub(super) pictures: [PictureSummary; 2],
    /// How they differ.
    pub(super) difference: Difference,
    /// How to call the result.
    pub(super) verdict: Verdict,
}

/// How a comparison ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// All compared pixels are identical.
    Identical,
    /// All bounds hold.
    Equal,
    /// Some bound does not hold.
    Different,
}

impl Verdict {
    /// Returns the colour of the result.
    pub(super) const fn mark(self) -> Mark {
        match self {
            Self::Identical | Self::Equal => Mark::Good,
            Self::Different => Mark::Error,
        }
    }

    /// Judges a difference.
    pub(super) const fn of(difference: &Difference) -> Self {
        if !difference.is_equal() {
            Self::Different
        } else if difference.is_identical() {
            Self::Identical
        } else {
            Self::Equal
        }
    }

    /// Returns a word for the result.
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Equal => "equal",
            Self::Different => "different",
        }
    }
}

/// Describes a compared picture.
#[derive(Clone, Debug)]
pub(super) struct PictureSummary {
    /// The input.
    pub(super) name: String,
    /// Name of its format.
    pub(super) format: String,
    /// Whether the picture was drawn.
    pub(super) is_drawn: bool,
    /// Width and height in pixels.
    pub(super) size: [u32; 2],
    /// Which channels the picture has.
    pub(super) channels: Channels,
    /// Bits per sample.
    pub(super) bits: u8,
}

impl PictureSummary {
    /// Describes a picture.
    pub(super) fn new(opening: &Opening, picture: &Picture) -> Self {
        Self {
            name: opening.name.clone(),
            format: opening.format.clone(),
            is_drawn: opening.asset().is_some(),
            size: picture.size(),
            channels: picture.channels(),
            bits: picture.depth().bits(),
        }
    }
}
