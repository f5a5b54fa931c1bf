//! Says how far a picture may differ and still pass.

use std::fmt;
use std::str::FromStr;

use pspge::documents::judgement::{MatchFigures, MatchTier};
use serde::Deserialize;

/// How far a picture may differ and still pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Requirement {
    /// This tier, or a closer tier.
    Tier(Tier),
    /// A mean squared error over colours; depth buffers are then compared for information only.
    MaxMse(f64),
}

/// A tier that a picture may have to reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Tier {
    /// All values are equal
    #[default]
    Exact,
    /// No channel differs by more than --near
    Near,
    /// Only edges and rounding differ: no area and no block of 8x8 pixels
    Area,
}

impl Tier {
    const fn of_figures(self) -> MatchTier {
        match self {
            Self::Exact => MatchTier::Exact,
            Self::Near => MatchTier::Near,
            Self::Area => MatchTier::Area,
        }
    }
}

impl Requirement {
    /// Whether pictures and depth buffers with these differences pass.
    pub(super) fn holds(self, picture: Option<&MatchFigures>, depth: Option<&MatchFigures>) -> bool {
        match self {
            Self::Tier(tier) => {
                [picture, depth].into_iter().flatten().all(|figures| figures.tier <= tier.of_figures())
            }
            Self::MaxMse(most) => picture.is_none_or(|figures| figures.mse <= most),
        }
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tier(tier) => f.write_str(match tier {
                Tier::Exact => "exact",
                Tier::Near => "near",
                Tier::Area => "area",
            }),
            Self::MaxMse(most) => write!(f, "mse {most}"),
        }
    }
}

/// The largest channel difference in the tier `near`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Near {
    /// For colours, in 8-bit steps.
    pub(super) color: u16,
    pub(super) depth: u16,
}

impl FromStr for Near {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = "expected N or N,DEPTH, such as 8 or 8,64";
        let number = |text: &str| text.trim().parse().map_err(|_| expected);
        match text.split_once(',') {
            Some((color, depth)) => Ok(Self { color: number(color)?, depth: number(depth)? }),
            None => Ok(Self { color: number(text)?, depth: number(text)? }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(tier: MatchTier, mse: f64) -> MatchFigures {
        MatchFigures { tier, mse, ..MatchFigures::identical([8, 8], 3) }
    }

    #[test]
    fn a_tier_holds_for_both_buffers() {
        let near = Requirement::Tier(Tier::Near);
        let [exact, different] = [figures(MatchTier::Exact, 0.0), figures(MatchTier::Different, 9.0)];
        assert!(near.holds(Some(&exact), None), "closer than required");
        assert!(!near.holds(Some(&exact), Some(&different)), "the depth");
        assert!(near.holds(None, Some(&figures(MatchTier::Near, 1.0))), "only depth");
    }

    #[test]
    fn an_error_bounds_the_picture_alone() {
        let most = Requirement::MaxMse(0.1);
        let different = figures(MatchTier::Different, 9.0);
        assert!(most.holds(Some(&figures(MatchTier::Different, 0.1)), Some(&different)), "just so");
        assert!(!most.holds(Some(&figures(MatchTier::Near, 0.11)), None), "more");
    }
}
