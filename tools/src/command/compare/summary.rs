//! Keeps a comparison's result, to print it as text.

use pspge::compare::{Difference, Picture};

use super::side::Opening;
use crate::terminal::colors::Mark;

/// Everything to print about a pair.
pub(super) struct Comparison<'a> {
    /// Both sides, with their pictures.
    pub(super) sides: [(&'a Opening, &'a Picture); 2],
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
