//! The result of a comparison, and the pictures that were compared.

use pspge::compare::{Channels, Difference, Picture};

use super::side::Opening;

/// Everything that the text says about a pair.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    /// The compared pictures.
    pub(super) pictures: [PictureSummary; 2],
    /// Their difference.
    pub(super) difference: Difference,
    /// The result.
    pub(super) verdict: Verdict,
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// All compared pixels are identical.
    Identical,
    /// All bounds hold.
    Equal,
    /// A bound does not hold.
    Different,
}

impl Verdict {
    /// Returns the result of a difference.
    pub(super) const fn of(difference: &Difference) -> Self {
        if !difference.is_equal() {
            Self::Different
        } else if difference.is_identical() {
            Self::Identical
        } else {
            Self::Equal
        }
    }

    /// Returns the result in one word.
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Equal => "equal",
            Self::Different => "different",
        }
    }
}

/// A compared picture.
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
    /// The channels of the picture.
    pub(super) channels: Channels,
    /// Bits of a sample.
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
