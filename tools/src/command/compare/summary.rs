//! Keeps a comparison's result, and describes its pictures, to print both as text.

use pspge::compare::{Channels, Difference, Picture};

use super::side::Opening;
use crate::terminal::colors::Mark;

/// Everything to print about a pair.
#[derive(Clone, Debug)]
pub(super) struct Comparison {
    pub(super) pictures: [PictureSummary; 2],
    pub(super) difference: Difference,
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
    /// The result's colour.
    pub(super) const fn mark(self) -> Mark {
        match self {
            Self::Identical | Self::Equal => Mark::Good,
            Self::Different => Mark::Error,
        }
    }

    pub(super) const fn of(difference: &Difference) -> Self {
        if !difference.is_equal() {
            Self::Different
        } else if difference.is_identical() {
            Self::Identical
        } else {
            Self::Equal
        }
    }

    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Identical => "identical",
            Self::Equal => "equal",
            Self::Different => "different",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct PictureSummary {
    pub(super) name: String,
    pub(super) format: String,
    /// Whether pspge drew this picture.
    pub(super) is_drawn: bool,
    /// Width and height in pixels.
    pub(super) size: [u32; 2],
    pub(super) channels: Channels,
    /// Bits per sample.
    pub(super) bits: u8,
}

impl PictureSummary {
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
